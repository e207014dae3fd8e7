"""The code of a page of `docs/`, run as a reader would: block after block, in one folder, in one program.

| in the page | what happens |
|---|---|
| ```` ```python ```` | runs, after those above it, as a file called after the page, with lines of its own |
| ```` ```text ```` directly behind it | what it printed: ``...`` stands for any text, as in doctest |
| ```` ```{literalinclude} FILE ```` | the file, which is copied into the folder and runs by its name |
| ```` ```console ```` | each line behind ``$`` runs in the folder; what follows is what it printed |
| ``<!-- setup`` … ``-->`` | Python that runs and isn't shown: data, or names that the reader has |
| ``<!-- file NAME -->`` in front of a block | the block is written to that file and doesn't run |
| ``<!-- not run: REASON -->`` in front of a block | what can't run in a test, with the reason |
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
_PIECE = re.compile(
    r"^<!-- (?P<word>setup|file|not run:)(?P<said>.*?)-->\n"
    r"|^(?P<fence>`{3,})(?P<language>[^\n`]*)\n(?P<text>.*?)^(?P=fence)\n",
    re.DOTALL | re.MULTILINE,
)
# These install, build or take minutes; what they do is tried by the Makefile's own targets.
_BY_HAND = ("pip ", "make ", "git ", "python -m pip", "npm ")
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A piece of code of a page: its language, its text, the line where it starts."""

    language: str
    text: str
    line: int
    said: str = ""  # of the comment in front of it: ``file NAME`` or ``not run: REASON``
    behind: bool = False  # directly behind the block before it: what that one printed


def blocks(page: Path) -> list[Block]:
    """The pieces of code of a page, hidden ones too, from top to bottom."""
    text = page.read_text()
    found: list[Block] = []
    said, end = "", -1
    for match in _PIECE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match["word"] == "setup":
            found.append(Block("python", match["said"].strip("\n") + "\n", line + 1))
        elif match["word"]:
            said = f"{match['word']} {match['said']}".strip()
            continue
        else:
            behind = not text[end : match.start()].strip() if end >= 0 else False
            found.append(Block(match["language"].strip(), match["text"], line + 1, said, behind))
        said, end = "", match.end()
    return found


def run_page(page: Path, folder: Path, **names: Any) -> dict[str, Any]:
    """Run a page's blocks in a folder, which is the current one; what they have defined in the end."""
    space: dict[str, Any] = {"__name__": page.stem, **names}
    if "examples/" in page.read_text():
        shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("out"))
    printed: str | None = None
    for number, block in enumerate(blocks(page)):
        if block.said.startswith("file"):
            (folder / block.said.split()[1]).write_text(block.text)
        elif block.said:
            continue
        elif block.language == "text" and block.behind and printed is not None:
            assert_printed(page, block, block.text, printed)
        elif block.language == "python":
            (folder / f"block_{number}").mkdir()
            printed = _run_python(block, folder / f"block_{number}" / f"{page.stem}.py", space)
            continue
        elif block.language.startswith("{literalinclude}"):
            printed = _run_file(page, block, folder, space)
            continue
        elif block.language == "console":
            _run_commands(page, block, folder)
        printed = None
    return space


def _run_python(block: Block, file: Path, space: dict[str, Any]) -> str:
    file.write_text(block.text)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(block.text, str(file), "exec", dont_inherit=True), space)
    return out.getvalue()


def _run_file(page: Path, block: Block, folder: Path, space: dict[str, Any]) -> str:
    source = (page.parent / block.language.split()[1]).resolve()
    file = folder / source.name
    file.write_text(source.read_text())
    return _run_python(Block("python", file.read_text(), 1), file, space)


def _run_commands(page: Path, block: Block, folder: Path) -> None:
    """Each command of a block of console, in the folder; later ones see what earlier ones have made."""
    for command, shown in _commands(block.text):
        if command.startswith(_BY_HAND):
            continue
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
        )
        told = f"{page.name}:{block.line}: $ {command}\n{done.stdout}{done.stderr}"
        assert done.returncode == 0, told
        if shown.strip():
            assert_printed(page, block, shown, done.stdout)


def _commands(text: str) -> list[tuple[str, str]]:
    """The commands of a block, each with what stands below it."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            command = line[2:].partition("  # ")[0].strip()
            assert shlex.split(command)
            found.append((command, ""))
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line)
    return found


def assert_printed(page: Path, block: Block, shown: str, printed: str) -> None:
    """That a page shows what was printed."""
    alike = doctest.OutputChecker().check_output(shown, printed, _FLAGS)
    assert alike, f"{page.name}:{block.line} shows\n{shown}\nand it prints\n{printed}"
