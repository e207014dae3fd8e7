"""Iterators: what `zip`, `enumerate`, `reversed` and generator expressions make can be gone through once.

While tracing they are descriptions that could be read again and again. So each is noted when it is used up.
Where Python would find nothing left, or may do so (a loop goes round, one of two branches was there before),
the trace is given up.
"""

from __future__ import annotations

import gc
import operator
from collections.abc import ItemsView, Iterable, Iterator, KeysView, ValuesView
from typing import Any

from ..graph.trace.build import TraceError
from .tracer import TracedDict, TracedList, tracer


class Once:
    """Something that can be gone through once. `born`: how many loops were open when it was made."""

    born: int = 0

    def made(self) -> Any:
        """This iterator, made here."""
        self.born = tracer().open_loops()
        return self


Sources = tuple[tuple[Any, list[Any]], ...]
"""Lists and dicts of the trace that an iterator goes through, and what they held when it was made."""


class Found(list[Any]):
    """The items of an iterator, to go through at will as long as its sources hold what they held."""

    sources: Sources = ()

    def __iter__(self) -> Iterator[Any]:
        for item in super().__iter__():
            _check_same(self.sources)
            yield item
        _check_same(self.sources)


class KnownItems(list[Any], Once):
    """An iterator whose items are known while tracing."""

    sources: Sources = ()

    def of(self, *iterables: object) -> KnownItems:
        """These are the iterables that it goes through."""
        for one in iterables:
            self.sources += one.sources if isinstance(one, (KnownItems, Found)) else ()
            if isinstance(behind(one), (TracedList, TracedDict)):
                self.sources += ((one, held_by(one)),)
        return self

    def __iter__(self) -> Iterator[Any]:
        use_up(self)
        return super().__iter__()

    def __bool__(self) -> bool:
        return True

    def _refused(self, *_: object) -> Any:
        raise TraceError("an iterator that is used as a list")

    __getitem__ = __add__ = __mul__ = __eq__ = __ne__ = __contains__ = __len__ = __str__ = __repr__ = _refused
    __hash__ = object.__hash__  # type: ignore[assignment]


def use_up(value: Any) -> Any:
    """Note that what `value` holds is gone through here; what has the items, to go through at will.

    Raises:
        TraceError: it was before, or may have been.
    """
    if not isinstance(value, Once):
        return value
    used = tracer().used_up
    if any(value is one for one in used) or tracer().open_loops() != value.born:
        raise TraceError(
            "an iterator that is gone through more than once",
            "make a list of it, or make it where it is used",
        )
    used.append(value)
    if not isinstance(value, KnownItems):
        return value
    found = Found(list.__iter__(value))
    found.sources = value.sources
    _check_same(found.sources)
    return found


VIEWS = (KeysView, ValuesView, ItemsView)
CHANGES = "a list or dict that changes while it is gone through", "go through a copy of it"


def behind(iterable: object) -> object:
    """The dict of a view; anything else itself."""
    return gc.get_referents(iterable)[0] if isinstance(iterable, VIEWS) else iterable


def held_by(iterable: object) -> list[object]:
    """What a list, a dict or a view of one has to give."""
    assert isinstance(iterable, Iterable)
    if isinstance(iterable, ItemsView):
        return [part for pair in iterable for part in pair]
    return list(iterable)


def is_same(iterable: object, before: list[object]) -> bool:
    """Whether it still has just what it had `before`."""
    now = held_by(iterable)
    return len(now) == len(before) and all(map(operator.is_, now, before))


def _check_same(sources: Sources) -> None:
    """An iterator looks at its sources when it is asked; what is known of them is from before."""
    if not all(is_same(now, before) for now, before in sources):
        raise TraceError(*CHANGES)
