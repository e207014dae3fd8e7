"""Where NumPy's own BLAS is in memory, in a table that machine code finds by its name.

NumPy's wheels bring OpenBLAS, other builds of it other libraries. Their functions are looked up in what NumPy
itself is linked with, and kept in one table of addresses, which LLVM knows by a name: so machine code in the
cache is valid in every process. A function that isn't found is 0 in the table.
"""

from __future__ import annotations

import ctypes
import functools
import glob
import os
import sys
from collections.abc import Iterator
from typing import Any

import llvmlite.binding as llvm
import numpy as np

TABLE = "jitscope.blas"
LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
ROUTINES = ("gemm", "gemv", "syrk")
# How `cblas_dgemm` with 64-bit integers is called in NumPy's wheels, by other distributors, and by Apple.
PATTERNS = ("scipy_cblas_{}64_", "cblas_{}64_", "cblas_{}$NEWLAPACK$ILP64")


@functools.cache
def table() -> ctypes.Array[ctypes.c_void_p]:
    """The addresses, [dtype][routine]; made known to LLVM when it is first asked for."""
    names = [letter + routine for letter in LETTERS.values() for routine in ROUTINES]
    libraries = list(_libraries())
    made = (ctypes.c_void_p * len(names))(*(_address(name, libraries) for name in names))
    llvm.add_symbol(TABLE, ctypes.addressof(made))
    return made


def _libraries() -> Iterator[ctypes.CDLL]:
    """What NumPy is linked with: looking into its own module finds what that needs."""
    core: Any = sys.modules.get("numpy._core._multiarray_umath")
    root = os.path.dirname(np.__file__)
    beside = [*glob.glob(f"{root}.libs/*openblas*"), *glob.glob(f"{root}/.dylibs/*openblas*")]
    for path in [getattr(core, "__file__", None), *sorted(beside)]:
        try:
            if path:
                yield ctypes.CDLL(path)
        except OSError:
            continue


def _address(name: str, libraries: list[ctypes.CDLL]) -> int:
    for library in libraries:
        for pattern in PATTERNS:
            function = getattr(library, pattern.format(name), None)
            if function is not None:
                return ctypes.cast(function, ctypes.c_void_p).value or 0
    return 0
