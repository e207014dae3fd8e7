"""What is called again, with what, and what isn't; and mistakes at the command line."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from compiled import needs_compiler

from jitscope.command import main
from jitscope.runtime.config import config
from jitscope.tools import bench, programs

PROGRAM = """\
import os
import subprocess
import sys

import numpy as np


def log(value):
    with open("log.txt", "a") as file:
        file.write(f"{value}\\n")


def save(x):
    np.save("x.npy", x)


def makes_a_folder(name):
    os.makedirs(name, exist_ok=True)


def starts(x):
    return subprocess.run([sys.executable, "-c", "pass"], check=True).returncode + x


def reads(path):
    with open(path) as file:
        return len(file.read())


def energy(x):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            s += abs(x[i] - x[j])
    return s


class Held:
    def __init__(self):
        self.a = 3

    def __len__(self):
        return 3

    def three(self):
        yield self.a


def numbers(n):
    for k in range(n):
        yield k


async def waits():
    pass


if __name__ == "__main__":
    energy(np.arange(3.0))
    energy(np.arange(400.0))
    energy(np.arange(300.0))
    log(1)
    save(np.ones(3))
    makes_a_folder("made")
    starts(1)
    reads(__file__)
    Held()
    list(numbers(3))
"""


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, as_it_was: None) -> None:
    monkeypatch.setattr(config, "cache_dir", str(tmp_path / "cache"))
    Path("effects.py").write_text(PROGRAM)


def data(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> Any:
    command, *rest = arguments
    assert main([command, "--json", *rest]) == status
    return json.loads(capsys.readouterr().out)


@needs_compiler
def test_what_can_not_be_taken_back_is_done_once(capsys: pytest.CaptureFixture[str]) -> None:
    found = {one["name"]: one for one in data(capsys, "report", "effects.py")["functions"]}
    assert Path("log.txt").read_text() == "1\n"
    notes = {name: one["note"] for name, one in found.items() if one["note"]}
    assert notes == {
        "log": "it writes files, and is not called again",
        "save": "it writes files, and is not called again",
        "makes_a_folder": "it changes files, and is not called again",
        "starts": "it starts processes, and is not called again",
    }
    assert main(["bench", "effects.py"]) == 0
    assert "it writes files: to call it again and again, name it, as FILE:log" in capsys.readouterr().out
    assert main(["coverage", "effects.py"]) == 0
    assert "log: it writes files: to call it again" in capsys.readouterr().out
    assert Path("log.txt").read_text() == "1\n" * 3
    assert main(["coverage", "effects.py:log"]) == 0
    assert len(Path("log.txt").read_text()) > 2 * 4


@needs_compiler
def test_times_are_those_of_the_largest_call(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "profile", "effects.py")
    energy = next(one for one in found["functions"] if one["name"] == "energy")
    assert (energy["calls"], energy["alike"]) == (3, 2)
    assert energy["plain"] > 1e-3
    assert found["left_alone"] == ["Held.__init__", "Held.__len__", "Held.three", "numbers", "waits"]
    assert main(["profile", "--no-times", "effects.py"]) == 0
    assert "not decorated: Held.__init__, Held.__len__, Held.three, numbers, waits" in capsys.readouterr().out


def test_the_keyboard_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("asks.py").write_text("def ask():\n    return int(input('how many? '))\n\n\nprint(ask())\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO("3\n4\n"))
    assert main(["report", "asks.py"]) == 0
    assert sys.stdin.read() == "4\n"
    assert "reads from the keyboard" in Path("asks.jitscope.html").read_text()


def test_scripts_without_functions(capsys: pytest.CaptureFixture[str]) -> None:
    Path("top.py").write_text("s = 0\nfor i in range(10):\n    s += i\n")
    assert main(["report", "top.py"]) == 0
    assert "put its loops into a function" in capsys.readouterr().out
    for command in ("bench", "coverage", "explain"):
        assert main([command, "top.py"]) == 2
        assert "top.py calls none of its functions; put what" in capsys.readouterr().err
    Path("top.py").write_text("def numbers():\n    yield 1\n\n\nlist(numbers())\n")
    assert main(["profile", "top.py"]) == 0
    assert "only functions that are not decorated were called, as numbers" in capsys.readouterr().out


def test_options_of_ours_behind_the_script(capsys: pytest.CaptureFixture[str]) -> None:
    Path("top.py").write_text("x = 1\n")
    assert main(["report", "top.py", "-o", "there.html"]) == 0
    assert "jitscope: -o stands behind top.py, and is the script's own" in capsys.readouterr().err
    Path("top.py").write_text("import sys\n\nprint(sys.argv)\n")
    assert main(["report", "top.py", "-o", "there.html"]) == 0
    assert "stands behind" not in capsys.readouterr().err


def test_reports_that_can_not_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for place, said in (("nowhere/x.html", "its folder is not there"), (".", "it is a folder")):
        assert main(["report", "-o", place, "effects.py"]) == 2
        assert f"{place} can't be written: {said}" in capsys.readouterr().err
    monkeypatch.setattr(programs.os, "access", lambda *_: False)
    assert main(["report", "effects.py"]) == 2
    assert "can't be written: permission denied; -o says where else" in capsys.readouterr().err


FAILING = """\
def check(n):
    if n > 1:
        raise ValueError("no")
    return n


check(1)
check(2)
"""


def test_what_the_script_or_the_function_raises(capsys: pytest.CaptureFixture[str]) -> None:
    Path("raises.py").write_text(FAILING)
    for command in ("explain", "bench", "coverage"):
        assert main([command, "raises.py"]) == 1
        assert capsys.readouterr().err.endswith("ValueError: no\n")
    Path("raises.py").write_text(FAILING.partition("\n\n\ncheck(1)")[0] + "\n")
    for command in ("bench", "coverage"):
        assert main([command, "raises.py:check", "7"]) == 2
        assert capsys.readouterr().err == "jitscope: check raises ValueError: no\n"
    Path("parts.py").write_text("from .raises import check\n")
    assert main(["explain", "parts.py:check", "7"]) == 2
    said = capsys.readouterr().err
    assert "command" not in said
    assert said.endswith("as package.parts:FUNCTION\n")


def test_expressions_for_a_whole_script(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "effects.py", "7"]) == 2
    assert "what the script gets itself stands behind --, as -- 7" in capsys.readouterr().err


def test_an_interrupt(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "_timed", interrupted)
    Path("two.py").write_text("def two():\n    return 2\n\n\ntwo()\n")
    assert main(["bench", "two.py"]) == 130
    assert capsys.readouterr().err == "jitscope: interrupted\n"


def test_terminals_that_know_fewer_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(buffer, encoding="ascii"))
    Path("two.py").write_text("def two():\n    return 2\n\n\ntwo()\n")
    assert main(["bench", "two.py"]) == 0
    assert b"two" in buffer.getvalue()


def test_shares_in_percent(capsys: pytest.CaptureFixture[str]) -> None:
    Path("two.py").write_text("def two():\n    return 2\n\n\ntwo()\n")
    assert main(["coverage", "--strict", "0%", "two.py"]) == 0
    assert main(["coverage", "--strict", "90%", "two.py"]) == 1


CALLERS = """\
import numpy as np


def energy(x):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            s += abs(x[i] - x[j])
    return s


def all_of_them(many):
    return {name: energy(x) for name, x in many.items()}


all_of_them({"a": np.arange(200.0), "b": np.arange(300.0)})
"""


@needs_compiler
def test_callers_are_timed_with_decorated_functions_against_plain_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("callers.py").write_text(CALLERS)
    found = {one["name"]: one for one in data(capsys, "bench", "callers.py")["functions"]}
    assert found["all_of_them"]["plain"] > 5 * found["all_of_them"]["steady"]
