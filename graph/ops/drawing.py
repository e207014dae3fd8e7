"""Numbers drawn from NumPy's random number generators: one record each, and the methods that they stand for.

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

from ..ir import twister
from ..ir.random_state import layout
from .define import DRAWING, OpDef, define

STREAM = "int64"
"""How kernels hold a generator: by its address."""

REQUIRED = object()
"""In place of a parameter's default."""

ANY, NOT_NEGATIVE, POSITIVE, PROBABILITY, CHANCE, RATE = "", ">= 0", "> 0", "0..1", "0<..1", "rate"
"""What NumPy asks of a parameter; -0.0 is negative, and only the last three refuse NaN."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One number: the operation, its parameters with their defaults, and what is asked of them.

    `symbol` is the function of NumPy's C library that computes it, if one does; `whole` are the parameters
    that are ints; `by_state` says that it needs to know a `RandomState` from inside.
    """

    op: str
    doc: str
    parameters: Mapping[str, object]
    asked: tuple[str, ...] = ()
    symbol: str = ""
    gives_int: bool = False
    whole: tuple[str, ...] = ()
    by_state: bool = False
    closed: str = ""
    """The operation where the upper bound is one of the numbers."""
    by_python: bool = False
    """It draws from the memory of a `random.Random`."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The dtypes in which kernels hold the parameters."""
        return tuple("int64" if name in self.whole else "float64" for name in self.parameters)

    @property
    def loop(self) -> tuple[str, ...]:
        """Those of all operands."""
        return (STREAM, *self.kinds)

    @property
    def example(self) -> tuple[int, ...]:
        """Arguments that the method takes."""
        return tuple(1 for default in self.parameters.values() if default is REQUIRED)

    @property
    def ignores_bounds(self) -> bool:
        """Whether NumPy takes any parameters where it draws no number at all."""
        return self.symbol == "random_bounded_uint64" or not self.parameters

    @property
    def is_known(self) -> bool:
        """Whether kernels can do it with the NumPy that is there."""
        if self.by_python:
            return twister.is_known()
        has_symbol = not self.symbol or exported(self.symbol) is not None
        return has_symbol and (not self.by_state or layout() is not None)


@cache
def exported(symbol: str) -> int | None:
    """The address of a function of NumPy's C library of distributions; None where it is hidden."""
    try:
        library = ctypes.CDLL(np.random._generator.__file__)
        return ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value
    except (AttributeError, OSError):
        return None


def _one(name: str, doc: str, asked: tuple[str, ...] = (), **parameters: object) -> Draw:
    """A float by NumPy's function of that name."""
    return Draw(f"draw.{name}", doc, parameters, asked or (ANY,) * len(parameters), f"random_{name}")


def _int(name: str, doc: str, parameters: Mapping[str, object], closed: str = "") -> Draw:
    """An int between bounds that are ints."""
    whole, by = tuple(parameters), "random_bounded_uint64"
    return Draw(f"draw.{name}", doc, parameters, (), by, True, whole, closed=closed)


def _count(name: str, doc: str, asked: tuple[str, ...], whole: tuple[str, ...], **parameters: object) -> Draw:
    """An int that counts something."""
    return Draw(f"draw.{name}", doc, parameters, asked, f"random_{name}", True, whole)


def _of_state(name: str, doc: str, asked: tuple[str, ...] = (), **parameters: object) -> Draw:
    """A float by a formula of `RandomState` that NumPy doesn't export."""
    return Draw(f"draw.{name}", f"{doc}, by `RandomState`.", parameters, asked, by_state=True)


_BOUNDS, _NUMBER = {"low": REQUIRED, "high": None}, {"a": REQUIRED}
_SCALE = (ANY, NOT_NEGATIVE)

RANDOM = Draw("draw.random", "A float in [0, 1).", {})
BY_NUMPY = (
    _one("standard_normal", "A number of the normal distribution."),
    _one("standard_exponential", "A number of the exponential distribution."),
    _one("normal", "The same with a mean and a standard deviation.", _SCALE, loc=0.0, scale=1.0),
    _one("exponential", "The same with a scale.", (NOT_NEGATIVE,), scale=1.0),
    _one("laplace", "A number of Laplace's distribution.", _SCALE, loc=0.0, scale=1.0),
    _one("gumbel", "A number of Gumbel's distribution.", _SCALE, loc=0.0, scale=1.0),
    _one("logistic", "A number of the logistic distribution.", _SCALE, loc=0.0, scale=1.0),
    _one("lognormal", "The exponential of a normal number.", _SCALE, mean=0.0, sigma=1.0),
    _one("rayleigh", "A number of Rayleigh's distribution.", (NOT_NEGATIVE,), scale=1.0),
    _one("standard_cauchy", "A number of Cauchy's distribution."),
    _one("standard_gamma", "A number of the gamma distribution.", (NOT_NEGATIVE,), shape=REQUIRED),
    _one("gamma", "The same with a scale.", (NOT_NEGATIVE,) * 2, shape=REQUIRED, scale=1.0),
    _one("beta", "A number of the beta distribution.", (POSITIVE,) * 2, a=REQUIRED, b=REQUIRED),
    _one("chisquare", "A number of the chi-square distribution.", (POSITIVE,), df=REQUIRED),
    _one("standard_t", "A number of Student's distribution.", (POSITIVE,), df=REQUIRED),
    _one("pareto", "A number of Lomax' distribution.", (POSITIVE,), a=REQUIRED),
    _one("power", "A number of the power distribution.", (POSITIVE,), a=REQUIRED),
    _one("weibull", "A number of Weibull's distribution.", (NOT_NEGATIVE,), a=REQUIRED),
    _one("wald", "A number of Wald's distribution.", (POSITIVE,) * 2, mean=REQUIRED, scale=REQUIRED),
    _count("poisson", "A number of Poisson's distribution.", (RATE,), (), lam=1.0),
    _count("geometric", "How often one has to try.", (CHANCE,), (), p=REQUIRED),
)
"""The methods of a `Generator` that check their parameters one by one, and call a function of that name."""

_BOUNDED = (
    _one("uniform", "A float between two numbers.", low=0.0, high=1.0),
    _int("integers", "An int from the first number to before the second.", _BOUNDS, "draw.integers_to"),
    _int("choice", "An int from 0 to before the number.", _NUMBER),
    _count("binomial", "How many of n are chosen.", (ANY, PROBABILITY), ("n",), n=REQUIRED, p=REQUIRED),
)
_INTEGERS_TO = _int("integers_to", "An int from the first number to the second.", _BOUNDS)
GENERATOR: Mapping[str, Draw] = {
    draw.op.removeprefix("draw."): draw for draw in (RANDOM, *BY_NUMPY, *_BOUNDED)
}
"""The methods of `np.random.Generator` that give one number."""

_GAUSS = _of_state("gauss", "A number of the normal distribution")
_UNIFORM = Draw(
    "draw.uniform_of_state",
    "A float between two numbers in either order, by `RandomState`.",
    {"low": 0.0, "high": 1.0},
    symbol="random_uniform",
)
STATE: Mapping[str, Draw] = {
    **dict.fromkeys(("random", "random_sample", "sample", "ranf", "rand"), RANDOM),
    **dict.fromkeys(("standard_normal", "randn"), _GAUSS),
    "normal": _of_state(
        "normal_of_state", "The same with a mean and a standard deviation", _SCALE, loc=0.0, scale=1.0
    ),
    "standard_exponential": _of_state("standard_exponential_of_state", "A number of the exponential one"),
    "exponential": _of_state("exponential_of_state", "The same with a scale", (NOT_NEGATIVE,), scale=1.0),
    "uniform": _UNIFORM,
    "randint": _int("randint", "An int between bounds, by `RandomState`.", _BOUNDS),
    "choice": _int("choice_of_state", "An int from 0 on, by `RandomState`.", _NUMBER),
}
"""Those of `np.random.RandomState`, whose module functions are methods of one."""

PYTHON_RANDOM: Mapping[str, Draw] = {
    "random": Draw("draw.python_random", "A float in [0, 1), by Python's `random`.", {}, by_python=True),
    "_randbelow": Draw(
        "draw.randbelow",
        "An int from 0 to before the number, by Python's `random`.",
        {"n": REQUIRED},
        gives_int=True,
        whole=("n",),
        by_python=True,
    ),
}
"""Those of `random.Random` that its others are made of."""


def _record(draw: Draw) -> OpDef:
    count, name = len(draw.parameters), draw.op.removeprefix("draw.")
    slots = ", ".join(f"{{{k}}}" for k in range(1 + count))
    refuses = any(draw.asked) or bool(draw.whole) or "uniform" in draw.op
    return define(
        draw.op,
        DRAWING,
        draw.doc,
        scalar=f"{name}({slots})",
        imports=(("streams", name),),
        effect=("opaque", "raises") if refuses else ("opaque",),
        operands=(1 + count, 1 + count),
    )


_ALL = (*GENERATOR.values(), _INTEGERS_TO, *STATE.values(), *PYTHON_RANDOM.values())
RECORDS: tuple[OpDef, ...] = tuple(map(_record, {draw.op: draw for draw in _ALL}.values()))
