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
    """The kernel that raised it, by the driver's line that calls it; empty if that isn't known."""
    step, found = fault.__traceback__, None
    while step is not None:
        if type(step.tb_frame.f_globals.get("__name__")) is str:
            found = step
        step = step.tb_next
    return "" if found is None else _called(found)


def _called(step: TracebackType) -> str:
    frame = step.tb_frame
    line = linecache.getline(frame.f_code.co_filename, step.tb_lineno, frame.f_globals)
    names = set(_KERNEL.findall(line))
    return names.pop() if len(names) == 1 else ""
