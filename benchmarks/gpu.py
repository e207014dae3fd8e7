"""Times on the GPU at hand against NumPy, jitscope on the CPU, and CuPy where it is installed.

Arguments and results are NumPy's: what is measured holds both copies over the bus. CuPy is measured in both
ways, with them and without.

    python benchmarks/gpu.py
"""

from __future__ import annotations

import importlib.util
import platform
import statistics
import time
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

import jitscope as js

RNG = np.random.default_rng(0)
X = RNG.normal(size=8_000_000)
A = RNG.normal(size=(2048, 2048))


def chain(x: np.ndarray, k: float) -> np.ndarray:
    return np.exp(-x * x) * k + np.where(x > 0.0, np.sqrt(np.abs(x)), x)


def softmax_of_rows(a: np.ndarray) -> np.ndarray:
    e = np.exp(a - a.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def norm(x: np.ndarray, y: np.ndarray) -> np.float64:
    return np.sqrt(((x - y) ** 2).sum())


def relaxed(u: np.ndarray, n: int) -> np.ndarray:
    v = u.copy()
    for _ in range(n):
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u, v = v, u
    return u


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.maximum(a @ b, 0.0)


def escape_times(height: int, width: int, step: float, most: int) -> np.ndarray:
    counts = np.zeros((height, width), dtype=np.int64)
    for i in range(height):
        for j in range(width):
            x, y = -2.2 + step * j, -1.2 + step * i
            a, b, k = 0.0, 0.0, 0
            while a * a + b * b < 4.0 and k < most:
                a, b = a * a - b * b + x, 2.0 * a * b + y
                k += 1
            counts[i, j] = k
    return counts


ROWS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "chain, 8 M float64": (chain, (X, 2.5)),
    "chain, 8 M float32": (chain, (X.astype(np.float32), 2.5)),
    "softmax of rows, 2048²": (softmax_of_rows, (A,)),
    "norm of a difference, 8 M": (norm, (X, X[::-1].copy())),
    "relaxed, 2048², 200 steps": (relaxed, (A, 200)),
    "product and maximum, 2048² float64": (product, (A, A.T.copy())),
    "product and maximum, 2048² float32": (product, (A.astype(np.float32), A.T.astype(np.float32))),
    "escape times, 1200 × 1600, 300": (escape_times, (1200, 1600, 0.002, 300)),
}


def steady(call: Callable[[], Any], least: float = 1.0) -> float:
    """Seconds of a call: the median of those in `least` seconds, three at least."""
    found: list[float] = []
    while sum(found) < least or len(found) < 3:
        began = time.perf_counter()
        call()
        found.append(time.perf_counter() - began)
    return statistics.median(found)


def with_cupy(program: FunctionType, arguments: tuple[Any, ...]) -> tuple[float, float]:
    """Seconds of a program of array operations in CuPy, with the copies over the bus and without."""
    import cupy

    scope = {**vars(cupy), "np": cupy}
    code = FunctionType(program.__code__, scope)

    def there() -> list[Any]:
        return [cupy.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments]

    def copied() -> Any:
        return cupy.asnumpy(code(*there()))

    kept = there()

    def alone() -> None:
        code(*kept)
        cupy.cuda.runtime.deviceSynchronize()

    copied()
    alone()
    return steady(copied), steady(alone)


def row(program: FunctionType, arguments: tuple[Any, ...], rtol: float) -> list[float]:
    """Seconds in NumPy, compiled for the CPU, for the GPU, of its first call, and in CuPy."""
    loops = program is escape_times
    cells = [float("nan") if loops else steady(lambda: program(*arguments))]
    on_cpu = js.function(cache=False)(program)
    expected = on_cpu(*arguments)
    cells.append(steady(lambda: on_cpu(*arguments)))
    on_gpu = js.function(device="/gpu:0", cache=False)(program)
    began = time.perf_counter()
    result = on_gpu(*arguments)
    first = time.perf_counter() - began
    np.testing.assert_allclose(result, expected, rtol=rtol, atol=1e-3)
    cells += [steady(lambda: on_gpu(*arguments)), first]
    if importlib.util.find_spec("cupy") and not loops:
        cells += with_cupy(program, arguments)
    return cells


def main() -> None:
    """Print a row for each program, in milliseconds."""
    from numba import cuda

    print(platform.python_version(), np.__version__, cuda.get_current_device().name)
    print(f"{'milliseconds':38} {'NumPy':>9} {'CPU':>9} {'GPU':>9} {'first':>9} {'CuPy':>9} {'alone':>9}")
    for name, (program, arguments) in ROWS.items():
        cells = row(program, arguments, 2e-3 if "float32" in name else 1e-9)
        print(f"{name:38} " + " ".join(f"{1e3 * cell:9.2f}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
