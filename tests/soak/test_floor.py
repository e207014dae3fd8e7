"""What a function that stays plain pays for being decorated, where its argument is a container."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import pytest

import jitscope as js

BURST, ROUNDS = 2_000, 60


def first_of(xs: Any) -> int:
    import math  # nothing is compiled

    return math.floor(xs[0])


def sum_of_first(xs: Any) -> int:
    import math

    return math.floor(sum(xs[0]))


@pytest.mark.parametrize(
    ("plain", "argument"),
    [(first_of, [1.5] * 100), (first_of, {0: 1.5}), (first_of, (1.5, "a")), (sum_of_first, [[1.5]] * 3)],
    ids=["list", "dict", "tuple", "list of lists"],
)
def test_a_plain_call_with_a_container_costs_half_a_microsecond_more_at_most(
    plain: Callable[..., Any], argument: Any
) -> None:
    decorated = js.function(plain)
    for _ in range(100):
        decorated(argument)
    more = statistics.median(_burst(decorated, argument) - _burst(plain, argument) for _ in range(ROUNDS))
    print(f"\n{type(argument).__name__}: plain + {more * 1e6:.3f} us")
    assert more < 0.5e-6


def _burst(function: Callable[..., Any], argument: Any) -> float:
    """Seconds for a call."""
    start = time.perf_counter()
    for _ in range(BURST):
        function(argument)
    return (time.perf_counter() - start) / BURST
