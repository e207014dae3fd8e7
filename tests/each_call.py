"""First, second and cached calls of one gradient, compared with the plain function."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
from compiled import from_the_disk, has_compiled_part
from numeric_gradients import assert_close, gradient

import jitscope as js


def assert_gradient_in_each_call(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """Value, gradients for all arrays and written arguments are right; at last, from the disk."""
    arrays = tuple(k for k, value in enumerate(args) if isinstance(value, np.ndarray))
    expected, plain = [gradient(program, args, k) for k in arrays], copy.deepcopy(args)
    value = program(*plain)
    derived = js.value_and_grad(program, argnums=arrays)

    def check() -> None:
        mine = copy.deepcopy(args)
        found, slopes = derived(*mine)
        np.testing.assert_allclose(found, value, rtol=1e-11)
        for slope, wanted in zip(slopes, expected, strict=True):
            assert_close(slope, wanted, rtol=2e-6)
        for after, wanted in zip(mine, plain, strict=True):
            np.testing.assert_allclose(after, wanted, rtol=1e-11)

    check()
    assert has_compiled_part(derived)
    check()
    with from_the_disk(derived):
        check()
