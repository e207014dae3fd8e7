"""Long series: memory of functions that are made, called and dropped."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from compiled import needs_compiler
from memory_programs import growth

pytestmark = [needs_compiler, pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")]


def test_ten_thousand_closures_of_one_function_leave_nothing(tmp_path: Path) -> None:
    more = growth(tmp_path, "closures", 10_000, warm=100, timeout=1200)
    assert more["MB"] <= 50
    assert more["maps"] <= 10


def test_different_functions_leave_little(tmp_path: Path) -> None:
    more = growth(tmp_path, "modules", 1_000, warm=200, timeout=1500)
    assert more["MB"] <= 12
    assert more["maps"] <= 100
