"""Zeros, ones and constants that are written in part, beside a temporary and a number made of it, then read as a whole."""

from __future__ import annotations

from fuzz.anew import Anew

_MADE = (
    "np.zeros({x}.shape{dt})",
    "np.zeros_like({x})",
    "np.ones({x}.shape{dt})",
    "np.full({x}.shape, {h}{dt})",
    "np.full_like({x}, {h})",
    "np.zeros_like({x})",
)
_MADE_VECTOR = (
    "np.zeros(len({x}){dt})",
    "np.zeros({x}.size{dt})",
    "np.ones(len({x}){dt})",
    "np.full(len({x}), {h}{dt})",
)
_TEMPORARY = {
    "f": ("np.exp(-abs({x}))", "np.sin({x})", "{x} * {x}", "np.tanh({x} + {h})", "{x} - {x}.mean()", "np.exp({x} * 0.1)", "np.sqrt({x} * {x} + 1)"),
    "i": ("{x} * {h} % 7", "abs({x})", "{x} % 5 - 1"),
    "c": ("{x} * {h}", "np.conj({x})", "abs({x}) * 1j"),
}  # fmt: skip
_NUMBER = ("{t}.sum()", "{t}.sum()", "abs({t}).max()", "{t}.mean()", "abs({t}).sum()", "({t} * {t}).sum()")
_PARTS = (
    "1:",
    ":-1",
    "::2",
    "1::2",
    "1:-1",
    "-3:",
    ":2",
    "{i}:",
    ":{i}",
    "{i}:{i} + 2",
    "::-1",
    "{l}:{u}",
    "2:",
)
_PARTS_MATRIX = (
    "1:",
    ":, 1:",
    "1:-1, 1:-1",
    "0",
    ":, 0",
    "::2",
    "{i} % 3, :{j}",
    "{i} % 3, {j}:",
    "{i}:, :{j}",
    ":, {i}:",
    "-1, 1:",
    "{i}:",
    "::2, 1::2",
    ":{i}, 0",
)
_STORED = (
    "{z}[{p}] = {t}[{p}] * {q}",
    "{z}[{p}] = {t}[{p}] * {q}",
    "{z}[{p}] = {t}[{p}] - {q}",
    "{z}[{p}] += {t}[{p}] * {q}",
    "{z}[{p}] = {q}",
    "{z}[{p}] = {t}[{p}]",
    "{z}[{p}] -= {t}[{p}]",
)
_MASKED = (
    "{z}[{x} > {c}] = {q}",
    "{z}[{x} > {c}] = {t}[{x} > {c}] * {q}",
    "{z}[{t} < {c}] += {q}",
    "{z}[{x} < {c}] = {t}[{x} < {c}]",
)
_READ = (
    ["+{z}.sum()"],
    ["+({z} * {z}).sum()"],
    ["+({z} * {t}).sum()"],
    ["+{z}.sum() * {q}"],
    ["+({z} + {t}).sum()", "+{q}"],
    ["{x}[:] = {z}"],
    ["{x} = {z}"],
    ["{x} = {x} * 0.5 + {z} * 0.1"],
    ["+abs({z}).max()"],
)


class Filled(Anew):
    """Makes such arrays; they are known afterwards, as all arrays of one size are."""

    def filled_in(self) -> list[str]:
        """A temporary, a number made of it, an array written in part, and something made of the array."""
        rng = self.rng
        x = self.of_rank(rng.choice((1, 1, 2)))
        vector = self.kinds[x].rank == 1
        lines = self.new(self.put_in(rng.choice(_TEMPORARY[self.family]), x=x), "t", "e", "g", "tmp")
        if not lines:
            return []
        t = lines[0].split()[0]
        number = rng.choice(_NUMBER if self.family != "i" else ("{t}.sum() % 7", "{t}.max()", "len({t})"))
        named = self.new(self.put_in(number, t=t), "q", "total", "norm", "peak")
        q = named[0].split()[0] if named else self.a_half()
        made = self.new(
            self.put_in(rng.choice(_MADE + _MADE_VECTOR if vector else _MADE), x=x),
            "z",
            "res",
            "out",
            "filled",
        )
        if not made:
            return []
        words = {"z": made[0].split()[0], "t": t, "q": q, "x": x}
        order = [*named, *made] if rng.random() < 0.7 else [*made, *named]
        lines += order
        for _ in range(rng.choice((1, 1, 1, 2))):
            lines += self.stored(words, vector)
        if rng.random() < 0.85:
            read = [
                self.put_in(line, **words) for line in rng.choice(_READ if self.family == "f" else _READ[:4])
            ]
            lines += self.spelled([line if "{" not in line else "pass" for line in read])
        return lines

    def stored(self, words: dict[str, str], vector: bool) -> list[str]:
        """A part of the array written, with a condition now and then."""
        rng = self.rng
        if rng.random() < 0.2 and self.family != "c":
            text = self.put_in(rng.choice(_MASKED), **words)
        else:
            part = self.put_in(rng.choice(_PARTS if vector else _PARTS_MATRIX))
            text = self.put_in(rng.choice(_STORED), p=part, **words)
        return [f"if {self.test()}:", f"    {text}"] if rng.random() < 0.15 else [text]

    def put_in(self, form: str, **words: str) -> str:
        """The form with these words, and with numbers and constants of the program for what else it asks."""
        for key, word in words.items():
            form = form.replace("{" + key + "}", word)
        return self.spelled(["=" + form])[0][1:]
