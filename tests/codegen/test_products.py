"""Products of matrices in compiled code: NumPy's up to the order of summation, for all sizes and layouts."""

from __future__ import annotations

import functools
import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import njit
from same import Tolerance, same

import jitscope as js
from jitscope.codegen import blas_addresses
from jitscope.codegen.products import LARGE, dot, matmul, panels
from jitscope.runtime.config import config

DTYPES = ("float32", "float64", "complex64", "complex128", "int8", "int64", "uint64", "bool")
FLOATS = DTYPES[:4]


@functools.cache
def multiply(dtype, left, right):
    """`matmul` compiled for arrays of any strides, with so many axes."""
    kind = "boolean" if dtype == "bool" else dtype
    axes = {1: f"{kind}[:]", 2: f"{kind}[:,:]"}
    result = f"{kind}[::1]" if left + right == 3 else f"{kind}[:,::1]"

    @njit(f"({axes[left]}, {axes[right]}, {result})", nogil=True, error_model="numpy")
    def compiled(a, b, out):
        matmul(a, b, out)

    return compiled


@njit(nogil=True, error_model="numpy")
def multiply_vectors(a, b):
    return dot(a, b)


def numbers(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.random(shape) < 0.3
    if kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    real = rng.standard_normal(shape)
    return (real + 1j * rng.standard_normal(shape) if kind == "c" else real).astype(dtype)


def check(found, a, b):
    """`found` is ``a @ b``: exact for integers, else within twice the bound of docs/decisions.md."""
    expected = np.matmul(a, b)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    if found.dtype.kind not in "fc":
        np.testing.assert_array_equal(found, expected)
        return
    inner = a.shape[-1]
    wide = np.complex128 if found.dtype.kind == "c" else np.float64
    size = np.matmul(np.abs(a).astype(np.float64), np.abs(b).astype(np.float64))
    # A complex product is four real ones.
    scale = (1 if wide is np.float64 else 4) * np.finfo(found.dtype).eps
    assert (np.abs(found.astype(wide) - expected.astype(wide)) <= inner * scale * size).all()


def product(a, b):
    if a.ndim == b.ndim == 1:
        return np.asarray(multiply_vectors(a, b), a.dtype)
    with np.errstate(all="ignore"):
        out = np.full(np.matmul(a, b).shape, 1, a.dtype)
    multiply(a.dtype.name, a.ndim, b.ndim)(a, b, out)
    return out


def fortran(a):
    return np.asfortranarray(a)


def rows_apart(a):
    return np.repeat(a, 2, axis=0)[::2]


def columns_apart(a):
    return np.repeat(a, 3, axis=-1)[..., 1::3]


def backwards(a):
    return a[::-1].copy()[::-1]


LAYOUTS = (np.ascontiguousarray, fortran, rows_apart, columns_apart, backwards)
SIZES = (
    (0, 3, 2),
    (2, 0, 3),
    (3, 2, 0),
    (1, 1, 1),
    (4, 5, 1),
    (1, 5, 7),
    (5, 9, 6),
    (13, 70, 37),
    (70, 65, 66),
)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_layout_of_matrices(dtype, size):
    m, k, n = size
    a, b = numbers((m, k), dtype), numbers((k, n), dtype, 1)
    for left, right in itertools.product(LAYOUTS, LAYOUTS):
        check(product(left(a), right(b)), a, b)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("k", [0, 1, 7, 100, 1000])
def test_every_layout_of_vectors(dtype, k):
    x, y = numbers(k, dtype), numbers(k, dtype, 1)
    a = numbers((9, k), dtype, 2)
    for left, right in itertools.product((np.ascontiguousarray, columns_apart, backwards), LAYOUTS):
        check(product(left(x), left(y)), x, y)
        check(product(right(a), left(x)), a, x)
        check(product(left(x), right(a).T), x, a.T)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("size", [(80, 90, 70), (1, 700, 300), (300, 700, 1)], ids=str)
def test_large_products_are_blas(dtype, size):
    m, k, n = size
    assert m * k * n > LARGE
    a, b = numbers((m, k), dtype), numbers((k, n), dtype, 1)
    for left, right in itertools.product(LAYOUTS, LAYOUTS):
        check(product(left(a), right(b)), a, b)


@pytest.mark.parametrize("dtype", FLOATS)
def test_products_with_the_own_transpose_are_symmetric(dtype):
    for a in (numbers((90, 70), dtype), numbers((90, 70), dtype).T, numbers((5, 6), dtype)):
        found = product(a, a.T)
        check(found, a, a.T)
        np.testing.assert_array_equal(found, found.T)


def test_without_blas_the_small_form_serves(monkeypatch):
    table = blas_addresses.table()
    kept = list(table)
    try:
        table[:] = [None] * len(kept)
        for dtype in FLOATS:
            a, b = numbers((80, 90), dtype), numbers((90, 70), dtype, 1)
            check(product(a, b), a, b)
            check(product(a, a.T), a, a.T)
    finally:
        table[:] = kept


def test_numpys_wheels_have_blas():
    known = np.show_config(mode="dicts")["Build Dependencies"]["blas"]["name"]
    if known != "scipy-openblas":
        pytest.skip(f"this NumPy is linked with {known}")
    assert all(blas_addresses.table())


def test_nothing_is_skipped():
    for value in (np.nan, np.inf, -np.inf):
        for m, k, n in ((1, 1, 1), (3, 40, 17), (5, 9, 1), (1, 9, 5), (70, 70, 70)):
            a, b = np.zeros((m, k)), numbers((k, n), "float64")
            b[k // 2, n // 2] = value
            with np.errstate(all="ignore"):
                expected = a @ b
            np.testing.assert_array_equal(product(a, b), expected)


# Whole functions -------------------------------------------------------------------------------------------

NEAR = Tolerance(ulp=64, atol=1e-13)


def layer(x, w, b):
    return np.tanh(x @ w + b)


def powers(a):
    for _ in range(3):
        a = a @ a
        a = a / np.abs(a).max()
    return a


def in_place(a, b):
    a[...] = a @ b
    a[1:] = a[:-1] @ b.T
    return a


def parts(a, b):
    n = a.shape[1] // 2
    return a[:, :n] @ b[:n] + a[:, n:][::-1] @ b[n:], a[::2].T @ a[::2] * 2, (a[0] @ a[1]) * a[:, 0]


def stacks(a, b):
    return (a @ b).sum(axis=2), a @ b[0] + 1, a @ b[0, :, 0] - 1, (a[0, 0] @ b) * 2


def mixed(a, b):
    return a @ b + 1, b.T @ a.T - 1


def chain(x, w, u):
    return (x @ w) @ u - x @ (w @ u)


def expressions(a, b):
    return (a * 2 + 1) @ np.exp(b) + (a @ b).sum(axis=0)


def outer_sum(rows, w):
    total = np.zeros(w.shape[1])
    for t in range(len(rows)):
        total += rows[t] @ w
    return total


def m(*shape, dtype="float64", seed=0):
    return numbers(shape, dtype, seed)


CASES = (
    (layer, (m(5, 4), m(4, 3), m(3))),
    (layer, (m(0, 4), m(4, 3), m(3))),
    (layer, (m(5, 0), m(0, 3), m(3))),
    (layer, (m(5, 4).T[::-1], m(5, 3)[:, ::-1], m(3))),
    (layer, (fortran(m(5, 4)), fortran(m(4, 3)), m(3))),
    (powers, (m(6, 6),)),
    (in_place, (m(5, 5), m(5, 5, seed=1))),
    (parts, (m(6, 6), m(6, 3))),
    (stacks, (m(3, 4, 5), m(3, 5, 2))),
    (stacks, (m(1, 4, 5), m(3, 5, 2))),
    (stacks, (m(0, 4, 5), m(1, 5, 2))),
    (mixed, (m(4, 3, dtype="int64"), m(3, 5))),
    (mixed, (m(4, 3, dtype="float32"), m(3, 5))),
    (mixed, (m(4, 3, dtype="bool"), m(3, 5, dtype="bool"))),
    (mixed, (m(4, 3, dtype="int8"), m(3, 5, dtype="uint8"))),
    (mixed, (m(4, 3, dtype="complex128"), m(3, 5))),
    (chain, (m(70, 80), m(80, 90, seed=1), m(90, 60, seed=2))),
    (expressions, (m(4, 3), m(3, 3))),
    (outer_sum, (m(7, 4), m(4, 3))),
)


@pytest.mark.parametrize(("function", "args"), CASES, ids=lambda x: getattr(x, "__name__", ""))
def test_functions_with_products(function, args):
    same(function, *args, tol=NEAR)


@pytest.mark.parametrize(
    "args",
    [(m(5, 4), m(3, 3), m(3)), (m(5, 4), m(4), m(3)), (m(4), m(3, 3), m(3)), (np.float64(2), m(4, 3), m(3))],
    ids=lambda args: " ".join(str(a.shape) for a in args),
)
def test_errors_are_numpys(args):
    same(layer, *args)


WARM = """
import numpy as np, jitscope as js


@js.function
def layer(x, w, b):
    return np.maximum(x @ w + b, 0)

for n in (10, 100):
    x, w, b = np.full((n, n), 0.5), np.eye(n), np.ones(n)
    assert (layer(x, w, b) == 1.5).all()

print(layer.specializations[0].from_disk)
"""


def test_cached_machine_code_finds_blas_again(tmp_path):
    root = Path(__file__).resolve().parents[2]
    script = tmp_path / "layer.py"
    script.write_text(WARM)
    search = os.pathsep.join([str(root.parent), os.environ.get("PYTHONPATH", "")])
    environ = {**os.environ, "JITSCOPE_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": search}
    shown = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, str(script)], env=environ, capture_output=True, text=True, check=True
        )
        shown.append(done.stdout.split()[-1])
    assert shown == ["False", "True"]


@pytest.mark.parametrize("size", [16, 32, 64])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_formulas_beside_products_whatever_the_registers_hold(size, dtype, monkeypatch, tmp_path):
    """Registers of 32 bytes hold as many float64 as formulas compute at once: both use one intrinsic.

    What is kept on disk holds both in one module of LLVM's.
    """
    monkeypatch.setattr(config, "cache_dir", str(tmp_path))
    monkeypatch.setattr(panels, "vector_bytes", lambda: size)

    def program(a, b, c, steps):
        for _ in range(steps):
            np.add(b @ a.T, 0.1, out=b)
            a = np.minimum(a, b)
        np.copyto(c, np.sin(c) + np.tan(c))
        return a, b, c

    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=size).astype(dtype) for size in ((7, 7), 7, 9)]
    found = js.function(program, strict=True)(*(array.copy() for array in arrays), 3)
    expected = program(*(array.copy() for array in arrays), 3)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4 if dtype is np.float32 else 1e-11)
