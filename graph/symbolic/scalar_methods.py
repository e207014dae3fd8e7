"""Methods, attributes and conversions of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir.types import BOOL, COMPLEX, FLOAT, INT, Scalar, numpy_scalar
from ..trace.build import current, rules
from ..trace.template import attribute_text
from .arith import rounded
from .numpy_api import generic
from .symbols import SymbolicScalar, python_expression

_PYTHON_OF = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}


def attribute(scalar: SymbolicScalar, name: str) -> Any:
    """``x.name`` of a number."""
    kind = scalar.type
    if name == "real" and kind.dtype.kind != "c":
        return rules().binary("add", scalar, 0) if kind == BOOL else scalar
    if name in ("real", "imag") and kind.dtype.kind == "c":
        if kind.is_python:
            return SymbolicScalar(
                current().one(
                    f"py.{name}", (scalar.operand(),), FLOAT, loop=("complex",), text=f"{{0}}.{name}"
                ),
                FLOAT,
            )
        half = np.empty(0, kind.dtype).real.dtype
        node = current().one(
            name, (scalar.operand(),), numpy_scalar(half), loop=(kind.dtype.name,), text=f"{{0}}.{name}"
        )
        return SymbolicScalar(node, numpy_scalar(half))
    if name in ("conj", "conjugate") and kind.dtype.kind == "c" and (name != "conj" or not kind.is_python):
        return lambda: _conjugate(scalar, name)
    if not kind.is_python:
        if name == "dtype":
            return kind.dtype
        if name in ("ndim", "size"):
            return 0 if name == "ndim" else 1
        if name == "shape":
            return ()
        if name == "item":
            return lambda: to_python(scalar)
        if name == "T":
            return scalar
        if name == "clip":
            return lambda *bounds, **more: rules().function(np.clip, (scalar, *bounds), more)
        if name == "astype":
            return lambda dtype, *rest, **more: (
                _method(scalar, name, False)(dtype, *rest, **more)
                if rest or more
                else to_numpy(scalar, np.dtype(dtype))
            )
        if callable(getattr(np.generic, name, None)):
            return _method(scalar, name, name in ("copy", "max", "min") or _is_own(name, kind.dtype))
    return python_expression(lambda t: attribute_text(t.write(scalar), name))


def _is_own(name: str, dtype: np.dtype) -> bool:
    """Whether it is the number itself: sums of bools and short ints have 64 bits."""
    if name == "sum":
        return dtype.kind in "fc" or dtype.itemsize == 8
    return name in ("conj", "conjugate") and dtype.kind != "c"


def _conjugate(scalar: SymbolicScalar, name: str) -> SymbolicScalar:
    op = "py.conjugate" if scalar.type.is_python else "conjugate"
    loop, text = (scalar.type.kind,), f"{{0}}.{name}()"
    node = current().one(op, (scalar.operand(),), scalar.type, loop=loop, text=text)
    return SymbolicScalar(node, scalar.type)


def _method(scalar: SymbolicScalar, name: str, is_itself: bool) -> Callable[..., Any]:
    """A method of a NumPy number; without arguments some give the number itself."""

    def method(*args: Any, **kwargs: Any) -> Any:
        if is_itself and not args and not kwargs:
            return scalar
        return generic(
            lambda value, *rest, **more: getattr(value, name)(*rest, **more),
            None,
            (scalar, *args),
            kwargs,
            source=lambda t: t.call(f"{t.write(scalar)}.{name}", args, kwargs),
        )

    return method


def to_python(scalar: Any) -> Any:
    """The Python number of a NumPy scalar (``x.item()``)."""
    if not isinstance(scalar, SymbolicScalar):
        return scalar.item() if isinstance(scalar, np.generic) else scalar
    return convert(scalar, _PYTHON_OF[scalar.type.dtype.kind])


def convert(scalar: SymbolicScalar, kind: Scalar) -> Any:
    """``int(x)``, ``float(x)``, ``bool(x)``, ``complex(x)``."""
    if scalar.type == kind:
        return scalar
    node = current().one(f"py.{kind.kind}", (scalar.operand(),), kind, loop=(scalar.type.kind,))
    return SymbolicScalar(node, kind)


def to_numpy(scalar: Any, dtype: np.dtype) -> Any:
    """``np.float32(x)`` and the like of a number."""
    kind = scalar.type
    if kind.dtype.kind == "c" and dtype.kind != "c":
        return python_expression(lambda t: f"np.{dtype.name}({t.write(scalar)})")
    if kind.is_python and kind == INT and dtype.kind in "iu" and dtype != np.int64:
        return python_expression(lambda t: f"np.{dtype.name}({t.write(scalar)})")
    if kind.dtype.kind == "f" and dtype.kind in "iu":
        return python_expression(lambda t: f"np.{dtype.name}({t.write(scalar)})")
    if kind == INT:
        scalar = rounded(scalar, dtype)
        kind = scalar.type
    wanted = numpy_scalar(dtype)
    node = current().one("cast", (scalar.operand(),), wanted, loop=(kind.dtype.name,))
    return SymbolicScalar(node, wanted)
