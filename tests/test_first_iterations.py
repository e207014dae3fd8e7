"""Variables that are a number before a loop and an array in it: the first iteration runs before its loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler
from same import Tolerance, compare, decorate

Array = Any


def summed(x: Array, n: int) -> Any:
    total = 0
    for i in range(n):
        total = total + x[i]
    return total


def of_rows(x: Array, n: int) -> Any:
    total = 0.0
    for row in x[:n]:
        total = total + row * 2
    return total


def momentum(x: Array, n: int) -> Any:
    v, w = 0, x[0].copy()
    for _ in range(n):
        v = 0.9 * v + 0.1 * w
        w = w - v
    return w, v


def nested(x: Array, n: int) -> Any:
    total = 0
    for i in range(n):
        for j in range(3):
            total = total + x[i] * x[j]
    return total


def with_an_else(x: Array, n: int) -> Any:
    total = 0
    for i in range(n):
        total = total + x[i]
    else:
        total = total * 2
    return total


def downwards(x: Array, n: int) -> Any:
    total = 0
    for i in range(n, 0, -1):
        total = total * 0.5 + x[i]
    return total, i if n else None


def of_another_type(x: Array, n: int) -> Any:
    v = np.zeros(3, int)
    for i in range(n):
        v = v * 0.5 + i
    return v


def in_a_while(x: Array, n: int) -> Any:
    total, i = 0, 0
    while i < n:
        total = total + x[i]
        i += 1
    else:
        i = -i
    return total, i


def until_it_is_small(x: Array, n: int) -> Any:
    total, r = 0, 1.0
    while r > 1 / (n + 1):
        total = total + x[0] * r
        r *= 0.5
    return total, r


def until_nothing_is_left(x: Array, n: int) -> Any:
    total, todo = 0, [1, 2, n]
    while todo:
        k = todo.pop()
        total = total + x[k]
        if k > 2:
            todo.append(k - 1)
    return total


def by_turns(x: Array, n: int) -> Any:
    a, b = 0, 1.0
    for i in range(n):
        a, b = b + x[i], a * x[i]
    return a, b


def later_than_once(x: Array, n: int) -> Any:
    a, b, c = 0, 1.0, 2
    for i in range(n):
        a, b, c = b + 1, c * 2, x[i]
    return a, b, c


def made_anew(x: Array, n: int) -> Any:
    out = np.zeros(n)
    for i in range(n):
        total = 0
        for j in range(3):
            total = total + x[j] * i
        out[i] = total.sum()
    return out


def beside_a_list(x: Array, n: int) -> Any:
    seen, total = [], 0
    for i in range(n):
        total = total + x[i]
        seen.append(i * 2)
    return total, seen


def beside_deletions(x: Array, n: int) -> Any:
    total = 0
    for row in x[:n]:
        total = total + row
        twice = total * 2
        del twice
    return total


def with_counters(x: Array, n: int) -> Any:
    total, count = 0, 0
    for k, (row, other) in enumerate(zip(x[:n], x[1:])):
        total = total + row * other
        count += k
    return total, count


def left_early(x: Array, n: int) -> Any:
    total = 0
    for i in range(n):
        total = total + x[i]
        if total.sum() > 100:
            break
    return total


def left_out(x: Array, n: int) -> Any:
    total = 0
    for i in range(n):
        if x[i, 0] > 0.5:
            continue
        total = total + x[i]
    return total


def returned_early(x: Array, n: int) -> Any:
    total = 0
    for i in range(n):
        total = total + x[i]
        if total[0] > 3:
            return total * 2
    return total


def left_at_once(x: Array, n: int) -> Any:
    total = 0
    for i in range(n):
        total = total + x[i]
        break
    else:
        total = -1
    return total


def written_in_place(x: Array, n: int) -> Any:
    total = 0
    for i in range(n):
        total += x[i]
    return total


def one_array_kept(x: Array, n: int) -> Any:
    last, total = 0, 0
    for i in range(n):
        total = total + x[i]
        last = x[i]
    last = last + 1
    return total, last


def a_view_is_changed(x: Array, n: int) -> Any:
    last = 0
    for i in range(n):
        last = x[i]
        last *= 2
    return last


def that_raises(x: Array, n: int) -> Any:
    total = 0
    for i in range(n):
        total = total + x[i + 28]
    return total


def that_prints(x: Array, n: int) -> Any:
    total = 0
    for i in range(n):
        total = total + x[i]
        print(i, total.sum())
    return total


def with_a_first(x: Array, n: int) -> Any:
    total = 0
    for i in range(n):
        total = x[i] if i == 0 else np.maximum(total, x[i])
    return total


COMPILED = [
    summed,
    of_rows,
    momentum,
    nested,
    of_another_type,
    in_a_while,
    by_turns,
    made_anew,
    beside_a_list,
    beside_deletions,
    with_counters,
    downwards,
    written_in_place,
]
OTHERS = [
    until_it_is_small,
    with_a_first,
    with_an_else,
    until_nothing_is_left,
    later_than_once,
    left_early,
    left_out,
    returned_early,
    left_at_once,
    one_array_kept,
    a_view_is_changed,
    that_raises,
    that_prints,
]


def matrix() -> Array:
    return np.random.default_rng(7).random((30, 40))


@pytest.mark.parametrize("program", COMPILED + OTHERS)
def test_a_variable_that_becomes_an_array_is_what_python_makes_it(program: Callable[..., Any]) -> None:
    decorated = decorate(program)
    for n in (5, 0, 1, 2, 9):
        for _ in range(2):
            compare(program, decorated, (matrix(), n), tol=Tolerance(ulp=4))


@needs_compiler
@pytest.mark.parametrize("program", COMPILED)
def test_its_loop_is_compiled(program: Callable[..., Any]) -> None:
    assert decorate(program).coverage(matrix(), 25).share > 0.9


@needs_compiler
def test_a_generator_of_sums_has_gradients() -> None:
    import jitscope as js

    def loss(x: Array, n: int) -> Any:
        total = 0
        for i in range(n):
            total = total + x[i] * x[i]
        return total.sum()

    x = matrix()
    expected = np.zeros_like(x)
    expected[:6] = 2 * x[:6]
    assert np.allclose(js.grad(loss)(x, 6), expected, rtol=1e-12, atol=0)
