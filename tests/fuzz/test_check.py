"""Programs whose results hang on last bits are told from wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from same import observe

from fuzz.check import margin, wavers


def _wavers(f: Callable[..., Any], *args: Any) -> bool:
    expected = observe(f, (args, {}))
    return wavers(f, args, expected, margin(expected))


ALIKE = np.full(4096, 1.5, np.float32)


def test_a_remainder_of_a_sum_hangs_on_moves_that_all_go_one_way() -> None:
    def f(x: Any) -> Any:
        return np.float32(np.exp(x).astype(float).sum() % 10)

    assert _wavers(f, ALIKE)


@pytest.mark.parametrize("size", [1, 1000])
def test_plain_sums_and_products_do_not(size: int) -> None:
    def f(x: Any) -> Any:
        return np.exp(x[:size]).sum(), x[:size] * 3, (x[:size] > 1).sum()

    assert not _wavers(f, ALIKE)
