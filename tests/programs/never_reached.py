"""Operations that would raise where most calls never come: they are no reason against the function."""

import math
import time

import numpy as np

from .corpus import Theme

theme = Theme(__name__)

SMALL, LARGE = np.array([1.5, 2.0, 3.0]), np.array([9.5, 2.0, 3.0])


def _total(x):
    s = 0.0
    for v in x:
        s += v * v
    return s


def item_of_none_set_in_a_loop(x, k):
    n = None
    r = x * 2
    while k < 3:
        if k > 0:
            n[k] = x[k]
        n = r
        k += 1
    return n, _total(x)


def item_of_none_set_in_no_iteration(x, k):
    ref = None
    for j in range(2):
        if j == 0 and k > 5:
            ref[0] = 0.25
    return _total(x)


def method_of_none_in_no_iteration(x, k):
    tally, held = 0.0, None
    while False:
        tally += held.sum()
    return tally + _total(x)


def sum_with_none_on_one_path(x, k):
    offset, s = None, 0.0
    for i in range(len(x)):
        if x[i] > 9:
            s += offset + 1
        s += x[i]
    return s


def none_changed_in_place(x, k):
    held = None
    if k > 5:
        held += 1
    if k > 6:
        held += x[0]
    return _total(x)


def none_called(x, k):
    act = None
    if k > 5:
        return act(x)
    return _total(x)


def none_gone_through(x, k):
    held, s = None, _total(x)
    if k > 6:
        for v in held:
            s += v
    elif k > 5:
        s = sum([v for v in held])
    return s


def none_taken_apart(x, k):
    pair = None
    if k > 5:
        a, b = pair
        return a
    if k > 6:
        a, *b = pair
        return a
    return _total(x)


def item_of_none(x, k):
    held, s = None, 0.0
    for i in range(len(x)):
        if x[i] > 9:
            s += held[i]
        s += x[i]
    return s


def item_of_none_changed(x, k):
    held = None
    if k > 5:
        held[k] += 1
    return _total(x)


def attribute_of_none(x, k):
    held = None
    if k > 6:
        held.weight = 1
    if k > 5:
        return x[held.first]
    return _total(x)


def none_given_to_functions(x, k):
    held = None
    if k == 6:
        return len(held)
    if k == 7:
        return math.sqrt(held)
    if k == 8:
        return np.sqrt(held)
    if k == 9:
        return float(held)
    return _total(x)


def none_compared(x, k):
    limit = None
    if k > 5 and limit < 3:
        return 1.0
    return _total(x)


def none_searched(x, k):
    held = None
    if k > 5 and k in held:
        return 1.0
    return _total(x)


def none_after_an_early_return(x, k):
    held = None
    if k < 5:
        return _total(x)
    held[0] = 1
    return x


def _first_of(held, x):
    s = _total(x)
    return s + held[0]


def none_in_a_helper(x, k):
    if k > 5:
        return _first_of(None, x)
    return _total(x)


def written_before_it_raises(x, k):
    held = None
    x *= 2
    if k > 5:
        x[0] = -1
        held[0] = 1
        x[1] = -1
    return x


def quotient_of_constants(x, k):
    s = 0.0
    for v in x:
        if v > 9:
            s += 1 / 0
        s += v
    return s


def items_that_are_not_there(x, k):
    if k == 6:
        return (1, 2)[5]
    if k == 7:
        return [1, 2][k]
    if k == 8:
        return {"a": 1}["b"]
    if k == 9:
        return [1, 2][5]
    return _total(x)


def constants_of_the_wrong_kind(x, k):
    if k == 6:
        return int("abc")
    if k == 7:
        return "a" + 1
    if k == 8:
        return 10.0**400
    if k == 9:
        return max([])
    return _total(x)


def unpacked_into_too_many(x, k):
    if k > 5:
        a, b, c = 1, x[0]
        return a
    return _total(x)


def test_of_a_loop_on_none(x, k):
    held, s = None, _total(x)
    if k > 5:
        while held[0] > 1:
            s += 1
    while s < 0 and held[0] > 1:
        s += 1
    return s


def methods_used_as_arrays(x, k):
    time.sleep(0)  # an effect: nothing runs again as it was
    y = np.exp(x) * 2 + np.sin(x)
    if k == 6:
        return y.sum[0]
    if k == 7:
        return y.sum + 1
    if k == 8:
        return (1, 2)[y.mean]
    if k == 9:
        return 3 in y.sum
    return _total(y)


def classes_taken_apart(x, k):
    time.sleep(0)
    y = np.exp(x) * 2 + np.sin(x)
    if k == 6:
        a, b = int
    if k == 7:
        a, *b = float
    if k == 8:
        a, *b = None
    return _total(y)


for _program in (
    item_of_none_set_in_no_iteration,
    method_of_none_in_no_iteration,
    sum_with_none_on_one_path,
    none_changed_in_place,
    none_called,
    none_gone_through,
    none_taken_apart,
    item_of_none,
    item_of_none_changed,
    attribute_of_none,
    none_given_to_functions,
    none_compared,
    none_searched,
    none_after_an_early_return,
    none_in_a_helper,
    written_before_it_raises,
    quotient_of_constants,
    items_that_are_not_there,
    constants_of_the_wrong_kind,
    unpacked_into_too_many,
    test_of_a_loop_on_none,
):
    theme.add(_program, (SMALL, 2), *((LARGE, k) for k in (6, 7, 8, 9)), (SMALL, 3), compiled=True)
theme.add(item_of_none_set_in_a_loop, (SMALL, 2), (SMALL, 1), (SMALL, 0), (SMALL, 3))
for _program in (methods_used_as_arrays, classes_taken_apart):
    theme.add(_program, (SMALL, 2), *((LARGE, k) for k in (6, 7, 8, 9)), (SMALL, 3), ulp=4)
