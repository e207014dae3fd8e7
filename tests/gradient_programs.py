"""Programs with loops, branches and writes whose gradients are known otherwise: by differences, and by JAX.

Each returns a real scalar. `twin` says that JAX can express it after `jax_twins.py` has put ``at[...].set``
for its item assignments; programs that write through views or swap references have none.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Program:
    """A function, arguments for it, and which of them it is differentiated for."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    argnums: tuple[int, ...]
    twin: bool

    @property
    def name(self) -> str:
        return self.function.__name__

    def arguments(self) -> list[Any]:
        """Fresh arguments, as programs write to them."""
        return copy.deepcopy(list(self.args))


PROGRAMS: list[Program] = []


def program(*args: Any, argnums: tuple[int, ...] = (0,), twin: bool = True) -> Callable[[Any], Any]:
    """Add a function to the list; it stays what it is."""

    def add(function: Any) -> Any:
        PROGRAMS.append(Program(function, args, argnums, twin))
        return function

    return add


def numbers(*shape: int, seed: int = 0, low: float = -1.0, high: float = 1.0) -> Any:
    return np.random.default_rng(seed).uniform(low, high, shape)


# Loops over numbers ---------------------------------------------------------------------------------------


@program(numbers(5), 0.7, argnums=(0, 1))
def horner(c, x):
    total = 0.0
    for k in range(len(c)):
        total = total * x + c[k]
    return total


@program(0.4, 3.1, 12, argnums=(0, 1))
def logistic_map(x, r, steps):
    for _ in range(steps):
        x = r * x * (1.0 - x)
    return x


@program(7.3)
def square_root(a):
    x = a
    while abs(x * x - a) > 1e-9:
        x = 0.5 * (x + a / x)
    return x


@program(1.2, 0.9, 25, argnums=(0, 1))
def pendulum(angle, length, steps):
    speed, dt = 0.0, 0.05
    for _ in range(steps):
        speed -= dt * 9.81 / length * math.sin(angle)
        angle += dt * speed
    return angle * angle + speed


@program(numbers(2, low=0.5, high=1.5), numbers(4, seed=1, low=0.3, high=0.9), argnums=(0, 1))
def predators(u, p):
    h = 0.1

    def rate(u):
        return np.array([p[0] * u[0] - p[1] * u[0] * u[1], -p[2] * u[1] + p[3] * u[0] * u[1]])

    for _ in range(8):
        k1 = rate(u)
        k2 = rate(u + 0.5 * h * k1)
        k3 = rate(u + 0.5 * h * k2)
        k4 = rate(u + h * k3)
        u = u + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return np.sum(u * u)


@program(numbers(9), 0.3, argnums=(0, 1))
def kalman(measured, noise):
    estimate, variance, cost = 0.0, 1.0, 0.0
    for z in measured:
        variance = variance + 0.1
        gain = variance / (variance + noise)
        error = z - estimate
        cost += error * error / (variance + noise) + math.log(variance + noise)
        estimate = estimate + gain * error
        variance = (1.0 - gain) * variance
    return cost + estimate


@program(numbers(6), argnums=(0,))
def backwards(x):
    total = 1.0
    for k in range(len(x) - 1, -1, -2):
        total = math.tanh(total + x[k] * k)
    return total


@program(numbers(4), numbers(4, seed=3), argnums=(0, 1))
def pairs(x, y):
    total = 0.0
    for k, (a, b) in enumerate(zip(x, y)):
        total += (k + 1) * a * math.exp(b)
    return total


@program(1000.0, 0.06, 90.0, argnums=(0, 1, 2))
def loan(debt, rate, payment):
    paid = 0
    for year in range(10):
        interest = debt * rate
        debt = debt + interest - payment * (1 + year / 10)
        paid += interest
    return paid + debt


# Branches -------------------------------------------------------------------------------------------------


@program(numbers(8, low=-2, high=2))
def pieces(x):
    total = 0.0
    for value in x:
        if value < -1.0:
            total += value * value
        elif value < 0.5:
            total += math.sin(3.0 * value)
        else:
            total -= math.log(value)
    return total


@program(numbers(7))
def largest(x):
    best, place = x[0], 0
    for k in range(1, len(x)):
        if x[k] > best:
            best, place = x[k], k
    return best * best * (place + 1)


@program(numbers(7, low=0.1, high=0.9), 2.0, argnums=(0, 1))
def until_full(x, limit):
    level = 0.0
    for k in range(len(x)):
        level += x[k] * limit
        if level > limit:
            return level * level + k
    return -level


@program(numbers(9), 0.2, argnums=(0, 1))
def left_early(x, threshold):
    total = 0.0
    for value in x:
        if value > 0.9:
            break
        if value < threshold:
            continue
        total += (value - threshold) ** 3
    else:
        total += threshold * 5.0
    return total


@program(0.3, 0.8, argnums=(0, 1))
def spiral(x, y):
    count = 0
    while True:
        x, y = 0.9 * x - 0.4 * y, 0.4 * x + 0.9 * y
        count += 1
        if x * x + y * y < 0.5:
            x = x * 2.0
        if count >= 7 or abs(x) > 3.0:
            break
    return x * y + count


@program(numbers(5, low=0.5, high=4.0))
def roots(x):
    total = 0.0
    for a in x:
        guess = 1.0
        while abs(guess * guess * guess - a) > 1e-10:
            guess = guess - (guess * guess * guess - a) / (3.0 * guess * guess)
        total += guess if a > 1.0 else 2.0 * guess
    return total


@program(0.35, 0.25, argnums=(0, 1))
def escape(re, im):
    zr, zi, k = 0.0, 0.0, 0
    while k < 20:
        zr, zi = zr * zr - zi * zi + re, 2.0 * zr * zi + im
        if zr * zr + zi * zi > 4.0:
            break
        k += 1
    return zr + 0.5 * zi


@program(numbers(6), 0.1, 0.6, argnums=(0, 1, 2))
def clamped(x, low, high):
    total = 0.0
    for value in x:
        total += min(max(value, low), high) * value
    return total


# Writes ---------------------------------------------------------------------------------------------------


@program(numbers(6))
def squares(x):
    out = np.empty(len(x))
    for k in range(len(x)):
        out[k] = x[k] * x[k] * k
    return np.sum(out * x)


@program(numbers(7), 0.8, argnums=(0, 1))
def recurrence(x, decay):
    out = np.zeros(len(x))
    out[0] = x[0]
    for k in range(1, len(x)):
        out[k] = decay * out[k - 1] * out[k - 1] + x[k]
    return out[-1] + np.sum(out)


@program(numbers(6))
def overwritten(x):
    for k in range(len(x)):
        x[k] = math.sin(x[k]) * 2.0
    x[0] = 0.0
    return np.sum(x * x)


@program(numbers(8))
def running_sums(x):
    y = x.copy()
    for k in range(1, 8):
        y[k] += y[k - 1]
    return np.sum(y * y) + y[3]


@program(numbers(9), argnums=(0,), twin=False)
def diffusion(u):
    v = np.empty_like(u)
    for _ in range(5):
        v[0], v[-1] = u[0], u[-1]
        v[1:-1] = u[1:-1] + 0.2 * (u[:-2] - 2.0 * u[1:-1] + u[2:]) + 0.01 * u[1:-1] ** 2
        u, v = v, u
    return np.sum(u**2)


@program(numbers(5, 5), numbers(5, 5, seed=2), argnums=(0, 1))
def relaxed(u, f):
    for _ in range(6):
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - f[1:-1, 1:-1])
        change = np.max(np.abs(new - u))
        u = new
        if change < 0.02:
            break
    return np.sum(u * u)


@program(numbers(3, 4), numbers(4, 2, seed=1), argnums=(0, 1))
def product_by_hand(a, b):
    c = np.zeros((3, 2))
    for i in range(3):
        for j in range(2):
            for k in range(4):
                c[i, j] += a[i, k] * b[k, j]
    return np.sum(np.tanh(c))


@program(numbers(4, 4), numbers(4, seed=5), argnums=(0, 1))
def cholesky(a, b):
    s = a @ a.T + 4.0 * np.eye(4)
    low = np.zeros((4, 4))
    for i in range(4):
        for j in range(i + 1):
            total = s[i, j]
            for k in range(j):
                total -= low[i, k] * low[j, k]
            if i == j:
                low[i, j] = math.sqrt(total)
            else:
                low[i, j] = total / low[j, j]
    y = b.copy()
    for i in range(4):
        for k in range(i):
            y[i] -= low[i, k] * y[k]
        y[i] /= low[i, i]
    return np.sum(y * y)


@program(numbers(4, 4, seed=7), numbers(4, seed=8), argnums=(0, 1))
def elimination(a, b):
    n = len(b)
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[p, k]):
                p = i
        if p != k:
            row = a[k, :].copy()
            a[k, :] = a[p, :]
            a[p, :] = row
            kept = b[k]
            b[k] = b[p]
            b[p] = kept
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, :] -= factor * a[k, :]
            b[i] -= factor * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.sum(a[i, i + 1 :] * x[i + 1 :])) / a[i, i]
    return np.sum(x)


@program(numbers(6, seed=4))
def bubbled(x):
    for i in range(len(x)):
        for j in range(len(x) - 1 - i):
            if x[j] > x[j + 1]:
                larger = x[j]
                x[j] = x[j + 1]
                x[j + 1] = larger
    total = 0.0
    for k in range(len(x)):
        total += x[k] ** (k % 3 + 1)
    return total


@program(numbers(8), twin=False)
def through_a_view(x):
    even = x[::2]
    even *= 3.0
    tail = x[4:]
    tail[:] = tail * tail
    return np.sum(x * np.arange(8.0))


@program(numbers(5), twin=False)
def two_names(x):
    y = x
    y[1:3] = y[0] * 2.0
    x += 1.0
    return np.sum(y * y)


@program(numbers(6), np.array([0, 2, 2, 1, 0, 2]))
def histogram(x, bins):
    out = np.zeros(3)
    for k in range(len(x)):
        out[bins[k]] += x[k] * x[k]
    return np.sum(np.exp(out))


@program(numbers(7))
def cut(x):
    y = np.sin(3.0 * x)
    for k in range(len(y)):
        if y[k] < 0.0:
            y[k] = 0.1 * y[k]
    return np.sum(y * y * y)


@program(numbers(4, 3), argnums=(0,))
def rows(a):
    for i in range(1, 4):
        a[i] = a[i] * a[i - 1] + 1.0
    a[:, 1] *= 2.0
    return np.sum(a)


@program(numbers(5, 4))
def soft_path(cost):
    table = np.zeros((5, 4))
    table[0, 0] = cost[0, 0]
    for i in range(1, 5):
        table[i, 0] = table[i - 1, 0] + cost[i, 0]
    for j in range(1, 4):
        table[0, j] = table[0, j - 1] + cost[0, j]
    for i in range(1, 5):
        for j in range(1, 4):
            least = min(table[i - 1, j], table[i, j - 1], table[i - 1, j - 1])
            a = math.exp(least - table[i - 1, j])
            b = math.exp(least - table[i, j - 1])
            c = math.exp(least - table[i - 1, j - 1])
            table[i, j] = cost[i, j] + least - math.log(a + b + c)
    return table[4, 3]


# Arrays, containers, helpers ------------------------------------------------------------------------------


@program(numbers(3), numbers(3, 3, seed=1), numbers(6, 3, seed=2), argnums=(0, 1, 2))
def recurrent(h, w, inputs):
    states = np.zeros((7, 3))
    states[0] = h
    for t in range(6):
        states[t + 1] = np.tanh(w @ states[t] + inputs[t])
    return np.sum(states[-1]) + np.mean(states)


LAYERS = [
    (numbers(4, 3, seed=k), numbers(4, seed=k + 9)) if k == 0 else (numbers(4, 4, seed=k), numbers(4))
    for k in range(3)
]


@program(LAYERS, numbers(3), argnums=(0, 1))
def network(layers, x):
    for w, b in layers:
        x = np.maximum(w @ x + b, 0.1 * (w @ x))
    return np.sum(x**2)


@program({"f": numbers(3, 5), "g": numbers(3, 5, seed=1), "i": numbers(3, 5, seed=2)}, numbers(4, 2, seed=3))
def gated(params, inputs):
    h, c = np.zeros(3), np.zeros(3)
    for x in inputs:
        z = np.concatenate((h, x))
        f = 1.0 / (1.0 + np.exp(-(params["f"] @ z)))
        i = 1.0 / (1.0 + np.exp(-(params["i"] @ z)))
        c = f * c + i * np.tanh(params["g"] @ z)
        h = np.tanh(c) * f
    return np.sum(h) + np.sum(c * c)


@program(numbers(5, 3), np.array([0, 2, 1, 1, 0]))
def cross_entropy(logits, labels):
    total = 0.0
    for k in range(len(labels)):
        row = logits[k] - np.max(logits[k])
        total += np.log(np.sum(np.exp(row))) - row[labels[k]]
    return total / len(labels)


def squashed(x, slope):
    if x > 0.0:
        return x / (1.0 + slope * x)
    return slope * x


@program(numbers(6), 0.3, argnums=(0, 1))
def helped(x, slope):
    total = 0.0
    for value in x:
        total += squashed(value, slope) * squashed(-value, slope + 0.1)
    return total


@program(numbers(6), numbers(6, seed=1), argnums=(0, 1))
def chosen(x, y):
    z = np.where(x > y, x * y, np.sin(x))
    if np.sum(z) > 0.0:
        z = np.clip(z, -0.5, 0.5) * y
    else:
        z = z + np.cumsum(x)
    return np.sum(z * z)


@program(numbers(4), 3, argnums=(0,))
def collected(x, times):
    parts = []
    for k in range(3):
        x = np.cos(x) * (k + 1.0)
        parts.append(x)
    total = 0.0
    for part in parts:
        total += np.sum(part * part)
    return total * times


@program(numbers(5), 0.5, argnums=(0, 1))
def either(x, k):
    scale = None
    for value in x:
        if value > 0.2:
            scale = value * k
    if scale is None:
        return k * 2.0
    return scale * scale


@program(numbers(3), numbers(3, seed=6), argnums=(0, 1))
def descent(w, target):
    velocity = np.zeros(3)
    for _ in range(6):
        gradient = 2.0 * (w - target) * (1.0 + w * w)
        velocity = 0.5 * velocity - 0.05 * gradient
        w = w + velocity
        if np.sum(np.abs(velocity)) < 1e-3:
            break
    return np.sum((w - target) ** 2)


@program(numbers(4, low=0.2, high=0.9), argnums=(0,))
def branching_state(x):
    a, b = x[0], x[1]
    for k in range(6):
        if k % 2 == 0:
            a = a * b + x[2]
        else:
            b = b - 0.3 * a * x[3]
        if a > 1.2:
            a, b = b, a
    return a + 2.0 * b
