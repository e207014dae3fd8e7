"""What conditions say of sizes holds behind them, of the values that they compare; sizes keep signs."""

from __future__ import annotations

import numpy as np
import pytest
from same import same


def names_given_anew(x, k, c):
    a = 0
    s = 0.0
    for i in range(len(x)):
        both = (float(x[int(a)]) > c, k > 0)
        if both[0]:
            s += x[k:].sum() + 100.0 * x[k:].size
        if both[1]:
            s += 1.0
        a = x[i]
    return s


@pytest.mark.parametrize("k", [-2, 2])
def test_a_condition_of_an_earlier_attempt_says_nothing(k: int) -> None:
    same(names_given_anew, np.array([1.0, 2.0, 0.0, 3.0, 1.5, 4.0]), k, 0.5)


def after_a_negation(x, y, m):
    s = 0.0
    for k in range(m, m + 3):
        if not k >= 0:
            continue
        y[k:] = x[: len(x) - k]
        s += (x[k:] * x[k:] + 1.0).sum()
    return s


def after_either(x, y, m):
    s = 0.0
    for k in range(m, m + 3):
        if k < 0 or x[0] > 100:
            continue
        y[k:] = x[: len(x) - k]
        s += (x[k:] * x[k:] + 1.0).sum()
    return s


def in_the_other_branch(x, y, m):
    s = 0.0
    for k in range(m, m + 3):
        if k < 0:
            continue
        else:
            s += (x[k:] * x[k:] + 1.0).sum()
        y[k:] += s
    return s


@pytest.mark.parametrize("m", [2, -2, -(10**9)])
@pytest.mark.parametrize("f", [after_a_negation, after_either, in_the_other_branch])
def test_what_rests_on_a_condition_does_not_run_before_it(f: object, m: int) -> None:
    same(f, np.arange(1.0, 9.0), np.ones(8), m)


def difference_of_lengths(x, w, v, lo, hi):
    z = x - w[: hi - lo]
    return z, v[len(v) - len(x) :] * 2.0


def difference_that_is_written(x, y, m, k):
    y[k:] = x[:-k]
    return y, x[: m - k] + x


def test_a_size_that_stands_for_another_keeps_its_sign() -> None:
    same(difference_of_lengths, np.arange(2.0), np.arange(6.0), np.arange(10.0), 3, 5)
    for m, k in ((4, 2), (0, -2), (6, 2)):
        same(difference_that_is_written, np.arange(4.0), np.ones(4), m, k)
