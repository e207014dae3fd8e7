"""Sizes for which all holds that a function takes for granted of them."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ...graph.ir import dims
from ...graph.ir.nodes import Guard

SIZE = 5
"""What a size is where nothing stands against it: one number, as guards may make any of them equal."""

ATTEMPTS = 100
"""So many sizes are tried where some are taken to be equal, or not to be."""

_HOLDS = {"equal": operator.eq, "unequal": operator.ne, "at_most": operator.le}


def sizes_that_hold(
    names: Iterable[str], counts: Mapping[str, int], guards: Sequence[Guard]
) -> dict[str, int] | None:
    """Numbers for the symbols `names` and those of the guards, where the ints are `counts`, if there are."""
    random = np.random.default_rng(0)
    sides = [side for guard in guards for side in (guard.left, guard.right) if not isinstance(side, str)]
    symbols = dict.fromkeys((*names, *(name for side in sides for name in sorted(dims.symbols(side)))))
    free = [symbol for symbol in symbols if symbol not in counts]
    for attempt in range(ATTEMPTS):
        sizes = {symbol: int(random.integers(1, 8)) if attempt else SIZE for symbol in free}
        for backwards in (False, True, True, True):
            _make_equal(sizes, counts, guards, backwards)
        if all(_holds(guard, {**sizes, **counts}) for guard in guards):
            return sizes
    return None


def _make_equal(
    sizes: dict[str, int], counts: Mapping[str, int], guards: Sequence[Guard], backwards: bool
) -> None:
    """Let sizes be what they are said to be equal to: the left one if it can be, backwards the right one."""
    for guard in guards:
        if guard.kind != "equal" or isinstance(guard.left, str):
            continue
        sides = (guard.left, guard.right)
        for one, other in (sides[::-1], sides) if backwards else (sides, sides[::-1]):
            name, number = dims.symbol_of(one), dims.evaluate(other, {**sizes, **counts})
            if name in sizes and number is not None and number >= 0:
                sizes[name] = number
                break


def _holds(guard: Guard, sizes: Mapping[str, int]) -> bool:
    if isinstance(guard.left, str):  # an int that is not too large
        return True
    left, right = (dims.evaluate(size, sizes) for size in (guard.left, guard.right))
    return left is None or right is None or _HOLDS[guard.kind](left, right)
