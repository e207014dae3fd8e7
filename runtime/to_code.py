"""`to_code`: the text of every stage between a plain function and its generated module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType, MethodType
from typing import Any

from ..graph.trace.marks import Fault
from .compile import Request, StaysPlain, generate_module
from .compile import stage as run_stages
from .errors import JitscopeError
from .function import Function
from .paths import underlying

STAGES = ("staged", "ast", "graph", "module")


def to_code(f: Callable[..., Any], *args: Any, stage: str | None = None, **kwargs: Any) -> str:
    """What `f` becomes: the text of a stage on the way to its generated module.

    Args:
        f: a plain or a decorated function; or a session or graph, with fetches and feeds as `args`.
        *args: values or `ArraySpec` to specialise for; needed for the stages ``"graph"`` and ``"module"``.
        stage: ``"staged"`` (converted Python; the default without arguments), ``"ast"`` (its syntax tree),
            ``"graph"`` (after all passes), ``"module"`` (the generated module; the default with arguments).
        **kwargs: arguments by name.

    Returns:
        The text.

    Raises:
        JitscopeError: `f` runs as plain Python for these arguments; the message says why.
        TypeError: `f` is none of these.
        ValueError: an unknown stage, or one that needs arguments.

    Example::

        def f(x):
            return np.exp(x) + 1.0

        assert "exp(%x)" in js.to_code(f, js.ArraySpec((None,), np.float64), stage="graph")
    """
    if (session := session_for(f)) is not None:
        return str(session.to_code(*args, **kwargs, stage=stage or "module"))
    given = bool(args or kwargs)
    stage = stage or ("module" if given else "staged")
    if stage not in STAGES:
        raise ValueError(f"stage is one of {', '.join(STAGES)}, not {stage!r}")
    plain = python_function(f)
    if stage in ("staged", "ast"):
        return _staged(plain, stage)
    state, request = request_for(f, args, kwargs)
    with answered(state):
        return _graph_or_module(request, stage)


def request_for(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Function, Request]:
    """The state of a plain or decorated function, and the request for a call with these arguments.

    Raises:
        TypeError: `f` is no function.
        ValueError: there are no arguments, and they are needed.
    """
    if isinstance(f, MethodType):
        return request_for(f.__func__, (f.__self__, *args), kwargs)
    state: Function = getattr(f, "__jitscope__", None) or Function(python_function(f))
    if not args and not kwargs and state.binder.names:
        if state.input_signature is None:
            raise ValueError(
                f"the graph of {state.python_function.__qualname__} depends on types: give arguments, "
                "for example js.ArraySpec((None,), float)"
            )
        args = state.input_signature
    state = state.in_call(len(args))
    return state, state.request(state.values_of(*args, **kwargs))


def python_function(f: Any) -> FunctionType:
    """The plain function of a plain or decorated one.

    Raises:
        TypeError: it is neither.
    """
    try:
        return underlying(f)
    except LookupError:
        raise TypeError(f"a Python function, a session or a graph is needed, not {f!r}") from None


@contextmanager
def answered(state: Function) -> Iterator[None]:
    """Turn a verdict on what is done inside into an answer to the user."""
    try:
        yield
    except StaysPlain as verdict:
        raise state.refusal(verdict) from verdict
    except Fault as failed:
        raise failed.error from failed.error.__cause__


def session_for(what: Any) -> Any:
    """The session if `what` is one, one for it if it is a `js.Graph`, else None."""
    if isinstance(what, FunctionType):  # nearly always, and then nobody needs to know what a session is
        return None
    from ..graph.explicit.graph import Graph
    from .session import Session

    if isinstance(what, Graph):
        return Session(graph=what)
    return what if isinstance(what, Session) else None


def _graph_or_module(request: Request, stage: str) -> str:
    from ..graph.ir.printer import print_graph

    graph = run_stages(request)[0]
    if stage == "graph":
        return print_graph(graph)
    return str(generate_module(request, graph, "").text)


def _staged(plain: FunctionType, stage: str) -> str:
    from ..autograph.convert import Unsupported, convert

    try:
        text = convert(plain).text
    except Unsupported as error:
        what = f"{plain.__qualname__} can't be converted: {error.reason}"
        raise JitscopeError(what, error.loc, "there is no staged form of it", error.attempt) from error
    if stage == "staged":
        return text
    import ast

    import astunparse

    return str(astunparse.dump(ast.parse(text)))
