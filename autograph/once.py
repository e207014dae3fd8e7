"""Iterators: what `zip`, `enumerate`, `reversed` and generator expressions make can be gone through once.

While tracing they are descriptions that could be read again and again. So each is noted when it is used up.
Where Python would find nothing left, or may do so (a loop goes round, one of two branches was there before),
the trace is given up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..graph.trace.build import TraceError
from .tracer import tracer


class Once:
    """Something that can be gone through once. `born`: how many loops were open when it was made."""

    born: int = 0

    def made(self) -> Any:
        """This iterator, made here."""
        self.born = tracer().open_loops()
        return self


class KnownItems(list[Any], Once):
    """An iterator whose items are known while tracing."""

    def __iter__(self) -> Iterator[Any]:
        use_up(self)
        return super().__iter__()

    def __bool__(self) -> bool:
        return True

    def _refused(self, *_: object) -> Any:
        raise TraceError("an iterator that is used as a list")

    __getitem__ = __add__ = __mul__ = __eq__ = __ne__ = __contains__ = __len__ = _refused
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
    return [*list.__iter__(value)] if isinstance(value, KnownItems) else value
