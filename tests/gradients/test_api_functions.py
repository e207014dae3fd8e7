"""Derived functions are functions: specialised, compiled, kept on disk, explained."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import jitscope as js

X = np.linspace(-1.0, 2.0, 7)
RATE = 2.0


def scaled(x):
    return x * RATE


def loss(x, k):
    total = np.sum(np.tanh(scaled(x)) * k)
    return total


def slope(x, k):
    return RATE * k * (1 - np.tanh(RATE * x) ** 2)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Path]:
    """An empty cache folder."""
    before = js.config.cache_dir
    js.config.cache_dir = tmp_path / "cache"
    yield tmp_path / "cache"
    js.config.cache_dir = before


def test_warm_start_does_not_trace(cache):
    def fresh():
        def plain(x, k):
            return np.sum(np.exp(x * k) * RATE)

        return js.value_and_grad(plain, argnums=(0, 1))

    counters = js.config.counters
    first = fresh()(X, 0.5)
    traces, loads, compilations = counters.traces, counters.loads, counters.compilations
    second = fresh()(X, 0.5)
    assert (counters.traces, counters.loads, counters.compilations) == (traces, loads + 1, compilations)
    assert first[0] == second[0]
    np.testing.assert_array_equal(first[1][0], second[1][0])
    assert first[1][1] == second[1][1]


def test_what_was_kept_is_checked(cache):
    global RATE

    def fresh(argnums=0):
        def plain(x, k):
            return np.sum(np.exp(x * k)) * scaled(k)

        return js.grad(plain, argnums)

    fresh()(X, 0.5)
    traces = js.config.counters.traces
    assert isinstance(fresh(1)(X, 0.5), float)
    assert js.config.counters.traces == traces + 1


def test_new_types_make_new_specialisations_and_new_sizes_none():
    gradient = js.grad(lambda x: np.sum(x * x))
    gradient(X)
    gradient(X[:3])
    assert len(gradient.specializations) == 1
    gradient(X.astype(np.float32))
    gradient({"a": X}["a"][::2])
    assert len(gradient.specializations) == 3
    with pytest.raises(TypeError):
        gradient(3)
    assert len(gradient.specializations) == 3


def test_more_specialisations_than_are_kept_still_work():
    power = js.grad(js.function(lambda x, n: np.sum(x**n), static_argnames=("n",), jit_level="off"))
    for n in range(70):
        np.testing.assert_allclose(power(X, float(n)), n * X ** (n - 1.0) if n else 0 * X, rtol=1e-12)


def test_explain_and_to_code():
    gradient = js.grad(loss)
    report = gradient.explain(X, 0.5)
    assert report.startswith("grad of loss(x: f64[:], k: float)  test_api_functions.py:")
    assert "cluster_0: compiled" in report
    module = js.to_code(gradient, X, 0.5, stage="module")
    assert "def grad_loss(x, k" in module
    assert "transforms=grad(argnums=0)" in module
    assert "graph grad_loss(" in js.to_code(gradient, js.ArraySpec((None,)), 0.5, stage="graph")
    assert js.to_code(gradient, stage="staged") == js.to_code(loss, stage="staged")
    assert "has no derivative" in js.grad(lambda x: float(str(x))).explain(2.0)
    assert "argument 'x' is an int" in js.grad(lambda x: x).explain(2)


def test_options_of_the_decorator_around_a_derivative():
    plain = js.function(js.grad(loss), jit_level="off")
    np.testing.assert_allclose(plain(X, 0.5), slope(X, 0.5), rtol=1e-14)
    assert plain.specializations[0].clusters == ()
    compiled = js.function(js.grad(loss), strict=True)
    np.testing.assert_allclose(compiled(X, 0.5), slope(X, 0.5), rtol=1e-14)
    assert compiled.specializations[0].clusters
    found = compiled.get_concrete_function(X, 0.5)
    np.testing.assert_allclose(found(X, 0.5), slope(X, 0.5), rtol=1e-14)


def test_disable_stops_compiling_and_not_differentiating():
    gradient = js.grad(loss)
    js.config.disable = True
    try:
        np.testing.assert_allclose(gradient(X, 0.5), slope(X, 0.5), rtol=1e-14)
        assert gradient.specializations[-1].clusters == ()
    finally:
        js.config.disable = False
    np.testing.assert_allclose(gradient(X, 0.5), slope(X, 0.5), rtol=1e-14)


def test_keyword_arguments_and_defaults():
    def powers(x, *rest, n=2.0, **more):
        total = np.sum(x**n)
        for item in rest:
            total += np.sum(item)
        return total + more["c"]

    gradient = js.grad(powers, argnums=(0, 2))
    first, third = gradient(X, X, X, n=3.0, c=1.0)
    np.testing.assert_allclose(first, 3 * X**2)
    np.testing.assert_array_equal(third, np.ones(7))
    with pytest.raises(TypeError, match="argnums=2, but the call has 1"):
        gradient(X)
    np.testing.assert_allclose(js.grad(loss)(k=0.5, x=X), slope(X, 0.5), rtol=1e-14)


def test_threads_share_a_derivative():
    gradient, results = js.grad(lambda x: np.sum(np.cosh(x))), []

    def run():
        results.append(gradient(X))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    for found in results:
        np.testing.assert_allclose(found, np.sinh(X), rtol=1e-14)


def test_derivatives_as_arguments_and_in_containers():
    @js.function
    def descend(gradient, x, steps):
        for _ in range(steps):
            x = x - 0.1 * gradient(x)
        return x

    def bowl(x):
        return np.sum(x * x)

    np.testing.assert_allclose(descend(js.grad(bowl), X, 3), X * 0.8**3, rtol=1e-14)
    np.testing.assert_allclose(descend(bowl, X, 1), X - 0.1 * np.sum(X * X), rtol=1e-14)
    assert not descend.__jitscope__.plain_reasons


TRANSFORMED = js.grad(loss)


def test_a_derivative_that_is_rebound_is_seen():
    global TRANSFORMED

    @js.function
    def use(x):
        return TRANSFORMED(x, 0.5) * 1.0

    np.testing.assert_allclose(use(X), slope(X, 0.5), rtol=1e-14)
    before = TRANSFORMED
    try:
        TRANSFORMED = js.grad(loss, argnums=1)
        assert use(X) == pytest.approx(np.sum(np.tanh(RATE * X)), rel=1e-14)
    finally:
        TRANSFORMED = before
    np.testing.assert_allclose(use(X), slope(X, 0.5), rtol=1e-14)


def test_function_that_falls_back_runs_the_derivative_by_itself():
    @js.function
    def outer(x, log):
        log.append(js.grad(loss)(x, 0.5))
        return type("T", (), {"x": x})

    log = []
    outer(X, log)
    np.testing.assert_allclose(log[0], slope(X, 0.5), rtol=1e-14)


def test_gradients_in_a_function_that_falls_back_says_why():
    @js.function
    def outer(x):
        def numbers():
            yield 1.0

        y = np.sum(x * next(numbers()))
        return js.gradients(y, x)

    with pytest.raises(RuntimeError, match="runs as plain Python, as"):
        outer(X)


def cubes(x):
    return np.sum(x**3)


def decorated_where_it_is_called(x):
    return js.function(js.grad(cubes), jit_level="off")(x) + js.grad(js.function(cubes))(x)


def named_where_it_is_called(x):
    g = js.function(cubes)
    return g(x) * 2


def test_functions_decorated_inside_are_part_of_the_trace():
    x = np.array([0.5, 1.0, -2.0])
    np.testing.assert_allclose(decorated_where_it_is_called(x), 6 * x**2, rtol=1e-14)
    np.testing.assert_allclose(js.function(decorated_where_it_is_called)(x), 6 * x**2, rtol=1e-14)
    np.testing.assert_allclose(
        js.grad(lambda x: np.sum(decorated_where_it_is_called(x)))(x), 12 * x, rtol=1e-14
    )
    np.testing.assert_allclose(js.grad(named_where_it_is_called)(x), 6 * x**2, rtol=1e-14)
