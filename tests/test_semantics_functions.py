"""A decorated function is still a function: name, pickling, methods, threads, other callables."""

from __future__ import annotations

import asyncio
import copy
import functools
import inspect
import pickle
import threading
import traceback

import decorated_functions as module
import numpy as np
import pytest
from compiled import needs_compiler
from decorated_functions import Filter, Louder
from same import IDENTITY, decorate


def test_name_doc_and_signature_are_kept() -> None:
    f = module.scaled
    assert f.__name__ == "scaled"
    assert f.__qualname__ == "scaled"
    assert f.__module__ == "decorated_functions"
    assert f.__doc__ == "Scale an array."
    assert f.__annotations__["k"] == "float"
    assert (
        str(inspect.signature(f))
        == "(a: 'np.ndarray', k: 'float' = 3.0, *, shift: 'int' = 0) -> 'np.ndarray'"
    )
    assert inspect.unwrap(f).__code__.co_name == "scaled"
    assert Filter.apply.__name__ == "apply"
    assert Filter.apply.__qualname__ == "Filter.apply"
    assert callable(f)


@needs_compiler
def test_python_function_is_the_plain_one() -> None:
    plain = module.scaled.python_function
    assert inspect.isfunction(plain)
    np.testing.assert_array_equal(plain(np.ones(2)), module.scaled(np.ones(2)))


def test_pickled_by_name() -> None:
    again = pickle.loads(pickle.dumps(module.scaled))
    assert again is module.scaled
    assert copy.deepcopy(module.scaled) is module.scaled


def test_function_of_functions_tools() -> None:
    partial = functools.partial(module.scaled, k=2.0)
    np.testing.assert_array_equal(partial(np.ones(2), shift=1), np.full(2, 5.0))
    assert list(map(module.countdown, [1, 2, 3])) == [1, 3, 6]


def test_keywords_and_defaults() -> None:
    a = np.arange(3.0)
    for result in (module.scaled(a, 4.0), module.scaled(a=a, k=4.0), module.scaled(a, k=4.0, shift=0)):
        np.testing.assert_array_equal(result, a * 4 * 2)
    with pytest.raises(TypeError, match=r"missing 1 required positional argument: 'a'"):
        module.scaled()
    with pytest.raises(TypeError, match="unexpected keyword argument 'wrong'"):
        module.scaled(a, wrong=1)


def test_decorated_calls_decorated() -> None:
    np.testing.assert_array_equal(module.calls_decorated(np.ones(3)), np.full(3, 8.0))


def test_decorated_calls_itself() -> None:
    assert module.countdown(10) == 55
    assert module.countdown(0) == 0


def test_generators_and_coroutines_stay_what_they_are() -> None:
    assert list(module.generates(3)) == [0, 2, 4]
    assert asyncio.run(module.awaits(1)) == 2


def test_methods() -> None:
    f = Filter(np.array([1.0, 2.0]))
    assert f.apply(np.ones(2)) == 6.0
    assert Filter.apply(f, np.ones(2)) == 6.0
    assert f.calls == 2
    assert f.update(np.array([1.0, 5.0])) is f
    np.testing.assert_array_equal(f.weights, [2.0, 7.0])
    assert f.last == 5.0
    assert f.total == 9.0
    assert f(3.0) == 6.0
    np.testing.assert_array_equal(f.half(np.ones(2)), [0.5, 0.5])
    np.testing.assert_array_equal(Filter.gained(np.ones(2)), [2.0, 2.0])
    assert Louder(np.ones(2)).apply(np.ones(2)) == 21.0
    np.testing.assert_array_equal(Louder.gained(np.ones(2)), [10.0, 10.0])


def test_bound_methods_are_values() -> None:
    f = Filter(np.array([1.0, 2.0]))
    bound = f.apply
    f.weights = np.array([10.0, 20.0])
    assert bound(np.ones(2)) == 60.0
    assert bound.__self__ is f
    assert bound.__name__ == "apply"
    assert bound.__doc__ == "Weigh an array."


def test_methods_of_instances_with_unlike_attributes() -> None:
    for weights in (np.ones(2), np.ones(2, np.float32), 3, 2.5, np.ones((2, 2))):
        f = Filter(weights)
        want = (np.ones(2) * weights * 2.0).sum()
        got = f.apply(np.ones(2))
        assert got == want
        assert type(got) is type(want)


def test_class_attribute_changed_between_calls() -> None:
    f = Filter(np.ones(2))
    assert f.apply(np.ones(2)) == 4.0
    f.gain = 5
    assert f.apply(np.ones(2)) == 10.0
    Filter.gain, old = 7.0, Filter.gain
    try:
        assert Filter(np.ones(2)).apply(np.ones(2)) == 14.0
    finally:
        Filter.gain = old


@needs_compiler
def test_bare_decorator_and_decorator_with_options() -> None:
    import jitscope as js

    def f(x):
        return x * 2 + 1

    for g in (js.function(f), js.function()(f), js.function(jit_level="off")(f), js.function(f, cache=False)):
        assert g(3) == 7
        np.testing.assert_array_equal(g(np.ones(2)), [3.0, 3.0])


def test_one_object_takes_arguments_of_many_types() -> None:
    def f(x, y):
        return x * y + x

    g = decorate(f)
    values = (
        2,
        2.5,
        True,
        1j,
        np.float32(1.5),
        np.int64(3),
        np.ones(2),
        np.ones((2, 1), np.float32),
        "ab",
        [1],
    )
    for x in values:
        for y in (2, np.int64(3)):
            want, got = _outcome(f, x, y), _outcome(g, x, y)
            assert repr(want) == repr(got)


def _outcome(f, *args):
    try:
        return f(*args)
    except Exception as error:  # noqa: BLE001
        return type(error), str(error)


def test_threads_call_for_the_first_time_together() -> None:
    def f(a, n):
        s = 0.0
        for i in range(n):
            s += (a * i).sum()
        return s, a + s

    g = decorate(f)
    start = threading.Barrier(8)
    results: list = [None] * 8

    def work(k):
        start.wait()
        results[k] = [g(np.arange(k + 2.0), n) for n in (3, 4)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=100)
    for k in range(8):
        for n, (total, array) in zip((3, 4), results[k], strict=True):
            want_total, want_array = f(np.arange(k + 2.0), n)
            assert total == want_total
            np.testing.assert_array_equal(array, want_array)
    if not IDENTITY:
        assert len(g.specializations) == 1


def test_threads_call_different_functions() -> None:
    def make(k):
        def f(a):
            return (a * k).sum() + k

        return f

    plain = [make(k) for k in range(6)]
    decorated = [decorate(f) for f in plain]
    results: dict = {}

    def work(k):
        results[k] = decorated[k](np.arange(5.0))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=100)
    assert results == {k: f(np.arange(5.0)) for k, f in enumerate(plain)}


def test_callback_calls_the_function_again() -> None:
    @decorate
    def f(a, tell):
        b = a * 2
        if tell is not None:
            b = b + tell(b)
        return b

    np.testing.assert_array_equal(f(np.ones(2), lambda b: f(b, None)), [6.0, 6.0])


def test_traceback_shows_the_users_line() -> None:
    @decorate
    def f(a, i):
        b = a * 2
        return b[i]  # the faulty line

    with pytest.raises(IndexError) as caught:
        f(np.ones(2), 5)
    text = "".join(traceback.format_exception(caught.value))
    assert "the faulty line" in text
    assert "test_semantics_functions.py" in text


def test_repeated_failures_leave_the_function_usable() -> None:
    @decorate
    def f(a, i):
        a[0] = i
        return a[i]

    for _ in range(3):
        with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3"):
            f(np.zeros(3), 7)
        assert f(np.zeros(3), 0) == 0.0
