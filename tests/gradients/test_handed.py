"""Arrays that opaque Python gets, and writes: what rules look at is what it was when it was read."""

from __future__ import annotations

import collections
import operator
import queue
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric_gradients import slopes

import jitscope as js

X, T = np.array([0.7, 1.3, 0.4]), np.array([0.6, 1.7, 0.9])
KEPT: list[Any] = []
SCALE = operator.methodcaller("__imul__", 2.0)


def filled(r, v):
    for i in range(r.size):
        r[i] = v
        yield i


def squared_before(x, t):
    r = x * 2
    y = r * r
    list(filled(r, 5.0))
    return np.sum(y)


def a_factor_before(x, t):
    w = t * 1.0
    y = x * w
    list(filled(w, 5.0))
    return np.sum(y * y)


def the_argument_itself(x, t):
    y = np.sin(x)
    x.put(0, 2.0)
    return np.sum(y * y)


def places(x, t):
    i = np.array([0, 1, 2])
    y = x[i] * x
    i.put(0, 2)
    return np.sum(y * y)


def chosen(x, t):
    over = t > 0.8
    y = np.where(over, x * x, x)
    over.put(0, True)
    return np.sum(y * y)


def a_result(x, t):
    r = np.exp(x)
    y = r * r
    r.put(0, 7.0)
    return np.sum(y * y)


def a_product(x, t):
    m = np.outer(x, x)
    q = m @ m
    m.put(0, 3.0)
    return np.sum(q)


def state_of_a_loop(x, t):
    r, s = t * 1.0, 0.0
    for i in range(3):
        y = x * r * r
        list(filled(r, 1.0 + i))
        s = s + np.sum(y * r)
    return s


def made_in_each_iteration(x, t):
    s = 0.0
    for i in range(3):
        r = t * 1.0
        list(filled(r, 1.0 + i))
        y = x * r * r
        list(filled(r, 2.0 + i))
        s = s + np.sum(y * r * x)
    return s


def in_a_branch_of_a_loop(x, t):
    s, w = 0.0, t * 1.0
    for i in range(3):
        y = x * x * w
        if t[0] > 0.3:
            z = y * w
            w.put(0, 5.0 + i)
            s = s + np.sum(z * y * w)
        else:
            s = s + np.sum(y)
    return s


def while_it_is_small(x, t):
    s, w, k = 0.0, t * 1.0, 0
    while k < 3:
        y = np.sin(x * w)
        w.put(k, 2.0)
        s = s + np.sum(y * w)
        k += 1
    return s


def written_by_the_test_of_a_loop(x, t):
    s, w, k = 0.0, t * 1.0, 0
    while sum(filled(w, 1.0 + k)) > 0 and k < 3:
        s = s + np.sum(x * x * w)
        k += 1
    return s


def scaled_by_the_test_of_a_loop(x, t):
    s, k = 0.0, 0
    while SCALE(t) is None or k < 3:
        s = s + np.sum(t * x)
        k += 1
    return s


def asked_by_the_test_of_a_loop(x, t):
    items = collections.deque(t)
    s = x.sum()
    while len(items) > 0:
        items.pop()
        s = s * x[0] + 1.0
    return s


def read_in_an_inner_loop(x, t):
    s = 0.0
    for i in range(3):
        r = t * 1.0
        list(filled(r, 1.0 + i))
        for k in range(3):
            s = s + x[k] * r[k] * x[0]
    return s


def filled_again_around_an_inner_loop(x, t):
    s, w = 0.0, t * 2
    for i in range(3):
        for k in range(3):
            s = s + w[k] * x[k] * x[i]
        list(filled(w, 1.0 + i))
    return s


def by_the_list_that_holds_it(x, t):
    r = np.ones(3)
    KEPT.append(r.flat)
    KEPT[0][1] = x[2]
    KEPT.clear()
    return np.sum(r * t)


def by_a_list_in_a_list(x, t):
    r = np.ones(3)
    KEPT.append([r])
    KEPT[0][0][1] = x[2]
    KEPT.clear()
    return np.sum(r * t)


def by_a_method_with_a_name(x, t):
    r = np.ones(3)
    add = KEPT.append
    add(r.flat)
    KEPT[0][1] = x[2]
    KEPT.clear()
    return np.sum(r * t)


def an_array_or_none(x, t):
    r, q = None, np.zeros(3)
    if t[0] > 0:
        r = q
    r[0] = x[0]
    return np.sum(q * q)


def added_to_an_array_or_none(x, t):
    r, q = None, x * t
    if t[0] > 0:
        r = q
    r += x
    return np.sum(q * q)


def copied_to_an_array_or_none(x, t):
    r, q = None, np.zeros(3)
    k = 0
    while k < 2:
        r = q if k > 0 else None
        k += 1
    np.copyto(r, x)
    return np.sum(q * q)


def an_array_or_none_that_is_filled(x, t):
    r = q = x * 2
    if t[0] > 5:
        r = None
    o = r
    o[...] = 0.0
    return np.sum(q * x)


def noted(x, t):
    s, w, notes = 0.0, t * 2, []
    for _ in range(3):
        y = x * w
        notes.append(float(np.sum(y)))
        s = s + np.sum(y * y)
    return s


RIGHT = (
    squared_before,
    a_factor_before,
    the_argument_itself,
    places,
    chosen,
    a_result,
    a_product,
    state_of_a_loop,
    made_in_each_iteration,
    in_a_branch_of_a_loop,
    while_it_is_small,
    written_by_the_test_of_a_loop,
    scaled_by_the_test_of_a_loop,
)
RIGHT_OR_REFUSED = (
    asked_by_the_test_of_a_loop,
    read_in_an_inner_loop,
    filled_again_around_an_inner_loop,
    by_the_list_that_holds_it,
    by_a_list_in_a_list,
    by_a_method_with_a_name,
    an_array_or_none,
    added_to_an_array_or_none,
    copied_to_an_array_or_none,
    an_array_or_none_that_is_filled,
    noted,
)


def _expected(function: Callable[..., Any]) -> np.ndarray:
    return slopes(lambda x: function(x, T.copy()), X.copy())


def _derivative(function: Callable[..., Any], transform: str) -> tuple[Any, str]:
    """It, or why there is none."""
    try:
        if transform == "grad":
            return js.grad(function)(X.copy(), T.copy()), ""
        return [js.jvp(function, (X.copy(), T.copy()), (e, 0 * T))[1] for e in np.eye(3)], ""
    except js.JitscopeError as error:
        return None, str(error)


@pytest.mark.parametrize("level", ["off", "on"])
@pytest.mark.parametrize("function", RIGHT)
def test_what_python_wrote_later_is_not_what_was_read(function: Callable[..., Any], level: str) -> None:
    """Contents are saved before opaque Python gets them, in each iteration."""
    derive = js.value_and_grad(js.function(function, jit_level=level))
    for _ in range(2):
        value, found = derive(X.copy(), T.copy())
        np.testing.assert_allclose(value, function(X.copy(), T.copy()), rtol=1e-13)
        np.testing.assert_allclose(found, _expected(function), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("transform", ["grad", "jvp"])
@pytest.mark.parametrize("function", RIGHT_OR_REFUSED + RIGHT)
def test_a_derivative_is_right_or_refused(function: Callable[..., Any], transform: str) -> None:
    """What Python may have written can't be followed: then it is said, with the name."""
    found, reason = _derivative(function, transform)
    assert "Python" in reason or np.allclose(found, _expected(function), rtol=1e-6, atol=1e-7)
    assert not reason or function not in RIGHT or transform == "jvp"


@pytest.mark.parametrize(
    "function", [an_array_or_none, added_to_an_array_or_none, copied_to_an_array_or_none]
)
def test_the_reason_names_the_array(function: Callable[..., Any]) -> None:
    """Not the object that holds it."""
    with pytest.raises(js.JitscopeError, match="may write to 'r'"):
        js.grad(function)(X.copy(), T.copy())


def test_a_loop_may_ask_opaque_python_whether_it_goes_on() -> None:
    """How often it ran is kept, not what the test said."""

    def until_empty(x, waiting):
        s = x.sum()
        while not waiting.empty():
            waiting.get()
            s = s * x[0] + 1.0
        return s

    def waiting() -> queue.Queue[int]:
        made: queue.Queue[int] = queue.Queue()
        made.put(1)
        made.put(2)
        return made

    found = js.grad(until_empty)(X.copy(), waiting())
    np.testing.assert_allclose(found, slopes(lambda x: until_empty(x, waiting()), X.copy()), rtol=1e-6)
