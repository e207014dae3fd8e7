"""`rk4` with right-hand sides that are made anew for each call, and what such calls cost."""

from __future__ import annotations

import functools
import gc
import itertools
import resource
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import jitscope as js

START = np.ones(4)
STEP, ITERATIONS = 0.1, 100


def rk4(f, y, h, n):
    for i in range(n):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


def named(y):
    return -y


def scaled(k, y):
    return -y * k


class Decay:
    def __init__(self, k):
        self.k = k

    def rhs(self, y):
        return -self.k * y

    def __call__(self, y):
        return -self.k * y


def closure(k):
    return lambda y: -y * k


def closure_over_closure(k):
    inner = lambda y: y * k
    return lambda y: -inner(y)


FRESH: dict[str, Callable[[float], Callable[..., Any]]] = {
    "lambda": lambda k: lambda y: -y,
    "closure": closure,
    "closure over a closure": closure_over_closure,
    "default": lambda k: lambda y, k=k: -y * k,
    "keyword default": lambda k: lambda y, *, k=k: -y * k,
    "partial": lambda k: functools.partial(scaled, k),
    "partial of a lambda": lambda k: functools.partial(lambda c, y: -y * c, k),
    "bound method": lambda k: Decay(k).rhs,
    "callable object": lambda k: Decay(k),
}


def figures(make: Callable[[float], Callable[..., Any]], calls: int) -> dict[str, float]:
    """What `calls` calls with fresh functions leave and cost, beside calls of one named function."""
    decorated, other = js.function(rk4), js.function(rk4)
    other(named, START, STEP, ITERATIONS)
    fresh = _numbers(make)
    for _ in range(20):
        decorated(next(fresh), START, STEP, ITERATIONS)
    gc.collect()
    before, objects = memory(), len(gc.get_objects())
    for _ in range(calls):
        decorated(next(fresh), START, STEP, ITERATIONS)
    gc.collect()
    return {
        "specialisations": len(decorated.specializations),
        "grown MB": memory() - before,
        "grown objects": len(gc.get_objects()) - objects,
        "us": 1e6 * _time(lambda: decorated(make(0.5), START, STEP, ITERATIONS)),
        "us named": 1e6 * _time(lambda: other(named, START, STEP, ITERATIONS)),
    }


def _numbers(make: Callable[[float], Callable[..., Any]]) -> Iterator[Callable[..., Any]]:
    return (make(0.5 + 1e-4 * k) for k in itertools.count())


def _time(call: Callable[[], Any]) -> float:
    """The shortest of many calls."""
    best = 1.0
    for _ in range(300):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def memory() -> float:
    """The most that the process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
