"""What a program of the corpus is, and arrays to call programs with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from same import Tolerance


@dataclass(frozen=True)
class Args:
    """The positional and keyword arguments of one call."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Program:
    """A plain function, the calls to compare, and what is expected of the compiler."""

    theme: str
    function: Callable[..., Any]
    calls: tuple[Args, ...]
    tolerance: Tolerance
    compiled: bool | None
    reset: Callable[[], None] | None
    name: str

    def __str__(self) -> str:
        return f"{self.theme}-{self.name}"


class Theme:
    """The programs of one file."""

    def __init__(self, module: str) -> None:
        self.name = module.rpartition(".")[2]
        self.programs: list[Program] = []

    def add(
        self,
        function: Callable[..., Any],
        *calls: tuple[Any, ...] | Args,
        ulp: int = 0,
        atol: float = 0.0,
        compiled: bool | None = None,
        reset: Callable[[], None] | None = None,
        name: str = "",
    ) -> None:
        """Add one program; `compiled` says whether it must (True) or can't (False) have a compiled part."""
        shown = tuple(call if isinstance(call, Args) else Args(call) for call in calls or ((),))
        name = name or function.__name__
        tolerance = Tolerance(ulp, atol)
        self.programs.append(Program(self.name, function, shown, tolerance, compiled, reset, name))


def with_kwargs(*args: Any, **kwargs: Any) -> Args:
    """Arguments of one call, with keywords."""
    return Args(args, kwargs)


def numbers(
    *shape: int, dtype: Any = np.float64, seed: int = 0, low: float = -2.0, high: float = 2.0
) -> np.ndarray:
    """Arbitrary but fixed numbers of a dtype."""
    rng = np.random.default_rng(seed + 17)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.random(shape) < 0.5
    if kind == "c":
        return (rng.uniform(low, high, shape) + 1j * rng.uniform(low, high, shape)).astype(dtype)
    if kind == "f":
        return rng.uniform(low, high, shape).astype(dtype)
    start = 0 if kind == "u" else -9
    return rng.integers(start, 10, shape).astype(dtype)


def floats(*values: float) -> np.ndarray:
    """A float64 array of these values."""
    return np.array(values, np.float64)


def ints(*values: int) -> np.ndarray:
    """An int64 array of these values."""
    return np.array(values, np.int64)


def fortran(a: np.ndarray) -> np.ndarray:
    """The same array in Fortran order."""
    return np.asfortranarray(a)


def strided(a: np.ndarray) -> np.ndarray:
    """The same array with gaps between its elements, in the last axis."""
    wide = np.zeros((*a.shape[:-1], 2 * a.shape[-1]), a.dtype)
    wide[..., ::2] = a
    return wide[..., ::2]


def backwards(a: np.ndarray) -> np.ndarray:
    """The same array with negative strides in each axis."""
    turn = (slice(None, None, -1),) * a.ndim
    return a[turn].copy()[turn]


def readonly(a: np.ndarray) -> np.ndarray:
    """The same array, not to be written."""
    fixed = a.copy()
    fixed.flags.writeable = False
    return fixed


def layouts(a: np.ndarray) -> tuple[tuple[np.ndarray], ...]:
    """One call for each layout of an array: C, Fortran (where it differs), strided, negative strides."""
    found = [a, strided(a), backwards(a)]
    if a.ndim > 1:
        found.insert(1, fortran(a))
    return tuple((x,) for x in found)
