"""A run of all writers: they take turns, what has been run isn't run again, and the table says what was seen."""

from __future__ import annotations

import collections
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fuzz import series
from fuzz.writers import WRITERS


def test_writers_take_turns() -> None:
    found = series.batches(9600, 5000)
    assert sum(batch.size for batch in found) == pytest.approx(9600, rel=0.02)
    assert len({batch.seed for batch in found}) == len(found)
    assert {batch.writer for batch in found} == set(series.SHARES) <= set(WRITERS)
    half = collections.Counter(batch.writer for batch in found[: len(found) // 2])
    whole = collections.Counter(batch.writer for batch in found)
    assert all(abs(2 * half[writer] - whole[writer]) <= 2 for writer in whole)


def test_what_has_been_run_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []

    def pretends(command: list[str], **_: Any) -> None:
        ran.append(command)
        seen = {"seconds": 0.5, "compiled": True, "gradient": "checked", "second": "", "seed": 7}
        states = ["right", "right", "wrong"]
        path = Path(command[command.index("--log") + 1])
        path.write_text("".join(json.dumps({**seen, "status": state}) + "\n" for state in states))

    monkeypatch.setattr(subprocess, "run", pretends)
    batch = series.Batch("grammar", 3, 7000)
    for _ in range(2):
        series.run(batch, tmp_path)
    assert len(ran) == 1
    lines = list(series.table(tmp_path))
    assert lines[2] == "| grammar | 3 | 3 | 2 | 3 (0 with products) |  | 0.50 |"
    assert lines[-2:] == ["| all | 3 | 3 | 2 | 3 (0 with products) |  | 0.50 |", "grammar_7000: 7, wrong"]
