"""ndarray's methods and attributes on symbols; what isn't here runs in the driver as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ..ops import OPS
from ..ops.define import REDUCTION
from ..trace.build import TraceError
from . import numpy_elementwise as elements
from . import numpy_joining as joining
from . import numpy_products as products
from . import numpy_reductions as reductions
from . import numpy_selecting as selecting
from . import numpy_shapes as shapes
from .arrays import SymbolicArray
from .indexing import assign, transpose
from .numpy_api import Unknown, generic, has_object, unwrap_unions, with_named_out
from .scalar_methods import to_python
from .symbols import python_expression

_REDUCTIONS = [op.name for op in OPS.values() if op.kind == REDUCTION and hasattr(np.ndarray, op.name)]


def _reshape(array: SymbolicArray, *shape: Any) -> Any:
    return shapes.reshape(array, shape[0] if len(shape) == 1 else shape)


def _transpose(array: SymbolicArray, *axes: Any) -> Any:
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], tuple)):
        axes = axes[0] or ()
    return shapes.transpose_(array, axes or None)


def _fill(array: SymbolicArray, value: Any) -> None:
    assign(array, value)


def _conj(array: SymbolicArray) -> Any:
    return np.conjugate(array) if array.dtype.kind == "c" else array


def _clip(array: SymbolicArray, min: Any = None, max: Any = None) -> Any:
    return elements.clip(array, min, max)


def _flatten(array: SymbolicArray) -> Any:
    return elements.copy(shapes.reshape(array, -1))


def _copy(array: SymbolicArray, order: str = "C") -> Any:
    return elements.copy(array, order)


def _item(array: SymbolicArray, *index: Any) -> Any:
    if len(index) != array.ndim or isinstance(index[0] if index else 0, tuple):
        raise Unknown
    return to_python(array[index])


def _tolist(array: SymbolicArray) -> NoReturn:
    raise Unknown  # graphs have no lists: who traces them asks for this method first


def _compress(array: SymbolicArray, condition: Any, axis: Any = None) -> Any:
    return np.compress(condition, array, axis)  # the function has its arguments the other way round


def _reversed_axes(array: SymbolicArray) -> Any:
    return transpose(array, tuple(reversed(range(array.ndim))), "{0}.T")


def _last_axes_swapped(array: SymbolicArray) -> Any:
    if array.ndim < 2:
        raise TraceError("matrix transpose with ndim < 2 is undefined")
    return shapes.swapaxes(array, -1, -2)


METHODS: dict[str, Callable[..., Any]] = {
    **{name: reductions.reduction(name, f"{{0}}.{name}") for name in _REDUCTIONS},
    "mean": reductions.mean,
    "var": reductions.var,
    "std": reductions.std,
    "trace": reductions.trace,
    "cumsum": reductions.accumulate(np.cumsum, None),
    "cumprod": reductions.accumulate(np.cumprod, None),
    "reshape": _reshape,
    "ravel": shapes.ravel,
    "flatten": _flatten,
    "transpose": _transpose,
    "swapaxes": shapes.swapaxes,
    "squeeze": shapes.squeeze,
    "diagonal": selecting.diagonal,
    "copy": _copy,
    "astype": elements.astype,
    "fill": _fill,
    "conj": _conj,
    "conjugate": _conj,
    "clip": _clip,
    "round": elements.round_,
    "dot": products.dot("{0}.dot({1})"),
    "sort": selecting.sort_in_place,
    "argsort": selecting.argsort,
    "take": selecting.take,
    "nonzero": selecting.nonzero,
    "repeat": joining.repeat,
    "item": _item,
    "tolist": _tolist,
    "compress": _compress,
}

ATTRIBUTES: dict[str, Callable[[SymbolicArray], Any]] = {
    "real": shapes.real,
    "imag": shapes.imag,
    "T": _reversed_axes,
    "mT": _last_axes_swapped,
}
METHODS.update(ATTRIBUTES)


def bind(array: SymbolicArray, name: str) -> Any:
    """The bound method `name` of `array`, or the attribute; methods without a rule are NumPy's own calls."""
    if name in ATTRIBUTES:
        try:
            return ATTRIBUTES[name](array)
        except Unknown:
            return python_expression(lambda t: f"{t.write(array)}.{name}")

    def method(*args: Any, **kwargs: Any) -> Any:
        args = tuple(unwrap_unions(arg) for arg in args)
        kwargs = {key: unwrap_unions(value) for key, value in kwargs.items()}
        plain = getattr(np.ndarray, name)
        if not _has_dtype(name, args):
            (_, *rest), kwargs = with_named_out(plain, (array, *args), kwargs)
            args = tuple(rest)
        if any(has_object(value) for value in (*args, *kwargs.values())) or _has_dtype(name, args):
            return python_expression(lambda t: t.call(f"{t.write(array)}.{name}", args, kwargs))
        if name in METHODS:
            try:
                return METHODS[name](array, *args, **kwargs)
            except (Unknown, TypeError):
                pass
        return generic(
            lambda a, *rest, **more: getattr(a, name)(*rest, **more),
            None,
            (array, *args),
            kwargs,
            source=lambda t: t.call(f"{t.write(array)}.{name}", args, kwargs),
            function=getattr(np, name if name in METHODS else "", None) or plain,
        )

    method.__name__ = name
    method.__self__ = array  # type: ignore[attr-defined]
    return method


def _has_dtype(name: str, args: tuple[object, ...]) -> bool:
    """Whether ``all`` or ``any`` get a second argument by place: a dtype, whatever their signatures say."""
    return name in ("all", "any") and len(args) > 1


def attribute(array: SymbolicArray, name: str) -> Any:
    """``array.name``."""
    if name in METHODS:
        return bind(array, name)
    if not hasattr(np.ndarray, name):
        raise TraceError(f"'numpy.ndarray' object has no attribute '{name}'")
    return python_expression(lambda t: f"{t.write(array)}.{name}")
