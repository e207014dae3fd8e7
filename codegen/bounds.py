"""Indices in compiled code: brought into their axis, or NumPy's `IndexError`."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.typing import signature
from numba.extending import lower_builtin, type_callable

from .raising import raise_saying

_BEYOND = "index %lld is out of bounds for axis %lld with size %lld"


def wrapped_index(index: int, axis: int, size: int) -> int:
    """`index` counted from the start of the axis."""
    if index < -size or index >= size:
        raise IndexError(_BEYOND.replace("%lld", "{}").format(index, axis, size))
    return index + size if index < 0 else index


@type_callable(wrapped_index)
def _type_wrapped_index(context: Any) -> Any:
    def typer(index: Any, axis: Any, size: Any) -> Any:
        if not isinstance(index, types.Integer):
            return None
        taken = types.uint64 if index == types.uint64 else types.int64
        return signature(types.int64, taken, types.int64, types.int64)

    return typer


@lower_builtin(wrapped_index, types.int64, types.int64, types.int64)
def _lower_signed(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    index, axis, size = args
    low = builder.icmp_signed("<", index, builder.neg(size))
    high = builder.icmp_signed(">=", index, size)
    with builder.if_then(builder.or_(low, high), likely=False):
        raise_saying(context, builder, "IndexError", _BEYOND, [index, axis, size])
    from_end = builder.icmp_signed("<", index, index.type(0))
    return builder.select(from_end, builder.add(index, size), index)


@lower_builtin(wrapped_index, types.uint64, types.int64, types.int64)
def _lower_unsigned(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    """A large one is not a negative one."""
    index = args[0]
    with builder.if_then(builder.icmp_signed("<", index, index.type(0)), likely=False):
        context.call_conv.return_user_exc(builder, OverflowError, (_too_large(),))
    return _lower_signed(context, builder, sig, args)


def _too_large() -> str:
    """What this NumPy says of an index beyond the signed numbers."""
    try:
        np.zeros(1)[np.uint64(2**63)]
    except OverflowError as error:
        return str(error)
    raise AssertionError("NumPy took it")
