"""Gradients by finite differences, for arguments that are numbers, arrays or containers of them."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np


def gradient(
    function: Callable[..., Any], args: Sequence[Any], argnum: int, step: float = 2e-4
) -> list[np.ndarray]:
    """The gradient for each leaf of ``args[argnum]``: central differences of fourth order."""
    count = len(leaves(args[argnum]))
    found = []
    for place in range(count):
        leaf = np.asarray(leaves(args[argnum])[place])
        slopes = np.zeros(leaf.shape)
        for index in np.ndindex(leaf.shape):
            h = step * max(1.0, abs(float(leaf[index])))

            def moved(distance: float, index: Any = index, place: int = place) -> float:
                again = copy.deepcopy(list(args))
                again[argnum] = _moved(again[argnum], place, index, distance)
                return float(function(*again))

            near, far = moved(h) - moved(-h), moved(2 * h) - moved(-2 * h)
            slopes[index] = (8 * near - far) / (12 * h)
        found.append(slopes)
    return found


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


def _moved(value: Any, place: int, index: Any, distance: float) -> Any:
    """`value` with one element of one leaf moved."""
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
                if np.ndim(value):
                    value[index] += distance
                else:
                    value = value + distance
        return value

    return walk(value)


def assert_close(found: Any, expected: Sequence[Any], rtol: float = 1e-7) -> None:
    """Compare the leaves of a gradient; absolutely where the gradient is small beside its largest element."""
    assert len(leaves(found)) == len(expected)
    largest = max((float(np.max(np.abs(e), initial=0.0)) for e in expected), default=0.0)
    for mine, wanted in zip(leaves(found), expected, strict=True):
        assert np.shape(mine) == np.shape(wanted)
        np.testing.assert_allclose(mine, wanted, rtol=rtol, atol=rtol * max(largest, 1e-3))
