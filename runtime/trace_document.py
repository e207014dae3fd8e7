"""What was traced, as a document in Chrome's trace format."""

from __future__ import annotations

import os
import sys
import threading
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..graph.devices import CPU, DeviceSpec

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


def document(
    events: Sequence[Event], bars: Sequence[Bar], start: int, lives: Sequence[Life]
) -> dict[str, Any]:
    """The trace as a JSON object: metadata that names the lanes, then a bar for each event."""
    lanes: dict[str, int] = {}
    numbers, threads = _Threads(lives), {}
    found = []
    for number, began, ended, thread in sorted(events, key=lambda event: (event[1], -event[2])):
        bar = bars[number]
        lane = lanes.setdefault(_lane(bar.device), len(lanes))
        order, name = numbers.of(thread, began)
        threads[lane, order] = name
        found.append(
            {
                "ph": "X",
                "cat": bar.category,
                "name": bar.name,
                "pid": lane,
                "tid": order,
                "ts": (began - start) / 1000,
                "dur": (ended - began) / 1000,
                "args": bar.args,
            }
        )
    names = [_metadata("process_name", lane, 0, name) for name, lane in lanes.items()]
    names += [_metadata("thread_name", lane, order, name) for (lane, order), name in threads.items()]
    about = {"program": Path(sys.argv[0]).name if sys.argv else "", "process": os.getpid()}
    return {"traceEvents": names + found, "displayTimeUnit": "ns", "otherData": about}


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


def _lane(device: str) -> str:
    if device == COMPILER:
        return device
    return f"{_HOST.make_merged_spec(DeviceSpec.from_string(device))} Compute"


def _metadata(kind: str, lane: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": lane, "tid": thread, "args": {"name": name}}
