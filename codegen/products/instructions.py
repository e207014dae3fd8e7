"""The few LLVM instructions that products are made of, on numbers and on vectors of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from ..vecmath.formula import Vector, has_fma, kind_of

INT1, INT8, INT32, INT64 = (ir.IntType(bits) for bits in (1, 8, 32, 64))
ZERO, BYTES = INT64(0), INT8.as_pointer()
STRIDED = [BYTES, INT64, INT64]  # a matrix: its address, bytes from row to row and from column to column


@functools.cache
def vector_bytes() -> int:
    """The size of this machine's vector registers."""
    features = llvm.get_host_cpu_features()
    return 64 if features.get("avx512f") else 32 if features.get("avx") else 16


class Emitter:
    """Writes into one LLVM function; addresses are of bytes, as strides are."""

    def __init__(self, builder: ir.IRBuilder, number: Any) -> None:
        self.builder, self.number = builder, number
        self.size = 4 if isinstance(number, ir.FloatType) else 8

    def at(self, base: Any, *offsets: Any) -> Any:
        """The address some bytes behind `base`."""
        for offset in offsets:
            base = self.builder.gep(base, [offset])
        return base

    def load(self, address: Any, lanes: int = 1, mask: Any = None) -> Any:
        """One number, or `lanes` neighbours: 0 where the mask is false."""
        kind = self._kind(lanes)
        if mask is None:
            return self.builder.load(self.builder.bitcast(address, kind.as_pointer()), align=self.size)
        function = self._masked("load", kind, kind, [kind.as_pointer(), INT32, mask.type, kind])
        place = self.builder.bitcast(address, kind.as_pointer())
        return self.builder.call(function, [place, INT32(self.size), mask, ir.Constant(kind, None)])

    def store(self, value: Any, address: Any, mask: Any = None) -> None:
        """Write a number or neighbours, those whose mask is true."""
        kind = kind_of(value)
        place = self.builder.bitcast(address, kind.as_pointer())
        if mask is None:
            self.builder.store(value, place, align=self.size)
            return
        function = self._masked("store", ir.VoidType(), kind, [kind, kind.as_pointer(), INT32, mask.type])
        self.builder.call(function, [value, place, INT32(self.size), mask])

    def _kind(self, lanes: int) -> Any:
        return self.number if lanes == 1 else Vector(self.number, lanes)

    def _masked(self, name: str, result: Any, kind: Any, arguments: list[Any]) -> Any:
        vector = kind.intrinsic_name
        pointer = "p0" if str(kind.as_pointer()) == "ptr" else f"p0{vector}"
        full = f"llvm.masked.{name}.{vector}.{pointer}"
        module = self.builder.module
        return module.globals.get(full) or ir.Function(module, ir.FunctionType(result, arguments), full)

    def mask(self, width: Any, lanes: int) -> Any:
        """True in the first `width` lanes."""
        vector = Vector(INT64, lanes)
        places = ir.Constant(vector, [INT64(k) for k in range(lanes)])
        return self.builder.icmp_unsigned("<", places, self.splat(width, lanes))

    def splat(self, value: Any, lanes: int) -> Any:
        """The number in all lanes."""
        if lanes == 1:
            return value
        vector = Vector(value.type, lanes)
        undefined = ir.Constant(vector, ir.Undefined)
        first = self.builder.insert_element(undefined, value, INT32(0))
        order = ir.Constant(Vector(INT32, lanes), [INT32(0)] * lanes)
        return self.builder.shuffle_vector(first, undefined, order)

    def zero(self, lanes: int = 1) -> Any:
        kind = self._kind(lanes)
        return ir.Constant(kind, 0.0) if lanes == 1 else ir.Constant(kind, [self.number(0.0)] * lanes)

    def multiply_add(self, a: Any, b: Any, total: Any) -> Any:
        """a * b + total, rounded once where the machine can."""
        if not has_fma():
            return self.builder.fadd(self.builder.fmul(a, b), total)
        kind = kind_of(a)
        function = self.builder.module.declare_intrinsic(
            "llvm.fma", [kind], ir.FunctionType(kind, [kind] * 3)
        )
        return self.builder.call(function, [a, b, total])

    def total(self, vector: Any) -> Any:
        """The sum of the lanes: halves are added to halves."""
        parts = [self.builder.extract_element(vector, INT32(k)) for k in range(vector.type.count)]
        while len(parts) > 1:
            half = len(parts) // 2
            parts = [self.builder.fadd(a, b) for a, b in zip(parts[:half], parts[half:], strict=True)]
        return parts[0]

    def smaller(self, a: Any, b: Any) -> Any:
        return self.builder.select(self.builder.icmp_signed("<", a, b), a, b)

    # Control flow -----------------------------------------------------------------------------------------

    @contextmanager
    def steps(self, stop: Any, step: Any, start: Any = ZERO) -> Iterator[Any]:
        """``for index in range(start, stop, step)``."""
        step = INT64(step) if isinstance(step, int) else step
        with self._loop(start, stop, step, ()) as (index, _, end):
            yield index
            end(())

    def accumulate(
        self,
        start: Any,
        stop: Any,
        step: int,
        initial: Sequence[Any],
        body: Callable[[Any, list[Any]], list[Any]],
    ) -> list[Any]:
        """The state after ``for index in range(start, stop, step): state = body(index, state)``."""
        with self._loop(start, stop, INT64(step), initial) as (index, state, end):
            end(body(index, state))
        return state

    @contextmanager
    def _loop(self, start: Any, stop: Any, step: Any, initial: Sequence[Any]) -> Iterator[Any]:
        builder = self.builder
        before = builder.block
        head, inside, done = (builder.append_basic_block(name) for name in ("loop", "body", "end"))
        builder.branch(head)
        builder.position_at_end(head)
        index = builder.phi(INT64)
        state = [builder.phi(value.type) for value in initial]
        builder.cbranch(builder.icmp_signed("<", index, stop), inside, done)
        builder.position_at_end(inside)

        def end(values: Sequence[Any]) -> None:
            following = builder.add(index, step)
            for phi, old, new in zip([index, *state], [start, *initial], [following, *values], strict=True):
                phi.add_incoming(old, before)
                phi.add_incoming(new, builder.block)
            builder.branch(head)

        yield index, state, end
        builder.position_at_end(done)

    def either(self, condition: Any, yes: Callable[[], list[Any]], no: Callable[[], list[Any]]) -> list[Any]:
        """The values of one of two branches."""
        builder = self.builder
        ends: list[tuple[list[Any], Any]] = []
        with builder.if_else(condition) as (then, otherwise):
            for branch, made in ((then, yes), (otherwise, no)):
                with branch:
                    ends.append((made(), builder.block))
        found = [builder.phi(value.type) for value in ends[0][0]]
        for values, block in ends:
            for phi, value in zip(found, values, strict=True):
                phi.add_incoming(value, block)
        return found
