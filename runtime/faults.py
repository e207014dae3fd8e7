"""Faults of compiled code, said the way NumPy and Python say them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .errors import IntegerOverflow


def index_error(error: IndexError) -> None:
    """Give a kernel's ``IndexError(index, axis, size)`` NumPy's message; leave others alone."""
    if len(error.args) == 3 and all(isinstance(part, int) for part in error.args):
        index, axis, size = error.args
        error.args = (f"index {index} is out of bounds for axis {axis} with size {size}",)


def restart(plain: Callable[..., Any]) -> Callable[..., Any]:
    """Nothing was done that the plain function would do twice: start again as plain Python."""

    def again(_error: BaseException, *values: Any) -> Any:
        return plain(*values)

    return again


def overflow(error: BaseException, *_values: Any) -> Any:
    """Too late for plain Python: what was written can't be undone."""
    raise IntegerOverflow(
        "an int grew beyond 64 bits in compiled code, after something had been written or called\n"
        "  so:  the call stopped there; Python's own ints have no limit\n"
        "  try: js.function(jit_level='off') for this function, or keep the number a float"
    ) from error
