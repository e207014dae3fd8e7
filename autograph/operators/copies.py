"""Containers around other leaves, which stand for the user's while derivatives are taken.

A differentiated function gets its lists, dicts and records with other symbols in them; so does who calls
`js.stop_gradient`. Nobody may be able to tell: `is` answers as for the original, what the function hands out
is the original again, and where one of the two is changed, or the copy is kept, the other can't follow.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...graph.trace.build import TraceError
from ..records import TracedRecord
from ..tracer import TracedDict, TracedList, tracer


@dataclass(slots=True)
class Content:
    """What a container holds: keys and numbers of items, and the very leaves."""

    frame: list[Any] = field(default_factory=list)
    leaves: list[Any] = field(default_factory=list)

    def add(self, value: object) -> Content:
        """With `value` and all that it holds."""
        if isinstance(value, dict):
            self.frame.append(list(value))
            for item in value.values():
                self.add(item)
        elif isinstance(value, (list, tuple)):
            self.frame.append(len(value))
            for item in value:
                self.add(item)
        elif isinstance(value, TracedRecord):
            self.add(value.fields)
        else:
            self.leaves.append(value)
        return self

    def is_that_of(self, other: Content) -> bool:
        """Whether nothing was changed between the two."""
        same = self.frame == other.frame and len(self.leaves) == len(other.leaves)
        return same and all(a is b for a, b in zip(self.leaves, other.leaves, strict=True))


@dataclass(eq=False, slots=True)
class Copy:
    """A container that stands for another one."""

    original: Any
    copied: Any
    before: tuple[Content, Content]


def stands_for(original: object, copied: object) -> None:
    """From now on `copied` is taken for `original`."""
    if isinstance(copied, (TracedList, TracedDict, TracedRecord)):
        before = Content().add(original), Content().add(copied)
        tracer().copies.append(Copy(original, copied, before))


def original_of(value: object, copies: Sequence[Copy]) -> Any:
    """The object of the user's that `value` is, or stands for."""
    for one in reversed(copies):
        if one.copied is value:
            value = one.original
    return value


def check_unchanged(copies: Sequence[Copy]) -> None:
    """A change of the one would have to be seen in the other.

    Raises:
        TraceError: one was changed.
    """
    for one in copies:
        for value, before in zip((one.original, one.copied), one.before, strict=True):
            if not Content().add(value).is_that_of(before):
                raise TraceError("a list or dict that is differentiated for is changed by the function")


def check_not_kept(copies: Sequence[Copy], results: list[object]) -> None:
    """Who has a copy when the function has ended would go on with the wrong object.

    `results` has the function's result, in which they may stand; the caller has it in a variable, too.

    Raises:
        TraceError: somebody has.
    """
    nobody = [Copy(None, TracedList(), (Content(), Content()))]
    (least,) = (sys.getrefcount(one.copied) for one in nobody)
    held: dict[int, int] = {id(results[0]): 1}
    seen: set[int] = set()
    _count(results, held, seen)
    for one in copies:  # no variable here may hold a copy
        held[id(one.original)] = held.get(id(one.original), 0) + 1
        _count(one.copied, held, seen)
    for one in copies:
        if sys.getrefcount(one.copied) > least + held.get(id(one.copied), 0):
            raise TraceError("a list or dict that is differentiated for is kept by the function")


def _count(holder: object, held: dict[int, int], seen: set[int]) -> None:
    """Count for each container in `holder` how often it stands there."""
    if id(holder) in seen or not isinstance(holder, (list, tuple, dict, TracedRecord)):
        return
    seen.add(id(holder))
    items = holder.fields if isinstance(holder, TracedRecord) else holder
    for item in items.values() if isinstance(items, dict) else items:
        held[id(item)] = held.get(id(item), 0) + 1
        _count(item, held, seen)


def handed_back(value: object, copies: Sequence[Copy]) -> Any:
    """What a differentiated function has given, with the user's own objects in it."""
    if not copies:
        return value
    value = original_of(value, copies)
    if type(value) is tuple:
        return tuple(handed_back(item, copies) for item in value)
    if any(one.original is value for one in copies):
        return value
    if isinstance(value, TracedList):
        value[:] = [handed_back(item, copies) for item in value]
    elif isinstance(value, (TracedDict, TracedRecord)):
        items = value.fields if isinstance(value, TracedRecord) else value
        for key in list(items):
            items[key] = handed_back(items[key], copies)
    return value
