"""Attributes of the user's own objects and modules: read as inputs where Python would just look them up."""

from __future__ import annotations

import functools
import inspect
import sys
import types
from typing import Any

from ..graph.symbolic.symbols import SymbolicObject, python_expression
from ..graph.trace.template import attribute_text
from .known_values import is_data
from .records import is_named_tuple, items_of
from .told import FIELD, place_of_field
from .tracer import Reference

_MISSING = object()


class BoundMethod:
    """A Python method of a user's object: the function, where it stands, and its self."""

    def __init__(self, function: Reference, owner: object) -> None:
        self.function = function
        self.owner = owner


def unbound(reference: Reference) -> tuple[Any, tuple[Any, ...], dict[str, Any]] | None:
    """What a partial or a bound method from outside calls, and with which arguments first.

    It may be made anew for each call: what it holds is read from it, and only its type must be the same.
    """
    value, path, tracer = reference.value, reference.path, reference.tracer
    if type(value) is types.MethodType and isinstance(value.__func__, types.FunctionType):
        tracer.static(path, value, "type")
        function = Reference(tracer, (*path, ("attr", "__func__")), value.__func__)
        return BoundMethod(function, tracer.wrap((*path, ("attr", "__self__")), value.__self__)), (), {}
    if isinstance(value, functools.partial) and type(value).__call__ is functools.partial.__call__:
        tracer.static(path, value, "type")
        held = (*path, ("attr", "args")), (*path, ("attr", "keywords"))
        tracer.static(held[1], value.keywords, "keys")
        keywords = {key: tracer.wrap((*held[1], ("item", key)), v) for key, v in value.keywords.items()}
        return tracer.wrap((*path, ("attr", "func")), value.func), tracer.wrap(held[0], value.args), keywords
    return None


def read_attribute(reference: Reference, name: str) -> Any:
    """``reference.name``."""
    owner, path, tracer = reference.value, reference.path, reference.tracer
    if name == "__dict__" or (owner is sys and name == "modules"):
        tracer.opaque_call()  # any global may be written through it
    if isinstance(owner, types.ModuleType):
        if not hasattr(owner, name):
            raise AttributeError(f"module '{owner.__name__}' has no attribute '{name}'")
        own = vars(owner)
        return _data(reference, name, getattr(owner, name), only_own=name in own and "__getattr__" in own)
    found = inspect.getattr_static(type(owner), name, _MISSING)
    lookup: Any = type(owner).__getattribute__
    is_field = type(found) is FIELD and lookup is tuple.__getattribute__
    if is_field and is_named_tuple(owner) and (place := place_of_field(found)) < len(owner):
        tracer.looked_up(path, owner, "__getattribute__", name)
        return items_of(reference)[place]
    plain = lookup is object.__getattribute__ or isinstance(owner, type)
    if isinstance(owner, type):
        return _class_attribute(reference, name)
    if not plain:
        return _opaque(reference, name)
    if len(path) > 1 or path[0][0] != "arg":  # calls of other arguments have signatures of their own
        tracer.static(path, owner, "type")
    tracer.looked_up(path, owner, "__getattribute__", "__getattr__", name)
    own = _own_attributes(owner).get(name, _MISSING)
    if isinstance(found, types.FunctionType) and own is _MISSING:
        return BoundMethod(Reference(tracer, (*path, ("method", name)), found), reference)
    if isinstance(found, property) or (
        own is not _MISSING and any(hasattr(type(found), name) for name in ("__set__", "__delete__"))
    ):
        return _opaque(reference, name)
    if own is not _MISSING:
        return _data(reference, name, own, only_own=_has_code(type(owner), found))
    if isinstance(found, types.MemberDescriptorType) or (
        found is not _MISSING and not hasattr(type(found), "__get__")
    ):
        try:
            value = object.__getattribute__(owner, name)
        except AttributeError:  # an empty slot, for which a `__getattr__` may have an answer
            return _opaque(reference, name)
        if _has_code(type(owner)):
            return _opaque(reference, name)  # which it may have for another object
        return _data(reference, name, value)
    return _opaque(reference, name)


def _has_code(kind: type, found: object = _MISSING) -> bool:
    """Whether code of the user's has an answer where an object's own dict has none: a `cached_property`."""
    if inspect.getattr_static(kind, "__getattr__", _MISSING) is not _MISSING:
        return True
    return hasattr(type(found), "__get__") and type(found) not in _WITHOUT_CODE


_WITHOUT_CODE = (types.FunctionType, types.BuiltinFunctionType, staticmethod, classmethod)
"""Functions in classes: a look at them gives a method."""


def _own_attributes(owner: object) -> dict[str, Any]:
    """The object's own dict, which a `__getattr__` is not asked for."""
    try:
        found = object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return {}
    return found if isinstance(found, dict) else {}


def _class_attribute(reference: Reference, name: str) -> object:
    """``Class.name``: a number or array that stands in a class is read like one of an object."""
    owner = reference.value
    found = inspect.getattr_static(owner, name, _MISSING)
    if type(owner) is not type or not is_data(found):
        return _opaque(reference, name)
    if name in vars(owner):  # it is read without code that comes later
        reference.tracer.static(reference.path, owner, "type")
        return _data(reference, name, found, only_own=True)
    reference.tracer.static(reference.path, owner, "is")
    reference.tracer.static((*reference.path, ("class", name)), owner, "lookup")
    return _data(reference, name, found)


def _data(reference: Reference, name: str, value: object, only_own: bool = False) -> object:
    """An attribute that is data; one that is `only_own` is read from the object's own dict, or not at all."""
    if found := reference.tracer.operators.read_assigned(reference, name):
        return found[0]
    path = (*reference.path, ("attr", name))
    if only_own:
        path = (*reference.path, ("attr", "__dict__"), ("item", name))
    written = ("attribute", name) in reference.tracer.knowledge.materialised
    if written or (
        reference.tracer.knowledge.volatile and is_data(value) and path not in reference.tracer.values
    ):
        return _opaque(reference, name)
    return reference.tracer.wrap(path, value)


def _opaque(reference: Reference, name: str) -> SymbolicObject:
    return python_expression(lambda t: attribute_text(t.write(reference), name))
