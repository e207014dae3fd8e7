"""Faults that mean: a number is too large for compiled code, or otherwise not of the kind that it holds."""

from __future__ import annotations

import linecache
import re
from types import TracebackType

from ..codegen.faults import Deoptimise

_KERNEL = re.compile(r"\bcluster_\d+(?=\()")


def is_too_large(fault: BaseException) -> bool:
    """Whether a kernel met such a number, or was to be given an int beyond 64 bits that Python had made."""
    if isinstance(fault, Deoptimise):
        return True
    return (
        type(fault) is OverflowError and fault.args == ("int too big to convert",) and bool(kernel_of(fault))
    )


def kernel_of(fault: BaseException) -> str:
    """The kernel that could not go on, by the driver's line that calls it; empty if that isn't known.

    An exception that the user's code raises in a kernel comes with a frame that Numba makes for the kernel.
    """
    step = fault.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return "" if step is None else _called(step)


def _called(step: TracebackType) -> str:
    frame = step.tb_frame
    if type(frame.f_globals.get("__name__")) is not str:
        return ""
    line = linecache.getline(frame.f_code.co_filename, step.tb_lineno, frame.f_globals)
    names = set(_KERNEL.findall(line))
    return names.pop() if len(names) == 1 else ""
