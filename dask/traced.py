"""The graph of a function for example arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..graph.ir.nodes import Graph
from ..runtime.compile import StaysPlain, stage
from ..runtime.errors import JitscopeError
from ..runtime.to_code import answered, request_for


def graph_of(f: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Graph:
    """The graph of `f` for these arguments.

    Raises:
        JitscopeError: there is none, as the function runs as plain Python; the message says where and why.
    """
    state, request = request_for(f, tuple(args), dict(kwargs))
    try:
        with answered(state):
            return stage(request)[0]
    except JitscopeError as error:
        verdict = error.__cause__
        if not isinstance(verdict, StaysPlain):
            raise
        what = f"{state.python_function.__qualname__} has no graph, so that nothing can be inferred of it"
        where = replace(verdict.where, function="")
        raise JitscopeError(what, where, verdict.reason, verdict.attempt) from None
