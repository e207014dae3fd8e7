"""Complex arithmetic in kernels has the bits of NumPy's loops, of NumPy's numbers and of Python's."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from compiled import explanation, has_compiled_part, needs_compiler
from same import same

import jitscope as js
from jitscope.graph.ir import complex_loops
from jitscope.graph.ops import OPS
from jitscope.graph.ops.from_c import C_NAMES

DTYPES = ("complex128", "complex64")


def numbers(dtype: str, count: int, seed: int = 0) -> np.ndarray:
    """Random numbers of all sizes, and the special ones of both parts."""
    half = np.empty(0, dtype).real.dtype
    info, rng = np.finfo(half), np.random.default_rng(seed)
    special = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, info.tiny, info.smallest_subnormal]
    special += [info.max, -info.max, 0.1, 3.0, -info.tiny * 3]
    parts = rng.standard_normal((2, count)) * 10.0 ** rng.integers(-6, 7, (2, count))
    parts[:, : count // 2] = rng.standard_normal((2, count // 2))
    found = np.empty(count + len(special) ** 2, dtype)
    found.real = np.concatenate([parts[0], np.repeat(special, len(special))]).astype(half)
    found.imag = np.concatenate([parts[1], np.tile(special, len(special))]).astype(half)
    return rng.permutation(found)


def all_pairs(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Random pairs, and each of many special numbers with each."""
    z, w = numbers(dtype, 3000), numbers(dtype, 3000, 1)
    special = numbers(dtype, 0, 2)[::2]
    return np.concatenate([z, np.repeat(special, len(special))]), np.concatenate(
        [w, np.tile(special, len(special))]
    )


def arithmetic(z, w):
    return z * w, z / w, z * 2.5, 2.5 / z, 1j * z, z * z, z - w * z, (z + w) / (z - w)


def sizes(z, w):
    return abs(z), np.abs(z * w), np.square(z), np.reciprocal(z), np.abs(z) ** 2, z * z.conj()


def powers(z, w):
    return z**2, z**3, z**-1, z**0.5, z**2.0, z**-2, z**5, z**1, z**0, z**-0.5, z**w, np.power(z, 2)


def questions(z, w):
    finite = np.isfinite(z)
    return finite, np.isinf(z), np.isnan(z), z == w, z != w, np.where(finite, z * w, z), z.sum()


def exponentials(z, w):
    return np.exp(z), np.log(z), np.sqrt(z), np.exp(1j * z) * w


def angles(z, w):
    return np.sin(z), np.cos(z), np.tan(z), np.arcsin(z), np.arccos(z), np.arctan(z)


def hyperbolic(z, w):
    return np.sinh(z), np.cosh(z), np.tanh(z), np.arcsinh(z), np.arccosh(z), np.arctanh(z)


def in_place(z, w):
    u = z.copy()
    u *= w
    u /= 3.0
    u += z
    u **= 2
    return u


def rows(z, w):
    a, b = z[:60].reshape(6, 10), w[:10]
    return a * b, b * a[:, :1], abs(a * b), a / b


ARRAYS = (arithmetic, sizes, powers, questions, exponentials, angles, hyperbolic, in_place, rows)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("f", ARRAYS, ids=lambda f: f.__name__)
def test_arrays_have_the_bits_of_numpys_loops(f, dtype):
    same(f, *all_pairs(dtype))


@needs_compiler
@pytest.mark.parametrize("f", ARRAYS[:-1], ids=lambda f: f.__name__)
def test_array_arithmetic_is_compiled(f):
    z = numbers("complex128", 100)
    decorated = js.function(f)
    with np.errstate(all="ignore"):
        decorated(z, z[::-1].copy())
    assert has_compiled_part(decorated)
    assert "runs as" not in explanation(decorated)


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_that_run_backwards_or_in_steps(dtype):
    """NumPy's loops over negative strides round in another way."""

    def f(z, w):
        turned = z[::-1]
        return z[::2] * w[::2], turned * w, abs(turned), np.square(turned), abs(z[::3]), turned / w, turned**2

    z, w = all_pairs(dtype)
    z, w = z[:2000], w[:2000]
    same(f, z, w)
    same(lambda z, w: (z * w, abs(z), z / w), z[::-1], w)
    same(lambda z, w: (z * w, abs(z), np.square(w)), z[::2], w[1::2])


def inner_parts(z, w):
    a, b = z[:120].reshape(10, 12), w[:120].reshape(10, 12)
    inside = np.abs(a[1:-1, 2:10:2]) + abs(b[:8, :4])
    return inside, np.abs(a[:, 0]), a[3] * b[3], np.square(a.T), abs(a[::3] * b[::3]), abs(z[5:50])


@pytest.mark.parametrize("dtype", DTYPES)
def test_parts_of_arrays_whose_strides_are_known_to_ascend(dtype):
    z, w = all_pairs(dtype)
    same(inner_parts, z, w)
    same(inner_parts, z[::-1], w[::2])


@needs_compiler
def test_parts_of_arrays_are_compiled():
    z = numbers("complex64", 200)
    decorated = js.function(inner_parts)
    with np.errstate(all="ignore"):
        decorated(z, z)
    assert "depends on the strides" not in explanation(decorated)
    assert "no compiled form" not in explanation(decorated)


def numbers_of_numpy(z, w, out):
    for i in range(len(z)):
        a, b = z[i], w[i]
        out[0, i] = a * b
        out[1, i] = a / b
        out[2, i] = a * a - b * 2.0
        out[3, i] = abs(a)
        out[4, i] = a**2
        out[5, i] = a**3
        out[6, i] = np.multiply(a, b)
        out[7, i] = np.abs(a)
        out[8, i] = np.exp(a) + np.sqrt(b)
        out[9, i] = 1j * a
        out[10, i] = 2 / a
        out[11, i] = a * b.real
    return out


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_of_numpy_compute_by_themselves(dtype):
    z, w = all_pairs(dtype)
    z, w = z[::7].copy(), w[::7].copy()
    same(numbers_of_numpy, z, w, np.zeros((12, len(z)), dtype))


@needs_compiler
def test_loops_over_numbers_of_numpy_are_compiled():
    z = np.array([1 + 2j, 3 - 1j, 0.5j])
    decorated = js.function(numbers_of_numpy)
    decorated(z, z, np.zeros((12, 3), complex))
    assert "runs as" not in explanation(decorated)


def test_numbers_of_several_types():
    def f(a, b, c, d, e):
        return a * b, a * c, b * a, c * a, a * d, d * a, a * e, e * a, a / d, e / a, abs(a) * b, d * b, b * d

    rng = np.random.default_rng(5)
    for _ in range(40):
        x = rng.standard_normal(8)
        a, b = complex(x[0], x[1]), np.complex128(complex(x[2], x[3]))
        c = np.complex64(complex(x[4], x[5]))
        same(f, a, b, c, np.float64(x[6]), float(x[7]), calls=1)
        same(f, b, a, c, np.float32(x[6]), 3, calls=1)


def in_python(z, w, n):
    total = 0j
    for k in range(n):
        total += z * w / (1.0 + k) + z**2 - w**3 + (z + k) ** 0.5
        total += abs(z) * (z / w) + (w + k) ** (z + 0.5) + (z + k) ** -2
    return total


def test_python_numbers_have_pythons_bits():
    rng = np.random.default_rng(6)
    for _ in range(20):
        x = rng.standard_normal(4) * 10.0 ** rng.integers(-3, 4, 4)
        same(in_python, complex(x[0], x[1]), complex(x[2], x[3]), 5, calls=1)


@needs_compiler
def test_loops_over_python_numbers_are_compiled():
    decorated = js.function(in_python)
    decorated(1 + 2j, 0.5 - 1j, 5)
    assert has_compiled_part(decorated)
    assert "runs as" not in explanation(decorated)


def quotients(z, w, n):
    total = 0j
    for k in range(n):
        total += z / (w - k)
    return total


def raised(z, w, n):
    total = 0j
    for k in range(n):
        total += z ** (w - k)
    return total


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (quotients, (1 + 1j, 3 + 0j, 5)),
        (quotients, (1 + 1j, complex(np.nan, 0), 2)),
        (quotients, (complex(np.inf, 1), 3 + 1j, 2)),
        (raised, (0j, 2 + 0j, 3)),
        (raised, (0j, 2 + 0j, 4)),
        (raised, (0j, 1j, 1)),
        (raised, (1e200 + 1e200j, 2 + 0j, 1)),
        (raised, (1e-200 + 0j, -2 + 0j, 1)),
        (raised, (2 + 1j, 101 + 0j, 3)),
        (raised, (3e5 + 1j, 99.5 + 0j, 1)),
        (raised, (complex(np.inf, 1), 2j, 1)),
    ],
)
def test_python_numbers_raise_as_in_python(f, args):
    same(f, *args)


def test_the_ways_of_numpy_are_known_here():
    for dtype in complex_loops.DTYPES:
        for way in (complex_loops.product, complex_loops.magnitude, complex_loops.quotient):
            assert way(dtype) != complex_loops.OTHER
        assert complex_loops.power(dtype) == complex_loops.inverse(dtype) == complex_loops.PLAIN
        assert all(complex_loops.is_from_c(*names, dtype) for names in C_NAMES.items())


def test_what_numpy_computes_in_an_unknown_way_is_left_to_it():
    unknown = replace(OPS["multiply"], known=complex_loops.is_known(lambda dtype: complex_loops.OTHER))
    assert unknown.text_for(("complex64", "complex64")) is None
    assert unknown.text_for(("float64", "float64")) == "{0} * {1}"
    assert OPS["multiply"].text_for(("complex64", "complex64")) == "complex_multiply({0}, {1})"


ELSEWHERE = """
import test_complex_bits as tests
from jitscope.graph.ir import complex_loops

print(complex_loops.product("complex128"), complex_loops.bits())
for dtype in tests.DTYPES:
    for f in (tests.arithmetic, tests.sizes, tests.powers):
        tests.same(f, *tests.all_pairs(dtype))
"""


def test_a_numpy_that_rounds_otherwise_is_asked_for_its_way():
    """As on another processor: NumPy without its loops for this one."""
    features = " ".join(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))
    if not features:
        pytest.skip("NumPy has one way only")
    paths = [str(Path(__file__).parent), *sys.path]
    found = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": features, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout.strip() != f"{complex_loops.product('complex128')} {complex_loops.bits()}"


def reads_parts(z, w):
    size = z.real**2 + z.imag**2
    return (z.real + 1) * (z * w).imag, size.sum(), z[::2].real + 1, z.reshape(2, -1).imag.max()


def writes_between(z, w):
    x, y = z.real, z.imag
    before = x + 1
    z *= w
    return before, x + y


def writes_parts(z, w):
    z.real[2:] = w.imag[2:]
    x = z.real
    x += 1
    return z, x, w.imag


def hands_parts_on(z, w):
    x = z.real
    for _ in range(3):
        z[1:] = x[:-1] * w[1:]
        x = z.imag + x
    return x, z.real, w.conj().imag


@pytest.mark.parametrize("f", [reads_parts, writes_between, writes_parts, hands_parts_on])
def test_parts_are_views(f):
    z, w = all_pairs("complex128")
    same(f, z[:100], w[:100])
    same(f, z[:100].astype(np.complex64), w[:100])


@needs_compiler
def test_parts_that_are_only_read_are_computed():
    z = numbers("complex128", 100)
    decorated = js.function(reads_parts)
    with np.errstate(all="ignore"):
        decorated(z, z)
    assert "runs as" not in explanation(decorated)


def conjugates(z, w, c):
    total = c.conjugate() + c.real
    for i in range(len(z)):
        total += (z[i].conj() * w[i] + z[i].conjugate()) * c.conjugate()
    return total, c.conjugate()


def test_conjugates_of_numbers():
    z, w = numbers("complex128", 20)[:50], numbers("complex64", 20)[:50]
    for x, y in ((z, z[::-1].copy()), (w, w), (z, w)):
        x, y = (np.where(np.isfinite(a), a, 1) for a in (x, y))
        same(conjugates, x.astype(x.dtype), y.astype(y.dtype), 0.5 - 2j)


def slopes(z, w):
    u = z * w / (z + 2.0) + np.exp(z) * np.sqrt(w) - np.log(z + 3.0)
    return (np.abs(u) ** 2).sum() + (np.abs(z**3)).sum() + (u.real * w.imag).sum() + (1.0 / z).real.sum()


def slopes_of_numbers(z, w):
    total = 0.0
    for i in range(len(z)):
        total += abs(z[i] * w[i] - z[i] ** 2 / w[i]) + (z[i].conj() * w[i]).real + abs(z[i])
    return total


@pytest.mark.parametrize("f", [slopes, slopes_of_numbers])
def test_gradients_of_complex_numbers(f):
    rng = np.random.default_rng(7)
    z, w = (rng.standard_normal(6) + 1j * rng.standard_normal(6) for _ in range(2))
    found = js.grad(f, argnums=(0, 1))(z, w)
    for at in range(2):
        for k in range(6):
            for turn in (1.0, 1j):
                step = np.zeros(6, complex)
                step[k] = 1e-6 * turn
                above = f(*(a + step if n == at else a for n, a in enumerate((z, w))))
                below = f(*(a - step if n == at else a for n, a in enumerate((z, w))))
                slope = (found[at][k] * np.conj(turn)).real
                np.testing.assert_allclose(slope, (above - below) / 2e-6, rtol=1e-5, atol=1e-7)
