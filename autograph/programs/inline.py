"""Running a program in the place of a NumPy call: its nodes stand where the user's line made them."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import TypeVar, cast

from ...graph.symbolic.symbols import Symbol
from ...graph.trace.build import TraceError
from ...graph.trace.devices import CPU, JIT_CPU, wished
from ...graph.trace.scopes import compile_ops_here
from .. import operators
from ..attempt import attempt
from ..convert import Staged, Unsupported, convert
from ..namespace import Library
from ..operators.calls import enter
from ..tracer import place, tracer

Program = Callable[..., object]


P = TypeVar("P", bound=Program)


class LeftToNumPy(Symbol):
    """The answer that NumPy itself has to be called."""


PLAIN = LeftToNumPy()


def inlined(program: Program, arguments: tuple[object, ...], alone: bool) -> object:
    """What `program` gives for these arguments, traced here; `PLAIN` where it can't be.

    `alone` says whether it is faster than NumPy outside of loops, too.
    """
    function = cast(types.FunctionType, program)
    if not _wanted(function, alone):
        return PLAIN
    with attempt() as trial:
        try:
            given = (
                argument() if isinstance(argument, types.LambdaType) else argument for argument in arguments
            )
            result = _run(function, tuple(given))
        except (TraceError, Unsupported):
            trial.give_up()
        tracer().programs.add(place())
        return result
    return PLAIN


def part(program: P) -> P:
    """A program that others call."""

    @functools.wraps(program)
    def called(*arguments: object) -> object:
        return _run(cast(types.FunctionType, program), arguments)

    return cast(P, called)


def _run(function: types.FunctionType, arguments: tuple[object, ...]) -> object:
    staged = _staged(function).instantiate(Library(function), operators)
    return enter(staged, function, dict(zip(_parameters(function), arguments, strict=True)))


def _wanted(function: types.FunctionType, alone: bool) -> bool:
    """Whether loops that are made here are compiled, with others or alone, and nobody differentiates them."""
    return function.__code__ not in tracer().knowledge.plain.helpers and is_wanted(alone)


def is_wanted(alone: bool = True) -> bool:
    """Whether what is made here is compiled, and nobody differentiates it."""
    known = tracer().knowledge
    if is_differentiated() or place() in known.plain_calls:
        return False
    if wished().device_type not in (None, CPU, JIT_CPU):
        return False
    scope = compile_ops_here()
    compiled = known.level_on if scope is None else scope is True
    return compiled and (alone or _in_loop())


def is_differentiated() -> bool:
    """Whether derivatives are asked of what is traced here: NumPy's functions have rules of their own."""
    here = tracer()
    asked = here.builder.attributes.get("differentiated")
    return bool(not here.knowledge.programs or here.differentiating or asked)


def _in_loop() -> bool:
    """Whether a loop of the graph stands around what is traced."""
    return any(not loop.unrolled for frame in tracer().frames for loop in frame.loops)


@functools.cache
def _staged(function: types.FunctionType) -> Staged:
    return convert(function)


def _parameters(function: types.FunctionType) -> tuple[str, ...]:
    return function.__code__.co_varnames[: function.__code__.co_argcount]
