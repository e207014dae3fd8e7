"""Exceptions: their type and text, and what was written before them."""

import numpy as np

from .corpus import Theme, floats, ints, numbers, readonly

theme = Theme(__name__)


def index_error_after_writes(a):
    for i in range(10):
        a[i] = i * 2


theme.add(index_error_after_writes, (np.zeros(4),), (np.zeros(10),), (np.zeros(0),), compiled=True)


def index_error_in_read_after_writes(a, b):
    for i in range(len(a)):
        a[i] = b[i] + 1
    return a


theme.add(
    index_error_in_read_after_writes, (np.zeros(5), numbers(3)), (np.zeros(3), numbers(5)), compiled=True
)


def index_error_in_middle_of_statements(a, b):
    for i in range(len(a)):
        a[i] += 1
        x = b[i + 1]
        a[i] += x


theme.add(index_error_in_middle_of_statements, (np.zeros(4), numbers(4)), (np.zeros(4), numbers(5)))


def index_error_in_nested_loops(m, n):
    for i in range(n):
        for j in range(n):
            m[i, j] = i * 10 + j


theme.add(index_error_in_nested_loops, (np.zeros((3, 2)), 3), (np.zeros((2, 3)), 3), (np.zeros((3, 3)), 3))


def index_error_in_branch(a, k):
    s = 0
    for i in range(len(a)):
        if i == k:
            s += a[i + 100]
        else:
            a[i] = s
            s += 1
    return s


theme.add(index_error_in_branch, (np.ones(4), 2), (np.ones(4), 9))


def index_error_in_while(a):
    i = 0
    while a[i] >= 0:
        a[i] = -1
        i += 1
    return i


theme.add(index_error_in_while, (floats(1, 2, -1, 4),), (floats(1, 2),))


def index_error_backwards(a):
    for i in range(3, -5, -1):
        a[i] += 1


theme.add(index_error_backwards, (np.zeros(4),), (np.zeros(3),), (np.zeros(9),))


def index_error_from_data(a, k):
    for j in k:
        a[j] = 5


theme.add(index_error_from_data, (np.zeros(3), ints(0, 2, 3, 1)), (np.zeros(3), ints(0, -3)))


def index_error_of_rows(m, n):
    for i in range(n):
        m[i] = i
    return m


theme.add(index_error_of_rows, (np.zeros((2, 2)), 3), (np.zeros((3, 2)), 3))


def index_error_axis_one(m):
    return m[0, 5]


theme.add(index_error_axis_one, (numbers(6, 2),), (numbers(2, 6),))


def index_error_caught_outside(a):
    try:
        for i in range(10):
            a[i] = 1
    except IndexError as error:
        return str(error)
    return "none"


theme.add(index_error_caught_outside, (np.zeros(3),), (np.zeros(10),))


def list_index_error(items):
    for i in range(5):
        items[i] = i


theme.add(list_index_error, ([9, 9, 9],))


def shapes_do_not_match(a, b):
    a[0] = 100
    c = a + b
    a[1] = 200
    return c


theme.add(shapes_do_not_match, (numbers(3), numbers(2)), (numbers(3), numbers(3)), (numbers(3), numbers(1)))


def shapes_do_not_match_in_loop(a, parts):
    for p in parts:
        a += p
    return a


theme.add(shapes_do_not_match_in_loop, (numbers(3), [numbers(3), numbers(2)]))


def shapes_do_not_match_in_assignment(a, n):
    for i in range(n):
        a[i:] = np.arange(3.0)
    return a


theme.add(shapes_do_not_match_in_assignment, (numbers(3), 1), (numbers(3), 2))


def shapes_of_slices_do_not_match(a, k):
    return a[k:] - a[:-1]


theme.add(shapes_of_slices_do_not_match, (numbers(5), 1), (numbers(5), 2), (numbers(5), 4))


def matmul_does_not_match(a, b):
    return a @ b


theme.add(
    matmul_does_not_match, (numbers(2, 3), numbers(2, 3)), (numbers(2, 3), numbers(2)), (numbers(3), 2.0)
)


def concatenate_does_not_match(a, b):
    return np.concatenate((a, b))


theme.add(concatenate_does_not_match, (numbers(2, 3), numbers(2, 2)), (numbers(2), numbers(2, 2)))


def raises_own(x):
    if x < 0:
        raise ValueError(f"negative: {x}")
    if x == 0:
        raise KeyError("zero")
    return x


theme.add(raises_own, (-1,), (0,), (1,), (-2.5,))


def raises_in_loop(a):
    for i in range(len(a)):
        if a[i] < 0:
            raise ValueError("negative at %d" % i)
        a[i] = 0
    return i


theme.add(raises_in_loop, (floats(1, 2, -1, 4),), (floats(1, 2),))


class OwnError(Exception):
    """A user's exception."""


def raises_own_class(x):
    if x:
        raise OwnError(x, "twice")
    raise OwnError


theme.add(raises_own_class, (1,), (0,))


def raises_from(x):
    try:
        return 1 / x
    except ZeroDivisionError as error:
        raise ValueError("no inverse") from error


theme.add(raises_from, (0,), (2,))


def _helper_raises(a):
    if a.sum() > 1:
        raise RuntimeError("too much")
    return a


def raises_in_helper(a):
    a[0] += 1
    b = _helper_raises(a)
    b[0] += 10
    return b


theme.add(raises_in_helper, (floats(0, -1),), (floats(5, 5),))


def assertion_in_loop(a):
    for i in range(len(a)):
        assert a[i] >= 0, f"bad value at {i}"
        a[i] = np.sqrt(a[i])


theme.add(assertion_in_loop, (floats(4, -1, 9),), (floats(4, 9),))


def readonly_in_loop(a, b):
    for i in range(len(a)):
        b[i] = a[i]
        a[i] = 0


theme.add(readonly_in_loop, (readonly(numbers(3)), np.zeros(3)), (numbers(3), np.zeros(3)))


def key_error_in_loop(d, keys):
    s = 0
    for k in keys:
        s += d[k]
        d[k] = 0
    return s


theme.add(key_error_in_loop, ({"a": 1, "b": 2}, ["a", "z", "b"]), ({"a": 1}, ["a"]))


def attribute_error_of_none(a):
    b = None
    for x in a:
        if x > 5:
            b = a
    return b.sum()


theme.add(attribute_error_of_none, (floats(1, 2),), (floats(1, 9),))


def iterating_over_none(x):
    for i in x:
        pass


theme.add(iterating_over_none, (None,), (floats(1, 2),))


def unpacking_array_of_wrong_length(a):
    x, y = a
    return x + y


theme.add(unpacking_array_of_wrong_length, (floats(1, 2, 3),), (floats(1),), (floats(1, 2),))


def casting_error(a):
    a += 0.5
    return a


theme.add(
    casting_error, (ints(1, 2),), (numbers(2, dtype=bool),), (floats(1, 2),), (numbers(2, dtype=np.float32),)
)


def casting_error_after_write(a):
    a[0] = 9
    a *= 1j


theme.add(casting_error_after_write, (floats(1, 2),))


def mixed_up_types(a):
    return a + {"x": 1}


theme.add(mixed_up_types, (floats(1, 2),), (1,))


def ufunc_without_loop(a):
    return np.bitwise_and(a, 1)


theme.add(ufunc_without_loop, (floats(1, 2),), (ints(1, 2),))


def unknown_keyword_of_numpy(a):
    return np.sum(a, axes=0)


theme.add(unknown_keyword_of_numpy, (floats(1, 2),))


def stop_of_iteration(items):
    it = iter(items)
    return next(it), next(it), next(it)


theme.add(stop_of_iteration, ([1, 2],), ([1, 2, 3],))


def negative_dimensions(n):
    a = np.zeros(3)
    a[0] = n
    return np.ones((2, n - 5)), a


theme.add(negative_dimensions, (5,), (4,), (6,))


def argmax_then_index(a):
    k = int(a.argmax())
    return a[k + 1]


theme.add(argmax_then_index, (floats(1, 3, 2),), (floats(1, 2, 3),))


def exceptions_in_condition(a, i):
    while a[i] > 0 and a[i + 1] > 0:
        i += 1
    return i


theme.add(exceptions_in_condition, (floats(1, 1, -1), 0), (floats(1, 1, 1), 0))


# Negative powers of ints: NumPy raises before what it computes goes anywhere, or halfway through in place


def negative_powers_of_two(z, x):
    z[:] = 2**z
    return z


def negative_powers_added(z, x):
    x += z**z
    return x


def negative_powers_before_a_write(z, x):
    y = 2**z
    x[:] = 100
    return y + x


def negative_powers_between_writes(z, x):
    x[:] = 100
    y = 2**z
    x[:] = y
    return y + x


def negative_powers_in_a_loop(z, x):
    for i in range(3):
        x += i
        z[:] = z ** (z - 1)
    return x


def negative_powers_in_place(z, x):
    z **= z
    return x


def negative_powers_through_out(z, x):
    np.power(z, z, out=z)
    return x


for _program in (
    negative_powers_of_two,
    negative_powers_added,
    negative_powers_before_a_write,
    negative_powers_between_writes,
    negative_powers_in_a_loop,
    negative_powers_in_place,
    negative_powers_through_out,
):
    for _kind in ("int64", "int32", "int8"):
        _powers = [np.array(values, _kind) for values in ([3, 1, -2, 2], [3, 1, 2, 2], [1, 2, 3, -1])]
        theme.add(_program, *((z, z * 1.0) for z in _powers), name=f"{_program.__name__}_{_kind}")


def out_in_a_tuple_by_its_place(v, o):
    np.add(v, v, (o,))
    return v


def outs_in_a_tuple_by_its_place(v, o):
    return np.modf(v, (o, o.copy()))


def out_in_a_list(v, o):
    np.sqrt(v, [o])
    return o


def out_twice(v, o):
    np.add(v, v, o, out=o)
    return o


def too_many_places(v, o):
    np.sqrt(v, o, o)
    return o


def out_at_the_place_of_a_dtype(v, o):
    b = np.zeros((), bool)
    v.all(0, b)
    return b


def out_at_the_place_of_another_dtype(v, o):
    b = np.zeros((), bool)
    return v.any(0, b), b


def out_behind_a_dtype(v, o):
    b = np.zeros((), bool)
    v.all(0, None, b)
    return b, v.any(0, None)


def out_of_a_method_in_a_tuple(v, o):
    v.cumsum(0, None, (o,))
    return o


def out_of_a_function_in_a_tuple(v, o):
    np.max(v, 0, (o[:1].reshape(()),))
    return o


def out_of_clip_in_a_tuple(v, o):
    np.clip(v, 0, 1, (o,))
    return v.clip(0, 2, (o,)) + 1, o


for _program in (
    out_in_a_tuple_by_its_place,
    outs_in_a_tuple_by_its_place,
    out_in_a_list,
    out_twice,
    too_many_places,
    out_at_the_place_of_a_dtype,
    out_at_the_place_of_another_dtype,
    out_behind_a_dtype,
    out_of_a_method_in_a_tuple,
    out_of_a_function_in_a_tuple,
    out_of_clip_in_a_tuple,
):
    theme.add(_program, (floats(1.5, -2, 3), np.zeros(3)))
