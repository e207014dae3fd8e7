"""Assignments of every kind."""

import numpy as np

from .corpus import Theme, floats, numbers

theme = Theme(__name__)


def plain(x):
    y = x
    z = y + 1
    return z


theme.add(plain, (1,), (2.5,), (floats(1, 2, 3),))


def chained(x):
    a = b = c = x * 2
    c = c + 1
    return a, b, c


theme.add(chained, (3,), (floats(1, 2),))


def chained_alias(x):
    a = b = x + 0.0
    a[0] = 9
    return a, b


theme.add(chained_alias, (floats(1, 2, 3),))


def unpacked(p):
    a, b = p
    return b, a


theme.add(unpacked, ((1, 2.5),), ([3, 4],), (floats(5, 6),))


def unpacked_nested(p):
    (a, b), c = p
    [d, e] = a, c
    return a + b * c, d, e


theme.add(unpacked_nested, (((1, 2), 3),))


def unpacked_starred(p):
    first, *middle, last = p
    return first, middle, last


theme.add(unpacked_starred, ((1, 2, 3, 4),), ([1, 2],))


def unpacked_too_few(p):
    a, b, c = p
    return a


theme.add(unpacked_too_few, ((1, 2),), ((1, 2, 3, 4),))


def unpacked_rows(m):
    x, y = m
    x = x + y
    return x, y


theme.add(unpacked_rows, (numbers(2, 4),))


def swapped(a, b):
    a, b = b, a
    return a - b, a, b


theme.add(swapped, (1, 5), (floats(1, 2), floats(3, 5)))


def rotated(a, b, c):
    a, b, c = b, c, a
    b, a = a, b
    return a, b, c


theme.add(rotated, (1, 2.0, True))


def augmented_scalar(x, n):
    x += 3
    x *= 2
    x -= n
    x /= 4
    x **= 2
    return x


theme.add(augmented_scalar, (1, 2), (1.5, 2))


def augmented_integer(x):
    x //= 2
    x %= 5
    x <<= 3
    x |= 1
    x ^= 6
    x &= 0xFF
    x >>= 1
    return x


theme.add(augmented_integer, (1234,), (-77,))


def augmented_array(a, b):
    a += b
    a *= 2
    a -= 1
    a /= b
    return a


theme.add(augmented_array, (floats(1, 2, 3), floats(4, 5, 6)), (numbers(3, 4), 2.0), compiled=True)


def augmented_rebinds_copy(a):
    a = a + 1
    a += 5
    return a


theme.add(augmented_rebinds_copy, (floats(1, 2),))


def augmented_element(a, i):
    a[i] += 2
    a[-1] *= a[i]
    return a[i]


theme.add(augmented_element, (floats(1, 2, 3), 1))


def augmented_slice(a):
    a[1:] += a[0]
    a[::2] *= 3


theme.add(augmented_slice, (floats(1, 2, 3, 4, 5),))


def augmented_integer_array_by_float(a):
    a += 1.5
    return a


theme.add(augmented_integer_array_by_float, (np.arange(3),))


def augmented_float32(a, s):
    a += s
    a *= np.pi
    return a


theme.add(augmented_float32, (np.arange(4, dtype=np.float32), 0.1))


def annotated(x: float) -> float:
    y: float = x * 2
    z: "int"
    z = 3
    return y + z


theme.add(annotated, (1.5,), (2,))


def walrus_in_test(a):
    if (m := a.max()) > 2:
        return m
    return -m


theme.add(walrus_in_test, (floats(1, 3),), (floats(1, 2),))


def walrus_in_while(n):
    total = 0
    while (n := n - 1) > 0:
        total += n
    return total, n


theme.add(walrus_in_while, (10,), (0,))


def walrus_in_expression(x):
    return (y := x + 1) * y + y


theme.add(walrus_in_expression, (3,), (floats(1, 2),))


def deleted(x):
    y = x + 1
    z = y * 2
    del y
    return z


theme.add(deleted, (3,))


def deleted_then_read(x):
    y = x + 1
    del y
    return y  # noqa: F821


theme.add(deleted_then_read, (3,))


def shadowed_builtin(x):
    max = x + 1
    sum = max * 2
    return sum


theme.add(shadowed_builtin, (3,))


def underscore(p):
    _, b, _ = p
    return b


theme.add(underscore, ((1, 2, 3),))


def nothing(x):
    pass


theme.add(nothing, (1,))


def returns_nothing(a):
    a[0] = 1
    return


theme.add(returns_nothing, (floats(5, 6),))


def doc_string_only(x):
    """Says what it does."""


theme.add(doc_string_only, (1,))


def dict_result(x):
    d = {"a": x, "b": x * 2}
    d["c"] = d["a"] + d["b"]
    return d


theme.add(dict_result, (2,), (floats(1, 2),))


def list_result(x):
    items = [x, x + 1]
    items.append(x * 2)
    items[0] = 7
    return items


theme.add(list_result, (2,), (floats(1, 2),))


def nested_result(x):
    return {"pair": (x, [x + 1, None]), "text": "t", "flag": True}


theme.add(nested_result, (floats(1, 2),))


def attribute_of_array(a):
    return a.shape, a.ndim, a.size, a.dtype, a.itemsize, a.nbytes, a.T.shape


theme.add(attribute_of_array, (numbers(2, 3),), (np.zeros((0, 4), np.float32),))


def constants():
    return 1, 2.5, -0.0, 1e400, -1e400, 3j, -2j, "text", b"b", None, True, 10**30, ...


theme.add(constants)


def constant_expressions(x):
    return x + (-1) ** 2, x - -0.0, x * 1e-320, -((1j) ** 2), 2**-1, 7 // -2, 7 % -2


theme.add(constant_expressions, (1,), (0.0,))
