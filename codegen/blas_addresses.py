"""Where NumPy's own BLAS is in memory, in a table that machine code finds by its name.

NumPy's wheels bring OpenBLAS, other builds of it other libraries. Their functions are looked up in what NumPy
itself is linked with, and kept in one table of addresses, which LLVM knows by a name: so machine code in the
cache is valid in every process. A function that isn't found is 0 in the table.
"""

from __future__ import annotations

import ctypes
import functools

import llvmlite.binding as llvm

from ..graph.ir.numpy_libraries import address

TABLE = "jitscope.blas"
LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
ROUTINES = ("gemm", "gemv", "syrk")
# How `cblas_dgemm` with 64-bit integers is called in NumPy's wheels, by other distributors, and by Apple.
PATTERNS = ("scipy_cblas_{}64_", "cblas_{}64_", "cblas_{}$NEWLAPACK$ILP64")


@functools.cache
def table() -> ctypes.Array[ctypes.c_void_p]:
    """The addresses, [dtype][routine]; made known to LLVM when it is first asked for."""
    names = [letter + routine for letter in LETTERS.values() for routine in ROUTINES]
    found = (address(pattern.format(name) for pattern in PATTERNS) for name in names)
    made = (ctypes.c_void_p * len(names))(*(one or 0 for one in found))
    llvm.add_symbol(TABLE, ctypes.addressof(made))
    return made
