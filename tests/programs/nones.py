"""Variables that hold an array on some paths and None on others, used as if they held an array."""

import numpy as np

from .corpus import Theme

theme = Theme(__name__)

THREE, BELOW, MIXED = np.array([1.5, 2.0, 3.0]), np.array([-1.0, -1.0]), np.array([-1.0, 2.0])


def _doubled(x, y):
    r = None
    for v in y:
        if v > 0:
            r = x * 2
    return r


def added_in_place(x, y):
    r = _doubled(x, y)
    r += 1
    return r


def changed_in_place_in_turn(x, y):
    r = _doubled(x, y)
    r -= x
    r *= 2
    return r.sum()


def one_element_set(x, y):
    r = _doubled(x, y)
    r[0] = 1
    return r


def all_elements_set(x, y):
    r = _doubled(x, y)
    for j in range(len(x)):
        r[j] = j
    return x, r


def gone_through(x, y):
    s = 0.0
    for v in _doubled(x, y):
        s += v
    return s


def taken_apart(x, y):
    a, b, c = _doubled(x, y)
    return a


def taken_apart_and_forgotten(x, y):
    a, b, c = _doubled(x, y)
    return x


def given_to_functions(x, y):
    return np.add(x, _doubled(x, y))


def given_to_functions_of_one(x, y):
    return np.sqrt(_doubled(x, y))


def negated(x, y):
    return np.logical_not(_doubled(x, y))


def written_through_out(x, y):
    np.add(x, _doubled(x, y), out=x)
    return x


def out_itself(x, y):
    r = _doubled(x, y)
    np.exp(x, out=r)
    return r


def added_to_an_array(x, y):
    x += _doubled(x, y)
    return x


def each_with_each(x, y):
    return np.add.outer(_doubled(x, y), x)


def quotients_and_rests(x, y):
    return np.divmod(_doubled(x, y), 2)


def listed(x, y):
    return [v for v in _doubled(x, y)]


def none_in_every_iteration(x, n):
    r = x.copy()
    for _ in range(n):
        r = None
    r += 1
    return r


def magnitudes_until_it_is_none(x, n):
    r = None
    for i in range(n):
        if i == 1:
            r = np.zeros(3)
        r = np.abs(r)
    return r


def written_where_it_is_none(x, y):
    r = _doubled(x, y)
    if r is not None:
        r += 1
        r[0] = 0
    return r


def read_before_the_array_is_written(x, k):
    u = x * 1.0
    old = None if k > 2 else u
    r = x - old
    u += 1.0
    return r


def one_array_in_all_iterations(x, k):
    z = x * 0.5
    ref = None
    for _ in range(k):
        if ref is None:
            ref = z
        ref[0] = 1.0
    return z * -0.5


def scaled_under_another_name(x, k):
    held = None
    z = x * 1.0
    i = 0
    while True:
        i += 1
        if i > k:
            break
        held = z
    held *= 0.25
    return np.sin(z)


def filled_under_another_name(x, k):
    r, q = None, np.zeros(len(x))
    if k > 0:
        r = q
    r.fill(2.0)
    r[:2] *= x[0]
    return q.sum()


def written_by_functions_under_another_name(x, k):
    r, q = None, np.zeros(len(x))
    if k > 0:
        r = q
    np.copyto(r, x)
    np.add(r, 1.0, out=r)
    return np.sum(q * q)


def gone_through_before_it_is_written(x, k):
    r, q = None, np.ones(len(x))
    if k > 0:
        r = q
    for _ in r:
        pass
    q -= x
    return np.sum(r * q)


for _program in (
    added_in_place,
    changed_in_place_in_turn,
    one_element_set,
    all_elements_set,
    gone_through,
    taken_apart,
    taken_apart_and_forgotten,
    given_to_functions,
    given_to_functions_of_one,
    negated,
    written_through_out,
    out_itself,
    added_to_an_array,
    each_with_each,
    quotients_and_rests,
    listed,
    written_where_it_is_none,
):
    theme.add(_program, (THREE, BELOW), (THREE, MIXED), ulp=16)
theme.add(none_in_every_iteration, (THREE, 1), (THREE, 0))
theme.add(magnitudes_until_it_is_none, (THREE, 4), (THREE, 0))
for _program in (
    read_before_the_array_is_written,
    one_array_in_all_iterations,
    scaled_under_another_name,
    filled_under_another_name,
    written_by_functions_under_another_name,
    gone_through_before_it_is_written,
):
    theme.add(_program, (THREE, 2), (THREE, 1), ulp=4)
