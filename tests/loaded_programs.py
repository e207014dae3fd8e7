"""Functions whose kernels are kept by one process and called by the next; run as a program it calls them all.

    python loaded_programs.py

prints what each gives, plain and decorated, and whether Numba was imported for that.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import jitscope as js


def scalar(a, n):
    s = 0.0
    for i in range(n):
        s += a[i % len(a)] * i
    return s


def array(a):
    return np.sin(a) * np.exp(-a * a) + a.mean()


def written(a):
    for i in range(1, len(a)):
        a[i] += a[i - 1] * 0.5
    return a


def several(a):
    b = np.zeros((3, 4))
    for i in range(3):
        for j in range(4):
            b[i, j] = a[i] * j
    return b, b.sum(), int(a[0]) > 3


def outside(a, n):
    s = 0
    for i in range(n):
        s += a[i]
    return s


def refused(a):
    for i in range(len(a)):
        if a[i] < 0:
            raise ValueError("negative")
    return a.sum()


def complex_sum(z):
    s = 0j
    for i in range(len(z)):
        s += z[i] * z[i]
    return s


def product(m):
    x = m @ m
    for i in range(3):
        x = x @ m * 0.1
    return x


def powers(a, n):
    s = 0.0
    for i in range(n):
        s += np.hypot(a[0], i) + a[1] ** 0.3 + np.fmod(i, 3.7)
    return s


def primes(n):
    found = []
    for i in range(2, n):
        is_prime = True
        for p in found:
            if i % p == 0:
                is_prime = False
                break
        if is_prime:
            found.append(i)
    return found


def sorted_list(values):
    for i in range(len(values)):
        for j in range(len(values) - 1 - i):
            if values[j] > values[j + 1]:
                values[j], values[j + 1] = values[j + 1], values[j]
    return values


def loss(a):
    s = 0.0
    for i in range(4):
        s += (np.sin(a) * i).sum()
    return s


def drawn(seed, n):
    rng = np.random.default_rng(seed)
    s = 0.0
    for i in range(n):
        s += rng.random() * rng.normal() + rng.integers(0, i + 1)
    return s, rng.random()


def picked(a, i):
    s = 0.0
    for k in range(3):
        s += a[i].sum() + a[a > 0.2 * k].sum() + np.cumsum(a)[k]
    return s


def whirled(z, n):
    for i in range(n):
        z = z * z / (z + 1) + np.exp(z) * 0.1
    return z, abs(z)


def sums(k):
    b = np.full((3, 4), 0.7, dtype=np.float32)
    for i in range(k):
        b = b * b.mean(axis=0) / 10
    return b


CALLS: tuple[tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]], ...] = (
    (scalar, lambda: (np.arange(5.0), 40)),
    (array, lambda: (np.linspace(0, 1, 50),)),
    (written, lambda: (np.arange(6.0),)),
    (several, lambda: (np.array([4.5, 1.0, 2.0]),)),
    (outside, lambda: (np.arange(5), 5)),
    (outside, lambda: (np.arange(5), 7)),
    (refused, lambda: (np.arange(5.0),)),
    (refused, lambda: (np.array([1.0, -1.0]),)),
    (complex_sum, lambda: (np.arange(4) * (1 + 2j),)),
    (product, lambda: (np.arange(100.0 * 100).reshape(100, 100) / 1e4,)),
    (powers, lambda: (np.array([1.5, 2.5]), 20)),
    (primes, lambda: (60,)),
    (sorted_list, lambda: ([3.5, 1.5, 2.5, 0.5] * 100,)),
    (js.grad(loss), lambda: (np.arange(3.0),)),
    (sums, lambda: (4,)),
    (drawn, lambda: (5, 30)),
    (picked, lambda: (np.linspace(0, 1, 40), np.array([3, 1, -2]))),
    (whirled, lambda: (0.3 + 0.2j, 6)),
)


def outcome(f: Callable[..., Any], args: tuple[Any, ...]) -> str:
    """What a call gives or raises, and what it leaves in its arguments, bit for bit."""
    try:
        found = repr(_exact(f(*args)))
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    return f"{found} {_exact(list(args))!r}"


def _exact(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(map(_exact, value))
    return (value.dtype.str, value.shape, value.tobytes().hex()) if isinstance(value, np.ndarray) else value


def main() -> None:
    told: dict[str, Any] = {"wrong": [], "numba": []}
    functions = {f: f if f.__name__.startswith("grad") else js.function(f) for f, _ in CALLS}
    for again in range(3):
        for f, arguments in CALLS:
            plain, decorated = outcome(f, arguments()), outcome(functions[f], arguments())
            if plain != decorated:
                told["wrong"].append([f.__name__, again, plain, decorated])
            if again == 0 and "numba" in sys.modules:
                told["numba"].append(f.__name__)
        if again == 1:
            exec("import numba\nassert numba.njit(lambda x: [x, x + 1])(3) == [3, 4]")
    told["compilations"] = js.config.counters.compilations
    print(json.dumps(told))


if __name__ == "__main__":
    main()
