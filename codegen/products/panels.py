"""Products of small matrices of floats, spelled out as LLVM instructions.

The result is made in *panels* of a few vectors' width. In a panel some rows at a time stay in registers: for
each k one row of `b` is read, and each of the rows adds a number of `a` times that row. So an element is the
sum over k in order, each term rounded once (twice where there is no fused multiply-add). A `b` whose rows are
not contiguous (a transposed matrix) is copied panel by panel to a buffer on the stack. Products with one
column are dot products of contiguous rows. Nothing is skipped: 0 times NaN is NaN.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from .instructions import BYTES, INT1, INT64, STRIDED, Emitter, vector_bytes

ROWS, VECTORS = 4, 2  # of the result that are in registers
DEPTH = 64  # rows of `b` in the buffer
PRODUCT = [INT64] * 3 + STRIDED * 2 + [BYTES, INT64, INT1]  # the arguments of a product


@dataclass(frozen=True)
class Matrix:
    """Where a matrix lies: address, bytes from row to row and from column to column."""

    data: Any
    row: Any
    column: Any


class Panels:
    """Writes the functions for one dtype into a module; each is there once in a program."""

    def __init__(self, module: ir.Module, number: Any) -> None:
        self.module, self.number = module, number
        self.name = "float32" if isinstance(number, ir.FloatType) else "float64"
        self.lanes = vector_bytes() // (4 if self.name == "float32" else 8)

    def _emitter(
        self, name: str, arguments: list[Any], result: Any = None
    ) -> tuple[ir.Function, Emitter | None]:
        """A function, and who writes it if it isn't there yet."""
        full = f"jitscope.{name}.{self.name}"
        if full in self.module.globals:
            return self.module.globals[full], None
        function = ir.Function(self.module, ir.FunctionType(result or ir.VoidType(), arguments), full)
        function.linkage = "linkonce_odr"
        for attribute in ("noinline", "optsize", "nounwind"):  # compiles three times faster, runs as fast
            function.attributes.add(attribute)
        return function, Emitter(ir.IRBuilder(function.append_basic_block("entry")), self.number)

    def any_product(self) -> ir.Function:
        """`product`, or the way that is faster where there is one column, or one row."""
        function, e = self._emitter("any_product", PRODUCT)
        if e is None:
            return function
        m, n, k, a, a_row, a_column, b, b_row, b_column, out, out_row, add = function.args
        builder, size, one = e.builder, INT64(e.size), INT64(1)

        def when(*pairs: tuple[Any, Any]) -> Any:
            tests = [builder.icmp_signed("==", left, right) for left, right in pairs]
            return builder.if_then(functools.reduce(builder.and_, tests))

        with when((n, one), (a_column, size), (b_row, size)):
            builder.call(self.dots(), [m, k, a, a_row, b, out, out_row, add])
            builder.ret_void()
        with when((n, one), (a_row, size)):
            builder.call(self.product(), [one, m, k, b, size, b_row, a, a_column, a_row, out, size, add])
            builder.ret_void()
        with when((m, one), (b_row, size), (a_column, size)):
            builder.call(self.dots(), [n, k, b, b_column, a, out, size, add])
            builder.ret_void()
        builder.call(self.product(), function.args)
        builder.ret_void()
        return function

    # Panels -----------------------------------------------------------------------------------------------

    def product(self) -> ir.Function:
        """(m, n, k, a, its strides, b, its strides, out, its row stride, add): ``out[...] = a @ b`` or
        ``out[...] += a @ b``."""
        function, e = self._emitter("product", PRODUCT)
        if e is None:
            return function
        m, n, k, a, a_row, a_column, b, b_row, b_column, out, out_row, add = function.args
        width = VECTORS * self.lanes
        buffer = e.builder.bitcast(e.builder.alloca(ir.ArrayType(self.number, DEPTH * width)), BYTES)
        left, right = Matrix(a, a_row, a_column), Matrix(b, b_row, b_column)
        result = Matrix(out, out_row, INT64(e.size))
        work = _Panel(e, m, k, left, right, result, add, width, self._pack(width), buffer)
        whole = e.builder.sub(n, e.builder.srem(n, INT64(width)))
        full, tail = self._kernel(VECTORS, False), self._kernel(1, True)
        with e.steps(whole, width) as j:
            work.write(full, j, INT64(width))
        with e.steps(n, self.lanes, whole) as j:
            work.write(tail, j, e.smaller(e.builder.sub(n, j), INT64(self.lanes)))
        e.builder.ret_void()
        return function

    def _kernel(self, vectors: int, masked: bool) -> ir.Function:
        """Some rows of one panel: (k, rows that there are, columns, a, its strides, b, its row stride, out,
        its row stride, add to what is there?). Rows that are not there are the last one once more."""
        name = "edge" if masked else "panel"
        function, e = self._emitter(name, [INT64] * 3 + STRIDED + [BYTES, INT64] * 2 + [INT1])
        if e is None:
            return function
        k, there, columns, a, a_row, a_column, b, b_row, out, out_row, add = function.args
        builder = e.builder
        mask = e.mask(columns, self.lanes) if masked else None
        numbers = [e.smaller(INT64(r), builder.sub(there, INT64(1))) if r else INT64(0) for r in range(ROWS)]
        left = [e.at(a, builder.mul(number, a_row)) for number in numbers]
        steps = [INT64(v * self.lanes * e.size) for v in range(vectors)]
        places = [e.at(out, builder.mul(number, out_row), step) for number in numbers for step in steps]

        def body(index: Any, totals: list[Any]) -> list[Any]:
            base = e.at(b, builder.mul(index, b_row))
            right = [e.load(e.at(base, step), self.lanes, mask) for step in steps]
            offset = builder.mul(index, a_column)
            scaled = [e.splat(e.load(e.at(address, offset)), self.lanes) for address in left]
            pairs = [(one, other) for one in scaled for other in right]
            return [e.multiply_add(*pair, total) for pair, total in zip(pairs, totals, strict=True)]

        totals = e.accumulate(INT64(0), k, 1, [e.zero(self.lanes)] * len(places), body)

        def added() -> list[Any]:
            pairs = zip(totals, places, strict=True)
            return [builder.fadd(e.load(place, self.lanes, mask), total) for total, place in pairs]

        totals = e.either(add, added, lambda: totals)
        for total, place in zip(totals, places, strict=True):
            e.store(total, place, mask)
        builder.ret_void()
        return function

    def _pack(self, width: int) -> ir.Function:
        """(b, its strides, rows, columns, buffer): copy a part of `b`, along columns: they are contiguous."""
        function, e = self._emitter("pack", [*STRIDED, INT64, INT64, BYTES])
        if e is None:
            return function
        b, b_row, b_column, rows, columns, buffer = function.args
        builder = e.builder

        def copy(index: Any, j: Any) -> None:
            value = e.load(e.at(b, builder.mul(j, b_column), builder.mul(index, b_row)))
            place = e.at(buffer, builder.mul(j, INT64(e.size)))
            e.store(value, e.at(place, builder.mul(index, INT64(width * e.size))))

        whole = builder.and_(rows, INT64(-4))
        with e.steps(columns, 1) as j:
            with e.steps(whole, 4) as index:
                for k in range(4):
                    copy(builder.add(index, INT64(k)), j)
            with e.steps(rows, 1, whole) as index:
                copy(index, j)
        builder.ret_void()
        return function

    # Dot products -----------------------------------------------------------------------------------------

    def dots(self) -> ir.Function:
        """(m, k, a, its row stride, x, out, its stride, add): dot products of contiguous rows with x."""
        function, e = self._emitter("dots", [INT64, INT64, BYTES, INT64, BYTES, BYTES, INT64, INT1])
        if e is None:
            return function
        m, k, a, a_row, x, out, out_step, add = function.args
        builder = e.builder
        with e.steps(m, ROWS) as i:
            last = builder.sub(m, INT64(1))
            numbers = [e.smaller(builder.add(i, INT64(r)), last) for r in range(ROWS)]
            rows = [e.at(a, builder.mul(number, a_row)) for number in numbers]
            places = [e.at(out, builder.mul(number, out_step)) for number in numbers]
            before = [builder.select(add, e.load(place), e.zero()) for place in places]
            for value, start, place in zip(self._sums(e, k, rows, x, 1), before, places, strict=True):
                e.store(builder.fadd(start, value), place)
        builder.ret_void()
        return function

    def dot(self) -> ir.Function:
        """(k, a, b): the dot product of two contiguous vectors."""
        function, e = self._emitter("dot", [INT64, BYTES, BYTES], self.number)
        if e is None:
            return function
        k, a, b = function.args
        e.builder.ret(self._sums(e, k, [a], b, 4)[0])
        return function

    def strided_dot(self) -> ir.Function:
        """(k, a, its stride, b, its stride): the dot product, term by term."""
        function, e = self._emitter("strided_dot", [INT64] + [BYTES, INT64] * 2, self.number)
        if e is None:
            return function
        k, a, a_step, b, b_step = function.args

        def body(index: Any, totals: list[Any]) -> list[Any]:
            left, right = (e.at(p, e.builder.mul(index, step)) for p, step in ((a, a_step), (b, b_step)))
            return [e.multiply_add(e.load(left), e.load(right), totals[0])]

        e.builder.ret(e.accumulate(INT64(0), k, 1, [e.zero()], body)[0])
        return function

    def _sums(self, e: Emitter, k: Any, rows: list[Any], x: Any, unrolled: int) -> list[Any]:
        """Dot products of `rows` with `x`: in as many lanes as a vector has, `unrolled` vectors a step."""
        builder, lanes = e.builder, self.lanes

        def terms(index: Any, totals: list[Any], mask: Any, step: int) -> list[Any]:
            place = builder.mul(builder.add(index, INT64(step * lanes)), INT64(e.size))
            right = e.load(e.at(x, place), lanes, mask)
            found = [e.load(e.at(row, place), lanes, mask) for row in rows]
            return [e.multiply_add(one, right, total) for one, total in zip(found, totals, strict=True)]

        def several(index: Any, totals: list[Any]) -> list[Any]:
            count = len(rows)
            parts = [terms(index, totals[u * count : (u + 1) * count], None, u) for u in range(unrolled)]
            return [total for part in parts for total in part]

        stop = builder.sub(k, builder.srem(k, INT64(unrolled * lanes)))
        zeros = [e.zero(lanes)] * (len(rows) * unrolled)
        totals = e.accumulate(INT64(0), stop, unrolled * lanes, zeros, several)
        while len(totals) > len(rows):
            half = len(totals) // 2
            totals = [builder.fadd(totals[k], totals[half + k]) for k in range(half)]

        def rest(index: Any, totals: list[Any]) -> list[Any]:
            return terms(index, totals, e.mask(builder.sub(k, index), lanes), 0)

        return [e.total(total) for total in e.accumulate(stop, k, lanes, totals, rest)]


@dataclass
class _Panel:
    """One product that is being written: a is m x k; `width` is that of the buffer, which `pack` fills."""

    e: Emitter
    m: Any
    k: Any
    a: Matrix
    b: Matrix
    out: Matrix
    add: Any
    width: int
    pack: ir.Function
    buffer: Any

    def write(self, kernel: ir.Function, j: Any, columns: Any) -> None:
        """The panel of `columns` columns from `j` on."""
        e, builder = self.e, self.e.builder
        plain = builder.icmp_signed("==", self.b.column, INT64(e.size))
        whole = builder.select(builder.icmp_signed(">", self.k, INT64(0)), self.k, INT64(1))
        depth = builder.select(plain, whole, INT64(DEPTH))
        with e.steps(whole, depth) as start:  # once even if k is 0: the sum of nothing is 0
            count = e.smaller(builder.sub(self.k, start), depth)
            place = e.at(self.b.data, builder.mul(start, self.b.row), builder.mul(j, self.b.column))
            with builder.if_then(builder.not_(plain)):
                builder.call(self.pack, [place, self.b.row, self.b.column, count, columns, self.buffer])
            source = builder.select(plain, place, self.buffer)
            stride = builder.select(plain, self.b.row, INT64(self.width * e.size))
            add = builder.or_(self.add, builder.icmp_signed("!=", start, INT64(0)))
            first = e.at(self.a.data, builder.mul(start, self.a.column))
            target = e.at(self.out.data, builder.mul(j, self.out.column))
            with e.steps(self.m, INT64(ROWS)) as i:
                mine = e.at(first, builder.mul(i, self.a.row))
                here = e.at(target, builder.mul(i, self.out.row))
                left = [mine, self.a.row, self.a.column]
                there = builder.sub(self.m, i)
                builder.call(kernel, [count, there, columns, *left, source, stride, here, self.out.row, add])
