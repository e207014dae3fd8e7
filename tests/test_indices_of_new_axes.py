"""Indices of axes that views add, of one element or stretched: outside of them is `IndexError`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import compare, decorate


def in_a_loop(v, k):
    s = 0.0
    for i in range(3):
        s += v[:, None][i, 1]
    return s


def once(v, k):
    return float(v[:, None][2 + 1, 1] > 0.3)


def written(v, k):
    s = 0.0
    for i in range(3):
        v[None][1, i] = 3
    return s


def by_an_argument(v, k):
    s = 0.0
    for i in range(3):
        s += v[:, None][i, k]
    return s


def from_the_end(v, k):
    s = 0.0
    for i in range(3):
        s += v[:, None][i, -2] + v[:, None][i, -1]
    return s


def stretched(v, k):
    s = 0.0
    u = np.broadcast_to(v[:, None], (len(v), 3))
    for i in range(3):
        s += u[i, k]
    return s


def an_expanded_row(v, k):
    s = 0.0
    u = np.expand_dims(v, 0)
    for i in range(3):
        s += u[k].sum()
    return s


def a_column(v, k):
    return v[:, None][:, 1] + 1, v[:, None][:, k]


def a_column_in_a_loop(v, k):
    s = 0.0
    for i in range(3):
        w = v[:, None][:, 1]
        s += w.sum()
    return s


def of_a_number(w, k):
    s = 0.0
    z = np.asarray(w.sum())
    for i in range(3):
        s += z[None][k]
        s += w[None][k][1]
    return s


def in_the_condition_of_a_while(v, k):
    s = 0.0
    z = v[:, None]
    i = 0
    while z[i, k] < 3.0:
        i += 1
    z[i, k] = 7.0
    z[i, k] += 1
    return i, v


def two_new_axes(v, k):
    s = 0.0
    z = v[None, :, None]
    for i in range(3):
        s += z[k, i, k] + z.T[k, i, k]
        z[k, i, -1] = s
    return s, z


def elements(v, k):
    s = 0.0
    p = np.array([0, 1, 2])
    q = np.array([k, k, k])
    for i in range(3):
        s += v[:, None][p, q].sum()
    return s


def rows(v, k):
    s = 0.0
    p = np.array([0, k, 2])
    for i in range(3):
        s += v[None][p].sum()
    return s


def taken(v, k):
    s = 0.0
    p = np.array([0, k])
    for i in range(3):
        s += v[None, :, None][:, i, p].sum()
        s += np.take(v[:, None], p, axis=1).sum()
    return s


def elements_written(v, k):
    p = np.array([0, k])
    for i in range(3):
        v[:, None][i, p] = 3.0
        v[None][p, i] += 1
    return v


def elements_of_stretched(v, k):
    s = 0.0
    u = np.broadcast_to(v, (3, len(v)))
    p = np.array([0, k])
    for i in range(3):
        s += u[p, i].sum() + u[k : k + 1, i].sum()
    return s


PROGRAMS = (
    in_a_loop,
    once,
    written,
    by_an_argument,
    from_the_end,
    stretched,
    an_expanded_row,
    a_column,
    a_column_in_a_loop,
    of_a_number,
    in_the_condition_of_a_while,
    two_new_axes,
    elements,
    rows,
    taken,
    elements_written,
    elements_of_stretched,
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_indices_are_checked(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for k in (0, 1, -1, -2, 2, 3, -4):
        compare(program, decorated, (np.arange(5.0), k))
