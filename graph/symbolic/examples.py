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
_UNKNOWN = 8
"""What stands for sizes that nobody knows: enough for slices of a few elements."""

Sizes = Mapping[str, int]
Shape = tuple[int, ...]


def result_of(
    func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, tuple[Shape, ...] | None]:
    """What a call gives for examples of its arguments, and the shapes that this would have in the trace.

    There is a shape for each item of a tuple, and one for anything else. They are None where they aren't
    known, and of a tuple whose length depends on sizes.

    Raises:
        Exception: what `func` raises, or `TraceError`: there is no example of an argument.
    """
    given = (args, list(kwargs.values()))
    arrays, names = list(_arrays(given)), {name for size in _sizes(given) for name in dims.symbols(size)}
    sizes = {name: size for name in names if (size := current().hint(dims.symbol(name))) is not None}
    is_known = names <= sizes.keys()
    tried = sizes if is_known and _elements(arrays, sizes) <= LIMIT else _scaled(names, sizes)
    try:
        result = _called(func, args, kwargs, tried)
    except Exception:
        if tried is sizes or not is_known or _elements(arrays, sizes) > _LARGEST:
            raise
        tried, result = sizes, _called(func, args, kwargs, sizes)
    several = type(result) is tuple
    if not is_known or (tried is sizes and not several):
        return result, _shapes(result) if is_known else None

    def shapes(more: Sizes) -> tuple[Shape, ...]:
        return _shapes(_called(func, args, kwargs, more))

    names = names if several else {name for name in names if sizes[name] != tried[name]}
    return result, _carried_over(shapes, _shapes(result), {name: tried[name] for name in names}, tried, sizes)


def _shapes(result: object) -> tuple[Shape, ...]:
    return tuple(np.shape(item) for item in (result if type(result) is tuple else (result,)))


def _scaled(names: set[str], sizes: Sizes) -> dict[str, int]:
    """Small sizes for `names`: equal where `sizes` are equal, and different where they differ."""
    large = sorted({sizes[name] for name in names if sizes.get(name, 0) > _SMALL})
    small = {size: _SMALL + place for place, size in enumerate(large, start=1)}
    return {name: small.get(size, size) for name in names for size in [sizes.get(name, _UNKNOWN)]}


def _carried_over(
    shapes_of: Callable[[Sizes], tuple[Shape, ...]],
    shapes: tuple[Shape, ...],
    changing: Sizes,
    tried: Sizes,
    sizes: Sizes,
) -> tuple[Shape, ...] | None:
    """The shapes for `sizes`, by how those for the sizes that were `tried` change with each of them."""
    flat = _flat(shapes)
    found = flat.copy()
    for size in set(changing.values()):
        same = [name for name, tried_size in changing.items() if tried_size == size]
        try:
            more = shapes_of({**tried, **dict.fromkeys(same, size + 1)})
        except Exception:
            return None
        if [*map(len, more)] != [*map(len, shapes)]:
            return None
        found += (_flat(more) - flat) * (sizes[same[0]] - size)
    left = iter(np.maximum(found, 0).tolist())
    return tuple(tuple(next(left) for _ in shape) for shape in shapes)


def _flat(shapes: tuple[Shape, ...]) -> np.ndarray:
    return np.array([size for shape in shapes for size in shape], np.int64)


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
        shape = _shape(value, sizes)
        if sizes is None and np.prod(shape, dtype=np.float64) > LIMIT:
            raise TraceError("no small example of this array")
        made = np.ones(shape, value.dtype)
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


def _number(size: Size, sizes: Sizes | None) -> int | None:
    return current().hint(size) if sizes is None else dims.evaluate(size, sizes)


def _shape(array: SymbolicArray, sizes: Sizes | None) -> list[int]:
    found = [_number(size, sizes) for size in array.shape_sizes]
    if None in found:
        raise TraceError("an array of unknown size has no example")
    return [size or 0 for size in found]


def _elements(arrays: list[SymbolicArray], sizes: Sizes) -> int:
    """How many elements the largest of some arrays has."""
    return max((int(np.prod(_shape(array, sizes), dtype=np.float64)) for array in arrays), default=0)


def _arrays(value: object) -> Iterator[SymbolicArray]:
    if isinstance(value, SymbolicArray):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _arrays(item)


def _sizes(value: object) -> Iterator[Size]:
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
