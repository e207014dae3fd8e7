"""Every program of the corpus, answered by what was kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from compiled import counted
from programs import PROGRAMS, Program
from same import IDENTITY, compare, decorate, observe

from jitscope.runtime import load


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_loaded_specialisation_does_what_plain_does(program: Program) -> None:
    first = decorate(program.function)
    for call in program.calls:
        if program.reset:
            program.reset()
        observe(first, (call.args, call.kwargs))
    load._shared.clear()  # as in another process: machine code is read from its objects
    fresh = decorate(program.function)
    if IDENTITY or not program.compiled:
        _compare_all(program, fresh)
        return
    work = counted(lambda: _compare_all(program, fresh))
    assert work == {"conversions": 0, "traces": 0, "compilations": 0}


def _compare_all(program: Program, decorated: Callable[..., Any]) -> None:
    for call in program.calls:
        compare(
            program.function,
            decorated,
            call.args,
            call.kwargs,
            calls=1,
            tol=program.tolerance,
            reset=program.reset,
        )
