"""What can't be differentiated is refused, with the line and a remedy, and never silently wrong."""

from __future__ import annotations

import math
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traced_gradients import check, gradients_of

import jitscope as js
from jitscope.graph.gradients import NoGradient, NotFloating

X = np.array([0.3, -1.2, 0.8])
SEEN: deque[object] = deque()


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


def squares(r, x):
    for i in range(x.size):
        r[i] = x[i] * x[i]
        yield i


def written_by_generator(x):
    r = np.zeros(3)
    list(squares(r, x))
    return r * r


def written_through_object(x):
    r = np.zeros(3)
    r.flat[1] = x[0]
    return r * r


def written_through_object_in_loop(x, n: int):
    r = np.zeros(3)
    elements = r.flat
    for i in range(n):
        elements[i] = x[i]
    return r * r


def written_through_objects_of_branches(x, flag: bool):
    r, s = np.zeros(3), np.zeros(3)
    held = {"one": r.flat if flag else s.flat}
    held["one"][2] = x[1]
    return r * r + s


def written_by_method(x):
    r = np.zeros(3)
    r.put([0, 2], x[1])
    return r * r


def written_as_one_of_two_results(x):
    q, r = np.empty(3), np.empty(3)
    np.divmod(x, 0.3, out=(q, r))
    return r * r


def written_under_a_name_of_a_view(x):
    r = np.zeros(6)
    list(squares(r[::2].view(), x))
    return r * r


def written_by_iteration(x):
    r = np.zeros(3)
    for a, b in np.nditer([x, r], op_flags=[["readonly"], ["writeonly"]]):
        b[...] = a * a
    return r * r


def first_above(x, limits: set):
    for limit in limits:
        if np.abs(x).sum() > limit:
            return x * x
    return x * 2


def noted_beside(x, t):
    y = x * t
    SEEN.append(t[0])
    SEEN.append(float(y[0]))
    return y * y


def noted_without_derivatives(x, t):
    y = x * t
    SEEN.append(t)
    SEEN.append(js.stop_gradient(y[0]))
    return y * y


REFUSED = [
    (written_under_another_name, (X, True), "may be the memory"),
    (twins_in_a_loop, (X, 3), "may be the"),
    (handed_out, (X,), "opaque Python"),
    (written_by_generator, (X,), "may write to 'r'"),
    (written_through_object, (X,), "may write to 'r'"),
    (written_through_object_in_loop, (X, 3), "may write to 'r'"),
    (written_through_objects_of_branches, (X, True), "may write to"),
    (written_by_method, (X,), "may write to 'r'"),
    (written_as_one_of_two_results, (X,), "may write to 'r'"),
    (written_under_a_name_of_a_view, (X,), "may write to"),
    (written_by_iteration, (X,), "no reverse pass"),
    (shrinking, (X, 2), "shape changes"),
    (of_another_size, (np.outer(X, X) + 1.0, X), "size of an array changes"),
]


@pytest.mark.parametrize(("function", "args", "reason"), REFUSED, ids=lambda v: getattr(v, "__name__", ""))
def test_refused(function: Any, args: tuple[Any, ...], reason: str, tmp_path: Path):
    with pytest.raises(NoGradient, match=reason) as refused:
        gradients_of(function, args, [0], tmp_path)
    assert "test_core_errors.py:" in str(refused.value)


def test_a_loop_over_objects_that_a_return_leaves_is_refused():
    with pytest.raises(js.JitscopeError, match=r"(?s)left by a `return`.*test_core_errors.py:\d+.*try:"):
        js.value_and_grad(lambda x, limits: first_above(x, limits).sum())(X, {7, 1})


def test_objects_are_refused(tmp_path: Path):
    with pytest.raises(NotFloating):
        gradients_of(opaque, (X,), [0], tmp_path)


def test_integers_are_refused(tmp_path: Path):
    with pytest.raises(NotFloating):
        gradients_of(lambda n: n * 2, (3,), [0], tmp_path)


def test_what_is_printed_is_not_refused(tmp_path: Path, capsys: Any):
    check(printing, (X,), tmp_path)


@pytest.mark.parametrize("function", [noted_beside, noted_without_derivatives])
def test_what_is_noted_on_the_way_is_not_refused(function: Any):
    """Opaque Python gets a number that varies, or an array that is of use, but not both."""
    found = js.grad(js.function(lambda x, t: np.sum(function(x, t)), jit_level="off"))(X, X + 1)
    np.testing.assert_allclose(found, 2 * X * (X + 1) ** 2)
