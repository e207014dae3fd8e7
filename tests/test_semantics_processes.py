"""What is kept on disk: a warm process does no work, and never answers with what was edited."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from compiled import needs_compiler

pytestmark = needs_compiler

MAIN = """
import numpy as np
import jitscope as js
import helper

LIMIT = 4

@js.function
def f(a, n):
    total = 0.0
    for i in range(n):
        total += helper.weigh(a[i]) + i % LIMIT
    return total

if __name__ == "__main__":
    print(f(np.arange(6.0), 6))
"""
HELPER = """
RATE = 2.0

def weigh(x):
    return x * RATE
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program of two modules with a cache of its own, after its first run."""
    folder = tmp_path_factory.mktemp("project")
    _write(folder)
    assert _run(folder)[0] == "37.0"
    return folder


@pytest.fixture
def project(folder: Path) -> Path:
    """The program as it was at first, with the cache as earlier tests left it."""
    _write(folder)
    return folder


def _write(folder: Path) -> None:
    (folder / "main.py").write_text(MAIN)
    (folder / "helper.py").write_text(HELPER)


def _start(folder: Path, **environment: str) -> subprocess.Popen[str]:
    settings = {
        "JITSCOPE_CACHE_DIR": str(folder / "cache"),
        "JITSCOPE_LOG": "counters",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.Popen(
        [sys.executable, "main.py"],
        cwd=folder,
        env={**os.environ, **settings, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _finish(process: subprocess.Popen[str]) -> tuple[str, dict[str, int]]:
    """What the process printed, and its counters."""
    printed, log = process.communicate(timeout=100)
    assert process.returncode == 0, log
    return printed.strip(), {name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", log)}


def _run(folder: Path, **environment: str) -> tuple[str, dict[str, int]]:
    return _finish(_start(folder, **environment))


def _edited(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_second_process_does_no_work(project: Path) -> None:
    printed, counters = _run(project)
    assert printed == "37.0"
    assert {name: counters[name] for name in ("conversions", "traces", "compilations")} == {
        "conversions": 0,
        "traces": 0,
        "compilations": 0,
    }


def test_edited_helper_gives_the_new_answer(project: Path) -> None:
    _edited(project / "helper.py", "x * RATE", "x * RATE + 1")
    assert _run(project)[0] == "43.0"
    _edited(project / "helper.py", "x * RATE + 1", "x * RATE")
    assert _run(project)[0] == "37.0"


def test_edited_constant_gives_the_new_answer(project: Path) -> None:
    _edited(project / "helper.py", "RATE = 2.0", "RATE = 10.0")
    assert _run(project)[0] == "157.0"
    _edited(project / "helper.py", "RATE = 10.0", "RATE = 2")
    assert _run(project)[0] == "37.0"
    _edited(project / "main.py", "LIMIT = 4", "LIMIT = 2")
    assert _run(project)[0] == "33.0"


def test_edited_function_gives_the_new_answer(project: Path) -> None:
    _edited(project / "main.py", "total = 0.0", "total = 100.0")
    assert _run(project)[0] == "137.0"


def test_damaged_cache_is_ignored(project: Path) -> None:
    for number, file in enumerate(sorted(p for p in (project / "cache").rglob("*") if p.is_file())):
        os.chmod(file, 0o600)
        data = file.read_bytes()
        file.write_bytes(
            b"" if number % 3 == 0 else data[: len(data) // 2] if number % 3 == 1 else b"x" + data
        )
    assert _run(project)[0] == "37.0"
    assert _run(project)[0] == "37.0"


def test_unwritable_and_absent_cache(project: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    assert _run(project, JITSCOPE_CACHE_DIR=str(tmp_path / "file" / "cache"))[0] == "37.0"
    assert _run(project, JITSCOPE_CACHE_DIR="")[0] == "37.0"


def test_disabled_runs_plain(project: Path) -> None:
    printed, counters = _run(project, JITSCOPE_DISABLE="1")
    assert printed == "37.0"
    assert counters.get("traces", 0) == 0


def test_processes_start_together_on_an_empty_cache(project: Path, tmp_path: Path) -> None:
    together = [_start(project, JITSCOPE_CACHE_DIR=str(tmp_path / "cache")) for _ in range(3)]
    assert [_finish(process)[0] for process in together] == ["37.0"] * 3
    printed, counters = _run(project, JITSCOPE_CACHE_DIR=str(tmp_path / "cache"))
    assert printed == "37.0"
    assert counters["compilations"] == 0
