"""`isinstance`: what is known of it while a function is traced."""

from __future__ import annotations

import inspect
import types

import numpy as np

from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.symbols import SymbolicObject, SymbolicScalar, SymbolicUnion
from ..made_objects import MadeObject
from ..number_dicts import HeldTable
from ..number_lists import NumberList
from ..once import Once
from ..texts import Character
from ..told import is_immutable, ordered_bases
from ..tracer import Reference, relied_on
from .iterables import SymbolicRange


def is_instance(value: object, classes: object) -> object:
    """``isinstance(value, classes)``: known where it hangs on bases alone, which stay those of the trace."""
    wanted = classes if isinstance(classes, tuple) else (classes,)
    if isinstance(value, (SymbolicObject, SymbolicUnion)) and not isinstance(value, Reference):
        return NotImplemented
    if any(isinstance(c, SymbolicObject) and not isinstance(c, Reference) for c in wanted):
        return NotImplemented
    plain = tuple(map(relied_on, wanted))
    kind = type(value.value) if isinstance(value, Reference) else _class_of(value)
    if kind is None or not _says_its_class(kind):
        return NotImplemented
    if not _asks_for_bases(plain, kind.__module__.partition(".")[0] in _LIBRARIES):
        return NotImplemented
    if isinstance(value, Reference):
        value.tracer.static(value.path, value.value, "type")
        value.tracer.looked_up(value.path, value.value, "__getattribute__", "__class__")
        return isinstance(value.value, plain)
    return _is_below(kind, plain)


_OURS = __name__.partition(".")[0]
_LIBRARIES = frozenset(["builtins", "collections", "numpy"])
_ABSTRACT = frozenset(["numbers", "collections.abc"])
"""Python's own modules of classes that know at import which of Python's and NumPy's belong to them."""


def _asks_for_bases(wanted: object, of_libraries: bool) -> bool:
    """Whether `isinstance` asks for bases only: others run the user's code, or let classes in later."""
    if isinstance(wanted, types.UnionType):
        wanted = wanted.__args__
    if isinstance(wanted, tuple):
        return all(_asks_for_bases(each, of_libraries) for each in wanted)
    if not isinstance(wanted, type):
        return False
    if of_libraries and wanted.__module__ in _ABSTRACT:
        return True
    return type(wanted) is type or (
        is_immutable(type(wanted)) and type(wanted).__instancecheck__ is type.__instancecheck__
    )


def _is_below(kind: type, wanted: object) -> bool:
    """Whether a class is one of these or derived from one, as `isinstance` of an object of it says."""
    if isinstance(wanted, types.UnionType):
        wanted = wanted.__args__
    if isinstance(wanted, tuple):
        return any(_is_below(kind, each) for each in wanted)
    assert isinstance(wanted, type)
    if wanted.__module__ in _ABSTRACT:
        return issubclass(kind, wanted)
    return any(base is wanted for base in ordered_bases(kind))


def _says_its_class(kind: type) -> bool:
    """Whether ``__class__`` is the class of an object, which it isn't of proxies."""
    if inspect.getattr_static(kind, "__class__", _OBJECTS_OWN) is not _OBJECTS_OWN:
        return False
    looks_up: object = inspect.getattr_static(kind, "__getattribute__")
    owner = looks_up.__objclass__ if isinstance(looks_up, types.WrapperDescriptorType) else kind
    return owner is not super and owner.__module__.partition(".")[0] in _LIBRARIES


_OBJECTS_OWN = object.__dict__["__class__"]


def _class_of(value: object) -> type | None:
    """The class of what a value of the trace stands for; None where the run has objects of another one."""
    if isinstance(value, MadeObject):
        return value.kind
    if isinstance(value, SymbolicArray):
        return np.ndarray
    if isinstance(value, SymbolicScalar):
        real = {"bool": bool, "int": int, "float": float, "complex": complex}
        return real.get(value.type.kind, value.type.dtype.type)
    if isinstance(value, SymbolicRange):
        return range
    if isinstance(value, (NumberList, HeldTable, Character)):
        return value.python_type
    if isinstance(value, Once) or (callable(value) and not isinstance(value, type)):
        return None
    others = (base for base in type(value).__mro__ if base.__module__.partition(".")[0] != _OURS)
    return next((base for base in others if base is not object), None)
