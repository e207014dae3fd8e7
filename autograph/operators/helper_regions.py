"""Helpers of the user's that are traced where they are called, and regions of their own for some."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import CodeType
from typing import cast

from ...graph.ir.nodes import Block, Node
from ...graph.trace.build import TraceError, current
from ..attempt import attempt
from ..tracer import OpenFunction, tracer
from .control import leave
from .exits import Leave
from .growing import Carried
from .kinds import causes, explained
from .own_errors import ending_block
from .returning import leave_function
from .specs import Spec
from .state import decode, describe, join, make_values, outside, widen


def code_of(staged: Callable[..., object]) -> CodeType:
    """The code of a staged function: that of the user's, converted."""
    code: CodeType = inspect.unwrap(getattr(staged, "staged", staged)).__code__
    return code


def invoke(staged: Callable[..., object], arguments: Mapping[str, object]) -> object:
    """Call a staged function with all of its parameters by name, whatever their kinds."""
    code = code_of(staged)
    names = code.co_varnames[: code.co_argcount]
    positional = [arguments[name] for name in names]
    extra = code.co_argcount + code.co_kwonlyargcount
    keywords = {name: arguments[name] for name in code.co_varnames[code.co_argcount : extra]}
    if code.co_flags & inspect.CO_VARARGS:
        positional += cast(Iterable[object], arguments[code.co_varnames[extra]])
        extra += 1
    if code.co_flags & inspect.CO_VARKEYWORDS:
        keywords.update(cast(Mapping[str, object], arguments[code.co_varnames[extra]]))
    return staged(*positional, **keywords)


def bound_to(
    staged: Callable[..., object], args: tuple[object, ...], kwargs: Mapping[str, object]
) -> dict[str, object] | None:
    """The arguments of a call by name, with defaults; None for those that don't fit."""
    try:
        bound = inspect.signature(inspect.unwrap(getattr(staged, "staged", staged))).bind(*args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    return dict(bound.arguments)


@contextmanager
def inside(frame: OpenFunction) -> Iterator[None]:
    """While a function of the user's is traced."""
    frames = tracer().frames
    frames.append(frame)
    try:
        with tracer().spending.helping(frame.code):
            yield
    finally:
        del frames[frames.index(frame) :]


def in_region(run: Callable[[], object], name: str, code: CodeType) -> object:
    """A `call` node. The helper is traced twice: once to see what its returns have in common."""
    builder = current()
    given, chosen = len(builder.names), tuple[int, ...]()
    with attempt() as trial:
        frame = OpenFunction(name, builder.depth + 1, region=True, code=code)
        values, _ = region(run, frame, carried := Carried())
        if chosen := carried.changed():
            values = carried.with_values(values, chosen)
        spec = returned(values, name, given)
        trial.give_up()
    frame = OpenFunction(name, builder.depth + 1, region=True, code=code, spec=spec)
    _, nodes = region(run, frame, carried := Carried(chosen, is_last=True))
    return carried.without(called(name, builder.suggest() or name, spec, nodes))


def called(name: str, label: str, spec: Spec, nodes: list[Node]) -> object:
    """The `call` node of a region with these nodes; what it returns, whose values are called `label`."""
    builder = current()
    results = make_values(spec, label)
    body = Block((), tuple(nodes))
    attrs = {"name": name, **causes([spec], [results[0].name.split(".")[0] if results else name])}
    builder.append(Node("call", (), tuple(results), attrs, (body,), builder.locate()))
    found: object = decode(spec, iter(results), name)
    return found


def returned(values: list[object], name: str, given: int) -> Spec:
    """What all that a helper returns has in common; there were so many names when it was entered."""
    if not values:
        raise TraceError(f"{name} never returns")
    spec = describe(values[0])
    for value in values[1:]:
        when = ("at one `return`", "at another")
        spec = explained(join(spec, describe(value)), f"{name}(...)", (values[0], value), when)
    (spec,) = outside([widen(spec)], given)
    return spec


def region(
    run: Callable[[], object], frame: OpenFunction, carried: Carried
) -> tuple[list[object], list[Node]]:
    """Trace a helper inside of a block: the values that it returns, and its nodes.

    Lists that are `carried` may grow in it.
    """
    frame.carried = carried
    with inside(frame), current().region() as nodes:
        try:
            with ending_block():
                leave_function(run())
        except Leave as left:
            leave(left)
        finally:
            carried.restore()
    return frame.returns, nodes
