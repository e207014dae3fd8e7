"""`bench`: a function, plain against decorated, on given arguments."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

from ..runtime.copies import copied
from ..runtime.trial import MOST_CALLS
from .answers import RIGHT, WRONG, Answer, readable, table
from .differences import difference
from .target import Subject, silent, targets

_BUDGET = 1.0
"""Seconds for which calls are repeated."""
_LEAST = 3
_CLOSE = 1e-9
"""So far apart may results be, relative to the largest number in them: products are summed otherwise."""


@dataclass(frozen=True)
class Timed:
    """What calls of one function take, in seconds, and how its results compare."""

    name: str
    signature: str
    plain: float
    first: float
    steady: float
    difference: float
    """The largest, relative; 0.0 only for equal bits, infinite for other types, dtypes or shapes."""


def bench(options: argparse.Namespace) -> Answer:
    """Time functions plain and decorated."""
    found = [_timed(target) for target in targets(options.target, options.expressions, options.json)]
    rows: list[tuple[str, ...]] = [("function", "plain", "first call", "steady", "faster", "results")]
    for one in found:
        faster = f"{one.plain / one.steady:.3g} ×"
        times = readable(one.plain), readable(one.first), readable(one.steady)
        rows.append((one.name, *times, faster, _verdict(one.difference)))
    right = all(one.difference <= _CLOSE for one in found)
    return Answer("\n".join(table(rows)), {"functions": list(map(asdict, found))}, RIGHT if right else WRONG)


def _verdict(difference: float) -> str:
    if difference == 0.0:
        return "equal, bit for bit"
    if difference == float("inf"):
        return "DIFFERENT"
    return f"{'equal up to' if difference <= _CLOSE else 'DIFFER by'} {difference:.0e}"


def _timed(target: Subject) -> Timed:
    values, state = target.arguments, target.state
    with silent():
        expected, plain = _best(state.plain, values, _LEAST)
        _, first = _once(state.binder.made, values)
        for _ in range(MOST_CALLS):  # the first calls decide what pays
            actual, _ = _once(state.binder.made, values)
        actual, steady = _best(state.binder.made, values, _LEAST)
        again, plain_again = _best(state.plain, values, _LEAST)
    signature = state.request(values).signature
    gap = max(difference(expected, actual), difference(again, actual))
    return Timed(state.called, signature, min(plain, plain_again), first, steady, gap)


def _once(call: Callable[..., object], values: tuple[object, ...]) -> tuple[object, float]:
    """A call with copies of the arguments: the result with the arguments as they are then, and seconds."""
    given = copied(values)
    start = time.perf_counter()
    result = call(*given)
    seconds = time.perf_counter() - start
    return (result, given), seconds


def _best(call: Callable[..., object], values: tuple[object, ...], least: int) -> tuple[object, float]:
    best, spent, calls = float("inf"), 0.0, 0
    result: object = None
    while calls < least or spent < _BUDGET:
        result, seconds = _once(call, values)
        best, spent, calls = min(best, seconds), spent + seconds, calls + 1
    return result, best
