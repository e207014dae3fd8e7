"""`itertools`: what its functions hand out is made by loops in one another, or from one item to the next.

The pools of `product` and its like are what they were when Python's own functions would have copied them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from ...graph.ir.types import INT, Scalar
from ...graph.symbolic.arith import type_of
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.numpy_functions import call as numpy_call
from ...graph.symbolic.operators import binary
from ...graph.symbolic.slices import extreme
from ...graph.symbolic.symbols import SymbolicScalar, as_dim
from ...graph.trace.budget import UNROLLED_ITERATIONS
from ...graph.trace.build import current
from ..attempt import attempt
from ..callers_lists import AppendedList
from ..growing_lists import GrowingList
from ..number_dicts import NumberDict
from ..number_lists import NumberList, of_numbers, refuse
from ..once import Found, KnownItems, Once, use_up
from ..tracer import tracer
from .containers import Generator, HandedOn, itself, numbers_of, over
from .control import if_exp
from .folds import lazily
from .iterables import ListItems, Sequence, SymbolicRange, nested_sequence, range_of, sequence_of

MOST_LOOPS = 8
"""So many loops in one another are written for a product or its like."""
_KNOWN = (list, tuple, str)
Chosen = tuple[Any, ...]
"""What the loops around have chosen: items, or places in a pool."""
Choice = tuple[object, Callable[[Any], object] | None]
"""What the next loop goes through, and which of that counts."""


def _product(*iterables: object, repeat: object = 1) -> object:
    """``product(*iterables, repeat=repeat)``."""
    times = _count(repeat)
    if times is None or times < 0:
        return NotImplemented
    if _are_known(iterables) and math.prod(map(len, iterables)) ** times <= UNROLLED_ITERATIONS:  # type: ignore[arg-type]
        return KnownItems(itertools.product(*iterables, repeat=times)).made()  # type: ignore[call-overload]
    pools = [_pool(iterable) for iterable in iterables] * times
    if any(pool is None for pool in pools) or not 0 < len(pools) <= MOST_LOOPS:
        return NotImplemented

    def choices(chosen: Chosen) -> Choice:
        return pools[len(chosen)], None

    return _nested(len(pools), choices, lambda chosen: chosen)


def _arrangements(
    function: Callable[..., Iterable[object]], choices: Callable[[Chosen, object], Choice]
) -> Callable[..., object]:
    """What picks items of one pool by their places: `choices` says which may follow the chosen ones."""

    def meaning(iterable: object, r: object = None) -> object:
        if r is None and function is not itertools.permutations:
            return NotImplemented
        size = _count(r) if r is not None else None
        if _are_known((iterable,)):
            size = len(iterable) if r is None else size  # type: ignore[arg-type]
            if size is not None and size >= 0 and len(iterable) ** size <= UNROLLED_ITERATIONS:  # type: ignore[arg-type]
                return KnownItems(function(iterable, size)).made()
        pool = _pool(iterable)
        size = _count(pool.length()) if r is None and pool is not None else size
        if pool is None or size is None or not 0 < size <= MOST_LOOPS:
            return NotImplemented
        length = pool.length()
        return _nested(
            size, lambda chosen: choices(chosen, length), lambda chosen: tuple(map(pool.at, chosen))
        )

    return meaning


def _later(chosen: Chosen, length: object) -> Choice:
    return range_of(binary("add", chosen[-1], 1) if chosen else 0, length), None


def _not_earlier(chosen: Chosen, length: object) -> Choice:
    return range_of(chosen[-1] if chosen else 0, length), None


def _others(chosen: Chosen, length: object) -> Choice:
    def is_new(place: object) -> object:
        return lazily("all", [partial(binary, "ne", place, other) for other in chosen])

    return range_of(0, length), is_new if chosen else None


def _nested(
    depth: int, choices: Callable[[Chosen], Choice], element: Callable[[Chosen], object]
) -> Generator:
    """`depth` loops in one another, over what `choices` gives for those chosen so far."""

    def chosen_after(chosen: Chosen) -> Generator:
        iterable, condition = choices(chosen)
        is_last = len(chosen) == depth - 1

        def after(item: object) -> object:
            return element((*chosen, item)) if is_last else chosen_after((*chosen, item))

        return Generator(iterable, after, condition, nested=not is_last).made()

    return chosen_after(())


def _are_known(iterables: tuple[object, ...]) -> bool:
    """Whether all are containers whose items are known while tracing."""
    return all(isinstance(one, _KNOWN) for one in iterables)


def _count(value: object) -> int | None:
    """An int that is known while tracing, or that a guard holds to what it is in the example."""
    if type(value) is int:
        return value
    size = as_dim(value) if isinstance(value, SymbolicScalar) else None
    if size is None or (hint := current().hint(size)) is None:
        return None
    return hint if 0 <= hint <= MOST_LOOPS and current().known(size, hint) else None


def _pool(iterable: object) -> Sequence | None:
    """A copy of the items: what is written to their source doesn't change them."""
    if isinstance(iterable, Generator):
        iterable = iterable.as_list()
        return ListItems(iterable) if isinstance(iterable, NumberList) else None
    if isinstance(iterable, (list, tuple)):
        made = (
            of_numbers(iterable, False)
            if tracer().takes_lists() and not isinstance(iterable, Found)
            else None
        )
        return None if made is None else ListItems(made)
    if isinstance(iterable, NumberDict):
        return None
    if isinstance(iterable, NumberList):
        return ListItems(iterable.copy())
    if isinstance(iterable, SymbolicArray) and iterable.ndim == 1:
        return sequence_of(numpy_call(np.array, (iterable,), {}))
    sequence = sequence_of(iterable)
    if sequence is None or isinstance(sequence, SymbolicRange) or isinstance(iterable, SymbolicArray):
        return sequence
    numbers = numbers_of(sequence)
    return None if numbers is None else ListItems(numbers)


class Stretch(SymbolicRange):
    """Places in a sequence, of whose length it is known where it ends: no list of it may grow meanwhile."""

    def __init__(self, start: object, stop: object, step: object, sequence: Sequence) -> None:
        super().__init__(start, stop, step)
        self.made_of, self.walked = None, sequence.lists()
        growing = [made for made in self.walked if isinstance(made, (GrowingList, AppendedList))]
        self.counts = [(made, made.length()) for made in growing]

    def bounds(self) -> tuple[Any, Any, Any]:
        if any(made.length() is not count for made, count in self.counts):
            refuse("a list that changes after an iterator has looked where it ends")
        return super().bounds()

    def lists(self) -> tuple[NumberList, ...]:
        return self.walked


class Counting(SymbolicRange, Once):
    """``count(start, step)``: no loop comes to its end."""

    def __init__(self, start: object, step: int) -> None:
        super().__init__(start, (2**62 - 1) * (1 if step > 0 else -1), step)
        self.made_of = None

    def static_length(self) -> None:
        return None


def _counting(start: object = 0, step: object = 1) -> object:
    """``count(start, step)`` of ints."""
    if isinstance(start, bool) or type_of(start) != INT or type(step) is not int or step == 0:
        return NotImplemented
    return Counting(start, step).made()


def _chain(*iterables: object) -> object:
    """``chain(*iterables)``: one loop behind the other."""
    if not all(map(_is_followed, iterables)):
        return NotImplemented
    return Generator(list(iterables), _items_of, nested=True).made()


def _items_of(iterable: object) -> Generator:
    return Generator(use_up(iterable), itself).made()


def _is_followed(iterable: object) -> bool:
    return isinstance(iterable, Generator) or nested_sequence(iterable) is not None


def _starmap(function: object, iterable: object) -> object:
    """``starmap(function, iterable)``: each call is made when its turn comes."""
    if not _is_followed(iterable):
        return NotImplemented

    def called(items: Any) -> object:
        return tracer().operators.call(function, *items)

    return over(iterable, called) if isinstance(iterable, Generator) else Generator(iterable, called).made()


def _slice(iterable: object, *bounds: object) -> object:
    """``islice(iterable, stop)``, ``islice(iterable, start, stop, step)``."""
    sequence = sequence_of(iterable)
    start, stop, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    if sequence is None or not 1 <= len(bounds) <= 3 or type(step) is not int or step < 1:
        return NotImplemented
    if not _is_natural(start) or not (stop is None or _is_natural(stop)):
        return NotImplemented
    if not isinstance(iterable, Counting):
        length = sequence.length()
        stop = length if stop is None else extreme("min", stop, length)
    elif stop is None:
        return NotImplemented
    return Generator(Stretch(start, stop, step, sequence), sequence.at).made()


def _is_natural(bound: object) -> bool:
    """Whether it is an int that isn't negative, by proof or by a guard."""
    if type(bound) is int:
        return bound >= 0
    size = as_dim(bound) if isinstance(bound, SymbolicScalar) else None
    return size is not None and current().is_natural(size)


def _pairs(iterable: object) -> object:
    """``pairwise(iterable)``: the first of a pair is what was the second one before."""
    found = _numbers_in(iterable)
    if found is None:
        return NotImplemented
    sequence, _, first = found
    carried = HandedOn("previous", first)

    def pair(place: object) -> tuple[object, object]:
        before, carried.value = carried.value, sequence.at(place)
        return before, carried.value

    return Generator(Stretch(1, sequence.length(), 1, sequence), pair, carried=(carried,)).made()


def _totals(iterable: object, func: object = None, *, initial: object = None) -> object:
    """``accumulate(iterable, func, initial=initial)``."""
    found = _numbers_in(iterable)
    if found is None or (initial is not None and type_of(initial) != found[1]):
        return NotImplemented
    call = tracer().operators.call
    join = partial(binary, "add") if func is None else partial(call, func)
    sequence, _, first = found
    if initial is not None:
        carried = HandedOn("total", lambda: initial)

        def later(item: object) -> object:
            carried.value = join(carried.value, item)
            return carried.value

        rest = Generator(sequence, later, carried=(carried,)).made()
        return Generator([_one(initial), rest], itself, nested=True).made()
    carried = HandedOn("total", first)

    def total(place: object) -> object:
        item = sequence.at(place)
        if_first = binary("eq", place, 0), lambda: item, lambda: join(carried.value, item)
        carried.value = if_exp(*if_first)
        return carried.value

    return Generator(Stretch(0, sequence.length(), 1, sequence), total, carried=(carried,)).made()


def _one(item: object) -> Generator:
    return Generator([item], itself).made()


def _numbers_in(iterable: object) -> tuple[Sequence, Scalar, Callable[[], object]] | None:
    """What has numbers for items, their type, and what gives the first one: zero where there is none."""
    sequence = sequence_of(iterable)
    if sequence is None or isinstance(iterable, Counting):
        return None
    kinds: list[Any] = []
    with attempt() as trial:
        kinds.append(type_of(sequence.at(0)))
        trial.give_up()
    if not kinds or not isinstance(kinds[0], Scalar):
        return None
    zero = kinds[0].dtype.type(0)

    def first() -> object:
        is_there = binary("gt", sequence.length(), 0)
        return if_exp(is_there, lambda: sequence.at(0), lambda: zero.item() if kinds[0].is_python else zero)

    return sequence, kinds[0], first


def numbered(items: Generator, start: object) -> Generator:
    """``enumerate(items, start)``."""
    start = int(start) if isinstance(start, bool) else start
    if type_of(start) != INT:
        refuse("`enumerate` from something that is no int")
    carried = HandedOn("count", lambda: start)

    def pair(item: object) -> tuple[object, object]:
        count = carried.value
        carried.value = binary("add", count, 1)
        return count, item

    return over(items, pair, carried=(carried,))


ITERATIONS: dict[Any, Callable[..., Any]] = {
    itertools.product: _product,
    itertools.combinations: _arrangements(itertools.combinations, _later),
    itertools.combinations_with_replacement: _arrangements(
        itertools.combinations_with_replacement, _not_earlier
    ),
    itertools.permutations: _arrangements(itertools.permutations, _others),
    itertools.count: _counting,
    itertools.chain: _chain,
    itertools.starmap: _starmap,
    itertools.islice: _slice,
    itertools.pairwise: _pairs,
    itertools.accumulate: _totals,
}
"""What the functions of `itertools` mean; NotImplemented sends a call to the driver."""
