"""Methods, attributes and conversions of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .build import current
from .symbols import SymbolicScalar, python_expression
from .types import BOOL, COMPLEX, FLOAT, INT, Scalar

_PYTHON_OF = {"b": BOOL, "i": INT, "u": INT, "f": FLOAT, "c": COMPLEX}


def attribute(scalar: SymbolicScalar, name: str) -> Any:
    """``x.name`` of a number."""
    kind = scalar.type
    if name == "real" and kind.dtype.kind != "c":
        return scalar
    if name in ("real", "imag") and kind.dtype.kind == "c":
        if kind.is_python:
            return SymbolicScalar(
                current().one(
                    f"py.{name}", (scalar.operand(),), FLOAT, loop=("complex",), text=f"{{0}}.{name}"
                ),
                FLOAT,
            )
        return python_expression(lambda t: f"{t.write(scalar)}.{name}")
    if not kind.is_python:
        if name == "dtype":
            return kind.dtype
        if name in ("ndim", "size"):
            return 0 if name == "ndim" else 1
        if name == "shape":
            return ()
        if name == "item":
            return lambda: to_python(scalar)
        if name in ("copy", "sum", "max", "min") and not hasattr(int, name):
            return lambda: scalar
        if name == "astype":
            return lambda dtype: to_numpy(scalar, np.dtype(dtype))
        if name in ("conj", "conjugate") and kind.dtype.kind != "c":
            return lambda: scalar
    return python_expression(lambda t: f"{t.write(scalar)}.{name}")


def to_python(scalar: Any) -> Any:
    """The Python number of a NumPy scalar (``x.item()``)."""
    if not isinstance(scalar, SymbolicScalar):
        return scalar.item() if isinstance(scalar, np.generic) else scalar
    return convert(scalar, _PYTHON_OF[scalar.type.dtype.kind])


def convert(scalar: SymbolicScalar, kind: Scalar) -> Any:
    """``int(x)``, ``float(x)``, ``bool(x)``, ``complex(x)``."""
    if scalar.type == kind:
        return scalar
    node = current().one(
        f"py.{kind.kind}", (scalar.operand(),), kind, loop=(scalar.type.kind,), text=f"{kind.kind}({{0}})"
    )
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
    from .types import numpy_scalar

    name = dtype.name if dtype.kind != "b" else "bool_"
    wanted = numpy_scalar(dtype)
    node = current().one(
        "cast", (scalar.operand(),), wanted, loop=(kind.dtype.name,), text=f"np.{name}({{0}})"
    )
    return SymbolicScalar(node, wanted)
