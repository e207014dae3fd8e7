"""Programs whose results hang on last bits are told from wrong ones; what differs after a raise is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from same import observe

from fuzz.check import Report, agrees, check, margin, wavers


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


PROGRAM = """
import numpy as np

SIGNATURE, SIZES, SEED, DIFFERENTIABLE = {"x": "float64 n"}, ({"n": 9}, {"n": 5}, {"n": 7}), 1, True

def program(x):
    return float(x @ x)
"""


@pytest.mark.parametrize("unstable", [0, 1])
def test_gradients_of_a_program_that_hangs_on_last_bits_are_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unstable: int
) -> None:
    def values(f: Any, calls: Any, report: Report, brief: bool) -> bool:
        report.unstable = unstable
        return True

    monkeypatch.setattr("fuzz.check._values", values)
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    assert check(path).gradient == ("hangs on last bits" if unstable else "checked")


def _raises(x: Any) -> None:
    x[0] = 1.0
    raise ValueError(f"one of {len(x)}")


def _writes_more(x: Any) -> None:
    x[:] = 1.0
    raise ValueError(f"one of {len(x)}")


def _says_other_things(x: Any) -> None:
    x[0] = 1.0
    raise ValueError("two")


def _raises_another_type(x: Any) -> None:
    x[0] = 1.0
    raise KeyError(f"one of {len(x)}")


def _names_an_object(x: Any) -> None:
    raise TypeError(f"not an array: {object()}")


def _names_a_sum(x: Any) -> None:
    raise ValueError(f"a sum of {x.sum() * 1.1}")


def _names_it_in_another_order(x: Any) -> None:
    raise ValueError(f"a sum of {(x * 1.1)[::-1].sum()}")


@pytest.mark.parametrize(
    ("plain", "other", "kind"),
    [
        (_raises, _raises, ""),
        (_raises, _writes_more, "exception: argument of ValueError"),
        (_raises, _says_other_things, "exception: text of ValueError"),
        (_raises, _raises_another_type, "exception: ValueError or KeyError"),
        (_raises, abs, "exception: ValueError or NoneType"),
        (abs, _raises, "exception: NoneType or ValueError"),
        (_names_an_object, _names_an_object, ""),
        (_names_a_sum, _names_it_in_another_order, ""),
    ],
)
def test_what_is_raised_and_what_was_written_before_are_the_plain_function_s(
    plain: Callable[..., Any], other: Callable[..., Any], kind: str
) -> None:
    report = Report()
    assert agrees("first call", plain, other, (np.linspace(0.1, 2.3, 9),), report) is not bool(kind)
    assert (report.status, report.kind) == ("wrong" if kind else "right", kind)
