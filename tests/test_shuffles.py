"""`shuffle` and `permutation` of NumPy's generators in kernels: numbers and state are NumPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler
from same import IDENTITY, decorate

Array = Any


def shuffled(n: int, x: Array, rng: Any) -> Any:
    t = 0.0
    for k in range(n):
        rng.shuffle(x)
        t += x[0] * (k + 1)
    return t


def parts(n: int, x: Array, rng: Any) -> Any:
    t = 0.0
    for _ in range(n):
        y = rng.permutation(x)
        t += y[:5].mean() - y[5:].mean()
    return t


def of_places(n: int, x: Array, rng: Any) -> Any:
    t = 0
    for _ in range(n):
        for i in rng.permutation(len(x)):
            t = (t * 3 + i) % 1009
    return t


def of_the_module(n: int, x: Array, rng: Any) -> Any:
    t = 0.0
    for _ in range(n):
        np.random.shuffle(x)
        p = np.random.permutation(7)
        t += x[1] * p[2]
    return t, np.random.rand()


def of_an_own_generator(n: int, x: Array, rng: Any) -> Any:
    own, found = np.random.default_rng(4), []
    for _ in range(n):
        y = own.permutation(x[::2])
        found.append(y[0])
        own.shuffle(y)
        found.append(y[1])
    return found


def of_views(n: int, x: Array, rng: Any) -> Any:
    t = 0.0
    for k in range(n):
        rng.shuffle(x[::-2])
        rng.shuffle(x[3:9])
        t += x[k % len(x)]
    return t, rng.random()


def of_other_things(n: int, x: Array, rng: Any) -> Any:
    t = 0.0
    for k in range(n):
        rows = x.reshape(2, -1)
        rng.shuffle(rows)
        t += rng.permutation(rows)[0, 0]
        numbers = [1, 2, 3, 4, k]
        rng.shuffle(numbers)
        t += numbers[2]
    return t, x


def that_can_not_be(n: int, x: Array, rng: Any) -> Any:
    t = 0.0
    for k in range(n):
        t += rng.permutation(2 - k)[0]
    return t


PROGRAMS = [shuffled, parts, of_places, of_the_module, of_an_own_generator, of_views]
MAKERS = [np.random.default_rng, np.random.RandomState]


def outcome(function: Callable[..., Any], n: int, x: Array, make: Callable[[int], Any]) -> tuple[Any, ...]:
    np.random.seed(1)
    x, rng = x.copy(), make(3)
    try:
        value = repr(function(n, x, rng))
    except Exception as error:
        value = f"{type(error)}: {error}"
    return value, x.tolist(), rng.random(), rng.standard_normal(), np.random.rand()


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("program", [*PROGRAMS, of_other_things, that_can_not_be])
def test_numbers_and_state_are_those_of_numpy(
    program: Callable[..., Any], make: Callable[[int], Any]
) -> None:
    decorated = decorate(program)
    for n, size in ((20, 40), (3, 40), (0, 40), (20, 10), (2, 64)):
        for dtype in ("f8", "i4", "c16"):
            x = np.arange(size).astype(dtype)
            expected = outcome(program, n, x, make)
            for _ in range(2):
                assert outcome(decorated, n, x, make) == expected


@needs_compiler
@pytest.mark.skipif(IDENTITY, reason="asks the compiler about itself")
@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_their_loops_are_compiled(program: Callable[..., Any], make: Callable[[int], Any]) -> None:
    assert decorate(program).coverage(300, np.arange(40.0), make(3)).share > 0.9


@needs_compiler
def test_a_shuffle_in_a_loop_of_the_driver_is_numpys_own_call() -> None:
    def alone(n: int, x: Array, rng: Any, told: list[Any]) -> Any:
        for k in range(n):
            rng.shuffle(x)
            told.append(str(k))

    decorated = decorate(alone)
    decorated(3, np.arange(5.0), np.random.default_rng(0), [])
    assert all("randint" not in item.text for item in decorated.specializations)
