"""Loops over elements by name: what is a view of what is known there as in loops over indices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from same import Tolerance, compare, decorate

import jitscope as js

A, B = np.linspace(0.5, 2.5, 5), np.linspace(1.0, 2.0, 7)


def read_before_it_is_written(a, b):
    s = np.zeros(len(b))
    for i, x in enumerate(a):
        w = b * x
        y = w[i:].copy()
        w[i:] = 0.0
        s[i:] += y
    return s


def shifted(a, b):
    w = b * 1.0
    for i, x in enumerate(a):
        y = w[i : i + 2] + x
        w[i : i + 2] = w[i + 1 : i + 3] * 0.5
        w[i + 1 : i + 3] += y
    return w


def exchanged(a, b):
    m = np.outer(a, b)
    for i, x in enumerate(a):
        y, z = m[i:, 0] * x, m[i:, 1] + 0
        m[i:, 1] = y
        m[i:, 0] = z
    return m


def _reflected(w, i, x):
    y = w[i:] * x
    w[i:] = 0.0
    w[i:] += y[::-1]
    return w[i:]


def in_a_helper(a, b):
    w, s = b * 1.0, 0.0
    for i, x in enumerate(a):
        s += _reflected(w, i, x)[0]
    return w, s


def nested(a, b):
    s = np.zeros(len(b))
    for i, x in enumerate(a):
        w = b + x
        for j, z in enumerate(a):
            y = w[i:].copy()
            w[j:] = z
            s[i:] += y * w[i:]
    return s


def in_a_while(a, b):
    s, k = np.zeros(len(b)), 0
    while k < 3:
        for i, x in enumerate(b):
            w = b + k
            y = w[: i + 1].copy()
            w[: i + 1] = x
            s[: i + 1] += y
            if s[0] > 50:
                break
        k += 1
    return s


def two_of_one_name(a, b):
    gain = 0.0
    for j, x in enumerate(b):
        res = np.zeros_like(b)
        res[j:] = b[j:]
        gain += res.sum()
        out = np.zeros(b.shape)
        out[:2] += b[:2] * a[0]
        gain += abs(out).max()
    return gain


PROGRAMS = (read_before_it_is_written, shifted, exchanged, in_a_helper, nested, in_a_while, two_of_one_name)


@pytest.mark.parametrize("program", PROGRAMS)
def test_they_are_right(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for a, b in ((A, B), (B[:4], A), (A[:1], B)):
        compare(program, decorated, (a.copy(), b.copy()), tol=Tolerance(ulp=16))


@needs_compiler
@pytest.mark.parametrize("program", PROGRAMS)
def test_they_are_compiled(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    decorated(A, B)
    assert has_compiled_part(decorated)


@needs_compiler
@pytest.mark.parametrize("program", PROGRAMS)
def test_their_gradients_are_right(program: Callable[..., Any]) -> None:
    def total(b, a):
        result = program(a, b)
        parts = result if isinstance(result, tuple) else (result,)
        return sum(np.sum(part) for part in parts)

    gradient, h = js.grad(total)(B, A), 1e-6
    steps = np.eye(len(B)) * h
    differences = [(total(B + step, A) - total(B - step, A)) / (2 * h) for step in steps]
    np.testing.assert_allclose(gradient, differences, rtol=1e-6, atol=1e-6)
