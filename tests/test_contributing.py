"""The pages of docs/contributing: what each changes is changed in a copy, where its programs run then."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from compiled import needs_compiler

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "docs" / "contributing").glob("*.md"))
FOLDERS = ("autograph", "codegen", "graph", "runtime")
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# How many files a thing may take, its own among them (the promise of the page in brackets of its title).
PROMISED = re.compile(r"^# .* \((\w+) files?\)$", re.MULTILINE)
THINGS = set("operation reduction numpy_function statement pass target wrong_answer".split())
NUMBERS = {"one": 1, "two": 2, "three": 3, "no": 0}


@dataclass
class Change:
    """What a page changes in one file: parts of its lines, each with what stands there then."""

    path: str
    is_new: bool
    parts: list[tuple[str, str]] = field(default_factory=list)

    def apply(self, root: Path) -> None:
        """Change the file; what a part starts from must stand in it exactly once."""
        file = root / self.path
        assert file.exists() != self.is_new, self.path
        text = "" if self.is_new else file.read_text()
        for before, after in self.parts:
            assert self.is_new or text.count(before) == 1, f"{self.path} has {text.count(before)} x\n{before}"
            text = text.replace(before, after) if before else after
        file.write_text(text)


def changes(text: str) -> list[Change]:
    """The changes in a ``diff``: lines after a blank, ``+`` or ``-``; ``@@`` begins a new part."""
    found: list[Change] = []
    is_new, old, new = False, "", ""
    for line in [*text.splitlines(), "@@"]:
        if line.startswith(("--- ", "+++ ")) or line.startswith("@@"):
            if old or new:
                found[-1].parts.append((old, new))
                old = new = ""
            if line.startswith("+++ "):
                found.append(Change(line[4:].strip(), is_new))
            is_new = line.strip() == "--- /dev/null"
            continue
        kind, rest = line[:1] or " ", line[1:] + "\n"
        assert kind in "+- ", line
        old += rest if kind in " -" else ""
        new += rest if kind in " +" else ""
    return found


@needs_compiler
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_does_what_it_says(page: Path, tmp_path: Path) -> None:
    text = page.read_text()
    copy = tmp_path / "jitscope"
    copy.mkdir()
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "__init__.py", copy)
    touched = set()
    for number, (language, body) in enumerate(FENCED.findall(text)):
        if language == "diff":
            for change in changes(body):
                change.apply(copy)
                touched.add(change.path)
        elif language == "python":
            program = tmp_path / f"page_{number}.py"
            program.write_text(body)
            run(program, tmp_path)
    assert len(touched) <= NUMBERS[PROMISED.search(text)[1]]  # type: ignore[index]


def run(program: Path, folder: Path) -> None:
    """Run a program of a page with the changed copy."""
    env = {**os.environ, "PYTHONPATH": str(folder), "JITSCOPE_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, program.name], cwd=folder, env=env, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, f"{program.read_text()}\n{done.stdout}\n{done.stderr}"


def test_there_is_a_page_for_each_thing() -> None:
    assert {page.stem for page in PAGES} >= THINGS
