"""Every public name of NumPy's has a verdict in docs/numpy.md and calls of it give NumPy's answers."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from compiled import needs_compiler
from surface.document import document, public_names, rows_of, verdict_in_row
from surface.parity import run, tasks
from surface.tables import CALLS, NOT_TRIED

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "numpy.md"
PARTS = 8


def test_every_public_name_is_in_a_table() -> None:
    assert sorted(public_names() - {*CALLS, *NOT_TRIED}) == []
    assert sorted({*CALLS} & {*NOT_TRIED}) == []


@needs_compiler
def test_the_verdicts_are_those_of_the_document(update_golden: bool) -> None:
    """The call that stands in a row gets the verdict of the row; all others are tried when it is written."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if update_golden:
            DOCUMENT.write_text(document())
        rows = list(rows_of(DOCUMENT.read_text()))
        assert sorted(row.name for row in rows) == sorted(CALLS)
        assert [row for row in rows if verdict_in_row(row) != row.verdict] == []


@needs_compiler
@pytest.mark.parametrize("part", range(PARTS))
def test_calls_give_numpys_answers(part: int) -> None:
    """One in forty of what `make parity` compares."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = [run(task) for task in tasks(0, 40)[part::PARTS]]
    assert [result for result in results if result.fault] == []
    assert sum(result.compared for result in results) >= 100
