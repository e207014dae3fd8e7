"""What happens when compiled code raises: the exception is said the way Python and NumPy say it."""

from __future__ import annotations

import dis
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from itertools import pairwise
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from .errors import IntegerOverflow
from .printed_once import after_prints
from .recipe import Recipe
from .skipped import skipped
from .stack import room_for_frames
from .too_large import is_too_large, kernel_of
from .undo import Undone

Again = Callable[..., Any]
Tell = Callable[[BaseException, tuple[Any, ...]], None]

_OWN = str(Path(__file__).parent.parent) + os.sep
_OURS = 6
"""Frames of ours between the decorated function's and that of the plain function that it runs again."""

_CALLED = ("numpy", "numba", "llvmlite")
"""What drivers and kernels call, besides Python's own modules and ours."""

_OF_OPERATIONS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    BufferError,
    LookupError,
    MemoryError,
    NameError,
    ReferenceError,
    RuntimeError,
    TypeError,
    ValueError,
    Warning,
    SystemError,
    StopIteration,
)
"""What Python and NumPy raise by themselves where they compute; nothing is read from files there."""


@skipped
def start_again(plain: Callable[..., Any], tell: Tell) -> Callable[..., Any]:
    """For code without effects: the plain function raises the exception itself, with the user's traceback.

    If it raises nothing, compiled code met something that it can't do (or a fault of ours): `tell` hears it.
    """

    def again(fault: BaseException, *values: Any) -> Any:
        result = plain(*values)
        tell(fault, values)
        return result

    return again


@skipped
def unless_nested(plain: Callable[..., Any], prepare: Callable[[], None]) -> Callable[..., Any]:
    """For code that does nothing that can't be done twice, but calls itself.

    Each level of a recursion takes several frames of ours. Where there are too many for Python, the outermost
    call starts again as plain Python, with a frame a level; `prepare` sees to that.
    """

    def again(fault: BaseException, *values: Any) -> Any:
        if not isinstance(fault, RecursionError):
            return pass_on(fault)
        entry = sys._getframe(1)
        frame = entry.f_back
        while frame is not None and frame.f_code is not entry.f_code:
            frame = frame.f_back
        if frame is not None:
            raise fault
        prepare()
        return plain(*values)

    return again


@skipped
def in_plain_code(again: Again, plain_code: Callable[[], AbstractContextManager[None]]) -> Again:
    """For compiled functions that call themselves: `again` runs as deep as plain Python does."""

    def first(fault: BaseException, *values: object) -> object:
        with plain_code(), room_for_frames(_OURS):
            return again(fault, *values)

    return first


def way_back(
    recipe: Recipe, again: Again, nested: Again | None, plain_code: Callable[[], AbstractContextManager[None]]
) -> Again:
    """What happens when compiled code raises: `again` where it may run once more, as plain Python."""
    back = unless_from_outside(again) if recipe.restartable else pass_on
    if recipe.recursive and nested is not None:
        back = nested
    if recipe.undoable:
        back = if_undone(again)
    if recipe.early:
        back = if_early(recipe.early, again, back, recipe.lists)
    back = in_plain_code(back, plain_code) if recipe.is_recursion else back
    return after_prints(back) if recipe.prints else back


def pass_on(fault: BaseException, *_values: Any) -> Any:
    """For code that has written or called something, which must not be done twice."""
    if is_too_large(fault):
        raise IntegerOverflow(
            "a number left what compiled code can hold (an int beyond 64 bits, or a complex result) "
            "after something had been written or called\n"
            "  so:  the call stopped there; plain Python has no such limit\n"
            "  try: js.function(jit_level='off'), or make the number a float or complex first"
        ) from fault
    raise fault


@skipped
def if_undone(again: Callable[..., Any]) -> Callable[..., Any]:
    """For code that writes arrays and does nothing else: it starts again where they could be put back."""

    def first(fault: BaseException, *values: object) -> object:
        if not isinstance(fault, Undone):
            return pass_on(fault)
        if came_upon_compiled(fault.fault):
            raise fault.fault
        return again(fault.fault, *values)

    return first


@skipped
def if_early(kernels: tuple[str, ...], again: Again, otherwise: Again, lists: bool = False) -> Again:
    """Where one of these kernels can't go on, nothing has been done that can't be done twice.

    Of `lists` plain Python says itself what is wrong.
    """

    def first(fault: BaseException, *values: object) -> object:
        found = fault.fault if isinstance(fault, Undone) else fault
        if (is_too_large(found) or lists) and kernel_of(found) in kernels and not came_upon_compiled(found):
            return again(found, *values)
        return otherwise(fault, *values)

    return first


@skipped
def unless_from_outside(again: Callable[..., Any]) -> Callable[..., Any]:
    """What comes upon compiled code from outside ends the call, as it says nothing about the code."""

    def first(fault: BaseException, *values: Any) -> Any:
        if came_upon_compiled(fault):
            raise fault
        return again(fault, *values)

    return first


def came_upon_compiled(fault: BaseException) -> bool:
    """Whether it is neither a kernel's, nor its driver's, nor that of what a driver calls: NumPy's functions.

    The handlers that are installed now don't tell: one may have put back the handler before it.
    """
    steps = _steps(fault)
    if not all(map(_is_known, steps)) or _is_from_handler(fault, steps):
        return True
    return _is_thrown_in(fault, steps)


def came_upon_reading(error: BaseException) -> bool:
    """Whether it is not what a look at arguments and globals raises, nor that of a user's ``__getattr__``."""
    steps = _steps(error)
    return _is_from_handler(error, steps) or (all(map(_is_known, steps)) and _is_thrown_in(error, steps))


def _steps(error: BaseException) -> list[TracebackType]:
    """Its way, from what the generated function has called."""
    steps = []
    step = error.__traceback__ and error.__traceback__.tb_next
    while step is not None:
        steps.append(step)
        step = step.tb_next
    return steps


def _is_known(step: TracebackType) -> bool:
    """Whether code runs there that compiled code calls. Numba makes frames for kernels, without a module."""
    frame = step.tb_frame
    module = frame.f_globals.get("__name__")
    if not isinstance(module, str):
        return frame.f_code.co_name.startswith("cluster_") or frame.f_code.co_filename.startswith(_OWN)
    package = module.partition(".")[0]
    return package in _CALLED or package.startswith("jitscope") or package in sys.stdlib_module_names


def _is_from_handler(error: BaseException, steps: list[TracebackType]) -> bool:
    """Whether a function on its way was given the frame that called it, as the handlers of signals are."""
    first = error.__traceback__
    return first is not None and any(
        before.tb_frame in _arguments(step.tb_frame) for before, step in pairwise([first, *steps])
    )


def _arguments(frame: FrameType) -> list[FrameType]:
    known = list(frame.f_locals.values())
    inside = [item for value in known if type(value) is tuple for item in value]
    return [value for value in known + inside if type(value) is FrameType]


def _is_thrown_in(error: BaseException, steps: list[TracebackType]) -> bool:
    """Whether another thread has made this one raise it (`PyThreadState_SetAsyncExc`), as timeouts do.

    That happens between two steps of the interpreter; what the code itself raises is raised by one of them,
    or is of a kind that operations raise.
    """
    kind = type(error)
    if kind.__module__ == "builtins":
        usual = isinstance(error, _OF_OPERATIONS)
    else:
        usual = kind.__module__.partition(".")[0] in (*_CALLED, "jitscope")
    last = steps[-1] if steps else error.__traceback__
    return not usual and last is not None and not _raises(last)


def _raises(step: TracebackType) -> bool:
    """Whether a statement of the program has raised there. A frame that Numba has made for one didn't run."""
    code = step.tb_frame.f_code
    if "__name__" not in step.tb_frame.f_globals:
        return True
    return code.co_code[step.tb_lasti] == dis.opmap["RAISE_VARARGS"]


def is_gradient_error(error: BaseException) -> bool:
    """True for the errors of differentiation: plain Python has no gradients to fall back to.

    Where their class has not been imported, none has been raised; to import it here could raise, too.
    """
    errors = sys.modules.get(f"{__name__.removesuffix('runtime.faults')}graph.gradients.errors")
    return isinstance(error, getattr(errors, "GradientError", ()))
