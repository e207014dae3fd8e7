"""Small programs that once gave a wrong answer, grouped by what was wrong: plain against decorated."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part
from same import IDENTITY, compare, decorate, same

pytestmark = pytest.mark.usefixtures("driver_runs")

NUMBER = 3
ARRAY = np.arange(4.0)
NUMBERS = [1, 2, 3]
entry, make = 2.0, 3.0


def _this() -> Any:
    return sys.modules[__name__]


def _weight(iterations):
    """The part that is compiled: a function without one runs as it was written."""
    s = 0.0
    for i in range(iterations):
        s += math.sqrt(i)
    return s


# Lists and dicts have identities. ---------------------------------------------------------------------------


def two_names_for_one_list(a, b, x, iterations=4):
    print(_weight(iterations))
    before = a[0]
    b.append(x)
    b[0] = x
    return before, a[0], len(a)


def global_list_as_argument(a, x, iterations=4):
    print(_weight(iterations))
    a.append(x)
    return len(NUMBERS), NUMBERS[-1]


def argument_in_a_list(items, n, iterations=4):
    print(_weight(iterations))
    both = [items, items]
    for i in range(n):
        both[i % 2].append(i)
    return both, len(items)


def returned_twice(iterations=4):
    print(_weight(iterations))
    x = [1, 2]
    y = x
    return x, y, [x, x]


def repeated_row(n, iterations=4):
    print(_weight(iterations))
    rows = [[0] * 2] * 2
    rows[0][0] = n
    return rows


def is_same_list(a, b, iterations=4):
    print(_weight(iterations))
    return a is b, a is a  # noqa: PLR0124


def nan_in_its_list(items, iterations=4):
    print(_weight(iterations))
    return items[0] in items


def test_two_arguments_are_one_list() -> None:
    numbers = [1, 2, 3]
    same(two_names_for_one_list, numbers, numbers, 4)
    same(two_names_for_one_list, [1], [2], 4)
    one = [1, 2, 3]
    assert decorate(two_names_for_one_list)(one, one, 9) == (1, 9, 4)


def test_argument_is_a_global_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_this(), "NUMBERS", [1, 2, 3])
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


def range_beyond_64_bits(n, iterations=4):
    print(_weight(iterations))
    s = 0
    for i in range(2**63 - 2, 2**63 + n):
        s += i % 7
    return s


def prints_then_leaves_64_bits(a, n, iterations=4):
    print(_weight(iterations))
    x = 1
    for i in range(n):
        a[i % len(a)] += 1
        x *= 1000003
    return x


def writes_then_leaves_64_bits(a, n):
    x = 1
    for i in range(n):
        a[i % len(a)] += 1
        x *= 1000003
    return x


def starts_as_an_int(n, iterations=4):
    print(_weight(iterations))
    s = 0
    for i in range(n):
        s = s * 1j + i
    return s


def divides(a, b, iterations=4):
    print(_weight(iterations))
    return divmod(a, b)


def test_range_beyond_64_bits() -> None:
    same(range_beyond_64_bits, 5)


def test_int_that_becomes_complex() -> None:
    same(starts_as_an_int, 0)
    same(starts_as_an_int, 5)


def writes_a_global_then_leaves_64_bits(b, n):
    x = 1
    for i in range(n):
        TABLE[i % 3, 1:] += x % 7
        b[0] = i
        x *= 1000003
    return x


TABLE = np.zeros((3, 4))


@pytest.mark.parametrize("step", [1, -1, 2])
def test_big_int_after_a_write(step: int) -> None:
    """What was written is put back, and the call starts again as plain Python."""
    f = decorate(writes_then_leaves_64_bits)
    for n in (2, 8, 3, 8):
        compare(writes_then_leaves_64_bits, f, (np.arange(6)[::step], n))
    assert IDENTITY or has_compiled_part(f)


def test_big_int_after_a_write_of_a_global() -> None:
    f = decorate(writes_a_global_then_leaves_64_bits)
    seen = []
    for call in (f, writes_a_global_then_leaves_64_bits):
        TABLE[:] = 0
        b = np.zeros(2)
        seen.append([(call(b, n), TABLE.tolist(), b.tolist()) for n in (2, 8, 3, 8)])
    assert seen[0] == seen[1]
    assert IDENTITY or has_compiled_part(f)


def test_big_int_after_a_write_to_a_large_array() -> None:
    """A copy of it would cost more than the call: the call can't start again, and says so, loudly."""
    f = decorate(writes_then_leaves_64_bits)
    with pytest.raises(OverflowError, match="64 bits"):
        f(np.arange(10_000), 8)
    same(writes_then_leaves_64_bits, np.arange(10_000), 2)


def test_big_int_after_a_print() -> None:
    """What was printed is left out where the call starts again."""
    same(prints_then_leaves_64_bits, np.arange(3), 8)


@pytest.mark.parametrize("divisor", [0, 0.0])
def test_message_of_divmod(divisor: float) -> None:
    same(divides, 1, divisor)
    same(divides, 1.0, divisor)


# Names. -----------------------------------------------------------------------------------------------------


def own_names(np, math, operator, iterations=4):
    print(_weight(iterations))
    s = 0
    for _ in range(3):
        s += np * math + operator
    return s


def underscore_that_is_read(x, n, iterations=4):
    print(_weight(iterations))
    total = 0.0
    for _ in range(n):
        for i in range(2):
            total += 1.5
        total += x[_]
    return total


def augmented_object(operator, items, iterations=4):
    print(_weight(iterations))
    items += operator
    return items


def _of_globals(x):
    return x * entry + make + NUMBER * len(ARRAY)


def globals_named_as_in_generated_code(x, iterations=4):
    return _of_globals(x) + entry * make


def parameters_named_like_globals_of_a_helper(x, NUMBER, ARRAY, len, iterations=4):
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


def calls_before_binding(c, iterations=4):
    print(_weight(iterations))

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


def calls_replaced(x, iterations=4):
    print(_weight(iterations))
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


def keeps_bound_method(items, iterations=4):
    print(_weight(iterations))
    add = items.append
    add(3)
    add(4.5)
    return items, len(items)


def displays_sets(s, x, iterations=4):
    print(_weight(iterations))
    s.add(x)
    s |= {x + 1}
    return sorted(s), x in s, len(s)


def names_a_type(x, iterations=4):
    print(_weight(iterations))
    return type(x).__name__, type(x) is int


def test_no_internal_errors() -> None:
    for f, args in ((keeps_bound_method, ([1],)), (displays_sets, ({1, 2}, 5)), (names_a_type, (1,))):
        same(f, *args)
        decorated = decorate(f)
        decorated(*args)
        if hasattr(decorated, "specializations"):
            reasons = [found.plain_reason or "" for found in decorated.specializations]
            assert not any("Error" in reason for reason in reasons), reasons


def by_zero(a, n):
    s = 0.0
    for i in range(n):
        t = s / 0.0
        s = a[i] + t
    return s


def by_minus_zero(a, n):
    s = 0.0
    for i in range(n):
        t = s / -0.0
        s = a[i] + t
    return s


def by_int_zero(a, n):
    s = 0.0
    for i in range(n):
        t = s / 0
        s = a[i] + t
    return s


@pytest.mark.parametrize("f", [by_zero, by_minus_zero, by_int_zero], ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [0, 1, 3])
def test_a_float_that_becomes_numpys_by_a_constant_zero(f: Callable[..., Any], n: int) -> None:
    same(f, np.ones(3), n)
