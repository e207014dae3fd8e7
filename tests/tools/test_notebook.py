"""The magic in IPython and in notebooks: cells do what they do without it, and show what became of them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
from IPython.core.interactiveshell import InteractiveShell  # noqa: E402
from IPython.utils.capture import capture_output  # noqa: E402
from nbclient import NotebookClient  # noqa: E402

from jitscope.runtime.config import config  # noqa: E402

CELL = """\
import numpy as np

def smooth(x, n):
    for _ in range(n):
        x = 0.5 * (x + np.roll(x, 1))
    return x

class Model:
    def energy(self, u):
        total = 0.0
        for i in range(len(u)):
            total += u[i] ** 2
        return total

x = np.linspace(0, 1, 500)
y = smooth(x, 50)
print("sum", round(float(y.sum()), 9))
Model().energy(y) > 0
"""


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    made = InteractiveShell.instance()
    made.history_manager.enabled = False
    made.run_line_magic("load_ext", "jitscope")
    yield made
    InteractiveShell.clear_instance()


def ran(shell: Any, cell: str) -> Any:
    """What a cell shows; it must not raise."""
    with capture_output() as seen:
        result = shell.run_cell(cell)
    result.raise_error()
    return seen, result


def test_a_cell_does_what_it_does_without_the_magic(shell: Any) -> None:
    seen, _ = ran(shell, CELL)
    expected = seen.stdout
    seen, _ = ran(shell, f"%%jitscope\n{CELL}")
    assert seen.stdout == expected
    assert "True" in seen.stdout
    (item,) = shell.user_ns["smooth"].specializations
    assert item.clusters
    assert shell.user_ns["Model"].energy.specializations
    assert config.log == frozenset()


def test_functions_that_stay_can_be_called_from_other_cells(shell: Any) -> None:
    ran(shell, f"%%jitscope -a\n{CELL}")
    ran(shell, "z = smooth(x[1:], 5)\nassert len(smooth.specializations) == 1")
    assert hasattr(shell.user_ns["smooth"], "__jitscope__")
    assert "recording" not in shell.user_ns["smooth"].__code__.co_name
    seen, _ = ran(shell, "print(smooth.explain(x, 3))")
    assert "x = 0.5 * (x + np.roll(x, 1))" in seen.stdout


def test_the_report_of_a_cell(shell: Any) -> None:
    seen, _ = ran(shell, f"%%jitscope -a\n{CELL}")
    shown = [output.data.get("text/html", "") for output in seen.outputs]
    (frame,) = [text for text in shown if text.startswith("<iframe")]
    assert "sandbox" in frame
    assert "The cell ran for" in frame
    assert "The cell</h2>" in unescape(frame)
    assert "<script" not in frame
    assert "x = 0.5 * (x + np.roll(x, 1))" in frame
    assert frame.count("<iframe") == 1


def test_chosen_functions(shell: Any) -> None:
    ran(shell, f"%%jitscope --functions Model.energy\n{CELL}")
    assert not hasattr(shell.user_ns["smooth"], "__jitscope__")
    assert hasattr(shell.user_ns["Model"].energy, "__jitscope__")


@pytest.mark.parametrize(
    ("line", "cell", "error", "said"),
    [
        ("--fly", "x = 1", "Misused", "unrecognized arguments: --fly"),
        ("--functions nobody", "def f():\n    return 1", "Misused", "the cell has no function nobody"),
        ("", "async def f():\n    await g()\n\nawait f()", "Misused", "line 4 waits outside of a function"),
        ("", "def f(:\n", "SyntaxError", "invalid syntax"),
        ("", "def f(x):\n    return x[5]\n\nf([1])", "IndexError", "list index out of range"),
        ("-a --strict", "def f(x):\n    return eval('x')\n\nf(1)", "JitscopeError", "can't be compiled"),
        ("--strict", "def f(x):\n    return eval('x')\n\nf(1)", "JitscopeError", "can't be compiled"),
    ],
)
def test_what_cells_raise(shell: Any, line: str, cell: str, error: str, said: str) -> None:
    with capture_output():
        result = shell.run_cell(f"%%jitscope {line}\n{cell}")
    raised = result.error_in_exec or result.error_before_exec
    assert type(raised).__name__ == error
    assert said in str(raised)
    assert config.log == frozenset()


def test_functions_show_themselves(shell: Any) -> None:
    ran(shell, f"%%jitscope\n{CELL}\ndef later(x):\n    return x\n\ndef plain(x):\n    yield x")
    show = shell.display_formatter.formatters["text/html"]
    names = shell.user_ns
    assert "compiled, 1 kernel" in show(names["smooth"])
    assert "x: f64[:], n: int" in show(names["smooth"])
    assert show(names["later"]) == "<code>later</code> is decorated, and has not been called yet"
    assert "runs as plain Python" in show(names["plain"])
    assert show(ran) is None
    (item,) = names["smooth"].specializations
    assert "<summary>the generated module</summary>" in show(item)
    assert "smooth: " in show(names["smooth"].coverage(names["x"], 3))


def test_a_notebook_and_the_same_one_again(tmp_path: Path) -> None:
    """A new kernel finds on disk what the cell before it has compiled."""
    cells = [
        nbformat.v4.new_code_cell("%load_ext jitscope"),
        nbformat.v4.new_code_cell(f"%%jitscope -a --no-times\n{CELL}"),
        nbformat.v4.new_code_cell("smooth"),
        nbformat.v4.new_code_cell("print([item.from_disk for item in smooth.specializations])"),
    ]
    environment = {**os.environ, "JITSCOPE_CACHE_DIR": str(tmp_path / "cache")}
    for from_disk in (False, True):
        notebook = nbformat.v4.new_notebook(cells=json.loads(json.dumps(cells)))
        notebook = nbformat.from_dict(notebook)
        NotebookClient(notebook, timeout=100, resources={"metadata": {"path": str(tmp_path)}}).execute(
            env=environment
        )
        shown = [output for cell in notebook.cells for output in cell.outputs]
        texts = [output.text for output in shown if output.output_type == "stream"]
        assert texts[-1] == f"[{from_disk}]\n"
        pages = [output.data["text/html"] for output in shown if "text/html" in output.get("data", {})]
        assert any(page.startswith("<iframe") for page in pages)
        assert any("<table>" in page and "compiled, 1 kernel" in page for page in pages)
        assert not any("jitscope: " in page for page in pages)  # what was told meanwhile is gone
