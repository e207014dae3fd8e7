"""What kernels know of how arrays lie in memory, where Numba doesn't."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.base import BaseContext
from numba.core.cgutils import unpack_tuple
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing import signature
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.typing.templates import Signature
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import make_array, populate_array


def in_one_piece(array: np.ndarray) -> np.ndarray:
    """The array itself, which is known to be in C order without gaps.

    Numba forgets that of ``m[1:]``, and then neither reshapes it nor unites it with arrays in C order.
    """
    return array


def of_any_layout(array: np.ndarray) -> np.ndarray:
    """The array itself, in whatever layout: functions that call themselves have one type for all calls."""
    return array


@type_callable(of_any_layout)
def _type_of_any_layout(context: TypingContext) -> Callable[[types.Array], Signature]:
    return lambda array: signature(array.copy(layout="A"), array)


@type_callable(in_one_piece)
def _type_in_one_piece(context: Any) -> Any:
    return lambda array: signature(array.copy(layout="C"), array)


@lower_builtin(in_one_piece, types.Array)
@lower_builtin(of_any_layout, types.Array)
def _lower_itself(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return impl_ret_borrowed(context, builder, sig.return_type, args[0])


def diagonal_of(matrix: np.ndarray) -> np.ndarray:
    """The diagonal of a square matrix, as a view: what `np.diagonal` is, which Numba hasn't."""
    return np.diagonal(matrix)


@type_callable(diagonal_of)
def _type_diagonal_of(context: TypingContext) -> Callable[[types.Array], Signature]:
    return lambda matrix: signature(types.Array(matrix.dtype, 1, "A", readonly=not matrix.mutable), matrix)


@lower_builtin(diagonal_of, types.Array)
def _lower_diagonal_of(
    context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]
) -> ir.Value:
    matrix = make_array(sig.args[0])(context, builder, args[0])
    made = make_array(sig.return_type)(context, builder)
    down, across = unpack_tuple(builder, matrix.strides, 2)
    populate_array(
        made,
        data=builder.bitcast(matrix.data, made.data.type),
        shape=unpack_tuple(builder, matrix.shape, 2)[:1],
        strides=[builder.add(down, across)],
        itemsize=matrix.itemsize,
        meminfo=matrix.meminfo,
        parent=matrix.parent,
    )
    return impl_ret_borrowed(context, builder, sig.return_type, made._getvalue())
