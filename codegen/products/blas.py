"""NumPy's own BLAS, called from compiled code by the addresses of `blas_addresses.py`.

A function that isn't found is 0 in the table, and compiled code does without it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from llvmlite import ir

from ..blas_addresses import LETTERS, ROUTINES, TABLE
from .instructions import BYTES, INT1, INT32, INT64, STRIDED, Emitter

ROW_MAJOR, PLAIN, TURNED, UPPER = INT32(101), INT32(111), INT32(112), INT32(121)


@dataclass(frozen=True)
class BlasMatrix:
    """A matrix as BLAS takes it: rows of contiguous numbers, `step` numbers from row to row.

    `turned`: what is meant is its transpose. `fits`: false where the strides are of another kind.
    """

    data: Any
    rows: Any
    columns: Any
    step: Any
    turned: Any
    fits: Any


class Blas:
    """Writes the product of matrices of one dtype by BLAS into a module."""

    def __init__(self, module: ir.Module, dtype: str) -> None:
        self.module, self.dtype = module, dtype
        self.size = np.dtype(dtype).itemsize
        self.number = ir.FloatType() if dtype in ("float32", "complex64") else ir.DoubleType()

    def product(self) -> ir.Function:
        """(m, n, k, a, its strides, b, its strides, out, its row stride, add): False where BLAS can't."""
        name = f"jitscope.blas_product.{self.dtype}"
        if name in self.module.globals:
            return self.module.globals[name]
        kind = ir.FunctionType(INT1, [INT64] * 3 + STRIDED * 2 + [BYTES, INT64, INT1])
        function = ir.Function(self.module, kind, name)
        function.linkage = "linkonce_odr"
        for attribute in ("noinline", "optnone", "nounwind"):
            function.attributes.add(attribute)
        self.builder = ir.IRBuilder(function.append_basic_block("entry"))
        self.e = Emitter(self.builder, self.number)
        self._write(function.args)
        return function

    def _write(self, args: Any) -> None:
        m, n, k, a, a_row, a_column, b, b_row, b_column, out, out_row, add = args
        self.before = self._scalar(self.builder.select(add, INT64(1), INT64(0)))
        builder, one, size = self.builder, INT64(1), INT64(self.size)
        left = self._stored(a, a_row, a_column, m, k)
        right = self._stored(b, b_row, b_column, k, n)
        with builder.if_then(builder.icmp_signed("==", n, one)):
            self._matrix_vector(left, left.turned, b, b_row, out, out_row)
        with builder.if_then(builder.icmp_signed("==", m, one)):
            self._matrix_vector(right, builder.not_(right.turned), a, a_column, out, size)
        self._leave_unless(builder.and_(left.fits, right.fits))
        out_step = builder.sdiv(out_row, size)
        same = [builder.icmp_signed("==", x, y) for x, y in ((a_row, b_column), (a_column, b_row), (m, n))]
        same.append(builder.icmp_unsigned("==", builder.ptrtoint(a, INT64), builder.ptrtoint(b, INT64)))
        with builder.if_then(functools.reduce(builder.and_, [*same, builder.not_(add)])):
            self._with_itself(left, n, k, out, out_step)
        trans = [builder.select(matrix.turned, TURNED, PLAIN) for matrix in (left, right)]
        stored = [x for matrix in (left, right) for x in (matrix.data, matrix.step)]
        result = [self.before, out, out_step]
        self._call("gemm", [ROW_MAJOR, *trans, m, n, k, self._scalar(1), *stored, *result])
        builder.ret(INT1(1))

    # Operands ---------------------------------------------------------------------------------------------

    def _stored(self, data: Any, row: Any, column: Any, rows: Any, columns: Any) -> BlasMatrix:
        """How the matrix is stored: its own rows contiguous, or its columns."""
        builder = self.builder
        plain, plain_step = self._contiguous(row, column, rows, columns)
        turned, turned_step = self._contiguous(column, row, columns, rows)
        turned = builder.and_(turned, builder.not_(plain))
        choose: Callable[[Any, Any], Any] = lambda yes, no: builder.select(turned, yes, no)  # noqa: E731
        return BlasMatrix(
            data,
            choose(columns, rows),
            choose(rows, columns),
            choose(turned_step, plain_step),
            turned,
            builder.or_(plain, turned),
        )

    def _contiguous(self, row: Any, column: Any, rows: Any, columns: Any) -> tuple[Any, Any]:
        """Are rows contiguous and apart, and how many numbers from one to the next?"""
        builder, size, one = self.builder, INT64(self.size), INT64(1)
        few_columns = builder.icmp_signed("<=", columns, one)
        beside = builder.or_(few_columns, builder.icmp_signed("==", column, size))
        least = builder.select(few_columns, one, columns)
        apart = builder.icmp_signed(">=", row, builder.mul(least, size))
        apart = builder.and_(apart, builder.icmp_signed("==", builder.srem(row, size), INT64(0)))
        only_one = builder.icmp_signed("<=", rows, one)
        step = builder.select(only_one, least, builder.sdiv(row, size))
        return builder.and_(beside, builder.or_(only_one, apart)), step

    def _scalar(self, value: Any) -> Any:
        """alpha or beta, of a whole number: complex ones are handed over by their address."""
        builder = self.builder
        number = builder.sitofp(INT64(value) if isinstance(value, int) else value, self.number)
        if not self.dtype.startswith("complex"):
            return number
        pair = builder.alloca(ir.ArrayType(self.number, 2))
        for k, part in enumerate((number, self.number(0.0))):
            builder.store(part, builder.gep(pair, [INT32(0), INT32(k)]))
        return builder.bitcast(pair, BYTES)

    # Calls ------------------------------------------------------------------------------------------------

    def _leave_unless(self, condition: Any) -> None:
        with self.builder.if_then(self.builder.not_(condition)):
            self.builder.ret(INT1(0))

    def _call(self, routine: str, args: list[Any]) -> None:
        """Call the routine if this NumPy has it."""
        builder = self.builder
        place = list(LETTERS).index(self.dtype) * len(ROUTINES) + ROUTINES.index(routine)
        kind = ir.ArrayType(BYTES, len(LETTERS) * len(ROUTINES))
        addresses = builder.module.globals.get(TABLE) or ir.GlobalVariable(builder.module, kind, TABLE)
        address = builder.load(builder.gep(addresses, [INT32(0), INT32(place)]))
        self._leave_unless(builder.icmp_unsigned("!=", builder.ptrtoint(address, INT64), INT64(0)))
        function = ir.FunctionType(ir.VoidType(), [arg.type for arg in args])
        builder.call(builder.bitcast(address, function.as_pointer()), args)

    def _matrix_vector(
        self, matrix: BlasMatrix, turned: Any, x: Any, x_stride: Any, out: Any, out_stride: Any
    ) -> None:
        """The product with a vector; leaves the function."""
        builder, size = self.builder, INT64(self.size)
        whole = builder.icmp_signed("==", builder.srem(x_stride, size), INT64(0))
        forward = builder.and_(whole, builder.icmp_signed(">", x_stride, INT64(0)))
        self._leave_unless(builder.and_(matrix.fits, forward))
        trans = builder.select(turned, TURNED, PLAIN)
        stored = [matrix.rows, matrix.columns, self._scalar(1), matrix.data, matrix.step]
        vectors = [x, builder.sdiv(x_stride, size), self.before, out, builder.sdiv(out_stride, size)]
        self._call("gemv", [ROW_MAJOR, trans, *stored, *vectors])
        builder.ret(INT1(1))

    def _with_itself(self, left: BlasMatrix, n: Any, k: Any, out: Any, out_step: Any) -> None:
        """``a @ a.T``: half of it is computed, as NumPy does it; leaves the function."""
        builder, e = self.builder, self.e
        trans = builder.select(left.turned, TURNED, PLAIN)
        scaled = [self._scalar(1), left.data, left.step, self._scalar(0), out, out_step]
        self._call("syrk", [ROW_MAJOR, UPPER, trans, n, k, *scaled])
        row, size = builder.mul(out_step, INT64(self.size)), INT64(self.size)
        with e.steps(n, 1) as i, e.steps(i, 1) as j:
            for part in range(0, self.size, e.size):
                value = e.load(e.at(out, builder.mul(j, row), builder.mul(i, size), INT64(part)))
                e.store(value, e.at(out, builder.mul(i, row), builder.mul(j, size), INT64(part)))
        builder.ret(INT1(1))
