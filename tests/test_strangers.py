"""Strangers' programs: plain against decorated, and how much of their time is compiled.

`strangers/floors.json` holds the least coverage of each. `python benchmarks/strangers.py --floors`
measures anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from same import IDENTITY, Tolerance, compare, decorate
from strangers import CASES, Case

from jitscope.runtime.coverage import coverage_of

FLOORS: dict[str, float] = json.loads((Path(__file__).parent / "strangers" / "floors.json").read_text())


def test_each_function_has_a_floor() -> None:
    names = [case.name for case in CASES]
    assert sorted(names) == sorted(set(names))
    assert set(FLOORS) == set(names)
    assert len(names) >= 170


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_decorated_function_does_what_the_plain_one_does(case: Case) -> None:
    decorated: Any = decorate(case.function)
    for make in (case.tiny,) if case.slow else (case.natural, case.tiny):
        compare(case.function, decorated, make(), calls=3, tol=Tolerance(case.ulp, case.atol))
    if IDENTITY or not FLOORS[case.name]:  # nothing can be less than that
        return
    values = decorated.__jitscope__.values_of(*case.measured())
    found = coverage_of(decorated.__jitscope__, values, repeats=1)
    if found.share < FLOORS[case.name]:  # once more, with care: others use the machine, too
        found = coverage_of(decorated.__jitscope__, values)
    assert found.share >= FLOORS[case.name], str(found)
