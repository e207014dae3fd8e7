"""What can't be differentiated is refused, with the line and a remedy, and never silently wrong."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traced_gradients import check, gradients_of

from jitscope.graph.gradients import NoGradient, NotFloating

X = np.array([0.3, -1.2, 0.8])
SEEN: list[Any] = []


def written_under_another_name(x, flag: bool):
    a, b = x * 1.0, x * 2.0
    c = a if flag else b
    c[0] = x[1] * x[2]
    return c * a


def twins_in_a_loop(x, n: int):
    u = x * 1.0
    v = u
    for i in range(n):
        u[0] = u[0] * v[1]
        v[1] = u[0] * v[0]
        if i == 1:
            v = x * 2.0
    return u * v


def opaque(x):
    return math.fsum(x) * x


def handed_out(x):
    y = x * 2.0
    SEEN.append(y)
    return y * y


def shrinking(x, n: int):
    for _ in range(n):
        x = x[1:] * x[:-1]
    return x


def of_another_size(S, b):
    v = b[:-1]
    for _ in range(3):
        for q in range(2):
            v = S[:, q].copy()
            for p in range(q):
                v -= (S[:, p] @ v) * S[:, p]
            S[:, q] = v / (1 + np.sqrt(v @ v))
    return v


def over_objects(x, items: list):
    for item in list(items):
        x = x * item
    return x


def printing(x):
    y = x * 2.0
    print(y)
    return y * y


REFUSED = [
    (written_under_another_name, (X, True), "may be the memory"),
    (twins_in_a_loop, (X, 3), "may be the"),
    (handed_out, (X,), "opaque Python"),
    (shrinking, (X, 2), "shape changes"),
    (of_another_size, (np.outer(X, X) + 1.0, X), "size of an array changes"),
]


@pytest.mark.parametrize(("function", "args", "reason"), REFUSED, ids=lambda v: getattr(v, "__name__", ""))
def test_refused(function: Any, args: tuple[Any, ...], reason: str, tmp_path: Path):
    with pytest.raises(NoGradient, match=reason) as refused:
        gradients_of(function, args, [0], tmp_path)
    assert "test_core_errors.py:" in str(refused.value)


def test_objects_are_refused(tmp_path: Path):
    with pytest.raises(NotFloating):
        gradients_of(opaque, (X,), [0], tmp_path)


def test_integers_are_refused(tmp_path: Path):
    with pytest.raises(NotFloating):
        gradients_of(lambda n: n * 2, (3,), [0], tmp_path)


def test_what_is_printed_is_not_refused(tmp_path: Path, capsys: Any):
    check(printing, (X,), tmp_path)
