"""The programs in the documents run."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

import jitscope as js

ROOT = Path(__file__).resolve().parent.parent.parent


def blocks(name: str, heading: str) -> list[str]:
    """The Python programs under a heading of a document."""
    text = (ROOT / name).read_text()
    section = re.search(rf"^{heading}\n(.*?)(?=^#|\Z)", re.sub(r"(?m)^(?=    #)", " ", text), re.M | re.S)
    assert section is not None
    return re.findall(r"```python\n(.*?)```", section[1], re.S)


def test_readme(tmp_path, monkeypatch):
    (program,) = blocks("README.md", "## Gradients")
    file = tmp_path / "readme_gradients.py"
    file.write_text(program)
    space = {"np": np, "js": js}
    exec(compile(program, str(file), "exec"), space)
    pendulum, params = space["pendulum"], space["params"]
    assert space["value"] == pendulum(0.3, params, 1000)
    h = 1e-5
    for name in params:
        up, down = ({**params, name: params[name] + d} for d in (h, -h))
        slope = (pendulum(0.3, up, 1000) - pendulum(0.3, down, 1000)) / (2 * h)
        assert abs(space["slopes"][name] - slope) < 1e-6 * (1 + abs(slope))
        assert type(space["slopes"][name]) is float


def test_guide(tmp_path):
    (network,) = blocks("docs/derivatives.md", "# Derivatives")
    rng = np.random.default_rng(0)
    params = [(rng.normal(size=(3, 4)), np.zeros(4)), (rng.normal(size=(4, 1)), np.zeros(1))]
    space = {"np": np, "js": js, "params": params, "x": rng.normal(size=(5, 3)), "y": np.zeros((5, 1))}
    file = tmp_path / "guide.py"
    file.write_text(network)
    exec(compile(network, str(file), "exec"), space)
    assert [[part.shape for part in pair] for pair in space["step"]] == [[(3, 4), (4,)], [(4, 1), (1,)]]
    (custom,) = blocks("docs/derivatives.md", "## What can't be followed")
    file = tmp_path / "custom.py"
    file.write_text(custom)
    exec(compile(custom, str(file), "exec"), space)
    assert js.grad(space["log1pexp"])(0.0) == 0.5
