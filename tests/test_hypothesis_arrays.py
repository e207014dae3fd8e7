"""Random array expressions over dtypes, shapes, broadcasting and layouts.

A generated function returns a dozen expressions, so that one compilation serves many; it is then called with
several shapes and layouts. A failure prints a function that can be pasted.
"""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generated import HEADER, function_from_text
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from programs.corpus import backwards, fortran, strided
from same import Tolerance, compare, decorate

pytestmark = pytest.mark.usefixtures("driver_runs")

DTYPES = (bool, np.int8, np.uint8, np.int32, np.int64, np.uint64, np.float32, np.float64, np.complex128)
NUMBERS = tuple(d for d in DTYPES if d is not bool)
EXPRESSIONS = 12

# Names stand for operands; every choice must be one that NumPy accepts for all dtypes but for TypeErrors,
# which are found out by trying and left out of the program.
BINARY = ("{} + {}", "{} - {}", "{} * {}", "{} / {}", "{} // {}", "{} % {}", "np.maximum({}, {})", "{} < {}")
MORE_BINARY = ("{} == {}", "{} & {}", "{} | {}", "np.minimum({}, {})", "np.where({} > 0, {}, 1)")
UNARY = (
    "-{}",
    "abs({})",
    "np.sqrt({})",
    "({}) ** 2",
    "np.sign({})",
    "np.floor({})",
    "~{}",
    "{}.astype(np.float32)",
)
SCALARS = ("2", "0.5", "-3", "True", "np.float32(1.5)", "np.int64(2)")
REDUCTIONS = (
    "{}.sum()",
    "{}.max()",
    "{}.mean()",
    "{}.any()",
    "{}.sum(axis=0)",
    "{}.min(axis=-1)",
    "{}.argmax()",
)
MORE_REDUCTIONS = (
    "{}.prod(axis=0)",
    "np.count_nonzero({})",
    "{}.all(axis=-1)",
    "{}.sum(axis=-1, keepdims=True)",
)
SLICES = (
    "{}[1:]",
    "{}[:-1]",
    "{}[::-1]",
    "{}[::2]",
    "{}[..., 1:]",
    "{}[..., ::-2]",
    "{}.T",
    "{}[None]",
    "{}[-2:]",
)
MORE_SLICES = (
    "{}[:, 0]",
    "{}[0]",
    "{}.reshape(-1)",
    "{}.copy()",
    "{}.ravel()[1::3]",
    "np.swapaxes({}, 0, -1)",
)
LAYOUTS = (lambda a: a, fortran, strided, backwards)


class Writer:
    """Writes expressions of the names a and b, mostly such that NumPy accepts for all samples of them."""

    def __init__(self, rng: random.Random, samples: list[tuple[np.ndarray, np.ndarray]]) -> None:
        self.rng = rng
        self.scopes = [{"np": np, "a": a, "b": b} for a, b in samples]
        self.names = ["a", "b"]

    def expression(self, depth: int) -> str:
        """A random expression; a part that NumPy refuses is written anew."""
        for _ in range(20):
            text = self._attempt(depth)
            if self._accepted(text):
                return text
        return self.rng.choice(self.names)

    def _attempt(self, depth: int) -> str:
        rng = self.rng
        if depth == 0:
            return rng.choice(self.names)
        kind = rng.random()
        if kind < 0.45:
            form = rng.choice(BINARY + MORE_BINARY)
            right = rng.choice(SCALARS) if rng.random() < 0.3 else self.expression(rng.randrange(depth))
            return form.format(f"({self.expression(depth - 1)})", f"({right})")
        forms = UNARY if kind < 0.65 else REDUCTIONS + MORE_REDUCTIONS if kind < 0.8 else SLICES + MORE_SLICES
        return rng.choice(forms).format(f"({self.expression(depth - 1)})")

    def _accepted(self, text: str) -> bool:
        # Now and then an expression stays that fails for some shape, as failures are to be the same too.
        scopes = self.scopes[:1] if self.rng.random() < 0.01 else self.scopes
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                for scope in scopes:
                    eval(text, scope)
            except Exception:  # noqa: BLE001
                return False
        return True


def _values(shape: tuple[int, ...], dtype: Any, rng: np.random.Generator) -> np.ndarray:
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        low = 0 if dtype.kind == "u" else -20
        return rng.integers(low, 21, shape).astype(dtype)
    values = rng.choice([0.0, -0.0, 1.0, -1.5, 0.1, 3.0, 100.25, -7.0], shape)
    if dtype.kind == "c":
        return (values + 1j * rng.choice([0.0, 0.5, -2.0], shape)).astype(dtype)
    return values.astype(dtype)


def _shapes(ndim: int, rng: random.Random) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of shapes that broadcast together: with zeros, ones, and equal ones."""
    pairs = []
    for sizes in ((3, 4), (5, 2), (1, 3), (2, 1), (0, 3)):
        shape = sizes[:ndim]
        other = tuple(1 if rng.random() < 0.3 else n for n in shape)
        pairs.append((shape, other))
    return pairs


def _check(seed: int, folder: Path, depth: int) -> None:
    rng = random.Random(seed)
    numbers = np.random.default_rng(seed)
    ndim = rng.choice((1, 2))
    dtypes = [rng.choice(DTYPES), rng.choice(NUMBERS)]
    samples = [
        (layout(_values(left, dtypes[0], numbers)), layout(_values(right, dtypes[1], numbers)))
        for (left, right), layout in zip(_shapes(ndim, rng), rng.choices(LAYOUTS, k=9), strict=False)
    ]
    writer = Writer(rng, samples)
    lines = [writer.expression(depth) for _ in range(EXPRESSIONS)]
    text = "def f(a, b):\n    return (\n" + "".join(f"        {line},\n" for line in lines) + "    )\n"
    f = function_from_text(text, folder)
    decorated = decorate(f)
    # Sums of float32 and complex numbers of any layout are rounded in an order of NumPy's own.
    tolerance = Tolerance(ulp=16, atol=1e-12)
    for arrays in samples:
        try:
            compare(f, decorated, arrays, calls=1, tol=tolerance)
        except AssertionError as failure:
            shown = ", ".join(f"np.array({a.tolist()!r}, np.{a.dtype})" for a in arrays)
            pytest.fail(f"{failure}\n\n{HEADER}{text}\n\nf({shown})  # strides {[a.strides for a in arrays]}")


_SETTINGS = settings(
    max_examples=7,
    phases=(Phase.explicit, Phase.generate),  # a smaller seed is not a smaller program
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@_SETTINGS
@given(seed=st.integers(0, 2**32))
def test_expressions(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    _check(seed, tmp_path_factory.mktemp("expressions"), depth=2)


@_SETTINGS
@given(seed=st.integers(0, 2**32))
def test_deep_expressions(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    _check(seed, tmp_path_factory.mktemp("expressions"), depth=4)
