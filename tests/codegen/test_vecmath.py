"""Elementwise vector math: the last bit, IEEE's special cases, vectorised code."""

from __future__ import annotations

import itertools
import math
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from jitscope.codegen import vecmath

# name -> bound in ulp (float64), interval where it is of interest
ONES: dict[str, tuple[float, float, float]] = {
    "exp": (1.0, -750, 720),
    "exp2": (1.0, -1080, 1030),
    "expm1": (1.3, -50, 720),
    "log": (1.0, 0, 1e6),
    "log2": (1.0, 0, 1e6),
    "log10": (1.0, 0, 1e6),
    "log1p": (1.0, -1, 1e6),
    "sinh": (1.2, -720, 720),
    "cosh": (1.0, -720, 720),
    "tanh": (1.2, -25, 25),
    "arctan": (1.0, -1e6, 1e6),
    "arcsin": (1.0, -1, 1),
    "arccos": (1.0, -1, 1),
    "arcsinh": (1.2, -1e6, 1e6),
    "arccosh": (1.2, 1, 1e6),
    "arctanh": (1.2, -1, 1),
    "sin": (1.0, -1e6, 1e6),
    "cos": (1.0, -1e6, 1e6),
    "tan": (1.0, -1e6, 1e6),
    "sqrt": (0.51, 0, 1e300),
}
BY_FOURS = ("sin", "cos", "tan", "arctan2")  # of the C library, but for loops that are vectorised
SPECIAL = (
    *(
        0.0,
        -0.0,
        1.0,
        -1.0,
        np.inf,
        -np.inf,
        np.nan,
        5e-324,
        -5e-324,
        1e-310,
        2.0**-1022,
        1e300,
        -1e300,
        0.5,
        2.0,
    ),
    *(
        709.782712893384,
        709.7827128933841,
        -745.1332191019411,
        -745.1332191019412,
        1024.0,
        1023.9999999999999,
    ),
    *(-1074.0, -1074.9, -1075.0, -1075.1, 710.4758600739439, 710.475860073944, 1e-17, -1e-17, 1000.0, 22.0),
    *(-0.9999999999999999, -1.0000000000000002, 0.9999999999999999, 1.0000000000000002, 1e10, 1e11),
)
WIDE = np.finfo(np.longdouble).nmant > 60


def numpy_of(name: str) -> np.ufunc:
    return getattr(np, name)  # type: ignore[no-any-return]


def loop_over(function: Callable[..., Any], dtype: str, arity: int = 1) -> Any:
    kind = numba.from_dtype(np.dtype(dtype))[::1]
    if arity == 1:

        def one(x: Any, out: Any) -> None:
            for i in range(out.shape[0]):
                out[i] = function(x[i])

        return numba.njit((kind, kind), error_model="numpy")(one)

    def two(x: Any, y: Any, out: Any) -> None:
        for i in range(out.shape[0]):
            out[i] = function(x[i], y[i])

    return numba.njit((kind, kind, kind), error_model="numpy")(two)


def apply(name: str, *args: Any) -> Any:
    out = np.empty_like(args[0])
    loop_over(getattr(vecmath, name), args[0].dtype.str, len(args))(*args, out)
    return out


def ulps(got: Any, exact: Any) -> Any:
    """Distance in units of the last place; infinite where one of the two is not finite and they differ."""
    with np.errstate(all="ignore"):
        rounded = exact.astype(got.dtype)
        distance = np.abs(got - exact) / np.spacing(np.abs(rounded))
    same = (got == rounded) | ((got != got) & (rounded != rounded))
    finite = np.isfinite(got) & np.isfinite(rounded)
    return np.where(finite, distance, np.where(same, 0, np.inf)).astype(float)


def samples(low: float, high: float, dtype: str) -> Any:
    rng = np.random.default_rng(0)
    near, small = rng.uniform(max(low, -3), min(high, 3), 20000), np.ldexp(rng.uniform(-1, 1, 5000), -20)
    values = np.concatenate([SPECIAL, rng.uniform(low, high, 20000), near, 1 + small, small * 1e-3])
    with np.errstate(over="ignore"):
        return values.astype(dtype)


@pytest.mark.skipif(not WIDE, reason="the oracle needs a long double of 64 bits")
@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("name", ONES)
def test_functions_of_one_number(name: str, dtype: str) -> None:
    bound, low, high = ONES[name]
    x = samples(low, high, dtype)
    got = apply(name, x)
    with np.errstate(all="ignore"):
        exact = numpy_of(name)(x.astype(np.longdouble))
    distance = ulps(got, exact)
    worst = int(distance.argmax())
    assert distance[worst] <= (bound if dtype == "f8" else 0.75), (x[worst], got[worst], exact[worst])
    number = ~np.isnan(got)
    np.testing.assert_array_equal(np.signbit(got[number]), np.signbit(exact[number]))


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("name", ["power", "hypot", "arctan2"])
def test_functions_of_two_numbers(name: str, dtype: str) -> None:
    rng = np.random.default_rng(1)
    special = np.array(list(itertools.product((*SPECIAL, 3.0, -3.0, 2.0**53 + 2, 2.5, -0.5), repeat=2)))
    random = np.stack([rng.uniform(0, 10, 20000), rng.uniform(-300, 300, 20000)], axis=1)
    with np.errstate(over="ignore"):
        x, y = (np.ascontiguousarray(c) for c in np.concatenate([special, random]).astype(dtype).T)
    got = apply(name, x, y)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(x, y)
        distance = ulps(got, getattr(np, name)(x.astype(np.longdouble), y.astype(np.longdouble)))
    if WIDE:
        worst = int(distance.argmax())
        assert distance[worst] <= 1.0, (x[worst], y[worst], got[worst], expected[worst])
    number = ~np.isnan(expected)
    np.testing.assert_array_equal(np.isnan(got), ~number)
    np.testing.assert_array_equal(np.signbit(got[number]), np.signbit(expected[number]))


@pytest.mark.parametrize("name", sorted({*ONES, "power", "hypot"} - {*BY_FOURS}))
def test_loops_are_vectorised(name: str) -> None:
    arity = 2 if name in ("power", "hypot") else 1
    loop = loop_over(getattr(vecmath, name), "f8", arity)
    (assembly,) = loop.inspect_asm().values()
    if "xmm" in assembly:  # x86, where scalar arithmetic ends in "sd"; the width is LLVM's choice
        operations = [line.split()[0] for line in assembly.splitlines() if line.split()]
        assert any(re.fullmatch(r"v?(sqrt|mul|add|sub|fn?m\w+?)pd", operation) for operation in operations)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("name", BY_FOURS)
def test_loops_that_are_vectorised_compute_several_at_once(name: str, dtype: str) -> None:
    loop = loop_over(getattr(vecmath, name), dtype, 2 if name == "arctan2" else 1)
    (text,) = loop.inspect_llvm().values()
    called = name.replace("arctan2", "atan2")
    assert re.search(rf"call <\d x double> @{called}\.by", text)


@pytest.mark.parametrize("name", BY_FOURS[:3])
def test_a_recurrence_is_the_c_library_s(name: str) -> None:
    function = getattr(vecmath, name)

    @numba.njit  # type: ignore[untyped-decorator]
    def repeated(x: float, n: int) -> float:
        for _ in range(n):
            x = function(x) + 1.5
        return x

    expected = 0.3
    for _ in range(1000):
        expected = getattr(math, name)(expected) + 1.5
    assert repeated(0.3, 1000) == expected


@pytest.mark.parametrize("place", range(9))
def test_one_far_argument_among_near_ones(place: int) -> None:
    x = np.linspace(-3.0, 3.0, 9)
    x[place] = 1e22
    for name in BY_FOURS[:3]:
        expected = getattr(np, name)(x)
        got = apply(name, x)
        assert got[place] == expected[place]
        np.testing.assert_allclose(got, expected, rtol=3e-16, atol=0)


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_maxima_of_two_numbers(name: str, dtype: str) -> None:
    pairs = np.array(list(itertools.product([0.0, 1.0, -1.0, np.inf, -np.inf, np.nan], repeat=2)), dtype)
    x, y = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
    np.testing.assert_array_equal(apply(name, x, y), getattr(np, name)(x, y))


def test_dtypes_follow_numpy() -> None:
    @numba.njit
    def kinds(a: Any, b: Any, c: Any) -> Any:
        return vecmath.exp(a), vecmath.exp(b), vecmath.power(a, b), vecmath.exp(c)

    single, double, mixed, whole = kinds(np.float32(0.1), 0.1, 2)
    assert single == np.exp(np.float32(0.1))
    assert abs(double - np.exp(0.1)) < 1e-15
    assert abs(mixed - np.power(np.float32(0.1), 0.1)) < 1e-15
    assert abs(whole - np.exp(2.0)) < 1e-14


def test_called_from_python_they_are_numpys() -> None:
    assert vecmath.exp(0.1) == np.exp(0.1)
    assert vecmath.power(2.0, 3) == 8.0


def run(code: str, **environment: str) -> str:
    command = [sys.executable, "-c", textwrap.dedent(code)]
    env = {**os.environ, **environment}
    return subprocess.run(command, env=env, check=True, capture_output=True, text=True, timeout=120).stdout


def test_without_fused_multiply_add_the_c_library_serves() -> None:
    code = """
        import math
        from numba import njit
        from jitscope.codegen import vecmath
        from jitscope.codegen.vecmath.formula import has_fma
        assert not has_fma()
        f = njit(lambda x: (vecmath.exp(x), vecmath.log2(x), vecmath.tanh(x), vecmath.power(x, x)))
        print(f(0.7) == (math.exp(0.7), math.log2(0.7), math.tanh(0.7), math.pow(0.7, 0.7)))
    """
    assert run(code, NUMBA_CPU_NAME="x86-64" if sys.platform != "darwin" else "generic").strip() == "True"


def test_compiled_code_that_uses_them_is_cached(tmp_path: Any) -> None:
    (tmp_path / "kernels.py").write_text(
        textwrap.dedent("""
            from numba import njit
            from jitscope.codegen.pymath import py_add_int
            from jitscope.codegen.vecmath import exp, pairwise_sum

            @njit("f8(f8[::1], i8)", cache=True)
            def total(a, n):
                for i in range(a.shape[0]):
                    a[i] = exp(a[i])
                return pairwise_sum(a) + py_add_int(n, n)
        """)
    )
    code = """
        import numpy as np
        from kernels import total
        print(total(np.ones(300), 1), sum(total.stats.cache_hits.values()))
    """
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    first, second = run(code, PYTHONPATH=path).split(), run(code, PYTHONPATH=path).split()
    assert (first[1], second[1]) == ("0", "1")
    assert first[0] == second[0]
