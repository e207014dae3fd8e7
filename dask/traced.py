"""What a function does, as its trace for example arguments tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..graph.ir.nodes import Graph, Value, walk
from ..graph.ops.facts import is_python
from ..runtime.compile import StaysPlain, stage
from ..runtime.errors import JitscopeError
from ..runtime.paths import follow
from ..runtime.to_code import answered, request_for


@dataclass(frozen=True)
class FunctionTrace:
    """What is known of a function by tracing it.

    Attributes:
        graph: what it does.
        params: the graph's parameter for each argument that is an array or a number.
        writes: the arguments into whose memory it may write.
        reads: what it reads besides arguments, as globals and attributes, by path and value.
    """

    graph: Graph
    params: Mapping[str, Value]
    writes: frozenset[str]
    reads: tuple[object, ...]


def traced_for(f: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> FunctionTrace:
    """The trace of `f` for these arguments.

    Raises:
        JitscopeError: there is none, as the function runs as plain Python; the message says where and why.
    """
    state, request = request_for(f, tuple(args), dict(kwargs))
    try:
        with answered(state):
            graph, traced = stage(request)
    except JitscopeError as error:
        verdict = error.__cause__
        if not isinstance(verdict, StaysPlain):
            raise
        what = f"{state.python_function.__qualname__} has no graph, so that nothing can be inferred of it"
        where = replace(verdict.where, function="")
        raise JitscopeError(what, where, verdict.reason, verdict.attempt) from None
    by_name = {param.name: param for param in graph.params}
    own = {one.name: one.path[0][1] for one in traced.inputs if [kind for kind, _ in one.path] == ["arg"]}
    params = {argument: by_name[name] for name, argument in own.items() if name in by_name}
    written = (
        own if any(map(is_python, walk(graph.body))) else [name for name in traced.writes if name in own]
    )
    others = [one.path for one in traced.inputs if one.path[0][0] != "arg"]
    reads = tuple((path, follow(path, request.function, request.arguments)) for path in others)
    return FunctionTrace(graph, params, frozenset(own[name] for name in written), reads)
