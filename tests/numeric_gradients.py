"""Gradients by finite differences, and how gradients are compared with them."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

STEP = 4e-4


def slopes(
    loss: Callable[[np.ndarray], float],
    start: np.ndarray,
    step: float = STEP,
    rounds: int = 2,
    direction: complex = 1.0,
) -> np.ndarray:
    """The slope of `loss` at `start` for each element: central differences, extrapolated."""
    found = np.zeros(start.shape)
    for place in np.ndindex(*start.shape):
        widest = step * max(1.0, abs(start[place]))

        def central(h: float, place: Any = place) -> float:
            up, down = start.copy(), start.copy()
            up[place] += h * direction
            down[place] -= h * direction
            return (loss(up) - loss(down)) / (2 * h)

        found[place] = _extrapolated([central(widest / 2**k) for k in range(rounds)])
    return found


def _extrapolated(found: list[float]) -> float:
    """Richardson's extrapolation of what halved steps gave: the error has even powers of the step only."""
    weight = 4
    while len(found) > 1:
        found = [(weight * b - a) / (weight - 1) for a, b in pairwise(found)]
        weight *= 4
    return found[0]


def gradient(
    function: Callable[..., Any], args: Sequence[Any], argnum: int, step: float = STEP
) -> list[np.ndarray]:
    """The gradient for each leaf of ``args[argnum]`` of the sum of what `function` returns."""

    def moved(place: int) -> Callable[[np.ndarray], float]:
        def loss(values: np.ndarray) -> float:
            again = copy.deepcopy(list(args))
            again[argnum] = _with_leaf(again[argnum], place, values)
            return float(np.sum(function(*again)))

        return loss

    return [slopes(moved(place), np.array(leaf), step) for place, leaf in enumerate(leaves(args[argnum]))]


def cotangent(function: Callable[..., Any], args: Sequence[Any], seeds: Sequence[Any], k: int) -> np.ndarray:
    """The cotangent of argument `k` for the cotangents `seeds` of the results; also of complex numbers.

    That is the gradient of ``sum(Re(conj(seed) * result))``, with an error of the sixth order.
    """

    def loss(values: np.ndarray) -> float:
        given = list(args)
        given[k] = values if isinstance(args[k], np.ndarray) else values[()]
        with np.errstate(all="ignore"):
            found = function(*given)
        results = found if isinstance(found, (list, tuple)) else [found]
        return sum(float(np.sum(np.real(np.conj(s) * r))) for s, r in zip(seeds, results, strict=True))

    start = np.array(args[k])
    real = slopes(loss, start, 2e-3, 3)
    return real + 1j * slopes(loss, start, 2e-3, 3, 1j) if start.dtype.kind == "c" else real


def leaves(value: Any) -> list[Any]:
    """The floating-point numbers and arrays in `value`, in order."""
    return list(_leaves(value))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _leaves(getattr(value, field.name))
    elif isinstance(value, float) or (hasattr(value, "dtype") and value.dtype.kind == "f"):
        yield value


def _with_leaf(value: Any, place: int, values: np.ndarray) -> Any:
    """`value` with other numbers in one leaf, which is written if it is an array."""
    seen = [0]

    def walk(value: Any) -> Any:
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(walk, value))
        if isinstance(value, (tuple, list)):
            return type(value)(map(walk, value))
        if isinstance(value, dict):
            return {key: walk(item) for key, item in value.items()}
        if dataclasses.is_dataclass(value):
            changed = {f.name: walk(getattr(value, f.name)) for f in dataclasses.fields(value)}
            return dataclasses.replace(value, **changed)
        if leaves(value):
            seen[0] += 1
            if seen[0] - 1 == place:
                if not isinstance(value, np.ndarray):
                    return type(value)(values)
                value[...] = values
        return value

    return walk(value)


def assert_close(found: Any, expected: Sequence[Any], rtol: float = 1e-7) -> None:
    """Compare the leaves of a gradient; absolutely where the gradient is small beside its largest element."""
    assert len(leaves(found)) == len(expected)
    largest = max((float(np.max(np.abs(e), initial=0.0)) for e in expected), default=0.0)
    for mine, wanted in zip(leaves(found), expected, strict=True):
        assert np.shape(mine) == np.shape(wanted)
        np.testing.assert_allclose(mine, wanted, rtol=rtol, atol=rtol * max(largest, 1e-3))
