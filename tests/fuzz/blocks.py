"""Statements with blocks: loops of every form, branches, and the ways out of them."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.expressions import operand
from fuzz.writes import Writes


def indented(lines: list[str]) -> list[str]:
    """The lines, one step further in."""
    return ["    " + line for line in lines] or ["    pass"]


class Blocks(Writes):
    """Makes blocks; `depth` bounds how deep they nest."""

    loops = 0
    differentiable = False
    exits = True  # whether a function may be left in the middle of it

    def block(self, depth: int, size: int) -> list[str]:
        """A few statements."""
        lines: list[str] = []
        for _ in range(self.rng.randint(1, size)):
            lines += self.statement(depth)
        return lines

    def statement(self, depth: int) -> list[str]:
        """One statement, with its blocks."""
        chance = self.rng.random()
        if depth <= 0 or chance < 0.62:
            return self.simple()
        if chance < (0.72 if self.differentiable else 0.66):
            return self.either()
        if chance < 0.78:
            return self.branch(depth)
        if chance < 0.96:
            return self.loop(depth - 1)
        return self.leave() if self.exits else self.simple()

    def inside(self, make: Callable[[], list[str]]) -> list[str]:
        """The lines of a block; names that are bound in it are not used after it."""
        with self.scope():
            return indented(make())

    def branch(self, depth: int) -> list[str]:
        """An ``if`` with or without ``elif`` and ``else``."""
        rng = self.rng
        if "truths" in self.also and rng.random() < 0.35:
            return self.only_else(depth)
        lines = [f"if {self.test()}:", *self.inside(lambda: self.block(depth - 1, 2))]
        if rng.random() < 0.25:
            lines += [f"elif {self.test()}:", *self.inside(lambda: self.block(depth - 1, 2))]
        if rng.random() < 0.6:
            lines += ["else:", *self.inside(lambda: self.block(depth - 1, 2))]
        return lines

    def only_else(self, depth: int) -> list[str]:
        """A branch whose first path does nothing, or only leaves the others to do something."""
        rng = self.rng
        lines = [f"if {self.test()}:", "    pass"]
        if rng.random() < 0.3:
            lines += [
                f"elif {self.test()}:",
                *(self.inside(self.counting) if rng.random() < 0.5 else ["    pass"]),
            ]
        return [*lines, "else:", *self.inside(lambda: self.block(depth - 1, 2))]

    def either(self) -> list[str]:
        """An array bound anew on one path and not on the other, and read after both."""
        rng = self.rng
        name = rng.choice(self.arrays())
        kind = self.kinds[name]
        text = self.bounded(self.array(kind.shape, 1))
        if rng.random() < 0.5:
            text = (
                f"{name} {rng.choice('+-')} 0.1 * {operand(text)}"
                if self.family != "i"
                else f"{name} + {operand(text)}"
            )
        moved = [f"{name} = {text}"] if self.kind(text) == kind else self.put(name, text)
        head: list[str] = []
        if rng.random() < 0.35 and self.kind(text) == kind:
            head = self.new(text, "trial", "prop", "cand")
            moved = [f"{name} = {head[0].split()[0]}"]
        kept = self.counting() if rng.random() < 0.7 else ["pass"]
        paths = [moved, kept] if rng.random() < 0.5 else [kept, moved]
        lines = [*head, f"if {self.test()}:", *indented(paths[0])]
        if paths[1] != ["pass"]:
            lines += ["else:", *indented(paths[1])]
        return lines + (self.summed(name) if rng.random() < 0.7 else [])

    def leave(self) -> list[str]:
        """An early return under a condition."""
        return [f"if {self.test()}:", f"    return {self.early}"]

    early = "0.0"

    def loop(self, depth: int, body: Callable[[], list[str]] | None = None) -> list[str]:
        """A loop around what `body` makes, or around a few statements."""
        rng = self.rng
        make = body or (lambda: self.block(depth, 3))
        if rng.random() < 0.17:
            return self.while_loop(make)
        with self.scope():
            head = self.head()
            lines = make()
            if rng.random() < 0.22:
                lines += self.jump()
                lines += self.statement(0)
        lines = [head, *indented(lines)]
        if rng.random() < 0.08:
            lines += ["else:", *self.inside(lambda: self.block(0, 1))]
        return lines

    def head(self) -> str:
        """The head of a ``for`` over a range or over arrays; what it binds is known in its body."""
        rng = self.rng
        self.loops += 1
        i = "ijkabcdefgh"[self.loops % 11] if self.loops < 4 else f"i{self.loops}"
        self.used.add(i)
        vectors = [name for name in self.arrays() if self.kinds[name].rank == 1]
        if vectors and rng.random() < 0.2:
            return self.over_arrays(i, vectors)
        n, m, steps = (self.values(name) for name in ("n", "m", "steps"))
        spaces = [
            ("range(steps)", steps), ("range(steps)", steps), ("range(n)", n), ("range(m)", m), ("range(1, n)", n), ("range(n - 1, -1, -1)", n),
            ("range(0, n, 2)", n), ("range(n - 2, 0, -2)", [v - 1 for v in n]), ("range(3)", [3] * len(n)), ("range(steps, 0, -1)", [v + 1 for v in steps]),
            ("range(1, n - 1)", [v - 1 for v in n]), ("range(2, m)", m), ("range(4)", [4] * len(n)), ("range(len(range(n)) // 2)", [v // 2 for v in n]),
        ]  # fmt: skip
        space, limit = rng.choice(spaces)
        self.bind(i, [1] * len(limit))
        self.indices[i] = tuple(limit)
        return f"for {i} in {space}:"

    def over_arrays(self, i: str, vectors: list[str]) -> str:
        """The head of a loop over elements or rows."""
        rng = self.rng
        x = rng.choice(vectors)
        matrices = [name for name in self.arrays() if self.kinds[name].rank == 2]
        v, chance = f"v{self.loops}", rng.random()
        if matrices and chance < 0.25:
            matrix = rng.choice(matrices)
            self.define(f"{v} = {matrix}[0]", v)
            return f"for {v} in {matrix}:"
        part = self.part(x)
        if (
            self.kind(f"{part}[0]") is None
            or self.kinds[x].rank != 1
            or (k := self.kind(part)) is None
            or k.rank != 1
        ):
            part = x
        self.define(f"{v} = {part}[0]", v)
        if chance < 0.5:
            return f"for {v} in {part}:"
        if chance < 0.8:
            self.bind(i, [1] * len(self.envs))
            found = self.kind(part)
            assert found
            self.indices[i] = found.shape[0]
            return f"for {i}, {v} in enumerate({part}):"
        y, w = self.part(rng.choice(vectors)), f"w{self.loops}"
        kind = self.kind(y)
        if kind is None or kind.rank != 1:
            y = x
        self.define(f"{w} = {y}[0]", w)
        return f"for {v}, {w} in zip({part}, {y}):"

    def while_loop(self, make: Callable[[], list[str]]) -> list[str]:
        """A ``while`` that a counter ends, with another condition or a ``break``."""
        rng = self.rng
        self.loops += 1
        k = f"k{self.loops}"
        top = rng.choice((3, 4, 5))
        self.bind(k, [1] * len(self.envs))
        self.used.add(k)
        self.indices[k] = (top + 1,) * len(self.envs)
        test = rng.choice(
            (f"{k} < {top}", f"{k} < {top} and {self.test()}", f"{self.test()} and {k} < {top}")
        )
        if "truths" in self.also and rng.random() < 0.6:
            forms = ("({0} < {1}) & ({2})", "not (({0} >= {1}) | ({2}))", "not ({0} >= {1} or {2})", "({2}) & ({0} < {1})", "not ({0} >= {1})",
                     "({0} < {1}) & ~({2})", "0 <= {0} < {1} and ({2})", "not {0} >= {1} and not ({2})")  # fmt: skip
            test = rng.choice(forms).format(k, top, self.truth(rng.choice((0, 1))))
        with self.scope():
            lines = make()
        if rng.random() < 0.25:
            return [
                f"{k} = 0",
                "while True:",
                *indented([f"{k} += 1", f"if {k} > {top - 1}:", "    break", *lines]),
            ]
        first = rng.random() < 0.5 or any(line.strip() == "continue" for line in lines)
        if not first and rng.random() < 0.3:
            lines += [f"if {self.test()}:", "    break"]
        return [
            f"{k} = 0",
            f"while {test}:",
            *indented([f"{k} += 1", *lines] if first else [*lines, f"{k} += 1"]),
        ]

    def jump(self) -> list[str]:
        """A ``break`` or ``continue`` under a condition, with or without something before it."""
        before = self.simple() if self.rng.random() < 0.4 else []
        kept = [line for line in before if line.strip()]
        return [f"if {self.test()}:", *indented([*kept, self.rng.choice(("break", "continue"))])]
