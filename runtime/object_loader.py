"""Machine code of an earlier process, loaded by LLVM alone: Numba is not imported.

Numba's machine code calls functions of three small modules in C (`PARTS`), which load by their files without
the package. LLVM is told of them by the names and addresses that Numba itself would tell it, so both ways go
side by side in one process. Importing Numba and filling its tables takes 0.4 s, this 0.03.
"""

from __future__ import annotations

import builtins
import ctypes
import pickle
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from ..codegen.own_symbols import tell
from .kernel_objects import EXCEPTION, OWN, PARTS, PROCESS

_HELPERS, _FUNCTIONS, _MEMORY = PARTS


class NotHere(Exception):
    """Machine code needs something that this process doesn't have."""


def functions(module: ModuleType, objects: list[tuple[Mapping[str, Any], bytes]]) -> dict[str, Any]:
    """The kernels of a module out of their object files, with what the manifest says of them.

    Each is the function that Numba's own loader would give: CPython calls the machine code directly, which
    takes for granted that the arguments have the types that it was compiled for.

    Raises:
        NotHere, OSError, ImportError, RuntimeError: Numba has to load them.
    """
    with _alone():
        engine = _Engine()  # from now on LLVM finds what is in the process
        for about, _ in objects:
            for symbol, source in about["needs"].items():
                _tell(symbol, *source)
        for about, code in objects:
            engine.add(about["environments"], code)
        return {about["kernel"]: engine.function(module, about) for about, _ in objects}


def _alone() -> AbstractContextManager[object]:
    """Nobody is in LLVM: Numba has a lock for that."""
    lock = sys.modules.get("numba.core.compiler_lock")
    held: AbstractContextManager[object] = lock.global_compiler_lock if lock else nullcontext()
    return held


class _Engine:
    """Machine code of one module, which lives as long as one of its functions."""

    def __init__(self) -> None:
        _initialise()
        machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        self._held: list[Any] = []
        self._environments: dict[str, Any] = {}

    def add(self, environments: Mapping[str, list[str]], code: bytes) -> None:
        """Link an object, and tell it where its environments are."""
        binary = llvm.ObjectFileRef.from_data(code)
        self._held += [code, binary]
        self._engine.add_object_file(binary)
        self._engine.finalize_object()
        for name, constants in environments.items():
            made = self._environments[name] = _part(_FUNCTIONS).Environment({})
            made.consts.extend(map(np.dtype, constants))
            place = self._engine.get_global_value_address(name)
            if not place:
                raise NotHere(f"{name} is not in the object")
            ctypes.c_void_p.from_address(place).value = id(made)

    def function(self, module: ModuleType, about: Mapping[str, Any]) -> Callable[..., Any]:
        """A kernel as a function of Python, which keeps all of this."""
        address = self._engine.get_function_address(about["wrapper"])
        if not address:
            raise NotHere(f"{about['wrapper']} is not in the object")
        own, make = self._environments[about["environment"]], _part(_FUNCTIONS).make_function
        made: Callable[..., Any] = make(module, about["kernel"], "compiled kernel", address, own, (self,))
        return made


@cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


@cache
def _tell(symbol: str, source: str, name: str = "") -> None:
    """Let LLVM find a symbol where the process that compiled has found it."""
    if source == OWN:
        tell(symbol)
    elif source == EXCEPTION:
        llvm.add_symbol(symbol, id(getattr(builtins, name)))
    elif (source, name) == (_HELPERS, "unpickle") and "numba.core.serialize" not in sys.modules:
        llvm.add_symbol(symbol, ctypes.cast(_unpickle, ctypes.c_void_p).value)  # Numba's would import Numba
    elif source != PROCESS:
        llvm.add_symbol(symbol, _part(source).c_helpers[name])
    if not llvm.address_of_symbol(symbol):  # for which LLVM would end the process
        raise NotHere(f"{symbol} is not in this process")


@cache
def _part(name: str) -> ModuleType:
    """One of Numba's modules in C, which is the same one if Numba is imported later."""
    if name not in PARTS:
        raise NotHere(f"{name} is not known")
    if (known := sys.modules.get(name)) is not None:
        return known
    package = find_spec("numba")
    if package is None or not package.submodule_search_locations:
        raise NotHere("Numba is not installed")
    path = Path(package.submodule_search_locations[0]).joinpath(*name.split(".")[1:])
    file = next(
        (f"{path}{suffix}" for suffix in EXTENSION_SUFFIXES if Path(f"{path}{suffix}").is_file()), None
    )
    if file is None:
        raise NotHere(f"there is no {name}")
    loader = ExtensionFileLoader(name, file)
    spec = spec_from_loader(name, loader, origin=file)
    assert spec is not None
    made = module_from_spec(spec)
    loader.exec_module(made)
    if name == _MEMORY:
        made.memsys_use_cpython_allocator()  # as Numba does: memory may go from its kernels to ours
    return made


_unpickled: dict[bytes, object] = {}


@ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
def _unpickle(data: int, size: int, hashed: int) -> object:
    """What Numba's own function does: an object out of the machine code's constants, made once."""
    key = ctypes.string_at(data, size)
    if key not in _unpickled:
        _unpickled[key] = pickle.loads(key)
    return _unpickled[key]
