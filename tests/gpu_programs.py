"""Programs that run on a GPU, and how many kernels each is: 0 where the CPU has to do it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import jitscope as js


@dataclass
class Case:
    """A program, its arguments, how many kernels it has at least, how far sums in another order may be."""

    program: Callable[..., Any]
    make: Callable[[], tuple[Any, ...]]
    kernels: int = 1
    rtol: float = 0.0
    device: str | None = "/gpu:0"


CASES: dict[str, Case] = {}
RNG = np.random.default_rng(5)


def case(*arguments: Any, kernels: int = 1, rtol: float = 0.0, device: str | None = "/gpu:0") -> Any:
    def add(program: Callable[..., Any]) -> Callable[..., Any]:
        def make() -> tuple[Any, ...]:
            return tuple(a.copy("K") if isinstance(a, np.ndarray) else a for a in arguments)

        CASES[program.__name__] = Case(program, make, kernels, rtol, device)
        return program

    return add


X = RNG.normal(size=150)
A, B = RNG.normal(size=(9, 14)), RNG.normal(size=(9, 14))
SUMS = 1e-14


# Elementwise ------------------------------------------------------------------------------------------------


@case(X, 2.5)
def chain(x, k):
    return np.exp(-x * x) * k + np.where(x > 0.0, np.sqrt(np.abs(x)), x)


@case(A, B[0], B[:, :1])
def broadcast(a, row, column):
    return a * row - column


@case(A.astype(np.float32), 2.0)
def single_precision(a, k):
    return np.sin(a) * k + a


@case(np.arange(-60, 60), 7)
def integers(n, k):
    return n // k + n % k, n * n > 100


@case(X)
def rounding(x):
    return np.floor(x), np.ceil(x), np.trunc(x * 3.0), np.rint(x * 2.0), np.clip(x, -0.5, 0.5)


@case(X + 1j * X[::-1], rtol=1e-15)
def complex_numbers(z):
    return z * z + 2.0 * z


@case(A)
def views(a):
    return a[1:, ::-2] + a[:-1, ::-2], a.T * 2.0, a[3] - a[-1]


@case(np.asfortranarray(A), B[::2, ::-1])
def layouts(a, b):
    return a * 2.0, b + 1.0, a[::2] * b


@case(np.float64(3.0), np.array(2.0), kernels=0)
def no_axes(x, a):
    return a + x, np.sqrt(a * a)


@case(np.zeros((0, 4)))
def no_elements(a):
    return a + 1.0, a.sum(axis=0)


@case(np.zeros((1, 1)))
def one_element(a):
    return a + 1.0, a.sum()


# Reductions -------------------------------------------------------------------------------------------------


@case(A, rtol=SUMS)
def sums(a):
    return a.sum(), a.sum(axis=0), a.sum(axis=1), (a * a).sum(axis=1, keepdims=True), a.prod(axis=1)


@case(A, rtol=SUMS)
def sums_in_any_layout(a):
    return a[:, ::2].sum(), a.T.prod(axis=0), a[::-1].sum(axis=0)


@case(A)
def extremes(a):
    return a.max(), a.min(axis=0), a.argmax(axis=1), a.argmin(axis=0), np.abs(a).max()


@case(np.where(A > 1.0, np.nan, A))
def extremes_with_nan(a):
    return a.max(), a.min(axis=1), a.argmax(axis=1)


@case(np.arange(-500, 500).reshape(50, 20), kernels=3)
def integer_reductions(n):
    return n.sum(), n.max(axis=1), (n > 3).any(axis=0), (n > -600).all(), np.count_nonzero(n)


@case(RNG.normal(size=3000).astype(np.float32), rtol=2e-7)
def sums_in_single_precision(x):
    return x.sum(), (x * x).sum()


@case(A, kernels=2, rtol=SUMS)
def normalised(a):
    return (a - a.mean()) / a.std()


@case(np.zeros((0, 3)))
def empty_reductions(a):
    return a.sum(), a.sum(axis=1)


@case(A, B.T, A[0], rtol=SUMS)
def products(a, b, x):
    c = a @ b
    return c, a @ x, A[:, 0] @ a, c.T @ c, (a + 1.0)[::2] @ b[:, 1:]


@case(A.astype(np.float32), np.arange(28).reshape(14, 2), rtol=1e-6)
def products_of_two_dtypes(a, n):
    return a @ n, np.maximum(a @ n, 0.0) * 2.0


@case(RNG.normal(size=(3, 4, 5)), RNG.normal(size=(5, 2)), kernels=0)
def stacked_products(a, b):
    return a @ b


# Memory -----------------------------------------------------------------------------------------------------


@case(A, B)
def written_arguments(a, b):
    a += b
    a[1:-1] *= 2.0
    b[:, 0] = a[:, 1]


@case(A)
def overlapping_writes(a):
    a[1:] = a[:-1] * 2.0
    a[:, :-1] += a[:, 1:]


@case(A, 3)
def swapped_buffers(u, n):
    v = u.copy()
    for _ in range(n):
        v[1:-1] = 0.5 * (u[:-2] + u[2:])
        u, v = v, u
    return u


@case(A)
def returned_views(a):
    b = a * 2.0
    return b[1:], b, a[2:]


@case(A)
def created(a):
    zero, one = np.zeros(a.shape), np.ones_like(a)
    zero[2:] = one[2:] * a[2:]
    return zero, np.full(a.shape, 3.5) * a


@case(A, kernels=2)
def between_numpy(a):
    b = a * 2.0
    c = np.sort(b, axis=0)
    c += b
    b[0] = c[1]
    return np.sort(b * c, axis=1)


@case(A, kernels=2)
def single_elements(a):
    b = a * 2.0
    b[1, 2] = 5.0
    c = b + 1.0
    return c[1, 2], c


@case(A)
def opaque(a):
    kept = []
    b = a * 2.0
    kept.append(b)
    b += 1.0
    return kept, [v.tolist() for v in kept]


@case(A)
def raises_after_a_write(a):
    a *= 2.0
    if a.shape[0] > 3:
        raise ValueError("enough")
    return a


# Loops ------------------------------------------------------------------------------------------------------


@case(A)
def pixels(a):
    out = np.zeros(a.shape)
    for i in range(a.shape[0]):
        for j in range(1, a.shape[1]):
            x = a[i, j] - a[i, j - 1]
            out[i, j] = x * x if x > 0.0 else -x
    return out


@case(A, 20.0, 12)
def iteration_counts(a, limit, most):
    counts = np.zeros(a.shape, dtype=np.int64)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            x = a[i, j]
            k = 0
            while x * x < limit and k < most:
                x = x * 1.5 + 0.1
                k += 1
            counts[i, j] = k
    return counts


@case(X, kernels=0)
def a_recurrence(x):
    for i in range(1, x.shape[0]):
        x[i] = 0.5 * x[i - 1] + x[i]
    return x


@case(A, 1e-3, 5, kernels=2)
def until_settled(u, tol, most):
    steps, change = 0, tol + 1.0
    while change > tol and steps < most:
        new = 0.5 * u + 0.1
        change = np.abs(new - u).max()
        u = new
        steps += 1
    return u, steps


@case(A)
def sorted_views(a):
    b = a * 2.0
    c = np.cumsum(np.sort(b[::-1], axis=1), axis=1)
    b += c
    return np.sort(b.T[1:], axis=0), b


@case(X, kernels=1, rtol=1e-15)
def functions_in_both_places(x):
    y = np.tanh(x * 0.5) * np.cos(x)
    with js.device("/cpu:0"):
        z = np.tanh(y * 2.0) * np.cos(y)
    return y, z


# Scopes and contexts ----------------------------------------------------------------------------------------


@case(A, kernels=1, rtol=1e-12, device=None)
def a_part(a):
    b = np.cos(a) + a
    with js.device("/gpu:0"):
        c = np.exp(b) + b
    return c * 2.0 - np.sin(c)


@case(A, kernels=1, device=None)
def compiled_everywhere(a):
    with js.device("/job:localhost/replica:0/task:0/device:JIT_GPU:0"):
        return np.exp(a) + a


@case(A, kernels=2)
def uncompiled_operations(a):
    with js.jit_scope(compile_ops=False):
        return np.exp(a) + a


@case(X, kernels=1)
def what_the_gpu_has_not(x):
    y = np.sort(x) * 2.0
    return y, np.fmod(x, 0.3)


@case(A, kernels=0)
def nothing_for_the_gpu(a):
    return np.sort(a)


@case(X, 0.3, kernels=1)
def a_loop_that_is_left(x, k):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = np.sin(x[i]) * k
        if k + k > 0.5:
            break
    return y


@case(X, kernels=1)
def a_loop_that_skips(x):
    y = np.zeros_like(x)
    for i in range(len(x)):
        if x[i] > 0.0:
            continue
        y[i] = x[i] * 2.0
    return y


@case(X, kernels=3, rtol=SUMS)
def ints_of_floats(x):
    e = np.abs(x)
    z = np.full(len(x), 2)
    z[2:] = e[2:] * e.sum()
    return z


@case(A, B, 2, kernels=2)
def a_name_that_is_bound_early(a, b, k):
    for i in range(4):
        p = np.exp(a * b)
        if i < k:
            low = p[: len(a) // 2] * 0.5
            b = np.fmod(b, 0.3)
        else:
            b = b - low.mean(axis=0)
    return b


@case(A, B, kernels=3)
def a_name_that_is_never_bound(a, b):
    for i in range(3):
        p = np.exp(a * b)
        t = np.fmod(p, 0.3)
        u = np.fmod(t, 1.0 + np.abs(t).sum())
        first = u[i, 0]
        if i % 2 == 1:
            low = p[: len(a) // 2]
            break
        b = b - u * low.mean(axis=0) * first
    return b


# Examples ---------------------------------------------------------------------------------------------------

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def _example(name: str, function: str, *arguments: Any, rtol: float = 0.0) -> None:
    """A function of `examples/`, on less than what it has there."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        program = getattr(__import__(name), function)
    finally:
        sys.path.remove(str(EXAMPLES))
    case(*arguments, rtol=rtol)(program)
    CASES[f"example_{name}"] = CASES.pop(function)


_example("mandelbrot", "mandelbrot", -2.2, 1.2, 0.2, 16, 12, 30)
_example(
    *("digits_softmax", "predict"),
    *(RNG.normal(size=(6, 16)), RNG.normal(size=(16, 10)), RNG.normal(size=10)),
    rtol=SUMS,
)
_example("denoise", "denoise", RNG.normal(size=(9, 10)), 0.12, 1.0, 0.2, 0.0005, 4)
