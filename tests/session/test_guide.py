"""The programs of docs/sessions.md run, and show what they say."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

import jitscope as js

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "sessions.md"


def test_the_guide_runs(capsys):
    first, second = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), flags=re.DOTALL)
    space: dict[str, object] = {}
    exec(compile(first, str(GUIDE), "exec"), space)
    assert np.isfinite(space["value"])
    space["session"] = js.Session(config=space["config"])
    exec(compile(second, str(GUIDE), "exec"), space)
    shown = capsys.readouterr().out
    assert "cluster_0: compiled\n    matmul, add" in shown
    assert "def plan(x, w, b):" in shown
    said = re.search(r"# (\{.*\})", second)
    assert said is not None
    assert space["session"].clusters(space["y"], {space["x"]: space["images"]}) == eval(said[1])
