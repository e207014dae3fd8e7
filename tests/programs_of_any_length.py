"""Programs of any length: the text of a function `f`, and arguments for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Long = tuple[str, tuple[Any, ...]]


def _vectors() -> tuple[Any, ...]:
    return np.arange(5.0), np.ones(5), np.full(5, 0.1)


def statements(count: int) -> Long:
    """Statements on arrays, each of which uses others."""
    lines = (
        "x = x * 1.5 + a",
        "y = np.sin(x) + y",
        "x = y - a * 0.25",
        "y = np.maximum(x, y)",
        "a = x * 0.1 + y",
    )
    body = "".join(f"    {lines[k % 5]}\n" for k in range(count))
    return f"def f(x, y, a):\n{body}    return x + y + a\n", _vectors()


def branches(count: int) -> Long:
    """Branches, one after the other."""
    body = "".join(
        f"    if a[{k % 5}] > {k % 7}.0:\n        x = x + {k % 3}.5\n    else:\n        x = x * 0.5\n"
        for k in range(count)
    )
    return f"def f(x, y, a):\n{body}    return x + y\n", _vectors()


def loops(count: int) -> Long:
    """Loops, one after the other."""
    body = "".join(f"    for i in range(len(x)):\n        s += x[i] * {k % 3}.5\n" for k in range(count))
    return f"def f(x, y, a):\n    s = 0.0\n{body}    return s\n", _vectors()


def scalars(count: int) -> Long:
    """Statements on numbers."""
    body = "".join("    s = s * 0.5 + t\n    t = t - s\n" for _ in range(count // 2))
    return f"def f(x, y, a):\n    s = x[1]\n    t = x[2]\n{body}    return s + t\n", _vectors()


def stores(count: int) -> Long:
    """Writes to elements."""
    body = "".join(f"    z[{k % 100}] = x[{k % 5}] * {k}\n" for k in range(count))
    return f"def f(x, y, a):\n    z = np.zeros(100)\n{body}    return z\n", _vectors()


def returns(count: int) -> Long:
    """Ways out of the function, one after the other."""
    body = "".join(f"    if k == {k}:\n        return x + {k}\n" for k in range(count))
    return f"def f(x, k):\n{body}    return x\n", (np.arange(5.0), 7)


def helper_calls(count: int) -> Long:
    """Calls of one helper."""
    body = "    x = g(x)\n" * count
    return f"def g(x):\n    return np.sin(x) + 1\n\n\ndef f(x):\n{body}    return x\n", (np.arange(5.0),)


def names(count: int) -> Long:
    """Local variables."""
    body = "".join(f"    v{k} = x * {k}.5\n" for k in range(count))
    return f"def f(x):\n{body}    return v0 + v{count - 1}\n", (np.arange(5.0),)


LONG: dict[str, Callable[[int], Long]] = {
    each.__name__: each
    for each in (statements, branches, loops, scalars, stores, returns, helper_calls, names)
}


def terms(count: int) -> Long:
    """A sum of many terms."""
    return f"def f(x):\n    return {' + '.join('x' for _ in range(count))}\n", (np.arange(5.0),)


def comparisons(count: int) -> Long:
    """One chain of comparisons."""
    return f"def f(x):\n    return {' < '.join(['x'] * count)}\n", (1.0,)


def chained_branches(count: int) -> Long:
    """``if`` and many ``elif``."""
    body = "".join(f"    elif k == {k + 1}:\n        x = x * {k}.5\n" for k in range(count))
    return f"def f(x, k):\n    if k == 0:\n        x = x + 1\n{body}    return x\n", (np.arange(5.0), 7)


def nested_branches(count: int) -> Long:
    """``if`` in ``if`` in ``if``."""
    body = "".join(f"{' ' * (k + 1)}if k > {k}:\n" for k in range(count))
    return f"def f(x, k):\n{body}{' ' * (count + 1)}x = x + 1\n return x\n", (np.arange(5.0), 500)


def nested_loops(count: int) -> Long:
    """``for`` in ``for`` in ``for``."""
    body = "".join(f"{' ' * (k + 1)}for i{k} in range(1):\n" for k in range(count))
    return f"def f(x):\n s = 0.0\n{body}{' ' * (count + 1)}s += x[1]\n return s\n", (np.arange(5.0),)


def parentheses(count: int) -> Long:
    """An expression in parentheses in parentheses."""
    return f"def f(x):\n    return {'(' * count}x{' + 1)' * count}\n", (np.arange(5.0),)


def signs(count: int) -> Long:
    """Minus minus minus."""
    return f"def f(x):\n    return {'-' * count}x\n", (np.arange(5.0),)


def conditionals(count: int) -> Long:
    """``a if b else c if d else ...``."""
    text = "".join(f"x + {k} if k == {k} else " for k in range(count))
    return f"def f(x, k):\n    return {text}x\n", (np.arange(5.0), 3)


def attributes(count: int) -> Long:
    """A long chain of attributes."""
    text = f"class O:\n    v = 2.0\n\n\nO.a = O\n\n\ndef f(x):\n    return x * O{'.a' * count}.v\n"
    return text, (np.arange(5.0),)


def constants(count: int) -> Long:
    """A long list of numbers."""
    text = ", ".join(f"{k}.5" for k in range(count))
    return f"def f(x):\n    t = [{text}]\n    return x * t[3]\n", (np.arange(5.0),)


def lambdas(count: int) -> Long:
    """Functions in functions in functions."""
    text = "".join(f"lambda a{k}: " for k in range(count))
    return f"def f(x):\n    g = {text}x\n    for k in range({count}):\n        g = g(k)\n    return g\n", (
        1.0,
    )
