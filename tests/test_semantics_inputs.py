"""Globals, closures, defaults and modules are read again at each call."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest
from same import compare, decorate, same

NUMBER = 2
ARRAY = np.array([1.0, 2.0])
TABLE = {"rate": 0.5, "steps": [1, 2]}
SETTINGS = types.SimpleNamespace(limit=3.0)


def _helper(x):
    return x + 1


def _other_helper(x):
    return x * 100


def _this():
    return sys.modules[__name__]


@pytest.fixture(autouse=True)
def _globals_restored():
    module = _this()
    names = ("NUMBER", "ARRAY", "TABLE", "SETTINGS", "_helper")
    old = {name: getattr(module, name) for name in names}
    yield
    for name, value in old.items():
        setattr(module, name, value)
    module.__dict__.pop("abs", None)


def reads_number(x):
    return x * NUMBER


def test_global_changes_value() -> None:
    f = decorate(reads_number)
    assert f(3) == 6
    _this().NUMBER = 5
    assert f(3) == 15


@pytest.mark.parametrize("value", [2.5, True, 1j, np.float32(1.5), np.arange(2), "ab", None, [1]])
def test_global_changes_type(value) -> None:
    f = decorate(reads_number)
    assert f(3) == 6
    _this().NUMBER = value
    same(reads_number, 3)
    compare(reads_number, f, (3,))
    _this().NUMBER = 2
    assert f(3) == 6


def test_global_deleted() -> None:
    f = decorate(reads_number)
    assert f(3) == 6
    del _this().NUMBER
    with pytest.raises(NameError, match="name 'NUMBER' is not defined"):
        f(3)
    _this().NUMBER = 7
    assert f(3) == 21


def test_global_array_written_and_replaced() -> None:
    f = decorate(lambda x: (ARRAY * x).sum())
    assert f(2) == 6.0
    ARRAY[0] = 10
    try:
        assert f(2) == 24.0
    finally:
        ARRAY[0] = 1
    _this().ARRAY = np.ones((2, 2), np.float32)
    got = f(2)
    assert got == 8.0
    assert got.dtype == np.float32


def test_global_containers_and_objects() -> None:
    def f(x):
        return x * TABLE["rate"] + len(TABLE["steps"]) + SETTINGS.limit

    g = decorate(f)
    assert g(2.0) == f(2.0) == 6.0
    _this().TABLE = {"rate": 4, "steps": [1]}
    assert g(2.0) == f(2.0) == 12.0
    TABLE["steps"].append(9)
    assert g(2.0) == f(2.0) == 13.0
    SETTINGS.limit = 0
    try:
        assert g(2.0) == f(2.0) == 10.0
    finally:
        SETTINGS.limit = 3.0


def test_helper_replaced() -> None:
    f = decorate(lambda x: _helper(x) * 2)
    assert f(1) == 4
    _this()._helper = _other_helper
    assert f(1) == 200
    np.testing.assert_array_equal(f(np.ones(2)), [200.0, 200.0])


def test_helper_reads_a_global_that_changes() -> None:
    def helper(x):
        return x + NUMBER

    f = decorate(lambda x: helper(x) * 2)
    assert f(1) == 6
    _this().NUMBER = 10
    assert f(1) == 22
    _this().NUMBER = 0.5
    assert f(1) == 3.0


def test_builtin_shadowed_later() -> None:
    f = decorate(lambda x: abs(x))
    assert f(-3) == 3
    _this().abs = lambda x: "shadow"
    assert f(-3) == "shadow"
    del _this().abs
    assert f(-3) == 3


def test_closure_cell_changes() -> None:
    k = 1

    @decorate
    def f(x):
        return x + k

    assert f(1) == 2
    k = 10
    assert f(1) == 11
    k = 0.5
    assert f(1) == 1.5
    k = np.ones(2)
    np.testing.assert_array_equal(f(1), [2.0, 2.0])


def test_closures_of_one_source_keep_their_cells_apart() -> None:
    def make(k):
        return decorate(lambda x: x * k)

    double, triple, half = make(2), make(3), make(0.5)
    assert [f(4) for f in (double, triple, half, double)] == [8, 12, 2.0, 8]


def test_defaults_are_those_of_each_function() -> None:
    def make(k):
        def f(x, y=k):
            return x + y

        return decorate(f)

    assert [f(1) for f in (make(1), make(2.5), make(10))] == [2, 3.5, 11]


def test_module_attribute_changes() -> None:
    settings = types.ModuleType("settings_of_test")
    settings.RATE = 2
    sys.modules["settings_of_test"] = settings

    @decorate
    def f(x):
        return x * settings.RATE

    assert f(3) == 6
    settings.RATE = 0.25
    assert f(3) == 0.75


def test_functions_as_arguments_are_told_apart() -> None:
    f = decorate(lambda g, x: g(x) + 1)
    assert f(_helper, 1) == 3
    assert f(_other_helper, 1) == 101
    assert f(lambda x: x - 1, 1) == 1
    assert f(lambda x: x - 2, 1) == 0


def test_text_arguments_are_told_apart() -> None:
    @decorate
    def f(a, how):
        if how == "sum":
            return a.sum()
        return a.max()

    assert f(np.array([1.0, 2.0]), "sum") == 3.0
    assert f(np.array([1.0, 2.0]), "max") == 2.0


def test_list_arguments_of_other_lengths() -> None:
    @decorate
    def f(parts):
        s = 0.0
        for p in parts:
            s += p.sum()
        return s

    for n in (3, 1, 0, 2):
        assert f([np.ones(k + 1) for k in range(n)]) == sum(range(1, n + 1))


def test_numbers_are_not_baked_in() -> None:
    @decorate
    def f(a, n, x):
        for i in range(n):
            a = a * x + i
        return a

    for n, x in ((0, 2.0), (3, 0.5), (1, -1.0), (7, 1.0)):
        want = np.ones(3)
        for i in range(n):
            want = want * x + i
        np.testing.assert_array_equal(f(np.ones(3), n, x), want)
