"""Numbers that may be None, where the program has a use for a number only."""

from __future__ import annotations

from ..graph.symbolic.symbols import SymbolicScalar, SymbolicUnion, unwrap_union
from ..graph.trace.build import current
from .tracer import tracer


def certain(value: object) -> object:
    """The number that a variable is, which may be None, too: then the call starts again as plain Python.

    That is so where it can: where lists are arrays of the graph. Anything else stays as it is.
    """
    value = unwrap_union(value)
    if not isinstance(value, SymbolicUnion) or value.first is not None or not tracer().numbers:
        return value
    if not isinstance(value.payload, SymbolicScalar):
        return value
    if not current().is_known(value.tag):
        tracer().operators.not_none(value.tag, "real")
    return value.payload
