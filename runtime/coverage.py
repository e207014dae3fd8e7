"""How much of a plain call's time is spent in lines that are compiled now: one number for a function.

The plain function is timed by line, on copies of the arguments; how a line runs now is what `explain` tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

from ..graph.ir.nodes import Loc
from ..graph.trace.running import line_of, text_of
from .copies import copied
from .errors import JitscopeError, cut
from .line_states import COMPILED, PYTHON, LineStates, loops_of, specialisation_for
from .line_times import REPEATS, LineTimes, Place, times_by_line, watched
from .trial import CALLS, MOST_CALLS

if TYPE_CHECKING:
    from .function import Function

NOT_REACHED = "not reached"
_LITTLE = 0.005
"""Lines with a smaller share are left out of long texts."""
_MOST = 30
"""So many lines are shown."""


@dataclass(frozen=True)
class CoveredLine:
    """A line of the user's: its share of a plain call's time, and how it runs now.

    Attributes:
        file: the file that it stands in.
        number: its number there, from 1.
        text: the line.
        share: from 0 to 1; 0 where it isn't reached.
        reason: why it isn't compiled; empty if it is, or nobody knows.
        attempt: what to try; may be empty.
    """

    file: str
    number: int
    text: str
    share: float
    state: str
    """``"compiled"``, ``"NumPy"``, ``"Python"`` or ``"not reached"``."""
    reason: str = field(default="", compare=False)
    attempt: str = field(default="", compare=False)

    @property
    def loc(self) -> Loc:
        """Where it stands."""
        return line_of(self.file, self.number)


@dataclass(frozen=True)
class Coverage:
    """What share of a plain call's time is spent in lines that are compiled now; `print` shows a table.

    Attributes:
        function: the name of the function.
    """

    function: str
    share: float
    """From 0 to 1."""
    seconds: float
    """How long a plain call takes."""
    lines: tuple[CoveredLine, ...]
    """The lines of the function and of its helpers, those of one file together."""

    def __str__(self) -> str:
        return "\n".join(self._told()) + "\n"

    def _told(self) -> Iterator[str]:
        yield (
            f"{self.function}: {self.share:.0%} of the {readable(self.seconds)} of a plain call are spent in"
            " lines that are compiled now"
        )
        shown = self.lines
        if len(shown) > _MOST:
            shown = tuple(line for line in shown if line.share >= _LITTLE)
        file = ""
        for line in shown:
            if line.file != file:
                file = line.file
                yield f"   share  runs as      {Path(file).name}"
            share = "" if line.state == NOT_REACHED else f"{line.share:.1%}"
            yield f"  {share:>6}  {line.state:11}  {line.number:5} | {cut(line.text, 70)}".rstrip()
        if len(shown) < len(self.lines):
            yield f"  and {len(self.lines) - len(shown)} lines with less than {_LITTLE:.1%}"


def coverage_of(
    function: Function, values: tuple[object, ...], strict: float | None = None, repeats: int = REPEATS
) -> Coverage:
    """The coverage of calls of `function` with `values`, which stay as they are.

    The function is called a few times, plain and as it runs now, with copies of `values`: what else it does
    it does as often.

    Raises:
        JitscopeError: the share is less than `strict`.
        TypeError: there is no plain function, or `values` can't be copied.
    """
    if function.transforms:
        raise TypeError(f"{function.called} is a derivative, of which there is no plain run")
    if strict is not None and not 0 <= strict <= 1:
        raise ValueError(f"strict is a share from 0 to 1, not {strict!r}")
    code = function.python_function.__code__
    times = times_by_line(lambda: partial(function.plain, *copied(values)), code.co_filename, repeats)
    item = specialisation_for(function, copied(values))
    for call in range(MOST_CALLS):  # the first calls decide what pays
        function.extend(*copied(values))
        if not item.doubtful and (call + 1 >= CALLS or not function.outlining):
            break
    now = watched(partial(function.extend, *copied(values)), code.co_filename)
    plain_again = _FASTER if item.slower else _GUARD
    lines = tuple(_lines(LineStates(item, loops_of(function)), times, now, code, plain_again))
    share = sum(line.share for line in lines if line.state == COMPILED)
    found = Coverage(function.called, min(share, 1.0), times.seconds, lines)
    if strict is not None and found.share < strict:
        raise _refusal(found, strict)
    return found


_GUARD = "a guard of the compiled code fails in this call"
_FASTER = "plain Python took less time in calls like this"


def _lines(
    states: LineStates, times: LineTimes, now: LineTimes, code: CodeType, plain_again: str
) -> Iterator[CoveredLine]:
    """Each line, with its share; `plain_again` is why one that was compiled runs as Python after all."""
    total = sum(times.by_line.values())
    places = dict.fromkeys([*_places(code), *times.by_line])
    for used in times.codes:
        places.update(dict.fromkeys(_places(used)))
    files = list(dict.fromkeys(file for file, _ in places))
    for file, number in sorted(places, key=lambda place: (files.index(place[0]), place[1])):
        text = text_of(file, number)
        if (file, number) not in times.visits:
            yield CoveredLine(file, number, text, 0.0, NOT_REACHED)
            continue
        share = times.by_line[file, number] / total if total else 0.0
        state = states.state(file, number)
        why = states.why_not(file, number)
        if state == COMPILED and _still_runs((file, number), times.visits, now.visits):
            state, why = PYTHON, replace(why, reason=plain_again)
        yield CoveredLine(file, number, text, share, state, why.reason, why.attempt)


def _still_runs(place: Place, plain: Mapping[Place, int], now: Mapping[Place, int]) -> bool:
    """Whether a line that was compiled runs as Python after all, most of the time."""
    return 2 * now.get(place, 0) > plain[place]


def _places(code: CodeType) -> Iterator[Place]:
    """The lines of a function and of those inside of it, without their heads."""
    for _, _, line in code.co_lines():
        if line is not None and line != code.co_firstlineno:
            yield code.co_filename, line
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _places(constant)


def _refusal(found: Coverage, strict: float) -> JitscopeError:
    """What ``strict`` raises: the line that takes most of what is not compiled, and why it isn't."""
    worst = max((line for line in found.lines if line.state != COMPILED), key=lambda line: line.share)
    why = f": {worst.reason}" if worst.reason else ""
    return JitscopeError(
        f"{found.function}: {found.share:.0%} of a plain call's time is compiled, less than {strict:.0%}",
        worst.loc,
        so=f"this line takes {worst.share:.0%} of the time and runs as {worst.state}{why}",
        attempt=worst.attempt or "read what explain says of this line",
    )


def readable(seconds: float) -> str:
    """Seconds with a unit, three digits."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"
