"""Helpers, closures, lambdas, defaults, keywords, recursion, globals."""

import functools

import numpy as np

from .corpus import Theme, floats, ints, numbers, with_kwargs

theme = Theme(__name__)

OFFSETS = np.array([1.0, 2.0, 3.0])


def _square(x):
    return x * x


def _norm(v):
    return np.sqrt(_square(v).sum())


def _clamp(x, low=0.0, high=1.0):
    if x < low:
        return low
    if x > high:
        return high
    return x


def _two(x):
    return x + 1, x - 1


def _first_above(a, limit):
    for i in range(len(a)):
        if a[i] > limit:
            return i
    return -1


def _nothing(a):
    a[0] = 0


def calls_helper(x):
    return _square(x) + _square(x + 1)


theme.add(calls_helper, (3,), (1.5,), (floats(1, 2),), compiled=None)


def calls_helper_of_helper(v):
    return v / _norm(v)


theme.add(calls_helper_of_helper, (floats(3, 4),), compiled=True)


def calls_helper_with_branches(a):
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = _clamp(a[i], high=0.75)
    return out


theme.add(calls_helper_with_branches, (numbers(6),), compiled=True)


def calls_helper_with_tuple(x):
    a, b = _two(x)
    return a * b, _two(a)[1]


theme.add(calls_helper_with_tuple, (3,), (floats(1, 2),))


def calls_helper_with_loop(a, n):
    s = 0
    for k in range(n):
        s += _first_above(a, k * 0.5)
    return s


theme.add(calls_helper_with_loop, (numbers(8), 4))


def calls_helper_without_result(a):
    r = _nothing(a)
    return r, a[0]


theme.add(calls_helper_without_result, (floats(1, 2),))


def calls_with_wrong_arguments(x):
    return _clamp(x, 1, 2, 3)


theme.add(calls_with_wrong_arguments, (3,))


def calls_with_unknown_keyword(x):
    return _clamp(x, middle=1)


theme.add(calls_with_unknown_keyword, (3,))


def calls_in_order(x):
    log = []

    def note(k):
        log.append(k)
        return k

    r = note(1) + note(2) * note(3)
    s = max(note(4), note(5))
    return r, s, log


theme.add(calls_in_order, (0,))


def defaults(a, b=2, *, c=3.5):
    return a + b * c


theme.add(
    defaults, (1,), (1, 5), with_kwargs(1, c=7), with_kwargs(b=4, a=1), (), with_kwargs(1, d=3), (1, 2, 3)
)


def variadic(*args, **kwargs):
    s = 0
    for x in args:
        s = s + x
    return s, len(args), sorted(kwargs)


theme.add(variadic, (), (1, 2.5), with_kwargs(floats(1, 2), 3, key=4))


def positional_only(a, /, b, *, c=1):
    return a - b + c


theme.add(positional_only, (1, 2), with_kwargs(1, b=2), with_kwargs(a=1, b=2))


def default_array(a, b=OFFSETS):
    return a + b


theme.add(default_array, (floats(1, 2, 3),), (floats(1, 2, 3), 5))


def lambdas(a, k):
    f = lambda x: x * k + 1
    return f(a), (lambda x, y=2: x - y)(a)


theme.add(lambdas, (3, 4), (floats(1, 2), 0.5))


def nested_function(a, n):
    def step(x):
        return x * 0.5 + n

    for _ in range(n):
        a = step(a)
    return a


theme.add(nested_function, (floats(1, 2), 3), (1.0, 2), (1, 0))


def nested_function_reads_later_value(x):
    k = 1

    def f():
        return x + k

    a = f()
    k = 10
    return a, f()


theme.add(nested_function_reads_later_value, (5,), (floats(1, 2),))


def nested_nonlocal(n):
    total = 0

    def add(k):
        nonlocal total
        total += k
        return total

    for i in range(n):
        add(i)
    return total


theme.add(nested_nonlocal, (4,), (0,))


def nested_defaults_bind_early(n):
    fs = []
    for i in range(n):
        fs.append(lambda i=i: i)
    late = [lambda: i for i in range(n)]
    return [f() for f in fs], [f() for f in late]


theme.add(nested_defaults_bind_early, (3,))


def returns_function(k):
    def inner(x):
        return x + k

    return inner(1), inner(2.5)


theme.add(returns_function, (1,))


def function_argument(f, a):
    return f(a) + f(a * 2)


theme.add(function_argument, (np.sin, floats(1, 2)), (_square, 3), (abs, -2.5), (len, [1]), ulp=4)


def function_in_list(a):
    r = a
    for f in (np.abs, np.sqrt, _square):
        r = f(r)
    return r


theme.add(function_in_list, (floats(-4, 9),))


def partial_call(a):
    low = functools.partial(_clamp, low=0.25)
    return low(a), low(a, high=0.5)


theme.add(partial_call, (0.1,), (0.9,))


def _make_adder(k, table):
    def add(x):
        return x + k + table[0]

    return add


theme.add(_make_adder(3, [1]), (1,), (floats(1, 2),), name="closure_number")
theme.add(_make_adder(floats(1, 2), (0.5,)), (1,), (floats(1, 2),), name="closure_array")


def _make_counter():
    count = [0]

    def bump(x):
        count[0] += x
        return x * 2

    def reset():
        count[0] = 0

    return bump, reset


_bump, _reset_bump = _make_counter()
theme.add(_bump, (1,), (2,), reset=_reset_bump, name="closure_list_mutated")

theme.add(lambda x: x * 2 + 1, (3,), (floats(1, 2),), name="lambda_itself")
theme.add(lambda: 5, (), name="lambda_without_arguments")


def helper_unrolled_by_tuple(a):
    total = 0.0
    for k in (1, 2):
        for v in (a, a * 2):
            total += _norm(v) * k
    return total


theme.add(helper_unrolled_by_tuple, (ints(3, 4),), (floats(3, 4),))
