"""Programs whose compiled code raises: one for each way in which a kernel may be left by an exception.

Each takes an array of some hundred elements or more, and a number; with `GOOD` it returns, with its own bad
number it raises.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

GOOD = 3


def read_beyond(a, k):
    b = np.exp(a * 2.0) + 1.0
    s = 0.0
    for i in range(2):
        s += b[k + i]
    return s


def write_beyond(a, k):
    b = a * 2.0
    for i in range(2):
        a[0] = b[i + 1]
        a[k + i] = b[i]
    return b


def deep_in_loops(a, k):
    s = 0.0
    for i in range(3):
        b = a + i
        for j in range(3):
            c = b * j
            s += c[k - j]
    return s


def in_a_while(a, k):
    b = np.zeros(len(a))
    i = 0
    while i < 5:
        b = b + a * i
        a[k] = b[i]
        i += 1
    return b


def _picked(x, k):
    y = x * 0.5
    if k < 0:
        return y[0]
    return y[k]


def in_a_helper(a, k):
    b = a + 1.0
    s = 0.0
    for i in range(3):
        s += _picked(b, k)
        b = b * 0.5
    return s


def _halves(x, k):
    y = x * 0.5
    z = y + 1.0
    if k > 10_000_000:
        return z
    for i in range(3):
        z[k + i] += y[i]
    return y


def in_a_helper_with_arrays(a, k):
    b = a + 1.0
    for i in range(2):
        b = _halves(b, k)
        a[i] = b[0]
    return b


def divided(a, k):
    b = np.exp(-a)
    s = 0.0
    for i in range(4):
        b = b * 0.5
        a[i] = b[i]
        s += 1 / (k - 5 - i)
    return s + b[0]


def raised_by_the_user(a, k):
    b = a * 2.0
    a[1] = b[0]
    for i in range(4):
        c = b + i
        if c[0] * k > 1e6:
            raise ValueError("too much")
        b = c * 0.5
    return b


def grown(a, k):
    b = a * 2.0
    n = k
    for i in range(3):
        n = n * k
        b = b + 1.0
        a[0] = b[1]
    return b[0] + n


def stored_in_int8(a, k):
    b = a * 2.0
    small = np.zeros(4, np.int8)
    a[1] = b[0]
    small[1] = k
    return b + small[1]


def greatest_of_none(a, k):
    b = a * 2.0
    a[1] = b[0]
    s = 0.0
    for i in range(3):
        c = b[k:] + i
        s += c.max()
        b = b + s
    return s


def after_a_product(a, k):
    m = a[:100].reshape(10, 10)
    b = a[:10] * 1.0
    for i in range(3):
        b = m @ b
        a[i] = b[0]
        b[k] += 1.0
    return b


def after_reductions(a, k):
    s = 0.0
    for i in range(3):
        b = a - a.mean()
        s += (b * b).sum() + b.argmax()
        a[k] = s * 1e-9
    return s


def unbound(a, k):
    b = a * 2.0
    for i in range(k):
        c = b * 0.5
        b = c
    return b[0] + c[0]


def domain(a, k):
    b = a * 2.0
    s = 0.0
    for i in range(3):
        b = b * 0.5
        s += math.sqrt(k + 3) + b[i]
    return s


@dataclass(frozen=True)
class Raising:
    """A program, and the number with which it raises."""

    program: Callable[[Any, int], Any]
    bad: int


BEYOND = 10_000_000
RAISING = (
    *(Raising(f, BEYOND) for f in (read_beyond, write_beyond, deep_in_loops, in_a_while, in_a_helper)),
    *(Raising(f, BEYOND) for f in (in_a_helper_with_arrays, raised_by_the_user, greatest_of_none)),
    *(Raising(f, BEYOND) for f in (after_a_product, after_reductions)),
    Raising(divided, 7),
    Raising(stored_in_int8, 300),
    Raising(unbound, 0),
    Raising(domain, -10),
)
BEYOND_64_BITS = Raising(grown, 10**9)
"""Plain Python has an answer to this one; compiled code, which has written something by then, has none."""
