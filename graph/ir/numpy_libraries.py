"""Functions of the libraries that NumPy itself is linked with, by name."""

from __future__ import annotations

import ctypes
import glob
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np


def address(names: Iterable[str]) -> int | None:
    """The address of the first function with one of these names; None where NumPy has none of them."""
    wanted = tuple(names)
    for library in _libraries():
        for name in wanted:
            function = getattr(library, name, None)
            if function is not None:
                return ctypes.cast(function, ctypes.c_void_p).value
    return None


@cache
def _libraries() -> tuple[ctypes.CDLL, ...]:
    """What NumPy is linked with: looking into its own module finds what that needs."""
    return tuple(_opened())


def _opened() -> Iterator[ctypes.CDLL]:
    core: Any = sys.modules.get("numpy._core._multiarray_umath")
    root = os.path.dirname(np.__file__)
    beside = [*glob.glob(f"{root}.libs/*openblas*"), *glob.glob(f"{root}/.dylibs/*openblas*")]
    for path in [getattr(core, "__file__", None), *sorted(beside)]:
        try:
            if path:
                yield ctypes.CDLL(path)
        except OSError:
            continue
