"""`import` inside of functions: of modules that are there already, and of the standard library's."""

from __future__ import annotations

from ...graph.trace.build import TraceError
from ..known_values import module_of
from ..tracer import Reference, tracer

_MOVE = "write the import outside of the function"


def module(name: str, *others: str) -> object:
    """``import name``; the `others` are imported, too."""
    for other in others:
        _found(other)
    return tracer().wrap((("module", name),), _found(name))


def from_module(name: str, item: str) -> object:
    """``from name import item``."""
    owner = _found(name)
    if not hasattr(owner, item):
        raise TraceError(f"an import of '{item}' from '{name}', which has no such name", _MOVE)
    path = (("module", name),)
    tracer().static(path, owner, "is")
    return getattr(Reference(tracer(), path, owner), item)


def _found(name: str) -> object:
    try:
        return module_of(name)
    except LookupError:
        raise TraceError(f"an import of '{name}', which isn't imported yet", _MOVE) from None
