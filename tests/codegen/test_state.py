"""Arrays that loops hand on: in place, in turns or anew, nobody can tell but by the time that it takes."""

from __future__ import annotations

import numpy as np
import pytest
from same import Tolerance, same

import jitscope as js

A = np.sin(np.arange(12.0)).reshape(3, 4)
V = np.cos(np.arange(6.0))
W = np.sin(np.arange(16.0)).reshape(4, 4) / 3
NEAR = Tolerance(ulp=64, atol=1e-13)


def kernels(function, *args):
    """The text of the compiled functions for a call."""
    decorated = js.function(function)
    decorated(*args)
    return decorated.specializations[0].text


# In place ---------------------------------------------------------------------------------------------------


def decayed(x, n):
    total = np.zeros(len(x))
    for i in range(n):
        total = total * 0.5 + x * i
    return total


def stopped(x, n):
    total = np.zeros(len(x))
    for i in range(n):
        if i == 3:
            continue
        total = total + x
        if i > 4:
            break
    return total, total * 2


def two_states(x, n):
    a, b = np.zeros(len(x)), np.ones(len(x))
    for _ in range(n):
        a, b = a + b * x, b - a * x
    return a, b


def handed_to_the_other(x, n):
    a, b = np.zeros(len(x)), np.ones(len(x))
    for _ in range(n):
        a, b = b, a + b * x
    return a, b


def begins_with_one_array(x, n):
    a = b = np.zeros(len(x))
    for _ in range(n):
        a = a + x
    return a, b, a is b


def read_after_the_loop(x, n):
    start = np.zeros(len(x))
    a = start
    for _ in range(n):
        a = a + x
    return a, start


def product_as_state(a, w, n):
    h = np.zeros(a.shape)
    for _ in range(n):
        h = np.tanh(a + h @ w)
    return h


def product_handed_on(a, w, n):
    d, total = np.zeros(a.shape), np.zeros(w.shape)
    for _ in range(n):
        z = np.tanh(a - d)
        total = total + a.T @ z
        d = z @ w
    return d, total


def neighbours(x, n):
    u = np.zeros(len(x))
    for _ in range(n):
        u = u[::-1] * 0.5 + x
    return u


def kept_view(x, n):
    u, last = np.zeros(len(x)), np.zeros(2)
    for _ in range(n):
        last = u[:2]
        u = u + x
    return u, last


def while_state(x, limit):
    u, k = np.zeros(len(x)), 0
    while np.abs(u).max() < limit and k < 50:
        u = u + x
        k += 1
    return u, k


def nested(x, n):
    total = np.zeros(len(x))
    for i in range(n):
        row = np.ones(len(x))
        for _ in range(i):
            row = row * 0.5 + x
        total = total + row
    return total


# In turns ---------------------------------------------------------------------------------------------------


def given(u, n):
    for _ in range(n):
        u = u * 0.5 + 1
    return u


def given_and_kept(u, n):
    before = u
    for _ in range(n):
        before, u = u, u * 0.5 + u[::-1]
    return before, u


def three_generations(u, n):
    a, b, c = u, u * 2, u * 3
    for _ in range(n):
        a, b, c = b, c, a + b * 0.5 + c[::-1]
    return a, b, c


def first_is_kept(u, n):
    first = u
    for i in range(n):
        u = u + i
        if i == 1:
            first = u
    return first, u


def epochs(u, n):
    for _ in range(n):
        before = u
        for _ in range(3):
            u = u * 0.5 + 1
        u = u - before
    return u


def left_early(u, n):
    for i in range(n):
        v = u[::-1] + i
        if v[0] > 5:
            return v, u
        u = v
    return u, u


def swapped_buffers(u, n):
    new = u.copy()
    for _ in range(n):
        new[1:-1] = u[:-2] + u[2:]
        u, new = new, u
    return u


STATES = (decayed, stopped, two_states, handed_to_the_other, begins_with_one_array, read_after_the_loop)
STATES += (neighbours, kept_view, nested, given, given_and_kept, three_generations, first_is_kept, epochs)
STATES += (left_early, swapped_buffers)


@pytest.mark.parametrize("function", STATES, ids=lambda f: f.__name__)
def test_state_of_loops(function):
    for n in (0, 1, 2, 3, 7):
        same(function, V, n)


@pytest.mark.parametrize("function", [product_as_state, product_handed_on], ids=lambda f: f.__name__)
def test_products_as_state(function):
    for n in (0, 1, 2, 5):
        same(function, A, W, n, tol=NEAR)


def test_while_loops_have_state_too():
    for limit in (0.0, 1.0, 30.0):
        same(while_state, V, limit)


def test_own_arrays_are_updated_in_place():
    for function, args in ((decayed, (V, 3)), (two_states, (V, 3)), (product_as_state, (A, W, 3))):
        text = kernels(function, *args)
        assert "turn = " not in text
        assert text.count("np.empty") <= 3, text  # all of them in the driver
    assert "matmul(z, w, d)" in kernels(product_handed_on, A, W, 3)
    assert "matmul_add(a.T, z, total)" in kernels(product_handed_on, A, W, 3)


def test_buffers_take_turns():
    assert kernels(given, V, 3).count("u_buffer") == 4
    assert kernels(three_generations, V, 3).count(" = np.empty") >= 4
    assert "turn = " not in kernels(first_is_kept, V, 3)
    assert "turn = " not in kernels(kept_view, V, 3)


# Slices of one array ----------------------------------------------------------------------------------------


def gates_written(z, g):
    k = g.shape[1]
    d = np.empty(z.shape)
    d[:, 2 * k :] = np.exp(-z[:, 2 * k :]) * g
    d[:, :k] = z[:, :k] * g
    d[:, k : 2 * k] = z[:, :k] - z[:, k : 2 * k]
    return d


def shifted_parts(z):
    z[:, 2:4] = z[:, :2] + 1
    z[:, 1:3] = z[:, 2:4] * 2
    z[:, :2] += z[:, 4:6]
    return z


def interleaved(z):
    z[:, ::2] = z[:, 1::2] + 1
    z[:, 1::2] *= z[:, ::2]
    return z


def test_slices_of_one_array():
    z = np.sin(np.arange(24.0)).reshape(4, 6)
    same(gates_written, z, z[:, :2].copy(), tol=4)
    same(gates_written, z[:, :3], z[:, :1].copy(), tol=4)
    same(shifted_parts, z)
    same(interleaved, z)
    text = kernels(gates_written, z, z[:, :2].copy())
    assert text.count("for j in range") == 1, text


# Promises ---------------------------------------------------------------------------------------------------


def moved(target, source):
    target[...] = source * 2 + 1
    return target


def test_arguments_that_overlap_are_no_promise():
    memory = np.arange(10.0)
    same(moved, memory[1:], memory[:-1])
    same(moved, memory[:-1], memory[1:])
    same(moved, memory[:5], memory[5:])


def views_of_one(u):
    left, right = u[:-1], u[1:]
    for _ in range(2):
        left[...] = right * 0.5 + left
    return u.sum()


def test_views_of_one_argument():
    same(views_of_one, np.arange(9.0))


def test_variables_assigned_where_while_true_is_left_and_later_in_it() -> None:
    """Numba keeps the first value of such a variable in all iterations of a loop with one exit."""

    def leaves_in_the_middle(n):
        p = 0
        total = 0
        k = 0
        while True:
            total += p
            k += 1
            q = p + 1
            for r in range(n):
                if r == p:
                    q = q + 1
            p = q
            if k == n:
                break
        return total, p

    def another_value(a, n):
        p = 0
        k = 0
        while True:
            a[k] = p
            k += 1
            q = 3 * p + 1
            if k == n:
                p = -7
                break
            p = q
        return p

    def returns(a, n):
        p = 0
        k = 0
        while True:
            a[k] = p
            k += 1
            q = 3 * p + 1
            for j in range(k):
                q += j
            p = q
            if k == n:
                return p

    def one_in_another(a, n):
        k = 0
        while True:
            p = k
            j = 0
            while True:
                a[j] += p
                j += 1
                q = p + j
                for i in range(3):
                    q += i
                p = q
                if j == n:
                    break
            step = 1
            for i in range(n):
                if i == k:
                    step = 1 + i % 2
            k += step
            if k >= n:
                break
        return k, p

    same(leaves_in_the_middle, 6)
    for f in (another_value, returns, one_in_another):
        same(f, np.zeros(6), 6)
