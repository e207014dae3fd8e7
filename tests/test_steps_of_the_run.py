"""``range(start, stop, hop)`` whose hop is an argument: frames, blocks, strides, in both directions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from numeric_gradients import assert_close, gradient
from same import compare, decorate


def energies(x: Any, w: Any, hop: Any) -> Any:
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(w) / w)
    total = 0.0
    for start in range(0, len(x) - w + 1, hop):
        segment = x[start : start + w] * window
        total += (segment * segment).sum()
    return total


def overlap_add(x: Any, w: Any, hop: Any) -> Any:
    out = np.zeros(len(x))
    window = np.arange(w) / w
    for start in range(0, len(x) - w + 1, hop):
        out[start : start + w] += x[start : start + w] * window
    return out


def means(x: Any, w: Any, hop: Any) -> Any:
    out = np.zeros_like(x)
    for low in range(0, len(x), hop):
        high = min(low + w, len(x))
        out[low:high] = x[low:high] - x[low:high].mean()
    return out


def last_start(x: Any, w: Any, hop: Any) -> Any:
    start = -1
    for start in range(w, len(x), hop):
        x[start] += start
        if x[start] > 40:
            break
    else:
        start = start - 1000
    return start, x[start:].sum() if start > 0 else 0.0


def offsets(x: Any, w: Any, hop: Any) -> Any:
    out = []
    for k in range(w - 3, len(x) + 2, hop):
        out.append(x[k:].sum() - x[:k].sum())
    return out


def indices(x: Any, w: Any, hop: Any) -> Any:
    """Raises IndexError where the range leaves the array."""
    total = 0.0
    for k in range(w, len(x) + w - 4, hop):
        total += x[k] * x[k - w]
        x[k - w] = total
    return total


def sieve(x: Any, w: Any, hop: Any) -> Any:
    prime = np.ones(len(x) + 4, dtype=bool)
    prime[:2] = False
    for i in range(2, len(x)):
        if prime[i]:
            for j in range(i * i, len(x) + 4, i):
                prime[j] = False
    return prime.nonzero()[0] * hop


def product_in_blocks(x: Any, w: Any, hop: Any) -> Any:
    n = len(x)
    a = x[:, None] * np.arange(n) + 0.5
    c = np.zeros((n, n))
    for i in range(0, n, hop):
        for j in range(0, n, w):
            for k in range(0, n, hop):
                c[i : i + hop, j : j + w] += a[i : i + hop, k : k + hop] @ a[k : k + hop, j : j + w]
    return c


def changed_inside(x: Any, w: Any, hop: Any) -> Any:
    """The range is what it was when the loop began."""
    total = 0.0
    for k in range(0, len(x) - w + 1, hop):
        hop, w = hop + 1, max(w - 1, 1)
        total += x[k : k + w].sum() + hop
    return total, hop, w


def nested(x: Any, w: Any, hop: Any) -> Any:
    total = 0.0
    for i in range(0, len(x), hop):
        for j in range(i, len(x), w):
            total += x[i:j].sum() * x[j]
    return total


PROGRAMS = (
    energies, overlap_add, means, last_start, offsets, indices, sieve, product_in_blocks, changed_inside,
    nested,
)  # fmt: skip


LATER = (16, 4, 3), (17, 4, 1), (3, 5, 2), (20, 4, -3), (20, 4, 0), (9, 2, 100), (0, 2, 1)


@pytest.mark.parametrize("first", [(16, 4, 3), (16, 4, -2), (3, 5, 2)])
@pytest.mark.parametrize("program", PROGRAMS)
def test_hops_are_pythons(program: Any, first: tuple[int, int, int]) -> None:
    decorated: Any = decorate(program, cache=False)
    rng = np.random.default_rng(7)
    for n, w, hop in (
        first,
        (16, 4, 3),
        (17, 4, 1),
        (3, 5, 2),
        (20, 4, -3),
        (20, 4, 0),
        (9, 2, 100),
        (0, 2, 1),
    ):
        for wrap in (int, np.int64):
            compare(program, decorated, (rng.random(n), w, wrap(hop)), calls=1, tol=4)


@needs_compiler
@pytest.mark.parametrize("program", [energies, overlap_add, means, nested])
def test_frames_are_compiled_as_a_whole(program: Any) -> None:
    decorated: Any = decorate(program, cache=False)
    decorated(np.random.default_rng(7).random(40), 8, 3)
    assert has_compiled_part(decorated)
    assert "runs as" not in decorated.explain(np.random.default_rng(7).random(40), 8, 3)


@needs_compiler
@pytest.mark.parametrize("program", [energies, nested])
def test_frames_have_gradients(program: Any) -> None:
    import jitscope as js

    x = np.random.default_rng(7).random(12)
    assert_close(js.grad(program)(x, 4, 3), gradient(lambda given: program(given, 4, 3), (x,), 0))
