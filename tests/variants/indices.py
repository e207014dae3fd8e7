"""Variants of programs that index slices from their ends: each was wrong once, and wrote outside."""


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
