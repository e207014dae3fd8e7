"""Variables that are None until there is something to keep: the last value, the best one, where it was."""

from __future__ import annotations

from fuzz.blocks import indented
from fuzz.samples import Kind
from fuzz.tables import Tables

_FINDERS = (
    ("first_over", "def first_over(v, c):\n    for k in range(len(v)):\n        if abs(v[k]) > c:\n            return k\n    return None\n"),
    ("last_over", "def last_over(v, c):\n    found = None\n    for k in range(len(v)):\n        if abs(v[k]) > c:\n            found = k\n    return found\n"),
    ("some_over", "def some_over(v, c):\n    if abs(v[0]) > c:\n        return abs(v[0])\n"),
    ("limited", "def limited(v, top=None):\n    if top is None:\n        top = abs(v[-1])\n    return top if top < 1 else None\n"),
)  # fmt: skip
_KEPT = (
    ["if {m} is not None:", "    +{x} - {m}", "{m} = {x}"],
    ["if {m} is None or {x} < {m}:", "    {m} = {x}"],
    ["if {m} is None or {x} > {m}:", "    {m} = {x}", "    +1"],
    ["if {x} != {m}:", "    +1", "{m} = {x}"],
    ["if {m} is None:", "    {m} = {x}", "else:", "    +{m}", "    {m} = {x}"],
    ["if {m} is not None and {x} > {m}:", "    +{x} - {m}", "{m} = {x}"],
    ["if {m} is None:", "    pass", "else:", "    +{m}", "{m} = {x}"],
    ["{d} = 0.0 if {m} is None else {x} - {m}", "{m} = {x}", "+{d}"],
    ["if {m} is not None:", "    {d} = {x} - {m}", "    if {d} > 0.1:", "        +{d}", "{m} = {x}"],
    ["if {t} and {m} is None:", "    {m} = {x}"],
    ["if {t}:", "    {m} = {x}", "elif {m} is not None:", "    +{m}", "    {m} = None"],
    ["{m} = {x} if {t} else None", "if {m} is not None:", "    +{m}"],
    ["{m} = None if {t} else {x}", "+0 if {m} is None else 1"],
    ["if not ({m} is None or {t}):", "    +{m} * 0.5", "else:", "    {m} = {x}"],
    ["if {m} is not None and {o} is not None:", "    +{m} - {o}", "{o} = {m}", "{m} = {x}"],
    ["if {m} is None or {o} is None or {x} < {o}:", "    {o} = {m}", "    {m} = {x}"],
    ["if {t}:", "    {m}, {o} = {o}, {x}", "if {m} == {o}:", "    +1"],
    ["if {t}:", "    {m} = None"],
    ["if {m}:", "    +{m}", "{m} = {x}"],
    ["{d} = {m}", "{m} = {x}", "if {d} is not None and {d} < {m}:", "    +1"],
    ["+({m} is None)", "{m} = {x}"],
)  # fmt: skip


class Maybes(Tables):
    """Makes variables that may be None and statements about them; what a name holds stays of one sort, mostly."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self.holds: dict[str, str] = {}

    def setup_maybes(self) -> list[str]:
        """Names that are None before the loops."""
        rng, lines = self.rng, []
        for _ in range(rng.choice((1, 2, 2))):
            name = self.fresh("last", "prev", "best", "found", "where", "lowest")
            self.holds[name] = rng.choice(
                ("element", "element", "element", "python", "index", "index", "any")
            )
            lines += self.named(f"{name} = None", name, Kind("maybe"))
        return lines

    def held(self, name: str) -> str:
        """A number for the name to hold."""
        rng, sort = self.rng, self.holds.get(name, "any")
        if sort == "any":
            sort = rng.choice(("element", "python", "index"))
        if sort == "index":
            i = rng.choice(list(self.indices) or ["len(b)" if "b" in self.kinds else "2"])
            return rng.choice((i, i, f"{i} + 1", f"2 * {i}"))
        if sort == "element" and self.arrays():
            place = self.place(rng.choice(self.arrays()))
            return f"abs({place})" if self.family == "c" else place
        names = [
            n for n in self.numbers() if self.kinds[n].family in ("float", "int") and n not in self.fixed
        ]
        if names and rng.random() < 0.5:
            return rng.choice(names)
        return rng.choice(("0.5", "1.5", "-0.25")) if self.family != "i" else rng.choice(("1", "-2", "3"))

    def maybe_statement(self, depth: int) -> list[str]:
        """A few lines that ask whether a name is None, and keep something in it."""
        rng, names = self.rng, self.of_family("maybe")
        if not names:
            return []
        name = rng.choice(names)
        if rng.random() < 0.12:
            return self.finder(name)
        others = [other for other in names if other != name and self.holds[other] == self.holds[name]] or [
            name
        ]
        words = {
            "m": name,
            "o": rng.choice(others),
            "x": self.held(name),
            "d": self.fresh("d", "gap", "delta"),
            "t": self.test(),
        }
        lines: list[str] = []
        if rng.random() < 0.4 and not words["x"].isidentifier():
            value = self.fresh("x0", "value", "now")
            lines, words["x"] = [f"{value} = {words['x']}"], value
        for line in rng.choice(_KEPT):
            text = line.format(**words)
            space, more, added = text.partition("+") if text.lstrip().startswith("+") else (text, "", "")
            lines += [space + made for made in self.added(f"({added})")] if more else [text]
        if rng.random() < 0.15 and depth > 0:
            tested = rng.choice((f"{name} is not None", f"{name} is None"))
            lines += [f"if {tested}:", *self.inside(lambda: self.block(depth - 1, 2))]
        return lines

    def finder(self, name: str) -> list[str]:
        """A helper that finds something or gives None."""
        rng = self.rng
        helper, text = rng.choice(_FINDERS)
        vectors = [array for array in self.arrays() if self.kinds[array].rank == 1]
        self.place_helper(helper, text)
        asked = rng.choice(("0.5", "1", "99")) if helper != "limited" else rng.choice(("None", "0.5", name))
        call = f"{helper}({rng.choice(vectors)}, {asked})"
        if rng.random() < 0.6:
            return [f"{name} = {call}", f"if {name} is not None:", *indented(self.added(name))]
        return [f"if {call} is None:", *indented(self.added("1"))]

    def maybe_after(self) -> list[str]:
        """What is asked of the names after the loops."""
        lines: list[str] = []
        for name in self.of_family("maybe"):
            if self.rng.random() < 0.5 or self.differentiable:
                lines += [f"if {name} is not None:", *indented(self.added(name))]
            elif self.rng.random() < 0.4:
                lines += [f"if {name} is None:", f"    {name} = {self.rng.choice(('-1', '0.5', 'len(b)'))}"]
        return lines
