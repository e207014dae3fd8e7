"""First, second and cached calls of one gradient, compared with the plain function."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
from compiled import from_the_disk
from numeric_gradients import assert_close, gradient

import jitscope as js


def assert_gradient_in_each_call(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """Value, gradient for the first argument and written arguments are right; at last, from the disk."""
    expected, plain = gradient(program, args, 0), copy.deepcopy(args)
    value = program(*plain)
    derived = js.value_and_grad(program)

    def check() -> None:
        mine = copy.deepcopy(args)
        found, slope = derived(*mine)
        np.testing.assert_allclose(found, value, rtol=1e-11)
        assert_close(slope, expected, rtol=2e-6)
        for after, wanted in zip(mine, plain, strict=True):
            np.testing.assert_allclose(after, wanted, rtol=1e-11)

    check()
    check()
    with from_the_disk(derived):
        check()
