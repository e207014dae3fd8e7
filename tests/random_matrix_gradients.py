"""Random programs on matrices, to be differentiated: views, masks, helpers, lists, comprehensions."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from random_gradients import compiled

SHAPE = (3, 4)

HELPERS = """
def halve(v, k=2.0):
    return v / k

def push(m, i, value):
    m[i] += value
    return np.sum(m[i]) * 0.1

def early(v, t):
    for e in v:
        if e > t:
            return e * t
    return t * 0.5

def deep(v, n):
    if n == 0:
        return np.tanh(v)
    return deep(v * 0.9, n - 1) + v

def both(v):
    return np.sin(v), {"cos": np.cos(v), "rest": [v * 0.5, v]}

def scale_rows(m, t):
    for row in m:
        row *= t
    return m
"""

SCALARS = (
    "np.tanh({s})",
    "({s} + {s})",
    "{s} * {s}",
    "np.sum({m}[{i}])",
    "np.mean({m})",
    "np.max({m}[:, {j}])",
    "early({row}, {s})",
    "halve({s})",
    "np.dot({row}, {row})",
    "np.linalg.norm({row})",
    "float({s})",
)
ROWS = (
    "{m}[{i}]",
    "{m}[{i}, :]",
    "{m}.T[:, {i}]",
    "{m}[{i}][::-1]",
    "np.sum({m}, axis=0)",
    "{m}.ravel()[4:8]",
)
MATRICES = (
    "np.sin({M})",
    "({M} * {s})",
    "({M} + {row})",
    "np.where({M} > 0.1, {M}, {s})",
    "np.maximum({M}, 0.05)",
    "(({M} @ {M}.T) @ {M} * 0.1)",
    "(np.cumsum({M}, axis=0) * 0.3)",
    "(np.cumsum({M}, axis=1) * 0.3)",
    "deep({M}, 2)",
    "np.stack([{row}, {row}, {row}])",
    "np.concatenate([{M}[:1], {M}[1:]])",
    'both({M})[1]["cos"]',
    "np.sort({M}, axis=1)",
    "np.array([halve(v) for v in {M}])",
    "np.roll({M}, 1, axis=0)",
    '(np.einsum("ij,ik->jk", {M}, {M})[:3] * 0.1)',
    "np.clip({M}, -0.5, 0.6)",
    "{M}[[2, 0, 1]]",
    "{M}.T.reshape(3, 4)",
)
SIMPLE_MATRICES = ("x", "y", "w", "(x * s)", "y[::-1]", "x[:, ::-1]")
VIEWS = ("[1:]", ".T", "[:, 1:3]", "[::2]", ".reshape(4, 3)", "[1]")
STATEMENTS = ("element", "row", "row", "mask", "matrix", "helper", "view", "sums", "scalar", "pair", "rows")
NESTED = ("range", "range", "zip", "if", "while", "enumerate")


class Writer:
    """Writes one program: a function of a matrix `x` and a float `s` that returns a float."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.depth = 1
        self.indices: list[str] = []
        self.loops = 0
        self.count = 0

    def text(self) -> str:
        """The source, helpers included."""
        self.add("w = np.arange(12.0).reshape(3, 4) * 0.1 - 0.4")
        self.add("y = np.zeros((3, 4)) + 0.5 * s")
        self.add("a = np.sum(x) * 0.1")
        self.block(self.random.randint(3, 7), 2)
        self.add("return np.sum(x * w) + np.sum(y * y) + a")
        return HELPERS + "\ndef program(x, s):\n" + "\n".join(self.lines) + "\n"

    def add(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def block(self, count: int, room: int) -> None:
        for _ in range(count):
            kinds = [*STATEMENTS, *(NESTED if room else ()), *(["leave"] if self.loops else [])]
            kind = self.random.choice(kinds)
            getattr(self, f"write_{kind}")(room)

    def inner(self, write: Callable[[], None]) -> None:
        self.depth += 1
        write()
        self.depth -= 1

    def new(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    # Expressions.

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def filled(self, form: str, depth: int) -> str:
        """`form` with each of its places filled anew."""
        makers = {
            "{s}": lambda: self.scalar(depth),
            "{M}": lambda: self.matrix(depth),
            "{row}": self.row,
            "{m}": lambda: self.pick("x", "y"),
            "{i}": lambda: self.pick("0", "1", "2", "-1", *self.indices, *self.indices),
            "{j}": lambda: self.pick("0", "3", "-2", *self.indices),
        }
        for place, make in makers.items():
            while place in form:
                form = form.replace(place, make(), 1)
        return form

    def scalar(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.3:
            return self.filled(self.pick("a", "s", "0.7", "{m}[{i}, {j}]"), 0)
        return self.filled(self.pick(*SCALARS), depth - 1)

    def row(self) -> str:
        return self.filled(self.pick(*ROWS), 0)

    def matrix(self, depth: int) -> str:
        return self.filled(self.pick(*MATRICES), depth - 1) if depth > 0 else self.pick(*SIMPLE_MATRICES)

    # Statements.

    def write_element(self, room: int) -> None:
        self.add(self.filled("{m}[{i}, {j}] " + self.pick("=", "+=", "*=") + " {s}", 2))

    def write_row(self, room: int) -> None:
        self.add(self.filled("{m}[{i}] " + self.pick("=", "+=", "*=") + self.pick(" {row}", " {s}"), 1))

    def write_mask(self, room: int) -> None:
        array, sign = self.pick("x", "y"), self.pick("*=", "+=", "=")
        level = self.pick("< 0.1", "> -0.3", "> s")
        self.add(self.filled(f"{array}[{array} {level}] {sign} {{s}}", 1))

    def write_matrix(self, room: int) -> None:
        self.add(self.filled("{m} " + self.pick("=", "+=", "*=") + " {M}", 2))

    def write_helper(self, room: int) -> None:
        array = self.pick("x", "y")
        calls = (f"a += push({array}, {{i}}, {{row}})", f"{array} = scale_rows({array}, {{s}})")
        self.add(self.filled(self.pick(*calls, "a = early({row}, {s}) + a"), 0))

    def write_view(self, room: int) -> None:
        name = self.new("v")
        self.add(f"{name} = {self.pick('x', 'y')}{self.pick(*VIEWS)}")
        self.add(self.filled(f"{name} {self.pick('*=', '+=')} {{s}}", 1))

    def write_sums(self, room: int) -> None:
        name = self.new("sums")
        self.add(f"{name} = []")
        self.add(f"for row in {self.pick('x', 'y')}:")
        self.inner(lambda: self.add(self.filled(f"{name}.append(np.sum(row) * {{s}})", 0)))
        self.add(f"a = a + sum({name}) * 0.1")

    def write_scalar(self, room: int) -> None:
        self.add(self.filled(f"a {self.pick('=', '+=', '*=')} {{s}}", 2))

    def write_pair(self, room: int) -> None:
        self.add(self.filled("p, q = both({M})", 0))
        self.add(f'y = y + p * q["rest"][{self.pick("0", "1")}]')

    def write_rows(self, room: int) -> None:
        place = self.pick("1:", "[0, 2]", "::-1", ":2")
        self.add(self.filled(f"{{m}}[{place}] {self.pick('=', '+=', '*=')} {{s}}", 1))

    def write_range(self, room: int) -> None:
        name = self.new("k")
        self.loop(f"for {name} in range({self.pick('3', '2', 'len(x)', '2, -1, -1', '1, 3')}):", name, room)

    def write_zip(self, room: int) -> None:
        name = self.new("k")
        self.loop(f"for {name}, r{name} in zip(range(3), {self.pick('x', 'y')}):", name, room, f"r{name}")

    def write_enumerate(self, room: int) -> None:
        name = self.new("k")
        self.loop(f"for {name}, r{name} in enumerate({self.pick('x', 'y')}):", name, room, f"r{name}")

    def write_while(self, room: int) -> None:
        name = self.new("k")
        self.add(f"{name} = -1")
        self.loop(self.filled(f"while {name} < 2 and {{s}} < 3.0:", 1), name, room, counts=True)

    def loop(self, head: str, name: str, room: int, row: str = "", counts: bool = False) -> None:
        self.add(head)
        self.depth, self.loops = self.depth + 1, self.loops + 1
        if counts:
            self.add(f"{name} += 1")
        if row:
            self.add(
                self.filled(
                    self.pick(f"a += np.sum({row}) * 0.1", f"{row} *= {{s}}", f"y[{name}] = {row} * s"), 0
                )
            )
        self.indices.append(name)
        self.block(self.random.randint(1, 3), room - 1)
        self.indices.pop()
        self.depth, self.loops = self.depth - 1, self.loops - 1

    def write_if(self, room: int) -> None:
        self.add(self.filled(f"if {{s}} {self.pick('< 0.1', '> s', '> -0.2')}:", 1))
        self.inner(lambda: self.block(self.random.randint(1, 2), room - 1))
        if self.random.random() < 0.5:
            self.add("else:")
            self.inner(lambda: self.block(1, room - 1))

    def write_leave(self, room: int) -> None:
        self.add(self.filled(f"if {{s}} > {self.pick('0.5', '2.0')}:", 1))
        way = self.pick("break", "continue", "return a + np.sum(y)")
        self.inner(lambda: self.add(way))


def program(seed: int) -> Callable[..., Any]:
    """The function of a seed; its source can be found."""
    return compiled(Writer(seed).text(), f"<random matrix program {seed}>")


def arguments(seed: int) -> list[Any]:
    """A matrix and a float for the program of a seed."""
    numbers = np.random.default_rng(seed)
    return [numbers.uniform(-1.0, 1.0, SHAPE), float(numbers.uniform(0.2, 1.0))]
