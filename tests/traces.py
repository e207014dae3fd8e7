"""What every timeline must be: valid JSON of Chrome's format, with bars that nest and fit into each other."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any


def check_document(document: dict[str, Any], wall: float | None = None) -> None:
    """Fail unless `document` is a timeline; `wall` is what the traced block took, in microseconds."""
    assert json.loads(json.dumps(document)) == json.loads(json.dumps(document, allow_nan=False))
    lanes = defaultdict(list)
    named: set[tuple[str, int, int]] = set()
    for event in document["traceEvents"]:
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name")
            assert event["args"]["name"]
            named.add((event["name"], event["pid"], event["tid"]))
            continue
        assert event["ph"] == "X"
        assert set(event) == {"ph", "cat", "name", "pid", "tid", "ts", "dur", "args"}
        assert all(type(event[key]) is int for key in ("pid", "tid"))
        assert all(type(event[key]) in (int, float) for key in ("ts", "dur"))
        assert all(type(event[key]) is str for key in ("cat", "name"))
        assert type(event["args"]) is dict
        assert event["args"]["name"]
        assert event["args"]["op"]
        assert event["dur"] >= 0
        assert event["ts"] >= 0
        lanes[event["pid"], event["tid"]].append(event)
    for (pid, tid), events in lanes.items():
        assert ("process_name", pid, 0) in named
        assert ("thread_name", pid, tid) in named
        outermost = check_nesting(events)
        assert wall is None or outermost <= wall


def check_nesting(events: list[dict[str, Any]]) -> float:
    """Fail unless any two bars of a lane are apart or one inside the other; the time of the outermost."""
    total, stack = 0, []
    # Times are whole nanoseconds, written as decimal fractions of microseconds.
    spans = [(round(event["ts"] * 1000), round(event["dur"] * 1000), event) for event in events]
    for start, length, event in sorted(spans, key=lambda span: (span[0], -span[1])):
        while stack and stack[-1] <= start:
            stack.pop()
        if stack:
            assert start + length <= stack[-1], event
        else:
            total += length
        stack.append(start + length)
    return total / 1000


def bars(document: dict[str, Any], category: str = "Op") -> list[dict[str, Any]]:
    """The bars of a category, in the order in which they began."""
    return [event for event in document["traceEvents"] if event.get("cat") == category]


def names(document: dict[str, Any], category: str = "Op") -> list[str]:
    """The names of these bars."""
    return [event["name"] for event in bars(document, category)]
