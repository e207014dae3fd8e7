"""Truths that are kept in variables, changed in place, and used as numbers."""

from __future__ import annotations

from fuzz.blocks import indented
from fuzz.helpers import Helpers
from fuzz.samples import Kind


class Flags(Helpers):
    """Makes statements about truths that have a name."""

    def flag_statement(self, depth: int) -> list[str]:
        """A truth made, changed, or used as a number."""
        rng, names = self.rng, self.truth_names()
        if not names or rng.random() < 0.2:
            return self.new_flag()
        name, test = rng.choice(names), self.truth(rng.choice((0, 1, 1)))
        chance = rng.random()
        if chance < 0.12:
            return self.only_else(max(depth, 1))
        if chance < 0.18 and depth > 0:
            return self.while_loop(lambda: self.block(0, 2))
        if chance < 0.45:
            forms = ["{0} &= {1}", "{0} |= {1}", "{0} ^= {1}", "{0} = {0} & ({1})", "{0} = {0} | ({1})", "{0} = not {0}", "{0} = {1}",
                     "{0} = ({0} or {1})", "{0} = ({1}) | {0}", "{0} = ({1} and not {0})", "{0} = bool({1})", "{0} = {0} != ({1})"]  # fmt: skip
            return [rng.choice(forms).format(name, test)]
        if chance < 0.6 and depth > 0:
            lines = [f"if {rng.choice((name, 'not ' + name, f'{name} & ({test})'))}:"]
            return [*lines, *self.inside(lambda: self.block(depth - 1, 2)), "else:", *indented(self.simple())]
        text = rng.choice(
            (name, f"({test})", f"{name} * 2", f"{name} + ({test})", f"({test}) * 3", f"int({name})")
        )
        if chance < 0.85:
            return self.added(text)
        place = self.place(rng.choice(self.arrays()), through_views=False)
        forms = ["{0} = {1}", "{0} += {1}", "{0} = 1 - {1}", "{0} -= ({1}) * 0.5"]
        return [rng.choice(forms[: 2 if self.family == "i" else 4]).format(place, text)]

    def new_flag(self) -> list[str]:
        """A new name of a truth."""
        text = self.truth(self.rng.choice((0, 1, 1, 2)))
        name = self.fresh("flag", "ok", "done", "near", "above", "seen", "moving")
        return self.named(f"{name} = {text}", name, Kind("truth"))

    def added(self, text: str) -> list[str]:
        """The number of the text taken into a number of the state, which is made if need be."""
        rng = self.rng
        state = [name for name in self.state_numbers() if self.kinds[name].family in ("int", "float")]
        lines: list[str] = []
        if not state:
            lines = self.new("0" if self.family == "i" else "0.0", "s", "total", "acc")
            state = [lines[0].split()[0]] if lines else []
        if not state:
            return []
        s = rng.choice(state)
        if self.family == "i":
            return [*lines, f"{s} = ({s} + {text}) % 101"]
        if self.family == "c":
            text = f"abs({text})"
        forms = (
            "{0} += {1}",
            "{0} += {1}",
            "{0} -= {1}",
            "{0} = {0} * 0.5 + {1}",
            "{0} = {0} + 0.25 * ({1})",
        )
        return [*lines, rng.choice(forms).format(s, text)]
