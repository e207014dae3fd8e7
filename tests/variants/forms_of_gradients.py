"""The programs of `gradients.py` in other forms: out=, while, slices, swaps, helpers, two levels."""

import numpy as np


def _halfway(s, u):
    k1 = -(s @ u)
    return k1 - s @ (u + 0.1 * k1)


def _kick(s, x, v):
    v += 0.1 * -(s @ x)


def _drift(x, v):
    return x + 0.1 * v


def adam_in_place_10(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    i = 0
    while i < n:
        g = s @ w
        v *= 0.99
        v += 0.01 * g**2
        m *= 0.9
        m += 0.1 * g
        w -= 0.1 * m / (np.sqrt(v) + 0.01)
        i += 1
    return w @ w


def adam_in_place_11(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        np.multiply(m, 0.9, out=m)
        np.add(m, 0.1 * g, out=m)
        v *= 0.99
        v += 0.01 * g**2
        w -= 0.1 * m / (np.sqrt(v) + 0.01)
    return w @ w


def adam_in_place_12(s, b, n):
    m = np.zeros(4)
    v = np.ones(4)
    w = b * 1
    for i in range(n):
        for row in s:
            g = row * (row @ w)
            m *= 0.9
            m += 0.1 * g
            w -= 0.1 * m / (np.sqrt(v) + 0.01)
        v *= 0.99
        v += 0.01 * g**2
    return w @ w


def adam_in_place_13(s, b, n):
    m = np.zeros(4)
    v = np.ones(4)
    w = b * 1
    for i in range(n):
        g = (s @ w)[1:]
        m[1:] *= 0.9
        m[1:] += 0.1 * g
        v[:-1] *= 0.99
        v[:-1] += 0.01 * g**2
        w -= 0.1 * m / (np.sqrt(v) + 0.01)
    return w @ w


def conjugate_gradient_10(s, b, n):
    r = b * 1.0
    p = b * 1.0
    x = np.zeros_like(b)
    for i in range(n):
        p = r + p
        product = s @ p
        r -= product
        x += p
    return x @ x


def conjugate_gradient_11(s, b, n):
    r = b * 1.0
    p = b * 1.0
    x = np.zeros_like(b)
    i = 0
    while i < n:
        product = s @ p
        np.add(x, p, out=x)
        np.subtract(r, product, out=r)
        p = r + (r @ r) * p
        i += 1
    return x @ x


def conjugate_gradient_12(s, b, n):
    r = b * 1.0
    p = b * 1.0
    x = np.zeros_like(b)
    for i in range(n):
        product = s @ p
        x[1:] += p[:-1]
        r -= product
        p[:-1] = r[1:] + p[:-1]
    return x @ x


def conjugate_gradient_13(s, b, n):
    r = b * 1.0
    p = b * 1.0
    x = np.zeros_like(b)
    for i in range(2):
        for j in range(2):
            product = s @ p
            x += p
            r -= product
            p = r + p
        p, r = r, p
    return x @ x


def conjugate_gradient_14(s, b, n):
    r = b * 1.0
    p = b * 1.0
    x = np.zeros_like(b)
    for i in range(n):
        alpha = (r @ r) / (1 + p @ (s @ p) ** 2)
        x += alpha * p
        old = r @ r
        r -= alpha * (s @ p)
        p = r + (r @ r) / (1 + old) * p
        if r @ r < 0.0001:
            break
    return x @ x


def leapfrog_10(s, b, n):
    x = b * 1.0
    v = b * 0.0
    for i in range(n):
        x += 0.1 * v
        a = -(s @ x)
        v += 0.1 * a
    return x @ v


def leapfrog_11(s, b, n):
    x = b * 1.0
    v = b * 0.0
    i = 0
    while i < n:
        a = -(s @ x)
        np.add(v, 0.1 * a, out=v)
        np.add(x, 0.1 * v, out=x)
        i += 1
    return x @ v


def leapfrog_12(s, b, n):
    x = b * 1.0
    v = b * 0.5
    for i in range(n):
        _kick(s, x, v)
        x = _drift(x, v)
    return x @ v


def leapfrog_13(s, b, n):
    x = b * 1.0
    v = b * 0.5
    for i in range(n):
        v += 0.05 * -(s @ x)
        for j in range(2):
            x += 0.1 * v
        v += 0.05 * -(s @ x)
        x, v = v, x
    return x @ v


def leapfrog_14(s, b, n):
    x = b * 1.0
    v = b * 0.5
    for i in range(n):
        a = x[2:] - 2 * x[1:-1] + x[:-2]
        v[1:-1] += 0.1 * a
        x[1:-1] += 0.1 * v[1:-1]
    return x @ v + (s * s).sum() * 0.1


def leapfrog_15(s, b, n):
    x = b * 1.0
    v = b * 0.5
    for row in s:
        a = -(row @ x) * row
        v += 0.1 * a
        x[:] = x + 0.1 * v
    return x @ v


def leapfrog_16(s, b, n):
    x = b * 1.0
    v = b * 0.5
    energy = 0.0
    for i in range(n):
        a = -(s @ x)
        v += 0.1 * a
        if v @ v > 0.5:
            v *= 0.5
        x += 0.1 * v
        energy += v @ v
    return x @ v + energy


def runge_kutta_2_10(s, b, n):
    u = b * 1.0
    for i in range(n):
        u += 0.05 * _halfway(s, u)
    return u @ u


def runge_kutta_2_11(s, b, n):
    u = b * 1.0
    i = 0
    while i < n:
        k1 = -(s @ u)
        k2 = -(s @ (u + 0.1 * k1))
        np.add(u, 0.05 * (k1 + k2), out=u)
        i += 1
    return u @ u


def runge_kutta_2_12(s, b, n):
    u = b * 1.0
    k1 = np.zeros(4)
    k2 = np.zeros(4)
    for i in range(n):
        k1[:] = -(s @ u)
        k2[:] = -(s @ (u + 0.1 * k1))
        u += 0.05 * (k1 + k2)
    return u @ u


def runge_kutta_2_13(s, b, n):
    u = b * 1.0
    k1 = b * 0.0
    for i in range(n):
        k2 = -(s @ (u + 0.1 * k1))
        u += 0.05 * (k1 + k2)
        k1, k2 = k2, k1
    return u @ k1


def runge_kutta_2_14(s, b, n):
    u = b * 1.0
    for i in range(2):
        k1 = -(s @ u)
        for j in range(2):
            k2 = -(s @ (u + 0.1 * k1))
            k1 += k2 * 0.5
        u += 0.05 * (k1 + k2)
    return u @ u


def runge_kutta_2_15(s, b, n):
    u = b * 1.0
    for i in range(n):
        k1 = np.sin(s @ u)
        k2 = np.sin(s @ (u + 0.1 * k1))
        u[1:] += 0.05 * (k1 + k2)[:-1]
    return u @ u


def runge_kutta_2_16(s, b, n):
    u = b * 1.0
    for i in range(n):
        k1 = -(s @ u)
        k2 = -(s @ (u + 0.1 * k1))
        if k1 @ k2 > 0.1:
            u += 0.05 * (k1 + k2)
        else:
            u -= k1 * k2
    return u @ u


def scaled_exponentials_10(s, r, n):
    i = 0
    while i < n:
        e = np.exp(s * i)
        np.add(r, e / e.sum(1)[:, None], out=r)
        i += 1
    return (r * s).sum()


def scaled_exponentials_11(s, r, n):
    for i in range(n):
        for k in range(len(r)):
            e = np.exp(s[k] * i)
            r[k] = r[k] + e / e.sum()
    return (r * s).sum()


def scaled_exponentials_12(s, r, n):
    for i in range(n):
        e = np.exp(s[1:] * i + r[:-1] * 0.1)
        r[1:] = r[:-1] + e / e.sum(1)[:, None]
    return (r * s).sum()
