"""What `explain` says of the programs that the README and the guides show, each on one screen."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import golden_files
import numpy as np
import pytest
from same import IDENTITY

import jitscope as js

pytestmark = pytest.mark.skipif(IDENTITY, reason="asks the compiler about itself")

ROOT = Path(__file__).resolve().parent.parent
LINES, COLUMNS = 24, 100
MODULE = re.compile(r"^  module: .*\n", re.MULTILINE)


def program(guide: str, holds: str) -> str:
    """The Python program of a guide that holds this text."""
    fenced = re.findall(r"```python\n(.*?)```", (ROOT / guide).read_text(), re.S)
    (found,) = (text for text in fenced if holds in text)
    return str(found)


def run(text: str, file: Path, **names: Any) -> dict[str, Any]:
    """The names that a program defines."""
    file.write_text(text)
    space: dict[str, Any] = {"np": np, "js": js, "__name__": file.stem, **names}
    exec(compile(text, str(file), "exec"), space)
    return space


def relax(folder: Path) -> str:
    f = run(program("README.md", "def relax(u, f, tol, max_iter):\n    for"), folder / "poisson.py")["relax"]
    return str(f.explain(np.ones((8, 9)), np.zeros((8, 9)), 1e-3, 50))


def pendulum(folder: Path) -> str:
    space = run(program("README.md", "def pendulum"), folder / "pendulum.py")
    return str(js.value_and_grad(space["pendulum"], argnums=1).explain(0.3, space["params"], 1000))


def layers(folder: Path) -> str:
    params, x, y = [(np.ones((3, 3)), np.ones(3))] * 2, np.ones((4, 3)), np.zeros((4, 3))
    space = run(program("docs/derivatives.md", "def loss"), folder / "layers.py", params=params, x=x, y=y)
    return str(js.grad(space["loss"]).explain(params, x, y))


def own_rule(folder: Path) -> str:
    f = run(program("docs/derivatives.md", "custom_gradient"), folder / "own_rule.py")["log1pexp"]
    return str(js.grad(f).explain(1.0))


def devices(folder: Path) -> str:
    text = program("docs/devices.md", "list_devices").replace("/gpu:0", "/gpu:7")  # which is nowhere
    return str(run(text, folder / "devices.py")["step"].explain(np.ones((4, 3)), np.ones((4, 3))))


def scopes(folder: Path) -> str:
    a = np.ones((4, 4))
    return str(run(program("docs/jit_scope.md", "def step"), folder / "scopes.py")["step"].explain(a, a, a))


def trained(folder: Path) -> str:
    """A function as docs/seeing.md traces."""
    text = "def model(x, w):\n    return np.tanh(x @ w) + np.sort(x, axis=0)\n"
    return str(
        js.function(run(text, folder / "seeing.py")["model"]).explain(np.ones((3, 3)), np.ones((3, 3)))
    )


def session(folder: Path) -> str:
    space = run(program("docs/sessions.md", "placeholder"), folder / "digits.py")
    session = js.Session(config=space["config"])
    fed = {space["x"]: space["images"], space["y_"]: space["labels"]}
    return str(session.explain([space["train_step"], space["loss"]], fed))


PROGRAMS = [relax, pendulum, layers, own_rule, devices, scopes, trained, session]


@pytest.mark.parametrize("explained", PROGRAMS, ids=lambda f: f.__name__)
def test_a_program_of_a_guide_is_explained_on_one_screen(
    explained: Callable[[Path], str], tmp_path: Path, update_golden: bool
) -> None:
    said = explained(tmp_path)
    path = golden_files.FOLDER / "guides" / f"{explained.__name__}.txt"
    golden_files.compare(path, {"explain": MODULE.sub("", said)}, update_golden)
    lines = said.splitlines()
    assert len(lines) <= LINES
    assert all(len(line) <= COLUMNS for line in lines if not line.startswith("  module: "))
