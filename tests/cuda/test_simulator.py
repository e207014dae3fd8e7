"""Programs on a simulated GPU give what NumPy gives: results, written arguments, exceptions.

The simulator runs kernels as Python, in one process for all programs (`gpu_simulated.py`).
"""

from __future__ import annotations

from typing import Any

import pytest
from gpu_outcomes import LIMIT, simulated
from gpu_programs import CASES

pytestmark = pytest.mark.timeout(LIMIT + 20)


@pytest.fixture(scope="session")
def outcomes() -> dict[str, dict[str, Any]]:
    """What `gpu_simulated.py` says of each program."""
    return simulated()


@pytest.mark.parametrize("name", CASES)
def test_programs_on_a_simulated_gpu(name: str, outcomes: dict[str, dict[str, Any]]) -> None:
    found = outcomes[name]
    assert not found["difference"], found["difference"] + "\n" + found["text"]
    assert not found["plain"]
    least = CASES[name].kernels
    assert found["kernels"] >= least if least else found["kernels"] == 0, found["text"]


def test_a_session_on_a_simulated_gpu(outcomes: dict[str, dict[str, Any]]) -> None:
    found = outcomes["session"]
    assert not found["difference"]
    assert found["clusters"] >= 2
    assert "tiled" in found["launched"]  # the product, and its gradient


def test_what_stays_on_the_cpu_has_a_reason(outcomes: dict[str, dict[str, Any]]) -> None:
    reasons = {
        "a_recurrence": "runs on the CPU: its iterations may meet in one element of x",
        "what_the_gpu_has_not": "runs on the CPU: fmod of float64, float64 has no form for the GPU",
        "nothing_for_the_gpu": "has no compiled form",
    }
    for name, reason in reasons.items():
        assert reason in outcomes[name]["explain"]


def test_functions_of_both_machines_are_told_apart(outcomes: dict[str, dict[str, Any]]) -> None:
    text = outcomes["functions_in_both_places"]["text"]
    assert "functions import tanh as gpu_tanh\n" in text and "vecmath import cos, tanh\n" in text
    assert "y[i] = gpu_tanh(x[i] * 0.5) * gpu_cos(x[i])  # y = np.tanh(x * 0.5) * np.cos(x)" in text


def test_every_scope_is_a_kernel_of_its_own_where_nothing_may_be_compiled(outcomes: dict[str, Any]) -> None:
    assert outcomes["chain"]["kernels"] == 1
    assert outcomes["uncompiled_operations"]["kernels"] == 2


@pytest.mark.parametrize("name", ["mandelbrot", "digits_softmax", "denoise"])
def test_examples_on_a_simulated_gpu(name: str, outcomes: dict[str, dict[str, Any]]) -> None:
    found = outcomes[f"example_{name}"]
    assert not found["difference"], found["difference"]
    assert found["kernels"]
