"""Arrays taken apart: `split` and its like are views, one for each part."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.axes import Span
from ..ir.dims import Size
from ..trace.build import current
from .arrays import SymbolicArray
from .indexing import make_view
from .numpy_api import Unknown, as_array, normal_axis
from .symbols import as_dim, size_symbol, template


def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """``np.split``: into equal parts, or at places."""
    array = as_array(ary)
    at = normal_axis(axis, array.ndim)
    if isinstance(indices_or_sections, (tuple, list)):
        return _at_places(array, list(indices_or_sections), at)
    return _equal_parts(array, indices_or_sections, at)


def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """``np.array_split``: the first parts may be longer by one."""
    array = as_array(ary)
    at = normal_axis(axis, array.ndim)
    total = array.shape_sizes[at]
    if isinstance(indices_or_sections, (tuple, list)):
        return _at_places(array, list(indices_or_sections), at)
    if type(indices_or_sections) is not int or indices_or_sections < 1:
        raise Unknown
    if not isinstance(total, int):
        return _equal_parts(array, indices_or_sections, at)
    least, longer = divmod(total, indices_or_sections)
    ends = [k * least + min(k, longer) for k in range(indices_or_sections + 1)]
    return [_part(array, at, begin, end) for begin, end in pairwise(ends)]


def hsplit(ary: Any, indices_or_sections: Any) -> Any:
    """``np.hsplit``: along the second axis, of a vector along its first."""
    array = as_array(ary)
    return split(array, indices_or_sections, 0 if array.ndim == 1 else 1)


def vsplit(ary: Any, indices_or_sections: Any) -> Any:
    """``np.vsplit``: along the first axis."""
    if as_array(ary).ndim < 2:
        raise Unknown
    return split(ary, indices_or_sections, 0)


def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    """``np.dsplit``: along the third axis."""
    if as_array(ary).ndim < 3:
        raise Unknown
    return split(ary, indices_or_sections, 2)


def _equal_parts(array: SymbolicArray, sections: Any, at: int) -> list[Any]:
    total = array.shape_sizes[at]
    if type(sections) is not int or sections < 1:
        raise Unknown
    size = dims.floordiv(total, sections)
    if not current().same_size(dims.scale(size, sections), total):
        raise Unknown
    ends = [dims.scale(size, k) for k in range(sections)]
    return [_part(array, at, begin, dims.add(begin, size)) for begin in ends]


def _at_places(array: SymbolicArray, places: list[Any], at: int) -> list[Any]:
    if any(as_dim(place) is None for place in places):
        raise Unknown
    ends = [None, *places, None]
    before = (slice(None),) * at
    return [array[(*before, slice(a, b))] for a, b in pairwise(ends)]


def _part(array: SymbolicArray, at: int, begin: Size, end: Size) -> SymbolicArray:
    """``array[:, begin:end]``, which lies inside the array."""
    under = template()
    written = under.write(array)
    first = "" if begin == 0 else under.write(size_symbol(begin))
    last = under.write(size_symbol(end))
    source = f"{written}[{':, ' * at}{first}:{last}]"
    axes = [Span(k, begin if k == at else 0) for k in range(array.ndim)]
    shape = tuple(dims.sub(end, begin) if k == at else size for k, size in enumerate(array.shape_sizes))
    return make_view(array, axes, shape, under.operands, source)


HANDLERS: dict[Any, Callable[..., Any]] = {
    np.split: split,
    np.array_split: array_split,
    np.hsplit: hsplit,
    np.vsplit: vsplit,
    np.dsplit: dsplit,
}
