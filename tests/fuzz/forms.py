"""Classes that random programs use: data classes, a named tuple, a class of the plainest kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass
class Box:
    """Is changed by those who have it."""

    w: Any
    b: Any
    parts: Any


@dataclass(frozen=True)
class Pair:
    """Stays what it is."""

    w: Any
    b: Any


class Duo(NamedTuple):
    """A tuple with names."""

    a: Any
    b: Any


class Plain:
    """No data class: nothing is differentiated for it."""

    def __init__(self, w: Any, b: Any) -> None:
        self.w = w
        self.b = b
        self.log: list[Any] = []

    def scaled(self, v: Any) -> Any:
        """A method that reads an attribute."""
        return v * self.b

    def loss(self, v: Any) -> Any:
        """A method to differentiate, which keeps a count."""
        self.log.append(1.0)
        return (v * self.w * self.b).sum()
