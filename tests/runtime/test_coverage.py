"""`js.coverage`: which lines of a plain call are compiled now, and how much of the time they take."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler

import jitscope as js

pytestmark = needs_compiler


def relax(u, steps):
    for _ in range(steps):
        new = u.copy()
        new[1:-1] = 0.5 * (u[:-2] + u[2:])
        u = new
    if steps < 0:
        u = -u
    return u


def squared(x):
    if x > 100.0:
        return 0.0
    return x * x


def with_helper(a):
    total = 0.0
    for i in range(a.size):
        total += squared(a[i])
    return total


def half_python(a, words):
    total = 0.0
    for i in range(a.size):
        total += a[i] * a[i]
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + len(word.split("e"))
    return total, counts


def swaps(a, b, n):
    for i in range(n):
        a, b = b, a
        if i % 2 == 0:
            a[i % 3] += 1.0
        else:
            pass
    return a


def draws(rng, a):
    a += rng.normal(size=a.size)
    return a.sum()


def over_lines(a):
    return np.sqrt(
        a * a
        + np.cos(a)
        + 2.0
    )  # fmt: skip


class Model:
    """Weights with a method."""

    def __init__(self) -> None:
        self.weights = np.ones(50)

    def loss(self, x):
        out = x * self.weights
        return (out * out).sum()


def state_of(found: Any, text: str) -> str:
    return next(line.state for line in found.lines if text in line.text)


def test_a_compiled_function_is_covered() -> None:
    found = js.coverage(relax, np.ones(500), 20)
    assert found.share > 0.99
    assert state_of(found, "u = new") == "compiled"  # no operation of its own: it runs as its loop
    assert state_of(found, "u = -u") == "not reached"
    assert sum(line.share for line in found.lines) == pytest.approx(1.0)
    assert found.seconds > 0


def test_each_line_has_its_share() -> None:
    def uneven(a):
        b = np.sort(a)
        return b[0]

    found = js.coverage(uneven, np.random.default_rng(0).random(100_000))
    assert next(line.share for line in found.lines if "np.sort" in line.text) > 0.9


def test_lines_of_helpers_count() -> None:
    found = js.coverage(with_helper, np.ones(300))
    assert found.share > 0.99
    assert state_of(found, "return x * x") == "compiled"
    assert state_of(found, "return 0.0") == "not reached"


def test_what_runs_as_python_is_told_apart() -> None:
    found = js.coverage(half_python, np.ones(500), ["Tree", "house"] * 200)
    assert state_of(found, "total += a[i]") == "compiled"
    assert state_of(found, "counts[word]") == "Python"
    assert 0.0 < found.share < 0.95


def test_statements_without_operations_run_as_what_they_stand_in() -> None:
    found = js.coverage(swaps, np.zeros(3), np.ones(3), 200)
    assert {line.state for line in found.lines} == {"compiled"}


def test_lines_of_one_statement_run_alike() -> None:
    found = js.coverage(over_lines, np.ones(5000))
    assert found.share > 0.99
    assert {line.state for line in found.lines} <= {"compiled", "not reached"}


def test_arguments_stay_as_they_are() -> None:
    rng, a = np.random.default_rng(3), np.zeros((20, 2))[:, 0]
    before = rng.bit_generator.state
    js.coverage(draws, rng, a)
    assert rng.bit_generator.state == before
    assert not a.any()


def test_views_of_one_memory_are_copied_as_such() -> None:
    seen = []

    def shares(a, b):
        seen.append((np.shares_memory(a, b), a.strides, b.flags.writeable))
        return a.sum() + b.sum()

    memory = np.arange(24.0).reshape(4, 6)
    other = memory[1:, 2]
    other.flags.writeable = False
    js.coverage(shares, memory[:, ::2], other)
    assert set(seen) == {(True, (48, 16), False)}


def test_what_can_not_be_copied_is_an_error() -> None:
    with pytest.raises(TypeError, match="pickle|copy"):
        js.coverage(lambda items: sum(items), (x for x in range(3)))


def test_a_low_share_is_an_error_with_strict() -> None:
    f: Any = js.function(half_python)
    a, words = np.ones(50), ["Tree", "house"] * 500
    with pytest.raises(js.JitscopeError) as met:
        f.coverage(a, words, strict=0.99)
    text = str(met.value)
    assert "half_python: " in text
    assert "of a plain call's time is compiled, less than 99%" in text
    assert "--> test_coverage.py:" in text
    assert "so:  this line takes" in text
    assert "try: " in text
    assert f.coverage(a, words, strict=0.0).share < 0.99
    with pytest.raises(ValueError, match="from 0 to 1"):
        f.coverage(a, words, strict=90)


def test_decorated_functions_methods_and_partials() -> None:
    f: Any = js.function(with_helper)
    assert f.coverage(np.ones(300)).share > 0.99
    assert js.coverage(f, a=np.ones(300)).share > 0.99
    assert js.coverage(Model().loss, np.ones(50)).function == "Model.loss"
    half = functools.partial(relax, steps=20)
    assert js.coverage(half, np.ones(500)).share > 0.99
    decorated: Any = js.function(half)
    assert decorated.coverage(np.ones(500)).share > 0.99


def test_what_has_no_plain_run_is_an_error() -> None:
    with pytest.raises(TypeError, match="a Python function"):
        js.coverage(len, [1])
    with pytest.raises(TypeError, match="derivative"):
        js.coverage(js.grad(squared), 2.0)


def test_exceptions_are_those_of_the_function() -> None:
    def fails(a):
        return a[10]

    with pytest.raises(IndexError, match="out of bounds"):
        js.coverage(fails, np.ones(3))


def test_the_text_shows_lines_with_shares_and_states() -> None:
    text = str(js.coverage(relax, np.ones(500), 20))
    first, _, *lines = text.splitlines()
    assert first.startswith("relax: 100% of the ")
    assert any("compiled" in line and "| " in line and "new = u.copy()" in line for line in lines)
    assert any("not reached" in line for line in lines)


def test_explain_shows_the_shares() -> None:
    f: Any = js.function(relax)
    text = f.explain(np.ones(500), 20, coverage=True)
    assert "cluster_0: compiled" in text
    assert "relax: 100% of the " in text


def test_a_parameter_may_be_called_coverage() -> None:
    def scaled(coverage):
        return coverage * 2.0

    f: Any = js.function(scaled)
    assert "scaled(coverage: f64[:])" in f.explain(coverage=np.ones(3))


def test_compiled_code_that_gives_up_counts_as_python() -> None:
    def huge(n):
        x = 1
        for _ in range(n):
            x = x * 3 + 1
        return x

    f: Any = js.function(huge)
    f(5)
    found = f.coverage(2000)
    assert found.share < 0.5
