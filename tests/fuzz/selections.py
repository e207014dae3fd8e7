"""Elements chosen by a condition, and the places where it holds, kept over iterations."""

from __future__ import annotations

from fuzz.filled import Filled

_CHOSEN = (
    "{x}[{x} > {c}]", "{x}[{x} > {c}]", "{x}[abs({x}) > {c}]", "{x}[({x} > {c}) & ({x} < 1)]", "{x}[{x} != {x}[0]]", "{m}[{m} > {c}]", "{w}[{w} > {c}]", "{x}[:{i} + 1][{x}[:{i} + 1] > {c}]",
    "{x}[~({x} > {c})]", "{m}[{i} % 3][{m}[{i} % 3] > {c}]", "{x}[np.where({x} > {c})]", "{x}[{x} > {x}.mean()]", "{x}[np.flatnonzero({x} < {c})]", "np.where({x} > {c}, {x}, {h})[:{i} + 1]",
    "{m}[{m}[:, 0] > {c}].sum(1)", "np.unique({x}[:{i} + 1])", "np.sort({x}[{i}:])",
)  # fmt: skip
_PLACES = (
    "np.where({x} > {c})[0]",
    "np.nonzero({x} > {c})[0]",
    "np.flatnonzero(abs({x}) > {c})",
    "np.nonzero({x} != {x}[0])[0]",
    "np.arange({i} + 1)",
    "np.where({x} <= {c})[0][:{i}]",
    "{w}[1:]",
    "{w}[{w} > 0]",
)
_OF_PLACES = (
    ["+{w}.sum()"], ["+len({w})"], ["+{w}.size"], ["for e0 in {w}:", "    +{x}[e0 % len({x})]"], ["+{x}[{w} % len({x})].sum()"], ["{x}[{w} % len({x})] = {h}"], ["if len({w}):", "    +{w}[-1]"], ["+{w}[0]"],
    ["if {w}.size:", "    +{x}[{w}[0] % len({x})]"], ["if {t}:", "    {w} = {a}"], ["{w} = {a}"], ["{w} = {a}"], ["+len({w})", "{w} = {a}"], ["+{x}[{w} % len({x})].sum()", "{w} = {a}"],
)  # fmt: skip


class Selections(Filled):
    """Gives windows other contents: what was chosen; and names for places."""

    def setup_sized(self) -> list[str]:
        """Names before the loops, one for places among them."""
        lines = super().setup_sized()
        if "selections" in self.also and self.family != "c" and self.rng.random() < 0.6:
            lines += self.kept(self.size_text("", "places"), "places", self.fresh("idx", "places", "hits"))
        return lines

    def vector_form(self) -> str:
        """How a selection is made."""
        if "selections" in self.also and self.family != "c" and self.rng.random() < 0.55:
            return self.rng.choice(_CHOSEN)
        return super().vector_form()

    def size_text(self, name: str, sort: str) -> str:
        """What a name of the sort is bound to."""
        if sort != "places":
            return super().size_text(name, sort)
        forms = _PLACES if name in self.kinds else _PLACES[:-2]
        return self.spelled([self.rng.choice(forms)], name, sort)[0]

    def sized_statement(self, kind: str, depth: int) -> list[str]:
        """A statement about arrays of changing sizes."""
        rng, chance = self.rng, self.rng.random()
        if kind == "filled":
            return self.filled_in()
        if chance < (0.3 if depth > 0 else 0.07):
            return self.window_loop()
        if kind == "anew" and chance < 0.6:
            return self.written_out() or self.window_statement()
        places = self.windows("places")
        if kind == "selections" and places and chance < 0.6:
            return self.spelled(rng.choice(_OF_PLACES), rng.choice(places), "places")
        return self.window_statement()
