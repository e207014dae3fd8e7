"""Texts that are given to a function, as arrays of code points: gone through and compared in kernels.

A character is the number of its code point; it is compared with other characters and with texts that are
written down. What else is done with either makes the text what it was: a constant of the trace.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import numpy as np

from ..graph.ir.types import INT
from ..graph.symbolic.arith import elementwise
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.operators import binary
from ..graph.symbolic.scalar_methods import convert
from ..graph.symbolic.symbols import SymbolicScalar
from .number_lists import NumberList, refuse
from .traced import Path
from .tracer import tracer


class CodePoints(NumberList):
    """A text of the user's, found at `path`."""

    __slots__ = ("codes",)
    python_type = str

    def __init__(self, codes: SymbolicArray, path: Path | None, given: str | None) -> None:
        self.codes, self.path, self.given = codes, path, given
        self.part, self.tag, self.merged, self.serial, self.site = False, None, False, 0, None

    @property
    def array(self) -> SymbolicArray:  # type: ignore[override]
        refuse("this use of a text")

    def length(self) -> Any:
        return self.codes.length()

    def item(self, index: object) -> Any:
        if isinstance(index, slice):
            return TextPart(self.codes[index])
        return Character(convert(self.codes[index], INT))

    __getitem__ = item

    def method(self, name: str, args: tuple[object, ...]) -> object:
        """``text.name(*args)``."""
        if name == "count" and len(args) == 1 and type(args[0]) is str and len(args[0]) == 1:
            found = elementwise(np.equal, (self.codes, ord(args[0]))).sum()
            return convert(found, INT) if isinstance(found, SymbolicScalar) else int(found)
        return refuse(f"the method '{name}' of a text")

    def __eq__(self, other: object) -> object:  # type: ignore[override]
        """Whether it is a short text that is written down."""
        if type(other) is not str or len(other) > _LONGEST:
            refuse("a text that is compared with something else")
        length = partial(binary, "eq", self.length(), len(other))
        places = (partial(self._is_at, k, character) for k, character in enumerate(other))
        return tracer().operators.all_true(length, *places)

    def __ne__(self, other: object) -> object:  # type: ignore[override]
        same = self == other
        return not same if isinstance(same, bool) else binary("ne", same, True)

    def _is_at(self, place: int, character: str) -> object:
        return self.item(place) == character

    __hash__ = NumberList.__hash__


_LONGEST = 16
"""So many characters are compared one by one."""


class TextPart(CodePoints):
    """A slice of a text, which is gone through, and of which characters are looked at and counted."""

    __slots__ = ()

    def __init__(self, codes: SymbolicArray) -> None:
        super().__init__(codes, None, None)


def _compared(name: str) -> Callable[[Character, object], Any]:
    def compare(self: Character, other: object) -> Any:
        if isinstance(other, Character):
            return binary(name, self.code, other.code)
        if type(other) is str and len(other) <= 1:
            return binary(name, self.code, code_of(other))
        if type(other) is not str or name not in ("eq", "ne"):
            refuse("a character that is compared with something else")
        return name == "ne"

    return compare


class Character:
    """One character of a text; `code` is an int of the graph. Where it `may_be_empty`, it may be ``""``."""

    __slots__ = ("code", "may_be_empty")
    python_type = str

    def __init__(self, code: object, may_be_empty: bool = False) -> None:
        self.code, self.may_be_empty = code, may_be_empty

    def __bool__(self) -> bool:
        if self.may_be_empty:
            refuse("the truth of a character that may be no one")
        return True

    def ordinal(self) -> object:
        """``ord(character)``."""
        if self.may_be_empty:
            refuse("the number of a character that may be no one")
        return self.code

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


def code_of(text: str) -> int:
    """The number that stands for a character, or for the empty text, which comes before all others."""
    return ord(text) if text else -1


def is_in(item: Character, text: str) -> object:
    """``item in text``, for a text that is written down."""
    if item.may_be_empty:
        refuse("whether a text has a character that may be no one")
    found: Any = False
    for each in dict.fromkeys(text):
        same = item == each
        found = same if found is False else binary("or", found, same)
    return found
