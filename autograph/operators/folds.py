"""sum, min, max, any and all over arrays, ranges and generators, staged as loops that build no list.

Python's meaning: from left to right, each element computed when its turn comes, any and all stop at the
first that decides, min and max keep the first of equals.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...graph.ir.types import COMPLEX, FLOAT, Scalar
from ...graph.symbolic.arith import truth, type_of
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.operators import binary
from ...graph.symbolic.symbols import Symbol, SymbolicObject, python_call
from ...graph.trace.build import TraceError
from ..attempt import attempt
from ..number_lists import NumberList, kind_of_number, refuse
from ..once import use_up
from ..tracer import tracer
from .containers import Generator
from .control import MadeException, if_exp, if_stmt, raise_
from .exits import Break, nothing
from .iterables import ListItems, Sequence, SymbolicRange, sequence_of
from .loops import go_through

EMPTY = "{}() iterable argument is empty" if sys.version_info >= (3, 12) else "{}() arg is an empty sequence"
_NOTHING_TO_REDUCE = "reduce() of empty iterable with no initial value"
_COMPENSATED = (FLOAT, COMPLEX) if sys.version_info >= (3, 12) else ()
"""Kinds that Python's own sum adds up with a correction, which a plain loop does not do."""


@dataclass(frozen=True, slots=True)
class Folded:
    """What is folded: `element` of each item of a sequence, without the items that fail `condition`."""

    sequence: Sequence
    element: Callable[[Any], Any]
    condition: Callable[[Any], Any] | None = None
    nested: bool = False
    """The elements are generators, of whose elements it is."""

    def visit(self, item: Any, act: Callable[[Any], None], get: Any, put: Any) -> None:
        """Do `act` with the element of `item` if it counts."""
        if self.condition is None:
            self._inside(item, act, get, put)
        else:
            state = get, put, ("found",)
            if_stmt(self.condition(item), lambda: self._inside(item, act, get, put), nothing, *state)

    def _inside(self, item: Any, act: Callable[[Any], None], get: Any, put: Any) -> None:
        found = self.element(item)
        if not self.nested:
            act(found)
            return
        use_up(found)
        inner = Folded(self.sequence, found.element, found.condition, found.nested)
        go_through(found.iterable, lambda i: inner.visit(i, act, get, put), get, put, ("found",))


def items_of(value: object) -> Folded | None:
    """What a staged loop can run over; None for what Python iterates."""
    if isinstance(value, Generator):
        sequence = sequence_of(value.iterable)
        made = value.element, value.condition, value.nested
        return None if sequence is None else Folded(sequence, *made)
    sequence = sequence_of(value)
    return None if sequence is None else Folded(sequence, lambda item: item)


def fold_sum(items: Folded, start: object) -> Any:
    """``sum(iterable, start)``; NotImplemented where Python has to do it."""

    def add(total: object, item: object) -> Any:
        if type_of(item) in _COMPENSATED or isinstance(item, SymbolicObject):
            trial.give_up()
        return binary("add", total, item)

    with attempt() as trial:
        return _folded(items, start, add, "total")
    return NotImplemented


def _folded(items: Folded, first: object, join: Callable[[Any, Any], Any], name: str) -> Any:
    box = [first]

    def get() -> tuple[Any, ...]:
        return (box[0],)

    def put(values: Any) -> None:
        box[0] = values[0]

    def act(element: object) -> None:
        box[0] = join(box[0], element)

    def body(item: object) -> None:
        items.visit(item, act, get, put)

    go_through(items.sequence, body, get, put, (name,))
    return box[0]


def fold_reduce(items: Folded, join: Callable[[Any, Any], Any], *initial: object) -> Any:
    """``functools.reduce``; NotImplemented where Python has to do it."""
    with attempt():
        if initial:
            return _folded(items, initial[0], join, "total")
        if items.condition is not None or items.nested:
            return NotImplemented
        sequence = items.sequence
        require(binary("gt", sequence.length(), 0), _NOTHING_TO_REDUCE, "TypeError")
        rest = Folded(SymbolicRange(1, sequence.length()), lambda k: items.element(sequence.at(k)))
        return _folded(rest, items.element(sequence.at(0)), join, "total")


def fold_quantifier(name: str, items: Folded) -> Any:
    """``any(iterable)`` or ``all(iterable)``: stops where it is decided; NotImplemented as in `fold_sum`."""
    default = name == "all"
    box = [default]

    def get() -> tuple[Any, ...]:
        return (box[0],)

    def put(values: Any) -> None:
        box[0] = values[0]

    def decide() -> None:
        box[0] = not default
        raise Break()

    def act(element: object) -> None:
        if isinstance(element, SymbolicArray) and element.ndim:
            trial.give_up()
        yes, no = (lambda: None, decide) if default else (decide, lambda: None)
        if_stmt(truth(element), yes, no, get, put, (name,))

    def body(item: object) -> None:
        items.visit(item, act, get, put)

    if items.nested:
        raise TraceError(f"{name}() of a generator with several `for`", "write it as a loop")
    with attempt() as trial:
        go_through(items.sequence, body, get, put, (name,))
        return box[0]
    return NotImplemented


def fold_extreme(name: str, items: Folded, pick: Callable[[str, Any, Any], Any]) -> Any:
    """``min(iterable)`` or ``max(iterable)`` of numbers; NotImplemented as in `fold_sum`."""
    if items.condition is not None or items.nested:
        return NotImplemented
    sequence = items.sequence

    def join(best: object, position: object) -> Any:
        return pick(name, best, number(position))

    def number(position: object) -> Any:
        element = items.element(sequence.at(position))
        if not isinstance(type_of(element), Scalar):
            trial.give_up()
        return element

    with attempt() as trial:
        length = sequence.length()
        require(binary("gt", length, 0), EMPTY.format(name))
        rest = Folded(SymbolicRange(1, length), lambda position: position)
        return _folded(rest, number(0), join, name)
    return NotImplemented


def fold_by_key(name: str, items: Folded, key: object) -> object:
    """``min(iterable, key=key)``: the first item with the best key; NotImplemented as in `fold_sum`."""
    if items.condition is not None or items.nested:
        return NotImplemented
    sequence = items.sequence

    def keyed(position: object) -> tuple[object, object]:
        item = items.element(sequence.at(position))
        found = tracer().operators.call(key, item)
        if not isinstance(type_of(found), Scalar):
            trial.give_up()
        return found, item

    with attempt() as trial:
        length = sequence.length()
        require(binary("gt", length, 0), EMPTY.format(name))
        rest = Folded(SymbolicRange(1, length), keyed)
        return _folded(rest, keyed(0), lambda best, item: better(name, best, item), name)[1]
    return NotImplemented


def better(name: str, best: tuple[object, object], item: tuple[object, object]) -> tuple[object, object]:
    """Of two items, each after its key, the one that `min` or `max` keeps: the first of equals."""
    wins = binary("lt" if name == "min" else "gt", item[0], best[0])
    found: tuple[object, object] = if_exp(wins, lambda: item, lambda: best)
    return found


def require(condition: object, message: str, error: str = "ValueError") -> None:
    """Raise what Python would, unless a condition holds."""

    def fail() -> None:
        raise_(lambda: MadeException(error, (message,), {}))

    if_stmt(condition, lambda: None, fail, lambda: (), lambda values: None, ())


def by_python(name: str, generator: Generator, *more: object) -> Any:
    """The builtin called on the generator's elements, computed once."""
    items = generator.as_list()
    return python_call(name, (items, *more), {}) if isinstance(items, Symbol) else items


def lazily(name: str, values: list[Callable[[], Any]]) -> Any:
    """``any`` or ``all`` of elements that are computed one after the other."""
    if not values:
        return name == "all"
    found = truth(values[0]())
    if name == "all":
        return if_exp(found, lambda: lazily(name, values[1:]), lambda: False)
    return if_exp(found, lambda: True, lambda: lazily(name, values[1:]))


def is_item(item: object, numbers: NumberList) -> Any:
    """``item in numbers``, for a number of the kind of those in the list.

    NaN is an item where it is the same object, which plain Python has to say: the call starts again.
    """
    if numbers.array.ndim > 1 or kind_of_number(item) != numbers.kind:
        refuse("`in` with a value of another kind than the items")
    if numbers.array.dtype.kind in "fc":
        require(binary("eq", item, item), "NaN is an item where it is the same object")
    return fold_quantifier("any", Folded(ListItems(numbers), lambda found: binary("eq", found, item)))
