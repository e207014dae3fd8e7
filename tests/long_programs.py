"""Programs of minutes, each with a short form: loops of every kind that a kernel is made of."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

FOREVER = 10**12


def scalars(n):
    x = 0.3
    for i in range(n):
        x = 3.7 * x * (1.0 - x)
    return x


def steps_of_collatz(n):
    steps = 0
    for i in range(1, n):
        x = i
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            steps += 1
    return steps


def without_end(x, most):
    while x < most:
        x = x + 1.0 if x < 10.0 else x - 10.0 if most > 100.0 else most
    return x


def diffusion(u, n):
    for it in range(n):
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u = new
    return u


def escape_times(xs, ys, most):
    out = np.zeros((len(ys), len(xs)), np.int64)
    for j in range(len(ys)):
        for i in range(len(xs)):
            x = y = 0.0
            n = 0
            while n < most:
                if x * x + y * y > 4.0:
                    break
                x, y = x * x - y * y + xs[i], 2.0 * x * y + ys[j]
                n += 1
            out[j, i] = n
    return out


def bodies(x, v, n):
    for it in range(n):
        for i in range(x.shape[0]):
            for j in range(x.shape[0]):
                if i != j:
                    dx = x[j, 0] - x[i, 0]
                    dy = x[j, 1] - x[i, 1]
                    r = dx * dx + dy * dy + 0.1
                    v[i, 0] += 0.01 * dx / r
                    v[i, 1] += 0.01 * dy / r
        x += 0.01 * v
    return x


def small_arrays(x, n):
    for it in range(n):
        x = x * 0.5 + 1.0
    return x


def products(a, b, n):
    for it in range(n):
        b = a @ b
        b = b / np.abs(b).max()
    return b


def _newton(x):
    for i in range(50):
        x = 0.5 * (x + 2.0 / x)
        if x > 1e3:
            return 0.0
    return x


def calls(n):
    s = 0.0
    for i in range(n):
        s += _newton(1.0 + i % 7)
    return s


def triangle(a, n):
    s = 0.0
    for k in range(n):
        for i in range(a.shape[0]):
            for j in range(i):
                s += a[i] * a[j]
    return s


def broadcast(a, b):
    return np.sin(a[:, None] * b).max(0).sum()


def broadcast_in_a_loop(a, b, n):
    s = 0.0
    for k in range(n):
        s += np.sin(a[:, None] * b + k).max()
    return s


def along(n):
    y = np.empty(n)
    for i in range(n):
        y[i] = math.exp(math.sin(i))
    return y[0]


def back_along(y, k):
    for i in range(len(y) - 1, -1, -1):
        y[i] = math.exp(math.sin(i * k))
    return y[0]


def along_every_third(y, k):
    for i in range(1, len(y), 3):
        y[i] = math.exp(math.sin(i * k)) ** k
    return y[1]


def _filled(y, most):
    if most < 0:
        return 0.0
    for i in range(len(y)):
        y[i] = min(math.exp(math.sin(i)), most)
    return y[0]


def along_in_a_helper(y, most):
    return _filled(y, most)


@dataclass(frozen=True)
class Long:
    """A program, its arguments for a moment, and those for minutes."""

    program: Callable[..., Any]
    short: Callable[[], tuple[Any, ...]]
    long: Callable[[], tuple[Any, ...]]


def _field(size: int) -> Any:
    return np.random.default_rng(0).random((size, size))


_AXIS = np.linspace(-0.1, 0.1, 50)

LONG = (
    Long(scalars, lambda: (10,), lambda: (FOREVER,)),
    Long(steps_of_collatz, lambda: (20,), lambda: (FOREVER,)),
    Long(without_end, lambda: (0.0, 50.0), lambda: (0.0, 1e9)),
    Long(diffusion, lambda: (_field(20), 3), lambda: (_field(1000), 10**7)),
    Long(escape_times, lambda: (_AXIS, _AXIS, 30), lambda: (_AXIS, _AXIS, FOREVER)),
    Long(bodies, lambda: (_field(9), _field(9), 3), lambda: (_field(60), _field(60), 10**9)),
    Long(small_arrays, lambda: (np.ones(4), 9), lambda: (np.ones(4), FOREVER)),
    Long(products, lambda: (_field(6), _field(6), 3), lambda: (_field(50), _field(50), 10**9)),
    Long(calls, lambda: (20,), lambda: (FOREVER,)),
    Long(broadcast, lambda: (np.ones(5), np.ones(4)), lambda: (np.ones(10**6), np.ones(10**5))),
    Long(broadcast_in_a_loop, lambda: (_AXIS, _AXIS, 3), lambda: (np.ones(10**6), np.ones(10**5), 3)),
    Long(along, lambda: (5,), lambda: (10**8,)),
    Long(back_along, lambda: (np.ones(5), 0.5), lambda: (np.empty(10**8), 0.5)),
    Long(along_every_third, lambda: (np.ones(5), 0.5), lambda: (np.empty(10**8), 0.5)),
    Long(along_in_a_helper, lambda: (np.ones(5), 2.0), lambda: (np.empty(10**8), 2.0)),
    Long(triangle, lambda: (np.ones(5), 3), lambda: (np.ones(3000), 10**9)),
)
