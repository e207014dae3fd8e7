"""Recording: what a call on symbols of an explicit graph adds to the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from ..trace.build import building
from ..trace.running import place_of, target_of
from .operation import Operation
from .places import users_frame
from .recorder import Recorder
from .steps import Step, mapped
from .symbol import Dimension

if TYPE_CHECKING:
    from .graph import Graph

_ASKED: ContextVar[str | None] = ContextVar("jitscope_asked_name", default=None)
_AFTER: ContextVar[tuple[Any, ...]] = ContextVar("jitscope_control_inputs", default=())


@contextmanager
def asked_name(name: str | None) -> Iterator[None]:
    """Call the operation that is made inside `name` (in plain code and traces nobody asks)."""
    token = _ASKED.set(name)
    try:
        yield
    finally:
        _ASKED.reset(token)


@contextmanager
def control_dependencies(control_inputs: Any) -> Iterator[None]:
    """Whenever an operation made inside runs, `control_inputs` run, too.

    Args:
        control_inputs: a list of symbols, operations and variables, which are added to those of the contexts
            around; None forgets those.

    Yields:
        None.

    Raises:
        TypeError: `control_inputs` is no list, or there is something else in it.

    Example::

        count = js.Variable(0)
        with js.control_dependencies([count.assign_add(1)]):
            y = js.constant(2.0) * 3.0
        with js.Session() as session:
            session.run(count.initializer)
            assert (session.run(y), session.run(count)) == (6.0, 1)
    """
    if control_inputs is not None and not isinstance(control_inputs, (list, tuple, set, frozenset)):
        raise TypeError(f"control_inputs is a list of symbols and operations, not {control_inputs!r}")
    steps = tuple(step_of(item) for item in control_inputs or ())
    token = _AFTER.set(() if control_inputs is None else (*_AFTER.get(), *steps))
    try:
        yield
    finally:
        _AFTER.reset(token)


def step_of(item: Any) -> Step:
    """The step that makes a symbol, an operation or a variable."""
    if isinstance(item, Dimension):
        item = item.symbol
    operation = item if isinstance(item, Operation) else getattr(item, "op", None)
    if not isinstance(operation, Operation):
        raise TypeError(f"{item!r} is no symbol, operation or variable of a graph")
    return operation.step


def record(
    graph: Graph,
    kind: str,
    call: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    *,
    name: str | None = None,
    assigns: Any = None,
    after: tuple[Step, ...] = (),
    unknown: Callable[[Any], Any] | None = None,
) -> Any:
    """Run `call` on the graph's builder, and keep it as a step.

    Args:
        graph: the graph; its builder is the current one.
        kind: the name of what is computed; the op of its node if it has one node only.
        call: takes symbols of a trace.
        args: arguments with symbols, variables and arrays in them.
        kwargs: the same by name.
        name: what the user calls the operation.
        assigns: the variable that takes the result.
        after: steps that run whenever this one does.
        unknown: makes the result of ``call`` out of one value per part, where ranks aren't known.
    """
    recorder = Recorder(graph, kind, name if name is not None else _ASKED.get())
    frame = users_frame()
    args, kwargs = (mapped(value, recorder.lifted) for value in (args, kwargs))
    control = tuple(dict.fromkeys((*_AFTER.get(), *after)))
    step = Step(
        len(graph.steps),
        kind,
        call,
        args,
        kwargs,
        assigns=assigns,
        after=control,
        loc=place_of(frame),
        target=target_of(frame),
    )
    return recorder.run(step, unknown)


def group(graph: Graph, items: Any, name: str | None, kind: str = "NoOp") -> Operation:
    """An operation that computes nothing and makes `items` run."""
    after = tuple(dict.fromkeys((*_AFTER.get(), *map(step_of, items))))
    with graph.lock, building(graph.builder):
        graph.check_open()
        step = Step(len(graph.steps), kind, _nothing, after=after, loc=place_of(users_frame()))
        operation = Recorder(graph, kind, name).operation(step, kind, ())
        graph.steps.append(step)
        return operation


def _nothing() -> None:
    """What a group computes."""
