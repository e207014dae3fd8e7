"""What kernels promise about their arguments, for the sake of vectorised loops."""

from __future__ import annotations

import re
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import types
from numba.core.typing import signature
from numba.extending import lower_builtin, type_callable

# How Numba names the sizes of an array argument: the sixth field of the array, by axis.
_SIZE = re.compile(r"arg\..*\.5\.\d+$")
_RANGE = f"range(i64 0, {1 << 47})"
_RANGES = llvm.llvm_version_info[0] >= 19


def no_overlap() -> None:
    """No array among the arguments shares memory with one that the function writes; sizes aren't negative.

    The dispatcher has seen to the first, NumPy to the second. Otherwise LLVM compares the ends of all arrays
    at run time before each vectorised loop or, where there are many, leaves the loop as it is; and slices of
    one array whose ends depend on sizes would overlap for all it knows.
    """


@type_callable(no_overlap)
def _type_no_overlap(context: Any) -> Any:
    return lambda: signature(types.none)


@lower_builtin(no_overlap)
def _lower_no_overlap(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    for argument in builder.function.args:
        if isinstance(argument.type, ir.PointerType):
            argument.add_attribute("noalias")
        elif _RANGES and _SIZE.match(argument.name):
            set.add(argument.attributes, _RANGE)  # llvmlite doesn't list this attribute
    return context.get_dummy_value()
