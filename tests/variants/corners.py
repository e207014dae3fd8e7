"""Variants of programs that index a view from its end: ten uses of each kind of view, made from texts."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np

VIEWS = {
    "all_but_the_last": "x = a[:-1]",
    "a_half": "x = a[: len(a) // 2]",
    "all_but_two": "n = len(a) - 2; x = a[:n]",
    "a_split": "x, y = np.split(a, 2)",
    "a_column": "m = a.reshape(2, 3); x = m[:, :2][:, -1]",
    "a_row": "m = a.reshape(3, 2); x = m[:2][-1]",
    "its_own": "z = np.zeros(6); z[:] = a; x = z[:4]",
}
USES = (
    "x[-1] += 1.25",
    "x[-1] = a[0] * 2.0",
    "x[-1], x[0] = x[0], x[-1]",
    "for i in range(3): x[-1] -= a[i] * 0.5",
    "for v in a: x[-1] = v + x[-1]",
    "x[-2:] *= 2.0",
    "x[-2] = x[-1] * 3.0",
    "for i in range(len(x)): x[-1 - i] += i + 0.5",
    "x[:] = x[-1] - x",
    "if x[-1] < 100.0: x[-1] = np.sin(x[0])",
)


def _program(view: str, number: int) -> Callable[..., Any]:
    name = f"last_of_{view}_{number}"
    text = f"""
def {name}(a):
    {VIEWS[view]}
    {USES[number]}
    s = 0.0
    for v in a:
        s += v * x[-1]
    return s, x.copy()
"""
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    found: dict[str, Any] = {"np": np, "__name__": __name__}
    exec(compile(text, file, "exec"), found)
    program: Callable[..., Any] = found[name]
    return program


PROGRAMS = [_program(view, number) for view in VIEWS for number in range(len(USES))]
