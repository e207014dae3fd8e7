"""Compiled code that raises keeps no memory, and says what the plain function says."""

from __future__ import annotations

import numpy as np
import pytest
from compiled import has_compiled_part, needs_compiler
from memory import growth, needs_statm
from raising_programs import BEYOND_64_BITS, GOOD, RAISING, Raising
from same import compare, same

import jitscope as js

ARRAY = 100_000  # 800 kB: 60 of them are more than is allowed
CALLS = 60


def _names(case: Raising) -> str:
    return case.program.__name__


@needs_compiler
@needs_statm
@pytest.mark.parametrize("case", [*RAISING, BEYOND_64_BITS], ids=_names)
def test_a_kernel_that_raises_lets_go_of_its_arrays(case: Raising) -> None:
    compiled, array = js.function(case.program), np.linspace(0.5, 1.0, ARRAY)
    compare(case.program, compiled, (array[:200].copy(), GOOD), tol=9)
    if case is not BEYOND_64_BITS:
        compare(case.program, compiled, (array[:200].copy(), case.bad), tol=9)

    def fail() -> None:
        with pytest.raises((ArithmeticError, LookupError, ValueError, NameError)):
            compiled(array, case.bad)

    for _ in range(10):
        fail()
    assert any(growth(fail, CALLS) < 4 for _ in range(3))  # malloc may keep what was freed, once
    assert has_compiled_part(compiled)


def test_an_index_beyond_the_signed_numbers_is_not_a_negative_one() -> None:
    def picked(a, index):
        s = 0.0
        for i in range(2):
            a[0] += 1.0
            s += a[index[i]]
        return s

    same(picked, np.arange(5.0), np.array([1, 2**64 - 1], np.uint64))
