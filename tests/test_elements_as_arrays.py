"""An element of an array that is an array itself: `a[i, ...]` looks at the memory of `a`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import Tolerance, compare, decorate


def raveled(v, n):
    s = 0
    for i in range(n):
        for r in v[..., 0].ravel():
            s += np.count_nonzero(v != 0)
    return s


def squared_in_place(v, n):
    s = 0.0
    for i in range(n):
        w = v[i, ...]
        w **= 2
        s += v.sum()
    return s


def kept_and_changed(v, n):
    s = 0.0
    for i in range(n):
        w = v[i, ...]
        w += 1
        v[0] = 3.0
        s += w * 2
    return s, w


def reshaped(v, n):
    for i in range(n):
        w = v[i, ...].reshape(1)
        w += 1
        np.add(v[i, ...], 2, out=v[i, ...])
    return w


def written_whole(v, n):
    s = 0.0
    for i in range(n):
        w = v[..., i]
        w[...] = i
        w[()] += 2
        s += w.sum() + w.max() + w[None][0] + w[..., None].sum()
    return s


def read_in_all_ways(v, n):
    s = 0.0
    for i in range(n):
        w = np.broadcast_to(v[..., i], (3,))
        s += w.sum() + v[..., i].T + v[..., i].copy() + v[..., i].flatten()[0] + v[..., i].item()
    return s


def merged_by_a_loop(v, n):
    w = v[0, ...]
    s = 0.0
    for i in range(n):
        v[:] += 1
        s += w * 1.0
        w = v[i, ...]
    return s


def merged_by_a_branch(v, n):
    w = v[0, ...] if n > 2 else v[1, ...]
    s = 0.0
    for i in range(n):
        v[:] += 1
        s += w * 2
    return s, w


def copied(v, n):
    s = 0.0
    for i in range(n):
        w = v[i, ...].copy()
        u = v[i, ...]
        v += 1
        s += w + u
    return s, w, u, v[:1].reshape(()), np.squeeze(v[1:2])


def to_no_dimensions(v, n):
    s = 0.0
    for i in range(n):
        w = v[i : i + 1].reshape(())
        v += 1
        s += w * 1.0
    return s, w


def squeezed(v, n):
    s = 0.0
    for i in range(n):
        w = np.squeeze(v[i : i + 1])
        v += 1
        s += w * 1.0
        w *= 2
    return s, w


def half(w):
    w *= 0.5
    return w


def given_to_a_helper(v, n):
    s = 0.0
    for i in range(n):
        w = half(v[i, ...])
        s += v.sum()
    return s, w


def in_a_list(v, n):
    out = []
    for i in range(n):
        out.append(v[i, ...])
    v += 1
    return out, np.array(out), np.stack([v[0, ...], v[1, ...]])


def returned(v, n):
    w = v[n - 1, ...]
    v += 1
    return np.exp(w), w, w.T, w[()], w.ndim, w.shape, float(w)


def left_by_a_break(v, n):
    s = 0.0
    while True:
        w = v[..., n]
        v *= 0.5
        if w < 0.1:
            break
        s += w.item()
    return s


PROGRAMS = (
    raveled,
    squared_in_place,
    kept_and_changed,
    reshaped,
    written_whole,
    read_in_all_ways,
    merged_by_a_loop,
    merged_by_a_branch,
    copied,
    to_no_dimensions,
    squeezed,
    given_to_a_helper,
    in_a_list,
    returned,
    left_by_a_break,
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_an_element_stays_one(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for n in (4, 4, 2):
        compare(program, decorated, (np.arange(5.0), n), tol=Tolerance(ulp=4))
