"""The memory layout of results where arrays in Fortran's order are stretched: NumPy's, axis by axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import compare, decorate


def stretched_1(x):
    return np.exp(x[:, None, :] - x[None, :, :])


def stretched_4(x):
    return np.sqrt(((x[:, None, :] - x[None]) ** 2).sum(-1))


def stretched_5(x):
    return x[None, :, :] + x[:, :1, None]


def stretched_6(x):
    return np.where(x[:, None] > 0, x[None], 1.0)


def stretched_7(x):
    return np.expand_dims(x, 0) * x[:, None]


def stretched_8(x):
    return x * x[:1] + x[:, :1]


def stretched_9(x):
    return x[:1] * x[:, :1]


def stretched_10(x):
    return x[:1] - x[:, -1:] + 1


def stretched_11(x):
    return x - x.mean(0, keepdims=True)


def stretched_12(x):
    return x.mean(0, keepdims=True) * x.mean(1, keepdims=True)


def stretched_13(x):
    return x.T[:, None] * x.T[None]


def stretched_14(x):
    return np.maximum(x[:, :, None], x[:, None, :])


def stretched_15(x):
    return np.maximum(x[:, :, None] * 1.0, x[:, None, :])


def stretched_16(x):
    return x[:, :, None] * x[:, :, None]


def stretched_17(x):
    return np.clip(x[:, None], x[None, :], 5)


def stretched_18(x):
    return x[:, None, None, :] * x[None, :, None, :]


def stretched_19(x):
    return np.broadcast_to(x, (2,) + x.shape) * x


def stretched_20(x):
    return np.outer(x[:, 0], x[:, 1]) - x[:, :1]


def written_through_a_view(x):
    d = np.cos(x[:, None, :] - x[None, :, :]).sum(-1)
    r = d.reshape(-1)
    r[0] = 99.0
    return d, d.ravel(order="K")


PROGRAMS = [value for name, value in list(globals().items()) if name.startswith(("stretched_", "written_"))]
ARRAYS = [
    np.asfortranarray(np.arange(6.0).reshape(3, 2)),
    np.arange(6.0).reshape(2, 3).T,
    np.arange(6.0).reshape(3, 2),
    np.asfortranarray(np.arange(9.0).reshape(3, 3)),
    np.asfortranarray(np.ones((1, 3))),
    np.asfortranarray(np.arange(24.0).reshape(4, 6))[::2, ::3],
    np.asfortranarray(np.arange(6).reshape(3, 2)),
    np.asfortranarray(np.ones((2, 1))),
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_axes_run_as_numpys_do(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for x in ARRAYS:
        compare(program, decorated, (x,))
