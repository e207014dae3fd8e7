"""Numbers in attributes of the user's objects, as arrays of one element: taking one over, putting it back.

The form of an attribute says what it may hold: ``int``, ``float64``, or of two kinds ``None|float``. Where it
is of two, one array holds which, and another one the number.
"""

from __future__ import annotations

import inspect
from types import MemberDescriptorType

import numpy as np

_KINDS: dict[str, type] = {
    "None": type(None),
    **{kind.__name__: kind for kind in (bool, int, float, complex)},
    **{name: np.dtype(name).type for name in ("int64", "float64", "float32", "int32", "complex128")},
}
KINDS = frozenset(_KINDS)
"""What a form may name: Python's numbers, and NumPy's."""
TAG, NUMBER = "tag", "number"


def standing(owner: object, name: str) -> object:
    """What stands in the object itself under this name, without code of its class's.

    Raises:
        LookupError: there is nothing.
    """
    try:
        own = object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return _in_a_slot(owner, name)
    return own[name] if name in own else _in_a_slot(owner, name)


def _in_a_slot(owner: object, name: str) -> object:
    found = inspect.getattr_static(type(owner), name, None)
    if not isinstance(found, MemberDescriptorType):
        raise LookupError(name)
    try:
        return found.__get__(owner)
    except AttributeError:
        raise LookupError(name) from None


def stores_plainly(kind: type[object], name: str) -> bool:
    """Whether an assignment to this attribute of objects of a class runs no code of its own."""
    if kind.__setattr__ is not object.__setattr__ or kind.__getattribute__ is not object.__getattribute__:
        return False
    found = next((base.__dict__[name] for base in kind.__mro__ if name in base.__dict__), None)
    return isinstance(found, MemberDescriptorType) or not hasattr(type(found), "__set__")


def taken_part(owner: object, name: str, form: str, part: str) -> np.ndarray:
    """A new array of one element: the attribute's number, or whether it is of the form's second kind.

    Raises:
        LookupError: the attribute is of no kind of the form, an int beyond 64 bits, or its class has been
            given code that runs at an assignment.
    """
    if not stores_plainly(type(owner), name):
        raise LookupError(name)
    value = standing(owner, name)
    first, _, kind = form.rpartition("|")
    is_second = type(value) is _KINDS[kind]
    if not is_second and (not first or type(value) is not _KINDS[first]):
        raise LookupError(form)
    if part == TAG:
        return np.array([is_second])
    try:
        found: np.ndarray = np.array([0 if value is None else value], _KINDS[kind])
    except OverflowError:
        raise LookupError(form) from None
    if not is_second and value is not None and found[0] != value:
        raise LookupError(form)
    return found


Parts = tuple[np.ndarray | None, np.ndarray]
"""Of an attribute: which of two kinds it is of, if there are two, and the number."""


def put_back_number(owner: object, name: str, form: str, now: Parts, before: Parts) -> None:
    """Assign the attribute if its number, or its kind, is another one by now."""
    (tag, number), (old_tag, old_number) = now, before
    is_tag_old = tag is None or old_tag is None or tag[0] == old_tag[0]
    if is_tag_old and number.tobytes() == old_number.tobytes():
        return
    first, _, kind = form.rpartition("|")
    shown = kind if tag is None or tag[0] else first
    setattr(owner, name, None if shown == "None" else _KINDS[shown](number[0]))


def are_apart(*owners: object) -> bool:
    """Whether no object is another one."""
    return len(set(map(id, owners))) == len(owners)
