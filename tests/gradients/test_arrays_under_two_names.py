"""Derivatives inside of decorated functions, for an array that the function writes to under another name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler

import jitscope as js


def loss(p, scale, q):
    before = np.sum(p * p[::-1])
    p[0] = 0.5
    return before + p.sum() + np.sum(q * 0.5) ** 2 + scale * 0.7


def as_last(x):
    total = 0.0
    v, g = js.value_and_grad(loss, argnums=2)(x, 0.5, x)
    for i in range(len(x)):
        total += x[i]
    return v, g, total


def as_first(x):
    total = 0.0
    v, g = js.value_and_grad(loss, argnums=0)(x, 0.5, x)
    for i in range(len(x)):
        total += x[i]
    return v, g, total


def as_part(x):
    total = 0.0
    v, g = js.value_and_grad(loss, argnums=2)(x[1:], 0.5, x)
    for i in range(len(x)):
        total += x[i]
    return v, g, total


def from_outside(x):
    def inner(p):
        x[0] = 0.5
        return (p * p).sum()

    total = 0.0
    v, g = js.value_and_grad(inner)(x)
    for i in range(len(x)):
        total += x[i]
    return v, g, total


def forwards(x):
    total = 0.0
    v, t = js.jvp(loss, (x, 0.5, x), (np.ones(4), 0.0, np.ones(4)))
    for i in range(len(x)):
        total += x[i]
    return v, t, total


def backwards(x):
    total = 0.0
    v, back = js.vjp(loss, x, 0.5, x)
    for i in range(len(x)):
        total += x[i]
    return v, back(1.0), total


@needs_compiler
@pytest.mark.parametrize(
    "f", [as_last, as_first, as_part, from_outside, forwards, backwards], ids=lambda f: f.__name__
)
def test_what_plain_code_refuses_is_refused(f: Callable[..., Any]) -> None:
    kept = js.function(f)
    for call in (f, kept, kept):
        with pytest.raises(js.JitscopeError, match="shares memory"):
            call(np.arange(4.0) + 1)


def for_another_one(x):
    total = 0.0
    v, g = js.value_and_grad(loss, argnums=1)(x, 0.5, x)
    for i in range(len(x)):
        total += x[i]
    return v, g, total


def with_copies(x):
    total = 0.0
    v, g = js.value_and_grad(loss, argnums=(0, 2))(x, 0.5, x.copy())
    for i in range(len(x)):
        total += x[i]
    return v, *g, total


@needs_compiler
def test_copies_are_arrays_of_their_own() -> None:
    x = np.arange(4.0) + 1
    for wanted, actual in zip(with_copies(x.copy()), js.function(with_copies)(x.copy()), strict=True):
        assert np.allclose(wanted, actual, rtol=1e-14)
    y = np.arange(4.0) + 1
    value, slope, total = js.function(for_another_one)(y)
    assert (value, slope, total) == (loss(x, 0.5, x), 0.7, y.sum())
    assert y[0] == 0.5
