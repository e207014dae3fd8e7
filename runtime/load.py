"""Importing a generated module from its file, compiled code included."""

from __future__ import annotations

import builtins
import dis
import linecache
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

LOADING = threading.RLock()


@dataclass
class Loaded:
    """A generated module in this process; `compiled` counts clusters that Numba had to compile for it."""

    module: ModuleType
    dispatchers: dict[str, Any] = field(default_factory=dict)
    compiled: int = 0


def load(path: str, text: str, name: str, clusters: Sequence[str] = ()) -> Loaded:
    """Run the module `text`, which is or was kept at `path`.

    Not by the import system: that would also run a ``.pyc`` that nobody has verified.
    """
    module = ModuleType(name)
    module.__file__ = path
    with LOADING:
        # Numba finds a module again by its name when it reads machine code back.
        sys.modules[name] = module
        try:
            with _beside_the_module() if clusters else _nothing():
                exec(compile(text, path, "exec"), module.__dict__)
        except BaseException:
            sys.modules.pop(name, None)
            raise
    loaded = Loaded(module)
    for cluster in clusters:
        dispatcher = getattr(module, cluster)
        if hasattr(dispatcher, "stats"):
            loaded.dispatchers[cluster] = dispatcher
            loaded.compiled += not dispatcher.stats.cache_hits
    return loaded


def remember_text(path: str, text: str) -> None:
    """Let tracebacks show lines of a file that has been moved."""
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)


def call_directly(loaded: Loaded) -> None:
    """Let the driver call machine code without Numba's dispatch, which would look at types that are known."""
    for name, dispatcher in loaded.dispatchers.items():
        overloads = list(dispatcher.overloads.values())
        if len(overloads) == 1:
            setattr(loaded.module, name, overloads[0].entry_point)


def check_names(module: ModuleType) -> None:
    """A generated module must define every name that it reads: a `NameError` in a call would be ours."""
    known = {*module.__dict__, *vars(builtins)}
    for value in list(module.__dict__.values()):
        if isinstance(value, FunctionType) and value.__globals__ is module.__dict__:
            for name in _globals_read(value.__code__):
                if name not in known:
                    raise NameError(f"the generated module reads {name!r}, which it does not define")


def _globals_read(code: CodeType) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _globals_read(constant)


def move(module: ModuleType, place: str, new: str) -> None:
    """The file of the module has been moved: tracebacks name its new place."""
    module.__file__ = new
    for value in list(module.__dict__.values()):
        if place != new and isinstance(value, FunctionType) and value.__globals__ is module.__dict__:
            value.__code__ = _moved(value.__code__, new)


def _moved(code: CodeType, place: str) -> CodeType:
    constants = tuple(_moved(item, place) if isinstance(item, CodeType) else item for item in code.co_consts)
    return code.replace(co_filename=place, co_consts=constants)


@contextmanager
def _beside_the_module() -> Iterator[None]:
    """Machine code goes beside the module, wherever the user's own Numba functions keep theirs."""
    from numba.core import config as settings

    from ..codegen.releasing import releasing

    _let_llvm_compare_pointers()
    config: Any = settings
    before = config.CACHE_DIR
    config.CACHE_DIR = ""
    try:
        with warnings.catch_warnings(), releasing():
            warnings.simplefilter("ignore")
            yield
    finally:
        config.CACHE_DIR = before


@cache
def _let_llvm_compare_pointers() -> None:
    """Loops over many arrays are vectorised, too: LLVM gives up at 128 checks that none overlaps another."""
    from llvmlite import binding

    binding.set_option("jitscope", "-vectorize-memory-check-threshold=1024")


@contextmanager
def _nothing() -> Iterator[None]:
    yield
