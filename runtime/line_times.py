"""How long each line of the user's code takes in a call, and how often it runs."""

from __future__ import annotations

import functools
import sys
import sysconfig
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING

from ..graph.trace.running import lines_of

if TYPE_CHECKING:
    from _typeshed import TraceFunction

Place = tuple[str, int]
"""A file, with its folders, and a line."""

Call = Callable[[], object]

REPEATS, ENOUGH = 5, 1.0
"""The best of so many calls counts; of fewer once so many seconds have gone by."""

_OF_CHEAPEST = 0.8
"""Of the time of the cheapest line, as `return x`, the part that is the look itself."""

_ROOMS = [str(Path(__file__).parent.parent / room) for room in ("graph", "autograph", "codegen", "runtime")]
_LIBRARY = (*_ROOMS, *map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib")))


@dataclass(frozen=True)
class LineTimes:
    """One call: how long it takes, what of it each line of the user's takes, and what ran."""

    seconds: float
    by_line: dict[Place, float]
    visits: dict[Place, int]
    looks: dict[Place, int]
    """How often the clock was looked at in the middle of a line, or at its end."""
    codes: tuple[CodeType, ...]


def times_by_line(ready: Callable[[], Call], file: str, repeats: int = REPEATS) -> LineTimes:
    """The least times that lines take in a few calls of a function in `file`, each made `ready` before.

    To look at a line takes longer than many a line takes. The clock stands still for most of that, and the
    rest is taken off, see `_corrected`.
    """
    undisturbed, begin = float("inf"), time.perf_counter()
    best: LineTimes | None = None
    for _ in range(repeats):
        call = ready()
        start = time.perf_counter()
        call()
        undisturbed = min(undisturbed, time.perf_counter() - start)
        found = watched(ready(), file)
        best = found if best is None else _least(best, found)
        if time.perf_counter() - begin > ENOUGH:
            break
    assert best is not None
    return _corrected(best, undisturbed)


def _least(one: LineTimes, other: LineTimes) -> LineTimes:
    """Each line's least time, as other programs get in between; of calls that differ the shorter one."""
    if one.visits != other.visits:
        return min(one, other, key=lambda times: times.seconds)
    times = {place: min(time, other.by_line[place]) for place, time in one.by_line.items()}
    return replace(one, seconds=sum(times.values()), by_line=times)


def _corrected(found: LineTimes, seconds: float) -> LineTimes:
    """The times of lines, made to be `seconds` together, which is what a call takes when nobody looks.

    What a look takes is not more than what all of them took together, and less than the cheapest line.
    """
    if not found.looks:
        return replace(found, seconds=seconds)
    each = max(found.seconds - seconds, 0.0) / sum(found.looks.values())
    each = min(each, _OF_CHEAPEST * min(found.by_line[place] / max(n, 1) for place, n in found.looks.items()))
    times = {place: found.by_line[place] - each * n for place, n in found.looks.items()}
    scale = seconds / max(sum(times.values()), 1e-9)
    return replace(found, seconds=seconds, by_line={place: scale * time for place, time in times.items()})


def watched(call: Call, file: str) -> LineTimes:
    """One call with a clock at each line of the user's; a library's time is that of the line that calls it.

    Only this thread is looked at.
    """
    clock = time.perf_counter_ns
    lines: dict[Place, list[int]] = {}
    codes: dict[int, CodeType] = {}
    here = [0, 0, 0]  # nanoseconds, visits and looks of the line that runs now
    above: list[list[int]] = []  # the lines that have called it
    since = 0

    def entered(frame: FrameType, _event: str, _: object) -> TraceFunction | None:
        nonlocal since
        now = clock()
        code = frame.f_code
        if code.co_filename != file and not _is_users(code.co_filename):
            return None
        here[0] += now - since
        here[2] += 1
        above.append(here)
        codes[id(code)] = code
        since = clock()
        return inside

    def inside(frame: FrameType, event: str, _: object) -> TraceFunction:
        nonlocal here, since
        now = clock()
        here[0] += now - since
        here[2] += 1
        if event == "line":
            place = frame.f_code.co_filename, frame.f_lineno
            found = lines.get(place)
            here = lines.setdefault(place, [0, 0, 0]) if found is None else found
            here[1] += 1
        elif event == "return":
            here = above.pop()
        since = clock()
        return inside

    before = sys.gettrace()
    sys.settrace(entered)
    since = clock()
    try:
        call()
    finally:
        sys.settrace(before)
    return _line_times(lines, codes)


def _line_times(lines: dict[Place, list[int]], codes: dict[int, CodeType]) -> LineTimes:
    return LineTimes(
        sum(cell[0] for cell in lines.values()) / 1e9,
        {place: cell[0] / 1e9 for place, cell in lines.items()},
        {place: cell[1] for place, cell in lines.items()},
        {place: cell[2] for place, cell in lines.items()},
        tuple(codes.values()),
    )


@functools.lru_cache(maxsize=1024)
def _is_users(file: str) -> bool:
    """Whether a file is neither the library's nor ours, and has a text that can be shown."""
    if file.startswith("<"):  # what is made of a text has no file, but for what notebooks hold
        return bool(lines_of(file))
    return not file.startswith(_LIBRARY)
