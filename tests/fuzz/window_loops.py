"""Loops that leave a window behind: read in the next iteration, or behind the loop, or handed back by a helper."""

from __future__ import annotations

from fuzz.windows import Windows

# R reads the window, W writes through it, C binds it anew, B is any other statement; {e} is the loop's index.
_LOOPS = (
    ["for {e} in range(len({x})):", "    if {e}:", "        R", "    B", "    C", "R"],
    ["for {e} in range(len({x})):", "    if {e} > 0:", "        W", "        R", "    C", "    B"],
    ["for {e} in range(len({x})):", "    if {e} < 3:", "        C", "    B", "R"],
    ["for {e} in range(len({x})):", "    if {e} == 3:", "        break", "    B", "    C", "W", "R"],
    ["for {e} in range(len({x})):", "    if {e} == 2:", "        continue", "    if {e} > 2:", "        R", "    C", "R"],
    ["for {e} in range(steps):", "    if {t}:", "        C", "    else:", "        C", "    B", "    R"],
    ["for {e} in range(len({x})):", "    C", "    if {t}:", "        break", "    W", "R"],
    ["for {e} in range(len({x})):", "    C", "    if {t}:", "        continue", "    R"],
    ["for {e} in range(len({x})):", "    for {f} in range({e}):", "        if {f} == 2:", "            break", "        {w} = {x}[{f}:{f} + 2]", "    B", "R"],
    ["for {e} in range(3):", "    for {f} in range({e} + 1):", "        if {e} + {f}:", "            R", "        C", "    R"],
    ["{k} = 1", "while {k} < 4:", "    if {k} > 1:", "        R", "    B", "    {w} = {x}[:{k}]", "    {k} += 1", "R"],
    ["{k} = 0", "while True:", "    {k} += 1", "    {w} = {x}[:{k}]", "    if {k} > 2 or {t}:", "        break", "    W", "R"],
    ["{k} = len({x})", "while {k} > 1:", "    {w} = {x}[:{k}]", "    {k} = {k} // 2", "    B", "    R"],
    ["{k} = 1", "{w} = {x}[:{k}]", "while {k} < len({x}) and {t}:", "    R", "    {k} += 2", "    {w} = {x}[{k} // 2:{k}]", "R"],
    ["{g} = -1.0", "for {e} in range(1, len({x})):", "    {q} = {x}[:{e}]", "    if abs({q}).sum() > {g}:", "        {g} = abs({q}).sum()", "        {w} = {q}", "    B", "R"],
    ["for {e}, {f} in enumerate({x}):", "    if {e} > 0:", "        R", "    {w} = {x}[:{e} + 1]", "R"],
    ["for {e} in range(len({x})):", "    if {e} % 2 == 0:", "        C", "    else:", "        W", "        R"],
    ["for {e} in range(len({x}) - 1, -1, -1):", "    if {e} < len({x}) - 1:", "        R", "    C", "    W"],
    ["{w} = {x}", "for {e} in range(len({x}) - 1):", "    {w} = {w}[1:]", "    B", "    R"],
    ["{w} = {x}", "while len({w}) > 1:", "    R", "    {w} = {w}[:-1]", "    W"],
    ["{w} = {x}", "while {w}.size > 1:", "    {w} = {w}[:len({w}) // 2]", "    R", "    B"],
    ["for {e} in range(len({x})):", "    if {t}:", "        C", "        break", "else:", "    {w} = {x}", "R"],
)  # fmt: skip
_HELPERS = (
    ("until", "def until(v, c):\n    k = 0\n    while k < len(v) and abs(v[k]) < c:\n        k += 1\n    return v[:k]\n", "until({x}, {c})"),
    ("upto", "def upto(v, c):\n    for k in range(len(v)):\n        if abs(v[k]) > c:\n            return v[:k + 1]\n    return v\n", "upto({x}, {c})"),
    ("ahead", "def ahead(v, k):\n    return v[k:]\n", "ahead({x}, {i})"),
    ("beside", "def beside(v, k, r=1):\n    return v[max(0, k - r):k + r + 1]\n", "beside({x}, {i})"),
    ("falling", "def falling(v):\n    k = 1\n    while True:\n        if k >= len(v) or abs(v[k]) > abs(v[k - 1]):\n            return v[:k]\n        k += 1\n", "falling({x})"),
    ("best_tail", "def best_tail(v):\n    w = v[:1]\n    for k in range(1, len(v)):\n        if abs(v[k]) > abs(w[0]):\n            w = v[k:]\n    return w\n", "best_tail({x})"),
    ("last_part", "def last_part(v, k):\n    for j in range(k + 1):\n        w = v[j:j + 3]\n    return w * 1\n", "last_part({x}, {i})"),
    ("padded", "def padded(v, k):\n    w = np.zeros(len(v) + k)\n    w[:len(v)] = v\n    return w\n", "padded({x}, {i})"),
    ("both_ends", "def both_ends(v, k):\n    return v[:k], v[k:]\n", "both_ends({x}, {i})[{j} % 2]"),
)  # fmt: skip


class WindowLoops(Windows):
    """Makes whole loops around windows that have no binding before them."""

    def window_loop(self) -> list[str]:
        """One of the loops, with other statements between its lines."""
        rng, sort = self.rng, self.rng.choice(("vector", "vector", "vector", "matrix"))
        form = rng.choice(_LOOPS)
        x = self.of_rank(1)
        if any("{w} =" in line for line in form):
            sort = "vector"
        name = self.fresh("part", "win", "piece", "prev", "span", "head")
        places = {"e": self.fresh("e0", "p0", "at0"), "f": self.fresh("f0", "q0", "to0"), "k": self.fresh("k0", "len0", "cut0")}  # fmt: skip
        words = {
            **places,
            "x": x,
            "w": name,
            "g": self.fresh("best", "most"),
            "q": self.fresh("cand", "tried"),
        }
        lines: list[str] = []
        with self.scope():
            for line in form:
                lines += self.loop_line(line, words, sort)
                self.known_index(line, places, x)
        return lines

    def known_index(self, line: str, places: dict[str, str], x: str) -> None:
        """Make the number that a loop's head goes by known in its body."""
        for key, word in places.items():
            if line.lstrip().startswith((f"for {{{key}}}", f"{{{key}}} = ")):
                self.bind(word, [1] * len(self.envs))
                self.indices[word] = tuple(len(value) for value in self.values(x))

    def loop_line(self, line: str, words: dict[str, str], sort: str) -> list[str]:
        """What stands for a line of the form."""
        space, kind, name = line[: len(line) - len(line.lstrip())], line.strip(), words["w"]
        made = {
            "R": lambda: self.window_read(name, sort), "W": lambda: self.window_written(name, sort),
            "C": lambda: [f"{name} = {self.size_text(name, sort)}"], "B": self.between,
        }.get(kind)  # fmt: skip
        if made is not None:
            return [space + text for text in made()]
        if "{t}" in line:
            words = {**words, "t": self.test()}
        return [line.format(**words)]

    def vector_form(self) -> str:
        """How a window of one axis is made: by a helper, now and then."""
        if self.rng.random() < 0.12:
            name, text, call = self.rng.choice(_HELPERS)
            if name != "padded" or self.dtype_text() == "":
                self.place_helper(name, text)
                return call
        return super().vector_form()
