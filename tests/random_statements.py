"""Random functions with loops, branches and exits: over numbers, and over arrays that they write."""

from __future__ import annotations

import random


class Writer:
    """Writes statements over the names x, y, z, n and, if asked to, the arrays a and b."""

    def __init__(self, seed: int, arrays: bool) -> None:
        self.rng = random.Random(seed)
        self.arrays = arrays
        self.loops = 0
        self.indices: list[str] = []

    def function(self) -> str:
        """The text of a whole function; its loops always end."""
        args = "x, y, n, a, b" if self.arrays else "x, y, n"
        body = ["z = 0", *self.block(depth=3, size=4)]
        result = "return x, y, z, a.sum(), b[::-1]" if self.arrays else "return x, y, z"
        return f"def f({args}):\n" + "".join(f"    {line}\n" for line in [*body, result])

    def block(self, depth: int, size: int) -> list[str]:
        """A few statements."""
        lines: list[str] = []
        for _ in range(self.rng.randint(1, size)):
            lines += self.statement(depth)
        return lines

    def statement(self, depth: int) -> list[str]:
        """One statement, with its blocks."""
        kind = self.rng.random()
        if depth == 0 or kind < 0.45:
            return self.assignment()
        if kind < 0.65:
            return self.branch(depth)
        if kind < 0.85:
            return self.for_loop(depth)
        if kind < 0.93:
            return self.while_loop(depth)
        return self.exit()

    def assignment(self) -> list[str]:
        """A number or an element, set or changed."""
        rng = self.rng
        if self.arrays and rng.random() < 0.5:
            return [self.array_assignment()]
        name = rng.choice("xyz")
        if rng.random() < 0.1:
            return [f"{name}, {rng.choice('xyz')} = {self.number()}, {self.number()}"]
        if rng.random() < 0.4:
            # Bounded growth: values stay in a range where no program computes for ever.
            return [f"{name} {rng.choice(('+=', '-='))} {self.number()}"]
        return [f"{name} = {self.number()}"]

    def array_assignment(self) -> str:
        """An element or a slice written."""
        rng = self.rng
        left, right = rng.choice(("a", "b")), rng.choice(("a", "b"))
        return rng.choice(
            (
                f"{left}[{self.index()}] = {self.number()}",
                f"{left}[{self.index()}] += {right}[{self.index()}]",
                f"{left}[1:] = {right}[:-1]",
                f"{left}[1:] += {right}[:-1] * 0.5",
                f"{left} = {right} * 0.5 + {left}",
                f"{left}[::2] -= {rng.randint(-3, 3)}",
                f"{left}[:] = {right}[::-1]",
                f"x = {left}[{self.index()}]",
                f"y = {left}.max() + {right}[1:].sum()",
                f"{left}, {right} = {right}, {left}",
                f"{left} = {right}",
                f"{left} = {left}.copy()",
            )
        )

    def index(self) -> str:
        """An index, mostly in range."""
        choices = ["0", "-1", "2", "n", "n - 1", *self.indices, *(f"{i} - 2" for i in self.indices)]
        return self.rng.choice(choices)

    def number(self) -> str:
        """An expression of numbers."""
        rng = self.rng
        operands = ["x", "y", "z", "n", "1", "2.5", "-3", "0", *self.indices]
        left, right = rng.choice(operands), rng.choice(operands)
        forms = (
            f"{left} + {right}",
            f"{left} - {right}",
            f"{left} * 0.5",
            f"{left} % 7",
            f"{left} // 3",
            f"{left} / 4",
            f"-{left}",
            f"abs({left})",
            f"min({left}, {right})",
            f"max({left}, {right})",
            f"{left} if {self.test()} else {right}",
            f"int({left})",
            f"{left} or {right}",
            left,
            f"{left} * ({right} % 5)",
        )
        return rng.choice(forms)

    def test(self) -> str:
        """A condition."""
        rng = self.rng
        operands = ["x", "y", "z", "n", *self.indices]
        left, right = rng.choice(operands), rng.choice([*operands, "0", "2"])
        simple = f"{left} {rng.choice(('<', '<=', '>', '==', '!='))} {right}"
        return rng.choice(
            (simple, f"{simple} and {rng.choice(operands)} > 1", f"not {left}", f"0 < {left} < 5")
        )

    def branch(self, depth: int) -> list[str]:
        """An `if`, often with an `else`."""
        lines = [f"if {self.test()}:", *_indented(self.block(depth - 1, 2))]
        if self.rng.random() < 0.3:
            lines += [f"elif {self.test()}:", *_indented(self.block(depth - 1, 2))]
        if self.rng.random() < 0.5:
            lines += ["else:", *_indented(self.block(depth - 1, 2))]
        return lines

    def for_loop(self, depth: int) -> list[str]:
        """A loop over a range, sometimes over an array."""
        rng = self.rng
        index = f"i{self.loops}"
        self.loops += 1
        spaces = ["range(n)", "range(3)", "range(n, 0, -1)", "range(1, n, 2)", "range(0)"]
        over = rng.choice([*spaces, "a", "b[1:]"] if self.arrays else spaces)
        if over.startswith("range"):
            self.indices.append(index)
        body = self.block(depth - 1, 3)
        if rng.random() < 0.3:
            body += self.jump()
        lines = [f"for {index} in {over}:", *_indented(body)]
        if rng.random() < 0.15:
            lines += ["else:", *_indented(self.assignment())]
        if over.startswith("range") and rng.random() < 0.9:
            # Read after the loop in one case of ten, where the loop may have had no iteration.
            self.indices.remove(index)
        return lines

    def while_loop(self, depth: int) -> list[str]:
        """A loop that a counter of its own ends."""
        counter = f"k{self.loops}"
        self.loops += 1
        body = [f"{counter} += 1", *self.block(depth - 1, 2)]
        if self.rng.random() < 0.3:
            body += self.jump()
        return [f"{counter} = 0", f"while {counter} < 4 and {self.test()}:", *_indented(body)]

    def jump(self) -> list[str]:
        """A `break` or `continue` under a condition, what comes before it, and something after."""
        before = self.assignment() if self.rng.random() < 0.5 else []
        jump = self.rng.choice(("break", "continue"))
        return [f"if {self.test()}:", *_indented([*before, jump]), *self.assignment()]

    def exit(self) -> list[str]:
        """An early return."""
        return [f"if {self.test()}:", f"    return {self.number()}"]


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]
