"""Programs that keep state in dicts, lists and tuples, raise, catch, and go on: ``params["w"] = params["w"] - g``.

After the writers of two people who had not read the compiler.
"""

from __future__ import annotations

import random

from fuzz.blocks import indented
from fuzz.data import Signature
from fuzz.grammar import Program

SIGNATURE: Signature = {"x": "float64 n", "f": "float64 m n", "u": "float", "n": "int 4 0 6"}
SIZES = ({"n": 4, "m": 3}, {"n": 3, "m": 2}, {"n": 5, "m": 4})
EXCEPTIONS = ("ValueError", "KeyError", "IndexError", "RuntimeError", "OverflowError", "StopIteration")
HANDLERS = (*EXCEPTIONS, "Exception", "LookupError", "ArithmeticError", "(ValueError, KeyError)")
HELPERS = """def add(d, key, value):
    d[key] = d[key] + value


def early(d, value):
    if value > 2:
        return value
    d["b"] += 1
    for k in range(3):
        if k > value:
            return k
        d["b"] = d["b"] + k
    return d["b"]


def checked(value):
    if value > 3:
        raise ValueError("large")
    return value * 0.5


"""


class _Writer:
    """What may be named where a statement stands: numbers, arrays, loop variables."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.numbers = ["s", "c", 'd["a"]', 'd["b"]']
        self.arrays = ["x", "y", 'd["w"]']
        self.start = ["s = 0.5", "c = 0", "y = x * 1.0", "t = (0, 1.0)", "last = None", "kept = []"]
        self.start.append(
            f'd = {{"a": {self.any("0", "1", "0.5")}, "b": 1.5, "w": {self.any("x", "x * 0.5", "f[0]")}}}'
        )
        self.known = ["s", "c", "y", "d", "t", "last", "kept"]
        if self.maybe(0.5):
            self.start.append('e = {"o": {"p": 0, "q": x + 1}, "l": [0, 1.5]}')
            self.numbers += ['e["o"]["p"]', 'e["l"][0]', 'e["l"][1]']
            self.arrays.append('e["o"]["q"]')
            self.known.append("e")
        if self.maybe(0.4):
            self.start.append("p = [x * 1.0, f.sum(0), 0.25]")
            self.numbers.append("p[2]")
            self.arrays += ["p[0]", "p[1]"]
            self.known.append("p")
        if self.maybe(0.3):
            self.start.append("r = d")
            self.numbers.append('r["a"]')
        self.loops: list[str] = []
        self.depth = 0

    def any(self, *texts: str) -> str:
        return self.rng.choice(texts)

    def maybe(self, share: float) -> bool:
        return self.rng.random() < share

    def number(self, deep: int = 0) -> str:
        if deep > 1 or self.maybe(0.4):
            return self.any(*self.numbers, *self.loops, "1", "0.5", "u", "n")
        inner = self.number(deep + 1)
        return self.any(
            f"({inner} {self.any('+', '-')} {self.number(deep + 1)})", f"{inner} * 0.5", f"{inner} % 5",
            f"{self.any(*self.arrays)}[{self.any('0', '-1', *(f'{k} % 3' for k in self.loops))}]",
            f"float({self.any(*self.arrays)}.sum())", f"max({inner}, {self.number(deep + 1)})",
            f"({inner} if {self.condition()} else {self.number(deep + 1)})", "len(d)", 'd.get("zz", 0)',
        )  # fmt: skip

    def array(self, deep: int = 0) -> str:
        if deep > 1 or self.maybe(0.4):
            return self.any(*self.arrays, "f[0]", "f[-1]")
        inner = self.array(deep + 1)
        return self.any(
            f"({inner} {self.any('+', '-')} {self.array(deep + 1)})", f"{inner} * {self.any('0.5', '-0.25')}",
            f"({inner} + {self.number(1)})", f"({inner})[::-1]", f"np.maximum({inner}, {self.number(1)})",
            "(f[:, None, :] - f[None]).sum(0).mean(0)", "np.asfortranarray(f).T[:, 0]", f"np.tanh({inner})",
        )  # fmt: skip

    def condition(self) -> str:
        of_loops = [f"{k} {test}" for k in self.loops for test in ("% 2", "== 2", "> 1", "% 3 == 1")]
        number = self.any(*self.numbers)
        return self.any(
            *of_loops, f"{number} > {self.any('0', '1', '3', 'u')}", f"{number} < 2", "last is None", "n > 2"
        )

    def statement(self) -> list[str]:
        number, array = self.any(*self.numbers), self.any(*self.arrays[1:])
        if self.depth < 3 and self.maybe(0.45):
            return self.compound()
        if self.loops and self.maybe(0.08):
            return [f"if {self.condition()}:", f"    {self.any('break', 'continue', 'continue')}"]
        return [
            self.any(
                f"{number} = {self.number()}", f"{number} += {self.number(1)}", f"{number} -= {self.number(1)}",
                f"{array} = {self.array()}", f"{array} = {array} - 0.1 * {self.array(1)}", f"{array} *= 0.5",
                f"{array}[{self.any('0', '-1', '1:', ':2')}] += {self.number(1)}", "c += 1", "t = (t[1], t[0] + c)",
                f"last = {self.any('None', number, f'({number}, c)', array)}", f"kept.append({number})",
                f"{number}, s = s, {number}", f'add(d, "b", {self.number(1)})', f"s += early(d, {self.number(1)})" if self.maybe(0.1) else "s -= 0.5",
                f"s += checked({self.number(1)})" if self.maybe(0.3) else f"s += {self.number(1)}",
            )
        ]  # fmt: skip

    def block(self, most: int = 3) -> list[str]:
        self.depth += 1
        lines = [line for _ in range(self.rng.randint(1, most)) for line in self.statement()]
        self.depth -= 1
        return indented(lines)

    def compound(self) -> list[str]:
        kind = self.rng.random()
        if kind < 0.4:
            lines = [f"if {self.condition()}:", *self.block(2)]
            if self.maybe(0.5):
                jump = self.loops and self.maybe(0.2)
                lines += ["else:", *(["    continue"] if jump else self.block(2))]
            return lines
        if kind < 0.65 and len(self.loops) < 3:
            name = "ijk"[len(self.loops)]
            self.loops.append(name)
            lines = [f"for {name} in range({self.any('n', '3', '2')}):", *self.block()]
            self.loops.pop()
            return lines
        raised = f"{self.any(*EXCEPTIONS)}{self.any('', '()', '(c)')}"
        lines = [
            "try:",
            *self.block(2),
            f"    if {self.condition()}:",
            f"        raise {raised}",
            *self.block(1),
        ]
        for handler in self.rng.sample(HANDLERS, self.rng.randint(1, 2)):
            lines += [f"except {handler}:", *self.block(2)]
        if self.maybe(0.25):
            lines += ["else:", *self.block(1)]
        return lines

    def program(self) -> str:
        self.loops.append("i")
        inner = self.block(5)
        self.loops.pop()
        after = [line for _ in range(self.rng.randint(0, 2)) for line in self.statement()]
        body = [*self.start, f"for i in range({self.any('n', 'n', '3')}):", *inner, *after]
        body.append(f"return {', '.join(self.known)}")
        return HELPERS + "def program(x, f, u, n):\n" + "\n".join(indented(body)) + "\n"


def states(seed: int) -> Program:
    """The program of a seed."""
    return Program(_Writer(seed).program(), SIGNATURE, SIZES, seed, False)
