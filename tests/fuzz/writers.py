"""Who writes the random programs: the grammar of this folder, or one of the older generators beside it."""

from __future__ import annotations

from collections.abc import Callable

import random_gradients
import random_matrix_gradients
from random_statements import Writer

from fuzz.derivations import derivations
from fuzz.grammar import Program, generate, runs
from fuzz.layouts import layouts
from fuzz.recursions import recursions
from fuzz.states import states

_FOUR, _THREE = ({"n": 4},) * 3, ({"n": 3, "m": 4},) * 3
_COUNTS = {"x": "int 1 -3 7", "y": "int 2 0 7", "n": "int 4 0 6"}
_FLOATS = {"x": "float", "y": "float", "n": "int 4 0 3"}
_ARRAYS = {"a": "float64 n", "b": "float64 n"}
_SIZES = ({"n": 5}, {"n": 3}, {"n": 4})
_SHAPES = {"x": "float64 n m", "s": "float"}
_VECTOR = {"x": "float64 n", "s": "float"}


def _numbers(seed: int) -> Program:
    text = Writer(seed, arrays=False).function().replace("def f(", "def program(")
    return Program(text, _FLOATS if seed % 3 == 0 else _COUNTS, _SIZES, seed, False)


def _arrays(seed: int) -> Program:
    text = Writer(seed, arrays=True).function().replace("def f(", "def program(")
    return Program(text, {**_COUNTS, **_ARRAYS}, _SIZES, seed, False)


def _running(make: Callable[[int], Program], seed: int, may_raise: bool = False) -> Program:
    """The first of a few programs that neither raises (or only what users meet) nor grows beyond bounds."""
    attempts = (make(seed * 100 + attempt) for attempt in range(100))
    return next(program for program in attempts if runs(program, may_raise))


def _vectors(seed: int) -> Program:
    return Program(random_gradients.Writer(seed).text(), _VECTOR, _FOUR, seed, True)


def _matrices(seed: int) -> Program:
    return Program(random_matrix_gradients.Writer(seed).text(), _SHAPES, _THREE, seed, True)


WRITERS: dict[str, Callable[[int], Program]] = {
    "grammar": generate,
    "sizes": lambda seed: generate(seed, sized=True),
    "vectors": lambda seed: _running(_vectors, seed),
    "matrices": lambda seed: _running(_matrices, seed),
    "recursions": lambda seed: _running(recursions, seed),
    "states": lambda seed: _running(states, seed),
    "derivations": derivations,
    "layouts": lambda seed: _running(layouts, seed, may_raise=True),
    "numbers": _numbers,
    "arrays": _arrays,
}
"""By name: the program of a seed."""
