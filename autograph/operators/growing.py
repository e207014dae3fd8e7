"""Lists that grow, across branches and loops: their buffers are variables like the user's own.

Each statement of control flow takes and gives the state of the user's variables through two functions; with
`growing` these speak of the lists that grow as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...graph.ir.types import Scalar
from ...graph.trace.attempt import Restart
from ..either_items import may_hold, of_either_kind
from ..growing_lists import GrowingList
from ..growing_rows import GrowingRows, RowForm, form_of, row_form
from ..number_lists import NumberList, kind_of_number, refuse
from ..tracer import tracer

GetState = Callable[[], tuple[Any, ...]]
SetState = Callable[[Any], None]
State = tuple[GetState, SetState, tuple[str, ...]]


@contextmanager
def growing(get_state: GetState, set_state: SetState, names: tuple[str, ...]) -> Iterator[State]:
    """The state of a statement of control flow, with that of the lists that grow and are known before it."""
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
        del known[len(lists) :]


def _names(made: GrowingList, number: int) -> list[str]:
    columns = len(made.state) - 1
    items = [f"items_{number}"] if columns == 1 else [f"items_{number}_{k}" for k in range(columns)]
    return [*items, f"count_{number}"]


@contextmanager
def unchanged() -> Iterator[None]:
    """A region that doesn't hand on lists that grow: they may not change in it."""
    lists = [(made, made.state) for made in tracer().growing]
    yield
    if any(a is not b for made, before in lists for a, b in zip(made.state, before, strict=True)):
        refuse("a list that grows in a function that returns early")
    del tracer().growing[len(lists) :]


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
    if first is not None:
        first.site = site
        if site in tracer().knowledge.either and type(first) is NumberList and first.array.ndim == 1:
            return of_either_kind(first)
        fits = isinstance(known, Scalar) and first.kind == known and first.array.ndim == 1
        return _known(GrowingList(first.kind, first)) if fits else first
    if isinstance(known, RowForm):
        return _new_rows(known, items)
    return _known(GrowingList(known)) if isinstance(known, Scalar) and not items else None


def put(target: NumberList, index: object, value: object) -> None:
    """``list[index] = value``; where a list was not known to get NumPy's numbers, the trace starts again."""
    known = tracer().knowledge.either
    if type(target) is NumberList and target.site is not None and target.site not in known:
        if kind_of_number(value) != target.kind and may_hold(target.kind, value) and target.array.ndim == 1:
            known.add(target.site)
            raise Restart
    target.put(index, value)


def new_growing(form: RowForm) -> GrowingList:
    """A list that grows by items of this form, known to the statements around."""
    kind = form.kinds[0]
    return _known(GrowingList(kind) if form.container is None and kind.is_python else GrowingRows(form))


def _known(made: GrowingList) -> GrowingList:
    made.born = tracer().open_loops()
    tracer().growing.append(made)
    return made


def _new_rows(form: RowForm, items: Sequence[object]) -> GrowingList | None:
    """A list that grows by items of this form; None if the first ones have another."""
    if any(form_of(item) != form for item in items):
        return None
    made = _known(GrowingRows(form))
    for item in items:
        made.append(item)
    return made


def as_it_is_now(made: GrowingList) -> NumberList:
    """A list that grew, for a variable that may be another list elsewhere: from here on it must not grow.

    It has to be made anew in each iteration of the loops that are open, or it would have grown before.
    """
    if made.born != tracer().open_loops():
        refuse("a variable that is one of two lists, of which one grows")
    made.frozen = True
    return NumberList(made.array)


def grow_from(site: object, item: object) -> None:
    """A list is appended to where it can't be followed: start again, knowing of which kind it is."""
    kind = kind_of_number(item) or row_form(item)
    if site is not None and kind is not None and site not in tracer().knowledge.grown:
        tracer().knowledge.grown[site] = kind
        tracer().knowledge.materialised.add(site)
        raise Restart
