"""The names that a random program has at some point, each with a sample of its value for several sizes.

A text is looked at by running it on the samples: its dtype and its shape for all of the sizes are then
known, and what NumPy refuses never gets into a program.
"""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

Dim = tuple[int, ...]  # one length for each of the sizes
Shape = tuple[Dim, ...]


@dataclass(frozen=True)
class Kind:
    """What a value is: an array, a NumPy scalar or a Python number."""

    family: str
    dtype: str = ""
    shape: Shape = ()

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def is_array(self) -> bool:
        """Whether the value has axes."""
        return self.family == "array"

    @property
    def is_number(self) -> bool:
        """Whether the value is a number, and no truth value."""
        return self.family in ("int", "float", "complex") or (
            self.family == "scalar" and self.dtype[1] != "b"
        )

    @property
    def is_real(self) -> bool:
        """Whether the value can be compared."""
        return self.family in ("int", "float", "bool") or (self.dtype != "" and self.dtype[1] in "fib")


@functools.lru_cache(4096)
def _compiled(text: str, mode: str) -> CodeType:
    return compile(text, "sample", mode)


class Samples:
    """A program's names, with their values for each of the sizes."""

    def __init__(self, count: int) -> None:
        self.envs: list[dict[str, Any]] = [{"np": np, "math": math} for _ in range(count)]
        self.kinds: dict[str, Kind] = {}
        self.indices: dict[str, tuple[int, ...]] = {}  # loop indices, and what they stay below for each size

    def kind(self, text: str) -> Kind | None:
        """What the text evaluates to, or None where it can't be evaluated for all sizes alike."""
        values = []
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for env in self.envs:
                try:
                    values.append(eval(_compiled(text, "eval"), env))
                except Exception:  # noqa: BLE001 (whatever NumPy says of it, the text is of no use)
                    return None
        return common_kind(values)

    def define(self, line: str, *names: str) -> bool:
        """Run a line that binds the names; whether they have a kind for all sizes."""
        made = []
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for env in self.envs:
                local = dict(env)
                try:
                    exec(_compiled(line, "exec"), local)
                except Exception:  # noqa: BLE001
                    return False
                made.append(local)
        kinds = [common_kind([local[name] for local in made]) for name in names]
        if not all(kinds):
            return False
        for name, kind in zip(names, kinds, strict=True):
            self.kinds[name] = kind
            for env, local in zip(self.envs, made, strict=True):
                env[name] = local[name]
        return True

    def bind(self, name: str, values: list[Any]) -> None:
        """Give a name one value for each of the sizes."""
        kind = common_kind(values)
        assert kind is not None
        self.kinds[name] = kind
        for env, value in zip(self.envs, values, strict=True):
            env[name] = value

    def values(self, name: str) -> list[Any]:
        """The samples of a name."""
        return [env[name] for env in self.envs]

    def forget(self, name: str) -> None:
        """Take a name out of the program's reach."""
        self.kinds.pop(name, None)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is bound inside is not known afterwards: a block may not run."""
        kept = dict(self.kinds), dict(self.indices), [dict(env) for env in self.envs]
        yield
        self.kinds, self.indices, self.envs = kept

    def arrays(self) -> list[str]:
        """The names of arrays, in the order in which they were made."""
        return [name for name, kind in self.kinds.items() if kind.is_array]


def common_kind(values: list[Any]) -> Kind | None:
    """The kind that the values have in common."""
    first = values[0]
    if isinstance(first, np.ndarray):
        if any(
            not isinstance(v, np.ndarray) or v.dtype != first.dtype or v.ndim != first.ndim for v in values
        ):
            return None
        if first.dtype == object or any(v.size == 0 for v in values):
            return None
        shape = tuple(tuple(v.shape[axis] for v in values) for axis in range(first.ndim))
        return Kind("array", first.dtype.str, shape)
    if any(type(v) is not type(first) for v in values):
        return None
    if isinstance(first, np.generic):
        return Kind("scalar", first.dtype.str)
    if isinstance(first, (bool, int, float, complex)):
        return Kind(type(first).__name__)
    return None
