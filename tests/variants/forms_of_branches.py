"""The programs of `branches.py` in other forms: while, in place, swaps, helpers, two levels."""

import numpy as np


def _halved(y):
    return y * 0.5


def _proposed(x):
    return x - 0.1 * x**3


def halving_or_counting_10(a, n):
    y = a * 1.0
    s = 0.0
    i = 0
    while i < n:
        if i > 9:
            s += 1
        else:
            y *= 0.5
        s += y @ y
        i += 1
    return s


def halving_or_counting_11(a, n):
    y = a * 1.0
    s = 0.0
    for i in range(n):
        if i <= 9:
            y = _halved(y)
        else:
            s += 1
        s += y @ y
    return s


def halving_or_counting_12(a, n):
    y = a * 1.0
    s = 0.0
    for i in range(n):
        s += y @ y
        if i > 9:
            s += 1
        elif i > 4:
            y = np.sin(y)
        else:
            y[:] = y * 0.5
    return s


def halving_or_counting_13(a, n):
    y = a * 1.0
    z = a * 0.5
    s = 0.0
    for i in range(n):
        if i > 9:
            s += 1
        else:
            y, z = z, y * 0.5
        s += y @ z
    return s


def halving_or_counting_14(a, n):
    y = a * 1.0
    s = 0.0
    for i in range(3):
        for j in range(4):
            if i * j > 3:
                s += 1
            else:
                y = y * 0.75
        s += y @ y
    return s


def halving_or_counting_15(a, n):
    y = a * 1.0
    s = 0.0
    for i in range(n):
        if i > 9:
            s += 1
            continue
        np.multiply(y, 0.5, out=y)
        s += y @ y
    return s


def halving_or_counting_16(a, n):
    y = a * 1.0
    s = 0.0
    for i in range(n):
        if i > 9:
            s += 1
        else:
            y[1:] = y[:-1] * 0.5
        s += y @ y
    return s


def accept_or_reject_10(x, n):
    s = acc = 0.0
    i = 0
    while i < n:
        prop = _proposed(x)
        if prop @ prop <= 100.0:
            x = prop
        else:
            acc += 1
        s += x @ x
        i += 1
    return s + acc


def accept_or_reject_11(x, n):
    s = acc = 0.0
    for i in range(n):
        for j in range(2):
            prop = x - 0.1 * x**3
            if prop @ prop > 1.0:
                acc += 1
            else:
                x = prop
        s += x @ x
    return s + acc


def accept_or_reject_12(x, n):
    s = acc = 0.0
    best = x * 1.0
    for i in range(n):
        prop = best * 0.9 - 0.1 * best**3
        if prop @ prop > 100.0:
            acc += 1
        else:
            best[:] = prop
            s += best.sum()
        s += best @ best
    return s + acc


def accept_or_reject_13(x, n):
    s = acc = 0.0
    old = x * 0.5
    for i in range(n):
        prop = x - 0.1 * old**3
        if prop @ prop > 100.0:
            acc += 1
        else:
            old, x = x, prop
        s += x @ old
    return s + acc


def reject_or_accept_by_size_10(a, n):
    y = a * 1.0
    rej = 0
    s = 0.0
    i = 0
    while i < n:
        if np.abs(y).sum() > 100:
            rej += 1
        else:
            y += 0.1 * np.sin(y)
        s += (y**2).sum()
        i += 1
    return s + rej


def reject_or_accept_by_size_11(a, n):
    y = a * 1.0
    rej = 0
    s = 0.0
    for i in range(n):
        for j in range(2):
            if np.abs(y).max() > 1.5:
                rej += 1
                break
            y = y + 0.1 * np.sin(y)
        s += (y**2).sum()
    return s + rej


def reject_or_accept_by_size_12(a, n):
    y = a * 1.0
    rej = 0
    s = 0.0
    for i in range(n):
        if np.abs(y[1:]).sum() > 100:
            rej += 1
        else:
            y[1:] = y[:-1] + 0.1 * np.sin(y[1:])
        s += (y**2).sum()
    return s + rej


def reject_or_accept_by_size_13(a, n):
    y = a * 1.0
    z = a * 0.5
    rej = 0
    s = 0.0
    for i in range(n):
        if np.abs(y).sum() > 100:
            rej += 1
        else:
            np.add(y, 0.1 * np.sin(z), out=z)
            y, z = z, y
        s += (y**2).sum()
    return s + rej
