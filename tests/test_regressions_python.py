"""Small programs that once gave a wrong answer, grouped by what was wrong: plain against decorated."""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import IDENTITY, compare, decorate, same

pytestmark = pytest.mark.usefixtures("driver_runs")

NUMBER = 3
ARRAY = np.arange(4.0)
NUMBERS = [1, 2, 3]
entry, make = 2.0, 3.0
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


def _weight(trips):
    """The part that is compiled: a function without one runs as it was written."""
    s = 0.0
    for i in range(trips):
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


def stores_and_returns(a, b, trips=4):
    print(_weight(trips))
    a[0] = 3; b[0] += 1; return b[0]  # fmt: skip  # noqa: E702


def stores_an_int_and_returns(a, i, c, trips=4):
    print(_weight(trips))
    if c: a[i] = 7; return a[i]  # fmt: skip  # noqa: E701, E702
    return 0


def stores_into_items(arrays, trips=4):
    print(_weight(trips))
    arrays[0][0] = 3; arrays[1][0] += 1; return arrays[1][0]  # fmt: skip  # noqa: E702


def sets_attribute_and_returns(o, x, trips=4):
    print(_weight(trips))
    o.next = x; o.k = x; return o.k  # fmt: skip  # noqa: E702


def sets_item_and_returns(d, x, trips=4):
    print(_weight(trips))
    d["b"] = x; d["a"] = 7; return d["a"]  # fmt: skip  # noqa: E702


def sets_property_and_returns(p, trips=4):
    print(_weight(trips))
    p.w = 1; p.v = 3; return p.v  # fmt: skip  # noqa: E702


def test_store_before_return_of_the_same_text() -> None:
    same(stores_and_returns, np.ones(2), np.ones(3))
    same(stores_an_int_and_returns, np.ones(2), 1, True)
    same(stores_into_items, [np.ones(2), np.ones(2)])
    same(sets_attribute_and_returns, Box(1), 7)
    same(sets_item_and_returns, {"a": 1}, 2)
    same(sets_property_and_returns, Doubled())


# Globals are read again after code that nobody knows. -------------------------------------------------------


def reads_around_partial(x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    got = bound_bump()
    return before, got, NUMBER * x


def reads_around_key_function(x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    ordered = sorted([1, 2, 3], key=_bump)
    return before, ordered, NUMBER * x


def reads_around_map(x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    made = list(map(_bump, [1, 2]))
    return before, made, NUMBER * x


def reads_around_loop_over_map(x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    for _ in map(_bump, [1, 2]):
        pass
    return before, NUMBER * x


def reads_around_change_of_type(x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    made = list(map(_bump_to_float, [1]))
    return before, made, NUMBER * x


def reads_array_around_map(x, trips=4):
    print(_weight(trips))
    before = ARRAY.sum() * x
    made = list(map(_rebind_array, [1]))
    return before, made, ARRAY.sum()


def reads_around_operator(o, x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    y = o + x
    return before, y, NUMBER * x


def reads_around_in(o, x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    y = x in o
    return before, y, NUMBER * x


def reads_around_comparison(o, x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    y = o < x
    return before, y, NUMBER * x


def reads_around_len(o, x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    y = len(o)
    return before, y, NUMBER * x


def reads_around_truth(o, x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    y = 1 if o else 2
    return before, y, NUMBER * x


def reads_around_setitem(o, x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    o[0] = x
    return before, NUMBER * x, o.v


def reads_around_iteration(o, x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    y = 0
    for item in o:
        y += item
    return before, y, NUMBER * x


def reads_around_format(o, x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    y = f"{o:>3}"
    return before, y, NUMBER * x


def reads_around_getattr(o, x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    y = o.anything
    return before, y, NUMBER * x


def reads_around_property(o, x, trips=4):
    print(_weight(trips))
    before = NUMBER * x
    y = o.meddling
    return before, y, NUMBER * x


def reads_length_of_log(o, trips=4):
    print(_weight(trips))
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


def setattr_between(o, x, trips=4):
    print(_weight(trips))
    before = o.k * x
    setattr(o, "k", x)  # noqa: B010
    return before, o.k * x


def object_setattr_between(o, x, trips=4):
    print(_weight(trips))
    before = o.k * x
    object.__setattr__(o, "k", x)
    return before, o.k * x


def property_between(p, trips=4):
    print(_weight(trips))
    before = p._v
    p.v = 3
    return before, p._v


def property_augmented(p, trips=4):
    print(_weight(trips))
    p.v = 3
    p.v += 1
    return p.v, p._v


def object_augmented(o, trips=4):
    print(_weight(trips))
    other = o
    o += 5
    return other.v, o.v, other is o


def two_names_for_one_object(a, b, x, trips=4):
    print(_weight(trips))
    a.k = x
    return b.k * 2


def through_child(o, trips=4):
    print(_weight(trips))
    o.next = o
    o.next.k = 7
    o.next = None  # no circle for the oracle
    return o.k


def along_a_list(n, trips=4):
    print(_weight(trips))
    head = n
    while n is not None:
        n.v *= 2
        n = n.following
    return head.v, head.following.v if head.following else None


def class_attribute(o, x, trips=4):
    print(_weight(trips))
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


# Lists and dicts have identities. ---------------------------------------------------------------------------


def two_names_for_one_list(a, b, x, trips=4):
    print(_weight(trips))
    before = a[0]
    b.append(x)
    b[0] = x
    return before, a[0], len(a)


def global_list_as_argument(a, x, trips=4):
    print(_weight(trips))
    a.append(x)
    return len(NUMBERS), NUMBERS[-1]


def argument_in_a_list(items, n, trips=4):
    print(_weight(trips))
    both = [items, items]
    for i in range(n):
        both[i % 2].append(i)
    return both, len(items)


def returned_twice(trips=4):
    print(_weight(trips))
    x = [1, 2]
    y = x
    return x, y, [x, x]


def repeated_row(n, trips=4):
    print(_weight(trips))
    rows = [[0] * 2] * 2
    rows[0][0] = n
    return rows


def is_same_list(a, b, trips=4):
    print(_weight(trips))
    return a is b, a is a  # noqa: PLR0124


def nan_in_its_list(items, trips=4):
    print(_weight(trips))
    return items[0] in items


def test_two_arguments_are_one_list() -> None:
    numbers = [1, 2, 3]
    same(two_names_for_one_list, numbers, numbers, 4)
    same(two_names_for_one_list, [1], [2], 4)
    assert decorate(two_names_for_one_list)(NUMBERS, NUMBERS, 9) == (1, 9, 4)


def test_argument_is_a_global_list() -> None:
    assert decorate(global_list_as_argument)(NUMBERS, 9) == (4, 9)


def test_list_in_a_list() -> None:
    same(argument_in_a_list, [1], 3)


def test_identity_of_returned_lists() -> None:
    same(returned_twice)
    same(repeated_row, 4)


def test_is_between_lists() -> None:
    numbers = [1, 2]
    same(is_same_list, numbers, numbers)
    same(is_same_list, numbers, [1, 2])


def test_nan_is_in_its_list() -> None:
    same(nan_in_its_list, [math.nan])
    same(nan_in_its_list, [1.0])


# Numbers. ---------------------------------------------------------------------------------------------------


def range_beyond_64_bits(n, trips=4):
    print(_weight(trips))
    s = 0
    for i in range(2**63 - 2, 2**63 + n):
        s += i % 7
    return s


def writes_then_leaves_64_bits(a, n, trips=4):
    print(_weight(trips))
    x = 1
    for i in range(n):
        a[i % len(a)] += 1
        x *= 1000003
    return x


def starts_as_an_int(n, trips=4):
    print(_weight(trips))
    s = 0
    for i in range(n):
        s = s * 1j + i
    return s


def divides(a, b, trips=4):
    print(_weight(trips))
    return divmod(a, b)


def test_range_beyond_64_bits() -> None:
    same(range_beyond_64_bits, 5)


def test_int_that_becomes_complex() -> None:
    same(starts_as_an_int, 0)
    same(starts_as_an_int, 5)


def test_big_int_after_a_write() -> None:
    """What was written stays written, so the call can't start again as plain Python: it says so, loudly."""
    f = decorate(writes_then_leaves_64_bits)
    with pytest.raises(OverflowError, match="64 bits"):
        f(np.arange(3), 8)


@pytest.mark.parametrize("divisor", [0, 0.0])
def test_message_of_divmod(divisor: float) -> None:
    same(divides, 1, divisor)
    same(divides, 1.0, divisor)


# Names. -----------------------------------------------------------------------------------------------------


def own_names(np, math, operator, trips=4):
    print(_weight(trips))
    s = 0
    for _ in range(3):
        s += np * math + operator
    return s


def underscore_that_is_read(x, n, trips=4):
    print(_weight(trips))
    total = 0.0
    for _ in range(n):
        for i in range(2):
            total += 1.5
        total += x[_]
    return total


def augmented_object(operator, items, trips=4):
    print(_weight(trips))
    items += operator
    return items


def _of_globals(x):
    return x * entry + make + NUMBER * len(ARRAY)


def globals_named_as_in_generated_code(x, trips=4):
    return _of_globals(x) + entry * make


def parameters_named_like_globals_of_a_helper(x, NUMBER, ARRAY, len, trips=4):
    return _of_globals(x) + NUMBER * ARRAY + len


def test_globals_of_helpers(monkeypatch: pytest.MonkeyPatch) -> None:
    for fn, args in (
        (globals_named_as_in_generated_code, (ARRAY,)),
        (parameters_named_like_globals_of_a_helper, (ARRAY, 5.0, ARRAY, 0.5)),
    ):
        compiled = decorate(fn)
        for name, value in (("entry", 2.0), ("NUMBER", 4), ("entry", 2.5), ("make", 7), ("ARRAY", ARRAY[:2])):
            monkeypatch.setattr(_this(), name, value)
            compare(fn, compiled, args)
        assert IDENTITY or all(found.clusters for found in compiled.specializations)
        monkeypatch.undo()


def calls_before_binding(c, trips=4):
    print(_weight(trips))

    def inner():
        return y

    if c:
        y = 1
    return inner()


def test_unbound_variable_of_the_enclosing_function() -> None:
    same(calls_before_binding, 0)
    same(calls_before_binding, 1)


def test_names_that_the_module_uses() -> None:
    same(own_names, 1.5, 2, np.ones(2))
    same(own_names, 1.5, 2, 3)
    same(underscore_that_is_read, ARRAY, 4)
    same(augmented_object, [2], [1])


# Code that is replaced in place, as reloading tools do. -----------------------------------------------------


def _replaced(x):
    return x + 1


def _replacement(x):
    return x - 50


def calls_replaced(x, trips=4):
    print(_weight(trips))
    return _replaced(x)


def test_code_of_a_helper_is_replaced_in_place() -> None:
    f, old = decorate(calls_replaced), _replaced.__code__
    assert f(2) == 3
    try:
        _replaced.__code__ = _replacement.__code__
        assert f(2) == -48
        assert decorate(calls_replaced)(2) == -48
    finally:
        _replaced.__code__ = old


def _with_default(x, k=2):
    return x * k


def test_defaults_of_the_function_are_replaced() -> None:
    f = decorate(_with_default)
    assert f(3) == 6
    f.__defaults__ = (5,)  # the decorated function is the one that has defaults, as with functools.wraps
    assert f(3) == 15


# Constructs that ended in an internal error. ----------------------------------------------------------------


def keeps_bound_method(items, trips=4):
    print(_weight(trips))
    add = items.append
    add(3)
    add(4.5)
    return items, len(items)


def displays_sets(s, x, trips=4):
    print(_weight(trips))
    s.add(x)
    s |= {x + 1}
    return sorted(s), x in s, len(s)


def names_a_type(x, trips=4):
    print(_weight(trips))
    return type(x).__name__, type(x) is int


def test_no_internal_errors() -> None:
    for f, args in ((keeps_bound_method, ([1],)), (displays_sets, ({1, 2}, 5)), (names_a_type, (1,))):
        same(f, *args)
        decorated = decorate(f)
        decorated(*args)
        if hasattr(decorated, "specializations"):
            reasons = [found.plain_reason or "" for found in decorated.specializations]
            assert not any("Error" in reason for reason in reasons), reasons
