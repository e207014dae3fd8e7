"""NumPy's functions on symbols: which handler makes ops of the graph, or compositions of them, of a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ops import OPS
from ..ops.define import REDUCTION
from ..trace.build import TraceError
from ..trace.template import function_name
from . import numpy_creation as creation
from . import numpy_elementwise as elements
from . import numpy_indices as indices
from . import numpy_joining as joining
from . import numpy_linalg as linalg
from . import numpy_products as products
from . import numpy_reductions as reductions
from . import numpy_selecting as selecting
from . import numpy_several as several
from . import numpy_shapes as shapes
from . import numpy_splitting as splitting
from .arrays import SymbolicArray
from .numpy_api import (
    Unknown,
    as_array,
    generic,
    has_object,
    normal_axis,
    unwrap_unions,
    with_named_out,
    write,
)
from .numpy_einsum import einsum
from .numpy_norms import norm
from .symbols import python_call

IMPURE = frozenset(
    "save savez savez_compressed savetxt load loadtxt genfromtxt fromfile fromregex memmap seterr seterrcall"
    " setbufsize set_printoptions put place putmask fill_diagonal put_along_axis info test".split()
)
"""NumPy functions that touch the world or write to an argument: only called at run time, in their place."""

WRITES = (np.put, np.place, np.putmask, np.fill_diagonal, np.put_along_axis)
"""Functions that write to their first argument and give nothing."""


def ndim(a: Any) -> int:
    """``np.ndim``."""
    return as_array(a).ndim


def shape_(a: Any) -> tuple[Any, ...]:
    """``np.shape``."""
    return as_array(a).shape


def size_(a: Any, axis: Any = None) -> Any:
    """``np.size``."""
    array = as_array(a)
    return array.size if axis is None else array.shape[normal_axis(axis, array.ndim)]


def where(condition: Any, *choices: Any) -> Any:
    """``np.where`` of one argument is nonzero."""
    if len(choices) == 2:
        return elements.where(condition, *choices)
    if choices:
        raise Unknown
    return selecting.nonzero(condition)


REDUCTIONS = tuple(op.name for op in OPS.values() if op.kind == REDUCTION)

NAN_REDUCTIONS = (
    np.nansum, np.nanprod, np.nanmean, np.nanvar, np.nanstd, np.nanmax, np.nanmin, np.nanmedian, np.median,
    np.average,
)  # fmt: skip

HANDLERS: dict[Any, Callable[..., Any]] = {
    **{getattr(np, name): reductions.reduction(name) for name in REDUCTIONS},
    np.amax: reductions.reduction("max"),
    np.amin: reductions.reduction("min"),
    np.mean: reductions.mean,
    np.var: reductions.var,
    np.std: reductions.std,
    np.ptp: reductions.ptp,
    **{func: reductions.reducing(func) for func in NAN_REDUCTIONS},
    np.quantile: reductions.reducing(np.quantile, 1),
    np.percentile: reductions.reducing(np.percentile, 1),
    np.trace: reductions.trace,
    np.linalg.norm: norm,
    np.cumsum: reductions.accumulate(np.cumsum, None),
    np.cumprod: reductions.accumulate(np.cumprod, None),
    np.add.accumulate: reductions.accumulate(np.add.accumulate, 0),
    np.multiply.accumulate: reductions.accumulate(np.multiply.accumulate, 0),
    np.maximum.accumulate: reductions.accumulate(np.maximum.accumulate, 0),
    np.minimum.accumulate: reductions.accumulate(np.minimum.accumulate, 0),
    np.add.reduce: reductions.ufunc_reduce(np.add, "sum"),
    np.multiply.reduce: reductions.ufunc_reduce(np.multiply, "prod"),
    np.maximum.reduce: reductions.ufunc_reduce(np.maximum, "max"),
    np.minimum.reduce: reductions.ufunc_reduce(np.minimum, "min"),
    np.zeros: creation.creation("zeros"),
    np.ones: creation.creation("ones"),
    np.empty: creation.creation("empty"),
    np.full: creation.full,
    np.zeros_like: creation.like("zeros"),
    np.ones_like: creation.like("ones"),
    np.empty_like: creation.like("empty"),
    np.full_like: creation.full_like,
    np.arange: creation.arange,
    np.linspace: creation.linspace,
    np.eye: creation.eye,
    np.identity: creation.identity,
    np.array: creation.array_,
    np.asarray: creation.asarray(np.asarray),
    np.asanyarray: creation.asarray(np.asanyarray),
    np.ascontiguousarray: creation.asarray(np.ascontiguousarray),
    np.reshape: shapes.reshape,
    np.ravel: shapes.ravel,
    np.transpose: shapes.transpose_,
    np.swapaxes: shapes.swapaxes,
    np.expand_dims: shapes.expand_dims,
    np.squeeze: shapes.squeeze,
    np.broadcast_to: shapes.broadcast_to,
    np.atleast_1d: shapes.atleast(1),
    np.atleast_2d: shapes.atleast(2),
    np.flip: shapes.flip,
    np.real: shapes.real,
    np.imag: shapes.imag,
    **joining.HANDLERS,
    **splitting.HANDLERS,
    **linalg.HANDLERS,
    **several.HANDLERS,
    **indices.HANDLERS,
    np.where: where,
    np.clip: elements.clip,
    np.copy: elements.copy,
    np.copyto: elements.copyto,
    np.round: elements.round_,
    np.around: elements.round_,
    np.diff: elements.diff,
    np.outer: elements.outer,
    **products.HANDLERS,
    np.einsum: einsum,
    np.sort: selecting.sort,
    np.argsort: selecting.argsort,
    np.roll: selecting.roll,
    np.take: selecting.take,
    np.take_along_axis: selecting.take_along_axis,
    np.nonzero: selecting.nonzero,
    np.argwhere: selecting.argwhere,
    np.diagonal: selecting.diagonal,
    np.diag: selecting.diagonal_matrix(np.diag),
    np.diagflat: selecting.diagonal_matrix(np.diagflat),
    np.unique: selecting.unique,
    np.tril: selecting.triangle(np.tril),
    np.triu: selecting.triangle(np.triu),
    np.nan_to_num: selecting.same_shape(np.nan_to_num),
    np.isclose: selecting.isclose,
    np.ndim: ndim,
    np.shape: shape_,
    np.size: size_,
}


def call(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``func(*args, **kwargs)`` of a NumPy function with symbols among its arguments."""
    if indices.is_index_trick(func):
        return indices.index_trick(func, *args)
    args = tuple(unwrap_unions(arg) for arg in args)
    kwargs = {key: unwrap_unions(value) for key, value in kwargs.items()}
    args, kwargs = with_named_out(func, args, kwargs)
    name = function_name(func)
    if any(has_object(value) for value in (*args, *kwargs.values())):
        return python_call(name, args, kwargs)
    if func in WRITES and args and isinstance(args[0], SymbolicArray) and args[0].type.writeable:
        return write(func, *args, **kwargs)
    if _is_impure(func):
        return python_call(name, args, kwargs)
    handler = HANDLERS.get(func)
    if handler is not None:
        try:
            return handler(*args, **kwargs)
        except (Unknown, TypeError) as error:
            if (
                isinstance(error, TypeError)
                and error.__traceback__
                and error.__traceback__.tb_next is not None
            ):
                if not _binding_error(error):
                    raise TraceError(str(error)) from error
    return generic(func, name, args, kwargs)


def _is_impure(func: Any) -> bool:
    module = getattr(func, "__module__", None) or ""
    return getattr(func, "__name__", "") in IMPURE or module.startswith(("numpy.testing", "numpy.ctypeslib"))


def _binding_error(error: TypeError) -> bool:
    trace = error.__traceback__
    return trace is not None and trace.tb_next is None or "argument" in str(error)
