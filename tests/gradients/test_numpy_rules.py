"""The gradients of NumPy calls that run as they are: each function with a rule has cases here."""

from __future__ import annotations

import pytest
from numpy_cases import CASES
from rule_cases import Case

from jitscope.graph.gradients.numpy_rules import rules
from jitscope.graph.numpy_api import function_name


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{function_name(function)}-{k}")
        for function, cases in CASES.items()
        for k, case in enumerate(cases)
    ],
)
def test_rule_is_what_differences_say(case: Case):
    case.check()


def test_every_rule_has_a_case():
    tested = set(CASES)
    assert [function_name(f) for f, rule in rules().items() if f not in tested] == []
