"""Small programs that once gave a wrong answer: what is stored outside, and read again after a change."""

from __future__ import annotations

import functools
import linecache
import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import compare, decorate, same

import jitscope as js

pytestmark = pytest.mark.usefixtures("driver_runs")

NUMBER = 3
ARRAY = np.arange(4.0)
NUMBERS = [1, 2, 3]
LOG: list[Any] = []


class Box:
    kind = 5

    def __init__(self, k: Any) -> None:
        self.k = k
        self.next: Any = None
        self.arr = np.zeros(3)


class Node:
    def __init__(self, v: Any, following: Any = None) -> None:
        self.v = v
        self.following = following


class Doubled:
    """A property with a setter that writes another attribute."""

    def __init__(self) -> None:
        self._v = 1

    @property
    def v(self) -> Any:
        return self._v

    @v.setter
    def v(self, x: Any) -> None:
        self._v = x * 2


class Meddler:
    """Its operators and properties change what the caller reads."""

    def __init__(self, v: Any) -> None:
        self.v = v

    def _meddle(self) -> None:
        _this().NUMBER += 10
        LOG.append(self.v)

    def __add__(self, other: Any) -> Any:
        self._meddle()
        return other + 1

    def __iadd__(self, other: Any) -> Any:
        self.v += other
        return self

    def __contains__(self, other: Any) -> bool:
        self._meddle()
        return True

    def __lt__(self, other: Any) -> bool:
        self._meddle()
        return True

    def __len__(self) -> int:
        self._meddle()
        return 3

    def __bool__(self) -> bool:
        self._meddle()
        return True

    def __setitem__(self, index: Any, value: Any) -> None:
        self._meddle()
        self.v = value

    def __iter__(self) -> Any:
        self._meddle()
        return iter([1, 2])

    def __format__(self, form: str) -> str:
        self._meddle()
        return "M"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._meddle()
        return 1

    @property
    def meddling(self) -> Any:
        self._meddle()
        return 1


def _this() -> Any:
    return sys.modules[__name__]


def _reset() -> None:
    _this().NUMBER = 3
    _this().ARRAY = np.arange(4.0)
    NUMBERS[:] = [1, 2, 3]
    LOG.clear()
    Box.kind = 5


@pytest.fixture(autouse=True)
def _outside_restored():
    _reset()
    yield
    _reset()


def _weight(iterations):
    """The part that is compiled: a function without one runs as it was written."""
    s = 0.0
    for i in range(iterations):
        s += math.sqrt(i)
    return s


def _bump(*_args: Any) -> Any:
    _this().NUMBER += 1
    return NUMBER


def _bump_to_float(*_args: Any) -> Any:
    _this().NUMBER += 0.5
    return 1


def _rebind_array(*_args: Any) -> Any:
    _this().ARRAY = ARRAY * 2
    return 1


bound_bump = functools.partial(_bump)


def _check(f: Callable[..., Any], *args: Any) -> None:
    compare(f, decorate(f), args, reset=_reset)


# A store at the end, then `return` of the same text: the store has to stay. ---------------------------------


def stores_and_returns(a, b, iterations=4):
    print(_weight(iterations))
    a[0] = 3; b[0] += 1; return b[0]  # fmt: skip  # noqa: E702


def stores_an_int_and_returns(a, i, c, iterations=4):
    print(_weight(iterations))
    if c: a[i] = 7; return a[i]  # fmt: skip  # noqa: E701, E702
    return 0


def stores_into_items(arrays, iterations=4):
    print(_weight(iterations))
    arrays[0][0] = 3; arrays[1][0] += 1; return arrays[1][0]  # fmt: skip  # noqa: E702


def sets_attribute_and_returns(o, x, iterations=4):
    print(_weight(iterations))
    o.next = x; o.k = x; return o.k  # fmt: skip  # noqa: E702


def sets_item_and_returns(d, x, iterations=4):
    print(_weight(iterations))
    d["b"] = x; d["a"] = 7; return d["a"]  # fmt: skip  # noqa: E702


def sets_property_and_returns(p, iterations=4):
    print(_weight(iterations))
    p.w = 1; p.v = 3; return p.v  # fmt: skip  # noqa: E702


def test_store_before_return_of_the_same_text() -> None:
    same(stores_and_returns, np.ones(2), np.ones(3))
    same(stores_an_int_and_returns, np.ones(2), 1, True)
    same(stores_into_items, [np.ones(2), np.ones(2)])
    same(sets_attribute_and_returns, Box(1), 7)
    same(sets_item_and_returns, {"a": 1}, 2)
    same(sets_property_and_returns, Doubled())


# Globals are read again after code that nobody knows. -------------------------------------------------------


def reads_around_partial(x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    got = bound_bump()
    return before, got, NUMBER * x


def reads_around_key_function(x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    ordered = sorted([1, 2, 3], key=_bump)
    return before, ordered, NUMBER * x


def reads_around_map(x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    made = list(map(_bump, [1, 2]))
    return before, made, NUMBER * x


def reads_around_loop_over_map(x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    for _ in map(_bump, [1, 2]):
        pass
    return before, NUMBER * x


def reads_around_change_of_type(x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    made = list(map(_bump_to_float, [1]))
    return before, made, NUMBER * x


def reads_array_around_map(x, iterations=4):
    print(_weight(iterations))
    before = ARRAY.sum() * x
    made = list(map(_rebind_array, [1]))
    return before, made, ARRAY.sum()


def reads_around_operator(o, x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    y = o + x
    return before, y, NUMBER * x


def reads_around_in(o, x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    y = x in o
    return before, y, NUMBER * x


def reads_around_comparison(o, x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    y = o < x
    return before, y, NUMBER * x


def reads_around_len(o, x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    y = len(o)
    return before, y, NUMBER * x


def reads_around_truth(o, x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    y = 1 if o else 2
    return before, y, NUMBER * x


def reads_around_setitem(o, x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    o[0] = x
    return before, NUMBER * x, o.v


def reads_around_iteration(o, x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    y = 0
    for item in o:
        y += item
    return before, y, NUMBER * x


def reads_around_format(o, x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    y = f"{o:>3}"
    return before, y, NUMBER * x


def reads_around_getattr(o, x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    y = o.anything
    return before, y, NUMBER * x


def reads_around_property(o, x, iterations=4):
    print(_weight(iterations))
    before = NUMBER * x
    y = o.meddling
    return before, y, NUMBER * x


def reads_length_of_log(o, iterations=4):
    print(_weight(iterations))
    o.meddling  # noqa: B018
    return len(LOG), list(LOG)


@pytest.mark.parametrize(
    "f",
    [
        reads_around_partial,
        reads_around_key_function,
        reads_around_map,
        reads_around_loop_over_map,
        reads_around_change_of_type,
        reads_array_around_map,
    ],
)
def test_globals_around_calls(f: Callable[..., Any]) -> None:
    _check(f, 2)


@pytest.mark.parametrize(
    "f",
    [
        reads_around_operator,
        reads_around_in,
        reads_around_comparison,
        reads_around_len,
        reads_around_truth,
        reads_around_setitem,
        reads_around_iteration,
        reads_around_format,
        reads_around_getattr,
        reads_around_property,
    ],
)
def test_globals_around_special_methods(f: Callable[..., Any]) -> None:
    _check(f, Meddler(2), 2)


def test_global_list_that_a_property_fills() -> None:
    _check(reads_length_of_log, Meddler(2))


# Attributes are read again after a write that may have been to them. ----------------------------------------


def setattr_between(o, x, iterations=4):
    print(_weight(iterations))
    before = o.k * x
    setattr(o, "k", x)  # noqa: B010
    return before, o.k * x


def object_setattr_between(o, x, iterations=4):
    print(_weight(iterations))
    before = o.k * x
    object.__setattr__(o, "k", x)
    return before, o.k * x


def property_between(p, iterations=4):
    print(_weight(iterations))
    before = p._v
    p.v = 3
    return before, p._v


def property_augmented(p, iterations=4):
    print(_weight(iterations))
    p.v = 3
    p.v += 1
    return p.v, p._v


def object_augmented(o, iterations=4):
    print(_weight(iterations))
    other = o
    o += 5
    return other.v, o.v, other is o


def two_names_for_one_object(a, b, x, iterations=4):
    print(_weight(iterations))
    a.k = x
    return b.k * 2


def through_child(o, iterations=4):
    print(_weight(iterations))
    o.next = o
    o.next.k = 7
    o.next = None  # no circle for the oracle
    return o.k


def along_a_list(n, iterations=4):
    print(_weight(iterations))
    head = n
    while n is not None:
        n.v *= 2
        n = n.following
    return head.v, head.following.v if head.following else None


def class_attribute(o, x, iterations=4):
    print(_weight(iterations))
    Box.kind = Box.kind + x
    return o.kind


def test_attributes_after_writes() -> None:
    same(setattr_between, Box(3), 4)
    same(object_setattr_between, Box(3), 4)
    same(property_between, Doubled())
    same(property_augmented, Doubled())
    same(object_augmented, Meddler(2))
    same(through_child, Box(1))


def test_two_arguments_are_one_object() -> None:
    box = Box(2)
    same(two_names_for_one_object, box, box, 5)
    same(two_names_for_one_object, box, box, 5.5)
    same(two_names_for_one_object, Box(1), Box(2), 5)


def test_linked_list_is_written() -> None:
    same(along_a_list, Node(1, Node(2)))
    same(along_a_list, Node(1))


def test_class_attribute_is_written() -> None:
    _check(class_attribute, Box(1), 2)


@pytest.mark.parametrize("name", ["\ud800", "<\udc80 of a cell>", "/tmp/\ud800/f.py"])
@pytest.mark.parametrize("has_source", [True, False])
def test_the_name_of_a_file_may_have_half_a_character_in_it(monkeypatch, name, has_source):
    power = "x[i] * x[i]" if has_source else "x[i] ** 2"  # equal code is known by its source
    text = f"def f(x):\n    s = 0.0\n    for i in range(len(x)):\n        s += {power}\n    return s\n"
    if has_source:
        monkeypatch.setitem(linecache.cache, name, (len(text), None, text.splitlines(True), name))
    space = {}
    exec(compile(text, name, "exec"), space)
    f, x = space["f"], np.arange(3.0)

    def calls_it(x):
        return f(x) + np.exp(x).sum()

    for plain in (f, calls_it):
        decorated = js.function(plain)
        assert decorated(x) == plain(x) == decorated(x)
        assert "UnicodeEncodeError" not in str(decorated.explain(x))
    if has_source:
        np.testing.assert_array_equal(js.grad(f)(x), 2 * x)
        assert "@njit" in js.to_code(calls_it, x, stage="module")
        return
    for asked in (lambda: js.grad(f)(x), lambda: js.to_code(f, x)):
        with pytest.raises(js.JitscopeError, match="its source text is not available"):
            asked()
