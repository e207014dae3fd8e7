"""`draw`: the graph of a function or a session as a picture."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..graph.explicit.graph import Graph as ExplicitGraph
from ..graph.ir.nodes import Graph
from ..graph.ir.parser import parse_graph
from ..graph.passes import PIPELINE, Watch
from .compile import stage
from .errors import JitscopeError
from .flags import FORMATS
from .plan import stage as stage_plan
from .render import write
from .session import Session
from .specialisation import Specialisation
from .to_code import answered, request_for


def draw(
    what: Callable[..., Any] | Specialisation | Session | ExplicitGraph | Graph,
    path: str | os.PathLike[str],
    *args: Any,
    after: str = "",
    title: str = "",
    **kwargs: Any,
) -> Path:
    """Write a graph as a picture: clusters as boxes, coloured by scope and device.

    Args:
        what: a plain or a decorated function, or one of its specialisations; a session; a `js.Graph`; or a
            graph of the compiler's own.
        path: the file; ``.dot``, ``.svg`` or ``.png`` decides what it is. Folders that aren't there are made.
        *args: for a function values or `ArraySpec` to specialise it for; for a session the fetches, and
            perhaps a `feed_dict` (of a placeholder that isn't fed, the shape is what its declaration says);
            for a `js.Graph` the same, or nothing for all of it.
        after: the pass after which the graph is drawn, ``"trace"`` for the graph as it was traced; all
            passes if empty.
        title: what stands above the picture; the name of the function or of the fetches if empty.
        **kwargs: arguments by name.

    Returns:
        The path.

    Raises:
        JitscopeError: a function runs as plain Python for these arguments, or nothing here can draw.
        TypeError: `what` is none of these, or fetches are missing.
        ValueError: another suffix, no such pass, or arguments are missing.
        OSError: no file can be written there.

    Example::

        js.draw(lambda x: np.exp(x) + 1.0, "pictures/f.dot", js.ArraySpec((None,)))
        loss = js.reduce_sum(js.constant([1.0, 2.0]) ** 2)
        js.draw(js.Session(), "pictures/step.dot", [loss])
    """
    path = Path(path)
    name, graph = _graph_of(what, path, args, kwargs, after)
    write(graph, path, title or name)
    return path


def _graph_of(
    what: Any, path: Path, args: tuple[Any, ...], kwargs: dict[str, Any], after: str
) -> tuple[str, Graph]:
    """What stands above the picture, and the graph that is drawn."""
    if path.suffix.removeprefix(".") not in FORMATS:
        raise ValueError(f"{path.name}: a picture is a .dot, .svg or .png file")
    steps = ["trace", *(step.__name__ for step in PIPELINE)]
    if after and after not in steps:
        raise ValueError(f"after={after!r}: passes are {', '.join(steps)}")
    if isinstance(what, Specialisation):
        if what.plain_reason:
            raise JitscopeError(f"there is no graph: {what.plain_reason}", what.where)
        what = parse_graph(what.graph)
    if isinstance(what, Graph):
        if after or args or kwargs:
            raise TypeError("this graph is drawn as it is: no arguments, and no pass after which")
        return what.name, what
    if isinstance(what, ExplicitGraph):
        args = args if args or kwargs else (_ends(what),)
        return "graph", _graph_of(Session(graph=what), path, args, kwargs, after)[1]
    found: dict[str, Graph] = {}
    if isinstance(what, Session):
        name = _run_session(what, found.__setitem__, *args, **kwargs)
    else:
        name = _run_function(what, found.__setitem__, args, kwargs)
    return f"{name} after {after}" if after else name, found[after or steps[-1]]


def _run_function(f: Callable[..., Any], watch: Watch, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Let `watch` see the passes over the graph of a function; its name."""
    state, request = request_for(f, args, kwargs)
    with answered(state):
        stage(request, watch)
    return request.qualname


def _run_session(
    session: Session, watch: Watch, fetches: Any = None, feed_dict: Mapping[Any, Any] | None = None
) -> str:
    """Let `watch` see the passes over the graph that a session makes for some fetches; their names."""
    if fetches is None:
        raise TypeError("of a session, say what is fetched: js.draw(session, path, fetches)")
    wanted = session.wanted(fetches, feed_dict or {})
    stage_plan(wanted, watch, guess=True)
    return wanted.title.partition(" of ")[0]


def _ends(graph: ExplicitGraph) -> list[Any]:
    """What no operation of a graph reads: to compute it takes all the others."""
    operations = graph.get_operations()
    read = {id(symbol) for operation in operations for symbol in operation.inputs}
    return [symbol for operation in operations for symbol in operation.outputs if id(symbol) not in read]
