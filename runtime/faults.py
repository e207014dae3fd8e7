"""What happens when compiled code raises: the exception is said the way Python and NumPy say it."""

from __future__ import annotations

import functools
import inspect
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

from ..codegen.faults import Deoptimise
from .errors import IntegerOverflow

Tell = Callable[[BaseException, tuple[Any, ...]], None]


def start_again(plain: Callable[..., Any], tell: Tell) -> Callable[..., Any]:
    """For code without effects: the plain function raises the exception itself, with the user's traceback.

    If it raises nothing, compiled code met something that it can't do (or a fault of ours): `tell` hears it.
    """

    def again(fault: BaseException, *values: Any) -> Any:
        result = plain(*values)
        tell(fault, values)
        return result

    return again


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


def pass_on(fault: BaseException, *_values: Any) -> Any:
    """For code that has written or called something, which must not be done twice."""
    if isinstance(fault, Deoptimise):
        raise IntegerOverflow(
            "a number left what compiled code can hold (an int beyond 64 bits, or a complex result) "
            "after something had been written or called\n"
            "  so:  the call stopped there; plain Python has no such limit\n"
            "  try: js.function(jit_level='off'), or make the number a float or complex first"
        ) from fault
    raise fault


def unless_from_handler(again: Callable[..., Any]) -> Callable[..., Any]:
    """What the handler of a signal raises ends the call: it says nothing about the code that it came upon."""

    def first(fault: BaseException, *values: Any) -> Any:
        handlers = map(signal.getsignal, signal.valid_signals())
        codes = {_code_of(handler) for handler in handlers if callable(handler)}
        if any(frame.f_code in codes for frame, _ in traceback.walk_tb(fault.__traceback__)):
            raise fault
        return again(fault, *values)

    return first


def _code_of(handler: Callable[..., Any]) -> Any:
    """The code that runs when a signal comes; None for what is not written in Python."""
    while isinstance(handler, functools.partial):
        handler = handler.func
    function = handler if inspect.isroutine(handler) else type(handler).__call__
    return getattr(getattr(function, "__func__", function), "__code__", None)


def is_gradient_error(error: BaseException) -> bool:
    """True for the errors of differentiation: plain Python has no gradients to fall back to.

    Where their class has not been imported, none has been raised; to import it here could raise, too.
    """
    errors = sys.modules.get(f"{__name__.removesuffix('runtime.faults')}graph.gradients.errors")
    return isinstance(error, getattr(errors, "GradientError", ()))
