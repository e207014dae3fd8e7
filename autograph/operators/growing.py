"""Lists that grow, across branches and loops: their buffers are variables like the user's own.

Each statement of control flow takes and gives the state of the user's variables through two functions; with
`growing` these speak of the lists that grow as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast

from ...graph.ir.literals import is_number
from ...graph.ir.types import INT, Scalar
from ...graph.symbolic.symbols import SymbolicScalar
from ...graph.trace.attempt import Restart
from ...graph.trace.build import current
from ..array_lists import ArrayForm, ArrayList, GrowingArrays, array_form, of_arrays
from ..callers_lists import CallersList
from ..certain import certain
from ..either_items import EitherItems, kinds_in, of_either_kind, of_nones, pair_of
from ..growing_lists import GrowingList
from ..growing_rows import GrowingRows, RowForm, form_of, joined, merged
from ..held_items import MOST, HeldItems
from ..number_deques import NumberDeque
from ..number_dicts import HashTable
from ..number_lists import NumberList, refuse
from ..placed_rows import PlacedRows
from ..traced import Path
from ..tracer import TracedDict, TracedList, tracer

GetState = Callable[[], tuple[Any, ...]]
SetState = Callable[[Any], None]
State = tuple[GetState, SetState, tuple[str, ...]]
Growing = GrowingList | HeldItems | HashTable | NumberDeque
"""What a statement of control flow hands on."""


@contextmanager
def growing(get_state: GetState, set_state: SetState, names: tuple[str, ...]) -> Iterator[State]:
    """The state of a statement of control flow, with that of the lists that grow and are known before it.

    Behind it those are known as well that were made in the open block itself: in the one branch that is
    taken, in a loop that is unrolled.
    """
    known = tracer().growing
    lists = tuple(known)

    def get() -> tuple[Any, ...]:
        return (*get_state(), *(part for made in lists for part in made.state))

    def put(values: tuple[Any, ...]) -> None:
        end = len(values) - sum(len(made.state) for made in lists)
        set_state(tuple(values[:end]))
        for made in lists:
            begin, end = end, end + len(made.state)
            made.state = tuple(values[begin:end])

    try:
        more = [name for k, made in enumerate(lists) for name in _names(made, k)]
        yield (get, put, (*names, *more)) if lists else (get_state, set_state, names)
    finally:
        known[len(lists) :] = [made for made in known[len(lists) :] if current().is_open(made.block)]


def _names(made: Growing, number: int) -> list[str]:
    if isinstance(made, (HeldItems, HashTable, NumberDeque)):
        return made.names(number)
    return [*made.buffer_names("items", number), f"count_{number}"]


@contextmanager
def kept() -> Iterator[Callable[[], object]]:
    """A region that doesn't hand on lists that grow: each way out asks whether one has changed by then."""
    carried = Carried(is_last=True)
    with items_outside():
        yield lambda: carried.out(None)
    carried.restore()


class Carried:
    """The lists that grow and are known where a region begins, which its ways out hand on if they change.

    Ways out only tell what they are by then, until it is the last time: `chosen` are those that have changed
    at one of them.
    """

    def __init__(self, chosen: tuple[int, ...] = (), is_last: bool = False) -> None:
        self.lists, self.chosen, self.is_last = tuple(tracer().growing), chosen, is_last
        self.before = [made.state for made in self.lists]
        self.start = list(self.before)
        self.ways: list[list[tuple[Any, ...]]] = []

    def begin(self, place: int, parts: tuple[Any, ...]) -> None:
        """What a list is where the region begins."""
        self.lists[place].state = self.start[place] = parts

    def out(self, value: object) -> object:
        """What a way out hands on: a value, and the chosen lists."""
        now = [made.state for made in self.lists]
        self.ways.append(now)
        if any(_differ(now[k], self.start[k]) for k in self._others()):
            refuse("a list that grows in a function that returns early")
        return (value, *_parts(now, self.chosen)) if self.chosen and self.is_last else value

    def _others(self) -> list[int]:
        """Those that have to stay what they are."""
        return [k for k, made in enumerate(self.lists) if self._has_to_stay(k, made)]

    def _has_to_stay(self, place: int, made: Growing) -> bool:
        if isinstance(made, HeldItems) and made.outside:
            return True
        return self.is_last and place not in self.chosen

    def changed(self) -> tuple[int, ...]:
        """Those that are others at one of the ways out."""
        places = range(len(self.lists))
        return tuple(k for k in places if any(_differ(now[k], self.start[k]) for now in self.ways))

    def with_values(self, values: list[object], chosen: tuple[int, ...]) -> list[object]:
        """What the ways out hand on, each with its value."""
        return [(value, *_parts(now, chosen)) for value, now in zip(values, self.ways, strict=True)]

    def restore(self) -> None:
        """Behind the region, where each of its ways out may have led."""
        for made, before in zip(self.lists, self.before, strict=True):
            made.state = before
        del tracer().growing[len(self.lists) :]

    def without(self, found: object) -> object:
        """The value of what a way out has handed on; the chosen lists are what came with it from here on."""
        if not self.chosen:
            return found
        value, *parts = cast(tuple[object, ...], found)
        begin = 0
        for k in self.chosen:
            end = begin + len(self.before[k])
            _may_change(self.lists[k])
            self.lists[k].state = tuple(parts[begin:end])
            begin = end
        return value


def _may_change(made: Growing) -> None:
    """A call has changed it, which no loop of this function may go through meanwhile."""
    if isinstance(made, GrowingList):
        made.changes()
    elif isinstance(made, HashTable):
        for part in (made.keys, made.values):
            if part is not None:
                part.changes()


def _parts(now: list[tuple[Any, ...]], chosen: tuple[int, ...]) -> list[Any]:
    return [part for k in chosen for part in now[k]]


@contextmanager
def items_outside() -> Iterator[None]:
    """A region that can't hand on lists and dicts whose items are variables."""
    held = [made for made in tracer().growing if isinstance(made, HeldItems)]
    for made in held:
        made.outside += 1
    try:
        yield
    finally:
        for made in held:
            made.outside -= 1


def _differ(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) != len(other) or any(a is not b for a, b in zip(one, other, strict=True))


@contextmanager
def walking(lists: tuple[NumberList, ...]) -> Iterator[None]:
    """While a loop goes through lists, they may not grow."""
    held = [made for made in lists if isinstance(made, GrowingList)]
    for made in held:
        made.walked += 1
    try:
        yield
    finally:
        for made in held:
            made.walked -= 1


def growing_list(
    site: object, first: NumberList | None = None, items: Sequence[object] = ()
) -> NumberList | None:
    """The list of `items` that is made at `site`, if it is known to grow there; else `first`."""
    known = tracer().knowledge.grown.get(site)
    if first is None:
        return None if known is None else _new_rows(site, known, items)
    first.site = site
    if type(first) is not NumberList:
        return first
    if first.array.ndim == 2 and site in tracer().knowledge.placed:
        return PlacedRows(first)
    pair = tracer().knowledge.either.get(site)
    if first.array.ndim == 1 and isinstance(known, RowForm) and known.container is None:
        form = known if pair is None else merged(known, RowForm(None, pair[:1], ((0, pair[1]),)))
        if form is not None and (both := merged(form, RowForm(None, (first.kind,)))) == form:
            return _new_rows(site, both, (), first)
    return first if pair is None else of_either_kind(first, pair)


def nones(site: object, numbers: NumberList) -> EitherItems:
    """A list that is made at `site` of as many None: ints are put into it, if nothing else is known."""
    made = of_nones(numbers, tracer().knowledge.either.get(site, (None, INT)))
    made.site = site
    return made


def put(target: NumberList, index: object, value: object) -> None:
    """``list[index] = value``; where a list was not known to get NumPy's numbers, the trace starts again."""
    if isinstance(target, GrowingList):
        _widen(target, value)
    known = tracer().knowledge.either
    if type(target) is NumberList and target.array.ndim == 2 and target.site is not None and not target.part:
        if isinstance(value, NumberList) and target.site not in tracer().knowledge.placed:
            tracer().knowledge.placed.add(target.site)
            raise Restart
    first: Scalar | None = None
    site = None
    if type(target) is NumberList and target.array.ndim == 1:
        first, site = target.kind, target.within if target.part else target.site
    elif isinstance(target, EitherItems) and target.pair[0] is None and None not in kinds_in(value):
        site = target.within if target.part else target.site
    if site is not None and site not in known:
        pair = pair_of(first, *kinds_in(value))
        if pair is not None and not (isinstance(target, EitherItems) and target.pair == pair):
            known[site] = pair
            raise Restart
    target.put(index, value)


def new_growing(
    form: RowForm | ArrayForm, site: object = None, first: NumberList | None = None
) -> GrowingList:
    """A list that grows by items of this form, and begins with `first`, known to the statements around."""
    return _known(GrowingArrays(form) if isinstance(form, ArrayForm) else _empty(form, first), site)


def empty(form: RowForm | ArrayForm) -> GrowingList:
    """One of this form that the statements around don't know."""
    made = GrowingArrays(form) if isinstance(form, ArrayForm) else _empty(form)
    return _placed(made, None)


def _empty(form: RowForm, first: NumberList | None = None) -> GrowingList:
    kind = form.kinds[0]
    if form.container is None and kind.is_python and not form.either:
        return GrowingList(kind, first)
    return GrowingRows(form, first)


BOX = "box"
"""How lists are made whose one item is a variable of several functions."""


def hold(container: TracedList | TracedDict) -> None:
    """The items of a list or dict that is made here are variables, if they have to be."""
    known = tracer().growing
    if container.site in tracer().knowledge.held and len(container) <= MOST and len(known) < MOST:
        known.append(HeldItems(container, container.block))


def may_be_assigned(container: TracedList | TracedDict, index: object) -> bool:
    """Whether an item is a variable, of a list or dict of the caller's or of another block.

    Where it was not known to be one, the trace starts again.
    """
    known, site = tracer().knowledge, container.site
    if site is None or site in known.materialised or not _has(container, index):
        return False
    for made in tracer().growing:
        if isinstance(made, HeldItems) and made.container is container:
            return not made.outside
    if container.path is None:
        if site in known.held:  # but there were too many
            return False
        known.held.add(site)
    else:
        if type(container.given) is not dict or not tracer().may_take_over() or site in known.callers_dicts:
            return False
        known.callers_dicts[container.path] = container.given
    raise Restart


def _has(container: TracedList | TracedDict, index: object) -> bool:
    """Whether there is such an item, or may be a new one. Lists of numbers had better be arrays."""
    if isinstance(container, TracedDict):
        known = type(index) in (str, int, bool, type(None))
        return known and (index in container or current().is_open(container.block))
    if type(index) is not int or not -len(container) <= index < len(container):
        return False
    numbers = all(isinstance(item, SymbolicScalar) or is_number(item) for item in container)
    return not numbers or container.site[0] == BOX or bool(tracer().differentiating)


def _known(made: GrowingList, site: object) -> GrowingList:
    tracer().growing.append(_placed(made, site))
    return made


def _placed(made: GrowingList, site: object) -> GrowingList:
    made.born, made.site, made.block = tracer().open_loops(), site, current().blocks[-1]
    return made


def _new_rows(
    site: object, form: RowForm | ArrayForm, items: Sequence[object], first: NumberList | None = None
) -> GrowingList | None:
    """A list that grows by items of this form; None if the first ones have another."""
    if isinstance(form, ArrayForm):
        begun = of_arrays(form, items) if tracer().knowledge.array_lists else None
        return None if begun is None else _known(begun, site)
    if not all(map(form.holds, items)):
        return None
    made = _known(_empty(form, first), site)
    for item in items:
        made.append(item)
    return made


def as_it_is_now(made: GrowingList) -> NumberList:
    """A list that grew, for a variable that may be another list elsewhere: from here on it must not grow.

    It has to be made anew in each iteration of the loops that are open, or it would have grown before.
    """
    if made.path is not None:
        refuse("a variable that is one of two lists, of which one is the caller's and grows")
    if made.born != tracer().open_loops():
        refuse("a variable that is one of two lists, of which one grows")
    made.frozen = True
    return (ArrayList if isinstance(made, GrowingArrays) else NumberList)(made.array)


def append(owner: GrowingList, item: object) -> None:
    """``list.append(item)``; where a list was not known to get NumPy's numbers, the trace starts again."""
    item = certain(item)
    _widen(owner, item)
    owner.append(item)


def _widen(owner: GrowingList, item: object) -> None:
    if isinstance(owner, GrowingArrays):
        return
    if not form_in(owner).holds(item):
        grow_from(owner.site, item)


def form_in(owner: GrowingList) -> RowForm:
    """The form of the numbers, or rows of numbers, of a list."""
    return owner.form if isinstance(owner, GrowingRows) else RowForm(None, (owner.kind,))


def form_with(form: RowForm | ArrayForm | None, item: object) -> RowForm | ArrayForm | None:
    """The form of a list with items of a form and this one; None if there is none."""
    if form is None:
        return form_of(item) or array_form(item)
    if isinstance(form, ArrayForm):
        return form if form.holds(item) else None
    return joined(form, item)


def grow_from(site: object, *items: object) -> None:
    """A list that is to hold `items` grows where it can't be followed: start again, knowing their form."""
    if isinstance(site, tuple) and site in tracer().knowledge.callers:
        _grow_callers(site, items)
        return
    before = tracer().knowledge.grown.get(site)
    form = before
    for item in items:
        if (form := form_with(form, item)) is None:
            return
    if site is not None and form is not None and form != before:
        tracer().knowledge.grown[site] = form
        tracer().knowledge.materialised.add(site)
        raise Restart


def _grow_callers(path: Path, items: tuple[object, ...]) -> None:
    """The same for a list of the caller's."""
    known: CallersList = tracer().knowledge.callers[path]
    form = known.form
    for item in items:
        if (form := form_with(form, item)) is None:
            return
    if form != known.form:
        tracer().knowledge.callers[path] = replace(known, form=form)
        raise Restart
