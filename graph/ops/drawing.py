"""Numbers drawn from NumPy's random number generators: one record each, and how the generators' methods give them.

The first operand is the generator, of which kernels get the address: NumPy's `bitgen_t`. Draws change its
state, so they keep their order and happen once. What computes them is NumPy's own C, where its extension
module exports it; so numbers and state are NumPy's.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from .define import DRAWING, OpDef, define

STREAM = "int64"
"""How kernels hold a generator: by its address."""
_NUMPYS = "random_"


@dataclass(frozen=True, slots=True)
class Draw:
    """What a method gives for one number: the operation, and its parameters with their defaults.

    A parameter without a default is `REQUIRED`. `symbol` is the function of NumPy's C library that it needs.
    """

    op: str
    parameters: Mapping[str, object]
    kind: str = "float64"
    symbol: str = ""

    @property
    def loop(self) -> tuple[str, ...]:
        """The dtypes in which kernels hold the operands."""
        return (STREAM, *(self.kind for _ in self.parameters))

    @property
    def example(self) -> tuple[int, ...]:
        """Arguments that the method takes."""
        return tuple(1 for default in self.parameters.values() if default is REQUIRED)


REQUIRED = object()


@cache
def exported(symbol: str) -> int | None:
    """The address of a function of NumPy's C library of distributions; None where it is hidden."""
    try:
        library = ctypes.CDLL(np.random._generator.__file__)  # type: ignore[attr-defined]
        return ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value
    except (AttributeError, OSError):
        return None


def _draw(name: str, count: int, doc: str, raises: bool = True) -> OpDef:
    slots = ", ".join(f"{{{k}}}" for k in range(1 + count))
    return define(
        f"draw.{name}",
        DRAWING,
        doc,
        scalar=f"{name}({slots})",
        imports=(("streams", name),),
        effect=("opaque", "raises") if raises else ("opaque",),
        operands=(1 + count, 1 + count),
    )


RECORDS: tuple[OpDef, ...] = (
    _draw("random", 0, "A float in [0, 1).", raises=False),
    _draw("standard_normal", 0, "A float of the normal distribution.", raises=False),
    _draw("standard_exponential", 0, "A float of the exponential distribution.", raises=False),
    _draw("normal", 2, "A float of the normal distribution with mean and standard deviation."),
    _draw("exponential", 1, "A float of the exponential distribution with a scale."),
    _draw("uniform", 2, "A float between two numbers."),
    _draw("uniform_of_state", 2, "The same, by `RandomState`, which takes them in either order."),
    _draw("integers", 2, "An int from the first number to before the second."),
    _draw("integers_to", 2, "An int from the first number to the second."),
    _draw("choice", 1, "An int from 0 to before the number."),
    _draw("randint", 2, "An int from the first number to before the second, by `RandomState`."),
    _draw("choice_of_state", 1, "An int from 0 to before the number, by `RandomState`."),
)

_LOW_HIGH = {"low": 0.0, "high": 1.0}
_RANDOM = Draw("draw.random", {})
_INTEGERS = {"low": REQUIRED, "high": None}

GENERATOR: Mapping[str, Draw] = {
    "random": _RANDOM,
    "standard_normal": Draw("draw.standard_normal", {}, symbol="random_standard_normal"),
    "standard_exponential": Draw("draw.standard_exponential", {}, symbol="random_standard_exponential"),
    "normal": Draw("draw.normal", {"loc": 0.0, "scale": 1.0}, symbol="random_normal"),
    "exponential": Draw("draw.exponential", {"scale": 1.0}, symbol="random_exponential"),
    "uniform": Draw("draw.uniform", _LOW_HIGH, symbol="random_uniform"),
    "integers": Draw("draw.integers", _INTEGERS, "int64", "random_bounded_uint64"),
    "choice": Draw("draw.choice", {"a": REQUIRED}, "int64", "random_bounded_uint64"),
}
"""The methods of `np.random.Generator` that give one number."""

STATE: Mapping[str, Draw] = {
    **dict.fromkeys(("random", "random_sample", "sample", "ranf", "rand"), _RANDOM),
    "uniform": Draw("draw.uniform_of_state", _LOW_HIGH, symbol="random_uniform"),
    "randint": Draw("draw.randint", _INTEGERS, "int64", "random_bounded_uint64"),
    "choice": Draw("draw.choice_of_state", {"a": REQUIRED}, "int64", "random_bounded_uint64"),
}
"""Those of `np.random.RandomState`, whose module functions are methods of one."""
