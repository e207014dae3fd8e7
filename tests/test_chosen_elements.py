"""Elements that a mask chooses, computed of others that it chooses: one loop, as if all of them were."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from compiled import explanation, needs_compiler
from same import compare, decorate


def from_another(x, y, z):
    m = x > 0.5
    x[m] = y[m] * 2.0 + z[m]
    return x


def by_a_comparison(x, y, z):
    x[y > z] = y[y > z] / z[y > z]
    return x


def in_place(x, y, z):
    m = y > z
    x[m] += y[m]
    x[~m] -= z[~m] * 0.5
    return x


def with_functions(x, y, z):
    m = np.less(y, z)
    x[m] = np.exp(y[m]) - np.minimum(z[m], 0.5)
    return x


def divided_by_zero_elsewhere(x, y, z):
    z[::2] = 0.0
    m = z != 0
    x[m] = y[m] / z[m]
    return x


def of_itself(x, y, z):
    m = x < 0.5
    x[m] = -x[m]
    return x, m


def of_its_own_other_end(x, y, z):
    back = x[::-1]
    m = y > z
    x[m] = back[m]
    return x


def powers(x, y, z):
    m = y > z
    x[m] = x[m] ** 2 + y[m] ** 2
    return x


def of_numbers(x, y, z):
    m = y > 0.3
    c = z[0].sum() if z.ndim > 1 else z[:1].sum()
    x[m] = c
    x[m] = y[m] * c
    return x


def of_another_shape(x, y, z):
    m = y[:1] > 0.5
    x[m] = y[m]
    return x


def written_between(x, y, z):
    m = y > z
    t = y[m]
    y[...] = 0.0
    x[m] = t
    return x, y


def in_a_loop(x, y, z):
    for i in range(5):
        m = x * x + y < 2.0 + i
        x[m] = x[m] * x[m] + z[m]
        y[m] += 0.125
    return x, y


PROGRAMS = [
    *(from_another, by_a_comparison, in_place, with_functions, divided_by_zero_elsewhere, of_itself),
    *(of_its_own_other_end, powers, of_numbers, of_another_shape, written_between, in_a_loop),
]
EXACT = [p for p in PROGRAMS if p not in (divided_by_zero_elsewhere, with_functions)]
DTYPES = ("float64", "float32", "int64", "complex128", "uint8")


def _arrays(dtype: str, shape: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(3)
    return tuple((rng.random(shape) * 4).round(1).astype(dtype) for _ in range(3))


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("shape", [(7,), (5, 4), (2, 3, 4), (0,)], ids=str)
def test_masks_of_all_shapes(program, shape) -> None:
    fast = decorate(program)
    tol = 4 if program is with_functions else 0
    compare(program, fast, _arrays("float64", shape), tol=tol)
    x, y, z = _arrays("float64", tuple(2 * n for n in shape))
    views = tuple(a[tuple(slice(None, None, 2) for _ in shape)] for a in (y, z))
    compare(program, fast, (x[tuple(slice(n) for n in shape)].copy(), *views), tol=tol)


@pytest.mark.parametrize("program", EXACT)
@pytest.mark.parametrize("dtype", DTYPES[1:])
@pytest.mark.parametrize("target", ["same", "float64", "int32"])
def test_masks_of_all_dtypes(program, dtype, target) -> None:
    x, y, z = _arrays(dtype, (6, 3))
    first = x if target == "same" else x.real.astype(target)
    with np.errstate(all="ignore"):
        compare(program, decorate(program), (first, y, z))


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_masks_of_arrays_with_columns_first(dtype) -> None:
    for program in (from_another, in_place, of_numbers, in_a_loop):
        x, y, z = _arrays("float64", (6, 3))
        compare(program, decorate(program), (np.asfortranarray(x.astype(dtype)), y, z), calls=1)
        compare(program, decorate(program), (x.astype(dtype), np.asfortranarray(y), z), calls=1)


@needs_compiler
@pytest.mark.parametrize(
    "program", [from_another, by_a_comparison, in_place, divided_by_zero_elsewhere, in_a_loop]
)
def test_no_part_is_left_to_numpy(program) -> None:
    fast = decorate(program)
    args = _arrays("float64", (40, 30))
    fast(*copy.deepcopy(args))
    assert "no compiled form" not in explanation(fast, *args)


def products_in_place(x, y):
    m = x > 3
    x[m] @= y[m]
    return x


def test_products_are_no_work_on_single_elements() -> None:
    fast = decorate(products_in_place)
    for size in (4, 2):
        x = np.arange(float(size * size)).reshape(size, size)
        compare(products_in_place, fast, (x, np.ones((size, size))))
