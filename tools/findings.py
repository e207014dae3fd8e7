"""What is known of a script or a function once it has run: by line, by function, by kernel."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from ..codegen.sites import LAUNCH
from ..graph.trace.running import lines_of
from ..runtime.coverage import NOT_REACHED, Coverage, coverage_of
from ..runtime.line_states import COMPILED, LineStates, loops_of, specialisation_for
from ..runtime.specialisation import Specialisation
from ..runtime.timeline import trace
from .graph_facts import memory_of
from .recorder import Called
from .target import silent

_SECONDS = 20.0
"""Functions whose call takes longer are not called again for the times of their lines."""


@dataclass(frozen=True)
class FoundLine:
    """A line of the user's: how it runs, its share of the time of plain calls, and why it isn't compiled."""

    number: int
    text: str
    state: str = ""
    """As in `CoveredLine`; empty for lines that do nothing."""
    share: float | None = None
    """From 0 to 1; None where no times are known."""
    reason: str = ""
    attempt: str = ""
    kernels: tuple[str, ...] = ()
    """``function.kernel`` for each kernel that the line is part of."""


@dataclass(frozen=True)
class FoundKernel:
    """A compiled part of a function: its lines, and what its calls took in a call of the function."""

    name: str
    device: str
    operations: int
    first: int
    last: int
    calls: int = 0
    seconds: float = 0.0
    memory: int | None = None
    """The bytes of its arrays, where a call goes through them once; None if nobody knows."""

    @property
    def span(self) -> str:
        """Its lines."""
        return str(self.first) if self.first == self.last else f"{self.first} to {self.last}"

    @property
    def speed(self) -> float | None:
        """Bytes a second."""
        return self.memory * self.calls / self.seconds if self.memory and self.seconds else None


@dataclass(frozen=True)
class FoundBar:
    """What ran from when to when in one call: a kernel, or an operation that NumPy or Python runs."""

    name: str
    compiled: bool
    start: float
    """Seconds from the beginning of the call."""
    seconds: float
    source: str


@dataclass(frozen=True)
class FoundFunction:
    """A function that was called from where nothing is compiled."""

    name: str
    file: str
    line: int
    calls: int
    seconds: float
    """Of all its calls as they ran, compiling included."""
    plain: float | None
    """Of one plain call, the largest; None where it isn't known."""
    decorated: float | None
    """Of one call once all is compiled; None where it isn't known."""
    share: float | None
    """Of the plain call's time in lines that are compiled now."""
    note: str = ""
    """Why times are not known."""
    kernels: tuple[FoundKernel, ...] = ()
    alike: int = 0
    """The calls that are about as large as that one."""
    traced: float | None = None
    """Of the call in which kernels were timed."""
    bars: tuple[FoundBar, ...] = ()
    """What ran when in that call."""
    specialisations: tuple[Specialisation, ...] = ()

    @property
    def weight(self) -> float:
        """What all its calls take as plain Python; how long they took, where that isn't known."""
        return self.seconds if self.plain is None else self.alike * self.plain


@dataclass(frozen=True)
class Findings:
    """All that a report shows."""

    title: str
    seconds: float
    functions: tuple[FoundFunction, ...]
    files: dict[str, tuple[FoundLine, ...]] = field(default_factory=dict)
    ended: str = ""
    """The exception that ended the script, if one did."""
    left_alone: tuple[str, ...] = ()
    """Functions that run as they are: generators, special methods and the like."""
    of_cell: bool = False
    """What was run is a notebook's cell, whose file nobody has named."""

    @property
    def what(self) -> str:
        """What was run."""
        return "cell" if self.of_cell else "script"

    @property
    def nothing(self) -> str:
        """Why there are no functions."""
        if self.left_alone:
            return f"only functions that are not decorated were called, as {self.left_alone[0]}"
        advice = "what stands in the script itself runs as Python: put its loops into a function"
        return f"the {self.what} called none of its functions; {advice}"

    @property
    def left_out(self) -> str:
        """How many of the functions have no times; nothing, if all have."""
        count = sum(one.share is None for one in self.functions)
        return f"{count} of {len(self.functions)} functions have no times of their own" if count else ""

    @property
    def share(self) -> float | None:
        """Of the plain time of all functions whose times are known, what is compiled now."""
        known = [one for one in self.functions if one.plain is not None and one.share is not None]
        total = sum(one.alike * (one.plain or 0.0) for one in known)
        if not total:
            return None
        return sum(one.alike * (one.plain or 0.0) * (one.share or 0.0) for one in known) / total


def findings(
    title: str,
    records: Iterable[Called],
    seconds: float = 0.0,
    times: bool = True,
    ended: str = "",
    left_alone: Sequence[str] = (),
) -> Findings:
    """What is known of the functions that `records` tell of.

    For times of lines each function that calls no other recorded one is called a few times more, plain and as
    it runs now, with copies of the arguments of its largest call; what it prints then is dropped. Functions
    that write files, start processes and the like are not.

    Args:
        title: what was run.
        records: the functions and their calls.
        seconds: how long it took.
        times: whether functions are called again.
        ended: the exception that ended it.
        left_alone: functions that nobody decorates.
    """
    found = [(record, *_looked_at(record, times)) for record in records]
    found.sort(key=lambda item: -item[1].weight)
    functions = tuple(function for _, function, _ in found)
    files = _lines_of_files(found)
    return Findings(title, seconds, functions, files, ended, left_alone=tuple(left_alone))


def _looked_at(record: Called, times: bool) -> tuple[FoundFunction, Coverage | None]:
    """A function, and its lines' times where they can be known."""
    state, code = record.state, record.state.python_function.__code__
    note = _why_no_times(record, times)
    cover: Coverage | None = None
    if not note and record.given is not None:
        try:
            with silent(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                cover = coverage_of(state, record.given.values_for(state), repeats=3)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the function's own, an end of the program, or what can't be copied
            note = f"called again, it raised {type(error).__name__}: {error}"
    found = FoundFunction(
        name=state.called,
        file=code.co_filename,
        line=code.co_firstlineno,
        calls=record.calls,
        alike=record.alike,
        seconds=record.seconds,
        plain=cover.seconds if cover else None,
        decorated=None,
        share=cover.share if cover else None,
        note=note,
        kernels=(),
        specialisations=tuple(state.specialisations),
    )
    return _timed(found, record) if cover else replace(found, kernels=tuple(_kernels(found, ()))), cover


def _why_no_times(record: Called, times: bool) -> str:
    if not times:
        return "times were not asked for"
    if record.given is None:
        return record.why_not or "its arguments are not known"
    if not record.is_leaf:
        return "timed through the functions of the script that it calls"
    if record.does:
        return f"it {record.does}, and is not called again"
    if record.raised == record.calls:
        return "its calls raised"
    if record.seconds / record.calls > _SECONDS:
        return f"a call takes more than {_SECONDS:.0f} s"
    return ""


def _timed(found: FoundFunction, record: Called) -> FoundFunction:
    """`found` with the time of a call as it runs now, and of its kernels."""
    assert record.given is not None
    best, whole = float("inf"), None
    bars: list[FoundBar] = []
    with suppress(Exception, SystemExit), silent(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(3):
            best = min(best, _seconds(record))
        whole, bars = _bars(record)
    kernels = tuple(_kernels(found, bars, _arguments(record)))
    known = best if best < float("inf") else None
    return replace(found, decorated=known, kernels=kernels, traced=whole, bars=tuple(bars))


def _arguments(record: Called) -> dict[str, object]:
    """The arguments of the call that was kept, by name."""
    assert record.given is not None
    return dict(zip(record.state.names, record.given.values_for(record.state), strict=False))


def _seconds(record: Called) -> float:
    """How long a call takes as it runs now."""
    assert record.given is not None
    given = record.given.copies()
    start = time.perf_counter()
    given.call(record.state.binder.made)
    return time.perf_counter() - start


def _bars(record: Called) -> tuple[float, list[FoundBar]]:
    """How long a call takes with clocks, and what ran when in it."""
    with trace(None) as traced:
        _seconds(record)  # which makes the second form of the driver, the one with clocks
        whole = _seconds(record)
    events = [event for event in traced.document["traceEvents"] if "dur" in event]
    last = max((event["ts"] for event in events if event["cat"] == "Function"), default=0.0)
    found = []
    for event in events:
        if event["ts"] >= last and event["cat"] == "Op":
            launch, args = event["name"] == LAUNCH, event["args"]
            name = args["name"] if launch else event["name"]
            start, seconds = (event["ts"] - last) / 1e6, event["dur"] / 1e6
            found.append(FoundBar(name, launch, start, seconds, args.get("source", "")))
    return whole, found


def _kernels(
    found: FoundFunction, bars: Iterable[FoundBar], arguments: Mapping[str, object] = MappingProxyType({})
) -> Iterator[FoundKernel]:
    """The kernels of the specialisation that was made last."""
    item = next((one for one in reversed(found.specialisations) if one.clusters), None)
    if item is None:
        return
    memory = memory_of(item, arguments)
    times: dict[str, list[float]] = {}
    for bar in bars:
        if bar.compiled:
            times.setdefault(bar.name, []).append(bar.seconds)
    for cluster, lines in zip(item.report.members, item.report.lines, strict=False):
        numbers = [line.number for line in lines] or [found.line]
        own, count = times.get(cluster.name, []), len(cluster.nodes)
        lines_ = min(numbers), max(numbers)
        bytes_ = memory.get(cluster.name)
        yield FoundKernel(cluster.name, cluster.device, count, *lines_, len(own), sum(own), bytes_)


def _lines_of_files(
    found: Iterable[tuple[Called, FoundFunction, Coverage | None]],
) -> dict[str, tuple[FoundLine, ...]]:
    """Every line of the files that the functions are in."""
    known: dict[tuple[str, int], FoundLine] = {}
    seconds: dict[tuple[str, int], float] = {}
    total = 0.0
    for record, function, cover in found:
        parts = _parts(function)
        if cover is not None:
            total += cover.seconds * record.alike
        for file, line in _told(record, function, cover):
            place = file, line.number
            spent = (line.share or 0.0) * cover.seconds * record.alike if cover else 0.0
            line = replace(line, kernels=parts.get((Path(file).name, line.number), ()))
            if place not in known or spent > seconds.get(place, 0.0) or known[place].state == NOT_REACHED:
                known[place] = line
            if cover is not None:
                seconds[place] = seconds.get(place, 0.0) + spent
    files: dict[str, tuple[FoundLine, ...]] = {}
    for file in dict.fromkeys(file for file, _ in known):
        files[file] = tuple(
            replace(
                known.get((file, number), FoundLine(number, text.rstrip("\n"))),
                text=text.rstrip("\n"),
                share=seconds[file, number] / total if total and (file, number) in seconds else None,
            )
            for number, text in enumerate(lines_of(file), 1)
        )
    return files


def _parts(function: FoundFunction) -> dict[tuple[str, int], tuple[str, ...]]:
    """For each line the kernels that it is part of; files by their names alone, as reports have them."""
    places: dict[tuple[str, int], tuple[str, ...]] = {}
    for item in function.specialisations:
        for name, lines in zip(item.clusters, item.report.lines, strict=False):
            for line in lines:
                shown, known = f"{function.name}.{name}", places.get((line.file, line.number), ())
                places[line.file, line.number] = known if shown in known else (*known, shown)
    return places


def _told(record: Called, function: FoundFunction, cover: Coverage | None) -> Iterator[tuple[str, FoundLine]]:
    """The lines of a function: as they were seen to run, or as the compiler says that they do."""
    if cover is not None:
        for one in cover.lines:
            yield one.file, FoundLine(one.number, one.text, one.state, one.share, one.reason, one.attempt)
        return
    state, file = record.state, function.file
    if record.given is not None:
        item = specialisation_for(state, record.given.copies().values_for(state))
    else:
        item = function.specialisations[-1] if function.specialisations else Specialisation("...")
    if state.always_plain:
        item = Specialisation("...", plain_reason=state.always_plain)
    states = LineStates(item, loops_of(state))
    code = state.python_function.__code__
    for number in sorted({line for _, _, line in code.co_lines() if line and line != code.co_firstlineno}):
        runs, why = states.state(file, number), states.why_not(file, number)
        told = (why.reason, why.attempt) if runs != COMPILED else ("", "")
        yield file, FoundLine(number, "", runs, None, *told)
