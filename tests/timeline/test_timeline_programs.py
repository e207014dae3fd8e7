"""Every program of the corpus through the driver with bars: the same answers, and bars that nest."""

from __future__ import annotations

import pytest
from programs import PROGRAMS, Program
from same import compare, decorate
from traces import check_document

import jitscope as js
from jitscope.runtime import timed


def unwanted(found: object) -> None:
    """Stands in for what is done when there is no driver with bars."""
    raise AssertionError("this program has no driver with bars")


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_traced_does_what_plain_does(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed, "_launches_only", unwanted)
    decorated = decorate(program.function, jit_level="off", cache=False)
    with js.trace(None) as trace:
        for call in program.calls:
            compare(
                program.function,
                decorated,
                call.args,
                call.kwargs,
                tol=program.tolerance,
                reset=program.reset,
            )
    check_document(trace.document)
    shown = [event["name"] for event in trace.document["traceEvents"] if event.get("cat") == "Function"]
    assert program.function.__qualname__ in shown
