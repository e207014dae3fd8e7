"""Ends of slices whose sign a condition tells: ``x[k:]`` and ``x[:-k]`` are of one length where k isn't 0."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import compare, decorate

import jitscope as js

X = np.random.default_rng(3).normal(size=9)


def lags(x, m):
    r = np.zeros(m)
    for k in range(m):
        r[k] = x @ x if k == 0 else np.sum(x[k:] * x[:-k])
    return r


def listed_lags(x, m):
    result = []
    for k in range(m):
        if k == 0:
            result.append(1.0)
        else:
            result.append(np.sum(x[k:] * x[:-k]) / np.sum(x * x))
    return result


def both_signs(x, m):
    r = np.zeros(2 * m + 1)
    for k in range(-m, m + 1):
        if k == 0:
            r[k + m] = x @ x
        elif k > 0:
            r[k + m] = np.sum(x[k:] * x[:-k])
        else:
            r[k + m] = np.sum(x[:k] * x[-k:])
    return r


def after_a_continue(x, m):
    s = 0.0
    for k in range(m):
        if k < 1 or k > 6:
            continue
        s += np.sum(x[k:] * x[:-k]) / k
    return s


def truth_of_an_int(x, m):
    s = 0.0
    for k in range(m):
        if k:
            s += np.sum(x[k:] * x[:-k])
    return s


def written_halves(x, m):
    out = np.zeros(len(x))
    for k in range(m):
        if k >= 1:
            out[k:] += x[:-k]
            out[:-k] -= x[k:]
        else:
            out += x
    return out


def differences_of_indices(x, m):
    s = 0.0
    for i in range(m):
        for j in range(m):
            d = i - j
            if not (d == 0 or d < 0):
                s += (x[d:] * x[:-d]).sum()
    return s


def a_longer_array_behind_it(x, m):
    s = 0.0
    for k in range(m):
        y = x * 2.0
        if k > 0 and k < len(x):
            y = x[k:] - x[:-k]
        s += y.sum()
    return s


PROGRAMS = (
    lags,
    listed_lags,
    both_signs,
    after_a_continue,
    truth_of_an_int,
    written_halves,
    differences_of_indices,
    a_longer_array_behind_it,
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_halves_are_of_one_length_under_a_condition(program: Callable[..., Any]) -> None:
    fast = decorate(program)
    for x, m in ((X, 8), (X[:3].copy(), 8), (X[:1].copy(), 2), (X, 9)):
        compare(program, fast, (x, m), tol=8)
    assert "no compiled form" not in fast.explain(X, 8)


CONDITIONS = (
    *("k > 0", "k >= 1", "k != 0", "not k == 0", "k", "0 < k <= 4", "k > 0 and k < len(x)"),
    *("k < 1 or k > 4", "k == 0", "k <= 0", "-k > 0", "k < 0", "k > -3 and k != 0 and k >= 0", "k > m"),
)
HALVES = ("x[k:]", "x[:-k]", "x[:k]", "x[-k:]", "x[k + 1:]", "x[:1 - k]")


def program_of(condition: str, loop: bool) -> Callable[..., Any]:
    """A function that looks at parts of `x` where a condition on k holds, and where it doesn't."""
    seen = [f"s += w * {half}.sum() + 100.0 * {half}.size" for half in HALVES]
    head = "for k in range(low, m):" if loop else "for w in (1.0, 2.0):"
    lines = ["def program(x, low, m, k):", "    s, w = 0.0, 0.5", f"    {head}", f"        if {condition}:"]
    lines += [f"            {line}" for line in seen]
    lines += ["        else:", *(f"            {line.replace('s +=', 's -=')}" for line in seen)]
    text = "\n".join([*lines, "    return s", ""])
    name = f"<ends under {condition!r}, {loop}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    space: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), space)
    return space["program"]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("loop", [True, False], ids=["index", "argument"])
def test_parts_under_a_condition_and_where_it_does_not_hold(condition: str, loop: bool) -> None:
    program = program_of(condition, loop)
    fast = js.function(program)
    for size in (9, 2, 0):
        for low, m, k in ((-3, 6, 2), (0, 4, 0), (-12, 12, -4), (1, 3, 11), (0, 3, -11)):
            compare(program, fast, (X[:size].copy(), low, m, k), tol=16)


@pytest.mark.parametrize("loop", ["range(len(x), 0, -2)", "range(len(x))", "range(2, len(x) + 2)"])
def test_a_condition_that_never_holds_tells_no_sign(loop: str) -> None:
    text = (
        f"def program(x):\n    s = 0.0\n    for k in {loop}:\n        if k > -1:\n            s += x[0]\n"
        "        else:\n            s += x[:-2].sum() + (x - x[-1:][:1]).sum()\n    return s\n"
    )
    linecache.cache[f"<{loop}>"] = len(text), None, text.splitlines(True), f"<{loop}>"
    space: dict[str, Any] = {}
    exec(compile(text, f"<{loop}>", "exec"), space)
    fast = js.function(space["program"])
    for size in (9, 1, 4):
        compare(space["program"], fast, (X[:size].copy(),), tol=16)
    assert "+ 1]" not in js.to_code(fast, X, stage="graph")
