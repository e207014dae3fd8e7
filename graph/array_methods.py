"""ndarray's methods and attributes on symbols; what isn't here runs in the driver as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import numpy_functions as functions
from .indexing import assign, payload
from .numpy_api import Unknown, _has_object, _settled, generic
from .symbolic_array import SymbolicArray
from .symbols import python_expression, python_statement, template

_REDUCTIONS = ("sum", "prod", "min", "max", "any", "all", "argmin", "argmax")


def _reshape(array: SymbolicArray, *shape: Any) -> Any:
    return functions.reshape(array, shape[0] if len(shape) == 1 else shape)


def _transpose(array: SymbolicArray, *axes: Any) -> Any:
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], tuple)):
        axes = axes[0] or ()
    return functions.transpose_(array, axes or None)


def _fill(array: SymbolicArray, value: Any) -> None:
    assign(array, payload(value))


def _conj(array: SymbolicArray) -> Any:
    return np.conjugate(array) if array.dtype.kind == "c" else array


def _clip(array: SymbolicArray, min: Any = None, max: Any = None) -> Any:
    return functions.clip(array, min, max)


def _flatten(array: SymbolicArray) -> Any:
    return functions.copy(functions.reshape(array, -1))


def _mean(array: SymbolicArray, axis: Any = None, *, keepdims: bool = False) -> Any:
    return functions.mean(array, axis, keepdims=keepdims)


def _copy(array: SymbolicArray, order: str = "C") -> Any:
    return functions.copy(array, order)


def _dot(array: SymbolicArray, other: Any) -> Any:
    if array.ndim > 2 or getattr(other, "ndim", 0) not in (1, 2) or array.ndim == 0:
        raise Unknown
    return functions.matmul(array, other)


def _sort(array: SymbolicArray, axis: int = -1) -> None:
    under = template()
    source = f"{under.write(array)}.sort(axis={axis})"
    from .build import current

    current().emit("numpy_write", under.operands, (), {"text": source})


def _item(array: SymbolicArray, *index: Any) -> Any:
    from .scalar_methods import to_python

    if len(index) != array.ndim or isinstance(index[0] if index else 0, tuple):
        raise Unknown
    return to_python(array[index])


METHODS: dict[str, Callable[..., Any]] = {
    **{name: functions.reduction(name, f"{{0}}.{name}") for name in _REDUCTIONS},
    "mean": _mean,
    "reshape": _reshape,
    "ravel": functions.ravel,
    "flatten": _flatten,
    "transpose": _transpose,
    "swapaxes": functions.swapaxes,
    "copy": _copy,
    "astype": functions.astype,
    "fill": _fill,
    "conj": _conj,
    "conjugate": _conj,
    "clip": _clip,
    "dot": _dot,
    "sort": _sort,
    "item": _item,
    **dict.fromkeys(
        (
            "var",
            "std",
            "cumsum",
            "cumprod",
            "nonzero",
            "argsort",
            "repeat",
            "take",
            "round",
            "squeeze",
            "diagonal",
            "trace",
        ),
        lambda array, *args, **kwargs: _raise_unknown(),
    ),
}


def _raise_unknown() -> Any:
    raise Unknown


def bind(array: SymbolicArray, name: str) -> Callable[..., Any]:
    """The bound method `name` of `array`."""

    def method(*args: Any, **kwargs: Any) -> Any:
        args = tuple(_settled(arg) for arg in args)
        kwargs = {key: _settled(value) for key, value in kwargs.items()}
        if any(_has_object(value) for value in (*args, *kwargs.values())):
            return python_expression(lambda t: t.call(f"{t.write(array)}.{name}", args, kwargs))
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
        )

    method.__name__ = name
    method.__self__ = array  # type: ignore[attr-defined]
    return method


__all__ = ["METHODS", "bind", "python_statement"]
