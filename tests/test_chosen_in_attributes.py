"""Masks that choose elements of an object's arrays."""

from __future__ import annotations

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate, same


class Gas:
    def __init__(self, n, seed=0):
        rng = np.random.default_rng(seed)
        self.x = rng.normal(size=(n, 2))
        self.v = rng.normal(size=(n, 2))
        self.box = 1.0
        self.hits = 0

    def step(self, dt):
        self.x += self.v * dt
        low = self.x < 0
        high = self.x > self.box
        self.v[low | high] *= -1
        self.x[low] = -self.x[low]
        self.x[high] = 2 * self.box - self.x[high]
        self.v[low] += self.x[low] * np.sqrt(self.box)
        self.hits += int(low.sum() + high.sum())


def pressure(gas, dt, steps):
    history = []
    for _ in range(steps):
        before = gas.hits
        gas.step(dt)
        history.append(gas.hits - before)
    return np.array(history)


class Told:
    """Its arrays are told of when they are read."""

    def __init__(self, n, said):
        self._a, self._b = np.arange(float(n)), -np.arange(float(n))
        self.said = said

    @property
    def a(self):
        self.said.append("a")
        return self._a

    @property
    def b(self):
        self.said.append("b")
        return self._b


def read_in_turn(told):
    m = told.a > 2
    told.a[m] = told.b[m] * 2
    told.b[m] -= told.a[m]
    return told.said


def missing(gas, which):
    m = gas.x > 0
    if which == 0:
        gas.nothing[m] = gas.neither[m] * 2
    elif which == 1:
        gas.x[m] = gas.neither[m] * 2
    else:
        gas.nothing[m] = gas.x[m] * 2


def one_array_twice(gas):
    gas.v = gas.x
    m = gas.x > 0
    gas.v[m] = -gas.x[m]
    gas.x[m] = gas.v[m] + gas.box
    return gas.x is gas.v


def other_shapes(gas, y):
    m = gas.x > 0
    gas.x[m] = y[m] * 2


@pytest.mark.parametrize("n", [0, 1, 300])
def test_objects(n):
    same(pressure, Gas(n), 0.1, 20)
    same(one_array_twice, Gas(n))


@pytest.mark.parametrize("which", [0, 1, 2])
def test_what_is_missing_first_is_said(which):
    same(missing, Gas(5), which)


def test_properties_are_read_in_turn():
    for n in (3, 50):
        same(read_in_turn, Told(n, []))


def test_shapes_that_do_not_fit():
    same(other_shapes, Gas(5), np.ones((5, 2)))
    same(other_shapes, Gas(5), np.ones((4, 2)))
    same(other_shapes, Gas(5), np.ones((5, 2), dtype=complex))


@needs_compiler
def test_it_is_one_kernel():
    decorated = decorate(pressure)
    compare(pressure, decorated, (Gas(300), 0.1, 20))
    assert has_compiled_part(decorated)
