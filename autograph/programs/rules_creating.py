"""When arrays of numbers are made by programs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...graph.ir.types import INT, Scalar
from ...graph.symbolic.arith import type_of
from ...graph.symbolic.numpy_meaning import NUMPY
from ...graph.symbolic.symbols import as_dim, unwrap_union
from ...graph.trace.build import current
from . import creating, kinds
from .inline import PLAIN, Pays, inlined

_RANGES = (np.dtype(np.int64), np.dtype(np.float64))


def sized(function: Callable[..., object]) -> Callable[..., object]:
    """``np.zeros`` and the like, where a size is an int of the run."""

    def rule(shape: object, *args: object, **kwargs: object) -> object:
        items = tuple(map(unwrap_union, shape)) if isinstance(shape, (tuple, list)) else (shape,)
        if all(as_dim(item) is not None for item in items) or not all(map(kinds.is_int, items)):
            return PLAIN
        sizes = [
            item if as_dim(item) is not None else inlined(creating.size, (item,), Pays.ALONE)
            for item in items
        ]
        if any(one is PLAIN for one in sizes):
            return PLAIN
        return NUMPY.function(function, (tuple(sizes), *args), kwargs)

    return rule


def arange(*args: object, dtype: object = None) -> object:
    """``np.arange`` of Python's ints."""
    given = _dtype(dtype, np.int64)
    if not 1 <= len(args) <= 3 or given not in _RANGES or not all(type_of(one) == INT for one in args):
        return PLAIN
    start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
    if type(step) is not int or not step:
        return PLAIN
    if type(start) is int and start == 0 and step == 1 and _is_size(stop):
        return inlined(creating.count_up, (stop, given), Pays.BESIDE_OTHERS)
    return inlined(creating.arange, (start, stop, step, given), Pays.BESIDE_OTHERS)


def mgrid(key: object) -> object:
    """``np.mgrid[a:b, c:d]`` of Python's ints."""
    spans = key if isinstance(key, tuple) else ()
    if len(spans) != 2 or not all(isinstance(span, slice) for span in spans):
        return PLAIN
    starts = tuple(0 if span.start is None else span.start for span in spans)
    if any(span.step not in (None, 1) or type(span.step) is bool for span in spans):
        return PLAIN
    ends = [(start, span.stop) for start, span in zip(starts, spans, strict=True)]
    if not all(type_of(one) == INT and as_dim(one) is not None for pair in ends for one in pair):
        return PLAIN
    sizes = tuple(stop - start for start, stop in ends)
    if not all(map(_is_size, sizes)):
        return PLAIN
    return inlined(creating.grid_of_two, (*starts, *sizes), Pays.ALONE)


def indices(dimensions: object, dtype: object = int) -> object:
    """``np.indices`` of a matrix."""
    sizes = dimensions if isinstance(dimensions, (tuple, list)) else ()
    if len(sizes) != 2 or _dtype(dtype, np.int64) != np.int64 or not all(map(_is_size, sizes)):
        return PLAIN
    return inlined(creating.grid_of_two, (0, 0, *sizes), Pays.ALONE)


def linspace(
    start: object, stop: object, num: object = 50, endpoint: object = True, *, dtype: object = None
) -> object:
    """``np.linspace`` between two real numbers."""
    if type(endpoint) is not bool or _dtype(dtype, np.float64) != np.float64 or not _is_size(num):
        return PLAIN
    ends = [kinds.dtype_of(end) for end in (start, stop)]
    if any(end is None or end.kind not in "iuf" or end == np.float32 for end in ends):
        return PLAIN
    return inlined(creating.linspace, (start, stop, num, endpoint), Pays.ALONE)


def eye(N: object, M: object = None, k: object = 0, dtype: object = float) -> object:  # noqa: N803 (NumPy's names)
    """``np.eye``."""
    return _made(creating.eye, N, M, k, dtype)


def identity(n: object, dtype: object = None) -> object:
    """``np.identity``."""
    return _made(creating.eye, n, None, 0, dtype)


def tri(N: object, M: object = None, k: object = 0, dtype: object = float) -> object:  # noqa: N803 (NumPy's names)
    """``np.tri``."""
    return _made(creating.lower_ones, N, M, k, dtype)


def _made(program: object, rows: object, columns: object, k: object, dtype: object) -> object:
    given = _dtype(dtype, np.float64)
    columns = rows if columns is None else columns
    if given is None or given.kind not in "biufc" or type(k) is not int:
        return PLAIN
    if not _is_size(rows) or not _is_size(columns):
        return PLAIN
    return inlined(program, (rows, columns, k, given), Pays.BESIDE_OTHERS)  # type: ignore[arg-type]


def trace(a: object, offset: object = 0) -> object:
    """``np.trace`` of a matrix."""
    if not kinds.is_array(a, 2) or type(offset) is not int or offset or a.dtype.kind == "b":
        return PLAIN
    return inlined(creating.trace, (a,), Pays.ALONE)


def fill_diagonal(a: object, val: object) -> object:
    """``np.fill_diagonal`` of a matrix with one number."""
    if not kinds.is_array(a, 2) or not a.type.writeable or not isinstance(type_of(val), Scalar):
        return PLAIN
    return (
        inlined(creating.fill_diagonal, (a, val), Pays.BESIDE_OTHERS)
        if kinds.goes_into(val, a.dtype)
        else PLAIN
    )


def cross(a: object, b: object) -> object:
    """``np.cross`` of vectors, or rows, of three numbers of one dtype."""
    if not kinds.is_array(a) or not kinds.is_array(b) or a.dtype != b.dtype or a.dtype.kind not in "iuf":
        return PLAIN
    if a.ndim != b.ndim or a.ndim > 2:
        return PLAIN
    if not all(current().same_size(one.shape_sizes[-1], 3) for one in (a, b)):
        return PLAIN
    if a.ndim == 1:
        return inlined(creating.cross, (a, b), Pays.ALONE)
    return inlined(creating.cross_of_rows, (a, b), Pays.ALONE) if kinds.same_length(a, b) else PLAIN


def _is_size(count: object) -> bool:
    """Whether it is an int that isn't negative, by proof or by a guard."""
    dim = as_dim(count)
    return type_of(count) == INT and dim is not None and current().is_natural(dim)


def _dtype(given: object, usual: type) -> np.dtype | None:
    """The dtype that is asked for, where that is known."""
    if given is None:
        return np.dtype(usual)
    try:
        found = np.dtype(given)  # type: ignore[call-overload]
    except TypeError:
        return None
    return found if found.isnative else None
