"""Variants of programs that update arrays from themselves: each was wrong once."""

import numpy as np


def residual_update_0(s, b, n):
    r = b * 0.75
    for i in range(n):
        r[:] = r - s @ b
    return r.sum()


def residual_update_1(s, b, n):
    r = b * 1.0
    for i in range(n):
        r[0:] = r - s @ b
    return r.sum()


def residual_update_2(s, b, n):
    r = b * 1.0
    for i in range(n):
        r[:] = np.sin(r) - s @ b
    return r.sum()


def residual_update_3(s, b, n):
    r = (b + 0.25) * 0.75
    for i in range(n):
        r[:] = r - s @ b
    return r.sum()


def residual_update_4(s, b, n):
    r = b * 1.0
    for i in range(n):
        r[:] = r - s @ b
    return r.sum()


def residual_update_5(s, b, n):
    r = b * 0.5
    for i in range(n):
        r[:] = r - s @ b
    return r.sum()


def residual_update_6(s, b, n):
    r = b * 1.25
    for i in range(n):
        r[:] = r - s @ b
    return r.sum()


def residual_update_7(s, b, n):
    r = b * 1.5
    for i in range(n):
        r[:] = r - s @ b
    return r.sum()


def residual_update_8(s, b, n):
    r = b * 1.0
    for i in range(n):
        r[:] = np.abs(r) - s @ b
    return r.sum()


def residual_update_9(s, b, n):
    r = b * 0.75
    for i in range(n):
        r[0:] = r - s @ b
    return r.sum()


def residual_update_out_0(s, b, n):
    r = b * 0.75
    p = b * 1.5
    for i in range(n):
        np.subtract(r * 0.5, s @ p, out=r)
        p = r + p
    return p @ p


def residual_update_out_1(s, b, n):
    r = b * 1.0
    p = b * 1.0
    for i in range(n):
        np.subtract(r, s @ p, out=r)
        p = r + p
    return p @ p


def residual_update_out_2(s, b, n):
    r = b * 1.0
    p = b * 0.5
    for i in range(n):
        np.subtract(r, s @ p, out=r)
        p = r + p
    return p @ p


def residual_update_out_3(s, b, n):
    r = b * 0.5
    p = b * 1.0
    for i in range(n):
        np.subtract(r, s @ p, out=r)
        p = r + p
    return p @ p


def residual_update_out_4(s, b, n):
    r = b * 0.75
    p = b * 1.0
    for i in range(n):
        np.subtract(r, s @ p, out=r)
        p = r + p
    return p @ p


def residual_update_out_5(s, b, n):
    r = b * 1.0
    p = b * 1.0
    for i in range(n):
        np.subtract(r, s @ p, out=r)
        p = r - p
    return p @ p


def residual_update_out_6(s, b, n):
    r = b * 0.5
    p = b * 1.5
    for i in range(n):
        np.subtract(r, s @ (p * 0.5), out=r)
        p = p + r
    return p @ p


def residual_update_out_7(s, b, n):
    r = b * 1.0
    p = b * 0.75
    for i in range(n):
        np.subtract(r, s @ p, out=r)
        p = r + p
    return p @ p


def residual_update_out_8(s, b, n):
    r = np.sin(b) * 1.0
    p = b * 1.5
    for i in range(n):
        np.subtract(r, s @ p, out=r)
        p = r + p
    return p @ p


def residual_update_out_9(s, b, n):
    r = b * 1.5
    p = b * 1.0
    for i in range(n):
        np.subtract(r, s @ p, out=r)
        p = r - p
    return (p + 0.25) @ p


def two_states_without_products_0(s, b, n):
    x = b * 1.0
    y = b * 0.5
    for i in range(n):
        t = x * y - 1
        u = t / t.sum()
        x[:] = x + u
        y[:] = y + u * 0.05
    return x @ y


def two_states_without_products_1(s, b, n):
    x = b * 1.25
    y = b * 0.5
    for i in range(n):
        t = x * y + 1
        u = t / t.sum()
        x[:] = x - u
        y[:] = y + u * 0.1
    return x @ y


def two_states_without_products_2(s, b, n):
    x = b * 1.0
    y = b * 0.5
    for i in range(n):
        t = 1 + x * y
        u = t / t.sum()
        x[:] = x - u
        y[:] = u * 0.125 + y
    return x @ y


def two_states_without_products_3(s, b, n):
    x = b * 1.0
    y = b * 0.5
    for i in range(n):
        t = x * y + 1
        u = t / t.sum()
        x[:] = x - u
        y[:] = y - u * 0.1
    return x @ y


def two_states_without_products_4(s, b, n):
    x = b * 1.0
    y = b * 0.375
    for i in range(n):
        t = x * y + 1
        u = t / t.sum()
        x[:] = x - u
        y[:] = y - u * 0.125
    return x @ y


def two_states_without_products_5(s, b, n):
    x = b * 1.0
    y = b * 0.75
    for i in range(n):
        t = x * y + 1
        u = t / t.sum()
        x[:] = x - u
        y[...] = y + u * 0.1
        x += 0.125
    return x @ y


def two_states_without_products_6(s, b, n):
    x = b * 1.0
    y = b * 0.5
    for i in range(n):
        t = x * y - 1
        u = t / t.sum()
        x[:] = x + u
        y[:] = y + u * 0.1
    return x @ y


def two_states_without_products_7(s, b, n):
    x = b * 0.5
    y = b * 0.5
    for i in range(n):
        t = x * y + 1
        u = t / t.sum()
        x[0:] = x + u
        y[:] = y - u * 0.1
    return x @ (y + 0.25)


def two_states_without_products_8(s, b, n):
    x = b * 1.0
    y = b * 0.375
    for i in range(n):
        t = x * y - 1
        u = t / t.sum()
        x[:] = np.tanh(x) + u
        y[:] = y + u * 0.125
        y = np.tanh(y)
    return x @ y


def two_states_without_products_9(s, b, n):
    x = b * 1.0
    y = b * 0.5
    for i in range(n):
        t = x * y + 1
        u = t / t.sum()
        x[:] = np.tanh(x) - u
        x += 0.125
        y[...] = y + u * 0.1
    return x @ y


def momentum_0(s, b, n):
    u = np.outer(b * 0.5, b)
    v = u * 0.125
    for i in range(n):
        g = np.sin(u) - u.mean(0)
        v[:] = 0.9 * v - g / np.abs(g).max()
        u[:] = u - v
    return (u * s).sum()


def momentum_1(s, b, n):
    u = np.outer(b, b)
    v = u * 0.1
    for i in range(n):
        g = u - u.mean(0)
        v[:] = 0.9 * v - g / np.abs(g).max()
        u[:] = u + np.abs(v)
    return (u * s).sum()


def momentum_2(s, b, n):
    u = np.outer(b, b)
    v = u * 0.125
    for i in range(n):
        g = u - u.mean(0)
        v[:] = 0.9 * v - g / np.abs(g).max()
        u[:] = u + v
    return (u * s).sum()


def momentum_3(s, b, n):
    u = np.outer(b, b)
    v = u * 0.075
    for i in range(n):
        g = u - u.mean(0)
        v[:] = 0.9 * v - g / np.abs(g).max()
        u[:] = u + v
    return (u * s).sum()


def momentum_4(s, b, n):
    u = np.outer(b, b)
    v = u * 0.1
    for i in range(n):
        g = u - u.mean(0)
        v[:] = 0.9 * v + g / np.abs(g).max()
        u[:] = u + v
    return (u * s).sum()


def momentum_5(s, b, n):
    u = np.outer(b, b)
    v = u * 0.15
    for i in range(n):
        g = u + u.mean(0)
        v[:] = 1.125 * v + g / np.abs(g).max()
        u[:] = u + v
    return (u * s).sum()


def momentum_6(s, b, n):
    u = np.outer(b, b)
    v = u * 0.1
    for i in range(n):
        if i % 2:
            v -= 0.5
        g = u - u.mean(0)
        v[:] = 0.9 * v - g / np.abs(g).max()
        u[:] = v + u
    return (u * s).sum()


def momentum_7(s, b, n):
    u = np.outer(b, b)
    v = np.sin(u) * 0.15
    for i in range(n):
        g = u - u.mean(0)
        v[:] = 0.9 * v - g / np.abs(g).max()
        u[:] = u - v
        v = np.tanh(v)
    return (u * s).sum()


def momentum_8(s, b, n):
    u = np.outer(b, b)
    v = u * 0.125
    for i in range(n):
        g = u - u.mean(0)
        v[:] = 0.9 * np.tanh(v) - g / np.abs(g).max()
        u[:] = u + v
    return (u * s).sum()


def momentum_9(s, b, n):
    u = np.outer(b, np.tanh(b))
    v = u * 0.075
    for i in range(n):
        g = u - u.mean(0)
        v[0:] = 0.9 * v - g / np.abs(g).max()
        u[:] = v + u
    return (u * s).sum()


def growth_in_while_0(s, b, n):
    x = np.tanh(b) * 0.75
    i = 0
    while i < n:
        x[:] = x + s @ x
        i += 1
    return x.sum()


def growth_in_while_1(s, b, n):
    x = b * 1.0
    i = 0
    while i < n:
        x[:] = x + s @ x
        i += 1
    return x.sum()


def growth_in_while_2(s, b, n):
    x = b * 0.5
    i = 0
    while i < n:
        x[:] = x + s @ x
        i += 1
    return x.sum()


def growth_in_while_3(s, b, n):
    x = b * 1.0
    i = 0
    while i < n:
        x[...] = x - s @ (x + 0.25)
        i += 1
    return x.sum()


def growth_in_while_4(s, b, n):
    x = b * 1.0
    i = 0
    while i < n:
        x[:] = s @ x + x
        i += 1
    return x.sum()


def growth_in_while_5(s, b, n):
    x = b * 0.75
    i = 0
    while i < n:
        x[0:] = s @ x + x
        i += 1
    return x.sum()


def growth_in_while_6(s, b, n):
    x = b * 1.0
    i = 0
    while i < n:
        x[:] = np.sin(x) + s @ np.abs(x)
        i += 1
    return x.sum()


def growth_in_while_7(s, b, n):
    x = b * 0.75
    i = 0
    while i < n:
        x[:] = x - s @ x
        i += 1
    return x.sum()


def growth_in_while_8(s, b, n):
    x = b * 0.75
    i = 0
    while i < n:
        x[...] = x + s @ x
        i += 1
    return x.sum()


def growth_in_while_9(s, b, n):
    x = b * 1.0
    i = 0
    while i < n:
        x[0:] = x + s @ x
        i += 1
    return x.sum()


def adam_0(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m[:] = 0.9 * np.abs(m) + 0.1 * g
        v[:] = 0.99 * v + 0.01 * g**2
        w[0:] = w - 0.1 * m / (np.sqrt(v) + 0.0013)
    return w @ w


def adam_1(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m[...] = 0.675 * m + 0.075 * g
        v[:] = 0.7425 * v + 0.01 * g**2
        w[:] = w - 0.1 * m / (0.0015 + np.sqrt(v))
    return w @ w


def adam_2(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m[0:] = 1.35 * m - 0.05 * g
        v[...] = 0.99 * v + 0.01 * g**2
        w[:] = w + 0.1 * m / (np.sqrt(v) + 0.001)
    return (w + 0.25) @ w


def adam_3(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m[:] = 1.35 * m + 0.125 * g
        v[0:] = 0.7425 * v + 0.005 * g**2
        w[:] = w - 0.1 * m / (np.sqrt(v) + 0.001)
    return w @ w


def adam_4(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m[:] = 1.35 * m - 0.1 * g
        v[:] = 0.99 * v + 0.015 * g**2
        w[:] = w - 0.125 * m / (np.sqrt(v) + 0.001)
    return w @ w


def adam_5(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = np.abs(b) * 1
    for i in range(n):
        g = s @ w
        v = v * 1.0
        m[:] = 0.9 * m + 0.075 * np.tanh(g)
        v[:] = 0.99 * v + 0.015 * g**2
        w[:] = w + 0.1 * m / (0.001 + np.sqrt(v))
    return w @ w


def adam_6(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m[0:] = 1.35 * m + 0.05 * g
        v[:] = 0.99 * v + 0.01 * g**2
        w[:] = w - 0.1 * m / (np.sqrt(v) - 0.001)
        v = v * 1.0
    return w @ w


def adam_7(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ np.tanh(w)
        m[:] = 0.05 * g + 0.9 * m
        v[...] = 0.99 * v + 0.01 * g**2
        w[:] = w - 0.1 * m / (np.sqrt(v) + 0.001)
    return w @ w


def adam_8(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m[:] = 1.35 * m + 0.075 * g
        v[:] = 0.495 * v + 0.0075 * g**2
        v += 0.125
        w[...] = w - 0.075 * m / (np.sqrt(v) + 0.001)
    return w @ w


def adam_9(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m[...] = 0.9 * m + 0.1 * g
        v[:] = 0.7425 * np.tanh(v) + 0.01 * g**2
        w[:] = w - 0.075 * m / (np.sqrt(v) - 0.001)
    return w @ w
