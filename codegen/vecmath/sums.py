"""Sums with NumPy's bits, in forms that vectorise.

NumPy adds a contiguous run pairwise: up to 128 numbers with 8 interleaved accumulators, longer runs
cut in two at a multiple of 8. Which runs, by layout:

- 1-d, or all of a C (or F) contiguous array: one run over memory;
- the last axis of a C array (first of an F array): each row is a run;
- any other axis: plain accumulation, row after row, in index order (`out[j] += a[i, j]`);
- several axes: runs along the innermost if it is among them, their sums accumulated in index order.

`pairwise_sum(a)` sums a 1-d array, `pairwise_sum(a, n)` its first n numbers. A fused sum writes its
expression to a small buffer::

    (x * y).sum(axis=1)                         row = np.empty(n1)                       # once, before loops
                                                for i in range(n0):
                                                    for j in range(n1):
                                                        row[j] = x[i, j] * y[i, j]
                                                    out[i] = pairwise_sum(row, n1)

and, where a run may be long, walks the tree of halves in chunks that fit the cache::

    (x * y).sum()                               chunk, levels = np.empty(min(n, CHUNK)), np.empty(64)
                                                total = 0.0
                                                start = 0
                                                while start < n:
                                                    size = pairwise_chunk(n, start)
                                                    for k in range(size):
                                                        chunk[k] = x[start + k] * y[start + k]
                                                    part = pairwise_sum(chunk, size)
                                                    total = pairwise_merge(levels, n, start, part)
                                                    start += size
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing import signature
from numba.extending import lower_builtin, type_callable

from .formula import Vector

INT64 = ir.IntType(64)
CHUNK = 2048  # numbers, at most, that `pairwise_chunk` hands out: 16 KiB stay in the first cache


def _scalar(kind: Any) -> Any:
    return ir.FloatType() if kind in (types.float32, types.complex64) else ir.DoubleType()


def pairwise_sum(a: Any, n: int | None = None) -> Any:
    """Sum of the first `n` (default: all) of a 1-d array of floats or complex numbers: NumPy's bits."""
    return np.add.reduce(a[:n])


def pairwise_chunk(n: int, start: int) -> int:
    """Size of the part at `start` when a sum of `n` numbers is cut as NumPy cuts it, down to `CHUNK`."""
    low, size = 0, n
    while size > CHUNK:
        half = (size >> 1) & -8
        if start < low + half:
            size = half
        else:
            low, size = low + half, size - half
    return size


def pairwise_merge(levels: Any, n: int, start: int, value: Any) -> Any:
    """Take in the sum of the part that begins at `start`; after the last part the result is the sum of all.

    `levels` is an array of 64 numbers of the sum's dtype in which the sums of left halves wait for the right
    ones.
    """
    low, size, depth, turn = 0, n, 0, -1
    while size > CHUNK:
        half = (size >> 1) & -8
        if start < low + half:
            size, turn = half, depth
        else:
            low, size = low + half, size - half
        depth += 1
    for level in range(depth - 1, turn, -1):
        value = levels[level] + value
    if turn >= 0:
        levels[turn] = value
    return value


class _Pairwise:
    """Writes the LLVM function of one kind of pairwise sum into a module.

    A complex run counts its floats: real and imaginary parts are alternate lanes of the same accumulators.
    """

    def __init__(self, kind: Any, contiguous: bool) -> None:
        self.number, self.lanes = _scalar(kind), 2 if isinstance(kind, types.Complex) else 1
        self.contiguous = contiguous
        self.result = ir.LiteralStructType([self.number] * self.lanes)
        self.name = f"jitscope.pairwise_sum.{kind}.{'contiguous' if contiguous else 'strided'}"

    def function(self, module: ir.Module) -> ir.Function:
        if self.name in module.globals:
            return module.globals[self.name]
        kind = ir.FunctionType(self.result, [self.number.as_pointer(), INT64, INT64])
        function = ir.Function(module, kind, self.name)
        function.linkage = "linkonce_odr"
        self._write(function)
        return function

    def _at(self, builder: ir.IRBuilder, data: Any, index: Any, stride: Any) -> Any:
        """Address of float number `index`."""
        if self.contiguous:
            return builder.gep(data, [index])
        offset = builder.mul(builder.udiv(index, INT64(self.lanes)), stride)
        raw = builder.gep(builder.bitcast(data, ir.IntType(8).as_pointer()), [offset])
        return builder.gep(builder.bitcast(raw, data.type), [builder.urem(index, INT64(self.lanes))])

    def _eight(self, builder: ir.IRBuilder, data: Any, index: Any, stride: Any) -> Any:
        vector = Vector(self.number, 8)
        if self.contiguous:
            address = builder.bitcast(self._at(builder, data, index, stride), vector.as_pointer())
            return builder.load(address, align=4 if isinstance(self.number, ir.FloatType) else 8)
        value: Any = ir.Constant(vector, ir.Undefined)
        for k in range(8):
            number = builder.load(self._at(builder, data, builder.add(index, INT64(k)), stride))
            value = builder.insert_element(value, number, ir.IntType(32)(k))
        return value

    def _rest(self, builder: ir.IRBuilder, args: Any, first: Any, start: list[Any]) -> list[Any]:
        """`start` plus, one by one, what lies from `first` to n."""
        data, n, stride = args
        before = builder.block
        head, body, done = (builder.append_basic_block(name) for name in ("rest", "rest.body", "rest.end"))
        builder.branch(head)
        builder.position_at_end(head)
        i = builder.phi(INT64)
        sums = [builder.phi(self.number) for _ in start]
        builder.cbranch(builder.icmp_unsigned("<", i, n), body, done)
        builder.position_at_end(body)
        new = [
            builder.fadd(s, builder.load(self._at(builder, data, builder.add(i, INT64(k)), stride)))
            for k, s in enumerate(sums)
        ]
        following = builder.add(i, INT64(self.lanes))
        builder.branch(head)
        for phi, old, now in zip([i, *sums], [first, *start], [following, *new], strict=True):
            phi.add_incoming(old, before)
            phi.add_incoming(now, body)
        builder.position_at_end(done)
        return sums

    def _return(self, builder: ir.IRBuilder, values: list[Any]) -> None:
        result: Any = ir.Constant(self.result, ir.Undefined)
        for k, value in enumerate(values):
            result = builder.insert_value(result, value, k)
        builder.ret(result)

    def _write(self, function: ir.Function) -> None:
        data, n, stride = function.args
        names = ("entry", "few", "many", "block", "split")
        entry, few, many, block, split = (function.append_basic_block(name) for name in names)
        builder = ir.IRBuilder(entry)
        builder.cbranch(builder.icmp_unsigned("<", n, INT64(8)), few, many)
        builder.position_at_end(few)
        zero = ir.Constant(self.number, -0.0)
        self._return(builder, self._rest(builder, function.args, INT64(0), [zero] * self.lanes))
        builder.position_at_end(many)
        builder.cbranch(builder.icmp_unsigned("<=", n, INT64(128)), block, split)
        builder.position_at_end(block)
        self._write_block(builder, function.args)
        builder.position_at_end(split)
        half = builder.and_(builder.lshr(n, INT64(1)), INT64(-8))
        left = builder.call(function, [data, half, stride])
        right = builder.call(function, [self._at(builder, data, half, stride), builder.sub(n, half), stride])
        parts = [(builder.extract_value(left, k), builder.extract_value(right, k)) for k in range(self.lanes)]
        self._return(builder, [builder.fadd(a, b) for a, b in parts])

    def _write_block(self, builder: ir.IRBuilder, args: Any) -> None:
        """Eight accumulators, then their tree, then what is left over."""
        data, n, stride = args
        end = builder.and_(n, INT64(-8))
        first = self._eight(builder, data, INT64(0), stride)
        before = builder.block
        head, body, done = (
            builder.append_basic_block(name) for name in ("eights", "eights.body", "eights.end")
        )
        builder.branch(head)
        builder.position_at_end(head)
        i, sums = builder.phi(INT64), builder.phi(first.type)
        builder.cbranch(builder.icmp_unsigned("<", i, end), body, done)
        builder.position_at_end(body)
        new = builder.fadd(sums, self._eight(builder, data, i, stride))
        following = builder.add(i, INT64(8))
        builder.branch(head)
        for phi, old, now in ((i, INT64(8), following), (sums, first, new)):
            phi.add_incoming(old, before)
            phi.add_incoming(now, body)
        builder.position_at_end(done)
        r = [builder.extract_element(sums, ir.IntType(32)(k)) for k in range(8)]
        totals = []
        for lane in range(self.lanes):
            level = r[lane :: self.lanes]
            while len(level) > 1:
                level = [builder.fadd(level[k], level[k + 1]) for k in range(0, len(level), 2)]
            totals.append(level[0])
        self._return(builder, self._rest(builder, args, end, totals))


@type_callable(pairwise_sum)
def _type_pairwise_sum(context: Any) -> Any:
    def typer(a: Any, n: Any = None) -> Any:
        if (
            not isinstance(a, types.Array)
            or a.ndim != 1
            or not isinstance(a.dtype, (types.Float, types.Complex))
        ):
            return None
        return signature(a.dtype, a) if n is None else signature(a.dtype, a, types.int64)

    return typer


def _lower_pairwise_sum(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    array = context.make_array(kind)(context, builder, args[0])
    n = args[1] if len(args) > 1 else builder.extract_value(array.shape, 0)
    written = _Pairwise(kind.dtype, kind.layout in "CF")
    data = builder.bitcast(array.data, written.number.as_pointer())
    count = builder.mul(n, INT64(written.lanes))
    stride = builder.extract_value(array.strides, 0)
    result = builder.call(written.function(builder.module), [data, count, stride])
    # NumPy adds the pairwise sum to 0.0: a sum of negative zeros is 0.0.
    parts = [
        builder.fadd(builder.extract_value(result, k), written.number(0.0)) for k in range(written.lanes)
    ]
    if written.lanes == 1:
        return parts[0]
    number = context.make_complex(builder, kind.dtype)
    number.real, number.imag = parts
    return number._getvalue()


lower_builtin(pairwise_sum, types.Array)(_lower_pairwise_sum)
lower_builtin(pairwise_sum, types.Array, types.int64)(_lower_pairwise_sum)


# The walk through the tree of halves ------------------------------------------------------------------------


@contextmanager
def _while(builder: ir.IRBuilder, condition: Callable[[], Any]) -> Iterator[None]:
    head, body, done = (builder.append_basic_block(name) for name in ("while", "while.body", "while.end"))
    builder.branch(head)
    builder.position_at_end(head)
    builder.cbranch(condition(), body, done)
    builder.position_at_end(body)
    yield
    builder.branch(head)
    builder.position_at_end(done)


def _descend(builder: ir.IRBuilder, n: Any, start: Any) -> tuple[Any, Any, Any]:
    """From the root to the part at `start`: (its size, its depth, depth of the last turn to the left)."""
    low, size, depth, turn = (
        cgutils.alloca_once_value(builder, v) for v in (INT64(0), n, INT64(0), INT64(-1))
    )
    with _while(builder, lambda: builder.icmp_signed(">", builder.load(size), INT64(CHUNK))):
        whole = builder.load(size)
        half = builder.and_(builder.lshr(whole, INT64(1)), INT64(-8))
        middle = builder.add(builder.load(low), half)
        left = builder.icmp_signed("<", start, middle)
        builder.store(builder.select(left, half, builder.sub(whole, half)), size)
        builder.store(builder.select(left, builder.load(low), middle), low)
        builder.store(builder.select(left, builder.load(depth), builder.load(turn)), turn)
        builder.store(builder.add(builder.load(depth), INT64(1)), depth)
    return builder.load(size), builder.load(depth), builder.load(turn)


def _lower_chunk(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _descend(builder, *args)[0]


def _lower_merge(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    levels, n, start, value = args
    kind = sig.args[0]
    array = context.make_array(kind)(context, builder, levels)
    add = context.get_function(operator.add, signature(kind.dtype, kind.dtype, kind.dtype))
    _, depth, turn = _descend(builder, n, start)
    total = cgutils.alloca_once_value(builder, value)
    level = cgutils.alloca_once_value(builder, builder.sub(depth, INT64(1)))
    with _while(builder, lambda: builder.icmp_signed(">", builder.load(level), turn)):
        waiting = context.unpack_value(builder, kind.dtype, builder.gep(array.data, [builder.load(level)]))
        builder.store(add(builder, [waiting, builder.load(total)]), total)
        builder.store(builder.sub(builder.load(level), INT64(1)), level)
    with builder.if_then(builder.icmp_signed(">=", turn, INT64(0))):
        context.pack_value(builder, kind.dtype, builder.load(total), builder.gep(array.data, [turn]))
    return builder.load(total)


@type_callable(pairwise_chunk)
def _type_chunk(context: Any) -> Any:
    return lambda n, start: signature(types.int64, types.int64, types.int64)


@type_callable(pairwise_merge)
def _type_merge(context: Any) -> Any:
    return lambda levels, n, start, value: signature(
        levels.dtype, levels, types.int64, types.int64, levels.dtype
    )


lower_builtin(pairwise_chunk, types.int64, types.int64)(_lower_chunk)
lower_builtin(pairwise_merge, types.Array, types.int64, types.int64, types.Any)(_lower_merge)
