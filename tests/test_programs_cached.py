"""Every program of the corpus, answered by what was kept on disk."""

from __future__ import annotations

import pytest
from programs import PROGRAMS, Program
from same import compare, decorate, observe


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_loaded_specialisation_does_what_plain_does(program: Program) -> None:
    first = decorate(program.function)
    for call in program.calls:
        if program.reset:
            program.reset()
        observe(first, (call.args, call.kwargs))
    fresh = decorate(program.function)
    for call in program.calls:
        tolerance = program.tolerance
        compare(program.function, fresh, call.args, call.kwargs, calls=1, tol=tolerance, reset=program.reset)
