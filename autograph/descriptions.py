"""What a trace describes instead of having it: ranges, and what else loops go through."""

from __future__ import annotations

from typing import Any, NoReturn

from ..graph.trace.build import TraceError


class Description:
    """Stands for an object of Python's: what its own class doesn't define is no operation on it here."""

    made_of: tuple[Any, Any, Any] | None = None
    """Start, stop and step of a range."""

    def length(self) -> Any:
        """How many items, as an int or a symbol."""
        raise NotImplementedError

    def _refused(self, *_: object) -> NoReturn:
        raise TraceError("what a loop goes through, used as a value")

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __len__ = _refused
    __iter__ = __add__ = __mul__ = __str__ = __repr__ = __format__ = _refused

    def __getitem__(self, index: object) -> object:
        self._refused()

    __hash__ = object.__hash__


def parts_of_range(value: object) -> tuple[Any, Any, Any] | None:
    """Start, stop and step, where it is a range, or described as one."""
    if type(value) is range:
        return value.start, value.stop, value.step
    return value.made_of if isinstance(value, Description) else None
