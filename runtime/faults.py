"""What happens when compiled code raises: the exception is said the way Python and NumPy say it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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


def pass_on(fault: BaseException, *_values: Any) -> Any:
    """For code that has written or called something, which must not be done twice."""
    from ..codegen.faults import Deoptimise

    if isinstance(fault, Deoptimise):
        raise IntegerOverflow(
            "a number left what compiled code can hold (an int beyond 64 bits, or a complex result) "
            "after something had been written or called\n"
            "  so:  the call stopped there; plain Python has no such limit\n"
            "  try: js.function(jit_level='off'), or make the number a float or complex first"
        ) from fault
    raise fault


def is_gradient_error(error: BaseException) -> bool:
    """True for the errors of differentiation: plain Python has no gradients to fall back to."""
    from ..graph.gradients.errors import GradientError

    return isinstance(error, GradientError)
