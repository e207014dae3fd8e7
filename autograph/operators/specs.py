"""What a variable is at a join of branches or loops."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...graph.ir.causes import Cause
from ...graph.ir.dims import Size
from ...graph.ir.types import Scalar
from ..chosen_texts import Options
from ..descriptions import Description
from ..made_objects import MadeObject
from ..number_lists import NumberList
from ..traced import Path
from ..tracer import Reference


@dataclass(frozen=True, slots=True)
class StaticType:
    """The same Python object on every path."""

    value: Any

    def __eq__(self, other: object) -> bool:
        if type(other) is not StaticType:
            return False
        return self.value is other.value or (
            not isinstance(self.value, (MadeObject, Description)) and bool(self.value == other.value)
        )


@dataclass(frozen=True, slots=True)
class NumberType:
    """A scalar; `constant` while it is one; `small` ints (sizes, indices) are exact as floats, too."""

    kind: Scalar
    constant: Any = None
    small: bool = False


@dataclass(frozen=True, slots=True)
class ArrayType:
    """An array; a size that differs between paths is None."""

    dtype: np.dtype
    shape: tuple[Size | None, ...]
    layout: str
    writeable: bool
    order: str | None


@dataclass(frozen=True, slots=True)
class ObjectType:
    """Any Python object, carried by the driver, because of `cause`; the rest as in `autograph.safety`."""

    safe: bool = True
    immutable: bool = False
    cause: Cause | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class UnionType:
    """`first` (a Scalar kind, None or UNBOUND) on some paths, `payload` on others."""

    first: Any
    payload: Spec


@dataclass(frozen=True, slots=True)
class MadeType:
    """The class of an object that is made inside, and the names of its attributes."""

    kind: type
    names: tuple[str, ...]
    reference: Reference | None = field(compare=False)


RANGE = MadeType(range, ("start", "stop", "step"), None)


@dataclass(frozen=True, slots=True)
class TupleType:
    """A tuple, item by item; or an object of the class `made`, the user's or `RANGE`, by its attributes."""

    items: tuple[Spec, ...]
    made: MadeType | None = None


@dataclass(frozen=True, slots=True)
class TextType:
    """One of several texts."""

    options: Options


@dataclass(frozen=True, slots=True)
class CharacterType:
    """A character of a text, or none where it may be `empty`."""

    empty: bool = False


@dataclass(frozen=True, slots=True)
class ListType:
    """A list of numbers in an array; `path` and `part` as in `NumberList`, `tagged` if it has a tag."""

    array: ArrayType
    path: Path | None
    given: Any = field(compare=False)
    part: bool
    tagged: bool
    python_list: type[NumberList]


Spec = (
    StaticType
    | NumberType
    | ArrayType
    | ListType
    | TextType
    | CharacterType
    | ObjectType
    | UnionType
    | TupleType
)
