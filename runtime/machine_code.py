"""Machine code that goes when its module goes.

Numba keeps the machine code of a process in one engine of LLVM, which gives none of it back before the
process ends. Here each generated module has an engine of its own. It lives as long as one of its functions
can be called: an entry point holds its library, and that its engine.

So it is with what LLVM keeps of types, constants and metadata: Numba has one context for all of a process,
here each generated module has its own. What it calls of other modules comes into it as bitcode.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from llvmlite import binding as llvm
from llvmlite import ir
from llvmlite.binding import ModuleRef, ValueRef
from llvmlite.binding import newpassmanagers as passes
from numba.core import cgutils, codegen
from numba.core import config as settings
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

from ..codegen.releasing import releasing
from .kernel_objects import described
from .llvm_context import Engine, ModuleContext, is_own

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

    _codegen: Any

    def __init__(self, codegen: ModuleCodegen, name: str) -> None:
        super().__init__(codegen, name)
        self._final_module = codegen.parsed(str(self._final_module), self._final_module.name)

    def add_ir_module(self, ir_module: ir.Module) -> None:
        """As its parent, in the context of the module."""
        self._raise_if_finalized()
        module = self._codegen.parsed(cgutils.normalize_ir_text(str(ir_module)), ir_module.name)
        module.verify()
        self.add_llvm_module(module)

    def finalize(self) -> None:
        """As its parent, which links what is in the same context."""
        self._linked, self._linking_libraries = tuple(dict.fromkeys(self._linking_libraries)), []
        for library in self._linked:
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(llvm.parse_bitcode(_bitcode(library), self._codegen.context))
        super().finalize()

    def linkable(self) -> ModuleRef:
        """What others link, in the context that it is in."""
        module: ModuleRef = super()._get_module_for_linking()
        return module

    def _get_module_for_linking(self) -> ModuleRef:
        """Numba's own libraries are in the context of the process."""
        module = self.linkable()
        if is_own(module):
            module = self._shared_module = llvm.parse_bitcode(module.as_bitcode())
        return module

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """What Numba's cache keeps."""
        self._ensure_finalized()
        return self.name, "object", (self._get_compiled_object(), self.linkable().as_bitcode())

    def create_ir_module(self, name: str) -> ir.Module:
        """As its parent, when builders of passes are there."""
        self._codegen.make_builders()
        return super().create_ir_module(name)

    def _optimize_functions(self, module: ModuleRef) -> None:
        """Simplify what takes time before all is linked.

        A builder of passes may run once, and llvmlite keeps 1.5 kB of each for good: Numba makes one for
        each function that is only declared, too (some 25 in a kernel), for its entry from Python, and for
        what runs once in a while or straight on.
        """
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if _takes_time(function):
                manager, builder = self._codegen._function_pass_manager()
                manager.run(function, builder)

    def _optimize_final_module(self) -> None:
        """Optimise what is linked: all at once, where that is the kernel and what counts references."""
        if all(library is rtsys.library for library in self._linked):
            manager, builder = self._codegen._module_pass_manager()
            manager.run(self._final_module, builder)
        else:
            super()._optimize_final_module()


_bitcodes: WeakKeyDictionary[codegen.CPUCodeLibrary, bytes] = WeakKeyDictionary()


def _bitcode(library: codegen.CPUCodeLibrary) -> bytes:
    """What others link of a library, on its way from one context to another."""
    known = _bitcodes.get(library)
    if known is None:
        if isinstance(library, ModuleLibrary):
            module = library.linkable()
        else:
            module = library._get_module_for_linking()
        known = _bitcodes[library] = module.as_bitcode()
    return known


ENTRY = "_ZN7cpython"
"""How names of functions begin that Python calls (`numba.core.funcdesc`)."""


def _takes_time(function: ValueRef) -> bool:
    """Whether there is a branch in it, and it isn't called by Python or once in a while."""
    if function.is_declaration or function.name.startswith(ENTRY):
        return False
    if len(list(islice(function.blocks, 2))) < 2:
        return False
    return not any(b"cold" in attributes.split() for attributes in function.attributes)


class ModuleCodegen(codegen.JITCPUCodegen):
    """What makes machine code for one generated module."""

    _library_class = ModuleLibrary

    def __init__(self) -> None:
        self.context = ModuleContext()
        self._builders: list[passes.PassBuilder] = []
        super().__init__("jitscope")
        _engines.there.add(self)
        self._engine._ee.__class__ = Engine

    def parsed(self, text: str, name: str) -> ModuleRef:
        """A module of LLVM in the context of this one."""
        module = llvm.parse_assembly(text, self.context)
        module.name = name
        return module

    def make_builders(self) -> None:
        """Make those of a kernel before LLVM takes its memory: what stays of them lies close together."""
        if not self._builders:
            make = super()._pass_builder
            self._builders = [make(), make()]  # for its function, then for all at once

    def _pass_builder(self, **options: object) -> passes.PassBuilder:
        return self._builders.pop() if self._builders and not options else super()._pass_builder(**options)

    def _module_pass_manager(self, **options: Any) -> Any:
        manager, builder = super()._module_pass_manager(**options)
        manager.__class__ = _ModulePasses
        return manager, builder

    def _function_pass_manager(self, **options: Any) -> Any:
        """With the passes, too, that Numba has in a run of their own over all that is linked."""
        manager, builder = super()._function_pass_manager(**options)
        manager.__class__ = _FunctionPasses
        if config.OPT != 0:
            manager.add_loop_rotate_pass()
            manager.add_instruction_combine_pass()
            manager.add_jump_threading_pass()
        if config.LLVM_REFPRUNE_PASS:
            manager.add_refprune_pass(codegen._parse_refprune_flags())
        return manager, builder


@dataclass
class _Engines:
    """The engines that there are, and how many a collection has left."""

    there: WeakSet[ModuleCodegen] = field(default_factory=WeakSet)
    left: int = 0


_engines = _Engines()
MORE = 16
"""So many engines may be made before the collector looks which are in use."""


def _collect_engines() -> None:
    """Collect what nobody uses: the collector counts objects, and an engine holds half a megabyte of LLVM's.

    Where many are in use, half as many may be made.
    """
    if gc.isenabled() and len(_engines.there) >= _engines.left + max(MORE, _engines.left // 2):
        gc.collect()
        _engines.left = len(_engines.there)


@contextmanager
def own_engine() -> Iterator[None]:
    """What Numba compiles or loads inside goes to an engine of its own, and frees arrays when it raises."""
    _collect_engines()
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
