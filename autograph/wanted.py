"""Whether NumPy's functions may be replaced, where something is traced, by loops that are compiled."""

from __future__ import annotations

from ..graph.trace.devices import CPU, JIT_CPU, wished
from ..graph.trace.scopes import compile_ops_here
from .tracer import place, tracer


def is_wanted() -> bool:
    """Whether what is made here is compiled, and nobody differentiates it."""
    known = tracer().knowledge
    if is_differentiated() or place() in known.plain_calls:
        return False
    if wished().device_type not in (None, CPU, JIT_CPU):
        return False
    scope = compile_ops_here()
    return known.level_on if scope is None else scope is True


def is_differentiated() -> bool:
    """Whether derivatives are asked of what is traced here: NumPy's functions have rules of their own."""
    here = tracer()
    asked = here.builder.attributes.get("differentiated")
    return bool(not here.knowledge.programs or here.differentiating or asked)
