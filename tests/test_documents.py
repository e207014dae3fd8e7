"""What the README and the guides show is what comes: their programs run, the module is that of today.

The programs about gradients are in `gradients/test_documents.py`, the session's in `session/test_guide.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from same import same

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
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "jit_scope.md").read_text(), re.S)
    step = run(program, tmp_path / "scopes.py")["step"]
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
