"""What stands in memory at an address: words and floats of objects that the caller keeps alive."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


def _loading(kind: Any, held: Any, result: Any) -> Any:
    signature = result(types.int64)

    def generate(context: Any, builder: ir.IRBuilder, _: Any, args: Any) -> Any:
        found = builder.load(builder.inttoptr(args[0], held.as_pointer()))
        return builder.sext(found, kind) if held != kind else found

    return signature, generate


@intrinsic
def word_at(typingctx: object, address: object) -> Any:
    """The 64-bit number at an address."""
    return _loading(ir.IntType(64), ir.IntType(64), types.int64)


@intrinsic
def digit_at(typingctx: object, address: object) -> Any:
    """The 32-bit number at an address."""
    return _loading(ir.IntType(64), ir.IntType(32), types.int64)


@intrinsic
def float_at(typingctx: object, address: object) -> Any:
    """The float at an address."""
    return _loading(ir.DoubleType(), ir.DoubleType(), types.float64)
