"""What is read from outside and replaced after the first call: attributes of modules, code, defaults."""

from __future__ import annotations

import builtins
import functools
import linecache
import math
import os
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitscope as js
from jitscope.runtime import load

X = np.arange(1.0, 5.0)


def uses_names(x):
    s = 0.0
    for i in range(len(x)):
        s += math.sqrt(x[i]) * math.pi
    return s + np.sin(x).sum() + np.linalg.norm(x) + np.where(x > 2, x, 0.0).sum() + abs(s)


REPLACED: dict[str, tuple[Any, str, Any]] = {
    "another ufunc": (np, "sin", np.cos),
    "a lambda": (np, "sin", lambda v: v * 2),
    "a wrapper": (np, "sin", functools.wraps(np.sin)(lambda v: v * 3)),
    "np.where": (np, "where", lambda c, a, b: a * 3),
    "np.linalg.norm": (np.linalg, "norm", lambda v: 7.0),
    "math.sqrt": (math, "sqrt", lambda v: v),
    "math.pi": (math, "pi", 3.0),
    "abs": (builtins, "abs", lambda v: 1.0),
    "len": (builtins, "len", lambda v: 2),
}


@pytest.fixture(scope="module")
def decorated() -> Callable[..., Any]:
    found = js.function(uses_names)
    assert found(X) == pytest.approx(uses_names(X), rel=1e-14)
    return found


@pytest.mark.parametrize("kind", REPLACED)
def test_a_replaced_attribute_counts_at_once(kind: str, decorated: Callable[..., Any]) -> None:
    owner, name, other = REPLACED[kind]
    kept = getattr(owner, name)
    setattr(owner, name, other)
    try:
        wanted, found = uses_names(X), [decorated(X), decorated(X)]
    finally:
        setattr(owner, name, kept)
    assert found == [pytest.approx(wanted, rel=1e-14)] * 2
    assert decorated(X) == pytest.approx(uses_names(X), rel=1e-14)


class WithModule:
    xp = np


def under_a_local_name(x):
    m = np
    s = 0.0
    for i in range(len(x)):
        s += m.sin(x[i])
    return s + m.linalg.norm(x)


def under_a_local_name_of_a_module_inside(x):
    m = np.linalg
    return m.norm(x) + np.sin(x)


def as_an_argument(x, q=np):
    return q.sin(x).sum() + q.linalg.norm(x)


def as_an_attribute(x, owner=WithModule()):  # noqa: B008
    s = 0.0
    for i in range(len(x)):
        s += owner.xp.sin(x[i])
    return s + owner.xp.linalg.norm(x)


def as_an_item(x, known=(np,)):
    q = known[0]
    return q.sin(x).sum() + q.linalg.norm(x)


def in_a_helper(x):
    return as_an_argument(x, np) + 1.0


def in_a_function_inside(x):
    m = np

    def inner(v):
        return m.sin(v).sum() + m.linalg.norm(v)

    return inner(x)


def _with_many_names() -> types.FunctionType:
    """A function with so many names that the bytecode needs two instructions to say which one."""
    lines = "".join(f"    if x is None: n{k}\n" for k in range(300))
    text, place = f"def f(x):\n{lines}    return np.sin(x).sum() + np.linalg.norm(x)\n", "<many names>"
    linecache.cache[place] = len(text), None, text.splitlines(keepends=True), place
    space: dict[str, Any] = {"np": np}
    exec(compile(text, place, "exec"), space)
    made: types.FunctionType = space["f"]
    return made


WAYS: dict[str, Any] = {
    f.__name__: f
    for f in (
        under_a_local_name,
        under_a_local_name_of_a_module_inside,
        as_an_argument,
        as_an_attribute,
        as_an_item,
        in_a_helper,
        in_a_function_inside,
    )
}
WAYS["with_many_names"] = _with_many_names()


@pytest.mark.parametrize("way", WAYS)
def test_a_replaced_attribute_counts_whatever_way_leads_to_its_module(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = WAYS[way]
    decorated = js.function(plain)
    for owner, name, other in ((np, "sin", np.cos), (np.linalg, "norm", lambda v: 7.0)):
        np.testing.assert_allclose(decorated(X), plain(X), rtol=1e-14)
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, other)
            for _ in range(2):
                np.testing.assert_allclose(decorated(X), plain(X), rtol=1e-14)
    np.testing.assert_allclose(decorated(X), plain(X), rtol=1e-14)


def at_least_two(x):
    s = 0.0
    for i in range(len(x)):
        s += max(x[i], 2.0)
    return s


def in_namespace(f: types.FunctionType, **names: Any) -> types.FunctionType:
    """`f` with globals of its own."""
    return types.FunctionType(f.__code__, {**f.__globals__, **names}, f.__name__)


def test_a_global_with_a_builtin_under_its_own_name_is_read_again() -> None:
    plain = in_namespace(at_least_two, max=max)
    decorated = js.function(plain)
    assert decorated(X) == plain(X) == decorated(X) == 11.0
    plain.__globals__["max"] = min
    assert decorated(X) == plain(X) == decorated(X) == 7.0


def test_a_cell_with_a_builtin_under_its_own_name_is_read_again() -> None:
    max = builtins.max

    def plain(x):
        s = 0.0
        for i in range(len(x)):
            s += max(x[i], 2.0)
        return s

    decorated = js.function(plain)
    assert decorated(X) == plain(X) == decorated(X) == 11.0
    max = min
    assert decorated(X) == plain(X) == decorated(X) == 7.0


def test_a_helper_reads_its_builtins_again() -> None:
    helper = in_namespace(lambda v: max(v, 2.0), max=max)

    def plain(x):
        s = 0.0
        for i in range(len(x)):
            s += helper(x[i])
        return s

    decorated = js.function(plain)
    assert decorated(X) == plain(X) == decorated(X) == 11.0
    helper.__globals__["max"] = min
    assert decorated(X) == plain(X) == decorated(X) == 7.0


def test_a_module_on_disk_is_for_the_same_builtins(cache: Path) -> None:
    found = []
    for own in (max, min, max):
        decorated = js.function(in_namespace(at_least_two, max=own))
        found.append((decorated(X), decorated.specializations[0].from_disk))
    assert found == [(11.0, False), (7.0, False), (11.0, True)]


def weighted(x, k=2.0):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * k
    return s


def weighted_more(x, k=2.0):
    s = 1.0
    for i in range(len(x)):
        s += x[i] * k
    return s


def weighted_by_name(x, k=2.0, *, start=1.0):
    s = start
    for i in range(len(x)):
        s += x[i] * k
    return s


def times(x, k=2.0):
    return x * k


def fresh(f: types.FunctionType) -> types.FunctionType:
    made = types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__)
    made.__kwdefaults__ = f.__kwdefaults__
    return made


@pytest.mark.parametrize(("f", "x"), [(weighted, X), (times, 3.0)], ids=["compiled", "plain"])
def test_changed_defaults_and_code_count_at_once(f: types.FunctionType, x: Any) -> None:
    plain = fresh(f)
    decorated = js.function(plain)
    assert decorated(x) == plain(x) == decorated(x)
    plain.__defaults__ = (7.0,)
    assert decorated(x) == plain(x) == decorated(x)
    assert decorated(x, 2.5) == plain(x, 2.5)
    plain.__defaults__ = None
    with pytest.raises(TypeError, match="missing"):
        decorated(x)
    plain.__defaults__ = (1.0,)
    assert decorated(x, 3.0) == plain(x, 3.0)
    assert decorated(x) == plain(x)


def test_changed_code_counts_at_once_with_other_parameters_too() -> None:
    plain = fresh(weighted)
    decorated = js.function(plain)
    assert decorated(X) == plain(X)
    plain.__code__ = weighted_more.__code__
    assert decorated(X) == plain(X) == weighted_more(X)
    plain.__code__, plain.__kwdefaults__ = weighted_by_name.__code__, {"start": 5.0}
    assert decorated(X) == plain(X) == weighted_by_name(X, start=5.0)
    assert decorated(X, start=2.0) == weighted_by_name(X, start=2.0)


def factorial(n, k=1):
    return k if n < 2 else n * RECURSIVE(n - 1, k)


def summed(n, k=1):
    return k if n < 2 else n + RECURSIVE(n - 1, k)


def counts(n, k=1):
    yield from (n, k)


def counts_down(n, k=1):
    yield from (k, n)


def callers(n, k=1):
    return n, k, sys._getframe().f_code.co_name


def no_callers(n, k=1):
    return n + k


RECURSIVE: Any = None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (factorial, summed),
        (counts, counts_down),
        (callers, no_callers),
        (no_callers, callers),
        (counts, summed),
    ],
    ids=lambda f: f.__name__,
)
def test_a_function_that_has_the_users_code_takes_a_changed_one_when_it_is_cleared(
    before: types.FunctionType, after: types.FunctionType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def outcome(f: Callable[..., Any]) -> Any:
        monkeypatch.setitem(before.__globals__, "RECURSIVE", f)
        found = f(5)
        return list(found) if isinstance(found, types.GeneratorType) else found

    plain = fresh(before)
    decorated = js.function(plain)
    assert [outcome(decorated) for _ in range(3)] == [outcome(before)] * 3
    plain.__code__ = after.__code__
    plain.__defaults__ = (7,)
    decorated.clear()
    assert [outcome(decorated) for _ in range(3)] == [outcome(plain)] * 3
    plain.__code__, plain.__defaults__ = before.__code__, (9,)
    decorated.clear()
    assert [outcome(decorated) for _ in range(3)] == [outcome(plain)] * 3


def one_default(x, k=2.0):
    return x * k + np.sin(x)


def two_defaults(x, k=3.0, m=1.0):
    return x * k + m + np.sin(x)


def other_names(y, q=4.0, *, k=5.0):
    return y * q - k + np.sin(y)


def in_place(x, k=3.0, /, *more, start=1.0, **named):
    return x * k + start + sum(more) + len(named) + np.sin(x)


def no_defaults(x):
    return np.sin(x)


HEADERS = (one_default, two_defaults, other_names, in_place, no_defaults)
CALLS: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    ((), {}),
    ((2.5,), {}),
    ((2.5, 4.5), {}),
    ((), {"m": 2.5}),
    ((2.5, 4.5, 6.5), {"start": 2.0, "other": 1}),
)


@pytest.mark.parametrize("after", HEADERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("before", HEADERS, ids=lambda f: f.__name__)
def test_the_first_call_after_a_change_of_parameters_is_bound_with_those_of_now(
    before: types.FunctionType, after: types.FunctionType
) -> None:
    for args, named in CALLS:
        try:  # what one of the headers doesn't know can't be bound with it
            before(X, *args, **named)
            wanted = after(X, *args, **named)
        except TypeError:
            continue
        plain = fresh(before)
        decorated = js.function(plain)
        decorated(X)
        plain.__code__ = after.__code__
        plain.__defaults__, plain.__kwdefaults__ = after.__defaults__, after.__kwdefaults__
        for _ in range(2):
            np.testing.assert_array_equal(decorated(X, *args, **named), wanted)


def test_a_default_that_is_gone_is_missing_though_others_are_left() -> None:
    plain = fresh(two_defaults)
    decorated = js.function(plain)
    decorated(X)
    plain.__defaults__ = (7.0,)
    for _ in range(2):
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'k'"):
            decorated(X)
    np.testing.assert_array_equal(decorated(X, 1.0), plain(X, 1.0))


def test_autoreload_of_a_decorated_function_takes_the_new_one() -> None:
    old, new = js.function(fresh(weighted)), js.function(fresh(weighted_more))
    assert (old(X), new(X)) == (weighted(X), weighted_more(X))
    for name in ("__code__", "__defaults__", "__doc__", "__dict__"):  # as IPython's `update_function`
        setattr(old, name, getattr(new, name))
    for _ in range(3):
        assert old(X) == weighted_more(X) == new(X)
    assert old(X, 2) == weighted_more(X, 2)


def test_a_helper_with_changed_code_counts_at_once() -> None:
    helper = fresh(times)

    def uses(x):
        s = 0.0
        for i in range(len(x)):
            s += helper(x[i])
        return s

    decorated = js.function(uses)
    assert decorated(X) == uses(X)
    helper.__code__ = (lambda x, k: x + k).__code__
    assert decorated(X) == uses(X) == decorated(X)
    helper.__defaults__ = (9.0,)
    assert decorated(X) == uses(X) == decorated(X)


NUMBER = 3


def writes_a_global(x):
    s = 0.0
    for i in range(4):
        s += math.sqrt(i)
    before = NUMBER * x
    globals()["NUMBER"] += 1
    return before, NUMBER * x, s


def test_a_global_written_through_its_dict_is_read_again() -> None:
    decorated = js.function(writes_a_global)
    for f in (writes_a_global, decorated, decorated):
        globals()["NUMBER"] = 3
        assert f(2)[:2] == (6, 8)


FLOOR = np.floor


def floors(x, n):
    s = 0.0
    for _ in range(n):
        s += FLOOR(x).sum()
    return s


def slope(x):
    return np.cos(x).sum()


HALVES = np.array([0.5, 1.5])


def test_nothing_is_compiled_while_a_function_is_replaced(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decorated = js.function(floors)
    with monkeypatch.context() as patch:
        patch.setattr(np, "floor", np.ceil)
        for _ in range(3):
            assert decorated(HALVES, 3) == floors(HALVES, 3) == 3.0
        assert "'numpy.floor' has been replaced" in decorated.explain(HALVES, 3)
    assert not decorated.specializations
    assert not list(cache.glob("**/*.py"))
    assert decorated(HALVES, 3) == 3.0
    assert [bool(found.clusters) for found in decorated.specializations] == [True]


def test_what_is_on_disk_waits_while_a_function_is_replaced(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    js.function(floors)(HALVES, 3)
    decorated = js.function(floors)
    with monkeypatch.context() as patch:
        patch.setattr(np, "floor", np.ceil)
        assert decorated(HALVES, 3) == 3.0
    assert decorated(HALVES, 3) == 3.0
    assert [found.from_disk for found in decorated.specializations] == [True]


def test_a_function_replaced_by_another_thread_leaves_nothing(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes in the middle of compiling."""
    decorated = js.function(floors)
    with monkeypatch.context() as patch:
        with_numba = load._with_numba

        def replacing(*given: Any) -> Any:
            patch.setattr(np, "floor", np.ceil)
            return with_numba(*given)

        patch.setattr(load, "_with_numba", replacing)
        assert decorated(HALVES, 3) == 3.0
    assert not list(cache.glob("**/*.py"))
    assert decorated(HALVES, 3) == 3.0
    assert [bool(found.clusters) for found in decorated.specializations] == [True]


def test_what_was_compiled_before_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    decorated, gradient = js.function(floors), js.grad(fresh(slope))
    assert decorated(HALVES, 3) == 3.0
    before = gradient(HALVES)
    for name in ("floor", "sin", "empty", "float64"):
        monkeypatch.setattr(np, name, None)
    monkeypatch.setattr(builtins, "float", None)
    assert decorated(HALVES, 3) == 3.0
    assert gradient(HALVES).tolist() == before.tolist()
    assert len(decorated.specializations) == len(gradient.specializations) == 1


def test_a_derivative_says_that_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    gradient = js.grad(fresh(slope))
    with monkeypatch.context() as patch:
        patch.setattr(np, "sin", np.cos)
        with pytest.raises(js.JitscopeError, match="'numpy.sin' has been replaced"):
            gradient(HALVES)
    np.testing.assert_allclose(gradient(HALVES), -np.sin(HALVES), rtol=1e-14)


def test_what_only_reads_and_shows_may_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    js.function(lambda x: (x * 3).sum())(HALVES)  # Numba has to be there: it looks for `print`, once
    monkeypatch.setattr(np, "load", lambda *_: None)
    monkeypatch.setattr(builtins, "print", lambda *_, **__: None)
    decorated = js.function(lambda x: floors(x, 2) * 2)
    assert decorated(HALVES) == 4.0
    assert decorated.specializations[0].clusters


def test_a_replaced_function_waits_for_plans_of_sessions_too(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, config = js.Graph(), js.ConfigProto()
    config.graph_options.optimizer_options.global_jit_level = js.OptimizerOptions.ON_1
    with graph.as_default():
        x = js.placeholder(np.float64, [None], name="x")
        y = np.floor(x) * 2
    with js.Session(graph=graph, config=config) as session:
        with monkeypatch.context() as patch:
            patch.setattr(np, "floor", np.ceil)
            assert session.run(y, {x: HALVES}).tolist() == [0.0, 2.0]
        assert session.run(y, {x: HALVES}).tolist() == [0.0, 2.0]


FIRST = """
import builtins
from unittest import mock
import numpy as np
{before}
import jitscope as js
{after}
def f(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * 2
    return s

x = np.arange(3.0)
decorated = js.function(f)
assert decorated(x) == 6.0 == decorated(x)
assert not decorated.specializations
{restored}
for g in (decorated, js.function(lambda x: (np.sin(x) * x).sum())):
    g(x)
    assert g.specializations[0].clusters, g.explain(x)
assert js.grad(f)(x).tolist() == [2.0] * 3
"""
WRAP = "kept, {0} = {0}, lambda *v, **k: kept(*v, **k)"
MOCK = "kept, {0} = {0}, mock.MagicMock()"
OTHER = "kept, {0} = {0}, np.cos"


@pytest.mark.parametrize(
    ("place", "way", "name"),
    [
        ("after", WRAP, "np.sin"),
        ("after", MOCK, "np.sqrt"),
        ("after", WRAP, "builtins.print"),
        ("before", OTHER, "np.sin"),
        ("before", WRAP, "np.where"),
    ],
)
def test_the_first_call_of_a_process_finds_a_replaced_function(
    place: str, way: str, name: str, tmp_path: Path
) -> None:
    parts = {"before": "", "after": "", place: way.format(name), "restored": f"{name} = kept"}
    environment = {**os.environ, "JITSCOPE_CACHE_DIR": str(tmp_path)}
    (tmp_path / "program.py").write_text(FIRST.format(**parts))
    done = subprocess.run(
        [sys.executable, tmp_path / "program.py"], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
