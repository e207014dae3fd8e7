"""How NumPy computes complex numbers on this machine: it is asked, with numbers on which the ways differ.

Its loops over arrays round products once or twice, by the processor, and its functions are those of the C
library or its own. Kernels compute in the same way, and what has another way here is left to NumPy.
"""

from __future__ import annotations

import ctypes
import functools
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

PLAIN, FUSED, TWICE, OTHER = "plain", "fused", "twice", "other"
DTYPES = ("complex64", "complex128")
Number = np.complex64 | np.complex128
Part = np.float32 | np.float64

_PARTS = (0.1, 1 / 3, -2.7, 1.0e-3, 5.3, -0.7, 11.9, 0.0, 23.4, -1.1, 0.6, 8.1, 1e5, -1e-6, 0.45, 3.2)


_ROUNDED_APART = ((3.41, -2.6), (5.77, 7.12), (4.09, -4.31), (-1.85, -1.35))
"""Numbers whose magnitude shows whether a square was rounded before 1 was added."""


def _numbers(dtype: str, shift: int = 0) -> list[Number]:
    """A few complex numbers; as many again with another `shift`."""
    turned = [*_PARTS[shift:], *_PARTS[:shift]]
    return [np.dtype(dtype).type(complex(x, y)) for x, y in zip(turned, turned[3:] + turned[:3], strict=True)]


def _once(a: Part, b: Part, c: Part) -> Part:
    """a * b + c of numbers of one dtype, rounded once."""
    (above, below), (more, under), (last, least) = (float(x).as_integer_ratio() for x in (a, b, c))
    exact = above * more * least + last * below * under
    return type(a)(exact / (below * under * least)) if exact else a * b + c


def _same(found: np.ndarray, parts: Sequence[complex | Number | Part] | np.ndarray) -> bool:
    """Whether an array has these numbers, to the last bit."""
    return found.tobytes() == np.array(parts, found.dtype).tobytes()


def _chosen(
    found: np.ndarray, ways: Mapping[str, Callable[..., complex | Part]], *inputs: list[Number]
) -> str:
    for name, way in ways.items():
        if _same(found, [way(*each) for each in zip(*inputs, strict=True)]):
            return name
    return OTHER


@functools.cache
def product(dtype: str) -> str:
    """How arrays are multiplied: `FUSED` is ``fma(a, c, -(b d)), fma(a, d, b c)``."""

    def plain(z: Number, w: Number) -> complex:
        return complex(z.real * w.real - z.imag * w.imag, z.real * w.imag + z.imag * w.real)

    def fused(z: Number, w: Number) -> complex:
        re = _once(z.real, w.real, -(z.imag * w.imag))
        return complex(re, _once(z.real, w.imag, z.imag * w.real))

    z, w = _numbers(dtype), _numbers(dtype, 5)
    of_arrays = _chosen(np.array(z) * np.array(w), {FUSED: fused, PLAIN: plain}, z, w)
    squares = _chosen(np.square(np.array(z)), {FUSED: fused, PLAIN: plain}, z, z)
    of_numbers = _chosen(np.array([x * y for x, y in zip(z, w, strict=True)]), {PLAIN: plain}, z, w)
    return of_arrays if of_arrays == squares and of_numbers == PLAIN else OTHER


@functools.cache
def magnitude(dtype: str) -> str:
    """How `abs` of arrays is computed: C's hypot is `PLAIN`, the others are ``sqrt(r * r + 1) * big``.

    `FUSED` rounds the sum once, `TWICE` rounds the square first.
    """

    def scaled(root: Callable[[Part, Part], Part]) -> Callable[[Number], Part]:
        def size(z: Number) -> Part:
            one, other = np.abs(z.real), np.abs(z.imag)
            ratio = min(one, other) / max(one, other)
            return np.sqrt(root(ratio, type(ratio)(1))) * max(one, other)

        return size

    def hypot(z: Number) -> Part:
        return np.hypot(z.real, z.imag)

    kind = np.dtype(dtype).type
    z = _numbers(dtype) + [kind(complex(*pair)) for pair in _ROUNDED_APART]
    ways = {FUSED: scaled(lambda r, one: _once(r, r, one)), TWICE: scaled(lambda r, one: r * r + one)}
    of_numbers = _chosen(np.array([abs(x) for x in z]), {PLAIN: hypot}, z)
    return _chosen(np.abs(np.array(z)), {**ways, PLAIN: hypot}, z) if of_numbers == PLAIN else OTHER


@functools.cache
def quotient(dtype: str) -> str:
    """Whether quotients are Smith's with a reciprocal (`PLAIN`), for arrays and for numbers."""

    def smith(z: Number, w: Number) -> complex:
        if np.abs(w.real) >= np.abs(w.imag):
            ratio = w.imag / w.real
            scale = type(ratio)(1) / (w.real + w.imag * ratio)
            return complex((z.real + z.imag * ratio) * scale, (z.imag - z.real * ratio) * scale)
        ratio = w.real / w.imag
        scale = type(ratio)(1) / (w.imag + w.real * ratio)
        return complex((z.real * ratio + z.imag) * scale, (z.imag * ratio - z.real) * scale)

    z, w = _numbers(dtype), _numbers(dtype, 5)
    of_numbers = np.array([x / y for x, y in zip(z, w, strict=True)])
    both = [_chosen(found, {PLAIN: smith}, z, w) for found in (np.array(z) / np.array(w), of_numbers)]
    return PLAIN if both == [PLAIN, PLAIN] else OTHER


@functools.cache
def inverse(dtype: str) -> str:
    """Whether `np.reciprocal` is Smith's quotient with one above (`PLAIN`)."""

    def smith(z: Number) -> complex:
        one = type(z.real)(1)
        if np.abs(z.imag) <= np.abs(z.real):
            ratio = z.imag / z.real
            below = z.real + z.imag * ratio
            return complex(one / below, -ratio / below)
        ratio = z.real / z.imag
        below = z.real * ratio + z.imag
        return complex(ratio / below, -one / below)

    z = _numbers(dtype)
    return _chosen(np.reciprocal(np.array(z)), {PLAIN: smith}, z)


class _Pair(ctypes.Structure):
    """A complex number as C hands it to functions, on the machines that `_library` knows."""

    _fields_ = (("re", ctypes.c_double), ("im", ctypes.c_double))


class _ShortPair(ctypes.Structure):
    _fields_ = (("re", ctypes.c_float), ("im", ctypes.c_float))


@functools.cache
def is_x86() -> bool:
    """Whether numbers are handed over by x86's conventions."""
    return platform.machine().lower() in ("x86_64", "amd64")


@functools.cache
def _library() -> ctypes.CDLL | None:
    """The C library, where it is known how complex numbers are handed to its functions."""
    known = is_x86() or platform.machine().lower() in ("aarch64", "arm64")
    if not known or sys.platform == "win32":
        return None
    return ctypes.CDLL(None)


def _from_c(name: str, dtype: str, *inputs: list[Number]) -> Iterator[complex]:
    kind = _ShortPair if dtype == "complex64" else _Pair
    function = getattr(_library(), name + ("f" if kind is _ShortPair else ""))
    function.argtypes, function.restype = [kind] * len(inputs), kind
    for each in zip(*inputs, strict=True):
        value = function(*(kind(x.real, x.imag) for x in each))
        yield complex(value.re, value.im)


@functools.cache
def is_from_c(name: str, c_name: str, dtype: str) -> bool:
    """Whether NumPy's function `name` of complex numbers is the C library's `c_name`, here."""
    z = _numbers(dtype)
    with np.errstate(all="ignore"):
        wanted = getattr(np, name)(np.array(z))
    try:
        return _library() is not None and _same(wanted, list(_from_c(c_name, dtype, z)))
    except AttributeError:  # no such function
        return False


@functools.cache
def power(dtype: str) -> str:
    """Whether powers are products for small whole exponents, and else C's (`PLAIN`)."""
    z, w = _numbers(dtype), _numbers(dtype, 5)
    with np.errstate(all="ignore"):
        general = np.power(np.array(z), np.array(w))
        numbers = np.array([x**y for x, y in zip(z, w, strict=True)])
        cubes = np.power(np.array(z), np.dtype(dtype).type(3))
    try:
        found = list(_from_c("cpow", dtype, z, w)) if _library() is not None else []
    except AttributeError:
        return OTHER
    if not (_same(general, found) and _same(numbers, found) and quotient(dtype) == PLAIN):
        return OTHER
    return PLAIN if _same(cubes, [x * x * x for x in z]) else OTHER


@functools.lru_cache(typed=True)
def shortcut(dtype: str, exponent: int | float) -> np.ufunc | None:
    """The function that NumPy takes for ``z ** exponent`` of arrays; None where that is `np.power`."""
    z = np.array([*_numbers(dtype), complex(-0.0, 0.0), complex(0.0, -0.0)], dtype)
    with np.errstate(all="ignore"):
        found = z**exponent
        ways = (np.power(z, np.dtype(dtype).type(exponent)), np.square(z), np.sqrt(z), np.reciprocal(z))
    functions = (None, np.square, np.sqrt, np.reciprocal)
    return next((f for f, way in zip(functions, ways, strict=True) if _same(found, way)), None)


def bits() -> str:
    """What NumPy makes of a few numbers here: kernels must not meet a NumPy with other ways."""
    found = b""
    for dtype in DTYPES:
        z = np.array([complex(*pair) for pair in _ROUNDED_APART], dtype)
        found += (z * z[::-1].copy()).tobytes() + np.abs(z).tobytes()
    return found.hex()


def is_known(way: Callable[[str], str]) -> Callable[[Sequence[str]], bool]:
    """A question for records: whether the way in which NumPy computes a loop of these dtypes is known."""
    return lambda loop: loop[0] not in DTYPES or way(loop[0]) != OTHER
