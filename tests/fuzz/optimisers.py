"""Optimisers, steps in time and solvers by products, as they stand in the loops of numerical programs.

Each idiom gives lines that come before a loop and lines of its body; how each store is said is left to chance.
"""

from __future__ import annotations

from fuzz.blocks import Blocks, indented

Idiom = tuple[list[str], list[str]]


class Optimisers(Blocks):
    """Makes idioms; the matrix S (square) and the vector b, of the same length, are given."""

    def set_up(self, *lines: str) -> list[str]:
        """Lines that bind one name each."""
        made = []
        for line in lines:
            name = line.split(" = ")[0]
            self.used.add(name)
            if self.define(line, *name.split(", ")):
                made.append(line)
        return made

    def run(self, *steps: tuple[str, str, str] | str) -> list[str]:
        """Steps in an order: a line as it is, or (target, operation, expression)."""
        lines: list[str] = []
        for step in steps:
            if isinstance(step, str):
                lines += [step]
                name, _, text = step.partition(" = ")
                if name.isidentifier():
                    self.used.add(name)
                    self.define(step, name)
                continue
            target, op, text = step
            found = self.put(target, text) if op == "=" else self.grow(target, op, text)
            lines += found or [f"{target}[:] = {text}" if op == "=" else f"{target} {op}= {text}"]
        return lines

    def start(self, *others: str) -> str:
        """The start of a state like b."""
        choices = [
            "b * 1.0",
            "b * 0.5",
            "np.zeros_like(b)",
            "b.copy()",
            "0.1 * b + 1",
            "np.ones_like(b)",
            "S @ b",
            *others,
        ]
        return self.rng.choice(choices)

    def momentum(self) -> Idiom:
        """Descent with momentum."""
        matrix = self.rng.random() < 0.5
        base = self.rng.choice(("np.outer(b, b)", "S * 1", "S - S.T")) if matrix else self.start()
        setup = self.set_up(f"u = {base}", self.rng.choice(("v = u * 0.1", "v = np.zeros_like(u)")))
        g = self.rng.choice(
            ("u - u.mean(0)", "S @ u", "2 * u - 1", "u * u - S @ u" if matrix else "S @ u - b")
        )
        scale = self.rng.choice(("g / np.abs(g).max()", "0.1 * g", "np.tanh(g)", "g / (1 + np.abs(g).sum())"))
        return setup, self.run(f"g = {g}", ("v", "=", f"0.9 * v - {scale}"), ("u", "+", "v"))

    def adam(self) -> Idiom:
        """Adam and its kin."""
        rng = self.rng
        setup = self.set_up("m1 = np.zeros_like(b)", "m2 = np.zeros_like(b)", f"w = {self.start()}")
        body = self.run(f"g = {rng.choice(('S @ w', 'w - b', 'S @ w + b', '2 * w'))}")
        if rng.random() < 0.4:
            body += self.run(
                ("m1", "*", "0.9"), ("m1", "+", "0.1 * g"), ("m2", "*", "0.99"), ("m2", "+", "0.01 * g * g")
            )
        else:
            body += self.run(("m1", "=", "0.9 * m1 + 0.1 * g"), ("m2", "=", "0.99 * m2 + 0.01 * g**2"))
        return setup, body + self.run(
            (
                "w",
                "-",
                rng.choice(("0.1 * m1 / (np.sqrt(m2) + 0.01)", "0.1 * m1 / (0.1 + np.sqrt(m2 + 0.01))")),
            )
        )

    def conjugate(self) -> Idiom:
        """Conjugate gradients."""
        setup = self.set_up(
            "r = b * 1.0",
            self.rng.choice(("p = b * 1.0", "p = r.copy()", "p = r * 0.5")),
            "x = np.zeros_like(b)",
        )
        if self.rng.random() < 0.5:
            return setup, self.run("Ap = S @ p", ("x", "+", "p"), ("r", "-", "Ap"), ("p", "=", "r + 0.5 * p"))
        steps = ("Ap = S @ p", "alpha = (r @ r) / (1 + abs(p @ Ap))", ("x", "+", "alpha * p"), ("r", "-", "alpha * Ap"),
                 ("p", "=", "r + p * ((r @ r) / (4 + r @ r))"))  # fmt: skip
        return setup, self.run(*steps)

    def leapfrog(self) -> Idiom:
        """Positions and speeds."""
        setup = self.set_up(
            f"x = {self.start()}", self.rng.choice(("v = np.zeros_like(x)", "v = b * 0.5", "v = x * 0.25"))
        )
        force = self.rng.choice(("-x", "-(S @ x)", "-np.sin(x)", "x - x**3 / 9", "b - S @ x"))
        if self.rng.random() < 0.5:
            return setup, self.run(f"a = {force}", ("v", "+", "0.1 * a"), ("x", "+", "0.1 * v"))
        return setup, self.run(
            ("v", "+", f"0.05 * ({force})"), ("x", "+", "0.1 * v"), ("v", "+", f"0.05 * ({force})")
        )

    def runge_kutta(self) -> Idiom:
        """Runge-Kutta of order 2 or 4."""
        rng = self.rng
        setup = self.set_up(f"u = {self.start()}")
        f = rng.choice(("S @ ({})", "-({})", "np.sin({})", "b - ({})"))
        if rng.random() < 0.6:
            return setup, self.run(
                "k1 = " + f.format("u"), "k2 = " + f.format("u + 0.1 * k1"), ("u", "+", "0.05 * (k1 + k2)")
            )
        stages = ["k1 = " + f.format("u")] + [
            f"k{i + 1} = " + f.format(f"u + 0.05 * k{i}") for i in (1, 2, 3)
        ]
        return setup, self.run(*stages, ("u", "+", "0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + k4)"))

    def residual(self) -> Idiom:
        """Residuals of products."""
        setup = self.set_up("r = b * 1.0", f"p = {self.start()}")
        first = self.rng.choice(
            (("r", "-", "S @ p"), ("r", "=", "r - S @ r"), ("r", "=", "b - S @ p"), ("r", "=", "S @ r - p"))
        )
        second = self.rng.choice(
            (("p", "=", "r + p"), ("p", "+", "0.5 * r"), ("p", "=", "p - r * 0.1"), ("p", "=", "r * 1"))
        )
        return setup, self.run(*((first, second) if self.rng.random() < 0.7 else (second, first)))

    def power(self) -> Idiom:
        """Power iteration."""
        setup = self.set_up(f"x = {self.start('np.ones(len(b))')}", "lam = 0.0")
        norm = self.rng.choice(("np.abs(y).max() + 0.1", "np.sqrt(y @ y + 1)", "1 + np.abs(y).sum()"))
        return setup, self.run("y = S @ x", f"lam = {norm}", ("x", "=", "y / lam"))

    def accept(self) -> Idiom:
        """Steps that are taken or not."""
        rng = self.rng
        setup = self.set_up(f"x = {self.start()}", "taken = 0", "total = 0.0")
        prop = rng.choice(
            ("x - 0.1 * x**3", "x + 0.1 * np.sin(x)", "S @ x * 0.3", "x * 0.5", "0.9 * x - 0.1 * b")
        )
        test = rng.choice(
            (
                "prop @ prop > 100.0",
                "np.abs(prop).sum() > 100",
                "prop @ prop < x @ x",
                "prop.max() > x.max()",
                "total > 2",
            )
        )
        yes, no = ["taken += 1"], self.run(("x", "=", "prop")) if rng.random() < 0.5 else ["x = prop"]
        if rng.random() < 0.5:
            yes, no = no, yes
        after = rng.choice((["total += x @ x"], ["total += (x**2).sum()"], ["total = 0.5 * total + x.sum()"]))
        return setup, [f"prop = {prop}", f"if {test}:", *indented(yes), "else:", *indented(no), *after]

    def logistic(self) -> Idiom:
        """Regression by descent."""
        setup = self.set_up(f"w = {self.start()}")
        p = self.rng.choice(("1 / (1 + np.exp(-(S @ w)))", "np.tanh(S @ w)", "S @ w"))
        return setup, self.run(f"p = {p}", "d = p - b", "g = S.T @ d / n", ("w", "-", "0.1 * g"))

    def cooled(self) -> Idiom:
        """Two dead temporaries and two states."""
        setup = self.set_up(f"x = {self.start()}", "y = b * 0.5")
        t = self.rng.choice(("x * y + 1", "np.sin(x) + y", "x - y", "np.exp(-np.abs(x)) + y"))
        return setup, self.run(
            f"t = {t}", "u = t / (1 + np.abs(t).sum())", ("x", "-", "u"), ("y", "+", "u * 0.1")
        )

    def projection(self) -> Idiom:
        """Projected steps with ``out=``."""
        setup = self.set_up(f"x = {self.start()}", "w = np.zeros_like(x)")
        steps = [
            "np.matmul(S, x, out=w)",
            "np.subtract(b, w, out=w)",
            "np.multiply(w, 0.1, out=w)",
            "np.add(x, w, out=x)",
            "np.maximum(x, 0, out=x)",
        ]
        drop = self.rng.randrange(1, 5)
        return setup, [line for k, line in enumerate(steps) if k != drop or self.rng.random() < 0.5]

    def line_search(self) -> Idiom:
        """A step that is halved until it serves."""
        setup = self.set_up(f"x = {self.start()}", "h = 1.0")
        body = [
            "g = S @ x - b",
            "h = 1.0",
            "for q in range(4):",
            "    trial = x - h * g",
            "    if trial @ trial < x @ x + 0.5:",
            "        x = trial",
            "        break",
            "    h *= 0.5",
        ]
        if self.rng.random() < 0.4:
            body += ["else:", "    x = x * 0.5"]
        return setup, body
