"""What some programs write besides arrays: truths with names, variables that may be None, tables, lists, changing sizes."""

from __future__ import annotations

import random

from fuzz.selections import Selections
from fuzz.windows import SIZED

KINDS = {"truths": 0.2, "maybes": 0.13, "tables": 0.14, "lists": 0.14}
TALLIES = ("tally", "score", "gain")
SHARE = 0.29  # of programs with arrays of changing sizes
PLAIN = ("maybes", "lists", "selections")  # which are seldom in programs that are differentiated


def chosen(rng: random.Random, sized: bool = False) -> frozenset[str]:
    """What a program also writes: nothing of it, half of the time; arrays of changing sizes, where that is wished."""
    found = {kind for kind, share in KINDS.items() if rng.random() < share}
    if rng.random() < SHARE or sized:
        found |= {kind for kind in SIZED if rng.random() < 0.45} or {rng.choice(SIZED)}
    return frozenset(found)


class Also(Selections):
    """Puts these statements among the others."""

    def setup_also(self) -> list[str]:
        """What stands before the loops."""
        if not self.also:
            return []
        start = "0" if self.family == "i" else self.rng.choice(("0.0", "0.0", "0", "1.5"))
        lines = self.new(start, *TALLIES)
        makers = {
            "truths": self.new_flag,
            "maybes": self.setup_maybes,
            "tables": self.setup_tables,
            "lists": self.setup_lists,
        }
        for kind, make in makers.items():
            if kind in self.also and (kind != "truths" or self.rng.random() < 0.6):
                lines += make()
        return [*lines, *self.setup_sized()] if self.sized else lines

    def also_statement(self, depth: int) -> list[str]:
        """A statement of one of the kinds that the program also writes."""
        rng = self.rng
        kind = rng.choice(sorted(self.also) + sorted(self.also.intersection(SIZED)))
        if kind in SIZED:
            return self.sized_statement(kind, depth)
        if kind == "truths":
            return self.flag_statement(depth)
        if kind == "maybes":
            return self.maybe_statement(depth)
        if kind == "tables":
            return self.table_statement(depth)
        return self.worklist() if rng.random() < (0.4 if depth > 0 else 0.1) else self.list_statement(depth)

    def simple(self) -> list[str]:
        """A statement, mostly without blocks."""
        if self.in_program() and self.rng.random() < (0.34 if self.sized else 0.22):
            try:
                return self.also_statement(0) or super().simple()
            except IndexError:  # no matrix, say
                return super().simple()
        return super().simple()

    def statement(self, depth: int) -> list[str]:
        """One statement, with its blocks."""
        if self.in_program() and self.rng.random() < (0.45 if self.sized else 0.3):
            return self.also_statement(depth) or super().statement(depth)
        return super().statement(depth)

    def in_program(self) -> bool:
        """Whether these statements can stand here: a helper knows none of the names that they go by."""
        return bool(self.also) and any(name in self.kinds for name in TALLIES)

    def some_also(self, chance: float, depth: int) -> list[str]:
        """A few of these statements, by chance."""
        lines: list[str] = []
        while self.in_program() and self.rng.random() < chance:
            lines += self.also_statement(depth)
            chance *= 0.8 if self.sized else 0.5
        return lines

    def after_also(self) -> list[str]:
        """What is asked of names after the loops."""
        return [*self.maybe_after(), *self.list_after(), *self.sized_after()] if self.also else []

    def also_returned(self) -> list[str]:
        """What more is returned: a list, a value that may be None, a truth, a window."""
        found = self.of_family("maybe", "list", "truth", "bool", "window") if self.also else []
        return [name for name in found if self.rng.random() < 0.6]
