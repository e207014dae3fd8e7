"""Names that symbols have for themselves, where the user's objects have others under them, or none."""

from __future__ import annotations

import collections
import functools

import numpy as np

from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.symbols import SymbolicObject, SymbolicScalar, SymbolicUnion, python_expression
from ..graph.trace.build import TraceError
from ..graph.trace.template import attribute_text
from . import (
    array_lists,
    callers_lists,
    chosen_texts,
    either_items,
    growing_lists,
    growing_rows,
    placed_rows,
    ragged_rows,
    records,
    texts,
)
from .made_objects import MadeObject
from .number_deques import NumberDeque
from .number_dicts import NumberDict
from .number_lists import NumberList
from .tracer import Reference, TracedDict, TracedList

_HEIRS = (
    array_lists,
    callers_lists,
    chosen_texts,
    either_items,
    growing_lists,
    growing_rows,
    placed_rows,
    ragged_rows,
    records,
    texts,
)
"""Modules with heirs of these classes, loaded before names are asked: by whoever asks first."""

_STAND_FOR: dict[type, tuple[type, ...]] = {
    SymbolicObject: (),
    SymbolicUnion: (),
    SymbolicArray: (np.ndarray,),
    SymbolicScalar: (float, complex, np.generic),
    NumberList: (list,),
    TracedList: (list,),
    TracedDict: (dict,),
    NumberDict: (dict, set),
    NumberDeque: (collections.deque,),
    MadeObject: (),
}
"""What symbols stand for. The names of those for objects of any class are all the user's."""


_OURS = __name__.partition(".")[0] + "."
"""How the modules of all that stands for something else are called."""


@functools.cache
def own_names() -> frozenset[str]:
    """The names that don't mean the same of a symbol as of what it stands for."""
    return frozenset(
        name
        for kind, theirs in _STAND_FOR.items()
        for each in _with_heirs(kind)
        for name in dir(each)
        if not (name.startswith("__") and name.endswith("__")) and not _has(theirs, name)
    )


def is_special(name: str) -> bool:
    """Whether it is a name as ``__doc__``, which all objects may have."""
    return name.startswith("__") and name.endswith("__")


def meant(owner: object, name: str) -> object:
    """``owner.name`` as the user means it, for one of these names or a special one.

    Raises:
        AttributeError: what a symbol stands for has none of that name.
        TraceError: it is a special name of what stands for something else while tracing.
    """
    if is_special(name):
        return _special(owner, name)
    if isinstance(owner, SymbolicUnion):
        return meant(owner.owner_of(name), name)
    kind = next((kind for kind in _STAND_FOR if isinstance(owner, kind)), None)
    if kind is None or _has(_STAND_FOR[kind], name):
        return getattr(owner, name)
    if (ask := getattr(type(owner), "__getattr__", None)) is not None:
        return ask(owner, name)
    raise AttributeError(f"{type(owner).__name__!r} object has no attribute {name!r}")


def _special(owner: object, name: str) -> object:
    if isinstance(owner, Reference):
        return owner.tracer.operators.read_attribute(owner, name)
    if isinstance(owner, SymbolicObject):
        return python_expression(lambda t: attribute_text(t.write(owner), name))
    if stands_for_another(owner):
        raise TraceError(f"the attribute '{name}' of a value of the run")
    return getattr(owner, name)


def stands_for_another(value: object) -> bool:
    """Whether the trace made it, in the place of an object of the program's."""
    return type(value).__module__.startswith(_OURS)


def _has(theirs: tuple[type, ...], name: str) -> bool:
    return any(hasattr(kind, name) for kind in theirs)


def _with_heirs(kind: type) -> set[type]:
    return {kind}.union(*map(_with_heirs, kind.__subclasses__()))
