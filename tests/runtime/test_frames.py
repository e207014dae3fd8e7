"""What looks at frames sees those of plain Python; a recursion that plain Python finishes ends."""

from __future__ import annotations

import asyncio
import inspect
import logging
import sys
import time
import warnings
from typing import Any

import numpy as np
import pytest

import jitscope as js

LOG = logging.getLogger("jitscope.tests.frames")
X = np.arange(5.0)


def helped(v):
    if v > 1:
        warnings.warn("helped")
    return v


def compiled_and_warns(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * i
    warnings.warn("one")
    warnings.warn("two", RuntimeWarning, stacklevel=2)
    LOG.warning("three %s", 1)
    LOG.warning("four", stacklevel=2)
    logging.getLogger(LOG.name).info("five")
    return helped(s)


def plain_and_warns(x):
    warnings.warn("one", stacklevel=2)
    LOG.warning("two")
    LOG.warning("three", stacklevel=2)
    return str(x)


def summed(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * i
    return s


def says_two_up():
    warnings.warn("of the caller", stacklevel=2)
    warnings.warn("of its caller", stacklevel=3)
    warnings.warn("of its caller, by position", RuntimeWarning, 3)
    LOG.warning("of its caller", stacklevel=3)


def by_a_helper(x):
    s = summed(x)
    says_two_up()
    return s


def by_position(x):
    s = summed(x)
    warnings.warn("by position", UserWarning, 2)
    warnings.warn("with a source", ResourceWarning, 2, None)
    return s


def by_a_helper_while_it_is_plain(x, k=1, *, m=2):
    warnings.warn("by position", UserWarning, 2)
    says_two_up()
    return str(x)


def by_a_function_inside(x):
    def tell(v):
        warnings.warn("inside", stacklevel=2)
        warnings.warn("further", stacklevel=3)
        return v

    s = summed(x)
    return tell(s)


def by_a_lambda(x):
    tell = lambda v: warnings.warn("inside", stacklevel=2)  # noqa: E731
    s = summed(x)
    tell(s)
    return s


def by_one_inside_of_another(x):
    def outer(v):
        def inner(w):
            warnings.warn("inside", UserWarning, 2)
            return w

        w = inner(v)
        return w

    s = summed(x)
    return outer(s)


def by_a_record_from_inside(x):
    def tell(v):
        LOG.warning("inside")
        return v

    s = summed(x)
    return tell(s)


def by_itself_from_inside(x):
    def tell(v):
        warnings.warn("inside")
        return v

    s = summed(x)
    return tell(s)


def calls(f, x):
    return f(x)


def seen(f: Any, x: Any, caplog: pytest.LogCaptureFixture) -> Any:
    """The result, and what was said from where."""
    caplog.clear()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = calls(f, x)
    told = [(str(w.message), w.category, w.filename, w.lineno) for w in caught]
    return result, told, [(r.getMessage(), r.pathname, r.lineno, r.funcName) for r in caplog.records]


LEVELS = (
    by_a_helper,
    by_position,
    by_a_helper_while_it_is_plain,
    by_a_function_inside,
    by_a_lambda,
    by_one_inside_of_another,
    by_a_record_from_inside,
    by_itself_from_inside,
)


@pytest.mark.parametrize(
    ("f", "x"),
    [(compiled_and_warns, X), (plain_and_warns, "a"), (plain_and_warns, [1]), *((f, X) for f in LEVELS)],
)
def test_warnings_and_records_name_the_users_line(f: Any, x: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, LOG.name)
    decorated = js.function(f)
    wanted = seen(f, x, caplog)
    for _ in range(3):
        assert seen(decorated, x, caplog) == wanted


def test_a_warning_is_told_once_for_each_place() -> None:
    decorated = js.function(compiled_and_warns)
    globals().pop("__warningregistry__", None)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.filterwarnings("default", module=__name__)
        for _ in range(3):
            decorated(X)
    assert [str(w.message) for w in caught] == ["one", "two", "helped"]


@js.function
def generates(n):
    yield from range(n)


@js.function
async def waits(n):
    return n


@js.function
async def generates_waiting(n):
    yield n


@js.function
def asks():
    return sys._getframe(1).f_lineno, inspect.stack()[1].lineno


def test_generators_and_coroutines_are_what_they_are() -> None:
    assert inspect.isgeneratorfunction(generates)
    assert inspect.iscoroutinefunction(waits)
    assert inspect.isasyncgenfunction(generates_waiting)
    assert (list(generates(3)), asyncio.run(waits(4))) == ([0, 1, 2], 4)
    assert "generator" in generates.explain()


def test_a_function_that_looks_at_its_caller_finds_it() -> None:
    assert asks() == (inspect.currentframe().f_lineno,) * 2


@js.function
def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


@js.function
def depth_with_list(n, xs):
    return xs if n == 0 else depth_with_list(n - 1, xs)


@js.function
def even(n):
    return True if n == 0 else odd(n - 1)


@js.function
def odd(n):
    return False if n == 0 else even(n - 1)


@js.function
def refused(n):
    import math

    return math.floor(0.5) if n == 0 else 1 + refused(n - 1)


@js.function
def driven(x, n):
    if n == 0:
        return x
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i]
    return driven(x + s * 1e-9, n - 1)


class Steps:
    @js.function
    def down(self, n):
        return self if n == 0 else self.down(n - 1)


def test_a_recursion_that_plain_python_finishes_ends() -> None:
    steps = Steps()
    room = sys.getrecursionlimit() - len(inspect.stack()) - 60
    for n in (5, room, room - 1):
        assert depth(n) == n
        assert depth_with_list(n, [1]) == [1]
        assert even(n) is (n % 2 == 0)
        assert refused(n) == n
        assert steps.down(n) is steps
        assert driven(X, n).shape == X.shape


def test_a_plain_function_of_a_list_costs_what_it_costs() -> None:
    def first(xs):
        import math

        return math.floor(xs[0])

    def best(f: Any) -> float:
        times = []
        for _ in range(3000):
            start = time.perf_counter()
            f(numbers)
            times.append(time.perf_counter() - start)
        return min(times)

    numbers = [1.5] * 100
    decorated = js.function(first)
    for _ in range(20):
        decorated(numbers)
    assert best(decorated) < best(first) + 1e-6  # 0.4 µs, and room for busy machines
    assert [decorated([2.5] * k) for k in range(1, 70)] == [2] * 69
