"""Variants of programs with branches in loops: each had a wrong gradient once, or crashed."""

import numpy as np


def halving_or_counting_0(a, n):
    y = a * 1.5
    s = 0.0
    for i in range(n):
        if i > 9:
            s += 1
        else:
            y = np.abs(y) * 0.625
        s += y @ y
    return s


def halving_or_counting_1(a, n):
    y = np.abs(a) * 0.75
    s = 0.0
    for i in range(n):
        if i > 9:
            s += 1
        else:
            y = y * 0.75
        s += y @ y
    return s


def halving_or_counting_2(a, n):
    y = a * 1.0
    s = 0.0
    for i in range(n):
        if i > 9:
            s += 1
        else:
            y = y * 0.375
        s += y @ y
    return s


def halving_or_counting_3(a, n):
    y = a * 1.0
    s = 0.0
    for i in range(n):
        if i > 9:
            s += 1
        else:
            y = y * 0.75
        s += y @ y
    return s


def halving_or_counting_4(a, n):
    y = a * 1.25
    s = 0.0
    for i in range(n):
        if i > 9:
            s += 1
        else:
            y = y * 0.5
        s += y @ y
    return s


def halving_or_counting_5(a, n):
    y = a * 1.0
    s = 0.0
    for i in range(n):
        if i > 9:
            s += 1
        else:
            y = y * 0.5
        s += y @ y
    return s


def halving_or_counting_6(a, n):
    y = a * 0.5
    s = 0.0
    for i in range(n):
        if i > 9:
            s += 1
        else:
            y = y * 0.25
        s += y @ y
    return s


def halving_or_counting_7(a, n):
    y = a * 1.25
    s = 0.0
    for i in range(n):
        if i > 9:
            s += 1
        else:
            y = y * 0.375
        s += y @ y
    return s


def halving_or_counting_8(a, n):
    y = a * 0.75
    s = 0.0
    for i in range(n):
        if i > 9:
            s += 1
        else:
            y = y * 0.5
        s += y @ y
    return s


def halving_or_counting_9(a, n):
    y = a * 1.25
    s = 0.0
    for i in range(n):
        if i > 9:
            s += 1
        else:
            y = y * 0.5 * 0.5
        y = y * 1.0
        s += y @ y
    return s


def accept_or_reject_0(x, n):
    s = acc = 0.0
    for i in range(n):
        prop = x - 0.1 * x**3
        if prop @ prop > 100.0:
            acc += 1
        else:
            x = prop
        s += x @ x
    return s + acc


def accept_or_reject_1(x, n):
    s = acc = 0.0
    for i in range(n):
        prop = x - 0.125 * x**3
        if prop * 0.5 @ prop > 150.0:
            acc += 1
        else:
            x = prop
        s += x @ x
    return s + acc


def accept_or_reject_2(x, n):
    s = acc = 0.0
    for i in range(n):
        prop = x + 0.075 * x**3
        if prop @ prop > 50.0:
            acc += 1
        else:
            x = prop
        s += x @ x
    return s + acc


def accept_or_reject_3(x, n):
    s = acc = 0.0
    for i in range(n):
        prop = x + 0.1 * x**3
        if prop @ prop > 100.0:
            acc += 1
        else:
            x = prop
        s += x @ x
    return s - acc


def accept_or_reject_4(x, n):
    s = acc = 0.0
    for i in range(n):
        prop = x + 0.25 + 0.1 * x**3
        if prop @ prop > 150.0:
            acc += 1
        else:
            x = prop
        s += x @ x
    return s + acc


def accept_or_reject_5(x, n):
    s = acc = 0.0
    for i in range(n):
        prop = x + 0.1 * x**3
        if prop @ prop > 100.0:
            acc += 1
        else:
            x = prop
        s += np.tanh(x) @ x
    return s - acc


def accept_or_reject_6(x, n):
    s = acc = 0.0
    for i in range(n):
        prop = x - 0.15 * x**3
        if prop @ prop > 75.0:
            acc += 1
        else:
            x = prop
        s += x @ x
    return s + acc


def accept_or_reject_7(x, n):
    s = acc = 0.0
    for i in range(n):
        prop = x - 0.1 * x**3
        if prop @ prop > 50.0:
            acc += 1
        else:
            x = prop
        s += x @ x
    return s + acc


def accept_or_reject_8(x, n):
    s = acc = 0.0
    for i in range(n):
        prop = x - 0.05 * x**3
        if prop @ prop > 125.0:
            acc += 1
        else:
            x = prop
        s += x @ x
    return s - acc


def accept_or_reject_9(x, n):
    s = acc = 0.0
    for i in range(n):
        prop = x - 0.1 * x**3
        if prop @ prop > 100.0:
            acc += 1
        else:
            x = prop
        s += (x + 0.25) @ x
    return s + acc


def reject_or_accept_by_size_0(a, n):
    y = a * 1.0
    rej = 0
    s = 0.0
    for i in range(n):
        if np.abs(y).sum() > 100:
            rej += 1
        else:
            y = y - 0.15 * np.sin(y)
        s += (y**2).sum()
    return s - rej


def reject_or_accept_by_size_1(a, n):
    y = a * 1.0
    rej = 0
    s = 0.0
    for i in range(n):
        if np.abs(y).sum() > 100:
            rej += 1
        else:
            y = 0.075 * np.sin(y) + y
        s += (y**2).sum()
    return s + rej


def reject_or_accept_by_size_2(a, n):
    y = a * 1.0
    rej = 0
    s = 0.0
    for i in range(n):
        if np.abs(y).sum() > 100:
            rej += 1
        else:
            y = y + 0.1 * np.sin(y)
        s += (y**2).sum()
    return s + rej


def reject_or_accept_by_size_3(a, n):
    y = a * 1.0
    rej = 0
    s = 0.0
    for i in range(n):
        if np.abs(y).sum() > 100:
            rej += 1
        else:
            y = y + 0.05 * np.sin(y)
        s += (y**2).sum()
    return s + rej


def reject_or_accept_by_size_4(a, n):
    y = a * 1.5
    rej = 0
    s = 0.0
    for i in range(n):
        if np.abs(y).sum() > 100:
            rej += 1
        else:
            y = y + 0.15 * np.sin(y)
        s += (y**2).sum()
    return s + rej


def reject_or_accept_by_size_5(a, n):
    y = a * 1.0
    rej = 0
    s = 0.0
    for i in range(n):
        if np.abs(y).sum() > 100:
            rej += 1
        else:
            y = y - 0.125 * np.sin(y)
        s += (y**2).sum()
    return rej + s


def reject_or_accept_by_size_6(a, n):
    y = a * 1.5
    rej = 0
    s = 0.0
    for i in range(n):
        if np.abs(y).sum() > 100:
            rej += 1
        else:
            y = y + 0.075 * np.sin(y)
        s += (y**2).sum()
    return s - rej


def reject_or_accept_by_size_7(a, n):
    y = a * 1.0
    rej = 0
    s = 0.0
    for i in range(n):
        if np.abs(y).sum() > 100:
            rej += 1
        else:
            y = y + 0.075 * np.sin(y)
        y = y * 1.0
        s += (y**2).sum()
    return s + rej


def reject_or_accept_by_size_8(a, n):
    y = a * 1.5
    rej = 0
    s = 0.0
    for i in range(n):
        if np.abs(y).sum() > 100:
            rej += 1
        else:
            y = y + 0.125 * np.sin(y)
        s += (y**2).sum()
    return rej + s


def reject_or_accept_by_size_9(a, n):
    y = np.sin(a) * 1.0
    rej = 0
    s = 0.0
    for i in range(n):
        if np.abs(y).sum() > 100:
            rej += 1
        else:
            y = y + 0.1 * np.sin(y)
        s += (y**2).sum()
    return s - rej
