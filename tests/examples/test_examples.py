"""The examples' functions on small inputs, and what their reports say."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"


@pytest.fixture(autouse=True)
def _examples_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))


def load(name: str) -> ModuleType:
    """An example as a module; skipped where its data package is not installed."""
    pytest.importorskip("PIL")
    pytest.importorskip("sklearn")
    return importlib.import_module(name)


def small_inputs(name: str) -> tuple[Any, ...]:
    rng = np.random.default_rng(5)
    if name == "mandelbrot":
        return (-2.2, 1.2, 3.2 / 24, 24, 18, 30)
    if name == "denoise":
        return (rng.random((17, 23)), 0.12, 1.0, 0.2, 0.001, 40)
    return (rng.random((31, 64)), rng.normal(size=(64, 10)), rng.normal(size=10))


@pytest.mark.parametrize(
    ("name", "function", "atol"),
    [("mandelbrot", "mandelbrot", 0.0), ("denoise", "denoise", 0.0), ("digits_softmax", "predict", 1e-15)],
)
def test_decorated_function_gives_the_plain_answer(name: str, function: str, atol: float) -> None:
    module, args = load(name), small_inputs(name)
    expected = getattr(module, function)(*args)
    for _ in range(2):
        assert load("report").difference(expected, module.fast(*args)) <= atol


def test_lstm_cell_and_its_training_step(capsys: pytest.CaptureFixture[str]) -> None:
    module = load("lstm")
    xs, ys = module.waves()
    state = [np.full((module.BATCH, module.SIZE), value, np.float32) for value in (0.1, -0.2)]
    args, weights = (xs[0], *state, *module.weights()), module.weights()
    gap = load("report").difference
    for _ in range(2):
        assert gap(module.cell(*args), module.fast_cell(*args)) <= 1e-6
        step = (*weights, xs, ys, np.float32(0.5))
        assert gap(module.step_by_hand(*step), module.fast_step(*step)) <= 1e-5
    (cell,) = module.fast_cell.specializations
    assert cell.text.count("@njit") == 1
    assert " @ " not in cell.text.partition("def cell(")[2]
    report = module.fast_step.explain(*step)
    assert "runs as Python" not in report
    with pytest.raises(SystemExit, match="another answer"):
        module.report_rest(1.0, 1e-6, module.fast_cell)
    assert "generated module" in capsys.readouterr().out


def test_denoiser_stops_by_itself_and_leaves_the_photograph_alone() -> None:
    module, (image, *rest) = load("denoise"), small_inputs("denoise")
    kept = image.copy()
    _, steps = module.fast(image, *rest)
    assert 1 < steps < 40
    assert np.array_equal(image, kept)


def test_every_example_is_in_the_demo() -> None:
    written = {path.stem for path in EXAMPLES.glob("*.py")} - {"report"}
    text = (EXAMPLES.parent / "Makefile").read_text()
    listing = next(line for line in text.splitlines() if line.startswith("EXAMPLES"))
    reported = re.findall(r"jitscope report .* examples/(\w+)\.py", text)
    assert {*listing.partition(":=")[2].split(), *reported} == written


def test_the_script_that_the_demo_reports_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script, report = EXAMPLES / "gray_scott.py", tmp_path / "report.html"
    command = [sys.executable, "-m", "jitscope", "report", "--json", "-o", str(report), str(script), "24"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    plain = subprocess.run([sys.executable, str(script), "24"], capture_output=True, text=True, check=True)
    assert done.stderr == plain.stdout
    assert json.loads(done.stdout)["share"] > 0.8
    assert "np.roll(u, 1, 0)" in report.read_text()


@pytest.mark.parametrize(
    ("left", "right", "gap"),
    [
        (np.arange(3.0), np.arange(3.0), 0.0),
        (np.array([0.0]), np.array([-0.0]), 5e-324),
        (np.array([1.0, 2.0]), np.array([1.0, 2.5]), 0.5),
        (np.arange(3.0), np.arange(3), np.inf),
        ((1, 2.0), (1, 2.0), 0.0),
        ((1, 2.0), (1, np.float64(2.0)), np.inf),
        ((1,), (1, 2), np.inf),
    ],
)
def test_difference_is_zero_only_for_equal_bits(left: Any, right: Any, gap: float) -> None:
    assert load("report").difference(left, right) == gap


def test_report_refuses_another_answer(capsys: pytest.CaptureFixture[str]) -> None:
    def plain(x: float) -> float:
        return x + 1.0

    class Wrong:
        specializations = (SimpleNamespace(path="somewhere"),)

        def __call__(self, x: float) -> float:
            return x + 2.0

    with pytest.raises(SystemExit, match="another answer"):
        load("report").compare("sum", plain, Wrong(), (1.0,))
    assert "largest difference 1.0e+00" in capsys.readouterr().out


def test_pictures_are_written_as_png(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = load("report")
    monkeypatch.setattr(report, "OUT", tmp_path / "out")
    report.save("grey.png", np.zeros((4, 6), np.uint8))
    assert (tmp_path / "out" / "grey.png").read_bytes().startswith(b"\x89PNG")
