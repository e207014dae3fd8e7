"""Constant tables: tuples and lists of numbers and of pairs, looped over, indexed where the loop stands."""

from __future__ import annotations

from fuzz.blocks import indented
from fuzz.flags import Flags
from fuzz.samples import Kind

_MOVES = (
    "(1, 0), (0, 1), (-1, 0), (0, -1)",
    "(1, 1), (-1, 1), (0, -1)",
    "(0, 1), (1, 0), (1, 1), (2, -1)",
    "(-1, 0), (1, 0)",
)
_WEIGHTS = ("0.25, 0.5, 0.25", "0.5, 0.25, 0.125, 0.125", "1, 0.5, 2", "0.5, -0.5", "1, 2, 3", "True, 0.5, 1")
_WHOLE = ("2, 0, 1", "1, 3, 2, 0", "0, -1, 1", "3, 1, 2")
_OUTSIDE = (
    "{p} < 0 or {p} >= {n} or {q} < 0 or {q} >= {m}", "not (0 <= {p} < {n} and 0 <= {q} < {m})", "{p} < 0 or {q} < 0 or {p} == {n} or {q} == {m}",
    "not 0 <= {p} < {n} or not 0 <= {q} < {m}", "({p} < 0) | ({p} > {n} - 1) | ({q} < 0) | ({q} > {m} - 1)", "min({p}, {q}) < 0 or {p} >= {n} or {q} >= {m}",
)  # fmt: skip


class Tables(Flags):
    """Makes tables and statements that go by them."""

    def setup_tables(self) -> list[str]:
        """One or two tables that have names, of the program or of the module."""
        rng, lines = self.rng, []
        for _ in range(rng.choice((1, 1, 2))):
            what = rng.choice(("pairs", "pairs", "weights", "whole"))
            name = self.fresh(
                *{"pairs": ("moves", "offsets"), "weights": ("coef", "taps"), "whole": ("order", "perm")}[
                    what
                ]
            )
            made = self.named(f"{name} = {self.table_text(what)}", name, Kind("table", what))
            if rng.random() < 0.25:
                self.module_level.append(made[0] + "\n")
            else:
                lines += made
        return lines

    def table_text(self, what: str) -> str:
        """A table, written down."""
        forms = {"pairs": _MOVES, "weights": _WEIGHTS if self.family != "i" else _WHOLE, "whole": _WHOLE}[
            what
        ]
        text = self.rng.choice(forms)
        return f"({text})" if self.rng.random() < 0.6 else f"[{text}]"

    def a_table(self, *kinds: str) -> str:
        """A table that has a name, or one that is written where it is used."""
        names = [name for name in self.of_family("table") if self.kinds[name].dtype in kinds]
        return (
            self.rng.choice(names)
            if names and self.rng.random() < 0.7
            else self.table_text(self.rng.choice(kinds))
        )

    def try_number(self, depth: int) -> str:
        """An expression that may be a number: of a table, now and then."""
        if "tables" in self.also and self.rng.random() < 0.08:
            return self.table_number()
        return super().try_number(depth)

    def table_number(self) -> str:
        """A number of a table, at a place that is known when the program runs."""
        rng = self.rng
        i = rng.choice(list(self.indices)) if self.indices else rng.choice(("steps", "1", "-1"))
        if rng.random() < 0.35:
            table = self.a_table("pairs")
            forms = (
                "{0}[{1} % len({0})][0]",
                "{0}[{1} % 2][1]",
                "{0}[-1][0]",
                "{0}[{1} % 2][{1} % 2]",
                "{0}[{1}][0]",
            )
        else:
            table = self.a_table("weights", "whole")
            forms = ("{0}[{1} % 3]", "{0}[{1} % len({0})]", "{0}[0]", "{0}[1]", "{0}[-1]", "{0}[{1}]", "{0}[-{1}]", "sum({0})", "max({0})", "{0}[1:][{1} % 2]",
                     "{0}[::-1][{1} % 2]", "len({0})")  # fmt: skip
        return rng.choice(forms).format(table, i)

    def table_statement(self, depth: int) -> list[str]:
        """A loop over a table, or a place of an array that a table names."""
        rng = self.rng
        chance = rng.random()
        if chance < 0.4:
            return self.neighbours()
        if chance < 0.75:
            return self.weighted(depth)
        vectors = [name for name in self.arrays() if self.kinds[name].rank == 1]
        x = rng.choice(vectors)
        if chance < 0.9:
            head = f"for u0, u1 in {self.a_table('pairs')}:"
            body = rng.choice(
                (f"{x}[u0], {x}[u1] = {x}[u1], {x}[u0]", f"{x}[u0] = 0.5 * {x}[u1]", f"{x}[u0 + 1] -= u1")
            )
            if self.family == "i" and "0.5" in body:
                body = f"{x}[u0] = {x}[u1] - u1"
            return [head, *indented([*self.skip(), body])]
        return self.added(
            f"abs({x}[{self.a_table('whole')}[{rng.choice(list(self.indices) or ['steps'])} % 3]])"
        )

    def skip(self) -> list[str]:
        """A way past the rest of a loop's body, or none."""
        if self.rng.random() < 0.5:
            return []
        return [f"if {self.test()}:", f"    {'break' if self.rng.random() < 0.08 else 'continue'}"]

    def neighbours(self) -> list[str]:
        """The neighbours of each place of a matrix, inside of it."""
        rng = self.rng
        matrix = rng.choice([name for name in self.arrays() if self.kinds[name].rank == 2])
        made = self.new(f"np.zeros_like({matrix})", "near", "sums", "grown")
        if not made:
            return []
        target = made[0].split()[0]
        i, j = self.fresh("r0", "i0"), self.fresh("c0", "j0")
        n, m = rng.choice(
            ((f"{matrix}.shape[0]", f"{matrix}.shape[1]"), (f"len({matrix})", f"len({matrix}[0])"))
        )
        stores = (
            f"{target}[{i}, {j}] = total0",
            f"{matrix}[{i}, {j}] = total0 * 0.25",
            f"{target}[{i}, {j}] += 0.5 * total0",
        )
        store = rng.choice(stores) if self.family != "i" else f"{target}[{i}, {j}] = total0 % 13"
        start = {"f": "0.0", "i": "0", "c": "0j"}[self.family]
        body = [f"total0 = {start}", *self.around(matrix, i, j, n, m), store]
        return [*made, f"for {i} in range({n}):", *indented([f"for {j} in range({m}):", *indented(body)])]

    def around(self, matrix: str, i: str, j: str, n: str, m: str) -> list[str]:
        """The loop over a place's neighbours: those outside of the matrix are passed over."""
        rng = self.rng
        p, q = self.fresh("p", "rr", "y0"), self.fresh("q", "cc", "x0")
        outside = rng.choice(_OUTSIDE).format(p=p, q=q, n=n, m=m)
        value = rng.choice(
            (f"{matrix}[{p}, {q}]", f"{matrix}[{p}][{q}]", f"{matrix}[{p}, {q}] - {matrix}[{i}, {j}]")
        )
        step = [f"total0 += {value}"]
        if rng.random() < 0.4:
            step = [f"if abs({value}) > 0.5:", *indented(step)]
        inner = [f"if {outside}:", "    continue", *step]
        if rng.random() < 0.35:
            inner = [f"if not ({outside}):", *indented(step)]
        if rng.random() < 0.2:
            inner = [*self.skip(), *inner]
        index = [f"{p}, {q} = {i} + di, {j} + dj"]
        if rng.random() < 0.4:
            index = [f"{p} = {i} + di", f"{q} = {j} + dj"]
        table = self.a_table("pairs")
        if rng.random() < 0.7:
            return [f"for di, dj in {table}:", *indented([*index, *inner])]
        bound = rng.choice(([f"di, dj = {table}[t0]"], [f"di = {table}[t0][0]", f"dj = {table}[t0][1]"]))
        return [f"for t0 in range(len({table})):", *indented([*bound, *index, *inner])]

    def weighted(self, depth: int) -> list[str]:
        """A loop over a table of numbers, alone or beside another, around a few statements."""
        rng, k, w = self.rng, self.fresh("k0", "t1", "e0"), self.fresh("wk", "h0", "a0")
        table = self.a_table("weights", "whole")
        shown = (f"for {k}, {w} in enumerate({table}):", f"for {w}, {k} in zip({table}, range(4)):", f"for {k}, {w} in ((0, 0.5), (2, 1.5), (1, 2)):",
                 f"for ({k}, _), {w} in zip({self.a_table('pairs')}, {table}):", f"for {w} in {table}:", f"for {w} in reversed({table}):")  # fmt: skip
        head = rng.choice(shown[:2] + shown[3:] if self.family == "i" else shown)
        with self.scope():
            self.bind(w, [1 if self.family == "i" else 0.5] * len(self.envs))
            if f"{k}" in head and "_" not in head:
                self.bind(k, [1] * len(self.envs))
                self.indices[k] = (4,) * len(self.envs)
            x = rng.choice([name for name in self.arrays() if self.kinds[name].rank == 1])
            place = f"{x}[{k}]" if k in self.indices else f"{x}[1]"
            makers = (
                lambda: self.added(f"{w} * abs({place})"),
                lambda: [f"{place} -= {w}"],
                lambda: self.block(min(depth, 1), 2),
            )
            body = rng.choice(makers)()
            lines = [*self.skip(), *body]
        return [head, *indented(lines)]
