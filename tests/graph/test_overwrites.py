"""NumPy functions that a flag lets write to their first argument: each is known, none is taken for pure."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from jitscope.graph.symbolic.numpy_api import OVERWRITES, may_overwrite

FLAGS = ("copy", "inplace", "overwrite_input")
ONLY_SHARES = {"array", "asarray", "asanyarray", "astype", "reshape", "meshgrid", "from_dlpack"}
"""`copy` says of these whether the result may share memory with the argument; they don't write to it."""


def with_flags() -> Iterator[tuple[Callable[..., Any], str, int]]:
    """NumPy's public functions with one of the flags, and its place."""
    for module in (np, np.linalg, np.fft):
        for name in dir(module):
            function = getattr(module, name)
            if name.startswith("_") or isinstance(function, type) or not callable(function):
                continue
            try:
                parameters = list(inspect.signature(function).parameters)
            except (TypeError, ValueError):
                continue
            yield from ((function, flag, parameters.index(flag)) for flag in FLAGS if flag in parameters)


def test_every_flag_of_numpys_functions_is_known():
    found = {f: (flag, at) for f, flag, at in with_flags() if f.__name__ not in ONLY_SHARES}
    methods = {np.ndarray.byteswap: ("inplace", 1)}
    assert {f: known[:2] for f, known in OVERWRITES.items()} == {**found, **methods}


def test_only_the_flag_itself_says_that_nothing_is_written():
    a = np.zeros(3)
    assert not may_overwrite(np.nan_to_num, (a,), {})
    assert not may_overwrite(np.nan_to_num, (a, True), {})
    assert may_overwrite(np.nan_to_num, (a,), {"copy": None})
    assert not may_overwrite(np.quantile, (a, 0.5), {"overwrite_input": False})
    assert may_overwrite(np.quantile, (a, 0.5, None, None, True), {})
    assert may_overwrite(np.median, (a,), {"overwrite_input": object()})  # as of one known at run time
