"""What modules for a GPU look like, against the files of `golden/cuda`; no GPU is needed to write them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import golden_files
import pytest

import jitscope as js
from jitscope.runtime import devices

FILES = golden_files.files("cuda")
ROOT = Path(__file__).resolve().parent.parent.parent
HEADER = re.compile(r"^(versions|key): .*\n", re.MULTILINE)


@pytest.fixture(autouse=True)
def one_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine has a GPU, as far as placement is concerned."""
    monkeypatch.setattr(devices, "gpu_count", lambda: 1)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_modules_for_a_gpu(path: Path, update_golden: bool) -> None:
    case = golden_files.Case(path)
    args, kwargs = case.arguments()
    own = "js.device" in case.inputs["function"]
    fast = js.function(case.function, device=None if own else "/gpu:0")
    module = HEADER.sub("", js.to_code(fast, *args, stage="module", **kwargs))
    golden_files.compare(path, {**case.inputs, "module": module}, update_golden)


def test_they_are_formatted_and_clean(tmp_path: Path) -> None:
    assert len(FILES) >= 4
    for path in FILES:
        (tmp_path / f"{path.stem}.py").write_text(golden_files.read(path)["module"], encoding="utf-8")
    for command in (["format", "--check", "--diff"], ["check", "--ignore", "N,RET504,B007"]):
        whole = [
            sys.executable,
            "-m",
            "ruff",
            *command,
            "--no-cache",
            "--config",
            str(ROOT / "pyproject.toml"),
            ".",
        ]
        done = subprocess.run(whole, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
