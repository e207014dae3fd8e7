"""What was traced, as a document in Chrome's trace format."""

from __future__ import annotations

import json
import os
import sys
import threading
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..graph.trace.devices import CPU, DeviceSpec

COMPILER = "jitscope compiler"
_HOST = DeviceSpec("localhost", 0, 0, CPU, 0)


@dataclass(frozen=True, slots=True)
class Bar:
    """What a bar of the timeline shows; `device` is its lane, the host's if empty."""

    name: str
    category: str
    args: dict[str, Any] = field(default_factory=dict)
    device: str = ""


Event = tuple[int, int, int, int]
"""The number of a bar, start and end in nanoseconds of `perf_counter_ns`, and the thread.

Ints alone, so that the garbage collector need not look at events again."""


@dataclass(frozen=True, slots=True)
class Life:
    """From when on an identifier is this thread's: those of threads that have ended are given away anew."""

    thread: int
    start: int
    name: str


@dataclass(frozen=True)
class Recorded:
    """What happened from `start` on; `bars` say what the numbers of events mean."""

    events: Sequence[Event] = ()
    bars: Sequence[Bar] = ()
    start: int = 0
    lives: Sequence[Life] = ()

    def document(self) -> dict[str, Any]:
        """The trace as a JSON object: metadata that names the lanes, then a bar for each event."""
        placed = _Placed(self)
        found = [self._shown(event, *placed.of(event)) for event in placed.events]
        return {"traceEvents": placed.names() + found, **_about()}

    def texts(self) -> Iterator[str]:
        """The document as JSON, in pieces: a long run is never in memory as a whole."""
        placed = _Placed(self)
        heads: dict[tuple[int, int, int], str] = {}
        yield '{"traceEvents": ['
        between = ""
        for event in placed.events:
            number, began, ended, _ = event
            place = placed.of(event)
            kind = (number, *place)
            if kind not in heads:
                shown = self._shown(event, *place)
                del shown["ts"], shown["dur"]
                heads[kind] = json.dumps(shown, default=str)[:-1]
            began_at, lasted = (began - self.start) / 1000, (ended - began) / 1000
            yield f'{between}{heads[kind]}, "ts": {began_at}, "dur": {lasted}}}'
            between = ",\n"
        for name in placed.names():
            yield between + json.dumps(name)
            between = ",\n"
        yield f"], {json.dumps(_about())[1:]}"

    def _shown(self, event: Event, lane: int, thread: int) -> dict[str, Any]:
        number, began, ended, _ = event
        bar = self.bars[number]
        return {
            "ph": "X",
            "cat": bar.category,
            "name": bar.name,
            "pid": lane,
            "tid": thread,
            "ts": (began - self.start) / 1000,
            "dur": (ended - began) / 1000,
            "args": bar.args,
        }


def _about() -> dict[str, Any]:
    about = {"program": Path(sys.argv[0]).name if sys.argv else "", "process": os.getpid()}
    return {"displayTimeUnit": "ns", "otherData": about}


class _Placed:
    """The events in order, the lane of each, and the names of the lanes that have been asked for."""

    def __init__(self, recorded: Recorded) -> None:
        self.events = sorted(recorded.events, key=lambda event: (event[1], -event[2]))
        self._bars, self._numbers = recorded.bars, _Threads(recorded.lives)
        self._lanes: dict[str, int] = {}
        self._threads: dict[tuple[int, int], str] = {}

    def of(self, event: Event) -> tuple[int, int]:
        """The numbers of the lane and of the thread of an event."""
        lane = self._lanes.setdefault(_lane(self._bars[event[0]].device), len(self._lanes))
        order, name = self._numbers.of(event[3], event[1])
        self._threads[lane, order] = name
        return lane, order

    def names(self) -> list[dict[str, Any]]:
        """The metadata that names lanes and threads."""
        lanes = [_metadata("process_name", lane, 0, name) for name, lane in self._lanes.items()]
        threads = self._threads.items()
        return lanes + [_metadata("thread_name", lane, order, name) for (lane, order), name in threads]


class _Threads:
    """Numbers for threads, in the order in which they are met; the main thread's is 0."""

    def __init__(self, lives: Sequence[Life]) -> None:
        self._of: dict[int, list[Life]] = {}
        for life in lives:
            self._of.setdefault(life.thread, []).append(life)
        main = threading.main_thread()
        known = self._of.setdefault(main.ident or 0, [Life(main.ident or 0, 0, main.name)])
        self._numbers = {known[0]: 0}

    def of(self, thread: int, began: int) -> tuple[int, str]:
        """The number and the name of the thread that had the identifier `thread` at that time."""
        lives = self._of.setdefault(thread, [Life(thread, 0, "thread")])
        life = lives[max(0, bisect_right(lives, began, key=lambda known: known.start) - 1)]
        return self._numbers.setdefault(life, len(self._numbers)), life.name


@lru_cache
def _lane(device: str) -> str:
    if device == COMPILER:
        return device
    return f"{_HOST.make_merged_spec(DeviceSpec.from_string(device))} Compute"


def _metadata(kind: str, lane: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": lane, "tid": thread, "args": {"name": name}}
