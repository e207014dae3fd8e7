"""Calls of jitscope's own functions: they act on the trace, and need their arguments then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...graph.trace.attempt import Restart
from ...graph.trace.build import TraceError, current
from ...graph.trace.scopes import jit_scope
from ..plain_callables import plain_callable
from ..told import told
from ..tracer import Reference, tracer
from .derivatives import Derivative

_PACKAGE = __name__.split(".")[0]
_OF_THE_PROGRAM = ("runtime.timeline", "runtime.draw", "runtime.to_code", "runtime.config")
"""The modules of `trace`, `draw`, `to_code` and `counters`."""


def is_ours(plain: Any) -> bool:
    """True for jitscope's own functions; those that it has decorated are the user's."""
    module = str(told(plain, "__module__"))
    return module.split(".")[0] == _PACKAGE and told(plain, "python_function") is None


def own_call(plain: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``plain(*args, **kwargs)``.

    Raises:
        TraceError: it looks at the program while it runs, so it has to be called in each call.
    """
    if getattr(plain, "__module__", "").removeprefix(f"{_PACKAGE}.") in _OF_THE_PROGRAM:
        raise TraceError(f"js.{getattr(plain, '__name__', 'trace')} looks at the program while it runs")
    if plain is jit_scope:
        args = tuple(plain_callable(value) for value in args)
        kwargs = {name: plain_callable(value) for name, value in kwargs.items()}
    if getattr(plain, "decorates", False) and len(args) == 1 and isinstance(args[0], (Reference, Derivative)):
        return args[0]  # it is part of this trace
    try:
        result = plain(*args, **kwargs)
    except Exception:
        _without_programs()
        raise
    _without_programs()
    return result


def _without_programs() -> None:
    """Start again if what programs made is differentiated: NumPy's functions have rules of their own."""
    here = tracer()
    if here.programs and current().attributes.get("differentiated"):
        here.knowledge.programs = False
        raise Restart
