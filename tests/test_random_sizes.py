"""Random programs that cut arrays by sizes of arrays: plain against decorated, for sizes in every order."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generated import module_from_text
from same import compare, decorate

PROGRAMS, CALLS = 8, 12


class Writer:
    """Writes programs over the vectors a, b and c."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def size(self) -> str:
        one, other, kind = self.rng.choice("abc"), self.rng.choice("abc"), self.rng.randrange(9)
        written = {
            0: f"len({one}) // {self.rng.choice((2, 3))}",
            1: f"min(len({one}), len({other}))",
            2: f"max(len({one}), len({other}))",
            3: f"{self.rng.choice((2, 3))} * len({one})",
            4: f"len({one}) - {self.rng.choice((1, 2))}",
            5: str(self.rng.choice((0, 1, 3))),
        }
        return written.get(kind, f"len({one})")

    def end(self) -> str:
        shifted = f"{self.size()} + {self.rng.choice((1, 2))}"
        return self.rng.choice((self.size(), self.size(), "", shifted, f"-({self.size()})", "m", "n"))

    def part(self) -> str:
        step = self.rng.choice(("", "", "", ":2", ":-1"))
        return f"{self.rng.choice('abc')}[{self.end()}:{self.end()}{step}]"

    def program(self) -> str:
        lines = [f"m, n = {self.size()}, {self.size()}", f"x = {self.part()} * 2 + {self.part()}"]
        lines.append(f"y = x[{self.end()}:{self.end()}] - 1")
        if self.rng.random() < 0.5:
            lines.append(f"{self.part()} += {self.rng.choice((self.part(), '1.5', 'y'))}")
        lines.append("s = x.sum()")
        if self.rng.random() < 0.5:
            factor = self.rng.choice(("b[k]", "c[-k]", "c[n - 1]", "1.0"))
            lines += [f"for k in range({self.size()}):", f"    s += a[k] * {factor}"]
        lines.append("return x, y, s, m, n")
        return "\n".join(["def program(a, b, c):", *(f"    {line}" for line in lines)]) + "\n"

    def vectors(self) -> tuple[np.ndarray, ...]:
        base = self.rng.randrange(1, 5)
        lengths = (self.rng.choice((base, base, 2 * base, 3 * base, self.rng.randrange(9))) for _ in "abc")
        return tuple(np.arange(1.0, 1 + length) for length in lengths)


def runs(program: Any, args: tuple[np.ndarray, ...]) -> bool:
    try:
        program(*(arg.copy() for arg in args))
    except (ValueError, IndexError):
        return False
    return True


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_decorated_does_what_plain_does(seed: int, tmp_path: Path) -> None:
    writer = Writer(random.Random(100 + seed))
    program = module_from_text(writer.program(), tmp_path).program
    decorated = decorate(program)
    given = [writer.vectors() for _ in range(5 * CALLS)]
    calls = [args for args in given if runs(program, args)][:CALLS]
    assert calls, "a program that works for some sizes"
    for args in (*calls, *given[:2]):  # those that raise are plain calls, and slow: each is traced anew
        compare(program, decorated, args, calls=1)
