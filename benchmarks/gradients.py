"""What gradients cost: time beside the function itself, and memory of the reverse pass through a loop."""

from __future__ import annotations

import ctypes
import gc
import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from measure import Row, no_slower
from timing import take_turns

import jitscope as js

AT_MOST = 5.0
"""Value and gradient may take so many times as long as the value."""

AT_MOST_WITH_EXITS = 3.0
"""As many times for loops that don't know how often they will run."""

STATE = 4096
STEPS = (250, 500, 1000, 2000, 4000)


def mlp(params: Any, x: Any, labels: Any) -> Any:
    for w, b in params[:-1]:
        x = np.tanh(x @ w + b)
    w, b = params[-1]
    logits = x @ w + b
    logits = logits - np.max(logits, axis=1, keepdims=True)
    return np.mean(np.log(np.sum(np.exp(logits), axis=1)) - np.sum(logits * labels, axis=1))


def lstm(params: Any, xs: Any, h: Any, c: Any) -> Any:
    w, b = params
    for t in range(xs.shape[0]):
        z = np.concatenate((xs[t], h), axis=1) @ w + b
        i = 1.0 / (1.0 + np.exp(-z[:, :10]))
        f = 1.0 / (1.0 + np.exp(-z[:, 10:20]))
        o = 1.0 / (1.0 + np.exp(-z[:, 20:30]))
        c = f * c + i * np.tanh(z[:, 30:])
        h = o * np.tanh(c)
    return np.sum(h * h)


def orbit(state: Any, speed: Any, steps: int) -> Any:
    x, y = state
    u, v = speed
    dt = 0.01
    for _ in range(steps):
        r = (x * x + y * y) ** 1.5
        u = u - dt * x / r
        v = v - dt * y / r
        x = x + dt * u
        y = y + dt * v
    return x * x + y * y


def chain(x: Any, v: Any, k: float, steps: int) -> Any:
    dt = 0.01
    for _ in range(steps):
        pull = k * (np.roll(x, 1) - 2.0 * x + np.roll(x, -1)) - x * x * x
        v = v + dt * pull
        x = x + dt * v
    return np.sum(x * x)


def oscillators(x: Any, v: Any, steps: int) -> Any:
    dt = 0.01
    for _ in range(steps):
        v = v - dt * np.sin(x)
        x = x + dt * v
    return np.sum(x * x)


def settling(u: Any, f: Any, tol: float) -> Any:
    gap = 1.0
    while gap > tol:
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - f[1:-1, 1:-1])
        gap = np.abs(new - u).max()
        u = new
    return np.sum(u * u)


def kepler(e: Any, m: Any, most: int) -> Any:
    x = m
    for _ in range(most):
        step = (x - e * np.sin(x) - m) / (1.0 - e * np.cos(x))
        x = x - step
        if np.abs(step).max() < 1e-12:
            break
    return np.sum(x * x)


def decay(y: float, dt: float) -> Any:
    t = 0.0
    while t < 10.0:
        y = y - dt * y * y
        t = t + dt
    return y


def mlp_case() -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    sizes = (784, 256, 128, 10)
    params = [(rng.normal(size=(a, b)) / np.sqrt(a), np.zeros(b)) for a, b in pairwise(sizes)]
    return params, rng.normal(size=(100, 784)), np.eye(10)[rng.integers(0, 10, 100)]


def lstm_case() -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    w = (rng.normal(size=(20, 40)) / 5.0).astype(np.float32)
    zeros = np.zeros((10, 10), np.float32)
    return (w, np.zeros(40, np.float32)), rng.normal(size=(20, 10, 10)).astype(np.float32), zeros, zeros


def chain_case() -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    return rng.normal(size=64), np.zeros(64), 2.0, 1000


CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...], tuple[int, ...], int]] = {
    "MLP 784-256-128-10, batch 100": (mlp, mlp_case(), (0,), 1),
    "LSTM, 20 steps, 10 units, batch 10, float32": (lstm, lstm_case(), (0,), 20),
    "orbit, 1000 steps, four floats": (orbit, ((1.0, 0.0), (0.0, 1.0), 1000), (0, 1), 50),
    "chain of 64 oscillators, 1000 steps": (chain, chain_case(), (0, 1, 2), 5),
}


def settling_case() -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(40, 40)), rng.normal(size=(40, 40)), 1e-4


def kepler_case() -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    return rng.random(5000) * 0.8, rng.random(5000) * 3.0, 100


WITH_EXITS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], tuple[int, ...], int]] = {
    "relaxation of 40 x 40 until it settles (`while`)": (settling, settling_case(), (0, 1), 1),
    "Newton's method for 5000 orbits at once (`break`)": (kepler, kepler_case(), (0, 1), 1),
    "decay of one float in 10,000 steps (`while`)": (decay, (1.0, 1e-3), (0,), 20),
}


def gradient_costs() -> list[Row]:
    """Value and gradient against the value alone, both compiled."""
    rows = []
    for title, (function, args, argnums, number) in {**CASES, **WITH_EXITS}.items():
        value, both = js.function(function), js.value_and_grad(function, argnums)
        expected, found = value(*args), both(*args)[0]
        np.testing.assert_allclose(found, expected, rtol=1e-5 if "float32" in title else 1e-12)
        most = AT_MOST_WITH_EXITS if title in WITH_EXITS else AT_MOST
        times = take_turns({"value": partial(value, *args), "both": partial(both, *args)}, 25, number)
        rows.append(no_slower(f"value and gradient: {title}", times["both"], times["value"], most))
    return rows


def peak(call: Callable[[], Any]) -> int:
    """The bytes of memory that a call needs at most, beyond what the process has (Linux)."""
    call()  # what compilers have left behind goes before the clock starts, not meanwhile
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # the high-water mark starts from here
    before = _status("VmRSS")
    call()
    return _status("VmHWM") - before


def _status(name: str) -> int:
    found = re.search(rf"^{name}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.M)
    assert found is not None
    return int(found[1]) * 1024


def _allocate_apart() -> None:
    """Tell glibc to map each array by itself: what earlier calls have freed is then not used again unseen."""
    mmap_threshold = -3  # M_MMAP_THRESHOLD of malloc.h; setting it also ends its growth
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(mmap_threshold, 1 << 14)


def memory(function: Callable[..., Any]) -> list[int]:
    """The peak of the gradient for each number of steps, the state being an array of `STATE` numbers."""
    rng = np.random.default_rng(0)
    x, v = rng.normal(size=STATE), np.zeros(STATE)
    gradient = js.grad(function, (0, 1))
    gradient(x, v, 10)
    return [peak(partial(gradient, x, v, steps)) for steps in STEPS]


def slope(peaks: list[int]) -> float:
    """The exponent with which memory grows, from the larger half of the steps."""
    return float(np.polyfit(np.log(STEPS[1:]), np.log(np.maximum(peaks[1:], 1)), 1)[0])


def gradient_memory() -> list[Row]:
    """How the memory of the reverse pass grows with the number of steps of a loop, and with checkpoints."""
    if not Path("/proc/self/clear_refs").exists():
        return []
    _allocate_apart()
    plain = memory(oscillators)
    few = memory(js.checkpoint(oscillators))
    array = STATE * 8
    per_step = (plain[-1] - plain[0]) / (STEPS[-1] - STEPS[0]) / array
    title = f"memory of the gradient, two arrays of {STATE}, {STEPS[-1]} steps"
    linear, root = slope(plain), slope(few)
    return [
        Row(
            title, _shown(plain[-1]), f"{per_step:.2f} arrays a step", f"n^{linear:.2f}", "n^1", linear < 1.1
        ),
        Row(
            f"{title}, checkpoint", _shown(few[-1]), _shown(plain[-1]), f"n^{root:.2f}", "n^0.5", root < 0.65
        ),
    ]


def _shown(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


if __name__ == "__main__":
    for row in gradient_costs() + gradient_memory():
        print(row)
