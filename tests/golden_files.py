"""Golden files: texts with sections, `[name]` on a line of its own, that are compared or written anew.

The first sections are the test's input, the others what becomes of it. With `--update-golden` the second
kind is rewritten; otherwise a section that differs, is missing or is one too many fails.
"""

from __future__ import annotations

import difflib
import linecache
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent / "golden"
HEADING = re.compile(r"^\[([a-z]+)\]\n", re.MULTILINE)


def files(folder: str) -> list[Path]:
    """The golden files of one folder of `golden/`."""
    return sorted((FOLDER / folder).glob("*.txt"))


def read(path: Path) -> dict[str, str]:
    """The sections of a golden file, in order."""
    before, *rest = HEADING.split(path.read_text(encoding="utf-8"))
    assert not before.strip(), f"{path.name} starts with no section"
    names, bodies = rest[::2], rest[1::2]
    assert len(set(names)) == len(names), f"{path.name} has a section twice"
    return {name: body.rstrip("\n") + "\n" for name, body in zip(names, bodies, strict=True)}


def compare(path: Path, actual: dict[str, str], update: bool) -> None:
    """Compare a golden file with what its sections are now, or rewrite it."""
    actual = {name: body.rstrip("\n") + "\n" for name, body in actual.items()}
    if update:
        text = "\n".join(f"[{name}]\n{body}" for name, body in actual.items())
        path.write_text(text, encoding="utf-8")
        return
    expected = read(path)
    for name, body in actual.items():
        before = expected.get(name, "")
        changes = "\n".join(difflib.unified_diff(before.splitlines(), body.splitlines(), lineterm="", n=0))
        assert body == before, f"[{name}] of {path.name}; `make golden` writes it anew\n{changes}"
    assert list(expected) == list(actual), f"{path.name} has other sections than {list(actual)}"


class Case:
    """The function of a golden file, under the file's name, and the arguments of its `[call]`."""

    def __init__(self, path: Path) -> None:
        sections = read(path)
        self.inputs = {name: sections[name] for name in ("function", "call")}
        source = self.inputs["function"]
        filename = f"{path.stem}.py"
        linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
        self.names: dict[str, Any] = {"__name__": path.stem}
        exec(compile(source, filename, "exec"), self.names)
        self.function: Callable[..., Any] = self.names[path.stem]

    def arguments(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Fresh arguments."""
        called = {"np": np, **self.names, self.names["__name__"]: lambda *args, **kwargs: (args, kwargs)}
        args, kwargs = eval(self.inputs["call"], called)
        return args, kwargs
