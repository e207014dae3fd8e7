"""The programs of `values.py` in other forms: out=, while, slices, swaps, helpers, two levels."""

import numpy as np


def _less(r, s, b):
    return r - s @ b


def _step_out(s, r, p):
    np.subtract(r, s @ p, out=r)
    return r + p


def _shares(x, y):
    t = x * y + 1
    return t / t.sum()


def _scaled(u):
    g = u - u.mean(0)
    return g / np.abs(g).max()


def _adam_step(w, m, v):
    w[:] = w - 0.1 * m / (np.sqrt(v) + 0.001)


def residual_update_10(s, b, n):
    r = b * 1.0
    for i in range(n):
        np.subtract(r, s @ b, out=r)
        r[:] = r * r - r
    return r.sum()


def residual_update_11(s, b, n):
    r = b * 1.0
    i = 0
    while i < n:
        r[:] = r - s @ r
        i += 1
    return r.sum()


def residual_update_12(s, b, n):
    r = b * 1.0
    for i in range(n):
        r[:-1] = r[1:] - (s @ b)[:-1]
        r[-1] = r[0] * 0.5
    return r.sum()


def residual_update_13(s, b, n):
    r = b * 1.0
    q = np.zeros(4)
    for i in range(n):
        q[:] = r - s @ q
        r, q = q, r
    return r.sum() + q @ b


def residual_update_14(s, b, n):
    r = b * 1.0
    for i in range(n):
        r[:] = _less(r, s, b)
        r[:] = _less(r, s, r)
    return r.sum()


def residual_update_15(s, b, n):
    r = b * 1.0
    for i in range(n):
        q = r * 0.5
        for j in range(2):
            q[:] = q - s @ r
            r[:] = r - s @ q
    return r.sum()


def residual_update_16(s, b, n):
    r = b * 1.0
    for row in s:
        r[:] = r - row * (row @ r)
    return r.sum()


def residual_update_17(s, b, n):
    r = b * 1.0
    for i in range(n):
        t = s @ r
        for j in range(len(r)):
            r[j] -= t[j]
    return r.sum()


def residual_update_18(s, b, n):
    r = b * 1.0
    for i in range(n):
        before = r
        r = before * 1.0
        r[:] = r - s @ before
        if r @ r < 0.01:
            break
    return r.sum()


def residual_update_out_10(s, b, n):
    r = b * 1.0
    p = b * 0.5
    for i in range(n):
        p = r + p
        np.subtract(r, s @ p, out=r)
    return p @ p


def residual_update_out_11(s, b, n):
    r = b * 1.0
    p = b * 0.5
    for i in range(n):
        np.subtract(r, s @ p, out=r)
        np.add(r, p, out=p)
    return p @ p


def residual_update_out_12(s, b, n):
    r = b * 1.0
    p = b * 0.5
    i = 0
    while i < n:
        np.subtract(r, s @ p, out=r)
        r, p = p, r
        i += 1
    return p @ r


def residual_update_out_13(s, b, n):
    r = b * 1.0
    p = b * 0.5
    for i in range(n):
        p = _step_out(s, r, p)
    return p @ p


def residual_update_out_14(s, b, n):
    r = b * 1.0
    p = b * 0.5
    q = np.zeros(4)
    for i in range(n):
        np.matmul(s, p, out=q)
        np.subtract(r, q, out=r)
        p = r + p
    return p @ q


def residual_update_out_15(s, b, n):
    r = b * 1.0
    p = b * 0.5
    for i in range(n):
        np.subtract(r[1:], (s @ p)[:-1], out=r[:-1])
        p = r + p
    return p @ p


def residual_update_out_16(s, b, n):
    r = b * 1.0
    p = b * 0.5
    for i in range(2):
        for j in range(i + 2):
            np.subtract(r, s @ p, out=r)
            p = r + p
        np.multiply(p, r, out=r)
    return p @ p


def two_states_without_products_10(s, b, n):
    x = b * 1.0
    y = b * 0.5
    for i in range(n):
        u = _shares(x, y)
        np.subtract(x, u, out=x)
        np.add(y, u * 0.1, out=y)
    return x @ y


def two_states_without_products_11(s, b, n):
    x = b * 1.0
    y = b * 0.5
    i = 0
    while i < n:
        t = x * y + 1
        u = t / t.sum()
        y[:] = x - u
        x, y = y, x
        i += 1
    return x @ y


def two_states_without_products_12(s, b, n):
    x = b * 1.0
    y = b * 0.5
    for i in range(n):
        t = x[1:] * y[:-1] + 1
        u = t / t.sum()
        x[:-1] = x[1:] - u
        y[1:] = y[:-1] + u * 0.1
    return x @ y


def two_states_without_products_13(s, b, n):
    x = b * 1.0
    y = b * 0.5
    for i in range(n):
        for row in s:
            t = x * y + row * row + 1
            u = t / t.sum()
            x[:] = x - u
        y[:] = y + u * 0.1
    return x @ y


def two_states_without_products_14(s, b, n):
    x = b * 1.0
    y = b * 0.5
    for i in range(n):
        t = x * y + 1
        u = t / t.sum()
        if i % 2:
            x[:] = x - u
        else:
            y[:] = y + u * 0.1
    return x @ y


def two_states_without_products_15(s, b, n):
    x = b * 1.0
    y = b * 0.5
    for i in range(n):
        t = x * y + 1
        u = t / t.sum()
        y[:] = y + u * 0.1
        x[:] = np.where(x > u, x - u, y)
    return x @ y


def momentum_10(s, b, n):
    u = np.outer(b, b)
    v = u * 0.1
    for i in range(n):
        np.subtract(v * 0.9, _scaled(u), out=v)
        np.add(u, v, out=u)
    return (u * s).sum()


def momentum_11(s, b, n):
    u = np.outer(b, b)
    v = u * 0.1
    i = 0
    while i < n:
        u[:] = u + v
        g = u - u.mean(0)
        v[:] = 0.9 * v - g / np.abs(g).max()
        i += 1
    return (u * s).sum()


def momentum_12(s, b, n):
    u = np.outer(b, b)
    v = u * 0.1
    w = u * 0.0
    for i in range(n):
        g = u - u.mean(0)
        w[:] = 0.9 * v - g / np.abs(g).max()
        v, w = w, v
        u[:] = u + v - w
    return (u * s).sum()


def momentum_13(s, b, n):
    u = np.outer(b, b)
    v = u * 0.1
    for i in range(n):
        for k in range(len(u)):
            g = u[k] - u[k].mean()
            v[k] = 0.9 * v[k] - g / np.abs(g).max()
        u[:] = u + v
    return (u * s).sum()


def momentum_14(s, b, n):
    u = np.outer(b, b)
    v = u * 0.1
    for i in range(n):
        g = u[:, 1:] - u.mean(1)[:, None]
        v[:, :-1] = 0.9 * v[:, 1:] - g / np.abs(g).max()
        u[:] = u + v.T
    return (u * s).sum()


def growth_in_while_10(s, b, n):
    x = b * 1.0
    i = 0
    while i < n:
        np.add(x, s @ x, out=x)
        i += 1
    return x.sum()


def growth_in_while_11(s, b, n):
    x = b * 1.0
    i = 0
    while True:
        x[:] = x + s @ x
        if x @ x > 20.0 or i >= n:
            break
        i += 1
    return x.sum()


def growth_in_while_12(s, b, n):
    x = b * 1.0
    y = b * 0.5
    i = 0
    while i < n:
        y[:] = _less(x, s, y)
        x, y = y, x
        i += 1
    return x.sum()


def growth_in_while_13(s, b, n):
    x = b * 1.0
    i = 0
    while i < n:
        j = 0
        while j < i:
            x[:] = x + s @ x
            j += 1
        x[1:] = x[:-1] * 0.5
        i += 1
    return x.sum()


def adam_10(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        np.add(0.9 * m, 0.1 * g, out=m)
        np.add(0.99 * v, 0.01 * g**2, out=v)
        np.subtract(w, 0.1 * m / (np.sqrt(v) + 0.001), out=w)
    return w @ w


def adam_11(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    i = 0
    while i < n:
        g = s @ w
        v[:] = 0.99 * v + 0.01 * g**2
        m[:] = 0.9 * m + 0.1 * g
        _adam_step(w, m, v)
        i += 1
    return w @ w


def adam_12(s, b, n):
    m = np.zeros(4)
    v = np.ones(4)
    w = b * 1
    for i in range(n):
        for row in s:
            g = row * (row @ w)
            m[:] = 0.9 * m + 0.1 * g
            w[:] = w - 0.1 * m / (np.sqrt(v) + 0.001)
        v[:] = 0.99 * v + 0.01 * g**2
    return w @ w
