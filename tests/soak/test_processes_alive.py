"""Long series: forks while threads compile, first calls inside of first calls, interrupts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from alive_programs import run
from compiled import needs_compiler

pytestmark = needs_compiler


def test_a_hundred_forks_while_threads_compile(tmp_path: Path) -> None:
    printed = run(tmp_path, "forks", 100, timeout=1200)
    found = re.match(r"100 forks, (\d+) amid compilations: 0 bad, .*; threads: \[\]$", printed)
    assert found
    assert int(found[1]) >= 90


@pytest.mark.parametrize("way", ["signal", "gc", "trace"])
def test_a_hundred_first_calls_inside_of_first_calls(tmp_path: Path, way: str) -> None:
    printed = run(tmp_path, "reentrant", 100, way, timeout=1200)
    wanted = rf"100 calls inside of \d+ first calls, by {way}: 0 wrong, 0 not compiled later, raised: \[\]$"
    assert re.match(wanted, printed)


def test_three_hundred_interrupts(tmp_path: Path) -> None:
    printed = run(tmp_path, "interrupts", 300, timeout=1500)
    found = re.match(
        r"300 .* calls: 0 swallowed, 0 wrong .*, 0 times another handler; .*, (.*) s \(95", printed
    )
    assert found
    assert float(found[1]) < 0.2
