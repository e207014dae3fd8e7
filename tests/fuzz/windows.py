"""Parts of arrays whose sizes hang on a loop's index or on a number of the run, kept in names that outlive the iteration."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.samples import Kind
from fuzz.worklists import Worklists

SIZED = ("windows", "anew", "filled", "selections")
_VECTORS = (
    "{x}[:{i} + 1]", "{x}[:{i} + 1]", "{x}[{i}:]", "{x}[{i}:]", "{x}[:{i}]", "{x}[{i}:{i} + 3]", "{x}[::2][:{i}]", "{x}[{l}:{u}]", "{x}[{l}:{u}]", "{x}[{i}:{j}]",
    "{x}[-{i} - 1:]", "{x}[:len({x}) - {i}]", "{x}[{i} % 3:]", "{x}[1:][:{i} + 1]", "{x}[::-1][:{i} + 1]", "{x}[:{i} + 1][::-1]", "{x}[{i} // 2:{i} + 1]",
    "{m}[{i} % len({m}), :{j}]", "{m}[:{i} + 1, 0]", "{m}[{i}:, -1]", "{m}[{i}:{j}].sum(0)", "{m}[:, :{i}].sum(1)", "{x}[max({i} - 1, 0):{i} + 2]", "{x}[:{i} + 1] * {h}",
    "{x}[:{i} + 1].copy()", "{x}[{i}:{i} + 1]", "{x}[{i}::2]", "np.sin({x}[{i}:])", "{x}[:{i} + 1] + {h}", "{x}[:len({w})]", "{w}[:{i}]", "{w}[{i}:]", "{w}",
)  # fmt: skip
_MATRICES = (
    "{m}[{i}:, :{j}]", "{m}[{i}:, :{j}]", "{m}[:{i} + 1]", "{m}[{i}:]", "{m}[:, {i}:]", "{m}[:{i} + 1, :{i} + 1]", "{m}[{i}:{j}]", "{m}.T[:{i} + 1]", "{m}[:{i} + 1] * {h}",
    "{m}[{i}:{i} + 2, ::2]", "{m}[{l}:{u}]", "{m}[{l}:{u}, {l}:{u}]", "{m}[::-1][:{i}]", "{w}[:{i}]", "{w}[:, :{i}]", "{w}.T",
)  # fmt: skip
_READ = (
    ["+{w}.sum()"], ["+{w}.sum()"], ["+({w} * {w}).sum()"], ["+np.sin({w}).sum()"], ["+{w}.sum() * len({w})"], ["+{w}.size"], ["{y} += {w}.sum() * {h}"], ["{y}[0] = {w}.sum()"],
    ["if {w}.size > 0:", "    +abs({w}).max()"], ["if len({w}):", "    +{w}.mean()"], ["+{w}[1:].sum()"], ["+{w}[-1:].sum()"], ["+{w}.shape[0]"], ["if {t}:", "    +{w}.sum()"],
    ["+({w} * {h} + 1).sum()"], ["{y} = {y} - {w}.sum() * {h}"], ["+abs({w}).sum()"], ["+{w}[::-1][:{i}].sum()"], ["{d} = {w} * {h}", "+{d}.sum()"],
)  # fmt: skip
_READ_VECTOR = (
    ["+{w} @ {w}"], ["+len({w})"], ["if len({w}) > 1:", "    +{w}[-1] - {w}[0]"], ["for e0 in range(len({w})):", "    +{w}[e0]"], ["for v0 in {w}:", "    +v0"], ["+{w}[0]"], ["+{w}[-1]"],
    ["+{w}[{i}]"], ["{y}[:len({w})] += {w} * {h}"], ["{y}[:len({w})] = {w}"], ["+np.outer({w}, {w}).sum()"], ["+np.cumsum({w}).sum()"], ["if {i} < len({w}):", "    +{w}[{i}]"],
    ["if len({w}) > 2:", "    +{w}[2]"], ["+({w}[1:] * {w}[:-1]).sum()"], ["for e0, v0 in enumerate({w}):", "    if {t}:", "        break", "    +e0 * v0"],
)  # fmt: skip
_READ_MATRIX = (
    ["+{w}.sum(0).sum()"], ["+({w} @ {w}.T).sum()"], ["for v0 in {w}:", "    +v0.sum()"], ["+{w}[0].sum()"], ["+{w}[-1, -1]"], ["if {w}.shape[0] and {w}.shape[1]:", "    +{w}[0, -1]"],
    ["for e0 in range({w}.shape[0]):", "    for e1 in range({w}.shape[1]):", "        +{w}[e0, e1]"], ["+{w}.shape[1]"], ["+({w}.sum(1) * {h}).sum()"],
)  # fmt: skip
_WRITTEN = (
    ["{w}[:] = {h}"], ["{w} += {h}"], ["{w} *= {h}"], ["{w}[1:] = {h}"], ["{w}[:-1] += {h}"], ["{w}[::2] *= {h}"], ["{w}[:] = {w} * {h}"], ["np.multiply({w}, {h}, out={w})"],
    ["{w} -= {w}.sum() * {h}"], ["if len({w}):", "    {w}[-1] = {h}"], ["if len({w}):", "    {w}[0] = {w}[-1] * {h}"], ["{w}[-1] = {h}"], ["{w}[0] = {h}"], ["if {t}:", "    {w}[:] = {h}"],
    ["for e0 in range(len({w})):", "    {w}[e0] *= {h}"], ["{w}[:] = {w}[::-1] * {h}"], ["if {t}:", "    {w} += {h}", "else:", "    +{w}.sum()"], ["{w}[:{i}] = {h}"],
)  # fmt: skip
_REBOUND = (
    ["{w} = {a}"], ["{w} = {a}"], ["{w} = {a}"], ["if {t}:", "    {w} = {a}"], ["if {t}:", "    {w} = {a}", "else:", "    {w} = {b}"], ["if {t}:", "    {w} = {a}", "elif {r}:", "    {w} = {b}"],
    ["{w} = {w}[1:]"], ["{w} = {w}[:-1]"], ["{w} = {w} * {h}"], ["{w}, {v} = {v}, {w}"], ["{v} = {w}", "{w} = {a}"], ["{w}, {v} = {a}, {w}"], ["{w} = {a} if {t} else {b}"], ["{d} = {w}", "{w} = {a}", "+{d}.sum()"],
)  # fmt: skip
_MAYBE = (
    ["if {w} is not None:", "    +{w}.sum()", "{w} = {a}"], ["if {t}:", "    {w} = {a}", "else:", "    {w} = None"], ["if {w} is None:", "    {w} = {a}", "else:", "    +{w}.sum()", "    {w} = None"],
    ["if {w} is not None and len({w}) > 1:", "    {w}[-1] = {h}", "    +{w}[0]"], ["if {w} is not None:", "    {w} *= {h}", "{w} = {a}"], ["if {t}:", "    {w} = {a}"],
    ["{w} = {a} if {t} else None"], ["if {w} is None or len({w}) < 2:", "    {w} = {a}"], ["+0 if {w} is None else {w}.sum()"],
)  # fmt: skip
_PAIRS = (
    ["+{w}[0].sum() + {w}[1].sum()", "{w} = ({a}, {b})"], ["{w} = ({w}[1], {a})"], ["if {t}:", "    {w} = ({a}, {w}[0])"], ["p0, q0 = {w}", "+p0.sum() - q0.sum()"], ["{w}[0][:] = {h}"],
    ["{w} = {w}[::-1]"], ["for v0 in {w}:", "    +v0.sum()"], ["+len({w}[0]) - len({w}[1])"], ["if len({w}[1]):", "    +{w}[1][-1]"], ["+{w}[{i} % 2].sum()"],
)  # fmt: skip
_BOUNDS = (
    ["{u} += 1"], ["{l} = ({l} + 1) % 3"], ["{u} = {l} + 2"], ["{l}, {u} = {i} // 2, {i} + 2"], ["{u} = {i} + 1"], ["if {t}:", "    {u} = {i} + 1"], ["{l} += 1", "if {l} >= {u}:", "    {l} = 0"],
    ["{u} = {u} - 1 if {u} > 1 else len({x})"], ["if {t}:", "    {l} = {i}", "else:", "    {u} = {i} + 2"], ["{l}, {u} = min({l}, {u}), max({l}, {u})"], ["{u} = int(np.argmax(abs({x}))) + 1"],
)  # fmt: skip


class Windows(Worklists):
    """Makes such names, and statements that bind them anew, read them and write through them."""

    @property
    def sized(self) -> bool:
        """Whether the program writes arrays of changing sizes."""
        return bool(self.also.intersection(SIZED))

    def setup_sized(self) -> list[str]:
        """Names that are bound before the loops: bounds and windows."""
        rng, lines = self.rng, []
        for words, texts in ((("lo", "first", "at"), ("0", "1", "0")), (("hi", "end", "top"), ("2", "3", "steps", "len(b) // 2", "n"))):  # fmt: skip
            lines += self.kept(rng.choice(texts), "bound", self.fresh(*words))
        sorts = ["vector", *(sort for sort, chance in (("vector", 0.6), ("matrix", 0.4), ("maybe", 0.25), ("pair", 0.25)) if rng.random() < chance)]  # fmt: skip
        for sort in sorts:
            words = (
                ("part", "win", "piece", "prev", "run") if sort != "matrix" else ("block", "tile", "corner")
            )
            text = {"vector": "{a}", "matrix": "{a}", "maybe": rng.choice(("None", "None", "{a}")), "pair": "({a}, {b})"}[sort]  # fmt: skip
            lines += self.kept(self.spelled([text], self.fresh(*words), sort)[0], sort)
        return lines

    def kept(self, text: str, sort: str, name: str = "") -> list[str]:
        """A name for something whose size may change; its sample tells only whether the text can be run."""
        name = name or self.fresh("part", "win", "piece", "prev", "span")
        line = f"{name} = {text}"
        try:
            return self.named(line, name, Kind("bound" if sort == "bound" else "window", sort))
        except (ValueError, IndexError, NameError, TypeError, AttributeError):
            return []

    def windows(self, *sorts: str) -> list[str]:
        """Names of windows of the sorts."""
        return [name for name in self.of_family("window") if self.kinds[name].dtype in sorts]

    def of_rank(self, rank: int) -> str:
        """An array of that many axes, and of the program's dtype if there is one."""
        names = [name for name in self.arrays() if self.kinds[name].rank == rank]
        own = [name for name in names if self.kinds[name].dtype == self.dtype.str]
        return self.rng.choice(own or names)

    def whole(self) -> str:
        """A number of the run that is no less than nought: an index, a bound, a count."""
        rng = self.rng
        bounds = self.of_family("bound")
        return rng.choice([*[i for i in self.indices for _ in range(6)], *bounds, "steps", rng.choice("123")])

    def a_half(self) -> str:
        """A constant that arrays are multiplied by."""
        forms = {"f": ("0.5", "0.25", "-0.5", "2"), "i": ("2", "-1", "0"), "c": ("0.5", "0.5j", "-1")}
        return self.rng.choice(forms[self.family])

    def vector_form(self) -> str:
        """How a window of one axis is made."""
        return self.rng.choice(_VECTORS)

    def matrix_form(self) -> str:
        """How a window of two axes is made."""
        return self.rng.choice(_MATRICES)

    def size_text(self, name: str, sort: str) -> str:
        """What a name of the sort is bound to; of itself only where it is known."""
        for _ in range(20):
            text = self.matrix_form() if sort == "matrix" else self.vector_form()
            known = name in self.kinds and self.kinds[name].dtype == sort and sort in ("vector", "matrix")
            if "{w}" in text and not known:
                continue
            return self.spelled([text], name, sort)[0]
        return self.of_rank(2 if sort == "matrix" else 1)

    def spelled(self, form: list[str], name: str = "", sort: str = "vector") -> list[str]:
        """The form filled in; a line that begins with a plus adds to a number of the state."""
        same = self.windows(sort) or [name]
        lows, highs = self.bounds()
        makers: dict[str, Callable[[], str]] = {
            "x": lambda: self.of_rank(1), "y": lambda: self.of_rank(1), "m": lambda: self.of_rank(2), "i": self.whole, "j": self.whole, "h": self.a_half,
            "l": lambda: lows, "u": lambda: highs, "w": lambda: name, "v": lambda: self.rng.choice(same), "t": self.test, "r": self.test,
            "a": lambda: self.size_text(name, sort), "b": lambda: self.size_text(name, sort), "d": lambda: self.fresh("d", "gap", "was", "now"),
            "c": lambda: self.rng.choice(("0", "0.5", "-0.25", "1")), "dt": self.dtype_text,
        }  # fmt: skip
        joined = "\n".join(form)
        words = {key: make() for key, make in makers.items() if "{" + key + "}" in joined}
        lines: list[str] = []
        for line in form:
            text = line.format(**words)
            space, more, added = text.partition("+") if text.lstrip().startswith("+") else (text, "", "")
            lines += [space + made for made in self.added(f"({added})")] if more else [text]
        return lines

    def bounds(self) -> tuple[str, str]:
        """The names of a lower and of an upper bound, or numbers."""
        names = self.of_family("bound")
        return (names[0], names[-1]) if names else ("1", "3")

    def dtype_text(self) -> str:
        """The dtype as another argument of a function that makes arrays."""
        return {"float64": "", "float32": ", np.float32", "int64": ", int", "complex128": ", complex"}[self.dtype.name]  # fmt: skip

    def window_read(self, name: str, sort: str) -> list[str]:
        """The window read."""
        own = _READ_MATRIX if sort == "matrix" else _READ_VECTOR
        return self.spelled(self.rng.choice(own if self.rng.random() < 0.5 else _READ), name, sort)

    def window_written(self, name: str, sort: str) -> list[str]:
        """The window written through."""
        return self.spelled(self.rng.choice(_WRITTEN), name, sort)

    def window_statement(self) -> list[str]:
        """Something done with a window that is known, or with the numbers that bound windows."""
        rng, chance = self.rng, self.rng.random()
        names = self.windows("vector", "matrix", "maybe", "pair")
        if not names or (chance < 0.1 and self.of_family("bound")):
            return self.spelled(rng.choice(_BOUNDS))
        name = rng.choice(names)
        sort = self.kinds[name].dtype
        if sort in ("maybe", "pair"):
            return self.spelled(rng.choice(_MAYBE if sort == "maybe" else _PAIRS), name, sort)
        if chance < 0.35:
            return [*self.window_read(name, sort), *self.spelled(rng.choice(_REBOUND), name, sort)]
        if chance < 0.6:
            return self.spelled(rng.choice(_REBOUND), name, sort)
        return self.window_written(name, sort) if chance < 0.75 else self.window_read(name, sort)

    def test(self) -> str:
        """A condition, now and then of a window's size or content."""
        names = self.windows("vector")
        if names and self.rng.random() < 0.12:
            forms = ["len({0}) > 2", "{0}.size", "len({0}) == 3", "{0}.size < 2", "abs({0}).sum() > 1", "(abs({0}) > 0.5).any()", "0 < len({0}) < 4"]  # fmt: skip
            text = self.rng.choice(forms).format(self.rng.choice(names))
            if self.evaluates(text):
                return text
        return super().test()

    def try_number(self, depth: int) -> str:
        """An expression that may be a number: of a window, now and then."""
        names = self.windows("vector", "matrix")
        if names and self.rng.random() < 0.07:
            forms = ("{0}.sum()", "{0}.sum()", "({0} * {0}).sum()", "len({0})", "{0}[:1].sum()", "{0}.size")
            return self.rng.choice(forms).format(self.rng.choice(names))
        return super().try_number(depth)

    def sized_terms(self) -> list[str]:
        """Numbers that the program's result takes from windows, behind all loops."""
        forms = ("{0}.sum()", "({0} * {0}).sum()", "np.sin({0}).sum()", "({0}[:2] * 0.5).sum()")
        return [self.rng.choice(forms).format(name) for name in self.windows("vector", "matrix") if self.rng.random() < 0.7]  # fmt: skip

    def sized_after(self) -> list[str]:
        """Windows read or written after the loops."""
        lines: list[str] = []
        for name in self.windows("vector", "matrix"):
            if self.rng.random() < 0.4:
                sort = self.kinds[name].dtype
                lines += self.rng.choice((self.window_read, self.window_read, self.window_written))(
                    name, sort
                )
        return lines
