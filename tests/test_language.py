"""docs/language.md: what becomes of each construct of Python, row by row, and that the page says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from language.document import CHAPTERS, page
from language.row import Row
from language.verdict import verdict
from same import IDENTITY, compare, decorate

DOCUMENT = Path(__file__).parents[1] / "docs" / "language.md"
ROWS = [row for chapter in CHAPTERS for row in chapter.ROWS]
CALLS = 3


def through(taken: Callable[[Any], Any] | None, f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, or what its result is taken by: generators and coroutines do nothing by themselves."""
    return f if taken is None else lambda *args: taken(f(*args))


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_it_becomes(row: Row, tmp_path: Path) -> None:
    if not row.known:
        pytest.skip(f"Python {'.'.join(map(str, row.since))} and newer")
    names = row.load(tmp_path)
    plain, args = names["f"], row.arguments(names)
    decorated = decorate(plain)
    taken = eval(row.through, names) if row.through else None
    compare(through(taken, plain), through(taken, decorated), args, calls=CALLS, tol=row.tol)
    if IDENTITY:
        return
    becomes, said = verdict(decorated, args)
    assert becomes == row.becomes, said
    assert row.why in said


def test_each_row_has_a_name_of_its_own() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)


def test_the_page_says_what_the_rows_say(update_golden: bool) -> None:
    if update_golden:
        DOCUMENT.write_text(page())
    assert DOCUMENT.read_text() == page(), "pytest tests/test_language.py --update-golden"
