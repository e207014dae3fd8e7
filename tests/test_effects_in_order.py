"""Draws and calls of the user's keep their order where expressions are written inside of others."""

from __future__ import annotations

import numpy as np
import pytest
from same import decorate


def helper(a, b):
    return (a - 0.5) / b + b


def twice_the_second(rng, n):
    total = 0.0
    for _ in range(n):
        total += helper(rng.random(), 1.0 - rng.random())
    return total


def lambda_of_three(rng, n):
    total = 0.0
    for _ in range(n):
        total += (lambda a, b, c: a * c - b * c + c)(rng.random(), rng.normal(), -rng.random())
    return total


def nested_helpers(rng, n):
    total = 0.0
    for _ in range(n):
        total += helper(helper(rng.random(), 2.0 - rng.random()), helper(rng.random(), 1.0 + rng.random()))
    return total


def in_a_tuple(rng, n):
    total = 0.0
    for _ in range(n):
        pair = (rng.random(), 1.0 - rng.random(), rng.random() * 2.0)
        total += pair[2] * pair[1] + pair[1] - pair[0] / pair[2]
    return total


def under_conditions(rng, n):
    total = 0.0
    for k in range(n):
        first, second = rng.random(), 1.0 - rng.random()
        total += helper(rng.random() if k % 2 else 0.5, 1.0 - rng.random()) + second * second - first
    return total


def outside_of_loops(rng, n):
    return helper(rng.random(), 1.0 - rng.random()) + helper(rng.integers(0, n), 1.0 + rng.random())


@pytest.mark.parametrize(
    "function",
    [twice_the_second, lambda_of_three, nested_helpers, in_a_tuple, under_conditions, outside_of_loops],
)
def test_numbers_are_drawn_in_order(function):
    decorated = decorate(function)
    for n in (4, 30, 4):
        one, other = np.random.default_rng(n), np.random.default_rng(n)
        assert decorated(one, n) == function(other, n)
        assert one.bit_generator.state == other.bit_generator.state


class Told:
    """A callable that says that it was called."""

    def __init__(self):
        self.seen = []

    def __call__(self, name, value):
        self.seen.append(name)
        return value


def calls(told, x):
    return helper(told("a", 1.5), 1.0 - told("b", 0.25)) + helper(
        told("c", x.sum()), told("d", 2.0) * told("e", 3.0)
    )


def calls_in_a_loop(told, x):
    total = 0.0
    for k in range(3):
        total += helper(told(k, 1.5), 1.0 - told(-k, 0.25)) * x.sum()
    return total


@pytest.mark.parametrize("function", [calls, calls_in_a_loop])
def test_calls_are_made_in_order(function):
    plain, decorated, x = Told(), Told(), np.arange(50.0)
    assert decorate(function)(decorated, x) == function(plain, x)
    assert decorated.seen == plain.seen
