"""Contexts of LLVM: what it keeps of types, constants and metadata, and gives back with the context only.

A context may go only after all that was made in it: modules, and the engine that has taken them over. Each
`ModuleRef` holds its context, but the collector finalizes what goes in one go in any order. So the context
goes with an array, which the collector doesn't see: that goes when the last object that has it is taken
apart, and by then all have been finalized.
"""

from __future__ import annotations

from weakref import finalize

import numpy as np
from llvmlite import binding as llvm
from llvmlite.binding import context, ffi


class ModuleContext(context.ContextRef):
    """A context of its own, which goes after the last module in it."""

    def __init__(self) -> None:
        super().__init__(ffi.lib.LLVMPY_ContextCreate())
        self._last = np.empty(0)
        finalize(self._last, ffi.lib.LLVMPY_ContextDispose, self._ptr).atexit = False

    def _dispose(self) -> None:
        """Left to what goes last."""


class Engine(llvm.ExecutionEngine):
    """As its parent, which lets go of its modules, and so of their context, before LLVM deletes them."""

    def _dispose(self) -> None:
        modules = list(self._modules)
        super()._dispose()
        del modules


def is_own(module: llvm.ModuleRef) -> bool:
    """Whether a module is in a context of its own."""
    return isinstance(module._context, ModuleContext)
