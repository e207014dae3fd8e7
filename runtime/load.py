"""Importing a generated module from its file, compiled code included."""

from __future__ import annotations

import builtins
import ctypes
import dis
import linecache
import os
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakValueDictionary, finalize

from ..codegen import prints
from .config import note
from .driver_part import driver_part
from .originals import check_originals, has_compiled
from .signals import waiting
from .turns import LOADING

_PASS, _KERNEL = "numba:run_pass", "numba:compile"
"""What Numba calls a pass, and a function that it compiles, in its events."""

DIGESTS = 256
"""So many digests of files Numba may keep."""

RECENT = 16
"""So many modules stay although nobody uses them: functions are made, called and dropped in loops."""


Describe = Callable[[str, Mapping[str, Any], int, Path], list[dict[str, Any]]]
Objects = list[tuple[Mapping[str, Any], bytes]]
"""The kernels of a module as the disk cache keeps them: what its manifest says, and the object file."""


@dataclass(eq=False)
class Loaded:
    """A generated module in this process; `compiled` counts clusters that Numba had to compile for it.

    Modules know nothing of the function that they were made for: equal ones are shared while one is used.
    """

    module: ModuleType
    dispatchers: dict[str, Any] = field(default_factory=dict)
    compiled: int = 0
    describe: Describe | None = None
    """What keeps the machine code of its kernels as objects of the linker, where Numba has made it."""


_shared: WeakValueDictionary[tuple[str, str], Loaded] = WeakValueDictionary()
_recent: deque[Loaded] = deque(maxlen=RECENT)


def load(
    path: str,
    text: str,
    name: str,
    clusters: Sequence[str] = (),
    anew: bool = False,
    objects: Objects | None = None,
) -> Loaded:
    """Run the module `text`, which is or was kept at `path`, unless it is here already; `anew` runs it again.

    Its kernels are those of `objects`, or Numba compiles or loads them.

    Not by the import system: that would also run a ``.pyc`` that nobody has verified.
    """
    if not anew and (known := _shared.get((name, text))) is not None:
        known.compiled = 0
        if known in _recent:
            _recent.remove(known)
        _recent.append(known)
        return known
    if clusters:
        _give_memory_back()
    module = ModuleType(name)
    module.__file__ = path
    loaded = Loaded(module)
    if not objects or not LOADING.take(lambda: _run_with(objects, module, text)):
        loaded.describe = LOADING.take(lambda: _run(module, text, clusters))
    for cluster in clusters:
        dispatcher = getattr(module, cluster)
        if hasattr(dispatcher, "stats"):
            loaded.dispatchers[cluster] = dispatcher
            loaded.compiled += not dispatcher.stats.cache_hits
    _shared[name, text] = loaded
    _recent.append(loaded)
    finalize(loaded, _forget, module, path).atexit = False
    return loaded


@dataclass
class _Gone:
    """How many modules have gone since their memory was given back."""

    modules: int = 0


_gone = _Gone()


def _give_memory_back() -> None:
    """What LLVM has freed lies between what it has not: without this the C library keeps it all."""
    if _gone.modules < RECENT:
        return
    _gone.modules = 0
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def _forget(module: ModuleType, path: str) -> None:
    """Nobody uses the module any more."""
    _gone.modules += 1
    if sys.modules.get(module.__name__) is module:
        del sys.modules[module.__name__]
    for name in (path, str(module.__file__)):
        linecache.cache.pop(name, None)


def _run(module: ModuleType, text: str, clusters: Sequence[str]) -> Describe | None:
    # Numba finds a module again by its name when it reads machine code back.
    sys.modules[module.__name__] = module
    try:
        with _with_numba(module, clusters) if clusters else _nothing() as describe:
            module.__dict__.update(_COUNTED)
            exec(compile(text, str(module.__file__), "exec"), module.__dict__)
        if clusters:  # replaced by another thread in the middle of it
            check_originals()
            has_compiled()
    except BaseException:
        sys.modules.pop(module.__name__, None)
        raise
    return describe


def _run_with(objects: Objects, module: ModuleType, text: str) -> bool:
    """Run a module with kernels that are machine code already; whether that could be done."""
    from .object_loader import functions

    names = [about["kernel"] for about, _ in objects]
    try:
        code = driver_part(text, names, str(module.__file__))
        made = functions(module, objects)
        module.__dict__.update(_COUNTED)
        exec(code, module.__dict__)
    except Exception as error:
        note("load", f"{module.__name__} is loaded by Numba: {type(error).__name__}: {error}")
        for name in set(module.__dict__) - _OF_ANY_MODULE:
            del module.__dict__[name]
        return False
    module.__dict__.update(made)
    sys.modules[module.__name__] = module
    return True


_COUNTED = {"print": prints.print}
"""What drivers have in the place of Python's own."""
_OF_ANY_MODULE = {*vars(ModuleType("any")), "__file__"}


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
            value.__code__ = with_file(value.__code__, new)


def with_file(code: CodeType, place: str) -> CodeType:
    """The code, and the code inside of it, as that of another file."""
    inner = tuple(with_file(item, place) if isinstance(item, CodeType) else item for item in code.co_consts)
    return code.replace(co_filename=place, co_consts=inner)


@contextmanager
def _with_numba(module: ModuleType, clusters: Sequence[str]) -> Iterator[Describe]:
    """Machine code goes beside the module, wherever the user's own Numba functions keep theirs."""
    from numba.core import config as settings
    from numba.core import event

    from .machine_code import described, link_environments, own_engine

    class Steps(event.Listener):
        """Before each pass of Numba nothing is half made: who is interrupted leaves here.

        What a kernel calls is compiled inside of it, and has become part of it when LLVM vectorises.
        """

        kernels = 0

        def on_start(self, event: Any) -> None:
            if event.kind == _PASS:
                waiting.checkpoint()
                return
            if not self.kernels:
                _tell_llvm(rest=_rest_of_a_row(event.data["args"]), checks=1024)
            self.kernels += 1

        def on_end(self, event: Any) -> None:
            if event.kind == _PASS:
                return
            self.kernels -= 1
            if not self.kernels:
                _tell_llvm(rest=1, checks=128)  # as it is for Numba functions of the user's

    _look_for_scipy_only()
    config: Any = settings
    before = config.CACHE_DIR
    config.CACHE_DIR = ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            steps = Steps()
            with own_engine(), event.install_listener(_PASS, steps), event.install_listener(_KERNEL, steps):
                yield described
        _forget_numbas_text(str(module.__file__))
        found = [getattr(module, cluster) for cluster in clusters]
        link_environments(one for one in found if hasattr(one, "overloads"))
    finally:
        config.CACHE_DIR = before


def _forget_numbas_text(path: str) -> None:
    """Numba has looked at the text under a relative name, which nobody else knows.

    And it keeps a digest of each file for good, to save reading it again: the files of modules move.
    """
    from numba.core import caching

    with suppress(ValueError):  # on another drive
        linecache.cache.pop(os.path.relpath(path), None)
    digests: Any = getattr(caching, "_hash_source_file", None)
    if hasattr(digests, "cache_info") and digests.cache_info().currsize > DIGESTS:
        digests.cache_clear()


@cache
def _look_for_scipy_only() -> None:
    """To see whether there is a BLAS, Numba imports SciPy's linear algebra: 0.2 s of each process.

    Our kernels call NumPy's BLAS. Numba's functions for products ask again before they compile anything.
    """
    from numba.np import linalg

    if "numba.np.arraymath" in sys.modules or find_spec("scipy") is None:
        return
    asked = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = asked


def _tell_llvm(rest: int, checks: int) -> None:
    """How many numbers are a vector in the rest of a row, and how many checks a loop may begin with.

    Loops over many arrays are vectorised, too, if none overlaps another: LLVM gives up at 128 checks of that.
    """
    from llvmlite import binding

    binding.set_option("jitscope", f"-epilogue-vectorization-force-VF={rest}")
    binding.set_option("jitscope", f"-vectorize-memory-check-threshold={checks}")


def _rest_of_a_row(arguments: Sequence[object]) -> int:
    """What is left of a row is done in vectors of 32 bytes: rows of twelve would be numbers one by one.

    Eight numbers of float32 where a kernel has no others: a sum of the row loads eight, which waits for the
    memory if they were stored as two vectors of four.
    """
    from numba import types

    floats = {getattr(argument, "dtype", None) for argument in arguments} & {types.float32, types.float64}
    return 8 if floats == {types.float32} else 4


@contextmanager
def _nothing() -> Iterator[None]:
    yield None
