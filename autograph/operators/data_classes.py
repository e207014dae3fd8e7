"""Objects of data classes, whose `__init__` has no source: Python's own module has written it."""

from __future__ import annotations

import dataclasses
import inspect
from types import FunctionType
from typing import Any

from ...graph.trace.build import current
from ..made_objects import MadeObject
from ..tracer import tracer
from .containers import new_dict, new_list
from .items import setattr_

_CONSTANTS = (type(None), bool, int, float, complex, str)


def is_generated(kind: type) -> bool:
    """Whether the `__init__` of a class is that of a data class, which assigns its fields."""
    made = inspect.getattr_static(kind, "__init__")
    owner = next((base for base in kind.__mro__ if "__init__" in vars(base)), object)
    params = vars(owner).get("__dataclass_params__")
    return (
        isinstance(made, FunctionType)
        and made.__code__.co_filename == "<string>"
        and bool(params and params.init)
    )


def assign_fields(made: MadeObject, args: tuple[object, ...], kwargs: dict[str, object]) -> bool:
    """What the `__init__` of a data class does with an object; False where that can't be followed."""
    kind = made.kind
    known: dict[str, dataclasses.Field[Any]] = vars(kind).get("__dataclass_fields__", {})
    fields = dataclasses.fields(kind) if known else ()
    if not known or len(fields) != sum("ClassVar" not in repr(field._field_type) for field in known.values()):  # type: ignore[attr-defined]
        return False  # the class itself is none, or it has values that go to `__post_init__` alone
    try:
        given = inspect.signature(kind).bind(*args, **kwargs).arguments
    except TypeError:
        return False
    for field in fields:
        if field.name in given:
            setattr_(made, field.name, given[field.name])
        elif field.default_factory in (list, dict):
            line = current().locate().line
            setattr_(
                made, field.name, new_list([], line) if field.default_factory is list else new_dict({}, line)
            )
        elif field.default is not dataclasses.MISSING and type(field.default) in _CONSTANTS:
            setattr_(made, field.name, field.default)
        elif field.init or field.default_factory is not dataclasses.MISSING:
            return False
    written = made.method("__init__")
    assert written is not None
    written.function.rely()
    after = made.method("__post_init__")
    if after is not None:
        tracer().operators.call(after)
    return True
