"""One row: a construct, a program in which it stands beside work that takes time, and what becomes of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

COMPILED = "compiled"
BESIDE = "beside compiled code"
PLAIN = "the whole function is plain"

ARGUMENTS = {
    "n": 1000,
    "x": np.linspace(0.1, 2.0, 1000),
    "y": np.linspace(3.0, 1.0, 1000),
    "k": np.arange(1000) % 7 + 1,
    "m": np.linspace(-1.0, 1.0, 1600).reshape(40, 40),
    "z": np.linspace(0.1, 2.0, 1000) * (1 + 2j),
}
"""What `Row.args` may name, beside what the program defines."""

TAKEN: dict[str, Callable[[Any], Any]] = {"list": list}


@dataclass(frozen=True)
class Row:
    """A construct and its program: the source of a function `f`, and what stands around it."""

    construct: str
    """Its name and its syntax: ``chained comparison: `a < b < c` ``."""
    program: str
    args: str
    """The arguments of `f`, as source."""
    becomes: str
    why: str = ""
    """What `explain` says of it; of a function that is compiled as a whole, nothing."""
    through: str = ""
    """What takes the result of `f`, for a comparison of what it does: an expression of a function."""
    since: tuple[int, int] = (3, 10)
    tol: int = 0

    @property
    def name(self) -> str:
        """What its test is called: the construct's name, without blanks and marks."""
        return re.sub(r"\W+", "-", self.construct.split(": `")[0]).strip("-")

    @property
    def known(self) -> bool:
        """Whether the running Python has the construct."""
        return sys.version_info[:2] >= self.since

    def load(self, folder: Path) -> dict[str, Any]:
        """The names that the program defines, from a file: the compiler reads the source."""
        file = folder / "program.py"
        file.write_text(text := "import numpy as np\n\n" + self.program.lstrip("\n"))
        names: dict[str, Any] = {"__name__": "program"}
        exec(compile(text, str(file), "exec", dont_inherit=True), names)
        return names

    def arguments(self, names: dict[str, Any]) -> tuple[Any, ...]:
        """What `f` is called with."""
        return tuple(eval(f"({self.args},)" if self.args else "()", {**ARGUMENTS, **names}))


def of_items(construct: str, expression: str, tol: int = 0) -> Row:
    """A row of an expression of the items of arrays, in a loop that is compiled with it."""
    args = _args(f"{expression} n")
    program = f"""
def f({args}):
    total = 0.0
    for i in range(n):
        total += {expression}
    return total
"""
    return Row(construct, program, args, COMPILED, tol=tol)


def of_arrays(construct: str, expression: str, tol: int = 0) -> Row:
    """A row of an expression of whole arrays, which is compiled."""
    args = _args(expression)
    program = f"""
def f({args}):
    return {expression}
"""
    return Row(construct, program, args, COMPILED, tol=tol)


def _args(expression: str) -> str:
    """The arguments that an expression reads."""
    read = set(re.findall(r"\w+", expression))
    return ", ".join(name for name in ARGUMENTS if name in read)


def beside(
    construct: str, statement: str, why: str = "", given: str = "", before: str = "", becomes: str = BESIDE
) -> Row:
    """A row of a statement behind a loop that is compiled; `given` is one more argument: ``p=Params()``."""
    args = _args(f"{statement} x n")
    name, _, value = given.partition("=")
    body = statement.replace("\n", "\n    ")
    program = f"""{before}
def f({args}{", " * bool(name)}{name}):
    total = 0.0
    for i in range(n):
        total += x[i] * 2.0
    {body}
    return total, other
"""
    return Row(construct, program, f"{args}{', ' * bool(value)}{value}", becomes, why)
