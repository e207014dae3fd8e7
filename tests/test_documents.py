"""What the README and the guides show is what comes: their programs run, the module is that of today.

The programs about gradients are in `gradients/test_documents.py`, the session's in `session/test_guide.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from same import same
from traces import check_document, names

import jitscope as js
from jitscope.runtime.config import Config

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
MODULE = re.compile(r"(?<=<!-- module -->\n)(.*?```python\n)(.*?)(?=```\n<!-- /module -->)", re.S)


def run(program: str, file: Path) -> dict[str, Any]:
    """The names that a program defines."""
    file.write_text(program)
    space: dict[str, Any] = {"np": np, "js": js}
    exec(compile(program, str(file), "exec"), space)
    return space


@pytest.fixture
def relax(tmp_path: Path) -> Callable[..., Any]:
    """The README's first program."""
    program = re.search(r"```python\n(.*?)```", README.read_text(), re.S)
    assert program is not None
    return run(program[1], tmp_path / "poisson.py")["relax"]


U, F = np.random.default_rng(0).normal(size=(2, 20, 30))


def test_the_readmes_program_gives_the_plain_answer(relax: Any) -> None:
    same(relax, U, F, 1e-3, 50)
    same(relax, U, F[:3], 1e-3, 50)
    assert "cluster_0: compiled\n    poisson.py, lines" in relax.explain(U, F, 1e-3, 50)
    assert "runs as Python" not in relax.explain(U, F, 1e-3, 50)


def test_the_readme_shows_the_module_that_is_generated(relax: Any, update_golden: bool) -> None:
    made = js.to_code(relax, U, F, 1e-3, 50, stage="module")
    text = README.read_text()
    shown = MODULE.search(text)
    assert shown is not None
    if update_golden and without_versions(shown[2]) != without_versions(made):
        README.write_text(text[: shown.start(2)] + made + text[shown.end(2) :])
        shown = MODULE.search(README.read_text())
        assert shown is not None
    assert without_versions(shown[2]) == without_versions(made), (
        "pytest tests/test_documents.py --update-golden"
    )


def without_versions(module: str) -> str:
    return re.sub(r"(?m)^versions: .*$", "", module)


def test_the_guide_to_scopes_compiles_what_its_comments_say(tmp_path: Path) -> None:
    step = run(program_of("jit_scope.md"), tmp_path / "scopes.py")["step"]
    a, b, c = np.random.default_rng(1).normal(size=(3, 4, 4))
    np.testing.assert_allclose(step(a, b, c), (a @ b) @ c + b, rtol=1e-12)
    report = step.get_concrete_function(a, b, c).report
    compiled = [operation.op for cluster in report.members for operation in cluster.nodes]
    assert sorted(compiled) == ["matmul", "matmul"]
    assert [left.line.text.strip() for left in report.left] == [
        "y = x @ c + b                    # the product is compiled, the sum is not"
    ]


def test_the_readme_names_every_variable_of_the_environment() -> None:
    table = set(re.findall(r"^\| `(JITSCOPE_[A-Z_]+)", README.read_text(), re.M))
    source = (ROOT / "runtime" / "config.py").read_text()
    assert table == set(re.findall(r'"(JITSCOPE_[A-Z_]+)"', source))
    assert Config({"JITSCOPE_DISABLE": "1"}).disable


def program_of(name: str) -> str:
    """The one Python program of a guide."""
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / name).read_text(), re.S)
    return str(program)


def test_the_guide_to_devices_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    step = run(program_of("devices.md"), tmp_path / "devices.py")["step"]
    shown = capsys.readouterr().out
    assert shown.startswith("['/job:localhost/replica:0/task:0/device:CPU:0', ")
    a, b = np.random.default_rng(2).normal(size=(2, 4, 3))
    np.testing.assert_allclose(step(a, b), (a * b + 1.0).sum(axis=0), rtol=1e-14)
    if "GPU" not in shown.replace("JIT_GPU", ""):
        assert "/device:GPU:0" in step.explain(a, b)  # what was moved, and why


def test_the_guide_to_seeing_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    calls = [tuple(pair) for pair in np.random.default_rng(3).normal(size=(2, 2, 3, 3))]
    f = js.function(lambda x, w: np.tanh(x @ w) + 1.0)
    space = {"js": js, "batches": calls, "model": f, "train": lambda f, calls: [f(*args) for args in calls]}
    exec(program_of("seeing.md"), space)
    document = json.loads((tmp_path / "timeline.ctf.json").read_text())
    check_document(document)
    assert len(names(document, "Function")) == 2
    assert names(document) == ["_JitLaunch"] * 2
