"""The operators that the state of a trace has, by which modules below reach those above."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from ..graph.ir.nodes import Operand
from ..graph.symbolic.arrays import SymbolicArray
from .number_lists import NumberList
from .traced import Path

if TYPE_CHECKING:
    from .tracer import Reference


@dataclass(frozen=True, slots=True)
class Operators:
    """Operators that the trace's state, and operators which they need in turn, reach through the trace."""

    call: Callable[..., Any]
    """``function(*args, **kwargs)``."""
    go_through: Callable[..., None]
    """A `for` statement over what is known to be gone through where it stands."""
    new_list: Callable[[list[Any], int], Any]
    """A list of these items, made at a line."""
    repeated: Callable[[Any, Any], Any]
    """``items * count``."""
    is_item: Callable[[Any, NumberList], Any]
    """``item in numbers``."""
    is_key: Callable[[object, object], object]
    """``key in made``."""
    key_item: Callable[[Any, object], object]
    """``made[key]``."""
    put_key: Callable[[Any, object, object], None]
    """``made[key] = value``."""
    not_: Callable[[object], object]
    """``not value``."""
    not_none: Callable[[Operand, str], None]
    """What reads an attribute of this name raises of None, where that isn't so."""
    read_assigned: Callable[[Reference, str], tuple[Any, ...]]
    """``reference.name``, if that is a cell."""
    read_attribute: Callable[[Reference, str], Any]
    """``reference.name``."""
    known_items: Callable[[Any], tuple[Any, ...] | None]
    """The items of a named tuple that the trace knows."""
    fail: Callable[[Exception], NoReturn]
    """What Python would do here raises this, or no run comes here."""
    text: Callable[[SymbolicArray, Path, str], NumberList]
    """A text of the user's, by its code points."""
    sure: Callable[[object, str], None]
    """What holds in compiled code, or the call starts again as plain Python."""
    mixed: Callable[[SymbolicArray, Path, object], NumberList]
    """A list of ints and floats of the user's."""
    all_true: Callable[..., object]
    """Whether all of these functions give what is true, asked one after the other."""
