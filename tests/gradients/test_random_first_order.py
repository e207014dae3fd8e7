"""Gradients of random programs against differences of the plain functions; few of them are refused."""

from __future__ import annotations

import copy
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import random_gradients
import random_matrix_gradients
from numeric_gradients import assert_close, gradient

import jitscope as js

# Seeds that once went wrong, each for a reason of its own, and others.
SEEDS = [*range(30), 32, 42, 68, 105, 129, 169, 176, 186, 211, 256, 267, 326, 334, 455, 477, 594, 598, 776]
SEEDS += [810, 838, 882, 899]
CHUNKS: list[Any] = [(random_gradients, SEEDS[k::4]) for k in range(4)]
CHUNKS += [(random_matrix_gradients, range(k, 48, 4)) for k in range(4)]


def smooth(function: Any, args: list[Any]) -> list[Any] | None:
    """The gradients by differences; None where a branch changes so near that there are none."""
    with np.errstate(all="ignore"):
        try:
            value = function(*copy.deepcopy(args))
        except (ValueError, TypeError, AttributeError):  # of shapes that don't fit, and of numbers as arrays
            return None
        if not np.isfinite(value) or abs(value) > 1e4:
            return None
        found = [gradient(function, args, k)[0] for k in (0, 1)]
        nearer = [gradient(function, args, k, step=5e-5)[0] for k in (0, 1)]
    agree = (np.allclose(a, b, rtol=1e-5, atol=1e-6) for a, b in zip(found, nearer, strict=True))
    return found if all(agree) else None


@pytest.mark.parametrize(("programs", "seeds"), CHUNKS, ids=lambda v: getattr(v, "__name__", ""))
def test_random_programs(programs: ModuleType, seeds: Any):
    right, refused, left_out = 0, 0, 0
    for seed in seeds:
        function, args = programs.program(seed), programs.arguments(seed)
        if (expected := smooth(function, args)) is None:
            left_out += 1
            continue
        mine, plain = copy.deepcopy(args), copy.deepcopy(args)
        derived = js.function(js.value_and_grad(function, (0, 1)), jit_level="off")
        try:
            with np.errstate(all="ignore"):
                value, found = derived(*mine)
        except js.JitscopeError:
            refused += 1
            continue
        np.testing.assert_allclose(value, function(*plain), rtol=1e-11, err_msg=str(seed))
        np.testing.assert_allclose(mine[0], plain[0], rtol=1e-11, err_msg=str(seed))
        for part, want in zip(found, expected, strict=True):
            assert_close(part, [want], rtol=2e-6)
        right += 1
    assert left_out <= len(seeds) // 3
    assert refused <= len(seeds) // 4
    assert right >= len(seeds) // 2
