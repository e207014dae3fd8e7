"""Truth of values: short circuit, comparisons, assertions, NaN and zeros."""

import numpy as np

from .corpus import Theme, floats, ints, numbers

theme = Theme(__name__)


def and_value(x, y):
    return x and y


theme.add(and_value, (0, 5), (3, 5), (3, 0.0), (0.0, 1))


def or_value(x, y):
    return x or y


theme.add(or_value, (0, 5), (3, 5.5), (0, 0.0), (None, 2), ([], 3))


def or_default(x, y=None):
    y = y or [1, 2]
    return x, y


theme.add(or_default, (1,), (1, [3]))


def not_value(x):
    return not x, not not x


theme.add(not_value, (0,), (1.5,), ([],), (np.bool_(True),))


def short_circuit_guards(a, i):
    if i < len(a) and a[i] > 0:
        return 1
    return 0


theme.add(short_circuit_guards, (floats(1, -2), 0), (floats(1, -2), 1), (floats(1, -2), 2))


def short_circuit_or(x):
    if x == 0 or 1 / x > 0.3:
        return True
    return False


theme.add(short_circuit_or, (0,), (2,), (5,))


def three_operands(a, b, c):
    return a and b and c, a or b or c, a and b or c


theme.add(three_operands, (1, 0, 2), (0, 3, 4), (1, 2, 3))


def chained_comparison(x):
    return 0 < x < 10, 0 < x <= 5 < 7, 1 == x == 1.0


theme.add(chained_comparison, (3,), (12,), (1,), (-1,))


def chained_comparison_of_arrays(a):
    return 0 < a < 2


theme.add(chained_comparison_of_arrays, (floats(1),), (floats(1, 3),))


def comparisons(x, y):
    return x < y, x <= y, x > y, x >= y, x == y, x != y


theme.add(comparisons, (1, 2), (1.5, 1), (np.nan, 1.0), (floats(1, 2), floats(2, 2)), (ints(1, 2), 1.5))


def comparisons_signed_unsigned(a, b):
    return a < b, a == b, a >= b


theme.add(
    comparisons_signed_unsigned,
    (np.array([-1, 2]), np.array([2**64 - 1, 2], np.uint64)),
    (np.array([1, 2], np.uint8), -1),
    (np.array([1, 2], np.int8), 300),
)


def identity_and_membership(x, items):
    return x is None, x is not None, x in items, x not in items


theme.add(identity_and_membership, (1, [1, 2]), (None, (3,)), (4, {4: 5}))


def membership_in_array(a, x):
    return x in a


theme.add(membership_in_array, (floats(1, 2), 2), (floats(1, 2), 3))


def bool_arrays(a, b):
    return a & b, a | b, a ^ b, ~a, np.logical_not(a), np.logical_and(a, b)


theme.add(bool_arrays, (numbers(5, dtype=bool), numbers(5, dtype=bool, seed=3)))


def branch_in_loop(a):
    pos = 0
    neg = 0.0
    for x in a:
        if x > 0:
            pos += 1
        elif x < 0:
            neg += x
    return pos, neg


theme.add(branch_in_loop, (numbers(20),), (np.zeros(0),), compiled=True)


def asserts(x):
    assert x > 0
    assert x < 10, "too big"
    assert x != 5, f"not {x}"
    return x


theme.add(asserts, (1,), (-1,), (11,), (5,))


def asserts_array(a):
    assert a.ndim == 2, "need a matrix"
    assert (a >= 0).all()
    return a.sum()


theme.add(asserts_array, (np.ones((2, 2)),), (np.ones(2),), (-np.ones((2, 2)),))


def if_pass(x):
    if x:
        pass
    else:
        x = 3
    return x


theme.add(if_pass, (0,), (1,))


def signs_of_zero(x):
    if x == 0:
        return x, -x, x + 0.0, 0.0 - x
    return None


theme.add(signs_of_zero, (0.0,), (-0.0,), (np.float64(-0.0),))


def nan_branches(x):
    out = []
    if x > 0:
        out.append(1)
    if not x > 0:
        out.append(2)
    if x != x:
        out.append(3)
    return out


theme.add(nan_branches, (np.nan,), (1.0,), (-1.0,))


def array_among_others(x, y):
    return x in [None]


def array_not_among_others(x, y):
    return x not in [None, x]


def array_after_none(x, y):
    if x in (None, y):
        return 1
    return 0


def array_found_first(x, y):
    return x in [x, None], x not in (x, y)


def array_found_behind_another(x, y):
    return x in [y, x]


def array_among_none(x, y):
    return x in [], x not in [], x[0] not in ()


def number_in_arrays(x, y):
    return x[0] in [y, x]


def perhaps_an_array_among_others(x, y):
    r = None
    for v in y:
        if v > 0:
            r = x * 2
    return r in [None]


def number_among_others(x, y):
    return x[0] in (None,), x[0] in (None, 1.0), None in [x[0]], x.sum() in ("a", 3.0), 1 in (x[0], None)


for _program in (
    array_among_others,
    array_not_among_others,
    array_after_none,
    array_found_first,
    array_found_behind_another,
    array_among_none,
    number_in_arrays,
    perhaps_an_array_among_others,
    number_among_others,
):
    theme.add(_program, (floats(1, 2), floats(1, 2)), (floats(1), floats(1)), (floats(-1, 2), floats(-1, -2)))
