"""NumPy's, math's and Python's own functions, as they were when jitscope was imported.

Kernels, drivers, the tables of operations and Numba itself say ``np.floor`` and mean NumPy's. Who replaces a
function for a while, as tests with mocks do, means their own code: nothing is compiled meanwhile, as it would
have the replacement in it, in this process and on disk in all later ones. What has been compiled before goes
on, and its drivers call the originals (`pin`).
"""

from __future__ import annotations

import builtins
import cmath
import math
import operator
from collections.abc import Collection
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

try:
    from numpy._core import umath
except ImportError:  # NumPy 1
    from numpy.core import umath  # type: ignore[no-redef]

from .module_reads import chains

_COMPUTING = (
    "abs all any bool bytes chr complex dict divmod enumerate filter float frozenset getattr hasattr hash int"
    " isinstance iter len list map max min next object ord pow range repr reversed round set slice sorted str"
    " sum tuple type zip"
).split()
"""The builtins that generated code and Numba use. Others, as `print`, are nobody's but the user's."""

_READING = frozenset(
    "array2string array_repr array_str base_repr binary_repr errstate format_float_positional"
    " format_float_scientific fromfile fromregex genfromtxt get_include get_printoptions getbufsize geterr"
    " geterrcall info load loadtxt memmap printoptions save savetxt savez savez_compressed set_printoptions"
    " setbufsize seterr seterrcall show_config show_runtime test".split()
)
"""What NumPy reads, writes and shows with: often replaced for good, and never part of compiled code."""


def _held(module: ModuleType) -> dict[str, Any]:
    """What `module` holds; `_FOREIGN` for what has been replaced before jitscope was imported."""
    return {
        name: _FOREIGN if _is_foreign(name, value) else value
        for name, value in vars(module).items()
        if name[0] != "_" and name not in _READING
    }


def _is_foreign(name: str, value: Any) -> bool:
    """Whether somebody has put a function or a mock of their own in the place of one of the library's."""
    if isinstance(value, np.ufunc):
        return vars(umath).get(name, value) is not value
    if isinstance(value, FunctionType):
        return str(value.__globals__.get("__name__")).split(".")[0] not in ("numpy", "operator")
    return type(value).__module__ == "unittest.mock"


_FOREIGN = object()
_HELD: dict[ModuleType, dict[str, Any]] = {
    **{module: _held(module) for module in (np, np.linalg, math, cmath, operator)},
    builtins: {name: getattr(builtins, name) for name in _COMPUTING},
}
_AT_FIRST = {"print": print}
"""What Numba looks for, too, when it compiles for the first time."""


class Replaced(Exception):
    """Nothing can be compiled as long as somebody else's function stands in the place of one of NumPy's."""


def check_originals() -> None:
    """Raise `Replaced` unless everything that generated code may name is what it was."""
    for module, names in (*_HELD.items(), (builtins, _AT_FIRST)):
        space = vars(module)
        for name, value in names.items():
            if space.get(name) is not value and not _is_back(module, name):
                raise Replaced(
                    f"'{module.__name__}.{name}' has been replaced by something else, and nothing is"
                    " compiled as long as it is"
                )


def has_compiled() -> None:
    """Numba is all there by now."""
    _AT_FIRST.clear()


def _is_back(module: ModuleType, name: str) -> bool:
    """Whether what had been replaced before jitscope was imported is there now."""
    if _HELD[module].get(name) is not _FOREIGN or name not in vars(module):
        return False
    value = vars(module)[name]
    if _is_foreign(name, value):
        return False
    _HELD[module][name] = value
    return True


def pin(space: dict[str, Any], live: Collection[str] = ()) -> None:
    """Let the functions in `space`, the names of a generated module, find the originals from now on.

    Its kernels must be compiled by then: Numba knows modules by identity. What is among `live` is left to be
    looked up at each call: names that the user's code says, where other code of theirs runs in between.
    """
    codes = [value.__code__ for value in space.values() if _is_made_in(space, value)]
    read = {chain for code in codes for chain in chains(code)}
    for name, value in list(space.items()):
        if _is_held(value) and "cuda" not in space:
            space[name] = _pinned(value, {chain[1:] for chain in read if chain[0] == name}, live)
    for name in {chain[0] for chain in read}.difference(live):
        if name in _HELD[builtins]:
            space.setdefault(name, _HELD[builtins][name])


def _is_made_in(space: dict[str, Any], value: Any) -> bool:
    return isinstance(value, FunctionType) and value.__globals__ is space


def _pinned(module: ModuleType, read: set[tuple[str, ...]], live: Collection[str]) -> ModuleType:
    """What stands for `module`, with the attributes that are read; itself, where it is handed on."""
    if () in read:
        return module
    known = _HELD[module]
    names = {chain[0] for chain in read}
    fixed = {name for name in names if name in known and name not in live}
    # A property, as a module's `__getattr__` runs only when an exception has been raised and caught.
    looked_up = {name: property(operator.attrgetter(f"__wrapped__.{name}")) for name in names - fixed}
    # Python is quicker at attributes of what is a module exactly.
    kind: type[ModuleType] = type(module.__name__, (ModuleType,), looked_up) if looked_up else ModuleType
    made: Any = kind(module.__name__)
    made.__wrapped__ = module
    for name in fixed:
        value, inner = known[name], {chain[1:] for chain in read if chain[0] == name}
        vars(made)[name] = _pinned(value, inner, live) if _is_held(value) else value
    return made


def _is_held(value: Any) -> bool:
    return isinstance(value, ModuleType) and value in _HELD
