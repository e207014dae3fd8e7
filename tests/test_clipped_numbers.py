"""``np.clip`` of numbers, and of zeros with a sign; ``np.where`` of numbers: an array without axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate


def of_floats(x: Any, j: Any, a: Any, b: Any) -> Any:
    out = np.zeros((len(x), 6))
    for i in range(len(x)):
        out[i, 0] = np.clip(x[i], -1, 1)
        out[i, 1] = np.clip(x[i], a, b)
        out[i, 2] = np.clip(x[i], None, b)
        out[i, 3] = np.clip(x[i], a_min=0.0, a_max=a)
        out[i, 4] = np.clip(float(x[i]), -0.5, 0.5) + x[i].clip(-0.0, 1)
        out[i, 5] = np.clip(x[i], j[i], j[i] + 2)
    return out


def of_ints(x: Any, j: Any, a: Any, b: Any) -> Any:
    out = np.zeros((len(x), 5))
    for i in range(len(x)):
        out[i, 0] = np.clip(j[i], -3, 3)
        out[i, 1] = np.clip(j[i], -1.5, x[i])
        out[i, 2] = np.clip(i, 2, j[0])
        out[i, 3] = np.clip(j[i], None, 2**63)
        out[i, 4] = x[int(np.clip(j[i], 0, len(x) - 1))]
    return out


def of_bytes(x: Any, j: Any, a: Any, b: Any) -> Any:
    u, h = np.abs(j).astype(np.uint8), x.astype(np.float32)
    out: Any = []
    for i in range(len(x)):
        out.append(
            (np.clip(u[i], 10, 200), np.clip(u[i], -1, 300), np.clip(h[i], -0.1, 0.1), np.clip(h[i], a, b))
        )
    return out


def types_of(x: Any, j: Any, a: Any, b: Any) -> Any:
    return (
        np.clip(a, 0, 1),
        np.clip(True, 0, 1),
        np.clip(len(x), 1, 5),
        np.clip(j[0], 0, 1),
        np.clip(x[0], 0, 1),
    )


@pytest.mark.parametrize("program", [of_floats, of_ints, of_bytes, types_of])
def test_numbers_are_clipped_as_numpy_does(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    rng = np.random.default_rng(7)
    x = rng.normal(size=40) * 2
    x[:6] = 0.0, -0.0, np.nan, np.inf, -np.inf, 1.0
    for a, b in ((-0.3, 0.7), (0.0, -0.0), (1.0, -1.0), (np.nan, 1.0), (0.0, np.nan), (-0.0, 0.5)):
        compare(program, decorated, (x, rng.integers(-9, 9, 40), a, b), calls=1)


def of_three(a: Any, low: Any, high: Any) -> Any:
    s = 0.0
    for i in range(len(a)):
        s = s * 0.5 + np.clip(a[i], low[i], high[i])
    return s, np.clip(a[0], low[0], high[0]), np.clip(a[0], 0.1, high[0]), np.clip(a[0], -np.inf, high[0])


DTYPES = ("int16", "uint16", "float32"), ("int8", "int8", "float32"), ("float32", "float32", "float64"), (
    "int64", "uint64", "float32",
), ("int64", "float64", "int64")  # fmt: skip


@pytest.mark.parametrize("dtypes", DTYPES)
def test_numbers_of_three_dtypes(dtypes: tuple[str, str, str]) -> None:
    arrays = tuple(np.array([5, 3, 7, 1], dtype) for dtype in dtypes)
    compare(of_three, decorate(of_three, cache=False), arrays, calls=2)


@needs_compiler
@pytest.mark.parametrize("program", [of_floats, of_ints])
def test_clipped_numbers_are_compiled(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    args = np.linspace(-2.0, 2.0, 40), np.arange(40), -0.3, 0.7
    decorated(*args)
    assert has_compiled_part(decorated)
    assert "for i in range" not in decorated.explain(*args).partition("runs as")[2]


ZEROS = np.array([-0.0, 0.0, 2.0, -2.0, np.nan] * 20)
BOUNDS: list[Any] = [
    0.0, -0.0, 1.0, -1.0, ZEROS, np.repeat(ZEROS[:5], 20), np.zeros(100), -np.zeros(100), np.zeros(()),
    -np.zeros(()), np.zeros(1), -np.zeros(1),
]  # fmt: skip


def bounded(z: Any, low: Any, high: Any) -> Any:
    return np.clip(z, low, high) * 1


@pytest.mark.parametrize(
    "z", [ZEROS, ZEROS.astype(np.float32), ZEROS[::2].repeat(2), np.stack([ZEROS, -ZEROS])]
)
def test_zeros_keep_their_sign_as_in_numpy(z: Any) -> None:
    decorated: Any = decorate(bounded, cache=False)
    for low in BOUNDS:
        for high in BOUNDS:
            expected, found = bounded(z, low, high), decorated(z, low, high)
            np.testing.assert_array_equal(found, expected)
            np.testing.assert_array_equal(
                np.signbit(found) & (found == 0), np.signbit(expected) & (expected == 0)
            )


def chosen(x: Any, z: Any) -> Any:
    made = np.where(z > 0, z, 1.0)
    made += 1
    total = 0.0
    for i in range(len(x)):
        total += np.where(x[i] > 0, x[i], -z)
    return total, made, np.where(True, x[0], z), np.where(x[0] > 0, 1, 2), type(np.where(z, 1, z))


def test_where_of_numbers_gives_an_array_without_axes() -> None:
    decorated: Any = decorate(chosen, cache=False)
    for z in (np.array(2.5), np.array(-1.0), np.float64(2.5), 2.5, np.array(0)):
        compare(chosen, decorated, (np.linspace(-1.0, 2.0, 40), z), calls=2)
