"""Random programs with loops, branches and exits: over numbers, and over arrays that they write.

A failure prints a function that can be pasted.
"""

from __future__ import annotations

import numpy as np
import pytest
from generated import HEADER, function_from_text
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from random_statements import Writer
from same import compare, decorate

pytestmark = pytest.mark.usefixtures("driver_runs")

_SETTINGS = settings(
    max_examples=12,
    phases=(Phase.explicit, Phase.generate),  # a smaller seed is not a smaller program
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def _check(text: str, calls: list[tuple], folder) -> None:
    f = function_from_text(text, folder)
    decorated = decorate(f)
    for args in calls:
        try:
            compare(f, decorated, args, calls=1)
        except AssertionError as failure:
            pytest.fail(f"{failure}\n\n{HEADER}{text}\n\nf{args!r}")


@_SETTINGS
@given(seed=st.integers(0, 2**32))
def test_programs_of_numbers(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    text = Writer(seed, arrays=False).function()
    calls = [(1, 2, 4), (-3, 0, 0), (0.5, -2, 3), (2, 1.5, 1), (7, 7, 6)]
    _check(text, calls, tmp_path_factory.mktemp("numbers"))


@_SETTINGS
@given(seed=st.integers(0, 2**32))
def test_programs_that_write_arrays(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    text = Writer(seed, arrays=True).function()
    wide = np.arange(12.0)
    calls = [
        (1, 2, 4, np.arange(5.0), np.linspace(-1, 1, 5)),
        (-3, 0, 0, np.arange(3.0), np.ones(3)),
        (2, 1, 3, wide[::2][:4], wide[::-2][:4]),
        (2, 1, 3, wide[1:6], wide[2:7]),
        (0.5, -2, 6, np.arange(5.0), np.arange(4.0)),
    ]
    _check(text, calls, tmp_path_factory.mktemp("arrays"))
