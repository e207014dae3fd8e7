"""What the user's own operations raise while they are traced: a `raise` where they stand, if ever reached.

``None[0] = 1`` in a branch is no reason against the function: most calls may never take the branch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import BuiltinMethodType, NoneType, TracebackType
from typing import NoReturn, TypeVar

from ...graph.ir.nodes import Loc
from ...graph.symbolic.symbols import Symbol
from ...graph.trace.build import TraceError
from ...graph.trace.running import place_at
from ..namespace import Namespace
from ..number_dicts import HeldTable
from ..number_lists import NumberList
from ..tracer import TracedList
from .exits import fail, handled

OWN = (
    TypeError,
    ValueError,
    ZeroDivisionError,
    OverflowError,
    IndexError,
    KeyError,
    AttributeError,
    UnboundLocalError,
)
"""What operations on values that the trace knows raise. Names that aren't there now may be there later."""

NUMBERS_AND_NONE = (NoneType, bool, int, float, complex)
"""What has no items and can't be called."""

CONSTANTS = (*NUMBERS_AND_NONE, str, bytes, tuple, range)
_Given = TypeVar("_Given")
_CLASS = re.compile(r"\b_*[A-Z]\w*|\b(?:function|method)\b")  # methods of arrays are functions in traces
_PYTHONS = frozenset({"NoneType", "None", "Python", "NaN", "Numerical", "Ellipsis", "NotImplementedType"})


def depends(key: object) -> bool:
    """Whether a key or index is known only at run time, or a part of it is."""
    if isinstance(key, slice):
        return any(isinstance(part, Symbol) for part in (key.start, key.stop, key.step))
    if isinstance(key, (tuple, frozenset)):
        return any(map(depends, key))
    return isinstance(key, (Symbol, NumberList, HeldTable))


_HASHED = (dict, set, frozenset)
_OF_PARTS = (tuple, NumberList, HeldTable)


def known_here(operation: Callable[..., _Given], /, *operands: object, **named: object) -> _Given:
    """An operation of the user's on values that the trace knows: what it raises ends the block."""
    owner = getattr(operation, "__self__", None) if isinstance(operation, BuiltinMethodType) else None
    looked_up: tuple[object, ...] = ()
    if isinstance(owner, _HASHED):
        looked_up = operands[:1] if isinstance(owner, dict) else operands
    elif any(isinstance(operand, _HASHED) for operand in operands):
        looked_up = operands[:2]  # what is assigned to an item is not
    if any(isinstance(operand, _OF_PARTS) and depends(operand) for operand in looked_up):
        raise TraceError("a key that is known only at run time")
    try:
        return operation(*operands, **named)
    except OWN as error:
        if _is_as_in_python(error):
            _raised(error)
        raise


@contextmanager
def ending_block() -> Iterator[None]:
    """Around a block of the user's: what an operation raises there, which Python itself runs, ends it."""
    try:
        yield
    except OWN as error:
        place = _staged_place(error.__traceback__)
        if place is None or not _is_as_in_python(error):
            raise
        _raised(error, place)


def _raised(error: Exception, place: Loc | None = None) -> NoReturn:
    """It goes to the handler of a `try` around, or ends the block."""
    handled(type(error))
    fail(error, place)


def _staged_place(trace: TracebackType | None) -> Loc | None:
    """Where the user's code raised; None if an operator did that it calls."""
    place = None
    while trace is not None:
        frame = trace.tb_frame
        if isinstance(frame.f_globals, Namespace):
            place = place_at(frame.f_code, trace.tb_lasti, trace.tb_lineno)
        elif frame.f_code is not TracedList.__getitem__.__code__:
            place = None
        trace = trace.tb_next
    return place


def _is_as_in_python(error: Exception) -> bool:
    """Whether the run would raise the same: of texts that speak of no class but Python's own."""
    if type(error) not in OWN or not all(type(part) in (str, int) for part in error.args):
        return False
    said = " ".join(map(str, error.args))
    if isinstance(error, AttributeError):
        return type(error.obj) in CONSTANTS and repr(type(error.obj).__name__) in said
    return isinstance(error, KeyError) or set(_CLASS.findall(said)) <= _PYTHONS
