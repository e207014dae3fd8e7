"""Staged code as text: each file of `golden/` is a function, `[staged]`, and what becomes of it.

`pytest --update-golden` writes the second part anew.
"""

import linecache
from pathlib import Path

import pytest

from jitscope.autograph.convert import Unsupported, convert

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))
MARK = "[staged]\n"


def staged_text(name, source):
    """The staged text of the one function that `source` defines, or why there is none."""
    filename = f"{name}.py"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    names = {}
    exec(compile(source, filename, "exec"), names)
    try:
        return convert(names[name]).text
    except Unsupported as refused:
        return f"{refused.loc.filename}:{refused.loc.line}: {refused.reason}\n"


def test_there_are_golden_files():
    assert len(FILES) >= 14


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_staged_text(path, request):
    source, mark, expected = path.read_text().partition(MARK)
    actual = staged_text(path.stem, source)
    if request.config.getoption("--update-golden"):
        path.write_text(source + MARK + actual)
        return
    assert mark, f"{path.name} has no section {MARK.strip()}"
    assert actual == expected
