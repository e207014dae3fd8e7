"""What machine code finds in a process by names of ours: a loader tells LLVM of each that it needs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import llvmlite.binding as llvm

from ..graph.ir.random_state import layout
from ..graph.ops import ordering, solving
from ..graph.ops.drawing import exported
from .blas_addresses import TABLE, table
from .signal_state import SIGNALS, signal_state

GAUSS_AT = "jitscope_gauss_at"
"""Where a `RandomState` has the normal number that it keeps, counted from its address."""

_NUMPYS = "jitscope_numpy_"
"""Before the names of NumPy's functions for random numbers, so that nobody else uses them."""

_SORTERS = "jitscope_sort_"
"""Before those of its functions that sort: ``jitscope_sort_argsort_int64``."""

_SOLVERS = "jitscope_solve_"
"""Before those of its routines for linear equations: ``jitscope_solve_dgesv``."""


@cache
def gauss_at() -> ctypes.c_int64:
    """That place; made known to LLVM when it is first asked for."""
    found = layout()
    held = ctypes.c_int64(found.gauss if found is not None else 0)
    llvm.add_symbol(GAUSS_AT, ctypes.addressof(held))
    return held


_OWN: dict[str, Callable[[], object]] = {TABLE: table, SIGNALS: signal_state, GAUSS_AT: gauss_at}


def symbol_of(function: str) -> str:
    """The name under which machine code finds a function of NumPy's library of distributions."""
    return f"{_NUMPYS}{function}"


def sorter(function: str, dtype: str) -> str:
    """The name under which machine code finds NumPy's function that sorts numbers of this dtype."""
    return f"{_SORTERS}{function}_{dtype}"


def solver(routine: str) -> str:
    """The name under which machine code finds a routine of NumPy's LAPACK."""
    return f"{_SOLVERS}{routine}"


def is_own(symbol: str) -> bool:
    """Whether `tell` knows this name."""
    return symbol in _OWN or symbol.startswith((_NUMPYS, _SORTERS, _SOLVERS))


def tell(symbol: str) -> None:
    """Let LLVM find a name of ours, where this process has what it stands for."""
    if symbol in _OWN:
        _OWN[symbol]()
    elif (found := _address(symbol)) is not None:
        llvm.add_symbol(symbol, found)


def _address(symbol: str) -> int | None:
    if symbol.startswith(_SORTERS):
        function, _, dtype = symbol.removeprefix(_SORTERS).partition("_")
        return ordering.address(function, dtype)
    if symbol.startswith(_SOLVERS):
        return solving.address(symbol.removeprefix(_SOLVERS))
    return exported(symbol.removeprefix(_NUMPYS))
