"""Things that a staged `for` can count through: ranges, arrays, and enumerate / zip / reversed of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...graph.ir import dims
from ...graph.ir.nodes import Value
from ...graph.ir.types import INT
from ...graph.symbolic.arith import operand
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.operators import binary
from ...graph.symbolic.slices import extreme, select
from ...graph.symbolic.symbols import SymbolicScalar, as_dim, size_symbol
from ...graph.trace.attempt import Restart
from ...graph.trace.budget import UNROLLED_ITERATIONS
from ...graph.trace.build import TraceError, current
from ..callers_lists import AppendedList
from ..descriptions import Description
from ..growing_lists import GrowingList
from ..number_dicts import NumberDict, operands_of
from ..number_lists import NumberList, copied, refuse
from ..once import Once
from ..ragged_rows import Column
from ..tracer import Reference, place, tracer
from .control import if_exp, if_stmt
from .exits import STATELESS, fail, nothing


class StaticIndexNeeded(TraceError):
    """A Python container indexed by a loop variable: unroll the loop, or make the container an object."""

    def __init__(self, reason: str, container: object = None) -> None:
        super().__init__(reason)
        self.container = container


class Sequence(Description):
    """Something with a length known to the graph, and an item for each index."""

    def bounds(self) -> tuple[Any, Any, Any]:
        """The range of the loop: start, stop, step."""
        return 0, self.length(), 1

    def item(self, index: object) -> Any:
        """The item of the loop for the loop's index."""
        raise NotImplementedError

    def at(self, position: object) -> Any:
        """The item at a position counted from 0."""
        return self.item(position)

    def lists(self) -> tuple[NumberList, ...]:
        """The lists whose items these are."""
        return ()

    def static_length(self) -> int | None:
        """The number of items where it is known now."""
        length = self.length()
        return length if isinstance(length, int) else None


class SymbolicRange(Sequence):
    """``range(start, stop, step)``."""

    def __init__(self, start: object, stop: object, step: object = 1) -> None:
        for part in (start, stop, step):
            if not isinstance(part, (int, SymbolicScalar)) or (
                isinstance(part, SymbolicScalar) and part.type.dtype.kind not in "iu"
            ):
                raise TraceError("range() of something that is not an int")
        if any(isinstance(part, int) and not -(2**62) < part < 2**62 for part in (start, stop, step)):
            raise TraceError("a range that leaves 64 bits")
        if isinstance(step, int) and step == 0:
            raise TraceError("range() arg 3 must not be zero")
        self.start, self.stop, self.step = self.made_of = tuple(map(_python_int, (start, stop, step)))

    def bounds(self) -> tuple[Any, Any, Any]:
        return self.start, self.stop, self.step

    def length(self) -> Any:
        if all(isinstance(part, int) for part in self.bounds()):
            return len(range(self.start, self.stop, self.step))
        start, stop = as_dim(self.start), as_dim(self.stop)
        if start is not None and stop is not None:
            low, high = (start, stop) if self.step > 0 else (stop, start)
            span = dims.maximum(dims.sub(high, low), 0)
            return size_symbol(dims.floordiv(dims.add(span, abs(self.step) - 1), abs(self.step)))
        if abs(self.step) != 1:
            raise TraceError("the length of this range")
        low, high = (self.start, self.stop) if self.step > 0 else (self.stop, self.start)
        return extreme("max", binary("sub", high, low), 0)

    def item(self, index: object) -> Any:
        return index if not isinstance(index, int) else range(self.start, self.stop, self.step)[index]

    def at(self, position: object) -> Any:
        return binary("add", self.start, binary("mul", position, self.step))

    def __getitem__(self, index: object) -> object:
        """``range(...)[index]``: Python's error where there is no such item."""
        scalar = isinstance(index, SymbolicScalar) and index.type.dtype.kind in "iu"
        if not scalar and (isinstance(index, bool) or not isinstance(index, (int, np.integer))):
            raise TraceError("an item of a range by something that is not an int")
        index, length = _python_int(index), self.length()
        place, size = as_dim(index), as_dim(length)
        inside = place is not None and size is not None and current().at_most(dims.add(place, 1), size)
        if place is None or not current().at_most(0, place):
            index, inside = select(binary("lt", index, 0), binary("add", index, length), index), False
        if not inside:
            missing = IndexError("range object index out of range")
            outside = binary("lt", index, 0), lambda: True, lambda: binary("ge", index, length)
            if_stmt(if_exp(*outside), lambda: fail(missing), nothing, *STATELESS)
        return self.at(index)

    def static_length(self) -> int | None:
        if all(isinstance(part, int) for part in self.bounds()):
            return len(range(self.start, self.stop, self.step))
        return None


class SteppedRange(SymbolicRange):
    """``range(start, stop, step)`` whose step is known only when the loop begins."""

    def __init__(self, start: object, stop: object, step: object) -> None:
        super().__init__(start, stop, step)
        size = as_dim(self.step)
        self._upwards = size is not None and current().is_natural(dims.sub(size, 1))
        if not self._upwards:
            wrong = ValueError("range() arg 3 must not be zero")
            if_stmt(binary("eq", self.step, 0), lambda: fail(wrong), nothing, *STATELESS)
        # Upwards or downwards: the ceiling of (stop - start) / step.
        backwards = binary("floordiv", binary("sub", self.start, self.stop), self.step)
        self._length = extreme("max", binary("sub", 0, backwards), 0)

    def bounds(self) -> tuple[Any, Any, Any]:
        return 0, self._length, 1

    def length(self) -> SymbolicScalar:
        return self._length

    def item(self, index: object) -> SymbolicScalar:
        """Between start and stop, so that nothing leaves 64 bits."""
        way = self._exact("mul", index, self.step, "{0} * {1}")
        node = self._exact("add", self.start, SymbolicScalar(way, INT), "{0} + {1}")
        first, last = as_dim(self.start), as_dim(self.stop)
        if not self._upwards or last is None:
            return SymbolicScalar(node, INT)
        current().indices[node.name] = (first, dims.sub(last, 1))
        return SymbolicScalar(node, INT, dims.symbol(node.name, None if first is None else dims.lower(first)))

    def at(self, position: object) -> SymbolicScalar:
        return self.item(position)

    def static_length(self) -> None:
        return None

    def _exact(self, name: str, left: object, right: object, text: str) -> Value:
        operands = (operand(left), operand(right))
        return current().one(f"py.{name}", operands, INT, loop=("int", "int"), text=text, safe=True)


def range_of(start: object, stop: object, step: object = 1) -> SymbolicRange:
    """``range(start, stop, step)`` of symbols."""
    known = isinstance(step, int) or not isinstance(step, SymbolicScalar)
    return SymbolicRange(start, stop, step) if known else SteppedRange(start, stop, step)


def _python_int(value: object) -> Any:
    if isinstance(value, SymbolicScalar) and value.type != INT:
        return SymbolicScalar(
            current().one("py.int", (value.operand(),), INT, loop=(value.type.kind,), text="int({0})"), INT
        )
    return int(value) if isinstance(value, int) else value


class ArrayItems(Sequence):
    """The items of an array along its first axis."""

    def __init__(self, array: SymbolicArray) -> None:
        if array.ndim == 0:
            raise TraceError("iteration over a 0-d array")
        self.array = array

    def length(self) -> Any:
        return self.array.length()

    def item(self, index: object) -> Any:
        return self.array[index]


class ListItems(Sequence):
    """The items of a list of numbers."""

    def __init__(self, numbers: NumberList) -> None:
        self.numbers = numbers

    def length(self) -> Any:
        return self.numbers.length()

    def item(self, index: object) -> Any:
        return self.numbers.item(index)

    def lists(self) -> tuple[NumberList, ...]:
        return (self.numbers,)


class KeyItems(ListItems):
    """The keys of a dict, whose numbers are known."""

    def __init__(self, made: NumberDict) -> None:
        super().__init__(made.in_order())
        self.made = made

    def item(self, index: object) -> object:
        key = super().item(index)
        self.made.known[operands_of(key)] = index
        return key


class Pairs(Sequence):
    """The keys and values of a dict."""

    def __init__(self, made: NumberDict) -> None:
        assert made.table.values is not None
        self.keys, self.values = KeyItems(made), ListItems(made.table.values)

    def length(self) -> object:
        return self.keys.length()

    def item(self, index: object) -> object:
        return self.keys.item(index), self.values.item(index)

    def lists(self) -> tuple[NumberList, ...]:
        return (*self.keys.lists(), *self.values.lists())


class Enumerated(Sequence, Once):
    """``enumerate(sequence, start)``."""

    def __init__(self, inner: Sequence, start: object = 0) -> None:
        self.inner, self.start = inner, start

    def length(self) -> Any:
        return self.inner.length()

    def item(self, index: object) -> Any:
        count = index if isinstance(self.start, int) and self.start == 0 else binary("add", index, self.start)
        return (count, self.inner.at(index))

    def lists(self) -> tuple[NumberList, ...]:
        return self.inner.lists()


class Zipped(Sequence, Once):
    """``zip(a, b, ...)``: as long as the shortest."""

    def __init__(self, parts: tuple[Sequence, ...]) -> None:
        self.parts = parts

    def length(self) -> Any:
        lengths = [part.length() for part in self.parts]
        shortest = lengths[0]
        for other in lengths[1:]:
            a, b = as_dim(shortest), as_dim(other)
            if a is None or b is None:
                shortest = extreme("min", shortest, other)
            else:
                shortest = size_symbol(dims.minimum(a, b))
        return shortest

    def item(self, index: object) -> Any:
        return tuple(part.at(index) for part in self.parts)

    def lists(self) -> tuple[NumberList, ...]:
        return tuple(made for part in self.parts for made in part.lists())


class Spread:
    """The items of a list as arguments of a call, where nobody knows how many there are."""

    def __init__(self, numbers: NumberList) -> None:
        self.numbers = numbers


def is_table(numbers: NumberList) -> bool:
    """Whether it is a list of rows of one length."""
    return type(numbers) is NumberList and numbers.array.ndim == 2


class Columns(Sequence, Once):
    """``zip(*rows)``, of rows of one length."""

    def __init__(self, rows: NumberList) -> None:
        self.array = rows.array

    def length(self) -> Any:
        return size_symbol(self.array.shape_sizes[1])

    def item(self, index: object) -> Column:
        return Column(copied(self.array[:, index]), part=True)


class Reversed(Sequence, Once):
    """``reversed(sequence)``."""

    def __init__(self, inner: Sequence) -> None:
        self.inner = inner
        growing = [made for made in inner.lists() if isinstance(made, (GrowingList, AppendedList))]
        self.counts = [(made, made.length()) for made in growing]

    def bounds(self) -> tuple[Any, Any, Any]:
        return binary("sub", self.length(), 1), -1, -1

    def length(self) -> Any:
        if any(made.length() is not count for made, count in self.counts):
            refuse("a list that changes after `reversed` has looked where it ends")
        return self.inner.length()

    def item(self, index: object) -> Any:
        return self.inner.at(index)

    def at(self, position: object) -> Any:
        return self.inner.at(binary("sub", binary("sub", self.inner.length(), 1), position))

    def lists(self) -> tuple[NumberList, ...]:
        return self.inner.lists()


class StaticItems(Sequence):
    """A Python container whose items are known while tracing."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def length(self) -> int:
        return len(self.items)

    def item(self, index: object) -> Any:
        if isinstance(index, int):
            return self.items[index]
        raise StaticIndexNeeded("a Python container indexed by a loop variable", self.items)


def sequence_of(value: object) -> Sequence | None:
    """The sequence behind `value`; None for what Python itself has to iterate."""
    tracer().check_no_sorting(value)
    if isinstance(value, Sequence):
        return value
    if isinstance(value, SymbolicArray):
        return ArrayItems(value)
    if isinstance(value, NumberList):
        return ListItems(value)
    if isinstance(value, NumberDict):
        return KeyItems(value)
    if type(value) is range:
        return SymbolicRange(value.start, value.stop, value.step)
    if isinstance(value, Reference) and type(value.value) is range:
        return _given_range(value)
    return None


def _given_range(reference: Reference) -> SymbolicRange | None:
    """A range that comes from outside; None where a bound is too large for compiled code."""
    tracer, path, given = reference.tracer, reference.path, reference.value
    tracer.static(path, given, "type")
    tracer.static((*path, ("attr", "step")), given.step, "equal")
    start, stop = (
        tracer.wrap((*path, ("attr", name)), bound)
        for name, bound in (("start", given.start), ("stop", given.stop))
    )
    known = not isinstance(start, Reference) and not isinstance(stop, Reference)
    return SymbolicRange(start, stop, given.step) if known else None


def nested_sequence(value: object) -> Sequence | None:
    """`sequence_of` for the arguments of enumerate and zip: containers count, too."""
    found = sequence_of(value)
    if found is None and isinstance(value, (list, tuple)):
        return StaticItems(list(value))
    return found


def unrolled(sequence: Sequence) -> Iterator[Any] | None:
    """The items one by one; None if there are too many, or nobody knows how many.

    Derivatives do not see lists made at run time: for them each int or size gets a trace of its own.
    """
    count = sequence.static_length()
    if count is None and tracer().differentiating and not tracer().knowledge.exact:
        tracer().knowledge.exact = True
        raise Restart
    return (
        (sequence.item(k) for k in range(count))
        if count is not None and count <= UNROLLED_ITERATIONS
        else None
    )


def stays_plain() -> bool:
    """Whether the loop that stands here was found to be too much to be unrolled."""
    return place() in tracer().knowledge.plain.loops
