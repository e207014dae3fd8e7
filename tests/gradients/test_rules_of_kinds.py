"""Rules of NumPy's functions for operands of all kinds: real and complex, of different numbers of axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from symbol_gradients import check

import jitscope as js

Shapes = tuple[tuple[int, ...], ...]
POINTS = np.array([-1.5, 0.1, 0.9, 1.6])
KNOTS = np.array([-0.3, 0.5, 1.1, -3.0, 4.0])
HELD = np.array([[1, 0, 2], [0, 3, 1]])

CASES: dict[str, tuple[Callable[..., Any], list[Shapes]]] = {
    "vecdot": (np.vecdot, [((2, 3), (3,)), ((3,), (2, 3)), ((2, 2, 3), (2, 3)), ((3,), (3,))]),
    "vecdot-1": (
        lambda a, b: np.vecdot(a, b, axis=1),
        [((2, 3), (2, 3)), ((3, 3, 3), (3, 3)), ((2, 3, 4), (1, 3, 4))],
    ),
    "vecdot-0": (lambda a, b: np.vecdot(a, b, axis=0), [((3, 3), (3,)), ((3, 2), (3, 2))]),
    "vecdot--2": (lambda a, b: np.vecdot(a, b, axis=-2), [((3, 3, 2), (3, 2))]),
    "matmul": (np.matmul, [((2, 3), (3,)), ((2, 2, 3), (3, 2)), ((3,), (2, 3, 2))]),
    "dot": (np.dot, [((2, 3), (3,)), ((2, 2, 3), (3, 2)), ((2, 3), (2, 3, 2)), ((3,), (2, 3, 2))]),
    "inner": (np.inner, [((3,), (2, 3)), ((2, 2, 3), (2, 3))]),
    "outer": (np.outer, [((2, 3), (2,))]),
    "cross": (
        np.cross,
        [
            *(((3,), (3,)), ((2, 3), (3,)), ((3,), (2, 3)), ((2, 2, 3), (2, 3)), ((1, 3), (2, 3))),
            *(((3,), (2,)), ((2,), (3,)), ((2, 2), (2, 3)), ((2, 3), (2,))),
        ],
    ),
    "tensordot": (lambda a, b: np.tensordot(a, b, axes=([-1], [-2])), [((2, 3), (2, 3, 2))]),
    "einsum": (lambda a, b: np.einsum("...j,jk", a, b), [((2, 2, 3), (3, 2))]),
    "polyval": (np.polyval, [((3,), (2,)), ((3,), (2, 2))]),
    "average": (lambda a, w: np.average(a, weights=w + 2), [((2, 3), (2, 3))]),
    "average-1": (lambda a, w: np.average(a, axis=1, weights=w + 2), [((2, 3, 2), (3,))]),
    "average--1": (
        lambda a, w: np.average(a, axis=-1, weights=w + 2),
        [((2, 3, 2), (2, 3, 2)), ((2, 3), (3,))],
    ),
    "vander": (np.vander, [((3,),)]),
    "vander-4": (lambda x: np.vander(x, 4, increasing=True), [((3,),)]),
    "append": (lambda a, b: np.append(a, b, axis=-1), [((2, 3), (2, 1))]),
    "hstack": (lambda a, b: np.hstack([a, b]), [((2, 3), (2, 1))]),
    "vstack": (lambda a, b: np.vstack([a, b]), [((3,), (2, 3))]),
    "column_stack": (lambda a, b: np.column_stack([a, b]), [((2,), (2, 3))]),
    "dstack": (lambda a, b: np.dstack([a, b]), [((2, 3), (2, 3, 2))]),
    "take-1": (lambda a: np.take(a, [[1, 0], [1, 1]], axis=-2), [((2, 3, 2),)]),
    "cumprod": (lambda a: np.cumprod(a, axis=-2), [((2, 3, 2),)]),
    "prod": (lambda a: np.prod(a, axis=(-1, 0)), [((2, 3, 2),)]),
    "norm": (lambda a: np.linalg.norm(a, ord=3, axis=-2), [((2, 3, 2),)]),
    "convolve": (lambda a, b: np.convolve(a, b, "same"), [((4,), (2,)), ((2,), (4,))]),
    "correlate": (lambda a, b: np.correlate(a, b, "full"), [((4,), (2,)), ((2,), (4,))]),
}


def numbers(shape: tuple[int, ...], is_complex: bool, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    real, imaginary = rng.uniform(-1.2, 1.3, shape), rng.uniform(-1.1, 1.2, shape)
    return real + 1j * imaginary if is_complex else real


def kinds() -> Iterator[Any]:
    for name, (function, calls) in CASES.items():
        for shapes in calls:
            for kind in product((False, True), repeat=len(shapes)):
                title = "-".join(
                    f"{'c' if one else 'f'}{len(s)}" for s, one in zip(shapes, kind, strict=True)
                )
                yield pytest.param(function, shapes, kind, id=f"{name}-{shapes}-{title}".replace(" ", ""))


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors")
@pytest.mark.parametrize(("function", "shapes", "kind"), list(kinds()))
def test_rule_is_what_differences_say(function: Callable[..., Any], shapes: Shapes, kind: tuple[bool, ...]):
    check(function, [numbers(s, one, k) for k, (s, one) in enumerate(zip(shapes, kind, strict=True))])


@pytest.mark.parametrize("is_complex", [False, True])
def test_interpolated_numbers_may_be_complex(is_complex: bool):
    """The slope of a line by the place where it is looked at is real."""
    heights, ends = numbers((4,), is_complex, 3), numbers((2,), is_complex, 4)
    check(np.interp, (KNOTS, POINTS, heights))
    check(lambda x, xp, fp, at: np.interp(x, xp, fp, at[0], at[1]), (KNOTS, POINTS, heights, ends))


@pytest.mark.parametrize("is_complex", [False, True])
@pytest.mark.parametrize("held", [HELD, HELD > 0, HELD.reshape(-1)])
def test_what_is_not_zero_is_extracted(held: np.ndarray, is_complex: bool):
    check(np.extract, (held, numbers((2, 3), is_complex, 5)))


INTO_COMPLEX: dict[str, Callable[..., Any]] = {
    "absolute": lambda a, held, r: np.absolute(a, out=r, where=held),
    "var": lambda a, held, r: np.var(a, axis=0, out=r[0]),
    "std": lambda a, held, r: np.std(a, axis=-1, out=r[:, 1]),
}


@pytest.mark.parametrize("name", INTO_COMPLEX)
def test_a_real_result_in_complex_memory_has_a_real_cotangent(name: str):
    def written(a: Any, held: Any) -> Any:
        r = a * 2.0
        INTO_COMPLEX[name](a, held, r)
        return r

    check(written, (numbers((2, 3), True, 5), np.array([True, False, True])))


def test_eigenvectors_are_those_of_the_triangle_that_is_read():
    """Below the diagonal stands anything; the gradient is one for symmetric changes."""
    a, change = numbers((3, 3), False, 6), numbers((3, 3), False, 7)
    change = change + change.T
    weights = np.array([0.3, -1.0, 0.7])

    def loss(a: Any) -> Any:
        return np.sum(np.linalg.eigvalsh(a, UPLO="U") * weights)

    found = np.sum(js.grad(js.function(loss, jit_level="off"))(a) * change)
    expected = (loss(a + 1e-6 * change) - loss(a - 1e-6 * change)) / 2e-6
    np.testing.assert_allclose(found, expected, rtol=1e-6)
