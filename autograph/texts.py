"""Texts that are given to a function, as arrays of code points: gone through and compared in kernels.

A character is the number of its code point; it is compared with other characters and with texts that are
written down. What else is done with either makes the text what it was: a constant of the trace.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ..graph.ir.types import INT
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.operators import binary
from ..graph.symbolic.scalar_methods import convert
from .number_lists import NumberList, refuse
from .traced import Path


class CodePoints(NumberList):
    """A text of the user's, found at `path`."""

    __slots__ = ("codes",)
    python_type = str

    def __init__(self, codes: SymbolicArray, path: Path, given: str) -> None:
        self.codes, self.path, self.given = codes, path, given
        self.part, self.tag, self.merged, self.serial, self.site = False, None, False, 0, None

    @property
    def array(self) -> SymbolicArray:  # type: ignore[override]
        refuse("this use of a text")

    def length(self) -> Any:
        return self.codes.length()

    def item(self, index: object) -> Any:
        if isinstance(index, slice):
            refuse("a part of a text")
        return Character(convert(self.codes[index], INT))

    __getitem__ = item


def _compared(name: str) -> Callable[[Character, object], Any]:
    def compare(self: Character, other: object) -> Any:
        if isinstance(other, Character):
            return binary(name, self.code, other.code)
        if type(other) is str and len(other) == 1:
            return binary(name, self.code, ord(other))
        if type(other) is not str or name not in ("eq", "ne"):
            refuse("a character that is compared with something else")
        return name == "ne"

    return compare


class Character:
    """One character of a text; `code` is an int of the graph."""

    __slots__ = ("code",)

    def __init__(self, code: object) -> None:
        self.code = code

    __eq__, __ne__ = _compared("eq"), _compared("ne")
    __lt__, __le__, __gt__, __ge__ = map(_compared, ("lt", "le", "gt", "ge"))

    def _refused(self, *_: object) -> NoReturn:
        refuse("this use of a character")

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        refuse(f"the method '{name}' of a text")

    __add__ = __radd__ = __mul__ = __rmul__ = __mod__ = __getitem__ = __len__ = __iter__ = _refused
    __contains__ = __hash__ = __str__ = __repr__ = __format__ = __index__ = __int__ = __float__ = _refused


def is_in(item: Character, text: str) -> object:
    """``item in text``, for a text that is written down."""
    found: Any = False
    for each in dict.fromkeys(text):
        same = item == each
        found = same if found is False else binary("or", found, same)
    return found
