"""Stencils, filters, tables, factorisations, buffers that take turns; and the choice among all idioms."""

from __future__ import annotations

from fuzz.blocks import indented
from fuzz.optimisers import Idiom, Optimisers


class Idioms(Optimisers):
    """Makes the other idioms."""

    def idiom(self) -> Idiom:
        """One of the idioms."""
        makers = (self.momentum, self.adam, self.conjugate, self.leapfrog, self.runge_kutta, self.residual, self.power, self.stencil,
                  self.stencil2, self.relaxation, self.elimination, self.table, self.accept, self.accept, self.accept, self.rows, self.logistic, self.waves,
                  self.filtering, self.welford, self.schmidt, self.cooled, self.exchange, self.projection, self.kalman, self.line_search)  # fmt: skip
        return self.rng.choice(makers)()

    def stencil(self) -> Idiom:
        """A stencil on a line, with one or two buffers."""
        rng = self.rng
        setup = self.set_up(f"u = {self.start()}")
        inner = rng.choice(
            (
                "0.25 * u[:-2] + 0.5 * u[1:-1] + 0.25 * u[2:]",
                "u[1:-1] - 0.1 * (u[2:] - u[:-2])",
                "0.5 * (u[:-2] + u[2:])",
            )
        )
        chance = rng.random()
        if chance < 0.3:
            return setup, [f"u[1:-1] = {inner}"]
        if chance < 0.5:
            return setup, [
                "un = u.copy()",
                f"un[1:-1] = {inner}",
                rng.choice(("u = un", "u[:] = un", "u, un = un, u")),
            ]
        setup += self.set_up(rng.choice(("un = u.copy()", "un = np.zeros_like(u)")))
        ends = rng.choice((["un[0] = u[-1]"], ["un[0], un[-1] = u[0], u[-1]"], []))
        return setup, [f"un[1:-1] = {inner}", *ends, "u, un = un, u"]

    def stencil2(self) -> Idiom:
        """A stencil on a plane."""
        rng = self.rng
        setup = self.set_up(f"U = {rng.choice(('S * 1.0', 'np.outer(b, b)', 'S + S.T'))}", "V = U.copy()")
        line = "V[1:-1, 1:-1] = 0.25 * (U[:-2, 1:-1] + U[2:, 1:-1] + U[1:-1, :-2] + U[1:-1, 2:])"
        ends = rng.choice((["V[0] = V[1]", "V[:, -1] = V[:, -2]"], ["V[0, :] = 0"], [], ["V[:, 0] *= 0.5"]))
        return setup, [
            line,
            *ends,
            rng.choice(("U, V = V, U", "U = V.copy()", "U[:] = V", "U += 0.5 * (V - U)")),
        ]

    def relaxation(self) -> Idiom:
        """Jacobi or Gauss-Seidel."""
        rng = self.rng
        setup = self.set_up(f"x = {self.start()}")
        if rng.random() < 0.5:
            setup += self.set_up("D = np.abs(S).sum(1) + 1")
            return setup, self.run(("x", "=", "(b - S @ x + D * x) / (D + 1)"))
        body = rng.choice(
            (
                "x[q] = (b[q] - S[q] @ x + x[q]) / (4 + abs(S[q, q]))",
                "x[q] = (b[q] - S[q, :q] @ x[:q] - S[q, q + 1:] @ x[q + 1:]) / 4",
            )
        )
        return setup, [
            f"for q in {rng.choice(('range(n)', 'range(n - 1, -1, -1)', 'range(0, n, 2)'))}:",
            "    " + body,
        ]

    def elimination(self) -> Idiom:
        """Elimination, substitution."""
        rng = self.rng
        setup = self.set_up("L = S * 1.0", "x = b * 1.0")
        rows = [
            "for q in range(n - 1):",
            "    L[q + 1:, q] /= 4 + abs(L[q, q])",
            "    L[q + 1:, q + 1:] -= np.outer(L[q + 1:, q], L[q, q + 1:])",
        ]
        one = [
            "for q in range(n):",
            "    for l in range(q + 1, n):",
            "        c = L[l, q] / (4 + abs(L[q, q]))",
            "        L[l] -= c * L[q]",
            "        x[l] -= c * x[q]",
        ]
        back = [
            "for q in range(n - 1, -1, -1):",
            "    x[q] = (x[q] - L[q, q + 1:] @ x[q + 1:]) / (4 + abs(L[q, q]))",
        ]
        return setup, rng.choice((rows, one, back, rows + back))

    def table(self) -> Idiom:
        """A table filled from its neighbours."""
        rng = self.rng
        setup = self.set_up("T = np.zeros((n, n))", "best = 0.0")
        pick = rng.choice(
            (
                "max(T[q - 1, l], T[q, l - 1]) + S[q, l]",
                "0.5 * (T[q - 1, l - 1] + min(T[q - 1, l], T[q, l - 1])) + S[q, l]",
            )
        )
        one = [
            "for q in range(1, n):",
            "    for l in range(1, n):",
            f"        T[q, l] = 0.5 * ({pick})",
            "best = max(best, T[-1, -1])",
        ]
        rows = [
            "T[0] = b",
            "for q in range(1, n):",
            "    T[q] = np.maximum(T[q - 1], S[q]) * 0.5",
            "    T[q, 1:] += T[q - 1, :-1]",
        ]
        if rng.random() < 0.3:
            rows += ["best += T.sum()"]
        return setup, rng.choice((one, rows))

    def rows(self) -> Idiom:
        """Rows or columns divided by their sums."""
        rng = self.rng
        setup = self.set_up("R = S * 1.0", f"k0 = {rng.choice(('0', '1.0', '0.5'))}")
        e = rng.choice(("np.exp(S * 0.1 * k0)", "np.exp(R - R.max())", "1 + R * R", "np.abs(R) + 0.5"))
        return setup, self.run(
            "k0 += 1",
            f"e = {e}",
            (
                "R",
                rng.choice("+="),
                rng.choice(("e / e.sum(1)[:, None]", "e / e.sum(1, keepdims=True)", "e / e.sum(0)")),
            ),
        )

    def waves(self) -> Idiom:
        """Three buffers that take turns."""
        setup = self.set_up("old = b * 1.0", f"cur = {self.start()}", "new = np.zeros_like(b)")
        move = self.rng.choice(
            (
                "new[1:-1] = 2 * cur[1:-1] - old[1:-1] + 0.1 * (cur[2:] - 2 * cur[1:-1] + cur[:-2])",
                "new[:] = cur - 0.1 * old",
                "new = S @ cur - 0.5 * old",
            )
        )
        turn = self.rng.choice(
            (
                "old, cur, new = cur, new, old",
                "old = cur; cur = new",
                "old, cur = cur, new",
                "old[:] = cur; cur[:] = new",
            )
        )
        return setup, [move, *turn.split("; ")]

    def filtering(self) -> Idiom:
        """A recursive filter."""
        setup = self.set_up("y = np.zeros_like(b)", "m0 = 0.0")
        body = self.rng.choice(
            (
                ["m0 = 0.9 * m0 + 0.1 * b[q]", "y[q] = m0"],
                ["y[q] = 0.5 * y[q - 1] + b[q]"],
                ["y[q] = b[:q + 1].max() - m0", "m0 = y[q] * 0.5"],
                ["y[q:] += 0.5 * b[q]"],
            )
        )
        return setup, ["for q in range(1, n):", *indented(body)]

    def welford(self) -> Idiom:
        """Running mean and spread over rows."""
        setup = self.set_up("mu = np.zeros_like(b)", "M2 = np.zeros_like(b)", "cnt = 0")
        return setup, [
            "for row in S:",
            *indented(
                [
                    "cnt += 1",
                    *self.run("dd = S[0] - mu"),
                    *self.run(("mu", "+", "dd / (cnt + 1)"), ("M2", "+", "dd * (b - mu)")),
                ]
            ),
        ]

    def schmidt(self) -> Idiom:
        """Gram-Schmidt."""
        setup = self.set_up("Q = S * 1.0")
        inner = self.rng.choice(("v -= (Q[:, l] @ v) * Q[:, l]", "v = v - (Q[:, l] @ v) * Q[:, l]"))
        return setup, [
            "for q in range(n):",
            f"    v = {self.rng.choice(('S[:, q].copy()', 'Q[:, q].copy()', 'S[:, q] * 1'))}",
            "    for l in range(q):",
            "        " + inner,
            "    Q[:, q] = v / (1 + np.sqrt(v @ v))",
        ]

    def exchange(self) -> Idiom:
        """Elements, rows or names that change places."""
        rng = self.rng
        setup = self.set_up("x = b * 1.0", f"y = {self.start()}", "P = S * 1.0")
        choices = (["for q in range(n - 1):", "    if x[q] > x[q + 1]:", "        x[q], x[q + 1] = x[q + 1], x[q]"], ["x, y = y, x - 0.5 * y"], ["x, y = y + 0.1 * x, x"],
                   ["P[0], P[-1] = P[-1].copy(), P[0].copy()", "P[:, 0] += x"], ["x, y = y, x", "x += 0.5 * y"], ["x[::2], x[1::2] = 0.5, y[1::2] * 1"])  # fmt: skip
        return setup, rng.choice(choices)

    def kalman(self) -> Idiom:
        """A filter with a state and its spread."""
        setup = self.set_up("x = b * 1.0", "P = np.eye(n)")
        return setup, self.run(
            ("x", "=", "S @ x * 0.3"),
            ("P", "=", "(S @ P @ S.T) / (1 + np.abs(P).sum())"),
            "K = P[:, 0] / (P[0, 0] + 2)",
            ("x", "+", "K * (b[0] - x[0])"),
            ("P", "-", "0.5 * np.outer(K, P[0])"),
        )
