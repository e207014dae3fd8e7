"""What objects say about themselves, asked without running code of the user's.

`__module__`, `__name__`, `__self__` and the like belong to functions, methods and classes. An object of the
user's may answer for them with a `__getattr__` that prints or raises, and may compare and hash as it likes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

_IMMUTABLE_TYPE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: the type was made by a `class` statement, or could have been


def told(value: Any, name: str, default: Any = None) -> Any:
    """The attribute `name` of a function, method, class or module; of other objects what stands in them."""
    kind = type(value)
    try:
        if issubclass(kind, type):
            return type.__getattribute__(value, name)
        if not kind.__flags__ & _HEAP_TYPE:
            return getattr(value, name, default)
    except Exception:
        return default
    found = inspect.getattr_static(value, name, default)
    return default if hasattr(type(found), "__get__") else found


def is_one_of(kind: type, kinds: tuple[type, ...]) -> bool:
    """Whether `kind` is one of `kinds`: ``kind in kinds`` would ask a class that compares as it likes."""
    return any(kind is known for known in kinds)


def is_immutable(kind: type) -> bool:
    """Whether nothing can be set in a class: it is one of C's, which is there once."""
    flags: int = kind.__flags__
    return bool(flags & _IMMUTABLE_TYPE)


FIELD = type(NamedTuple("_Example", [("field", int)]).field)  # type: ignore[attr-defined]
"""What a named tuple's class has under the name of a field."""


def place_of_field(field: object) -> int:
    """Where in a named tuple a field stands, whatever its name is."""
    reduced = field.__reduce__()
    assert not isinstance(reduced, str)
    return int(reduced[1][0])


ordered_bases: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
"""The classes that are asked in turn, by nobody's leave."""


def hashes_by_itself(value: Any) -> bool:
    """Whether a dict can look for `value` without asking code of the user's."""
    kind = type(value)
    if issubclass(kind, type):
        return kind.__hash__ is type.__hash__ and kind.__eq__ is type.__eq__
    return not kind.__flags__ & _HEAP_TYPE and kind.__hash__ is not None
