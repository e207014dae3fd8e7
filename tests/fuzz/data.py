"""The arguments of a random program: what its SIGNATURE says, for one of its SIZES and a seed."""

from __future__ import annotations

from typing import Any

import numpy as np

# A signature maps the name of an argument to "<dtype> <axes...>", or to "int <values...>", "float": one for each size.
Signature = dict[str, str]
Sizes = tuple[dict[str, int], ...]


def arguments(signature: Signature, sizes: Sizes, which: int, seed: int, exact: bool) -> tuple[Any, ...]:
    """The arguments of one call; `exact` ones are multiples of an eighth, whose sums have no last bits."""
    made: list[Any] = []
    for name, spec in signature.items():
        rng = np.random.default_rng(
            [seed, *name.encode()]
        )  # an argument stays what it is when others are dropped
        dtype, *rest = spec.split()
        if dtype == "int":
            made.append(int(rest[which]))
        elif dtype == "float":
            made.append(float(_numbers(rng, (), exact)))
        else:
            shape = tuple(sizes[which].get(axis, 0) or int(axis) for axis in rest)
            made.append(_array(rng, np.dtype(dtype), shape, exact))
    return tuple(made)


def _array(rng: np.random.Generator, dtype: np.dtype, shape: tuple[int, ...], exact: bool) -> np.ndarray:
    if dtype.kind == "i":
        return rng.integers(-6, 7, shape).astype(dtype)
    numbers = _numbers(rng, shape, exact)
    if dtype.kind == "c":
        numbers = numbers + 1j * _numbers(rng, shape, exact)
    return np.asarray(numbers).astype(dtype)


def _numbers(rng: np.random.Generator, shape: tuple[int, ...], exact: bool) -> Any:
    """Numbers between -1.5 and 1.5, none of them 0."""
    if exact:
        return rng.integers(1, 13, shape) * rng.choice((-1, 1), shape) / 8
    return rng.uniform(0.1, 1.5, shape) * rng.choice((-1, 1), shape)
