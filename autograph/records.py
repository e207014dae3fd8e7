"""Records: dataclass instances and named tuples, whose fields the trace follows one by one.

An argument stays the object that it is (a `Reference`); its fields are inputs of their own. A `TracedRecord`
is one that the trace itself has put together: its fields are symbols, and the object is made where somebody
needs it as a whole.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

from ..graph.ir.nodes import Operand
from ..graph.ir.types import OBJECT
from ..graph.symbolic.symbols import Symbol, SymbolicObject, template
from ..graph.trace.build import current
from ..graph.trace.template import Template
from .traced import Path
from .tracer import Reference


def is_named_tuple(value: Any) -> bool:
    """A named tuple that reads its items as a tuple does."""
    kind = type(value)
    if not isinstance(value, tuple) or kind is tuple:
        return False
    plain = kind.__getitem__ is tuple.__getitem__ and kind.__iter__ is tuple.__iter__
    return plain and isinstance(getattr(kind, "_fields", None), tuple)


def is_record(value: Any) -> bool:
    """Whether `value` has fields that are known by name."""
    return is_named_tuple(value) or (dataclasses.is_dataclass(value) and not isinstance(value, type))


def field_names(value: Any) -> tuple[str, ...]:
    """The fields that a record is made of; a dataclass computes the others itself."""
    if is_named_tuple(value):
        return tuple(type(value)._fields)
    return tuple(field.name for field in dataclasses.fields(value) if field.init)


def field_path(reference: Reference, name: str) -> Path:
    """Where a field stands; that of a named tuple always by its place, however it is read."""
    if is_named_tuple(reference.value):
        return (*reference.path, ("item", type(reference.value)._fields.index(name)))
    return (*reference.path, ("attr", name))


def read_field(reference: Reference, name: str) -> Any:
    """The symbol of a field of a record of the user's."""
    if is_named_tuple(reference.value):
        return items_of(reference)[type(reference.value)._fields.index(name)]
    return reference.tracer.operators.read_attribute(reference, name)


def items_of(reference: Reference) -> tuple[Any, ...]:
    """The items of a named tuple of the user's."""
    tracer, path = reference.tracer, reference.path
    tracer.static(path, reference.value, "len")
    tracer.looked_up(path, reference.value, "__getitem__", "__iter__")
    if tracer._is_stable(path):
        tracer.stable.update((*path, ("item", k)) for k in range(len(reference.value)))
    return tuple(tracer.wrap((*path, ("item", k)), item) for k, item in enumerate(reference.value))


class TracedRecord(SymbolicObject):
    """A record like `model`, with other values in its fields."""

    __slots__ = ("model", "fields", "is_tuple")
    is_assembled = True
    model: Symbol

    def __init__(self, model: Symbol, fields: dict[str, Any], is_tuple: bool) -> None:
        own: Symbol = model.model if isinstance(model, TracedRecord) else model  # only its class counts
        self.model, self.fields, self.is_tuple = own, fields, is_tuple

    def operand(self) -> Operand:
        return self.made(lambda under, value: under.write(value)).operand()

    def made(self, write: Callable[[Template, Any], str]) -> SymbolicObject:
        """The record as an object of the run; `write` gives the text of a field."""
        under = template()
        model = under.write(self.model)
        parts = ", ".join(f"{name}={write(under, value)}" for name, value in self.fields.items())
        of_class = isinstance(self.model, Reference) and isinstance(self.model.value, type)
        source = f"{model}({parts})" if of_class else f"{model}.__class__({parts})"
        # A dataclass may have an `__init__` of the user's: it is theirs to make it a harmless one.
        return SymbolicObject(current().one("python", under.operands, OBJECT, text=source, harmless=True))

    def __getattr__(self, name: str) -> Any:
        fields = object.__getattribute__(self, "fields")
        return fields[name] if name in fields else super().__getattr__(name)

    def __getitem__(self, index: Any) -> Any:
        if self.is_tuple and isinstance(index, (int, slice)):
            return tuple(self.fields.values())[index]
        return super().__getitem__(index)

    __hash__ = Symbol.__hash__


def made_record(reference: Reference, args: tuple[Any, ...], kwargs: dict[str, Any]) -> TracedRecord | None:
    """A new named tuple or frozen dataclass, which derivatives follow; None for any other class.

    What may change later has to be an object of the run from the beginning.
    """
    kind, tracer = reference.value, reference.tracer
    if not tracer.differentiating or not _is_immutable(kind):
        return None
    bound = inspect.signature(kind).bind(*args, **kwargs)
    given = set(bound.arguments)
    bound.apply_defaults()
    rest = (value for name, value in bound.arguments.items() if name not in given)
    if not all(value is None or type(value) in (bool, int, float, complex, str) for value in rest):
        return None
    tracer.static(reference.path, kind, "is")
    return TracedRecord(reference, dict(bound.arguments), issubclass(kind, tuple))


def _is_immutable(kind: Any) -> bool:
    """Whether objects of this class are their fields, as they are given."""
    own = vars(kind)
    if issubclass(kind, tuple):
        return isinstance(own.get("_fields"), tuple) and kind.__bases__ == (tuple,) and "__init__" not in own
    params = own.get("__dataclass_params__")
    if not (params and params.frozen and params.init) or hasattr(kind, "__post_init__"):
        return False
    return all(field.init for field in dataclasses.fields(kind))


def known_items(value: Any) -> tuple[Any, ...] | None:
    """The items of a named tuple that the trace knows; None for anything else."""
    if isinstance(value, Reference) and is_named_tuple(value.value):
        return items_of(value)
    if isinstance(value, TracedRecord) and value.is_tuple:
        return tuple(value.fields.values())
    return None
