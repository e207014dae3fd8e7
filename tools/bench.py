"""`bench`: a function, plain against decorated, on given arguments."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

from ..runtime.coverage import readable
from ..runtime.trial import CALLS, MOST_CALLS
from .answers import RIGHT, WRONG, Answer, Misused, ratio, table
from .differences import difference
from .given import CallArguments, Draws
from .target import Subject, silent, targets

_BUDGET = 1.0
"""Seconds for which calls are repeated, the copies of their arguments included."""
_LEAST, _LONG = 3, 5.0
"""So many calls, unless they take longer than so many seconds."""
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
    subjects = targets(options.target, options.expressions, options.json, options.rest)
    subjects.asked(options.target)
    alone = [target for target in subjects if target.does and len(subjects) > 1]
    found = [_timed(target) for target in subjects if target not in alone]
    rows: list[tuple[str, ...]] = [("function", "plain", "first call", "steady", "", "results")]
    for one in found:
        faster = ratio(one.plain, one.steady)
        times = readable(one.plain), readable(one.first), readable(one.steady)
        rows.append((one.name, *times, faster, _verdict(one.difference)))
    rows += [(one.state.called, "", "", "", "", one.why_not_again) for one in alone]
    right = all(one.difference <= _CLOSE for one in found) and not subjects.ended
    data = {"functions": list(map(asdict, found)), "left_out": [one.state.called for one in alone]}
    return Answer("\n".join(table(rows)), data, RIGHT if right else WRONG)


def _verdict(difference: float) -> str:
    if difference == 0.0:
        return "equal, bit for bit"
    if difference == float("inf"):
        return "DIFFERENT"
    return f"{'equal up to' if difference <= _CLOSE else 'DIFFER by'} {difference:.0e}"


def _timed(target: Subject) -> Timed:
    given, state, draws = target.given_arguments, target.state, Draws()
    made, plain_one = state.binder.made, state.python_function
    try:
        with silent():
            target.decorates(False)
            expected, plain = _best(plain_one, given, draws)
            target.decorates(True)
            _, first = _once(made, given, draws)
            _settled(made, given, draws)
            actual, steady = _best(made, given, draws)
            target.decorates(False)
            again, plain_again = _best(plain_one, given, draws)
    except SystemExit as stop:
        raise Misused(f"{state.called} ends the program, with {stop.code!r}") from None
    except Exception as error:  # the function's own
        raise Misused(f"{state.called} raises {type(error).__name__}: {error}") from None
    signature = state.request(target.values).signature
    gap = max(difference(expected, actual), difference(again, actual))
    return Timed(state.called, signature, min(plain, plain_again), first, steady, gap)


def _settled(made: Callable[..., object], given: CallArguments, draws: Draws) -> None:
    """The first calls, which decide what pays: as many as that may take, fewer where each takes long."""
    begun = time.perf_counter()
    for number in range(MOST_CALLS):
        if number >= CALLS and time.perf_counter() - begun > _BUDGET:
            return
        _once(made, given, draws)


def _once(call: Callable[..., object], given: CallArguments, draws: Draws) -> tuple[object, float]:
    """A call with copies of the arguments: the result with the arguments as they are then, and seconds."""
    copies = given.copies()
    draws.put_back()
    start = time.perf_counter()
    result = copies.call(call)
    seconds = time.perf_counter() - start
    return (result, copies.args, copies.kwargs), seconds


def _best(call: Callable[..., object], given: CallArguments, draws: Draws) -> tuple[object, float]:
    best, calls, begun = float("inf"), 0, time.perf_counter()
    result: object = None
    while calls < _LEAST or time.perf_counter() - begun < _BUDGET:
        if calls and time.perf_counter() - begun > _LONG:
            break
        result, seconds = _once(call, given, draws)
        best, calls = min(best, seconds), calls + 1
    return result, best
