"""Machine code that goes when its module goes.

Numba keeps the machine code of a process in one engine of LLVM, which gives none of it back before the
process ends. Here each generated module has an engine of its own. It lives as long as one of its functions
can be called: an entry point holds its library, and that its engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite.binding import ModuleRef, ValueRef
from llvmlite.binding import newpassmanagers as passes
from numba.core import codegen
from numba.core import config as settings
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from ..codegen.releasing import releasing
from .kernel_objects import described

__all__ = ["described", "link_environments", "own_engine"]

config: Any = settings


class _ModulePasses(passes.ModulePassManager):
    """As its parent, whose `_dispose` is hidden by one that does nothing: 80 kB a time."""

    _dispose = passes.NewPassManager._dispose


class _FunctionPasses(passes.FunctionPassManager):
    """As its parent, and disposed of."""

    _dispose = passes.NewPassManager._dispose


class ModuleLibrary(codegen.JITCodeLibrary):
    """Code of one kernel and of what calls it from Python."""

    def _optimize_functions(self, module: ModuleRef) -> None:
        """Simplify what takes time before all is linked.

        A builder of passes may run once, and llvmlite keeps 1.5 kB of each for good: Numba makes one for
        each function that is only declared, too (some 25 in a kernel), for its entry from Python, and for
        what runs once in a while.
        """
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not (function.is_declaration or function.name.startswith(ENTRY) or _is_cold(function)):
                manager, builder = self._codegen._function_pass_manager()
                manager.run(function, builder)


ENTRY = "_ZN7cpython"
"""How names of functions begin that Python calls (`numba.core.funcdesc`)."""


def _is_cold(function: ValueRef) -> bool:
    return any(b"cold" in attributes.split() for attributes in function.attributes)


class ModuleCodegen(codegen.JITCPUCodegen):
    """What makes machine code for one generated module."""

    _library_class = ModuleLibrary

    def __init__(self) -> None:
        super().__init__("jitscope")

    def _module_pass_manager(self, **options: Any) -> Any:
        manager, builder = super()._module_pass_manager(**options)
        manager.__class__ = _ModulePasses
        return manager, builder

    def _function_pass_manager(self, **options: Any) -> Any:
        manager, builder = super()._function_pass_manager(**options)
        manager.__class__ = _FunctionPasses
        return manager, builder


@contextmanager
def own_engine() -> Iterator[None]:
    """What Numba compiles or loads inside goes to an engine of its own, and frees arrays when it raises."""
    context: Any = cpu_target.target_context
    with global_compiler_lock, releasing():
        before = context._internal_codegen
        context._internal_codegen = ModuleCodegen()
        try:
            yield
        finally:
            context._internal_codegen = before


def link_environments(dispatchers: Iterable[Any]) -> None:
    """Tell the engine of a module about helpers that were compiled for another one.

    Their code is copied, and finds the objects that it raises with through its own engine.
    """
    for dispatcher in dispatchers:
        for compiled in dispatcher.overloads.values():
            for environment in compiled._find_referenced_environments():
                compiled.library.codegen.set_env(environment.env_name, environment)
