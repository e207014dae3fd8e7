"""Variants of programs that index slices from their ends: each was wrong once, and wrote outside."""

import numpy as np


def last_of_a_slice_0(a):
    x = a[:4]
    x[-1] += 1.25
    s = 0.0
    for v in a:
        s += v * x[-1]
    return s


def last_of_a_slice_1(a):
    x = a[:4]
    x[-1] += 1.0
    s = 0.0
    for v in a:
        s += v * x[-1]
    return s


def last_of_a_slice_2(a):
    x = a[:4]
    x[-1] += 1.5
    s = 0.0
    for v in a:
        s += v * x[-1]
    return s


def last_of_a_slice_3(a):
    x = a[:4]
    (x * 0.5)[-1] += 0.5
    s = 0.0
    for v in a:
        s += v * x[-1]
    return s


def last_of_a_slice_4(a):
    x = a[:4]
    x[-1] += 0.75
    s = 0.0
    for v in a:
        s += v * x[-1]
    return s


def last_of_a_slice_5(a):
    x = a[:4]
    x[-1] += 0.5
    s = 0.0
    for v in a:
        s += v * x[-1]
    return s


def last_of_a_slice_6(a):
    x = a[:4]
    x[-1] += 1.0
    s = 0.0
    for v in a * 0.5:
        s += v * x[-1]
    return s


def last_of_a_slice_7(a):
    x = a[:4]
    x[-1] += 1.0
    s = 0.0
    for v in a:
        s += np.sin(v) * x[-1]
    return s


def last_of_a_slice_8(a):
    x = a[:4]
    x[-1] += 1.5
    s = 0.0
    for v in a + 0.25:
        s += v * (x * 0.5)[-1]
    return s


def last_of_a_slice_9(a):
    x = a[:4]
    (x + 0.25)[-1] += 0.75
    s = 0.0
    for v in a:
        s += v * x[-1]
    return s


def last_of_the_first_n_0(a, n):
    x = a[:n]
    s = 0.0
    for v in a:
        s += v * x[-1]
        x[-1] = v
    return s


def last_of_the_first_n_1(a, n):
    x = (a * 0.5)[:n]
    s = 0.0
    for v in a:
        s += v * x[-1]
        x[-1] = v
    return s


def last_of_the_first_n_2(a, n):
    x = a[:n]
    s = 0.0
    for v in a:
        s += (v + 0.25) * x[-1]
        x[-1] = v
    return s


def last_of_the_first_n_3(a, n):
    x = a[:n]
    s = 0.0
    for v in a:
        s += v * 0.5 * x[-1]
        x[-1] = v
    return s


def last_of_the_first_n_4(a, n):
    x = a[:n]
    s = 0.0
    for v in a + 0.25:
        s += v * x[-1]
        x[-1] = v
    return s


def last_of_the_first_n_5(a, n):
    x = np.abs(a)[:n]
    s = 0.0
    for v in a:
        s += v * x[-1]
        x[-1] = v
    return s


def last_of_the_first_n_6(a, n):
    x = a[:n]
    s = 0.0
    for v in a:
        s += v * x[-1]
        x[-1] = np.tanh(v)
    return s


def last_of_the_first_n_7(a, n):
    x = a[:n]
    s = 0.0
    for v in a:
        s += v * x[-1]
        x[-1] = np.abs(v)
    return s


def last_of_the_first_n_8(a, n):
    x = (a + 0.25)[:n]
    s = 0.0
    for v in a:
        s += v * x[-1]
        x[-1] = v
    return s


def last_of_the_first_n_9(a, n):
    x = np.sin(a)[:n]
    s = 0.0
    for v in a:
        s += v * x[-1]
        x[-1] = v
    return s
