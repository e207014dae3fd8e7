"""Marks in the place of defaults: they tell what a caller has left out from a default that was given.

A function's defaults may be of a class derived from tuple or dict. The interpreter takes what stands in them,
which are marks; whoever reads them sees the user's defaults.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class LeftOut:
    """The class of the mark."""

    def __repr__(self) -> str:
        return "<default>"

    def __reduce__(self) -> str:
        return "LEFT_OUT"


LEFT_OUT = LeftOut()


class MarkedDefaults(tuple[Any, ...]):
    """`count` marks, read as the user's defaults."""

    shown: tuple[Any, ...]

    def __new__(cls, count: int, shown: tuple[Any, ...]) -> MarkedDefaults:
        made = super().__new__(cls, (LEFT_OUT,) * count)
        made.shown = shown
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return MarkedDefaults, (tuple.__len__(self), self.shown)

    def __iter__(self) -> Iterator[object]:
        return iter(self.shown)

    def __len__(self) -> int:
        return len(self.shown)

    def __getitem__(self, key):  # type: ignore[no-untyped-def]
        return self.shown[key]

    def __contains__(self, value: object) -> bool:
        return value in self.shown

    def __add__(self, other: tuple[object, ...]) -> tuple[object, ...]:
        return (*self.shown, *other)

    def __radd__(self, other: tuple[object, ...]) -> tuple[object, ...]:
        return (*other, *self.shown)

    def __eq__(self, other: object) -> bool:
        return self.shown == (other.shown if isinstance(other, MarkedDefaults) else other)

    def __hash__(self) -> int:
        return hash(self.shown)

    def __repr__(self) -> str:
        return repr(self.shown)


class MarkedByName(dict[str, Any]):
    """A mark for each of `names`, read as the user's defaults; what somebody puts in is no mark."""

    shown: dict[str, Any]

    def __init__(self, names: list[str], shown: dict[str, Any]) -> None:
        super().__init__(dict.fromkeys(names, LEFT_OUT))
        self.shown = shown

    def __reduce__(self) -> tuple[object, ...]:
        return MarkedByName, (list(dict.keys(self)), self.shown)

    def as_read(self) -> dict[str, Any]:
        """What is seen of it."""
        own = {name: value for name, value in dict.items(self) if value is not LEFT_OUT}
        return {**self.shown, **own}

    def __iter__(self) -> Iterator[str]:
        return iter(self.as_read())

    def __len__(self) -> int:
        return len(self.as_read())

    def __getitem__(self, name: str) -> object:
        return self.as_read()[name]

    def __contains__(self, name: object) -> bool:
        return name in self.as_read()

    def __eq__(self, other: object) -> bool:
        return self.as_read() == (other.as_read() if isinstance(other, MarkedByName) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        return repr(self.as_read())

    def get(self, name: str, default: object = None) -> object:
        """As of any dict; so are the others."""
        return self.as_read().get(name, default)

    def keys(self):  # type: ignore[no-untyped-def]
        return self.as_read().keys()

    def values(self):  # type: ignore[no-untyped-def]
        return self.as_read().values()

    def items(self):  # type: ignore[no-untyped-def]
        return self.as_read().items()

    def copy(self) -> dict[str, Any]:
        return self.as_read()
