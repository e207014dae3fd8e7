"""What NumPy's functions give is known for arrays of any size, and where only the run tells the size."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler
from same import IDENTITY, Tolerance, compare, decorate

import jitscope as js

pytestmark = pytest.mark.skipif(IDENTITY, reason="asks the compiler about itself")

EXPRESSIONS = """
np.interp(a, a, a)
np.convolve(a, a[:10])
np.searchsorted(a, a[5:])
np.cumsum(a)[1:]
np.ones(3) * np.median(a)
np.linalg.solve(m, m[0])
np.asfortranarray(m).sum(axis=0)
np.digitize(a, a[:5])
np.cov(m)[0]
np.percentile(a, [5, 50])
np.bincount(k)
a[k]
a[a > 5]
m.T.sum(axis=0)
np.partition(a, 1000)
np.append(a, a[3:])
"""


def program(expression: str, result: str = "s") -> Callable[..., Any]:
    text = f"def f(a, m, k):\n    b = {expression}\n    s = 0.0\n    for i in range(len(b)):\n"
    text += f"        s += b[i] * (a[i] + i)\n    return s, {result}\n"
    place = f"<{expression}>"
    linecache.cache[place] = len(text), None, text.splitlines(keepends=True), place
    names: dict[str, Any] = {"np": np}
    exec(compile(text, place, "exec"), names)
    found: Callable[..., Any] = names["f"]
    return found


def arguments(n: int) -> tuple[Any, ...]:
    m = np.eye(n) + 0.01 * np.arange(n * n).reshape(n, n) / n**2
    return np.arange(float(n * n)), m, np.arange(n * n)


@needs_compiler
@pytest.mark.parametrize("expression", EXPRESSIONS.strip().splitlines())
def test_loops_over_what_numpy_makes_are_compiled_whatever_the_size(expression: str) -> None:
    f = program(expression)
    decorated = decorate(f)
    for n in (300, 40):
        compare(f, decorated, arguments(n), calls=1, tol=Tolerance(ulp=4))
    assert decorated.specializations[0].clusters


@needs_compiler
def test_its_size_is_that_of_another_array() -> None:
    @js.function
    def f(a, b):
        c = np.interp(a, b, b) * a  # of one length: one nest
        total = 0.0
        for i in range(len(a)):
            total += c[i] * a[i]
        return total

    a = np.linspace(0, 1, 100_000)
    assert f(a, a) == f.python_function(a, a)
    assert "runs as NumPy, line 4: c" not in f.explain()
    assert "multiply" in str(f.specializations[0].report.members)


def windows(S, b):
    u = S.T
    S[:, :3] = b[:, None] - S[1][1:4] + b[len(b) - 3 :][:1]
    return u.mean()


def test_derivatives_of_sizes_that_only_the_run_tells() -> None:
    S, b = np.arange(64.0).reshape(8, 8), np.arange(8.0)
    value, (by_s, by_b) = js.value_and_grad(windows, argnums=(0, 1))(S.copy(), b)
    assert value == windows(S.copy(), b)
    for k in range(8):
        step = np.eye(8)[k] * 0.5
        slope = windows(S.copy(), b + step) - windows(S.copy(), b - step)
        np.testing.assert_allclose(by_b[k], slope)
        step = np.eye(8)[1] * np.eye(8)[k][:, None] * 0.5
        np.testing.assert_allclose(by_s[k, 1], windows(S + step, b) - windows(S - step, b), atol=1e-13)


SEVERAL = """
np.histogram(a, 10)
np.histogram(a, bins=12, range=(0.0, 9.0))
np.histogram2d(a, a[::-1], 4)
np.unique(k, return_counts=True)
np.modf(a / 3)
np.divmod(a, 3.0)
"""


@needs_compiler
@pytest.mark.parametrize("expression", SEVERAL.strip().splitlines())
def test_each_array_of_a_tuple_has_a_type(expression: str) -> None:
    text = f"def f(a, m, k):\n    found = {expression}\n    first, second = found[0], found[1]\n    s = 0.0\n"
    text += (
        "    for i in range(len(second)):\n        s += second[i] * i\n    return s + first.sum(), found[0]\n"
    )
    place = f"<several {expression}>"
    linecache.cache[place] = len(text), None, text.splitlines(keepends=True), place
    names: dict[str, Any] = {"np": np}
    exec(compile(text, place, "exec"), names)
    decorated = decorate(names["f"])
    for n in (40, 300):
        compare(names["f"], decorated, arguments(n), calls=1, tol=Tolerance(ulp=4))
    assert decorated.specializations[0].clusters


def test_a_tuple_as_long_as_an_array_is_no_fixed_number_of_arrays() -> None:
    def f(m):
        parts = np.unstack(m) if hasattr(np, "unstack") else tuple(m)
        return len(parts), parts[-1]

    decorated = decorate(f)
    for n in (3, 5, 2):
        compare(f, decorated, (np.arange(4.0 * n).reshape(n, 4),), calls=1)


def weighed(a):
    counts, edges = np.histogram(a, 10)
    total = 0.0
    for i in range(len(counts)):
        total += counts[i] * (edges[i] + edges[i + 1])
    counts[0] = -1
    return total / 2, np.histogram(a, 4), counts


def test_a_tuple_is_unpacked_written_to_and_returned() -> None:
    compare(weighed, decorate(weighed), (np.linspace(0, 1, 90_000) ** 2,), tol=Tolerance(ulp=4))
    compare(weighed, decorate(weighed), (np.linspace(0, 1, 9) ** 2,), tol=Tolerance(ulp=4))


def test_derivatives_are_refused_where_they_stop() -> None:
    with pytest.raises(js.JitscopeError, match="histogram"):
        js.grad(lambda a: np.histogram(a, 10)[1].sum())(np.linspace(0, 1, 50))


def squeezed(m):
    b = np.squeeze(m)
    s = 0.0
    for i in range(b.shape[0]):
        s += b[i].sum() * i
    return s, b


@needs_compiler
def test_axes_of_one_element_are_those_of_the_call() -> None:
    decorated = decorate(squeezed)
    for shape in ((5, 4), (1, 6), (6, 1), (1, 7, 3), (4, 1, 1), (2, 2)):
        compare(squeezed, decorated, (np.arange(float(np.prod(shape))).reshape(shape),), calls=2)
    assert all(found.clusters for found in decorated.specializations)
