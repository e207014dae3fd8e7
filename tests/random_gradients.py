"""Random programs with loops, branches, writes and names for the same memory, to be differentiated."""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable
from typing import Any

import numpy as np

SIZE = 4
ARRAYS, SCALARS = ("x", "y"), ("a", "b", "s")


class Writer:
    """Writes one program: a function of an array `x` and a float `s` that returns a float."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.depth = 1
        self.indices: list[str] = []
        self.loops: list[str] = []
        self.count = 0

    def text(self) -> str:
        """The source."""
        self.add("def program(x, s):")
        self.depth = 1
        self.add("y = np.zeros(4) + 0.5 * s")
        self.add("a, b = np.sum(x) * 0.1, np.sum(y) * 0.2")
        self.block(self.random.randint(3, 6), 2)
        self.add("return np.sum(x * np.arange(1.0, 5.0)) + np.sum(y * y) + a - 2.0 * b * s")
        return "\n".join(self.lines) + "\n"

    def add(self, line: str) -> None:
        self.lines.append("    " * (self.depth if self.lines else 0) + line)

    def block(self, count: int, room: int) -> None:
        for _ in range(count):
            self.statement(room)

    def statement(self, room: int) -> None:
        kinds = ["scalar"] * 3 + ["element"] * 4 + ["array"] * 2 + ["slice"] * 2 + ["names"]
        kinds += (["for"] * 3 + ["while"] * 2 + ["if"] * 4) if room else []
        kinds += ["leave"] * 2 if self.loops and self.depth < 5 else []
        getattr(self, f"write_{self.random.choice(kinds)}")(room)

    # Statements.

    def write_scalar(self, room: int) -> None:
        name, sign = self.random.choice(("a", "b")), self.random.choice(("=", "=", "+=", "*="))
        value = self.scalar(2) if sign == "=" else f"0.5 * {self.scalar(1)}"
        self.add(f"{name} {sign} {value}")

    def write_element(self, room: int) -> None:
        array, sign = self.random.choice(ARRAYS), self.random.choice(("=", "=", "+=", "*="))
        self.add(f"{array}[{self.index()}] {sign} {self.scalar(2)}")

    def write_array(self, room: int) -> None:
        array, sign = self.random.choice(ARRAYS), self.random.choice(("=", "=", "+=", "*="))
        self.add(f"{array} {sign} {self.array(2)}")

    def write_slice(self, room: int) -> None:
        target, source = self.random.choice(
            (("1:", "{}[:-1]"), (":-1", "{}[1:]"), ("::2", "{}[1::2]"), ("1:3", "{}[::2]"), (":", "{}"))
        )
        array, sign = self.random.choice(ARRAYS), self.random.choice(("=", "+=", "*="))
        value = source.format(self.random.choice(ARRAYS))
        self.add(f"{array}[{target}] {sign} {self.smooth(value)} * {self.scalar(0)}")

    def write_names(self, room: int) -> None:
        choice = self.random.choice(("x, y = y, x", "y = x", "x = y.copy()", "y = x[::-1]", "x = y * 1.0"))
        self.add(choice)

    def write_for(self, room: int) -> None:
        name = f"k{len(self.indices)}"
        bounds = ["4", "3", "len(x)", "1, 4", "3, -1, -1", "0"] + [f"{k} % 3 + 1" for k in self.indices]
        bound = self.random.choice(bounds)
        self.add(f"for {name} in range({bound}):")
        self.body(room, name, "for")
        if self.random.random() < 0.15:
            self.add("else:")
            self.inner(lambda: self.block(1, 0))

    def write_while(self, room: int) -> None:
        name = f"n{self.count}"
        self.count += 1
        self.add(f"{name} = 0")
        self.add(f"while {name} < {self.random.choice('34')} and {self.condition()}:")
        self.inner(lambda: self.add(f"{name} += 1"))
        self.body(room, name, "while")

    def body(self, room: int, name: str, kind: str) -> None:
        self.indices.append(f"{name} % 4" if kind == "while" else name)
        self.loops.append(kind)
        self.inner(lambda: self.block(self.random.randint(1, 3), room - 1))
        self.loops.pop()
        self.indices.pop()

    def write_if(self, room: int) -> None:
        self.add(f"if {self.condition()}:")
        self.inner(lambda: self.block(self.random.randint(1, 2), room - 1))
        if self.random.random() < 0.5:
            self.add("else:")
            self.inner(lambda: self.block(self.random.randint(1, 2), room - 1))

    def write_leave(self, room: int) -> None:
        self.add(f"if {self.condition()}:")
        way = self.random.choice(("break", "break", "continue", f"return {self.scalar(1)} + np.sum(x)"))
        self.inner(lambda: self.add(way))

    def inner(self, write: Callable[[], None]) -> None:
        self.depth += 1
        write()
        self.depth -= 1

    # Expressions.

    def index(self) -> str:
        pool = ["0", "1", "2", "3", "-1"]
        for name in self.indices:
            pool += [name, name, f"({name} + 1) % 4", f"3 - {name}"]
        return self.random.choice(pool)

    def scalar(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.25:
            pool = [*SCALARS, *SCALARS, "0.7", f"{self.random.choice(ARRAYS)}[{self.index()}]"]
            pool += [f"np.sum({self.random.choice(ARRAYS)})"] if depth else []
            return self.random.choice(pool)
        left, right = self.scalar(depth - 1), self.scalar(depth - 1)
        return self.random.choice(
            (
                f"({left} + {right})",
                f"({left} - 0.5 * {right})",
                f"{self.smooth(left)} * {right}",
                self.smooth(left),
            )
        )

    def array(self, depth: int) -> str:
        if depth == 0:
            return self.random.choice((*ARRAYS, "x[::-1]", "np.full(4, 1.0) * a"))
        left, right = self.array(depth - 1), self.random.choice((self.array(depth - 1), self.scalar(1)))
        return self.random.choice(
            (f"({left} - 0.5 * {right})", f"{self.smooth(left)} * {right}", self.smooth(left))
        )

    def smooth(self, value: str) -> str:
        form = self.random.choice(("np.sin({})", "np.tanh({})", "1.0 / (2.0 + {0} * {0})", "np.cos({})"))
        return form.format(value)

    def condition(self) -> str:
        level = self.random.choice(("0.1", "-0.2", "0.35", "s * 0.3"))
        return f"{self.scalar(1)} {self.random.choice('<>')} {level}"


def program(seed: int) -> Callable[..., Any]:
    """The function of a seed; its source can be found."""
    return compiled(Writer(seed).text(), f"<random program {seed}>")


def compiled(text: str, name: str) -> Callable[..., Any]:
    """The function `program` of a source text, which `inspect` finds under `name`."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), space)
    made: Callable[..., Any] = space["program"]
    return made


def arguments(seed: int) -> list[Any]:
    """An array and a float for the program of a seed."""
    numbers = np.random.default_rng(seed)
    return [numbers.uniform(-1.0, 1.0, SIZE), float(numbers.uniform(0.2, 1.0))]
