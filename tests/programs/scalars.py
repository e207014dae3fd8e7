"""Python and NumPy scalars: exact types, promotion, integers beyond 64 bits, divisions."""

import numpy as np

from .corpus import Theme, floats, ints, numbers

theme = Theme(__name__)


def numpys_constant_first(x):
    return np.sin(0.7) < x, np.sin(0.7) * 2.0 - x, np.float32(0.5) >= x


theme.add(numpys_constant_first, (0.5,), (np.float64(0.9),), (2,))


def arithmetic(a, b):
    return a + b, a - b, a * b, a / b, a // b, a % b, a**b, -a, +a, divmod(a, b)


theme.add(
    arithmetic,
    (7, 3),
    (-7, 3),
    (7, -3),
    (7.5, 2),
    (-7.5, 2.0),
    (np.int64(7), 3),
    (np.float64(7.5), 2),
    (np.float32(7.5), 2),
    (np.int8(7), np.int16(3)),
    (np.float32(1.5), np.float64(2)),
    (np.float32(1.5), np.int64(2)),
    (True, 2),
    (np.uint8(200), 3),
    ulp=2,
)


def signs_of_division(a, b):
    return a // b, a % b, a / b


theme.add(signs_of_division, *((x, y) for x in (5.0, -5.0, 0.0, -0.0) for y in (3.0, -3.0, float("inf"))))


def integer_division_by_zero(a, b):
    return a // b


theme.add(
    integer_division_by_zero,
    (1, 0),
    (1.0, 0),
    (1.0, 0.0),
    (np.int64(1), 0),
    (np.float64(1), 0),
    (ints(1, -1, 0), 0),
    (floats(1, -1, 0), 0),
)


def modulo_by_zero(a, b):
    return a % b


theme.add(modulo_by_zero, (1, 0), (1.0, 0), (np.int64(1), 0), (ints(1, 2), 0), (floats(1, 2), 0.0))


def true_division_by_zero(a, b):
    return a / b


theme.add(
    true_division_by_zero,
    (1, 0),
    (1.0, 0.0),
    (np.float64(1), 0),
    (1.0, np.float64(0)),
    (ints(1, -1, 0), 0),
    (1, np.float64(-0.0)),
)


def zero_division_in_loop(a):
    s = 0.0
    for i in range(3):
        a[i] = i
        s += 1 / (2 - i)
    return s


theme.add(zero_division_in_loop, (np.ones(4),))


def zero_division_of_elements(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i] / b[i]
        s += a[i] // (b[i] + 1)
    return s


theme.add(zero_division_of_elements, (floats(1, 2), floats(0, -1)), (ints(1, 2), ints(0, -1)))


def integer_powers(a, n):
    return a**n, a**2, a**0, 2**n


theme.add(integer_powers, (3, 4), (3, -2), (-3, 3), (2.5, -1), (np.int64(3), 4), (ints(1, 2, 3), 3), (7, 100))


def negative_integer_power(a, n):
    return a**n


theme.add(negative_integer_power, (ints(2, 3), -1), (np.int64(2), -1), (ints(2, 3), ints(-1, 2)), (2, -1))


def big_product(n):
    p = 1
    for i in range(1, n + 1):
        p *= i
    return p


theme.add(big_product, (10,), (20,), (21,), (30,))


def big_sum(x, n):
    s = 0
    for i in range(n):
        s += x
    return s


theme.add(big_sum, (2**62, 1), (2**62, 5), (-(2**62), 5))


def big_shift(x, k):
    return x << k, x >> k, 1 << k, ~x


theme.add(big_shift, (1, 10), (1, 63), (5, 64), (-1, 100), (3, -1))


def big_arguments(x):
    return x + 1, x * 2, x // 3, x % 7, float(x), x > 0


theme.add(big_arguments, (2**63 - 1,), (2**63,), (-(2**63),), (2**64,), (10**30,))


def big_power(x):
    return x**20, x**0.5


theme.add(big_power, (10,), (100,), (3,))


def hash_of_text_codes(values):
    h = 5381
    for v in values:
        h = h * 33 + v
    return h


theme.add(hash_of_text_codes, ([1, 2, 3],), (list(range(20)),))


def linear_congruence(n):
    x = 12345
    out = []
    for i in range(n):
        x = (x * 6364136223846793005 + 1442695040888963407) % 2**64
        out.append(x >> 33)
    return out


theme.add(linear_congruence, (5,))


def numpy_integers_wrap(a):
    s = a[0]
    for i in range(3):
        s = s * a[0]
    return s


theme.add(numpy_integers_wrap, (ints(2**40),), (np.array([200], np.uint8),), (np.array([-128], np.int8),))


def array_integers_wrap(a):
    return a + a, a * a, -a, abs(a), a - 1, a << 1


theme.add(
    array_integers_wrap,
    (np.array([127, -128, 5], np.int8),),
    (np.array([255, 0], np.uint8),),
    (ints(2**62, -(2**63)),),
    (np.array([0, 2**63], np.uint64),),
)


def weak_scalars(a):
    return a + 1, a * 2.5, a + 1j, a + True, a - np.float64(1), a * np.int64(2), 1 / a, 2**a, a > 1


for _dtype in (np.int8, np.uint8, np.int32, np.int64, np.uint64, np.float32, np.float64, np.complex64, bool):
    _values = np.array([1, 0, 3]).astype(_dtype)
    if _dtype is bool:
        continue
    theme.add(weak_scalars, (_values,), (_values[0],), ulp=4, name=f"weak_scalars_{np.dtype(_dtype).name}")


def python_integer_too_big_for_dtype(a, x):
    return a + x


theme.add(
    python_integer_too_big_for_dtype,
    (np.ones(2, np.int8), 300),
    (np.ones(2, np.uint8), -1),
    (np.ones(2, np.int64), 2**70),
    (np.ones(2, np.float32), 2**70),
    (np.ones(2), 2**2000),
)


def mixed_dtypes(f32, f64, i8, u8, i64, u64, b):
    return (
        f32 + f64,
        f32 + i8,
        f32 + i64,
        i8 + u8,
        i64 + u64,
        b + b,
        b * i8,
        b + 1,
        u8 + i64,
        f32 * b,
        u8 / u8,
        i8 / i8,
        u8 // u8,
        i64 // u64,
        f32 // i8,
        i8**2,
        f32**2,
    )


_KINDS = (np.float32, np.float64, np.int8, np.uint8, np.int64, np.uint64, bool)
theme.add(mixed_dtypes, tuple(numbers(4, dtype=d, seed=k) for k, d in enumerate(_KINDS)), ulp=2)


def elements_are_numpy_scalars(a):
    x = a[0]
    return x, x + 1, x * x, x / 2, x // 2, -x, abs(x), x > 0, x == x, float(x), int(x), x**2


for _dtype in (np.int8, np.int64, np.uint64, np.float32, np.float64):
    theme.add(
        elements_are_numpy_scalars, (np.array([3, 4], _dtype),), name=f"elements_{np.dtype(_dtype).name}"
    )


def float32_arithmetic(x, y):
    z = x * y + x / y - 1
    for i in range(3):
        z = z * x + 0.1
    return z, z * 2, z + 1.5, z > 1, float(z), int(z), round(z, 2)


theme.add(
    float32_arithmetic, (np.float32(1.1), np.float32(2.3)), (np.float32(1.1), 2.3), (np.float64(1.1), 2.3)
)


def booleans(a, b):
    return a + b, a & b, a | b, a ^ b, a * 3, -a, ~int(a), a == 1, sum([a, b])


theme.add(booleans, (True, False), (True, True), (1, 0))


def numpy_boolean_minus(a):
    return -a


theme.add(numpy_boolean_minus, (numbers(3, dtype=bool),), (np.bool_(True),))


def numpy_boolean_difference(a):
    return a - a


theme.add(numpy_boolean_difference, (numbers(3, dtype=bool),))


def bitwise(a, b):
    return a & b, a | b, a ^ b, ~a, a << 2, a >> 1


theme.add(bitwise, (12, 10), (ints(12, -7), ints(10, 3)), (np.uint8(200), 7), (-5, 3), (1.5, 1))


def shifts_by_too_much(a, k):
    return a << k, a >> k


theme.add(shifts_by_too_much, (ints(1, -1), 64), (ints(1, -1), 63), (np.array([1], np.int8), 9))


def types_of_results(a):
    return (
        type(a.sum()),
        type(a.mean()),
        type(len(a)),
        type(a[0]),
        type(a.shape[0]),
        type(a.max() > 0),
        type(1.5 * a[0]),
    )


theme.add(types_of_results, (floats(1, 2),), (ints(1, 2),))


def comparison_chain_of_types(x):
    return (
        isinstance(x, int),
        isinstance(x, float),
        isinstance(x, np.floating),
        isinstance(x, (int, np.integer)),
    )


theme.add(comparison_chain_of_types, (1,), (1.5,), (np.float64(1),), (np.int64(1),), (True,))


def nan_and_zero(a):
    return a == a, a != a, np.maximum(a, 0.5), np.fmax(a, 0.5), np.minimum(a, -0.5), a * 0, np.sign(a), 1 / a


theme.add(nan_and_zero, (floats(np.nan, 0.0, -0.0, np.inf, -np.inf, 1),))


def min_max_of_nan(x, y):
    return min(x, y), max(x, y), min(y, x)


theme.add(min_max_of_nan, (float("nan"), 1.0), (1.0, 2), (0.0, -0.0), (1, 1.0), (True, 1))


def string_operations_with_numbers(x):
    return str(x), repr(x), f"{x}", f"{x:.3f}", format(x, "08.2f")


theme.add(string_operations_with_numbers, (1.5,), (2,), (np.float64(1.5),), (np.float32(0.1),))


def type_errors(x, y):
    return x + y


theme.add(type_errors, (1, "a"), (None, 1), ([1], 2), (floats(1, 2), "a"), (floats(1, 2), None), ({}, 1))


def powers_of_booleans(a, x):
    return a**2, (x > 1) ** 2, a**1, a**0.5, a ** np.int8(2), a.sum() ** 2


theme.add(powers_of_booleans, (numbers(3, dtype=bool), floats(0, 2)))


def complex_and_the_largest(b, z):
    s = 0j
    s = s + np.abs(b).max()
    t = z * np.float64(1.5) - np.abs(b).min()
    r = 0.0
    for v in b:
        r += v
    return s, t, z / np.float64(2.0), np.float64(2.0) * z, r


theme.add(complex_and_the_largest, (floats(1, -2, 3), 1 + 2j))
