"""The programs of `indices.py` in other forms: out=, while, slices of slices, swaps, helpers, two levels."""

import numpy as np


def _raised(x):
    x[-1] += 1.0
    return x[-1]


def last_of_a_slice_10(a):
    x = a[:4]
    x[-1] += 1.0
    s = 0.0
    i = 0
    while i < len(a):
        s += a[i] * x[-1]
        i += 1
    return s


def last_of_a_slice_11(a):
    x = a[:4]
    s = 0.0
    for v in a:
        x[-1] += 1.0
        s += v * x[-1]
    return s


def last_of_a_slice_12(a):
    x = a[:4]
    x[-1], x[0] = x[0], x[-1]
    s = 0.0
    for v in a:
        s += v * x[-1] - x[-2]
    return s


def last_of_a_slice_13(a):
    x = a[:4]
    s = _raised(x)
    for v in a:
        s += v * x[-1]
    return s


def last_of_a_slice_14(a):
    x = a[:4]
    np.multiply(x[-2:], 2.0, out=x[-2:])
    s = 0.0
    for v in a:
        s += v * x[-1]
    return s


def last_of_a_slice_15(a):
    x = a[:5][:-1]
    x[-1] *= 2.0
    s = 0.0
    for i in range(2):
        for v in a:
            s += v * x[-1]
        x[-1 - i] += s * 0.1
    return s


def last_of_a_slice_16(a):
    x = a[:4]
    y = a[2:]
    x[-1] += y[-1]
    s = 0.0
    for v in y:
        s += v * x[-1]
        y[-1] = s * 0.5
    return s


def last_of_the_first_n_10(a, n):
    x = a[:n]
    s = 0.0
    i = 0
    while i < len(a):
        x[-1] = a[i]
        s += a[i] * x[-1]
        i += 1
    return s


def last_of_the_first_n_11(a, n):
    x = a[:n]
    s = 0.0
    for i in range(2):
        for v in a[1:]:
            s += v * x[-1]
            x[-1], x[0] = x[0], v
    return s
