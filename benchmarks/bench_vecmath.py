"""Vector math against NumPy and the C library: nanoseconds per element, compile time, error.

Run `python benchmarks/bench_vecmath.py`. The array has 10000 elements, so that caches and not memory set the
pace.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from jitscope.codegen import vecmath

SIZE = 10_000
NAMES = (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sinh", "cosh", "tanh", "arctan", "sqrt"),
    *("sin", "cos", "tan"),
)


def nanoseconds(function: Callable[..., Any], *args: Any) -> float:
    """Best time for one element."""
    best = math.inf
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(10):
            function(*args)
        best = min(best, time.perf_counter() - start)
    return best / 10 / SIZE * 1e9


def compiled(function: Callable[..., Any], dtype: str) -> tuple[Any, float]:
    """A loop over `function` and the milliseconds that its compilation took."""
    kind = numba.from_dtype(np.dtype(dtype))[::1]

    def loop(x: Any, out: Any) -> None:
        for i in range(out.shape[0]):
            out[i] = function(x[i])

    start = time.perf_counter()
    return numba.njit((kind, kind), error_model="numpy")(loop), (time.perf_counter() - start) * 1e3


def elementwise() -> None:
    compiled(math.sqrt, "f8")  # Numba's own start
    heads = ("function", "dtype", "jitscope", "numpy", "libm", "ulp", "compile", "libm's")
    print("ns per element, and ms to compile a loop\n" + " ".join(f"{head:>9}" for head in heads))
    for name in NAMES:
        in_libm = getattr(math, {"arctan": "atan"}.get(name, name), math.exp)
        for dtype in ("f8", "f4"):
            x = np.linspace(0.05, 8, SIZE).astype(dtype)
            out = np.empty_like(x)
            ours, ours_ms = compiled(getattr(vecmath, name), dtype)
            libm, libm_ms = compiled(in_libm, dtype)
            ours(x, out)
            exact = getattr(np, name)(x.astype(np.longdouble))
            error = float((np.abs(out - exact) / np.spacing(np.abs(out))).max())
            times = [nanoseconds(f, x, out) for f in (ours, getattr(np, name), libm)]
            row = " ".join(f"{number:9.2f}" for number in (*times, error, ours_ms, libm_ms))
            print(f"{name:>9} {dtype:>9} {row}")


def reductions() -> None:
    @numba.njit("f8(f8[::1])", error_model="numpy")
    def total(a: Any) -> Any:
        return vecmath.pairwise_sum(a)

    @numba.njit("f8(f8[::1])", error_model="numpy")
    def largest(a: Any) -> Any:
        m, bad = -np.inf, False
        for i in range(a.shape[0]):
            x = a[i]
            m = vecmath.larger(m, x)
            bad |= x != x
        return np.nan if bad else m

    a = np.random.default_rng(0).uniform(-1, 1, SIZE)
    assert total(a) == a.sum()
    for name, ours, numpys in (("sum", total, np.add.reduce), ("max", largest, np.maximum.reduce)):
        print(f"{name:>9} {'f8':>9} {nanoseconds(ours, a):9.3f} {nanoseconds(numpys, a):9.3f}")


if __name__ == "__main__":
    elementwise()
    reductions()
