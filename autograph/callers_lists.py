"""Lists of the caller's that grow or shrink inside: what the trace knows of them, and those that only grow.

The list itself stays as it is while compiled code runs. What it has got comes back with the result, and is
put into it when all else is done (`runtime/handed.py`)::

    def smooth(self, x):                     def smooth(history, x):
        s = 0.0                                  items, count, s = cluster_0(x)
        for i in range(len(x)):        →         return (s, listed(items[:count]))
            s += x[i]
            self.history.append(s)

Of a list that only gets items nobody has to know what it holds. One that is looked at, too, is taken over.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NoReturn

from ..graph.symbolic.arrays import SymbolicArray
from ..graph.trace.attempt import Restart
from .array_lists import ArrayForm
from .growing_lists import GrowingList
from .growing_rows import RowForm
from .number_lists import NumberList, now
from .traced import Path
from .tracer import tracer


@dataclass(frozen=True, slots=True)
class CallersList:
    """What is known of a list of the caller's that changes its length.

    Attributes:
        given: the list.
        form: that of the items which it gets; None if it gets none.
        is_read: something else is done than to append items.
    """

    given: list[object]
    form: RowForm | ArrayForm | None
    is_read: bool = False


class AppendedList(NumberList):
    """A list of the caller's to which items are appended, and nothing else: `new` are those.

    Whoever looks at it starts the trace again, with a list that is taken over.
    """

    __slots__ = ("new",)

    def __init__(self, new: GrowingList, path: Path, given: list[object]) -> None:
        self.path, self.given, self.part, self.tag, self.site = path, given, False, None, None
        self.merged, self.serial, self.new = False, now(), new

    @property
    def array(self) -> SymbolicArray:  # type: ignore[override]
        self.look()

    def look(self) -> NoReturn:
        """Start again with a list whose items are known."""
        assert self.path is not None
        known = tracer().knowledge.callers
        known[self.path] = replace(known[self.path], is_read=True)
        raise Restart
