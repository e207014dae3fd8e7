"""Products of matrices and vectors for `@njit` code: small ones in place, large ones by NumPy's BLAS.

`matmul(a, b, out)` writes the product of two arrays of one dtype, at most one of them a vector, to a
C-contiguous array that is neither of them; `matmul_add` adds it to what is there; `dot(a, b)` is that of two
vectors. The sizes fit. How large a product is is known when it is computed, so the choice is made there: from
`LARGE` multiplications on BLAS is called if NumPy has one. Called from Python they are NumPy's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.typing import signature
from numba.extending import lower_builtin, type_callable

from ..blas_addresses import LETTERS, table
from .blas import Blas
from .instructions import BYTES, INT64
from .loops import MULTIPLY, MULTIPLY_BOOLEANS, boolean_vectors, clear, vectors
from .panels import ROWS, Panels

LARGE = 200_000
"""Multiplications from which on BLAS is as fast (measured for float32 and float64, one thread)."""

table()  # machine code from the cache is loaded next


def matmul(a: Any, b: Any, out: Any) -> None:
    """``out[...] = a @ b``."""
    np.matmul(a, b, out=out)


def matmul_add(a: Any, b: Any, out: Any) -> None:
    """``out[...] += a @ b``."""
    out += np.matmul(a, b)


def dot(a: Any, b: Any) -> Any:
    """``a @ b`` of two vectors."""
    return np.matmul(a, b)


@type_callable(matmul)
@type_callable(matmul_add)
def _type_matmul(context: Any) -> Any:
    def typer(a: Any, b: Any, out: Any) -> Any:
        arrays = all(isinstance(x, types.Array) and x.ndim in (1, 2) for x in (a, b, out))
        if not arrays or not a.dtype == b.dtype == out.dtype or a.ndim + b.ndim == 2:
            return None
        return signature(types.none, a, b, out)

    return typer


@type_callable(dot)
def _type_dot(context: Any) -> Any:
    def typer(a: Any, b: Any) -> Any:
        if not all(isinstance(x, types.Array) and x.ndim == 1 for x in (a, b)) or a.dtype != b.dtype:
            return None
        return signature(a.dtype, a, b)

    return typer


class _Operands:
    """Sizes (m, n, k) and strides of two arrays: a vector is one row, or one column."""

    def __init__(self, context: Any, builder: Any, sig: Any, args: Any) -> None:
        arrays = [context.make_array(t)(context, builder, v) for t, v in zip(sig.args, args, strict=True)]
        shapes = [_unpacked(builder, array.shape) for array in arrays]
        steps = [_unpacked(builder, array.strides) for array in arrays]
        self.data = [builder.bitcast(array.data, BYTES) for array in arrays]
        size = INT64(context.get_abi_sizeof(context.get_data_type(sig.args[0].dtype)))
        one = INT64(1)
        self.m = shapes[0][0] if len(shapes[0]) == 2 else one
        self.k = shapes[0][-1]
        self.n = shapes[1][1] if len(shapes[1]) == 2 else one
        self.a = [self.data[0], steps[0][0] if len(steps[0]) == 2 else INT64(0), steps[0][-1]]
        self.b = [self.data[1], steps[1][0], steps[1][1] if len(steps[1]) == 2 else size]
        self.size = size


def _unpacked(builder: Any, values: Any) -> list[Any]:
    return [builder.extract_value(values, k) for k in range(values.type.count)]


def _lower_matmul(context: Any, builder: Any, sig: Any, args: Any, add: bool = False) -> Any:
    x = _Operands(context, builder, sig, args)
    dtype = sig.args[0].dtype
    # The rows of the result lie one behind the other.
    result = [x.data[2], builder.mul(x.n, x.size), ir.IntType(1)(int(add))]
    arguments = [x.m, x.n, x.k, *x.a, *x.b, *result]
    if str(dtype) not in LETTERS:
        _by_loops(context, builder, sig, args, add)
        return context.get_dummy_value()
    rows = builder.select(builder.icmp_signed("<", x.m, INT64(ROWS)), INT64(ROWS), x.m)
    work = builder.mul(builder.mul(rows, x.n), x.k)
    large = builder.icmp_signed(">", work, INT64(LARGE))
    before = builder.block
    with builder.if_then(large, likely=False):
        done = builder.call(Blas(builder.module, str(dtype)).product(), arguments)
        tried = builder.block
    found = builder.phi(ir.IntType(1))
    found.add_incoming(ir.IntType(1)(0), before)
    found.add_incoming(done, tried)
    with builder.if_then(builder.not_(found)):
        if isinstance(dtype, types.Float):
            builder.call(Panels(builder.module, context.get_data_type(dtype)).any_product(), arguments)
        else:
            _by_loops(context, builder, sig, args, add)
    return context.get_dummy_value()


def _by_loops(context: Any, builder: Any, sig: Any, args: Any, add: bool) -> None:
    if not add:
        context.compile_internal(builder, clear, signature(types.none, sig.args[2]), args[2:])
    known = MULTIPLY_BOOLEANS if isinstance(sig.args[0].dtype, types.Boolean) else MULTIPLY
    context.compile_internal(builder, known[sig.args[0].ndim, sig.args[1].ndim], sig, args)


def _lower_dot(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    dtype = sig.return_type
    if not isinstance(dtype, types.Float):
        loop = boolean_vectors if isinstance(dtype, types.Boolean) else vectors
        return context.compile_internal(builder, loop, sig, args)
    x = _Operands(context, builder, sig, args)
    panels = Panels(builder.module, context.get_data_type(dtype))
    if all(array.layout in "CF" for array in sig.args):
        return builder.call(panels.dot(), [x.k, x.data[0], x.data[1]])
    return builder.call(panels.strided_dot(), [x.k, x.a[0], x.a[2], x.b[0], x.b[1]])


def _lower_matmul_add(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _lower_matmul(context, builder, sig, args, add=True)


lower_builtin(matmul, types.Array, types.Array, types.Array)(_lower_matmul)
lower_builtin(matmul_add, types.Array, types.Array, types.Array)(_lower_matmul_add)
lower_builtin(dot, types.Array, types.Array)(_lower_dot)

__all__ = ["LARGE", "dot", "matmul", "matmul_add"]
