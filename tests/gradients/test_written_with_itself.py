"""Writes whose value is the array itself: it has the derivative of what was written and of what writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traced_gradients import check

X = np.array([0.3, -1.2, 0.8, 2.1, -0.4])


def turned(x: Any) -> Any:
    """A matrix whose layout nobody knows while tracing."""
    return np.outer(x, x + 1.0) + np.maximum(np.outer(x, x).T, 0.1)


def added(x):
    m = turned(x)
    m += m
    return m


def taken_away(x):
    m = turned(x)
    m -= m
    return m + x


def squared(x):
    m = turned(x)
    m *= m
    return m


def divided(x):
    m = turned(x)
    m /= m
    return m * x


def raised(x):
    m = np.abs(turned(x)) * 0.1 + 0.5
    m **= m
    return m


def into_itself(x):
    m = turned(x)
    np.add(m, m, out=m)
    np.multiply(m, m, out=m)
    return m


def copied_onto_itself(x):
    m = turned(x)
    np.copyto(m, m)
    np.copyto(m, m, where=m > 0.5)
    return m * m


def placed_in_itself(x):
    m = turned(x)
    m[[4, 3, 2, 1, 0]] = m
    np.add.at(m, np.arange(5), m)
    return m


def in_a_loop(x):
    m = np.eye(5)
    u = np.outer(x, x)
    for _ in range(3):
        m += m
        m = (m + np.maximum(m.T, np.maximum(u, 0.1)) * 0.25) * 0.25
    return m


PROGRAMS: tuple[Callable[..., Any], ...] = (
    added,
    taken_away,
    squared,
    divided,
    raised,
    into_itself,
    copied_onto_itself,
    placed_in_itself,
    in_a_loop,
)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_both_ways_back_count(function: Callable[..., Any], tmp_path: Path):
    check(function, (X,), tmp_path, tolerance=1e-6)
