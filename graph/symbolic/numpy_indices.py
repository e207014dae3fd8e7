"""NumPy functions that make indices: for triangles, diagonals, open meshes and flat places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir.types import Array, Scalar
from ..trace.template import function_name, index_text, public_name
from .arith import lift, type_of
from .arrays import SymbolicArray
from .examples import example
from .numpy_api import Unknown, generic
from .numpy_creation import arange
from .numpy_selecting import nonzero
from .numpy_several import typed
from .symbols import template
from .unknown_arrays import several

_INDEX = np.dtype(np.intp)
_TRICKS = (np.mgrid, np.ogrid, np.r_, np.c_)


def is_index_trick(value: object) -> bool:
    """Whether `value` makes arrays of what stands between brackets."""
    return any(value is trick for trick in _TRICKS)


def index_trick(trick: Any, key: object) -> object:
    """``np.r_[a, 0]``, ``np.mgrid[:n, :n]`` and the like."""
    name = public_name(trick)
    return generic(
        trick.__getitem__, name, (key,), {}, source=lambda under: f"{name}[{index_text(under, key)}]"
    )


def _is_int(value: Any) -> bool:
    kind = type_of(value)
    return isinstance(kind, Scalar) and kind.dtype.kind in "iu"


def _triangle(func: Any) -> Callable[..., Any]:
    """``tril_indices``, ``triu_indices``: two arrays of one length."""

    def handler(n: Any, k: Any = 0, m: Any = None) -> Any:
        args = (n, k) if m is None else (n, k, m)
        if not all(map(_is_int, args)):
            raise Unknown
        under = template()
        text = under.call(function_name(func), args, {})
        return several(text, list(under.operands), [_INDEX, _INDEX], _length(func, args))

    return handler


def _length(func: Any, args: tuple[Any, ...]) -> int | None:
    """How many indices there are in the example, if that is soon found out."""
    examples = [example(arg) for arg in args]
    return len(func(*examples)[0]) if all(0 <= abs(n) <= 256 for n in examples) else None


def diag_indices(n: Any, ndim: Any = 2) -> Any:
    """``np.diag_indices``: one array for all axes."""
    if not _is_int(n) or type(ndim) is not int or ndim < 1:
        raise Unknown
    return (arange(n),) * ndim


def ix_(*args: Any) -> Any:
    """``np.ix_``: each array along an axis of its own; masks as the places where they hold."""
    found = []
    for axis, arg in enumerate(args):
        array = lift(arg) if isinstance(arg, list) and arg else arg
        if not isinstance(array, SymbolicArray) or array.ndim != 1 or array.dtype.kind not in "iub":
            raise Unknown
        if array.dtype.kind == "b":
            (array,) = nonzero(array)
        found.append(array[tuple(slice(None) if k == axis else None for k in range(len(args)))])
    return tuple(found)


def unravel_index(indices: Any, shape: Any) -> Any:
    """``np.unravel_index``: an index for each axis."""
    kind = type_of(indices)
    sizes = shape if isinstance(shape, (tuple, list)) else (shape,)
    if not isinstance(kind, Scalar | Array) or kind.dtype.kind not in "iu" or not all(map(_is_int, sizes)):
        raise Unknown
    known = not isinstance(indices, SymbolicArray) or indices.order == "C"
    own = indices.shape_sizes if isinstance(indices, SymbolicArray) else ()
    return typed(np.unravel_index, (indices, shape), {}, [(_INDEX, own)] * len(sizes), known)


HANDLERS: dict[Any, Callable[..., Any]] = {
    np.tril_indices: _triangle(np.tril_indices),
    np.triu_indices: _triangle(np.triu_indices),
    np.diag_indices: diag_indices,
    np.ix_: ix_,
    np.unravel_index: unravel_index,
}
