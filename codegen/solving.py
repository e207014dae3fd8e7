"""Linear equations for `@njit` code, by NumPy's own LAPACK (`graph/ops/solving.py`).

`solve(a, b, out)` and `inv(a, out)` write what NumPy's functions give to an array that is none of the others.
Called from Python they are NumPy's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.base import BaseContext
from numba.core.typing import signature
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.typing.templates import Signature
from numba.extending import intrinsic, lower_builtin, register_jitable, type_callable

from ..graph.ops.solving import ROUTINES
from .own_symbols import solver, tell

_INT, _BYTES = ir.IntType(64), ir.IntType(8).as_pointer()
SINGULAR = "Singular matrix"

for _routine in ROUTINES.values():
    tell(solver(_routine))  # machine code from the cache is loaded next


def solve(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    """``out[...] = np.linalg.solve(a, b)``."""
    out[...] = np.linalg.solve(a, b)


def inv(a: np.ndarray, out: np.ndarray) -> None:
    """``out[...] = np.linalg.inv(a)``."""
    out[...] = np.linalg.inv(a)


@type_callable(solve)
def _type_solve(context: TypingContext) -> Callable[..., Signature]:
    return lambda a, b, out: signature(types.none, a, b, out)


@type_callable(inv)
def _type_inv(context: TypingContext) -> Callable[..., Signature]:
    return lambda a, out: signature(types.none, a, out)


@intrinsic
def _factor_and_solve(
    context: BaseContext,
    matrix: types.Type,
    pivots: types.Type,
    right: types.Type,
    n: types.Type,
    m: types.Type,
) -> tuple[Signature, Callable[..., ir.Value]]:
    """gesv on `n` x `n` and `n` x `m` numbers in columns: 0, or which pivot is zero."""

    def generate(
        context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]
    ) -> ir.Value:
        vectors = zip(sig.args[:3], args[:3], strict=True)
        data = [context.make_array(kind)(context, builder, one).data for kind, one in vectors]
        lu, places, x = (builder.bitcast(one, _BYTES) for one in data)
        size, columns, info = (
            builder.bitcast(cgutils.alloca_once_value(builder, one), _BYTES)
            for one in (args[3], args[4], _INT(0))
        )
        given = [size, columns, lu, size, places, x, size, info]
        takes = ir.FunctionType(ir.VoidType(), [_BYTES] * len(given))
        symbol = solver(ROUTINES[str(sig.args[0].dtype)])
        builder.call(cgutils.get_or_insert_function(builder.module, takes, symbol), given)
        return builder.load(builder.bitcast(info, _INT.as_pointer()))

    return signature(types.int64, matrix, pivots, right, n, m), generate


@register_jitable
def solve_in_columns(a: np.ndarray, x: np.ndarray, n: int, m: int) -> None:
    """`x`, which is `m` right sides one after the other, becomes the solutions."""
    lu = np.empty(n * n, x.dtype)
    for j in range(n):
        for i in range(n):
            lu[j * n + i] = a[i, j]
    pivots = np.empty(n, np.int64)
    if _factor_and_solve(lu, pivots, x, n, m) > 0:  # type: ignore[call-arg, arg-type]  # Numba gives the context
        raise np.linalg.LinAlgError(SINGULAR)


def _solved_vector(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    n = len(out)
    if n > 0:
        x = np.empty(n, out.dtype)
        for i in range(n):
            x[i] = b[i]
        solve_in_columns(a, x, n, 1)
        for i in range(n):
            out[i] = x[i]


def _solved_matrix(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    n, m = out.shape
    if n > 0:
        x = np.empty(n * m, out.dtype)
        for j in range(m):
            for i in range(n):
                x[j * n + i] = b[i, j]
        solve_in_columns(a, x, n, m)
        for j in range(m):
            for i in range(n):
                out[i, j] = x[j * n + i]


def _inverted(a: np.ndarray, out: np.ndarray) -> None:
    n = len(out)
    if n > 0:
        x = np.zeros(n * n, out.dtype)
        for j in range(n):
            x[j * n + j] = 1
        solve_in_columns(a, x, n, n)
        for j in range(n):
            for i in range(n):
                out[i, j] = x[j * n + i]


@lower_builtin(solve, types.Array, types.Array, types.Array)
def _lower_solve(
    context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]
) -> ir.Value:
    way = _solved_vector if sig.args[1].ndim == 1 else _solved_matrix
    return context.compile_internal(builder, way, sig, args)


@lower_builtin(inv, types.Array, types.Array)
def _lower_inv(
    context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]
) -> ir.Value:
    return context.compile_internal(builder, _inverted, sig, args)
