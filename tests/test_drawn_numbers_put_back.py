"""Numbers that NumPy draws for the driver: the generator's state is put back where the call starts again."""

from __future__ import annotations

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import compare, decorate


def leaves_64_bits(rng, n):
    picked = rng.choice(50, 5, replace=False)
    p = 1
    for i in range(n):
        p = p * 3 + int(picked[i % 5])
    return p, picked


def gets_nan(rng, x):
    order = rng.permutation(len(x))
    kept = []
    for i in range(len(x)):
        kept.append(float(x[order[i]]))
    kept.sort()
    return kept[0], len(kept), order


def k_means(x, k, rng):
    centers = x[rng.choice(len(x), k, replace=False)]
    for _ in range(10):
        d = np.linalg.norm(x[:, None, :] - centers[None, :, :], axis=2)
        labels = d.argmin(axis=1)
        rows = [x[labels == j].mean(axis=0) if np.any(labels == j) else centers[j] for j in range(k)]
        new = np.array(rows)
        if np.allclose(new, centers):
            break
        centers = new
    return centers, labels


BITS = [np.random.PCG64, np.random.MT19937, np.random.SFC64, np.random.Philox]


def generators():
    return [np.random.Generator(bits(3)) for bits in BITS] + [np.random.RandomState(3)]


@pytest.mark.parametrize("number", range(len(BITS) + 1))
def test_the_state_is_that_of_the_plain_call(number):
    states = []
    for f in (leaves_64_bits, decorate(leaves_64_bits)):
        rng = generators()[number]
        found = [f(rng, n)[0] for n in (10, 60, 20, 100)]
        states.append((found, rng.standard_normal(3).tolist()))
    assert states[0] == states[1]


def test_a_list_that_gets_nan():
    x = np.arange(400.0)
    states = []
    for f in (gets_nan, decorate(gets_nan)):
        rng, found = np.random.default_rng(5), []
        for place in (None, 7, None):
            given = x.copy()
            if place is not None:
                given[place] = np.nan
            found.append(f(rng, given)[1:])
        states.append(([(n, order.tolist()) for n, order in found], rng.random()))
    assert states[0] == states[1]


@needs_compiler
def test_k_means_is_compiled():
    x = np.random.default_rng(0).normal(size=(500, 3))
    decorated = decorate(k_means)
    for seed in range(3):
        compare(k_means, decorated, (x, 4, np.random.default_rng(seed)), calls=1)
    assert has_compiled_part(decorated)
