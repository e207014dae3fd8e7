"""`with np.errstate(...)`: the same values, warnings and state, and what can be compiled is."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import explanation, has_compiled_part, needs_compiler
from numeric_gradients import assert_close, gradient
from same import difference, observe, same

import jitscope as js

X = np.array([0.5, -1.0, 2.0, 0.0, 3.0, -0.25] * 20)
Y = np.array([0.0, 1.0, -2.0, 0.0, 4.0] * 24)


def heard(f: Callable[..., Any], *args: Any) -> tuple[list[str], Any]:
    """What a call warns of, and what comes of it."""
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="warn"):
        warnings.simplefilter("always")
        try:
            value = f(*args)
        except Exception as error:  # noqa: BLE001 (any exception is an outcome)
            value = error
        assert set(np.geterr().values()) == {"warn"}
    return [str(warning.message) for warning in caught], value


def alike(f: Callable[..., Any], *args: Any) -> Callable[..., Any]:
    """Values and warnings of three calls are those of the plain function; gives the decorated one."""
    decorated = js.function(f)
    wanted, _ = heard(f, *args)
    for _ in range(3):
        found, _ = heard(decorated, *args)
        assert found == wanted
        found_outcome, outcome = observe(decorated, (args, {})), observe(f, (args, {}))
        assert difference(outcome, found_outcome) is None
    return decorated


def quotient(x, y):
    with np.errstate(divide="ignore", invalid="ignore"):
        q = x / y
    return np.where(y == 0, 0.0, q)


def left_to_numpy(x, y):
    """A ufunc that is told what to do with subclasses has no kernel."""
    s = x * 2 + y
    with np.errstate(invalid="ignore"):
        c = np.arccosh(s, subok=False)
        d = np.arccosh(y, subok=False) + c
    return d * s


def only_one_kind(x, y):
    with np.errstate(divide="ignore"):
        a = np.arccosh(x, subok=False) + np.arctanh(y, subok=False)
    return a + x


def nested(x, y):
    with np.errstate(invalid="ignore"):
        a = np.arccosh(x, subok=False)
        with np.errstate(divide="ignore"):
            b = np.arctanh(np.sign(y), subok=False) + np.arctanh(y, subok=False)
        c = np.arctanh(np.sign(x), subok=False)
    return a, b, c


def one_statement_with_two(x, y):
    with np.errstate(divide="ignore"), np.errstate(invalid="ignore", over="ignore"):
        return np.arctanh(x, subok=False) + np.arccosh(y, subok=False)


def afterwards(x, y):
    with np.errstate(all="ignore"):
        a = np.arccosh(x, subok=False) * 2
    return np.arccosh(y, subok=False) + a


def before_and_inside(x, y):
    a = np.arccosh(x, subok=False)
    with np.errstate(all="ignore"):
        b = np.arccosh(y, subok=False) + a
    return b


def returns_from_inside(x, y):
    with np.errstate(all="ignore"):
        if x[0] > 0:
            return np.arccosh(x, subok=False) * y
        z = x / y
    return z + 1


def loops_inside(x, y, n):
    total = np.zeros_like(x)
    with np.errstate(all="ignore"):
        for k in range(n):
            if k == 7:
                break
            if k % 3 == 1:
                continue
            total += np.log(x + k) / (y - k)
    return total


def loops_outside(x, y, n):
    total = np.zeros_like(x)
    for k in range(n):
        with np.errstate(divide="ignore", invalid="ignore"):
            q = x / (y - k)
            if k == 5:
                break
            if k == 2:
                continue
        total += np.where(np.isfinite(q), q, 0.0)
    return total


def numbers_in_a_loop(x, y):
    total = 0.0
    with np.errstate(all="ignore"):
        for i in range(len(x)):
            q = x[i] / y[i]
            if not np.isnan(q) and abs(q) != np.inf:
                total += q
    return total


def helper(x):
    return np.arccosh(x, subok=False) + 1


def calls_a_helper(x, y):
    with np.errstate(invalid="ignore"):
        a = helper(x)
    return a + helper(np.abs(y) + 1)


quiet_callee = js.function(quotient)
callee = js.function(helper)


def calls_decorated_functions(x, y):
    with np.errstate(invalid="ignore"):
        a = callee(x)
    return a + quiet_callee(x, y)


def raises_inside(x, y):
    with np.errstate(all="ignore"):
        a = np.arccosh(x, subok=False) / y
        if np.isnan(a[0]):
            raise ValueError("no number")
    return a


def wrong_shapes_inside(x, y):
    with np.errstate(all="ignore"):
        a = np.arccosh(x, subok=False)
        return a + y[:7]


def writes_inside(x, y):
    out = np.zeros(len(x), int)
    with np.errstate(all="ignore"):
        out[:] = np.arccosh(x, subok=False) * 0 + y
        y /= x
    return out


def named_state(x, y):
    state = np.errstate(all="ignore")
    with state as nothing:
        a = np.arccosh(x, subok=False) / y
    return a, nothing


def opaque_inside(x, y):
    with np.errstate(divide="ignore"):
        state = sorted(np.geterr().items())
        a = x / y
    return a, state, sorted(np.geterr().items())


PROGRAMS = [
    (quotient, X, Y),
    (left_to_numpy, X, Y),
    (only_one_kind, X, Y),
    (nested, X, Y),
    (one_statement_with_two, X, Y),
    (afterwards, X, Y),
    (before_and_inside, X, Y),
    (returns_from_inside, X, Y),
    (returns_from_inside, X[1:], Y[1:]),
    (numbers_in_a_loop, X, Y),
    (calls_a_helper, X, Y),
    (calls_decorated_functions, X, Y),
    (raises_inside, X[1:], Y[1:]),
    (raises_inside, X + 4, Y + 1),
    (wrong_shapes_inside, X, Y),
    (named_state, X, Y),
]


@pytest.mark.parametrize(("f", "x", "y"), PROGRAMS, ids=lambda p: getattr(p, "__name__", ""))
def test_values_and_warnings_are_those_of_the_plain_function(f, x, y):
    """Compiled code says nothing: plain functions that warn of it do so of what NumPy is left with."""
    decorated, wanted = js.function(f), heard(f, x, y)[0]
    for _ in range(3):
        found = heard(decorated, x, y)[0]
        assert [w for w in wanted if "arc" in w] == found
    same(f, x, y)


@pytest.mark.parametrize("f", [quotient, left_to_numpy, nested, afterwards, calls_decorated_functions])
def test_it_does_not_make_a_function_plain(f):
    alike(f, X, Y)


@pytest.mark.parametrize("f", [loops_inside, loops_outside])
@pytest.mark.parametrize("n", [0, 1, 4, 20])
def test_loops_and_jumps(f, n):
    alike(f, X, Y, n)


def test_writes_and_casts_inside():
    same(writes_inside, X, Y)
    assert heard(js.function(writes_inside), X.copy(), Y.copy())[0] == []


@pytest.mark.parametrize("f", [opaque_inside])
def test_what_asks_for_the_state_sees_it(f):
    wanted, found = heard(f, X, Y)[1], heard(js.function(f), X, Y)[1]
    assert wanted[1:] == found[1:]


@needs_compiler
@pytest.mark.parametrize(
    ("f", "args"),
    [
        (quotient, (X, Y)),
        (loops_inside, (X, Y, 20)),
        (loops_outside, (X, Y, 20)),
        (numbers_in_a_loop, (X, Y)),
    ],
)
def test_blocks_are_compiled(f, args):
    decorated = js.function(f)
    decorated(*args)
    assert has_compiled_part(decorated)
    assert "runs as" not in explanation(decorated)
    assert "errstate" not in decorated.specializations[-1].text.split("def ", 1)[1]


@needs_compiler
def test_neighbours_share_one_statement():
    decorated = js.function(left_to_numpy)
    with np.errstate(all="ignore"):
        decorated(X, Y)
    assert decorated.specializations[-1].text.count("with np.errstate(") == 1


def raising(x, y):
    with np.errstate(divide="raise"):
        return x / y


def called(x, y):
    with np.errstate(all="call", call=print):
        return x + y


def warned(x, y):
    with np.errstate(divide="warn"):
        return x / y


def chosen(x, y, kind):
    with np.errstate(divide=kind):
        return x / y


def entered_twice(x, y):
    state = np.errstate(divide="ignore")
    with state:
        a = x / y
    with state:
        return a + x / y


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (raising, (X, Y)),
        (raising, (X, Y + 10)),
        (called, (X, Y)),
        (warned, (X, Y)),
        (chosen, (X, Y, "ignore")),
        (chosen, (X, Y, "warn")),
        (chosen, (X, Y, "raise")),
        (entered_twice, (X, Y)),
    ],
    ids=lambda p: getattr(p, "__name__", ""),
)
def test_other_states_stay_as_they_are(f, args):
    wanted, found = heard(f, *args), heard(js.function(f), *args)
    assert wanted[0] == found[0]
    assert repr(wanted[1]) == repr(found[1])


def test_a_state_is_a_value_like_others():
    def f(x):
        return np.errstate(all="ignore"), x + 1

    state, y = js.function(f)(X)
    assert isinstance(state, np.errstate)
    np.testing.assert_array_equal(y, X + 1)


def safe_log(x, y):
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = np.where(x > 0, np.log(np.abs(x) + 0.1), 0.0) / (y * y + 1)
    return (inside * x).sum()


def safe_loop(x, y):
    total = 0.0
    for k in range(3):
        with np.errstate(all="ignore"):
            q = np.arcsinh(x * k) / (1 + y * y)
            total = total + (q * q).sum()
    return total


@pytest.mark.parametrize("f", [safe_log, safe_loop])
def test_gradients_go_through(f):
    x, y = np.linspace(0.2, 1.7, 9), np.linspace(-1, 1, 9)
    for at in range(2):
        expected = gradient(f, (x, y), at)
        found = js.value_and_grad(f, argnums=at)(x, y)
        np.testing.assert_allclose(found[0], f(x, y), rtol=1e-13)
        assert_close(found[1], expected, rtol=1e-5)


def test_gradients_of_what_is_quiet_are_quiet():
    def f(x):
        with np.errstate(all="ignore"):
            return np.arccosh(x, subok=False).sum()

    assert heard(js.grad(f), X)[0] == []
