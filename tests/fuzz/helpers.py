"""Functions that a random program calls: of the module, nested, lambdas; some write their argument."""

from __future__ import annotations

import numpy as np

from fuzz.blocks import indented
from fuzz.expressions import operand
from fuzz.idioms import Idioms

_FIXED = (
    ("damp", "def damp(v):\n    v *= 0.5\n", "damp({x})"),
    ("shrink", "def shrink(v):\n    v[:] = v / (1 + np.abs(v).max())\n    return v\n", "{x} = shrink({x})"),
    ("clamp", "def clamp(v, top=1.0):\n    return np.minimum(np.maximum(v, -top), top)\n", "{x} = clamp({x})"),
    ("ends", "def ends(v):\n    v[0] = v[-1] * 0.5\n    v[-1] -= v[1]\n", "ends({x})"),
    ("turned", "def turned(v, w):\n    return w, v * 0.5\n", "{x}, {y} = turned({x}, {y})"),
    ("axpy", "def axpy(a, v, w):\n    w += a * v\n    return w\n", "axpy(0.5, {x}, {y})"),
    ("mixed", "def mixed(v, w):\n    if v.sum() > w.sum():\n        return v\n    return w * 0.5\n", "{x} = mixed({x}, {y})"),
    ("stepped", "def stepped(v, w, h=0.1):\n    w = w - h * v\n    return v + h * w, w\n", "{x}, {y} = stepped({x}, {y})"),
    ("first_above", "def first_above(v, c):\n    for k in range(len(v)):\n        if v[k] > c:\n            return v[k]\n    return c\n",
     "{x}[0] = first_above({y}, 0.5)"),
    ("smooth", "def smooth(v):\n    new = v.copy()\n    for k in range(1, len(v) - 1):\n        new[k] = (v[k - 1] + v[k + 1]) * 0.5\n    return new\n",
     "{x}[:] = smooth({y})"),
    ("square_sum", "square_sum = lambda v: (v * v).sum()\n", "{x} /= 1 + square_sum({y})"),
    ("scaled", "scaled = lambda v, c=0.5: c * v\n", "{x} = scaled({y}) + {x}"),
    ("moved", "def moved(f, v):\n    k = f(v)\n    return v + 0.5 * f(v + 0.5 * k)\n", "{x} = moved(lambda t: -0.3 * t, {x})"),
    ("swapped", "def swapped(v, w, times):\n    for k in range(times):\n        v, w = w, v + 0.5 * w\n    return v\n", "{x} = swapped({x}, {y}, 3)"),
)  # fmt: skip


class Helpers(Idioms):
    """Makes helper functions and calls of them."""

    module_level: list[str]
    nested: list[str]

    def helper_call(self) -> list[str]:
        """A call of a helper, which is made if need be."""
        rng = self.rng
        vectors = [name for name in self.arrays() if self.kinds[name].rank >= 1]
        x = rng.choice(vectors)
        same = [name for name in vectors if self.kinds[name] == self.kinds[x]]
        y = rng.choice(same)
        if rng.random() < 0.4:
            made = self.own_helper(x, y)
            if made:
                return made
        name, text, call = rng.choice(_FIXED)
        if self.family == "i" or (self.kinds[x].rank > 1 and name in ("ends", "first_above", "smooth")):
            return self.simple()
        if self.family == "c" and name in ("clamp", "mixed", "first_above"):
            return self.simple()
        self.place_helper(name, text)
        return [call.format(x=x, y=y)]

    def place_helper(self, name: str, text: str) -> None:
        """Put the helper into the module or, now and then, into the program."""
        if name in self.used:
            return
        self.used.add(name)
        for env in self.envs:
            exec(text, env)
        (self.nested if self.rng.random() < 0.35 else self.module_level).append(text)

    def own_helper(self, x: str, y: str) -> list[str]:
        """A helper with random statements of its own over two arrays of one kind."""
        rng, kind = self.rng, self.kinds[x]
        name, exits, early = (
            self.fresh("helper", "advance", "one_step", "relaxed", "inner"),
            self.exits,
            self.early,
        )
        values = self.values(x)
        if not all(isinstance(value, np.ndarray) for value in values):
            return []
        with self.scope():
            for known in list(self.kinds):
                if known not in ("n", "m", "steps"):
                    self.forget(known)
            self.indices.clear()
            for parameter in ("p0", "q0"):
                self.bind(parameter, [v.copy() for v in values])
            self.forget("n"), self.forget("m"), self.forget("steps")
            lines = [line for _ in range(rng.randint(1, 3)) for line in self.simple()]
            if rng.random() < 0.3:
                lines += [f"if {self.test()}:", f"    return {rng.choice(('p0', 'q0', 'p0 * 1'))}"]
            same = [n for n in self.arrays() if self.kinds[n] == kind]
            result = rng.choice((rng.choice(same), rng.choice(same), self.array(kind.shape, 1)))
        self.exits, self.early = exits, early
        if not result or any(_reads(line, ("n", "m", "steps")) for line in (*lines, result)):
            return []
        text = "\n".join([f"def {name}(p0, q0):", *indented([*lines, f"return {result}"])]) + "\n"
        self.used.discard(name)
        self.place_helper(name, text)
        call = f"{name}({x}, {operand(rng.choice((y, self.array(kind.shape, 0) or y)))})"
        return [
            rng.choice((f"{x} = {call}", f"{x}[:] = {call}", f"{y} = {call}", f"{x} = {x} - 0.5 * {call}"))
        ]


def _reads(line: str, names: tuple[str, ...]) -> bool:
    """Whether a name stands in the line."""
    tokens = "".join(char if char.isalnum() or char == "_" else " " for char in line).split()
    return any(name in tokens for name in names)
