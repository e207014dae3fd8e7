"""A specialisation from disk speaks of the lines where the function stands now."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from same import IDENTITY

import jitscope as js

pytestmark = pytest.mark.skipif(IDENTITY, reason="asks the compiler about itself")

HELPER = """
def helper(x):
    return np.sin(x) * 2.0 + x * x
"""
SHARED = """
def shared(x, n):
    out = []
    for k in range(n):
        out.append(str(k))
    y = helper(x) + 1.0
    return y * y - len(out)
"""
HEAD = "import numpy as np\n"
COMMENTED = SHARED.replace("    y =", "    # a comment\n\n    y =")


def loaded(path: Path, text: str) -> Any:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def explained(function: Callable[..., Any]) -> tuple[str, bool]:
    """What `explain` says, without where the module comes from, and whether that is the disk."""
    decorated = js.function(function)
    decorated(np.ones(5), 3)
    said = re.sub(r"^  module: .*\n", "", decorated.explain(), flags=re.MULTILINE)
    return said, decorated.specializations[0].from_disk


@pytest.mark.parametrize(
    "moved",
    [
        HEAD + HELPER + SHARED,
        HEAD + SHARED + "\n\n\n" + HELPER,
        HEAD + "\n# comment\n" * 9 + HELPER + COMMENTED,
        HEAD + HELPER.replace("    return", "    # why\n    return") + SHARED,
    ],
    ids=["another file", "another order", "comments", "comments in a helper"],
)
def test_lines_are_those_of_the_function_that_is_called(
    moved: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(js.config, "cache_dir", str(tmp_path / "cache"))
    _, stored = explained(loaded(tmp_path / "first.py", HEAD + HELPER + SHARED).shared)
    assert not stored
    found, stored = explained(loaded(tmp_path / "second.py", moved).shared)
    assert stored
    monkeypatch.setattr(js.config, "cache_dir", str(tmp_path / "empty"))
    made, stored = explained(loaded(tmp_path / "second.py", moved).shared)
    assert not stored
    assert found == made
    assert "second.py" in found and "first.py" not in found


def test_carets_follow_the_indentation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(js.config, "cache_dir", str(tmp_path / "cache"))
    explained(loaded(tmp_path / "first.py", HEAD + HELPER + SHARED).shared)
    inside = (
        HEAD + HELPER + "if True:\n" + SHARED.strip("\n").replace("\n", "\n    ").replace("def", "    def", 1)
    )
    found, stored = explained(loaded(tmp_path / "second.py", inside).shared)
    assert stored
    monkeypatch.setattr(js.config, "cache_dir", str(tmp_path / "empty"))
    assert found == explained(loaded(tmp_path / "second.py", inside).shared)[0]
