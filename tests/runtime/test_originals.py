"""What stands for NumPy's module in a driver: originals, and names that are looked up at each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitscope.runtime.originals import pin


def driver(live: set[str]) -> tuple[dict[str, Any], Callable[[Any], Any]]:
    """The names of a module with one driver, and the driver."""
    space: dict[str, Any] = {"np": np}
    exec("def driver(x):\n    return np.negative(np.floor(x)) + np.linalg.norm(x)", space)
    pin(space, live)
    return space, space["driver"]


@pytest.mark.parametrize("live", [set(), {"negative"}, {"negative", "floor", "linalg", "norm"}])
def test_a_driver_finds_originals_but_for_what_is_looked_up(
    live: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, call = driver(live)
    x = np.array([1.5, 2.5])
    assert list(call(x)) == list(np.negative(np.floor(x)) + np.linalg.norm(x))
    monkeypatch.setattr(np, "negative", lambda x: x * 0)
    expected = np.floor(x) * (0 if "negative" in live else -1)
    assert list(call(x)) == list(expected + np.linalg.norm(x))


def test_a_name_that_is_gone_is_missed_where_it_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    _, looking = driver({"floor"})
    _, knowing = driver(set())
    monkeypatch.delattr(np, "floor")
    assert knowing(np.ones(2))[0] > 0
    with pytest.raises(AttributeError, match="floor"):
        looking(np.ones(2))


def test_no_name_takes_the_way_of_an_exception() -> None:
    """Python asks a module's `__getattr__` only when it has raised and caught an exception."""
    space, _ = driver({"negative"})
    assert "__getattr__" not in vars(space["np"])
