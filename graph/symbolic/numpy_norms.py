"""`np.linalg.norm`, step by step as `numpy.linalg` computes it, so that the bits agree."""

from __future__ import annotations

import numpy as np

from .arith import elementwise
from .arrays import SymbolicArray
from .numpy_api import Unknown, as_array, normal_axis
from .numpy_elementwise import copy
from .numpy_products import product
from .numpy_reductions import as_it_is, reduced, reduction, root
from .numpy_shapes import ravel, transpose_


def norm(x: object, ord: object = None, axis: object = None, keepdims: bool = False) -> object:
    """The root of the sum of squares: of all elements, or along one axis of floats."""
    array = as_array(x)
    if array.ndim == 0 or not isinstance(keepdims, bool):
        raise Unknown
    if axis is None:
        return _of_all(array, ord, keepdims)
    if isinstance(axis, tuple):
        raise Unknown
    at = normal_axis(axis, array.ndim)
    if type(ord) is int and ord == 1 and array.dtype.name in ("float32", "float64"):
        return reduction("sum")(elementwise(np.absolute, (array,)), at, keepdims=keepdims)
    if not (ord is None or (type(ord) is int and ord == 2)) or array.dtype.name not in ("float32", "float64"):
        kwargs = {"ord": ord, "axis": axis, "keepdims": keepdims}
        return as_it_is(np.linalg.norm, array, kwargs, reduced(array.shape_sizes, (at,), keepdims))
    squares = elementwise(np.multiply, (array, array), text="{0} * {0}")
    return root(reduction("sum")(squares, at, keepdims=keepdims), array.dtype)


def _of_all(array: SymbolicArray, ord: object, keepdims: bool) -> object:
    """The product of all elements, in the order in which they are in memory, with themselves."""
    if keepdims or not (ord is None or (type(ord) is int and ord == 2 and array.ndim == 1)):
        raise Unknown
    if array.dtype.kind in "biu":
        array = array.astype(np.float64)
    if array.dtype.name not in ("float32", "float64") or (array.ndim > 1 and array.type.layout == "A"):
        raise Unknown
    if array.ndim > 1:
        array = ravel(transpose_(array) if array.type.layout == "F" else array)
    elif array.type.layout != "C":
        array = copy(array)
    return root(product(array, array, "np.dot({0}, {1})"), array.dtype)
