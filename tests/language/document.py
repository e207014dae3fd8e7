"""docs/language.md, made of the rows."""

from __future__ import annotations

from collections import Counter
from types import ModuleType

from . import atoms, classes, compound, functions, operators, primaries, simple
from .row import BESIDE, COMPILED, PLAIN, Row

CHAPTERS: tuple[ModuleType, ...] = (atoms, primaries, operators, simple, compound, functions, classes)

HEAD = """# Python, construct by construct

Every statement and expression of Python works in a decorated function, with the answer of the plain one.
This page says what becomes of each. {counts}

- **{compiled}**: the construct is part of the compiled code, or is decided while the function is
  traced, and costs nothing.
- **{beside}**: what the construct does runs as Python. The loops and array expressions in
  front of it and behind it, in the same function, are compiled. A loop that *contains* it runs as Python,
  too; what is in that loop is compiled by itself, where that pays.
- **{plain}**: nothing in that program is compiled. Put what takes time into a
  function of its own, and decorate that one.

Behind a colon stands the reason, in the words of `f.explain(*args)`, which says the same of your own
function, with the line and with what to try; the names in it are those of the row's program.

The page is written by `pytest tests/test_language.py --update-golden` from the rows in `tests/language/`. A
row has a program with the construct beside work that takes time, and a test, named in the last column. It
calls the decorated program three times, compares all that can be seen of it with the plain one, and asks
`explain` what became of it: `pytest "tests/test_language.py::test_it_becomes[list-of-lists]"` runs one.
"""

LONG = "it is plain Python"
"""What `explain` says of expressions, with the expression behind a colon; that is in the row already."""


def page() -> str:
    """The text of docs/language.md."""
    found = Counter(row.becomes for chapter in CHAPTERS for row in chapter.ROWS)
    counts = (
        f"Of {found.total()} programs {found[COMPILED]} are compiled, in {found[BESIDE]} the construct runs "
        f"beside compiled code,\nand {found[PLAIN]} are plain as a whole."
    )
    head = HEAD.format(counts=counts, compiled=COMPILED, beside=BESIDE, plain=PLAIN)
    return head + "".join(map(_chapter, CHAPTERS))


def _chapter(chapter: ModuleType) -> str:
    lines = [f"\n## {chapter.TITLE}\n", "| construct | what becomes of it | test |", "|---|---|---|"]
    return "\n".join([*lines, *map(_row, chapter.ROWS)]) + "\n"


def _row(row: Row) -> str:
    return f"| {_cell(row.construct)}{_since(row)} | {_cell(_becomes(row))} | `{row.name}` |"


def _since(row: Row) -> str:
    return f" (Python {'.'.join(map(str, row.since))})" if row.since > (3, 10) else ""


def _becomes(row: Row) -> str:
    why = LONG if row.why.startswith(LONG) else row.why
    return f"{row.becomes}: {why}" if why else row.becomes


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
