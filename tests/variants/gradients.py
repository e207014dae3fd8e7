"""Variants of programs that update arrays from themselves: each was wrong once, or its gradient was."""

import numpy as np


def adam_in_place_0(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m *= 0.9
        m += 0.05 * g
        v *= 0.99
        v += 0.01 * g**2
        w -= 0.15 * (m * 0.5) / (np.sqrt(v) - 0.001)
    return w @ w


def adam_in_place_1(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m *= 1.35
        m += 0.1 * g
        v *= 0.495
        v += 0.0125 * g**2
        w -= 0.1 * m / (np.sqrt(v) - 0.0015)
    return np.sin(w) @ w


def adam_in_place_2(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m *= 0.9
        m += 0.1 * g
        v *= 0.7425
        v += 0.01 * g**2
        w -= 0.05 * m / (np.sqrt(v) - 0.001)
    return w @ w


def adam_in_place_3(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m *= 0.675
        m += 0.125 * g
        v *= 0.99
        v += 0.01 * g**2
        w -= 0.15 * m / (np.sqrt(v) + 0.0013)
    return w @ np.abs(w)


def adam_in_place_4(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m *= 0.9
        m += 0.1 * g
        v *= 0.99
        v += 0.005 * g**2
        w -= 0.1 * m / (np.sqrt(v) - 0.001)
    return w @ w


def adam_in_place_5(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ np.tanh(w)
        m *= 0.9
        m += 0.15 * g
        v *= 0.495
        v += 0.015 * g**2
        w -= 0.05 * m / (np.sqrt(v) + 0.0015)
    return w @ w


def adam_in_place_6(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m *= 1.35
        m += 0.125 * g
        v *= 1.2375
        v += 0.01 * g**2
        w -= 0.1 * m / (np.sqrt(v) + 0.001)
    return w @ w


def adam_in_place_7(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ w
        m *= 0.675
        m += 0.1 * g
        v *= 0.99
        v += 0.01 * g**2
        w -= 0.075 * m / (np.sqrt(v) + 0.0013)
    return w @ w


def adam_in_place_8(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ np.sin(w)
        m *= 1.125
        m += 0.1 * g
        v *= 0.99
        v += 0.005 * g**2
        w -= 0.1 * m / (np.sqrt(v) + 0.001)
    return w @ w


def adam_in_place_9(s, b, n):
    m = np.zeros(4)
    v = np.zeros(4)
    w = b * 1
    for i in range(n):
        g = s @ (w * 0.5)
        m *= 0.9
        m += 0.125 * g
        v *= 0.7425
        v += 0.005 * g**2
        w -= 0.075 * m / (np.sqrt(v) + 0.0013)
    return w @ w


def conjugate_gradient_0(s, b, n):
    r = b * 0.5
    p = b * 0.5
    x = np.zeros_like(b)
    for i in range(n):
        product = s @ p
        x += np.sin(p)
        r -= product
        p = p + r
    return x @ x


def conjugate_gradient_1(s, b, n):
    r = np.abs(b) * 0.75
    p = b * 0.5 * 0.5
    x = np.zeros_like(b)
    for i in range(n):
        product = s @ p
        x += p
        r -= product
        p = r + p
    return x @ x


def conjugate_gradient_2(s, b, n):
    r = b * 1.0
    p = b * 1.0
    x = np.zeros_like(b)
    for i in range(n):
        product = s @ p
        x += p
        r -= product
        p = r + p
    return x @ x


def conjugate_gradient_3(s, b, n):
    r = b * 1.0
    p = b * 0.5
    x = np.zeros_like(b)
    for i in range(n):
        product = s @ p
        x += p
        r -= product
        p = r + p
    return x @ x


def conjugate_gradient_4(s, b, n):
    r = b * 1.0
    p = b * 1.25
    x = np.zeros_like(b)
    for i in range(n):
        product = s @ p
        x += p
        r -= product
        p = r + p
    return x @ x


def conjugate_gradient_5(s, b, n):
    r = b * 0.75
    p = b * 1.0
    x = np.zeros_like(b)
    for i in range(n):
        if i % 2:
            x -= 0.5
        product = s @ p
        x += p
        r -= product
        p = r + p
    return x @ x


def conjugate_gradient_6(s, b, n):
    r = b * 1.0
    p = b * 0.75
    x = np.zeros_like(b)
    for i in range(n):
        product = s @ p
        x += p
        r -= product
        p = r - p
    return x @ x


def conjugate_gradient_7(s, b, n):
    r = b * 0.5
    p = b * 0.5
    x = np.zeros_like(b)
    for i in range(n):
        product = s @ p
        x += p
        r -= product
        p = p + r
    return x @ (x + 0.25)


def conjugate_gradient_8(s, b, n):
    r = b * 1.0
    p = b * 1.0
    x = np.zeros_like(b)
    for i in range(n):
        product = s @ p
        x += p
        x += 0.125
        r -= product
        p = p + r
    return x @ x


def conjugate_gradient_9(s, b, n):
    r = b * 1.5
    p = b * 1.0
    x = np.zeros_like(b)
    for i in range(n):
        product = s @ p
        x += 0.125
        x += p + 0.25
        r -= product
        p = r + p
    return x @ x


def leapfrog_0(s, b, n):
    x = b * 1.0
    v = b * 0.0
    for i in range(n):
        a = -(s @ x)
        v += 0.1 * (a * 0.5)
        x += 0.1 * v
    return x @ v


def leapfrog_1(s, b, n):
    x = b * 1.0
    v = b * 0.0
    for i in range(n):
        a = -(s @ x)
        v += 0.125 * a
        x += 0.125 * v
    return x @ v


def leapfrog_2(s, b, n):
    x = b * 1.0
    v = b * 0.0
    for i in range(n):
        a = -(s @ x)
        v += 0.15 * a
        v *= 0.9
        x += 0.075 * v
    return x @ v


def leapfrog_3(s, b, n):
    x = b * 0.75
    v = b * 0.0
    for i in range(n):
        a = -(s @ x)
        v += 0.1 * a
        x += 0.1 * v
    return x @ v


def leapfrog_4(s, b, n):
    x = b * 1.0
    v = b * 0.0
    for i in range(n):
        a = -(s @ x)
        v = v * 1.0
        v += 0.1 * a
        x += 0.1 * v
    return x @ v


def leapfrog_5(s, b, n):
    x = b * 0.75
    v = b * 0.0
    for i in range(n):
        a = -(s @ x)
        v += 0.125 * a
        x += 0.1 * v
    return x @ v


def leapfrog_6(s, b, n):
    x = b * 0.75
    v = b * 0.0
    for i in range(n):
        a = -(s @ x)
        v += 0.15 * a
        x += 0.1 * v
    return x @ v


def leapfrog_7(s, b, n):
    x = b * 1.0
    v = b * 0.0
    for i in range(n):
        a = -(s @ x)
        v += 0.05 * a
        x += 0.15 * v
    return x @ v


def leapfrog_8(s, b, n):
    x = b * 1.0
    v = b * 0.0
    for i in range(n):
        v = np.tanh(v)
        a = -(s @ x)
        v += 0.05 * a
        x += 0.15 * v
    return x @ v


def leapfrog_9(s, b, n):
    x = b * 1.0
    v = b * 0.0
    for i in range(n):
        x += 0.125
        a = -(s @ x)
        v += 0.1 * a
        x += 0.1 * v
    return x @ v


def runge_kutta_2_0(s, b, n):
    u = b * 1.0
    for i in range(n):
        k1 = -(s @ u)
        k2 = -(s @ (u + 0.1 * k1))
        u += 0.0625 * (k1 + k2)
    return u @ u


def runge_kutta_2_1(s, b, n):
    u = b * 1.5
    for i in range(n):
        k1 = -(s @ u)
        k2 = -(s @ (u + 0.1 * k1))
        u += 0.025 * (k1 + k2)
    return u @ u


def runge_kutta_2_2(s, b, n):
    u = b * 1.0
    for i in range(n):
        k1 = -(s @ u)
        k2 = -(s @ (u + 0.075 * k1))
        u += 0.05 * (k1 + k2)
    return u @ u


def runge_kutta_2_3(s, b, n):
    u = b * 1.25
    for i in range(n):
        k1 = -(s @ u)
        k2 = -(s @ (u - 0.1 * k1))
        u += 0.05 * (k1 + k2)
    return (u + 0.25) @ u


def runge_kutta_2_4(s, b, n):
    u = b * 0.5
    for i in range(n):
        k1 = -(s @ u)
        k2 = -(s @ (u - 0.15 * k1))
        u += 0.075 * (k1 - k2)
    return u @ (u * 0.5)


def runge_kutta_2_5(s, b, n):
    u = b * 0.5
    for i in range(n):
        k1 = -(s @ u)
        k2 = -(s @ (u + 0.1 * k1))
        u += 0.0625 * (k1 + k2)
    return u @ u


def runge_kutta_2_6(s, b, n):
    u = b * 1.0
    for i in range(n):
        k1 = -(s @ u)
        k2 = -(s @ (u + 0.1 * k1))
        u += 0.075 * (k1 + k2)
    return u @ u


def runge_kutta_2_7(s, b, n):
    u = b * 0.5
    for i in range(n):
        k1 = -(s @ u)
        k2 = -(s @ (u - 0.1 * k1))
        u += 0.025 * (k1 - k2)
    return u @ u


def runge_kutta_2_8(s, b, n):
    u = b * 1.0
    for i in range(n):
        k1 = -(s @ u)
        k2 = -(s @ (u + 0.1 * k1))
        u += 0.025 * (k1 + k2)
    return u @ u


def runge_kutta_2_9(s, b, n):
    u = b * 1.0
    for i in range(n):
        k1 = -(s @ u)
        if i % 2:
            u -= 0.5
        k2 = -(s @ (u + 0.1 * k1))
        u += 0.05 * (k1 + k2)
    return u @ u


def scaled_exponentials_0(s, r, n):
    for i in range(n):
        e = np.exp(s * i)
        r[0:] = r + e / e.sum(1)[:, None]
    return (r * s).sum()


def scaled_exponentials_1(s, r, n):
    for i in range(n):
        e = np.exp(s * i)
        r[:] = r + e / e.sum(1)[:, None]
    return (r * s).sum()


def scaled_exponentials_2(s, r, n):
    for i in range(n):
        e = np.exp(s * i)
        r[:] = r - e / e.sum(1)[:, None]
    return (r * s).sum()


def scaled_exponentials_3(s, r, n):
    for i in range(n):
        e = np.exp(s * i)
        r[:] = e / e.sum(1)[:, None] + r * 0.5
    return (r * s).sum()


def scaled_exponentials_4(s, r, n):
    for i in range(n):
        e = np.exp(s * i)
        r[:] = r * 0.5 + e / e.sum(1)[:, None]
    return (r * s).sum()


def scaled_exponentials_5(s, r, n):
    for i in range(n):
        e = np.exp(s * i)
        r[:] = r + e / e.sum(1)[:, None]
    return ((r + 0.25) * s).sum()


def scaled_exponentials_6(s, r, n):
    for i in range(n):
        e = np.exp(s * i)
        r[:] = e / e.sum(1)[:, None] + r
    return (r * s).sum()


def scaled_exponentials_7(s, r, n):
    for i in range(n):
        e = np.exp(s * i)
        r[:] = r + 0.25 + e / e.sum(1)[:, None]
    return (r * s).sum()


def scaled_exponentials_8(s, r, n):
    for i in range(n):
        e = np.exp(s * i)
        r[...] = r + e / e.sum(1)[:, None]
    return (r * s).sum()


def scaled_exponentials_9(s, r, n):
    for i in range(n):
        e = np.exp(s * i)
        r[0:] = r - e / e.sum(1)[:, None]
    return (r * s).sum()
