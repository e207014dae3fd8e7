"""The modules of all programs of the corpus: the same bytes each time, formatted and clean."""

from __future__ import annotations

import copy
import inspect
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from modules import header
from programs import PROGRAMS, Program

from jitscope.autograph.trace import trace
from jitscope.codegen.generate import generate
from jitscope.codegen.writer import WIDTH
from jitscope.graph.ir.nodes import Graph
from jitscope.graph.passes import run_passes

# Faults of the user's program, or of formatting it as one function: not of the generator's text.
IGNORED = "N,RET,UP,SIM,B,C4,RUF,PIE,F841,E501"


def graphs(program: Program) -> list[Graph]:
    """The graph of the program's first call, before and after the passes."""
    call = copy.deepcopy(program.calls[0])
    try:
        bound = inspect.signature(program.function).bind(*call.args, **call.kwargs)
        bound.apply_defaults()
        graph = trace(program.function, bound.arguments).graph
    except Exception:  # the function itself fails, or has to run plain: no graph
        return []
    return [graph, run_passes(graph)]


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """The modules of the corpus by name."""
    found = {}
    for program in PROGRAMS:
        for stage, graph in zip(("plain", "clustered"), graphs(program), strict=False):
            name = f"{stage}_{program}".replace("-", "_")
            found[name] = generate(graph, header(program.function.__name__)).text
            assert generate(graph, header(program.function.__name__)).text == found[name], name
    return found


def test_most_programs_have_a_module(texts):
    assert len(texts) > len(PROGRAMS)
    assert sum("@njit" in text for text in texts.values()) > 200


def test_modules_are_short_lines_of_python(texts):
    for name, text in texts.items():
        compile(text, name, "exec")
        kernels = text[: text.rindex("\ndef ")]
        assert all(len(line) <= WIDTH for line in kernels.splitlines()), name


def test_modules_are_formatted_and_clean(texts, tmp_path: Path):
    ruff = shutil.which("ruff") or shutil.which("ruff", path=str(Path(sys.executable).parent))
    if ruff is None:
        pytest.skip("ruff is not installed")
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    ours = "lint.isort.known-first-party = ['jitscope']"
    settings = ["--isolated", "--config", f"line-length = {WIDTH}", "--config", ours]
    formatted = subprocess.run(
        [ruff, "format", "--diff", *settings, tmp_path], capture_output=True, text=True
    )
    assert formatted.returncode == 0, formatted.stdout[:4000]
    checked = subprocess.run(
        [ruff, "check", "--select", "E,F,W,I", "--ignore", IGNORED, *settings, tmp_path],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout[:4000]
