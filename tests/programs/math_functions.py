"""`math.*`, complex numbers and NumPy functions of scalars."""

import cmath
import math

import numpy as np

from .corpus import Theme, floats, numbers

theme = Theme(__name__)


def roots_and_powers(x):
    return math.sqrt(x), math.pow(x, 2.5), math.exp(x), math.hypot(x, 3.0), math.cbrt(x), math.exp2(x)


theme.add(roots_and_powers, (2.0,), (9,), (np.float64(2.5),), (np.float32(2.5),), ulp=4)


def logarithms(x):
    return math.log(x), math.log2(x), math.log10(x), math.log1p(x), math.log(x, 3), math.expm1(x)


theme.add(logarithms, (2.0,), (10,), (0.001,), ulp=4)


def trigonometry(x):
    return (
        math.sin(x),
        math.cos(x),
        math.tan(x),
        math.atan(x),
        math.atan2(x, 2.0),
        math.degrees(x),
        math.radians(x),
    )


theme.add(trigonometry, (0.5,), (-3,), (1e6,), (0.0,), (-0.0,), ulp=4)


def inverse_trigonometry(x):
    return (
        math.asin(x),
        math.acos(x),
        math.sinh(x),
        math.cosh(x),
        math.tanh(x),
        math.asinh(x),
        math.atanh(x / 2),
    )


theme.add(inverse_trigonometry, (0.5,), (-1,), (0,), ulp=4)


def roundings(x):
    return (
        math.floor(x),
        math.ceil(x),
        math.trunc(x),
        math.fabs(x),
        math.copysign(2.0, x),
        math.modf(x),
        math.fmod(x, 2),
    )


theme.add(roundings, (2.5,), (-2.5,), (3,), (1e20,), (-0.0,), (np.float64(7.5),))


def special(x):
    return math.gamma(x), math.lgamma(x), math.erf(x), math.erfc(x)


theme.add(special, (2.5,), (1,), ulp=16)


def questions(x):
    return (
        math.isnan(x),
        math.isinf(x),
        math.isfinite(x),
        math.isclose(x, 1.0),
        math.isclose(x, 1.1, rel_tol=0.2),
    )


theme.add(questions, (1.0,), (math.nan,), (math.inf,), (3,))


def frexp_and_ldexp(x):
    m, e = math.frexp(x)
    return m, e, math.ldexp(m, e), math.ulp(x), math.nextafter(x, 2)


theme.add(frexp_and_ldexp, (8.5,), (0.0,), (-3.0,))


def integer_functions(n, k):
    return math.gcd(n, k), math.factorial(k), math.comb(n, k), math.perm(n, k), math.isqrt(n), math.lcm(n, k)


theme.add(integer_functions, (12, 8), (10, 0), (100, 25), (3, -1))


def sums_and_products(items):
    return math.fsum(items), math.prod(items), math.dist(items, items), sum(items)


theme.add(sums_and_products, ([0.1] * 10,), ((1, 2, 3),), (floats(1, 2),))


def domain_of_sqrt(x):
    return math.sqrt(x)


theme.add(domain_of_sqrt, (-1.0,), (-1,), (math.nan,), (math.inf,), (4,))


def domain_of_log(x):
    return math.log(x)


theme.add(domain_of_log, (0.0,), (0,), (-1.0,), (math.inf,), (10**400,), ulp=2)


def domain_of_acos(x):
    return math.acos(x)


theme.add(domain_of_acos, (2.0,), (0.5,), ulp=2)


def overflow_of_exp(x):
    return math.exp(x)


theme.add(overflow_of_exp, (1000.0,), (-1000.0,), (math.inf,), ulp=2)


def overflow_of_pow(x, y):
    return math.pow(x, y)


theme.add(overflow_of_pow, (10.0, 400.0), (-8.0, 1 / 3), (0.0, -1.0), (2, 3), ulp=2)


def floor_of_strange(x):
    return math.floor(x)


theme.add(floor_of_strange, (math.inf,), (math.nan,), (1e300,), (-0.5,))


def math_of_array(a):
    return math.sqrt(a)


theme.add(math_of_array, (floats(4),), (floats(4, 9),), (np.array(4.0),))


def math_of_text(x):
    return math.sqrt(x)


theme.add(math_of_text, ("4",), (None,), (1j,))


def domain_error_in_loop(a):
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = math.sqrt(a[i])
        a[i] = -7
    return out


theme.add(domain_error_in_loop, (floats(4, 9),), (floats(4, -9, 16),), compiled=True)


def domain_error_of_numpy(x):
    return np.sqrt(x), np.log(x), np.arccos(x)


theme.add(domain_error_of_numpy, (-1.0,), (0,), (floats(-1, 4),), ulp=2)


def numpy_of_python_scalars(x):
    return np.sin(x), np.abs(x), np.sqrt(abs(x)), np.maximum(x, 2), np.floor(x), np.sign(x), np.square(x)


theme.add(numpy_of_python_scalars, (3,), (-2.5,), (True,), (np.float32(1.5),), ulp=4)


def numpy_rounding(x):
    return np.round(x), np.round(x, 1), np.rint(x), np.trunc(x), np.ceil(x), np.around(x, -1)


theme.add(
    numpy_rounding,
    (2.5,),
    (-3.75,),
    (25,),
    (floats(0.5, 1.5, 2.5, -0.5, 1.25, 15.0),),
    (numbers(3, dtype=np.float32),),
)


def complex_numbers(z):
    return z.real, z.imag, z.conjugate(), abs(z), z * z, z / 2, z**2, -z, z == z


theme.add(complex_numbers, (3 + 4j,), (np.complex64(1 - 2j),), (2.5,), (numbers(3, dtype=complex),), ulp=4)


def complex_math(z):
    return cmath.exp(z), cmath.sqrt(z), cmath.phase(z), cmath.polar(z)


theme.add(complex_math, (1 + 2j,), (-1,), ulp=8)


def complex_numpy(z):
    return np.exp(z), np.angle(z), np.conj(z), np.abs(z), np.real(z), np.imag(z), np.sqrt(z), z.real * 2


theme.add(complex_numpy, (numbers(4, dtype=complex),), (numbers(4, dtype=np.complex64),), (1 + 2j,), ulp=16)


def complex_made(x, y):
    return complex(x, y), x + 1j * y, complex(x), complex("1+2j"), np.array([x + 0j, y])


theme.add(complex_made, (1, 2), (1.5, -0.0))


def complex_compared(z):
    return z < 1


theme.add(complex_compared, (1j,), (numbers(2, dtype=complex),))


def complex_loop(c, n):
    z = 0j
    for i in range(n):
        z = z * z + c
        if abs(z) > 2:
            return i, z
    return n, z


theme.add(complex_loop, (0.3 + 0.5j, 20), (1 + 1j, 20), compiled=True)


def zero_to_complex_power(x, y):
    return x**y


theme.add(
    zero_to_complex_power, (0, -1), (0.0, -1.0), (-8, 1 / 3), (-8.0, 0.5), (0, 0), (2, -2), (2.0, 3), ulp=4
)


def infinities(x):
    return x - math.inf, x * math.inf, math.inf - math.inf, -math.inf < x, x / math.inf, math.nan == math.nan


theme.add(infinities, (1.0,), (-2,), (math.inf,))


def math_in_loop(n):
    s = 0.0
    for i in range(n):
        s += math.sin(i) * math.exp(-i * 0.1) + math.sqrt(i)
    return s


theme.add(math_in_loop, (50,), (0,), ulp=64, compiled=True)


def math_constants():
    return math.pi, math.e, math.tau, math.inf, math.pi * 2


theme.add(math_constants)
