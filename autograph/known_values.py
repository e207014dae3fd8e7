"""Which of the user's values the trace knows: numbers, data, and NumPy's and math's own objects."""

from __future__ import annotations

import builtins
import importlib
import random
import sys
import types
from typing import Any

import numpy as np

from .told import hashes_by_itself, told


def is_numeric(dtype: np.dtype) -> bool:
    """Whether arrays of `dtype` are arrays of the graph."""
    return (
        dtype.kind in "biufc"
        and dtype.isnative
        and dtype.name not in ("longdouble", "clongdouble", "float128", "complex256")
    )


def global_generator() -> np.random.RandomState:
    """The random number generator whose methods are the functions of `np.random`."""
    found: np.random.RandomState = np.random.mtrand._rand
    return found


def python_generator() -> random.Random:
    """The one whose methods are the functions of `random`."""
    found: random.Random = random._inst
    return found


def module_of(name: str) -> types.ModuleType:
    """The module of this name: one that is imported already, or one of Python's own that does nothing else.

    Raises:
        LookupError: it is neither.
    """
    if name in _QUIET:
        importlib.import_module(name)
    return sys.modules[name]


_QUIET = frozenset(
    "bisect cmath collections copy functools heapq itertools math operator random statistics time".split()
)


def is_data(value: Any) -> bool:
    """Whether the answer may depend on what the value is, not only on which object it is."""
    data = (bool, int, float, complex, str, bytes, type(None), np.generic, np.ndarray, list, dict, tuple)
    return isinstance(value, data)


def has_more_leaves(value: Any, most: int) -> bool:
    """Whether lists, dicts and tuples in each other hold more than so many things."""
    todo = [iter((value,))]
    while todo and most >= 0:
        last = next(todo[-1], todo)
        if last is todo:
            todo.pop()
            continue
        most -= 1
        if type(last) in (dict, list, tuple):
            todo.append(iter(last.values() if type(last) is dict else last))
    return most < 0


def is_transparent(value: Any) -> bool:
    """NumPy's and math's own objects: known to the compiler by identity."""
    if isinstance(value, types.ModuleType):
        return value.__name__ in ("numpy", "math", "operator", "cmath") or value.__name__.startswith("numpy.")
    module = told(value, "__module__") or ""
    if isinstance(value, np.ufunc):
        return getattr(np, value.__name__, None) is value
    if isinstance(value, type):
        return module in ("builtins", "numpy")
    if isinstance(value, np.dtype):
        return True
    name = told(value, "__name__", "")
    if callable(value) and isinstance(module, str) and module.startswith("numpy"):
        if isinstance(value, types.FunctionType) and not value.__globals__["__name__"].startswith("numpy"):
            return False  # a function of the user's under the name of one of NumPy's: `functools.wraps`
        return getattr(np, name, None) is value
    if not callable(value) or not hashes_by_itself(value):
        return False
    return module == "math" or any(value is own for own in vars(builtins).values())
