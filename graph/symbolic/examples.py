"""Examples: NumPy's functions are called with plain values like the symbols, to see what types they give.

Arrays of ones stand for arrays, in the sizes of the call that is traced. Where those are large, or not
known, they are small, and the shape of the result is carried over: if ``np.convolve(a, b)`` has 33 elements
for 24 of a, and 34 for 25, it has 1009 for a thousand.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.dims import Size
from ..trace.build import TraceError, current
from .arrays import SymbolicArray
from .symbols import Symbol, SymbolicScalar

LIMIT = 1 << 16
"""Example arrays up to this many elements are made in the sizes that they have."""
_LARGEST = 1 << 22
"""Up to this many, if a call of theirs makes no sense in other sizes: ``np.partition(a, 1000)``."""
_SMALL = 24

Sizes = Mapping[str, int]


def result_of(
    func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, tuple[int, ...] | None]:
    """What a call gives for examples of its arguments, and the shape that it would have in the trace.

    The shape is None where it isn't known, and where the result has none.

    Raises:
        Exception: what `func` raises, or `TraceError`: there is no example of an argument.
    """
    sizes = dict(current().hints)
    arrays = list(_arrays((args, list(kwargs.values()))))
    names = {name for size in _sizes((args, list(kwargs.values()))) for name in dims.symbols(size)}
    if names <= sizes.keys() and _elements(arrays, sizes) <= LIMIT:
        result = _called(func, args, kwargs, sizes)
        return result, getattr(result, "shape", None)
    small = _scaled(names, sizes)
    try:
        result = _called(func, args, kwargs, small)
    except Exception:
        if not names <= sizes.keys() or _elements(arrays, sizes) > _LARGEST:
            raise
        result = _called(func, args, kwargs, sizes)
        return result, getattr(result, "shape", None)
    if type(result) is not np.ndarray or not names <= sizes.keys():
        return result, None
    return result, _carried_over(
        lambda given: _called(func, args, kwargs, given).shape, result.shape, small, sizes
    )


def _scaled(names: set[str], sizes: Sizes) -> dict[str, int]:
    """Small sizes for `names`: equal where `sizes` are equal, and different where they differ."""
    large = sorted({sizes[name] for name in names if sizes.get(name, 0) > _SMALL})
    small = {size: _SMALL + place for place, size in enumerate(large)}
    return {name: small.get(sizes.get(name, 1), sizes.get(name, 2)) for name in names}


def _carried_over(
    shape_of: Callable[[Sizes], tuple[int, ...]], shape: tuple[int, ...], small: Sizes, sizes: Sizes
) -> tuple[int, ...] | None:
    """The shape for `sizes`, by how it changes with each of the `small` ones."""
    found = np.array(shape, np.int64)
    for size in {sizes[name] for name in small if sizes[name] != small[name]}:
        same = [name for name in small if sizes[name] == size]
        try:
            more = shape_of({**small, **{name: small[name] + 1 for name in same}})
        except Exception:
            return None
        if len(more) != len(shape):
            return None
        found += (np.array(more, np.int64) - shape) * (size - small[same[0]])
    return tuple(map(int, np.maximum(found, 0)))


def _called(func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], sizes: Sizes) -> Any:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        named = {key: example(value, sizes) for key, value in kwargs.items()}
        try:
            return func(*(example(value, sizes) for value in args), **named)
        except np.linalg.LinAlgError:  # a matrix of ones has no inverse
            return func(*(_regular(example(value, sizes)) for value in args), **named)


def _regular(value: Any) -> Any:
    """A matrix that has an inverse in the place of one that need not have."""
    if type(value) is np.ndarray and value.ndim > 1 and value.shape[-1] == value.shape[-2]:
        return np.ones_like(value) * np.eye(value.shape[-1], dtype=value.dtype)
    return value


def example(value: Any, sizes: Sizes | None = None) -> Any:
    """A plain value of the symbol's type, in these sizes, or in those of the trace if they are small.

    Raises:
        TraceError: there is none.
    """
    if isinstance(value, (list, tuple)):
        items = (example(item, sizes) for item in value)
        return type(value)(items) if type(value) in (list, tuple) else list(items)
    if isinstance(value, slice):
        return slice(*(example(part, sizes) for part in (value.start, value.stop, value.step)))
    if isinstance(value, SymbolicArray):
        known = current().hints if sizes is None else sizes
        if sizes is None and _elements([value], known) > LIMIT:
            raise TraceError("no small example of this array")
        made = np.ones(_shape(value, known), value.dtype)
        made.flags.writeable = value.type.writeable
        return made
    if isinstance(value, SymbolicScalar):
        if (
            value.dim is not None
            and (number := dims.evaluate(value.dim, sizes or current().hints)) is not None
        ):
            return number
        kind = value.type
        plain = {"bool": bool, "int": int, "float": float, "complex": complex}
        return plain.get(kind.kind, kind.dtype.type)(1)
    if isinstance(value, Symbol):
        raise TraceError("an object has no example")
    return value


def _shape(array: SymbolicArray, sizes: Sizes) -> list[int]:
    found = [dims.evaluate(size, sizes) for size in array.shape_sizes]
    if None in found:
        raise TraceError("an array of unknown size has no example")
    return [size or 0 for size in found]


def _elements(arrays: list[SymbolicArray], sizes: Sizes) -> int:
    """How many elements the largest of some arrays has."""
    return max((int(np.prod(_shape(array, sizes), dtype=np.float64)) for array in arrays), default=0)


def _arrays(value: Any) -> Iterator[SymbolicArray]:
    if isinstance(value, SymbolicArray):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _arrays(item)


def _sizes(value: Any) -> Iterator[Size]:
    """The sizes of all arrays in some arguments, and those that are arguments."""
    if isinstance(value, SymbolicArray):
        yield from value.shape_sizes
    elif isinstance(value, SymbolicScalar):
        yield from () if value.dim is None else (value.dim,)
    elif isinstance(value, slice):
        yield from _sizes((value.start, value.stop, value.step))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _sizes(item)
