"""Strips of a long loop: between two of them it looks for signals, and LLVM vectorises the loop over one.

Two loops over `range` would do, but LLVM can't see then that an index of the inner one is not negative, and
what Python does with negative ones keeps it from vectorising. Flags say here that no number leaves 64 bits:
numbers that begin at 0 are seen to go up from there, and numbers that end at 0 to come down to there.

What is left of a strip is counted down to 0: of numbers that end at 1, counted to 1, LLVM would keep the
count alone, and not see on every CPU that it is never negative.

Strip-mining: Wolfe, High Performance Compilers for Parallel Computing (1996), section 9.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import iterator_impl
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin, models, register_model, type_callable

LONG = ir.IntType(64)
_FITS = ("nsw",)
_PARTS = ("start", "begin", "count", "step", "least")
"""A range has, from number `begin` on, `count` numbers, each `start` and so many steps. Of those that go
down the `least` is the last."""


def strips(whole: range, length: int) -> Iterator[range]:
    """`whole` in parts of `length`, in their order."""
    for done in range(0, len(whole), length):
        yield whole[done : done + length]


class _StripIteration(types.SimpleIteratorType):
    pass


class _StripsIteration(types.SimpleIteratorType):
    pass


class _Strip(types.SimpleIterableType):
    pass


class _AllStrips(types.SimpleIterableType):
    pass


_STRIP = _Strip("strip", _StripIteration("strip_iteration", types.int64))
_STRIPS = _AllStrips("strips", _StripsIteration("strips_iteration", _STRIP))


@register_model(_Strip)
class _StripModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [(part, types.int64) for part in _PARTS])


@register_model(_AllStrips)
class _StripsModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [(part, types.int64) for part in (*_PARTS, "length")])


@register_model(_StripIteration)
@register_model(_StripsIteration)
class _IterationModel(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        counts = [(name, types.EphemeralPointer(types.int64)) for name in ("done", "left")]
        super().__init__(manager, kind, [*((part, types.int64) for part in (*_PARTS, "length")), *counts])


@type_callable(strips)
def _type_strips(context: Any) -> Any:
    return lambda whole, length: signature(_STRIPS, types.range_state64_type, types.int64)


@infer_global(len)
class _LengthOfStrip(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.int64, *args) if isinstance(args[0], _Strip) else None


@lower_builtin(strips, types.range_state64_type, types.int64)
def _lower_strips(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    given = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0])
    whole = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    whole.start, whole.begin, whole.step, whole.length = given.start, LONG(0), given.step, args[1]
    whole.count = context.get_function(len, signature(types.int64, sig.args[0]))(builder, args[:1])
    stretch = builder.sub(builder.sub(given.start, given.stop), LONG(1))
    rest = builder.urem(stretch, builder.neg(given.step))
    whole.least = builder.add(builder.add(given.stop, LONG(1)), rest)
    return whole._getvalue()


@lower_builtin(len, _Strip)
def _lower_length(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    return cgutils.create_struct_proxy(_STRIP)(context, builder, args[0]).count


@lower_builtin("getiter", _Strip)
@lower_builtin("getiter", _AllStrips)
def _lower_iter(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    numbers = cgutils.create_struct_proxy(sig.args[0])(context, builder, args[0])
    over = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    for part in _PARTS:
        setattr(over, part, getattr(numbers, part))
    over.length, left = numbers.count, builder.sub(numbers.count, LONG(1), flags=_FITS)
    if isinstance(sig.args[0], _AllStrips):
        over.length, left = numbers.length, numbers.count
    over.done, over.left = (cgutils.alloca_once(builder, LONG) for _ in range(2))
    builder.store(LONG(0), over.done)
    builder.store(left, over.left)
    return over._getvalue()


def _place(builder: ir.IRBuilder, start: Any, steps: Any, step: Any) -> Any:
    return builder.add(start, builder.mul(steps, step, flags=_FITS), flags=_FITS)


@iterator_impl(_Strip, _StripIteration)
class _OverStrip(cgutils.create_struct_proxy(_STRIP.iterator_type)):  # type: ignore[misc]
    def iternext(self, context: Any, builder: ir.IRBuilder, result: Any) -> None:
        done, left = builder.load(self.done), builder.load(self.left)
        goes_on = builder.icmp_signed(">=", left, LONG(0))
        result.set_valid(goes_on)
        with builder.if_then(goes_on):
            up = _place(builder, self.start, builder.add(self.begin, done, flags=_FITS), self.step)
            down = _place(builder, self.least, left, builder.neg(self.step))
            goes_down = builder.icmp_signed("<", self.step, LONG(0))
            result.yield_(builder.select(goes_down, down, up))
            builder.store(builder.add(done, LONG(1), flags=("nuw", "nsw")), self.done)
            builder.store(builder.sub(left, LONG(1), flags=_FITS), self.left)


@iterator_impl(_AllStrips, _StripsIteration)
class _OverStrips(cgutils.create_struct_proxy(_STRIPS.iterator_type)):  # type: ignore[misc]
    def iternext(self, context: Any, builder: ir.IRBuilder, result: Any) -> None:
        done, left = builder.load(self.done), builder.load(self.left)
        goes_on = builder.icmp_signed(">", left, LONG(0))
        result.set_valid(goes_on)
        with builder.if_then(goes_on):
            is_last = builder.icmp_unsigned("<", left, self.length)
            strip = cgutils.create_struct_proxy(_STRIP)(context, builder)
            strip.start, strip.begin, strip.step = self.start, done, self.step
            strip.count = builder.select(is_last, left, self.length)
            later = builder.sub(left, self.length, flags=_FITS)
            later = builder.select(is_last, LONG(0), later)
            strip.least = _place(builder, self.least, later, builder.neg(self.step))
            result.yield_(strip._getvalue())
            builder.store(builder.add(done, strip.count, flags=("nuw", "nsw")), self.done)
            builder.store(later, self.left)
