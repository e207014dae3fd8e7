"""Items of lists and dicts that are assigned in loops and branches: variables, as the user's own.

``counts["even"] += 1``, ``params["w"] = params["w"] - rate * g``, of dicts made inside and of the caller's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate

import jitscope as js


def helper(d, i):
    if i > 3:
        return 0
    d["a"] += i
    return d["a"]


def raises_on_the_way(d, n):
    for i in range(n):
        d["a"] = d["a"] + 1
        if d["a"] > 5:
            raise ValueError("too much")
    return d["a"]


def an_int_becomes_a_float(d, n):
    for i in range(n):
        d["a"] += 1.5
    return d


def of_two(d, e, n):
    for i in range(n):
        d["a"] += 1
        e["a"] *= 2
    return d["a"], e["a"]


def an_array_anew(d, n):
    for i in range(n):
        d["w"] = d["w"] * 0.5 + i
        d["w"][0] += 1
    return d["w"]


def an_array_in_place_or_anew(d, n):
    w = d["w"]
    for i in range(n):
        if i % 2:
            d["w"] = d["w"] + 1
        else:
            d["w"] += 1
    return w, d["w"]


def a_new_key(d, n):
    d["x"] = n
    for i in range(n):
        d["a"] = i
    return d


def keys_of_a_tuple(d, n):
    for i in range(n):
        for k in ("a", "b"):
            d[k] = d[k] + d["a"]
    d["a"] = None
    return d["b"]


def printed_on_the_way(d, n):
    for i in range(n):
        print(d["a"])
        d["a"] += 1
    return d


def with_a_list_inside(d, n):
    for i in range(n):
        d["a"] += 1
        d["log"].append(d["a"])
    return d


def of_a_copy(d, n):
    e = dict(d)
    for i in range(n):
        e["a"] += 1
        d["b"] = e["a"]
    return e


def swapped(d, n):
    for i in range(n):
        t = d["a"], d["b"]
        d["a"], d["b"] = t[1], t[0] + t[1]
    return d


def of_a_dict_inside(d, n):
    for i in range(n):
        d["in"]["a"] += i
    return d["in"]


def returned_early(d, n):
    for i in range(n):
        if i == 3:
            return d
        d["a"] += i
    d["b"] = -1
    return None


def of_each_other(d, n):
    for i in range(n):
        d["a"] = d["b"]
        d["b"] = d["a"] if i % 2 else 1
    return d


def texts(d, n):
    for i in range(n):
        d["a"] = "x" if i % 2 else "y"
    return d


def by_a_helper(d, n):
    t = 0
    for i in range(n):
        t += helper(d, i)
    return t, d


def in_a_try(d, n):
    try:
        for i in range(n):
            d["a"] += 1
            d["w"][i] = 0
    except IndexError:
        return -1
    return d


def with_an_array_written(d, n):
    for i in range(n):
        d["a"] += 1
        d["w"][i] = d["a"]
    return d


class Model:
    def __init__(self) -> None:
        self.p = {"w": np.ones(3), "b": 0.0}
        self.n = 0

    def step(self, x, n):
        for i in range(n):
            self.p["w"] = self.p["w"] - 0.1 * (x @ self.p["w"]) * x
            self.p["b"] += 1
            self.n += 1
        return self.p["w"].sum()


def of_an_attribute(m, n):
    return m.step(np.arange(3.0), n)


def counted(n):
    d = {"a": 0, "b": 0.0}
    for i in range(n):
        d["a"] += 1
        if i % 3 == 0:
            d["b"] += i * 0.5
    return d["a"] + d["b"]


def moments(X, n):
    state = {"m": np.zeros(X.shape[1]), "t": 0}
    out = []
    for i in range(n):
        state["t"] += 1
        if X[i].sum() > 0:
            state["m"] = 0.9 * state["m"] + 0.1 * X[i]
        out.append(state["m"].sum())
    return out, state["t"]


def counted_by_branches(text, n):
    counts = {"even": 0, "odd": 0}
    for i in range(n):
        if (i * 7 % 5) % 2 == 0:
            counts["even"] += 1
        else:
            counts["odd"] += 1
    return counts


def parameters_in_a_dict(X, y, n):
    params = {"W": np.zeros(X.shape[1]), "b": 0.0}
    for e in range(n):
        r = X @ params["W"] + params["b"] - y
        g = X.T @ r / len(y)
        params["W"] = params["W"] - 0.1 * g
        params["b"] = params["b"] - 0.1 * r.mean()
    return params


def parameters_in_a_list(X, y, n):
    params = [np.zeros(X.shape[1]), np.zeros(1)]
    for e in range(n):
        r = X @ params[0] + params[1] - y
        grads = [X.T @ r / len(y), r.mean(keepdims=True)]
        for k in range(2):
            params[k] = params[k] - 0.1 * grads[k]
    return params


def parameters_of_the_caller(params, X, y, n):
    for e in range(n):
        r = X @ params["W"] + params["b"] - y
        params["W"] = params["W"] - 0.1 * (X.T @ r / len(y))
        params["b"] = params["b"] - 0.1 * r.mean()
    return params


def counted_until(x):
    d = {"n": 0, "s": 0.0}
    for k in (1, 2, 3):
        d["n"] += 1
        d["s"] += k
        if x > k:
            break
    return d["n"], d["s"]


def listed_until(x):
    d = [0, 0.0]
    for k in range(3):
        d[0] += 1
        if x > k:
            break
    return d


def counted_by_a_closure(x):
    d = {"n": 0}

    def g(k):
        d["n"] += 1
        return k * x

    v = [g(k) for k in range(3) if x > k]
    return d["n"], v


def counted_by_a_generator(x):
    d = {"n": 0}

    def g(k):
        d["n"] += 1
        return k > x

    a = any(g(k) for k in range(4))
    return a, d["n"]


def counted_in_a_while(x):
    d = {"n": 0}
    k = 0
    while k < 5:
        k += 1
        d["n"] += k
        if x == k:
            break
    return d


STATE = {"calls": 0, "total": 0.0}


def of_a_global(x):
    for v in x:
        STATE["calls"] += 1
        STATE["total"] = STATE["total"] * 0.5 + v
    return STATE["total"]


def given() -> dict[str, Any]:
    return {"a": 1, "b": 2.5, "w": np.arange(3.0), "log": [1.0], "in": {"a": 0}}


OF_A_DICT = [
    raises_on_the_way,
    an_int_becomes_a_float,
    an_array_anew,
    an_array_in_place_or_anew,
    a_new_key,
    keys_of_a_tuple,
    printed_on_the_way,
    with_a_list_inside,
    of_a_copy,
    swapped,
    of_a_dict_inside,
    returned_early,
    of_each_other,
    texts,
    by_a_helper,
    in_a_try,
    with_an_array_written,
]
OF_A_NUMBER = [counted_until, listed_until, counted_by_a_closure, counted_by_a_generator, counted_in_a_while]
RNG = np.random.default_rng(3)
X = RNG.normal(size=(60, 5))
Y = X @ np.arange(5.0) + 1.0


@pytest.mark.parametrize("function", OF_A_DICT)
def test_dicts_of_the_caller_s(function: Callable[..., Any]) -> None:
    decorated = decorate(function)
    for n in (4, 0, 1, 10, 4):
        compare(function, decorated, (given(), n))


def test_two_dicts_that_may_be_one() -> None:
    decorated = decorate(of_two)
    compare(of_two, decorated, (given(), given(), 4))
    one = given()
    compare(of_two, decorated, (one, one, 4))


def test_an_item_that_was_not_assigned_stays_the_same_object() -> None:
    d = given()
    w = d["w"]
    decorated = decorate(an_array_anew)
    decorated(given(), 3)
    assert decorated(d, 0) is w
    assert d["w"] is w


@pytest.mark.parametrize("function", OF_A_NUMBER)
def test_of_one_number(function: Callable[..., Any]) -> None:
    decorated = decorate(function)
    for x in (0, 1, 2, 3.5, -1):
        compare(function, decorated, (x,))


def test_models_and_globals() -> None:
    compare(of_an_attribute, decorate(of_an_attribute), (Model(), 5))
    decorated = decorate(of_a_global)
    for _ in range(3):
        STATE.update(calls=0, total=0.0)
        expected = of_a_global([1.0, 2.0]), dict(STATE)
        STATE.update(calls=0, total=0.0)
        assert (decorated([1.0, 2.0]), STATE) == expected


LEARNING: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (parameters_in_a_dict, (X, Y, 50)),
    (parameters_in_a_list, (X, Y, 50)),
    (moments, (X, 60)),
    (counted, (100,)),
    (counted_by_branches, ("", 100)),
    (parameters_of_the_caller, ({"W": np.zeros(5), "b": 0.0}, X, Y, 50)),
    (of_an_attribute, (Model(), 500)),
]


@needs_compiler
@pytest.mark.parametrize(("function", "args"), LEARNING)
def test_their_loops_are_compiled(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    decorated = decorate(function)
    compare(function, decorated, args, tol=Tolerance(ulp=512, atol=1e-12))
    assert has_compiled_part(decorated)


def loss_of_a_dict(w, X, n):
    p = {"w": w * 1.0, "s": 0.0}
    for i in range(n):
        p["w"] = p["w"] - 0.1 * np.sin(p["w"]) * X[i]
        if i % 2:
            p["s"] += p["w"] @ p["w"]
    return p["s"]


def loss_of_a_list(w, X, n):
    p = [w * 1.0, 0.0]
    for i in range(n):
        for k in range(1):
            p[k] = p[k] * 0.9 + np.cos(X[i])
        p[1] = p[1] + p[0].sum() ** 2
    return p[1]


@pytest.mark.parametrize("loss", [loss_of_a_dict, loss_of_a_list])
def test_their_gradients_are_those_of_differences(loss: Callable[..., Any]) -> None:
    w, step = RNG.normal(size=5), 1e-6
    value, gradient = js.value_and_grad(loss)(w, X, 6)
    assert value == pytest.approx(loss(w, X, 6))
    for k in range(5):
        moved = np.eye(5)[k] * step
        slope = (loss(w + moved, X, 6) - loss(w - moved, X, 6)) / (2 * step)
        assert gradient[k] == pytest.approx(slope, rel=1e-6, abs=1e-6)


def pair_of_the_last_break(x, n):
    pair = None
    for i in range(n):
        for j in range(n):
            x[1] += 1
            if j > i:
                break
        else:
            continue
        pair = (1, j)
    return pair


def item_of_the_last_break(x, n):
    d = {"pair": None}
    for i in range(n):
        for j in range(n):
            x[1] += 1
            if j > i:
                break
        else:
            break
        d["pair"] = (i, j)
    return d


def early(v):
    s = 1
    for t in range(3):
        if v < t:
            return s
        s += 1
    return 5


def name_of_a_helper_s(s, w, n):
    total = 0.0
    for i in range(n):
        s["q"] = i
        total += w.sum()
        early(1)
    return total


@pytest.mark.parametrize("function", [pair_of_the_last_break, item_of_the_last_break])
def test_items_of_tuples_are_bound(function: Callable[..., Any]) -> None:
    decorated = decorate(function)
    for n in (0, 1, 2, 3, 5):
        compare(function, decorated, (np.zeros(3), n))


def test_a_dict_is_called_as_a_helper_s_variable() -> None:
    compare(name_of_a_helper_s, decorate(name_of_a_helper_s), ({"q": 0}, np.ones(2), 2))
