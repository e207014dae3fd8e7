"""What Dask's workers and loky's do in the tests: decorated functions, and how often they have compiled."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

import jitscope as js


@js.function
def energy(x):
    total = 0.0
    for v in x:
        total += v * v
    return total


@js.function
def smoothed(x):
    out = x.copy()
    for _ in range(3):
        out[1:-1] = 0.25 * (out[:-2] + 2 * out[1:-1] + out[2:])
    return out


@js.function
def fresh(x):
    s = 1.5
    for v in x:
        s += v * 0.125 - s * 0.0625
    return s


def never_before(k: int) -> float:
    """What a function gives that nothing else here calls."""
    return float(fresh(np.full(500, float(k))))


FUNCTIONS = (energy, smoothed)


def called(k: int) -> tuple[int, float, int]:
    """The process, what a function gives, and how many compilations that took."""
    before = js.counters().compilations
    x = np.full(1000, float(k))
    result = float(energy(x)) + float(smoothed(x).sum())
    return os.getpid(), result, js.counters().compilations - before


def compilations() -> int:
    """How often this process has compiled."""
    return js.counters().compilations


def forget(folder: str) -> None:
    """Use another cache from now on."""
    js.config.cache_dir = folder


def killed_once(block: np.ndarray, marker: str) -> np.ndarray:
    """A block, doubled; the first process that gets one dies."""
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return block * 2
    os._exit(1)


def environment() -> dict[str, Any]:
    """What a worker's libraries are told of threads."""
    return {name: os.environ.get(name) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
