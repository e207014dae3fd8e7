"""Every program of the corpus: plain against decorated, first call and second."""

from __future__ import annotations

import pytest
from compiled import has_compiled_part
from programs import PROGRAMS, Program
from same import IDENTITY, compare, decorate

pytestmark = pytest.mark.usefixtures("driver_runs")


def test_names_of_programs_are_unique() -> None:
    names = [str(program) for program in PROGRAMS]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_decorated_does_what_plain_does(program: Program) -> None:
    decorated = decorate(program.function)
    for call in program.calls:
        tolerance = program.tolerance
        compare(program.function, decorated, call.args, call.kwargs, tol=tolerance, reset=program.reset)
    if program.compiled is not None and not IDENTITY:
        assert has_compiled_part(decorated) == program.compiled, "a compiled part expected, or none"
