"""Lists of numbers and of tuples that a program keeps: filled, read back, shortened, made anew by comprehensions."""

from __future__ import annotations

from fuzz.blocks import indented
from fuzz.maybes import Maybes
from fuzz.samples import Kind

_NUMBERS_CHANGED = (
    ["{l}.append({x})"], ["{l}.append({x})"], ["{l}.append({x})"], ["{l}.append({x})"], ["if {t}:", "    {l}.append({x})"], ["{l} += [{x}]"], ["{l}.extend([{x}, {y}])"],
    ["{l} = {l} + [{x}]"], ["{l} = {l}[1:]"], ["{l} = {l}[:3]"], ["{l}.insert(0, {x})"], ["{l}.reverse()"], ["{l}.sort()"], ["if {t}:", "    {l} = []"],
    ["if {x} not in {l}:", "    {l}.append({x})"], ["if {x} in {l}:", "    +1"], ["if len({l}) > 2:", "    {l}.pop(0)"], ["if {l}:", "    +{l}.pop()"],
    ["if {l}:", "    {l}[-1] = {x}"], ["if {l}:", "    {l}[0] += {x}"], ["if len({l}) > 3:", "    del {l}[0]"], ["if {t}:", "    {l}.clear()"],
    ["{l} = [t0 for t0 in {l} if abs(t0) > 0.5]"], ["{l} = [t0 * 2 for t0 in {l}][-3:]"], ["while len({l}) > 2:", "    +{l}.pop(0)"],
    ["if {l} and {x} > {l}[-1]:", "    {l}.append({x})", "else:", "    {l}.append({y})"], ["{l}.append({l}[-1] if {l} else {x})"],
)  # fmt: skip
_NUMBERS_READ = (
    ["+len({l})"], ["if {l}:", "    +{l}[-1]"], ["+{l}[0] if {l} else 0"], ["for t0 in {l}:", "    +t0"], ["for t0 in {l}:", "    if {t}:", "        continue", "    +t0"],
    ["for e0, t0 in enumerate({l}):", "    +e0 * t0"], ["for e0 in range(len({l})):", "    +{l}[e0]"], ["for e0 in range(len({l}) - 1):", "    +{l}[e0 + 1] - {l}[e0]"],
    ["+sum({l})"], ["if {l}:", "    +max({l}) - min({l})"], ["if {l}:", "    +np.array({l}).sum()"], ["+{l}.count({x})"], ["if len({l}) > 1:", "    +sorted({l})[1]"],
    ["+sum([t0 for t0 in {l} if t0 > 0])"], ["for t0, u0 in zip({l}, {l}[1:]):", "    +t0 * u0"], ["for t0 in {l}[::-1]:", "    if not {t}:", "        +t0"],
    ["if {l}:", "    +{l}[{i} % len({l})]"],
)  # fmt: skip
_PAIRS_CHANGED = (
    ["{l}.append(({i}, {x}))"], ["{l}.append(({i}, {x}))"], ["{l}.append(({i}, {x}))"], ["if {t}:", "    {l}.append(({i}, {x}))"], ["if {l}:", "    a0, c0 = {l}.pop()", "    +a0 * c0"],
    ["if {l}:", "    _, c0 = {l}.pop(0)", "    +c0"], ["if len({l}) > 2:", "    {l}.pop(0)"], ["{l} += [({i}, {x})]"], ["{l} = [(a0, c0) for a0, c0 in {l} if c0 > 0]"],
    ["if {l}:", "    {l}[-1] = ({i}, {x})"], ["{l} = {l}[-2:]"], ["{l}.sort()"], ["if ({i}, {x}) not in {l}:", "    {l}.append(({i}, {x}))"], ["if {t}:", "    {l} = [({i}, {x})]"],
)  # fmt: skip
_PAIRS_READ = (
    ["for a0, c0 in {l}:", "    +c0"], ["for a0, c0 in {l}:", "    if a0 % 2:", "        continue", "    +a0 + c0"], ["for e0, (a0, c0) in enumerate({l}):", "    +e0 * c0"],
    ["if {l}:", "    +{l}[-1][1]"], ["if {l}:", "    a0, c0 = {l}[0]", "    +a0 - c0"], ["+len({l})"], ["if {l}:", "    +max({l})[1]"], ["for t0 in {l}:", "    +t0[0] + t0[1]"],
    ["for e0 in range(len({l})):", "    +{l}[e0][1]"], ["+sum([c0 for _, c0 in {l}])"], ["if {l}:", "    +min(c0 for _, c0 in {l})"], ["if {l}:", "    +{l}[{i} % len({l})][0]"],
)  # fmt: skip
_SUMS = (
    "sum([v0 for v0 in {x} if {v} > {c}])", "sum(v0 * v0 for v0 in {x})", "len([e0 for e0 in range(len({x})) if {x}[e0] != {c}])", "max([abs(v0) for v0 in {x}])",
    "sum([v0 * w0 for v0, w0 in zip({x}, {x}[::-1])])", "sum([e0 * f0 for e0 in range(3) for f0 in range(e0)])", "min(({v} for v0 in {x} if {v} > {c}), default=0)",
    "sum([e0 for e0, v0 in enumerate({x}) if {v} > {c} and e0 % 2 == 0])", "sum([1 for v0 in {x} if not {v} > {c}])", "[v0 for v0 in {x}][-1]",
)  # fmt: skip


class Lists(Maybes):
    """Makes lists and statements about them."""

    def setup_lists(self) -> list[str]:
        """One or two lists, empty or not."""
        rng, lines = self.rng, []
        v, c = "abs(v0)" if self.family == "c" else "v0", rng.choice(("0", "1", "0.5"))
        for _ in range(rng.choice((1, 1, 2))):
            if rng.random() < 0.4:
                name, kind = self.fresh("pairs", "events", "out", "marks"), Kind("list", "pairs")
                forms = ("[]", "[]", "[]", "[(0, {b})]", f"[(e0, v0) for e0, v0 in enumerate(b) if {v} > {c}]",
                         "[(e0, b[e0]) for e0 in range(n) if e0 % 2]", "[(0, {b}), (1, {b})]")  # fmt: skip
                self.holds[name] = "element"
            else:
                name, kind = self.fresh("vals", "out", "seen", "hist", "kept"), Kind("list", "numbers")
                self.holds[name] = rng.choice(("element", "element", "python", "index", "index", "any"))
                forms = {"element": ("[]", "[]", "[{b}]", "list(b)", f"[v0 for v0 in b if {v} > {c}]", "[{b}, {b}]", "[v0 * 2 for v0 in b[1:]]"),
                         "index": ("[]", "[]", "[0]", "[0] * 3", "list(range(3))", "[e0 for e0 in range(n) if e0 % 3]", "[1, 2]"),
                         "python": ("[]", "[0.5]", "[0.0] * 3", "b.tolist()[:3]", "[0.5 * e0 for e0 in range(3)]"),
                         "any": ("[]", "[0]", "[1, 0.5]")}[self.holds[name]]  # fmt: skip
                if self.family == "c":
                    forms = tuple(form for form in forms if "b" not in form)
                if self.family == "i":
                    forms = tuple(form for form in forms if "0.5" not in form and "0.0" not in form)
            first = "abs(b[0])" if self.family == "c" else rng.choice(("b[0]", "b[-1]", "S[0, 1]"))
            lines += self.named(f"{name} = {rng.choice(forms).format(b=first)}", name, kind)
        return lines

    def list_statement(self, depth: int) -> list[str]:
        """A list changed or read."""
        rng, names = self.rng, self.of_family("list")
        chance = rng.random()
        if not names or chance < 0.12:
            return self.added(self.summed_up())
        if chance < 0.2:
            return self.second_list(rng.choice(names))
        name = rng.choice(names)
        pairs = self.kinds[name].dtype == "pairs"
        changed, read = (_PAIRS_CHANGED, _PAIRS_READ) if pairs else (_NUMBERS_CHANGED, _NUMBERS_READ)
        return self.of_list(name, rng.choice(changed if rng.random() < 0.65 else read))

    def of_list(self, name: str, form: list[str]) -> list[str]:
        """The form filled in for a list; a line that begins with a plus adds to a number of the state."""
        rng = self.rng
        words = {
            "l": name, "x": self.held(name), "y": self.held(name), "i": rng.choice(list(self.indices) or ["1", "steps"]), "t": self.test(),
        }  # fmt: skip
        lines: list[str] = []
        for line in form:
            text = line.format(**words)
            if not text.lstrip().startswith("+"):
                lines += [text]
                continue
            space, _, added = text.partition("+")
            lines += [space + made for made in self.added(f"({added})")]
        return lines

    def second_list(self, name: str) -> list[str]:
        """Another name for the list, a copy of it, or a list made of it."""
        rng, kind = self.rng, self.kinds[name]
        other = self.fresh("again", "rest", "copied", "more")
        forms = ["{0}", "{0}[:]", "list({0})", "{0}[1:]", "{0}[::-1]", "{0} + {0}[:1]", "sorted({0})"]
        forms += (
            ["[t0 for t0 in {0} if t0[0] > 0]"]
            if kind.dtype == "pairs"
            else ["[t0 * 2 for t0 in {0}]", "[t0 for t0 in {0} if t0 > 0]"]
        )
        self.holds[other] = self.holds[name]
        made = self.named(f"{other} = {rng.choice(forms).format(name)}", other, kind)
        read = _PAIRS_READ if kind.dtype == "pairs" else _NUMBERS_READ
        return [*made, *self.of_list(rng.choice((name, other)), rng.choice(read))]

    def summed_up(self) -> str:
        """A number that a comprehension makes."""
        rng = self.rng
        x = rng.choice([name for name in self.arrays() if self.kinds[name].rank == 1])
        v = "abs(v0)" if self.family == "c" else "v0"
        return rng.choice(_SUMS).format(x=x, v=v, c=rng.choice(("0", "1", "0.5", "99")))

    def list_after(self) -> list[str]:
        """Lists read after the loops."""
        lines: list[str] = []
        for name in self.of_family("list"):
            if self.rng.random() < 0.45:
                read = _PAIRS_READ if self.kinds[name].dtype == "pairs" else _NUMBERS_READ
                lines += self.of_list(name, self.rng.choice(read))
        return [line for line in lines if line.strip()] if lines else []

    def skipping(self, lines: list[str]) -> list[str]:
        """The lines, under a condition now and then."""
        return [f"if {self.test()}:", *indented(lines)] if self.rng.random() < 0.3 else lines
