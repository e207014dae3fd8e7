"""What a case of the corpus is: a function as its author wrote it, and makers of arguments of two sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Maker = Callable[[], tuple[Any, ...]]


@dataclass(frozen=True)
class Case:
    """`natural` takes the plain function 1 to 50 ms; `tiny` is what somebody would try it with first."""

    function: Callable[..., Any]
    natural: Maker
    tiny: Maker
    ulp: int = 0
    """Units in the last place that may differ: the function uses `exp` and the like, perhaps many times."""
    atol: float = 0.0
    slow: bool = False
    """It is compiled for long: its tests use the tiny size alone."""

    def measured(self) -> tuple[Any, ...]:
        """The arguments that its coverage is measured with."""
        return self.tiny() if self.slow else self.natural()

    @property
    def name(self) -> str:
        """Its theme and its own name."""
        return f"{self.function.__module__.rpartition('.')[2]}-{self.function.__qualname__}"


def random(seed: int = 0) -> np.random.Generator:
    """A generator of random numbers for data."""
    return np.random.default_rng(seed)
