"""Running a program in the place of a NumPy call: its nodes stand where the user's line made them."""

from __future__ import annotations

import enum
import functools
import types
from collections.abc import Callable
from typing import TypeVar, cast

from ...graph.symbolic.numpy_api import Unknown
from ...graph.symbolic.symbols import Symbol
from ...graph.trace.build import TraceError
from .. import operators
from ..attempt import attempt
from ..convert import Staged, Unsupported, convert
from ..namespace import Library
from ..operators.calls import enter
from ..tracer import place, tracer
from ..wanted import is_wanted

Program = Callable[..., object]


P = TypeVar("P", bound=Program)


class Pays(enum.Enum):
    """Where a program is faster than a call of NumPy's function."""

    IN_LOOPS = enum.auto()
    """Only in loops, each iteration of which would have that call."""
    BESIDE_OTHERS = enum.auto()
    """Also outside of them, where the call would cut a kernel in two; alone it is as fast as NumPy."""
    ALONE = enum.auto()


class LeftToNumPy(Symbol):
    """The answer that NumPy itself has to be called."""


PLAIN = LeftToNumPy()


def inlined(program: Program, arguments: tuple[object, ...], pays: Pays) -> object:
    """What `program` gives for these arguments, traced here; `PLAIN` where it can't be, or doesn't pay."""
    function = cast(types.FunctionType, program)
    if not _wanted(function, pays):
        return PLAIN
    with attempt() as trial:
        try:
            given = (
                argument() if isinstance(argument, types.LambdaType) else argument for argument in arguments
            )
            result = _run(function, tuple(given))
        except (TraceError, Unsupported, Unknown):
            trial.give_up()
        tracer().programs[place()] = pays is Pays.ALONE
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


def _wanted(function: types.FunctionType, pays: Pays) -> bool:
    """Whether loops that are made here are compiled, with others or alone, and nobody differentiates them."""
    if function.__code__ in tracer().knowledge.plain.helpers or not is_wanted():
        return False
    return pays is not Pays.IN_LOOPS or in_loop()


def in_loop() -> bool:
    """Whether a loop of the graph stands around what is traced."""
    return any(not loop.unrolled for frame in tracer().frames for loop in frame.loops)


@functools.cache
def _staged(function: types.FunctionType) -> Staged:
    return convert(function)


def _parameters(function: types.FunctionType) -> tuple[str, ...]:
    return function.__code__.co_varnames[: function.__code__.co_argcount]
