"""Every program and every command of the pages runs, and prints what the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest

import jitscope as js
from pages.blocks import DOCS, blocks, run_page

# Their programs are changes of the source, which `test_contributing.py` applies.
OTHERS = ("contributing/",)
PAGES = sorted(
    path.relative_to(DOCS).as_posix()
    for path in DOCS.rglob("*.md")
    if "_build" not in path.parts and not path.relative_to(DOCS).as_posix().startswith(OTHERS)
)
LANGUAGES = {"", "python", "text", "console", "diff", "ipython", "mermaid"}


@pytest.mark.parametrize("name", PAGES)
def test_its_code_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    js.reset_default_graph()
    run_page(DOCS / name, tmp_path)


@pytest.mark.parametrize("name", PAGES)
def test_its_blocks_are_of_a_kind_that_runs(name: str) -> None:
    for block in blocks(DOCS / name):
        directive = block.language.startswith("{")
        assert directive or block.language in LANGUAGES, f"{name}:{block.line}: {block.language!r}"
        if block.said.startswith("not run:"):
            assert len(block.said) > len("not run: "), f"{name}:{block.line} doesn't say why"
