"""Ufuncs as the user calls them: with ``out=``, ``np.add.reduce(a)``, ``np.add.at(a, index, values)``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir.types import Scalar
from ..trace.build import TraceError, current, rules
from ..trace.template import function_name
from .arith import elementwise, lift, may_stop_midway, number_payloads, type_of
from .arrays import SymbolicArray
from .broadcasting import broadcast
from .indexing import assign
from .numpy_api import has_object, write
from .symbols import SymbolicObject, SymbolicUnion, python_call, unwrap_union


def ufunc_method(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A ufunc called by the user: ``np.add(a, b)``, ``np.add(a, b, out=c)``, ``np.add.reduce(a)``."""
    name = function_name(getattr(ufunc, method))
    if method == "__call__" and ufunc.signature is None and len(inputs) == ufunc.nin:
        inputs = number_payloads(ufunc, inputs)
    if any(isinstance(v, (SymbolicUnion, SymbolicObject)) for v in inputs):
        inputs = tuple(lift(v) for v in inputs)
    if method != "__call__" and any(isinstance(v, SymbolicObject) for v in inputs):
        return python_call(name, inputs, kwargs)
    if method == "__call__" and len(inputs) > ufunc.nin:  # where to write may follow the operands
        given = inputs[ufunc.nin :]
        if "out" in kwargs or len(given) > ufunc.nout or any(isinstance(v, (list, tuple)) for v in given):
            return python_call(name, inputs, kwargs)  # NumPy has to say what is wrong
        inputs, kwargs = inputs[: ufunc.nin], {**kwargs, "out": given if ufunc.nout > 1 else given[0]}
    if ufunc.nout == 1 and isinstance(out := kwargs.get("out"), tuple) and len(out) == 1:
        kwargs = {**kwargs, "out": out[0]}
    if method == "at" and getattr(inputs[0], "type", None) and not kwargs:
        return _at(ufunc, inputs)
    if method == "outer" and not kwargs and ufunc.nin == 2 and ufunc.nout == 1 and ufunc.signature is None:
        return _outer(ufunc, *inputs)
    if method == "__call__" and ufunc is np.divmod and not kwargs and not has_object(list(inputs)):
        return elementwise(np.floor_divide, inputs), elementwise(np.remainder, inputs)
    if method == "__call__" and ufunc is np.matmul:
        return rules().function(np.matmul, inputs, kwargs)
    if method == "__call__" and ufunc.signature is None and ufunc.nout == 1 and not kwargs:
        return elementwise(ufunc, inputs)
    if method == "__call__" and ufunc.nout == 1 and set(kwargs) == {"out"}:
        return _into(ufunc, inputs, kwargs["out"])
    return rules().function(ufunc if method == "__call__" else getattr(ufunc, method), inputs, kwargs)


def _outer(ufunc: np.ufunc, left: Any, right: Any) -> Any:
    """``np.add.outer(a, b)``: each element of a with each of b.

    It makes arrays of both first: Python's numbers have NumPy's dtypes here, they are not weak.
    """
    left, right = lift(left), lift(right)
    if any(isinstance(kind := type_of(v), Scalar) and kind.is_python for v in (left, right)):
        return rules().function(ufunc.outer, (left, right), {})
    if isinstance(left, SymbolicArray) and isinstance(right, SymbolicArray) and right.ndim:
        left = left[(..., *(None,) * right.ndim)]
    return elementwise(ufunc, (left, right))


def _at(ufunc: np.ufunc, inputs: tuple[Any, ...]) -> Any:
    """``np.add.at(array, index, values)``: a write by NumPy."""
    array = inputs[0]
    if not isinstance(array, SymbolicArray) or not array.type.writeable or has_object(list(inputs)):
        return rules().function(ufunc.at, inputs, {})
    return write(ufunc.at, *inputs)


def _is_as_large(out: SymbolicArray, inputs: tuple[Any, ...]) -> bool:
    """Whether `out` has the shape of the inputs together; where nobody knows, NumPy has to say."""
    shapes = [value.shape_sizes for value in map(unwrap_union, inputs) if isinstance(value, SymbolicArray)]
    whole = broadcast([out.shape_sizes, *shapes])
    if whole is None or len(whole) != out.ndim:
        return False
    return all(current().same_size(a, b) for a, b in zip(whole, out.shape_sizes, strict=True))


def _into(ufunc: np.ufunc, inputs: tuple[Any, ...], out: Any) -> Any:
    """``ufunc(..., out=array)``: compute, then write; NumPy allows same-kind casts."""
    if not isinstance(out, SymbolicArray) or has_object(list(inputs)):
        return python_call(function_name(ufunc), inputs, {"out": out})
    inputs = tuple(lift(value) if isinstance(value, (list, tuple)) else value for value in inputs)
    if may_stop_midway(ufunc.__name__, inputs) or not _is_as_large(out, inputs):
        return rules().function(ufunc, inputs, {"out": out})
    result = elementwise(ufunc, inputs)
    if not np.can_cast(type_of(result).dtype, out.dtype, "same_kind"):  # type: ignore[union-attr]
        raise TraceError(f"Cannot cast ufunc '{ufunc.__name__}' output to {out.dtype}")
    assign(out, result)
    return out
