"""Programs that once were wrong, made small by `make fuzz`: each is right now."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from compiled import needs_compiler

from fuzz.processes import Process

FOUND = sorted((Path(__file__).parent / "found").glob("*.py"))


@pytest.fixture(scope="module")
def process() -> Iterator[Process]:
    """A process of its own, for some of the programs once ended it."""
    with contextlib.closing(Process()) as worker:
        yield worker


@needs_compiler
@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_a_program_that_was_wrong_is_right(path: Path, process: Process) -> None:
    report = process.ask(path.read_text(), second="second" in path.stem)
    assert report["status"] == "right", f"{report['kind']}: {report['detail']}\n\n{path.read_text()}"
