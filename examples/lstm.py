"""An LSTM cell in plain NumPy, as in the seed: a call eager and decorated; then training it through time."""

from __future__ import annotations

import timeit
from functools import partial
from typing import Any

import numpy as np
from report import difference, readable, steady, timed

import jitscope as js

Array = np.ndarray
SIZE, BATCH, STEPS = 10, 10, 20
SEED = {"eager": 0.032440788112580776 / 10, "tf.function": 0.004768412094563246 / 10}
"""Seconds of one call of TensorFlow's cell, on the seed's machine."""


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def cell(x: Array, h: Array, c: Array, w: Array, u: Array, b: Array) -> tuple[Array, Array]:
    """The state (h, c) after the input `x` (batch, size); `w` and `u` are (size, 4 size), `b` is (4 size)."""
    z = x @ w + h @ u + b
    i, f, g, o = np.split(z, 4, axis=1)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def loss(w: Array, u: Array, b: Array, xs: Array, ys: Array) -> Any:
    """Mean squared error of the outputs for `xs` (steps, batch, size) against `ys`."""
    h = np.zeros((xs.shape[1], u.shape[0]), np.float32)
    c = np.zeros((xs.shape[1], u.shape[0]), np.float32)
    total = np.float32(0)
    for t in range(len(xs)):
        h, c = cell(xs[t], h, c, w, u, b)
        total = total + ((h - ys[t]) ** 2).sum()
    return total / np.float32(ys.size)


loss_and_gradient = js.value_and_grad(loss, argnums=(0, 1, 2))


def step(w: Array, u: Array, b: Array, xs: Array, ys: Array, rate: Any) -> tuple[Any, Array, Array, Array]:
    """One step of gradient descent: the loss, and the new weights."""
    value, (dw, du, db) = loss_and_gradient(w, u, b, xs, ys)
    return value, w - rate * dw, u - rate * du, b - rate * db


def step_by_hand(
    w: Array, u: Array, b: Array, xs: Array, ys: Array, rate: Any
) -> tuple[Any, Array, Array, Array]:
    """The same with the gradient written out in NumPy, each value computed once and kept."""
    k = u.shape[0]
    h = c = np.zeros((xs.shape[1], k), np.float32)
    kept, total = [], np.float32(0)
    for t in range(len(xs)):
        z = xs[t] @ w + h @ u + b
        i, f, o = sigmoid(z[:, :k]), sigmoid(z[:, k : 2 * k]), sigmoid(z[:, 3 * k :])
        g = np.tanh(z[:, 2 * k : 3 * k])
        new_c = f * c + i * g
        tanh_c = np.tanh(new_c)
        new_h = o * tanh_c
        error = new_h - ys[t]
        total = total + (error**2).sum()
        kept.append((h, c, i, f, g, o, tanh_c, error))
        h, c = new_h, new_c
    dw, du, db = np.zeros_like(w), np.zeros_like(u), np.zeros_like(b)
    dh, dc, dz = np.zeros_like(h), np.zeros_like(c), np.empty((len(h), 4 * k), np.float32)
    scale = np.float32(2) / np.float32(ys.size)
    for t in reversed(range(len(xs))):
        h, c, i, f, g, o, tanh_c, error = kept[t]
        dh = dh + scale * error
        dc = dc + dh * o * (1 - tanh_c * tanh_c)
        dz[:, :k] = dc * g * i * (1 - i)
        dz[:, k : 2 * k] = dc * c * f * (1 - f)
        dz[:, 2 * k : 3 * k] = dc * i * (1 - g * g)
        dz[:, 3 * k :] = dh * tanh_c * o * (1 - o)
        dc = dc * f
        dw += xs[t].T @ dz
        du += h.T @ dz
        db += dz.sum(axis=0)
        dh = dz @ u.T
    return total / np.float32(ys.size), w - rate * dw, u - rate * du, b - rate * db


fast_cell, fast_step = js.function(cell), js.function(step)


def weights() -> tuple[Array, Array, Array]:
    """Random ones, the same each time."""
    rng = np.random.default_rng(1)
    w, u = (rng.normal(0, 0.3, (SIZE, 4 * SIZE)).astype(np.float32) for _ in range(2))
    return w, u, np.zeros(4 * SIZE, np.float32)


def waves() -> tuple[Array, Array]:
    """Sine waves of random phase, and the same one step later."""
    phase = np.random.default_rng(2).uniform(0, 2 * np.pi, (1, BATCH, SIZE))
    times = np.arange(STEPS + 1).reshape(-1, 1, 1)
    wave = (0.8 * np.sin(0.5 * times + phase)).astype(np.float32)
    return wave[:-1], wave[1:]


def one_call() -> None:
    """The seed's measurement: ten calls of the cell, after one to warm up."""
    state = [np.zeros((BATCH, SIZE), np.float32)] * 2
    args = (waves()[0][0], *state, *weights())
    first, actual = timed(lambda: fast_cell(*args))
    gap = difference(cell(*args), actual)
    plain, fast = (timeit.timeit(partial(f, *args), number=10) / 10 for f in (cell, fast_cell))
    repeated = (timeit.repeat(partial(f, *args), number=200, repeat=50) for f in (cell, fast_cell))
    plain_call, fast_call = (min(times) / 200 for times in repeated)
    print(f"\nLSTM cell, input and hidden {SIZE}, batch {BATCH}, float32")
    print(f"  first call       {readable(first)}   (compiles, or loads what an earlier run compiled)")
    print(f"  10 calls         eager {readable(plain)} each, decorated {readable(fast)} each")
    print(f"  steady           eager {readable(plain_call)}, decorated {readable(fast_call)}")
    print(f"  eager / steady   {plain_call / fast_call:.1f} x   (TensorFlow in the seed: 6.8 x)")
    for name, seconds in SEED.items():
        print(f"  TensorFlow's {name}: {readable(seconds)} in the seed, {seconds / fast_call:.0f} x ours")
    report_rest(gap, 1e-6, fast_cell)


def training() -> None:
    """A training step through `STEPS` time steps against the one written by hand; then some more of them."""
    args = (*weights(), *waves(), np.float32(0.5))
    first, actual = timed(lambda: fast_step(*args))
    gap = difference(step_by_hand(*args), actual)
    plain = steady(lambda: step_by_hand(*args))
    fast = steady(lambda: fast_step(*args))
    print(f"\nTraining step of it through {STEPS} time steps: forward, gradient, update")
    print(f"  first call       {readable(first)}   (compiles, or loads what an earlier run compiled)")
    print(f"  by hand          {readable(plain)}")
    print(f"  steady call      {readable(fast)}")
    print(f"  by hand / steady {plain / fast:.1f} x")
    w, u, b, xs, ys, rate = args
    losses = []
    for _ in range(2000):
        value, w, u, b = fast_step(w, u, b, xs, ys, rate)
        losses.append(value)
    print(f"  2000 steps       loss {losses[0]:.3f} to {losses[-1]:.3f}")
    report_rest(gap, 1e-5, fast_step)


def report_rest(gap: float, atol: float, fast: Any) -> None:
    """Equality, and where the module is; stops where the answer is another one."""
    print(f"  results          largest difference {gap:.1e} (allowed: {atol:.0e})")
    for specialization in fast.specializations:
        print(f"  generated module {specialization.path}")
    if gap > atol:
        raise SystemExit(f"{fast.__name__}: the decorated function gives another answer")


def main() -> None:
    one_call()
    training()


if __name__ == "__main__":
    main()
