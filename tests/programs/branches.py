"""Choices: `if`, conditional expressions, short circuit, comparisons."""

import numpy as np

from .corpus import Theme, floats

theme = Theme(__name__)


def if_only(x):
    y = 1
    if x > 0:
        y = 2
    return y


theme.add(if_only, (1,), (-1,), (0.5,))


def if_else(x):
    if x > 0:
        y = x * 2
    else:
        y = -x
    return y


theme.add(if_else, (1.5,), (-1.5,))


def if_chain(x):
    if x < 0:
        k = "negative"
    elif x == 0:
        k = "zero"
    elif x < 10:
        k = "small"
    else:
        k = "big"
    return k


theme.add(if_chain, (-1,), (0,), (5,), (50,))


def if_nested(a, b):
    if a > 0:
        if b > 0:
            r = 1
        else:
            r = 2
    elif b > 0:
        r = 3
    else:
        r = 4
    return r


theme.add(if_nested, (1, 1), (1, -1), (-1, 1), (-1, -1))


def if_joins_int_and_float(x):
    if x > 0:
        y = 1
    else:
        y = 2.5
    return y


theme.add(if_joins_int_and_float, (1,), (-1,))


def if_joins_int_and_float_then_adds(x):
    if x > 0:
        y = 1
    else:
        y = 2.5
    return y + 1, y * 2


theme.add(if_joins_int_and_float_then_adds, (1,), (-1,))


def if_joins_array_and_scalar(a, flag):
    if flag:
        y = a * 2
    else:
        y = 0
    return y


theme.add(if_joins_array_and_scalar, (floats(1, 2), True), (floats(1, 2), False))


def if_joins_array_and_none(a, flag):
    y = None
    if flag:
        y = a.sum()
    return y


theme.add(if_joins_array_and_none, (floats(1, 2), True), (floats(1, 2), False))


def if_joins_shapes(a, flag):
    if flag:
        b = a[1:]
    else:
        b = a + 1
    return b.sum(), b.shape


theme.add(if_joins_shapes, (floats(1, 2, 3), True), (floats(1, 2, 3), False))


def if_joins_dtypes(a, flag):
    if flag:
        b = a.astype(np.float32)
    else:
        b = a.astype(np.int64)
    return b


theme.add(if_joins_dtypes, (floats(1, 2, 3), True), (floats(1.5, 2, 3), False))


def if_joins_ranks(a, flag):
    if flag:
        b = a.reshape(2, -1)
    else:
        b = a
    return b * 2


theme.add(if_joins_ranks, (floats(1, 2, 3, 4), True), (floats(1, 2, 3, 4), False))


def if_joins_string(x):
    name = "none"
    if x > 1:
        name = "many"
    return name, x


theme.add(if_joins_string, (1,), (2,))


def if_unbound(x):
    if x > 0:
        y = 1
    return y


theme.add(if_unbound, (1,), (-1,))


def if_mutates(a, flag):
    if flag:
        a[0] = 10
    else:
        a[1:] = 0
    a += 1


theme.add(if_mutates, (floats(1, 2, 3), True), (floats(1, 2, 3), False))


def if_which_array(a, b, flag):
    if flag:
        c = a
    else:
        c = b
    c[0] = 99
    return c


theme.add(if_which_array, (floats(1, 2), floats(3, 4), True), (floats(1, 2), floats(3, 4), False))


def if_truth_of_number(x):
    if x:
        return "yes"
    return "no"


theme.add(if_truth_of_number, (0,), (2,), (0.0,), (np.float64(1.5),), (np.bool_(False),))


def if_truth_of_container(x):
    if x:
        return "yes"
    return "no"


theme.add(if_truth_of_container, ([],), ([0],), ("",), (None,), (floats(2),), (floats(0),))


def if_truth_of_array(a):
    if a > 1:
        return 1
    return 2


theme.add(if_truth_of_array, (floats(1, 2),))


def if_truth_of_empty_array(a):
    return 1 if a else 2


theme.add(if_truth_of_empty_array, (np.zeros(0),))


def conditional_expression(x):
    return x if x > 0 else -x


theme.add(conditional_expression, (3,), (-2.5,))


def conditional_expression_types(x):
    return 1 if x > 0 else 2.5


theme.add(conditional_expression_types, (3,), (-2,))


def conditional_expression_nested(x):
    return "a" if x > 2 else "b" if x > 1 else "c"


theme.add(conditional_expression_nested, (3,), (2,), (0,))


def conditional_expression_guards(a, i):
    return a[i] if i < len(a) else 0.0


theme.add(conditional_expression_guards, (floats(1, 2), 1), (floats(1, 2), 7))
