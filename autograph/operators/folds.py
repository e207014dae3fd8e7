"""sum, min, max, any and all over arrays, ranges and generators, staged as loops that build no list.

Python's meaning: from left to right, each element computed when its turn comes, any and all stop at the
first that decides, min and max keep the first of equals.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ...graph.ir.types import BOOL, COMPLEX, FLOAT, INT, Scalar
from ...graph.symbolic.arith import truth, type_of
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.operators import binary
from ...graph.symbolic.symbols import Symbol, SymbolicObject, python_call
from ..attempt import attempt
from ..either_items import kinds_in
from ..number_lists import NumberList, kind_of_number, refuse
from ..tracer import tracer
from .containers import Generator, HandedOn
from .control import MadeException, all_true, any_true, if_exp, if_stmt, raise_
from .exits import Break, Undefined, fail, ld
from .iterables import ListItems, SymbolicRange, sequence_of
from .loops import go_through

EMPTY = "{}() iterable argument is empty" if sys.version_info >= (3, 12) else "{}() arg is an empty sequence"
NAN = "NaN is an item where it is the same object"
_NOTHING_TO_REDUCE = "reduce() of empty iterable with no initial value"
_COMPENSATED = (FLOAT, COMPLEX) if sys.version_info >= (3, 12) else ()
"""Kinds that Python's own sum adds up with a correction, which a plain loop does not do."""


@dataclass(frozen=True, slots=True)
class Folded:
    """What is folded: `element` of each item of a sequence, without the items that fail `condition`.

    Only what takes the items as they come may be given anything else than a sequence.
    """

    sequence: Any
    element: Callable[[Any], Any]
    condition: Callable[[Any], Any] | None = None
    nested: bool = False
    """The elements are generators, of whose elements it is."""
    carried: tuple[HandedOn, ...] = ()

    @property
    def is_direct(self) -> bool:
        """Whether there is one element for each item."""
        return self.condition is None and not self.nested and not self.carried

    def visit(self, act: Callable[[Any], None], get: Any, put: Any, name: str) -> None:
        """Do `act` with each element that counts."""
        generator = Generator(self.sequence, self.element, self.condition, self.nested, self.carried)
        go_through(generator, act, get, put, (name,))


def items_of(value: object) -> Folded | None:
    """What a staged loop can run over; None for what Python iterates."""
    if isinstance(value, Generator):
        return None if sequence_of(value.iterable) is None else folded(value)
    sequence = sequence_of(value)
    return None if sequence is None else Folded(sequence, lambda item: item)


def folded(generator: Generator) -> Folded:
    """What a generator makes, for what takes the items as they come."""
    source = generator.iterable if (found := sequence_of(generator.iterable)) is None else found
    return Folded(source, generator.element, generator.condition, generator.nested, generator.carried)


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

    items.visit(act, get, put, name)
    return box[0]


def fold_reduce(items: Folded, join: Callable[[Any, Any], Any], *initial: object) -> Any:
    """``functools.reduce``; NotImplemented where Python has to do it."""
    with attempt():
        if initial:
            return _folded(items, initial[0], join, "total")
        if not items.is_direct:
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

    with attempt() as trial:
        items.visit(act, get, put, name)
        return box[0]
    return NotImplemented


def first_of(items: Generator, *default: object) -> object:
    """``next(generator)``: the first element, or the default where there is none."""
    box: list[object] = [default[0] if default else Undefined("item")]

    def get() -> tuple[Any, ...]:
        return (box[0],)

    def put(values: Any) -> None:
        box[0] = values[0]

    def act(element: object) -> None:
        box[0] = element
        raise Break()

    def is_missing() -> None:
        fail(StopIteration())

    go_through(items, act, get, put, ("item",), None if default else is_missing)
    return ld(box[0])


def fold_extreme(name: str, items: Folded, pick: Callable[[str, Any, Any], Any]) -> Any:
    """``min(iterable)`` or ``max(iterable)`` of numbers; NotImplemented as in `fold_sum`."""
    if not items.is_direct:
        return NotImplemented
    sequence = items.sequence

    def join(best: object, position: object) -> Any:
        found = number(position)
        if type(best) is not tuple or type(found) is not tuple:
            return pick(name, best, found)
        if len(best) != len(found):
            trial.give_up()
        is_better = less(found, best) if name == "min" else less(best, found)
        return if_exp(is_better, lambda: found, lambda: best)

    def number(position: object) -> Any:
        element = items.element(sequence.at(position))
        for part in element if type(element) is tuple else (element,):
            if not (isinstance(type_of(part), Scalar) or kinds_in(part)):
                trial.give_up()
        if type(element) is tuple:
            check_order(element)
        return element

    with attempt() as trial:
        length = sequence.length()
        require(binary("gt", length, 0), EMPTY.format(name))
        rest = Folded(SymbolicRange(1, length), lambda position: position)
        return _folded(rest, number(0), join, name)
    return NotImplemented


def check_order(numbers: Iterable[object]) -> None:
    """With NaN in both, which tuple is less hangs on whether it is the same object."""
    for number in numbers:
        if kinds_in(number) not in ((INT,), (BOOL,)):
            require(binary("eq", number, number), NAN)


def less(one: tuple[object, ...], other: tuple[object, ...]) -> object:
    """``one < other`` of tuples of as many numbers, of which none is NaN."""
    first = binary("lt", one[0], other[0])
    if len(one) == 1:
        return first
    return any_true(
        lambda: first,
        lambda: all_true(lambda: binary("eq", one[0], other[0]), lambda: less(one[1:], other[1:])),
    )


def fold_by_key(name: str, items: Folded, key: object) -> object:
    """``min(iterable, key=key)``: the first item with the best key; NotImplemented as in `fold_sum`."""
    if not items.is_direct:
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
        require(binary("eq", item, item), NAN)
    return fold_quantifier("any", Folded(ListItems(numbers), lambda found: binary("eq", found, item)))
