"""Exceptions whose messages hold numbers that only the run knows, raised by kernels. PYTEST_DONT_REWRITE"""

from __future__ import annotations

import math

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate, same


def by_f_string(a, b):
    for i in range(len(a)):
        if a[i] == 0:
            raise ValueError(f"bad pivot {i}: {a[i]}, {a[i]!r}, {float(a[i]):.3f}, {i:>5} é")
        b[i] = 1 / a[i]
    return b


def by_percent(a, b):
    for i in range(len(a)):
        if a[i] == 0:
            raise ZeroDivisionError("bad pivot %d of %s" % (i, b[i]))
        b[i] = 1 / a[i]
    return b


def by_plus(a, b):
    for i in range(len(a)):
        if a[i] == 0:
            raise KeyError("bad " + str(i) + " {braces}" + str(a[i] > 1))
        b[i] = 1 / a[i]
    return b


def by_several(a, b):
    for i in range(len(a)):
        if a[i] == 0:
            raise IndexError("bad", i, float(b[i]), a[i] > 0)
        b[i] = 1 / a[i]
    return b


def asserted(a, b):
    for i in range(len(a)):
        assert a[i] != 0, f"zero at {i}"
        b[i] = 1 / a[i]
    return b


def asserted_number(a, b):
    for i in range(len(a)):
        assert a[i] != 0, i
        b[i] = 1 / a[i]
    return b


def positive(x, i):
    if x < 0:
        raise ArithmeticError(f"negative {x} at {i}")
    return math.sqrt(x)


def in_a_helper(a, b):
    for i in range(len(a)):
        for j in range(3):
            b[i] += positive(a[i] - 0.5, i * j)
    return b


def no_format_for_it(a, b):
    for i in range(len(a)):
        if a[i] == 0:
            raise ValueError(f"bad {a[i]:d}")
        b[i] = 1 / a[i]
    return b


def with_the_array(a, b):
    for i in range(len(a)):
        if a[i] == 0:
            raise ValueError(f"bad {a[:2]} {len(a)} at {i}")
        b[i] = 1 / a[i]
    return b


def from_another(a, b):
    for i in range(len(a)):
        if a[i] == 0:
            raise ValueError(f"bad {i}") from None
        b[i] = 1 / a[i]
    return b


def state_of(a, b):
    state = "begin"
    for i in range(len(a)):
        if state == "begin":
            state = "on"
        elif state == "on" and a[i] == 0:
            state = "off"
        elif state == "off":
            raise RuntimeError(f"{state} at {i}")
        b[i] += 1
    return b


PROGRAMS = [
    by_f_string,
    by_percent,
    by_plus,
    by_several,
    asserted,
    asserted_number,
    in_a_helper,
    no_format_for_it,
    with_the_array,
    from_another,
    state_of,
]


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8"])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(function, dtype):
    good = np.arange(1, 100).astype(dtype)
    bad = good.copy()
    bad[70] = 0
    decorated = decorate(function)
    for a in (good, bad, bad, good):
        compare(function, decorated, (a, np.ones(99)), calls=1)


@needs_compiler
@pytest.mark.parametrize(
    "function", [by_f_string, by_percent, by_plus, by_several, asserted, asserted_number, in_a_helper]
)
def test_loops_are_compiled(function):
    decorated = decorate(function)
    decorated(np.arange(1.0, 100.0), np.ones(99))
    assert has_compiled_part(decorated)


def test_kinds_of_numbers():
    def raising(k, flag, big, small):
        total = 0
        for i in range(50):
            total += i
            if i == k:
                raise ValueError(f"{flag} {big} {small} {total} {i > 3} {flag!r} {small!r}")
        return total

    for flag, small in ((True, 1e-7), (np.True_, np.float32(0.1)), (np.int16(-3), np.float64(1e22))):
        for big in (2**40, -5, np.uint64(2**63 + 1), np.int64(-(2**62))):
            same(raising, 7, flag, big, small)


def what_fails_first(a, b, spec):
    for i in range(len(a)):
        if a[i] == 0:
            said = f"{b[i]:d}" if spec else f"{b[i]}"
            raise ValueError(said + str(a[i + 50]))
        b[i] = 1 / a[i]
    return b


def test_what_fails_while_the_message_is_made():
    a = np.arange(1.0, 100.0)
    for place in (20, 70):
        bad = a.copy()
        bad[place] = 0
        for spec in (True, False):
            same(what_fails_first, bad, np.ones(99), spec)
