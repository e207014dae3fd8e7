"""The LSTM cell of `examples/lstm.py`: one call of it, and a training step through twenty time steps."""

from __future__ import annotations

import importlib
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from measure import Row, faster
from timing import take_turns

sys.path.append(str(Path(__file__).resolve().parent.parent / "examples"))
example: Any = importlib.import_module("lstm")


def recurrent() -> list[Row]:
    """Plain NumPy against decorated, then a gradient by hand in NumPy against `value_and_grad`."""
    xs, ys = example.waves()
    weights, state = example.weights(), [np.zeros((example.BATCH, example.SIZE), np.float32)] * 2
    rows = []
    for what, plain, fast, args, number, at_least in (
        ("a call", example.cell, example.fast_cell, (xs[0], *state, *weights), 200, 5),
        (
            "a training step through 20 time steps, the gradient by hand in NumPy",
            example.step_by_hand,
            example.fast_step,
            (*weights, xs, ys, np.float32(0.5)),
            10,
            8,
        ),
    ):
        for left, right in zip(plain(*args), fast(*args), strict=True):
            np.testing.assert_allclose(left, right, rtol=1e-5, atol=1e-6)
        rivals = {"ours": partial(fast, *args), "plain": partial(plain, *args)}
        best = take_turns(rivals, repeats=100, number=number)
        title = f"LSTM cell, input, hidden and batch 10, float32: {what}"
        rows.append(faster(title, best["ours"], best["plain"], at_least))
    return rows
