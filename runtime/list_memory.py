"""Long lists of numbers are taken over by compiled code that looks at the objects in them.

That takes 1 ns an item where `np.array` and a look at all types take 25. Where objects lie otherwise than in
the CPythons that are known (checked with numbers whose answer is known), NumPy does it as ever.
"""

from __future__ import annotations

import functools
import struct
import sys
import sysconfig
from collections.abc import Callable
from typing import Any

import numpy as np

from ..autograph import list_data
from ..codegen.module import Module
from . import cache
from .artefact import Keep, new_artefact, stored_artefact
from .config import note
from .digest import digest, environment

LONG = 256
"""From so many items on it pays to have such code in the process."""
_SAMPLE = [0, 1, -1, 2**30 - 1, 2**30, -(2**30), 2**60 - 1, -(2**60) + 1, 12345678901, -98765432109]
_TEXT = '''"""Numbers of Python's lists, read where they lie in memory; the caller has the interpreter's lock.

A list has its length at +16, the address of its items at +24; an object its type at +8; a float its
number at +16; an int the count of its 30-bit digits and its sign at +16, its digits at +24. Another thread
may have changed the list since the caller looked at it, but can't while this runs.
"""

import numpy as np
from numba import njit

from jitscope.codegen.addresses import digit_at, float_at, word_at


@njit("int64(int64, int64, float64[::1])", cache=True, error_model="numpy")
def floats(one, kind, out):
    """Fill `out`; the number of items that are floats and not NaN from the first on."""
    if word_at(one + 16) != len(out):
        return -1
    items = word_at(one + 24)
    for k in range(len(out)):
        item = word_at(items + 8 * k)
        if word_at(item + 8) != kind:
            return k
        out[k] = float_at(item + 16)
        if out[k] != out[k]:
            return k
    return len(out)


@njit("int64(int64, int64, int64[::1])", cache=True, error_model="numpy")
def ints(one, kind, out):
    """Fill `out`; the number of items that are ints of at most 60 bits from the first on."""
    if word_at(one + 16) != len(out):
        return -1
    items = word_at(one + 24)
    for k in range(len(out)):
        item = word_at(items + 8 * k)
        if word_at(item + 8) != kind:
            return k
        tag = word_at(item + 16)
        {count}
        if count > 2:
            return k
        value = digit_at(item + 24) if count > 0 else 0
        if count > 1:
            value += digit_at(item + 28) << 30
        out[k] = -value if {negative} else value
    return len(out)


@njit("int64(int64, int64, int64, int64, float64[:, ::1])", cache=True, error_model="numpy")
def float_tuples(one, kind, start, inner, out):
    """The same of a list of tuples, whose items begin at `start`; the number of such tuples."""
    if word_at(one + 16) != len(out):
        return -1
    items = word_at(one + 24)
    for k in range(len(out)):
        row = word_at(items + 8 * k)
        if word_at(row + 8) != kind or word_at(row + 16) != out.shape[1]:
            return k
        for j in range(out.shape[1]):
            item = word_at(row + start + 8 * j)
            if word_at(item + 8) != inner:
                return k
            out[k, j] = float_at(item + 16)
            if out[k, j] != out[k, j]:
                return k
    return len(out)


@njit("int64(int64, int64, int64, int64, int64[:, ::1])", cache=True, error_model="numpy")
def int_tuples(one, kind, start, inner, out):
    """The same of tuples of ints."""
    if word_at(one + 16) != len(out):
        return -1
    items = word_at(one + 24)
    for k in range(len(out)):
        row = word_at(items + 8 * k)
        if word_at(row + 8) != kind or word_at(row + 16) != out.shape[1]:
            return k
        for j in range(out.shape[1]):
            item = word_at(row + start + 8 * j)
            if word_at(item + 8) != inner:
                return k
            tag = word_at(item + 16)
            {count}
            if count > 2:
                return k
            value = digit_at(item + 24) if count > 0 else 0
            if count > 1:
                value += digit_at(item + 28) << 30
            out[k, j] = -value if {negative} else value
    return len(out)


def driver():
    return floats, ints, float_tuples, int_tuples
'''
_START = 32 if sys.version_info >= (3, 14) else 24
"""Where a tuple has its items: its hash stands before them since Python 3.14."""
_COUNTS = ("count = abs(tag)", "tag < 0"), ("count = tag >> 3", "tag & 3 == 2")


@functools.cache
def _readers() -> dict[str, tuple[Any, Callable[..., int]]]:
    """For each kind of number its dtype and the function that reads it; none where objects lie otherwise."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return {}
    if struct.calcsize("P") != 8 or sys.byteorder != "little":
        return {}
    try:
        floats, ints, float_tuples, int_tuples = _loaded()
        found: dict[str, tuple[Any, Callable[..., int]]] = {
            "float": (np.float64, floats),
            "int": (np.int64, ints),
            "float(": (np.float64, _of_tuples(float_tuples)),
            "int(": (np.int64, _of_tuples(int_tuples)),
        }
        return {name: way for name, way in found.items() if _is_right(name, *way)}
    except Exception as error:
        note("lists", f"they are taken over by NumPy: {error}")
        return {}


def _is_right(name: str, dtype: type[np.generic], reader: Callable[..., int]) -> bool:
    """Whether it reads numbers whose answer is known."""
    kind: Any = float if dtype is np.float64 else int
    sample: list[Any] = [kind(x) for x in _SAMPLE]
    out = np.empty(len(sample), dtype)
    if name[-1] == "(":
        sample = list(zip(sample, sample[::-1], strict=True))
        out = np.empty((len(sample), 2), dtype)
    found = reader(id(sample), id(kind), out) == len(sample)
    return found and np.array(sample, dtype).tobytes() == out.tobytes()


def _of_tuples(reader: Callable[..., int]) -> Callable[[int, int, np.ndarray], int]:
    return lambda one, kind, out: reader(one, id(tuple), _START, kind, out)


def _loaded() -> Any:
    """The compiled functions, from disk if they are there."""
    count, negative = _COUNTS[sys.version_info >= (3, 12)]
    text = _TEXT.replace("{count}", count).replace("{negative}", negative)
    key, title = digest(text + repr(environment()), 8), "lists of numbers"
    module, name = (
        Module(text, "driver", ("floats", "ints", "float_tuples", "int_tuples")),
        "jitscope_module_list_items",
    )
    for stored in cache.find("list_items", key):
        return stored_artefact(stored, module.clusters, module.driver, name, title, True).ready(True).call()
    return new_artefact(module, name, title, Keep("list_items", key), {}, True).ready(True).call()


def taken(value: object, form: str) -> np.ndarray:
    """`list_data.taken`, by compiled code where the list is long.

    Raises:
        LookupError: the list has another form.
    """
    if form[-1] == ")":
        return _tuples(value, form)
    if form[-2] == list_data.RAGGED:
        return list_data.in_one(value, form, taken)
    if type(value) is not list or len(value) < LONG or form not in ("float1", "int1"):
        return _rows(value, form) if form[-1] == "2" else list_data.taken(value, form)
    if (reader := _readers().get(form[:-1])) is None:
        return list_data.taken(value, form)
    kind = float if form == "float1" else int
    dtype, read = reader
    out = np.empty(len(value), dtype)
    return out if read(id(value), id(kind), out) == len(out) else list_data.taken(value, form)


def _tuples(value: object, form: str) -> np.ndarray:
    """A list of tuples of one length."""
    if list_data.columns_of(form):
        return list_data.taken(value, form)
    name, _, width = form[:-1].partition("(")
    if (
        type(value) is not list
        or len(value) * int(width) < LONG
        or (reader := _readers().get(f"{name}(")) is None
    ):
        return list_data.taken(value, form)
    dtype, read = reader
    out = np.empty((len(value), int(width)), dtype)
    kind = float if name == "float" else int
    return out if read(id(value), id(kind), out) == len(out) else list_data.taken(value, form)


def _rows(value: Any, form: str) -> np.ndarray:
    """A list of lists, each row by itself."""
    reader = None
    if type(value) is list and value and type(value[0]) is list and len(value) * len(value[0]) >= LONG:
        reader = _readers().get(form[:-1])
    if reader is None or set(map(type, value)) != {list} or len(set(map(id, value))) != len(value):
        return list_data.taken(value, form)
    kind = float if form == "float2" else int
    dtype, read = reader
    out = np.empty((len(value), len(value[0])), dtype)
    wanted = out.shape[1]
    for row, numbers in zip(value, out, strict=True):
        if len(row) != wanted or read(id(row), id(kind), numbers) != wanted:
            return list_data.taken(value, form)
    return out
