"""Random numbers in kernels, drawn by NumPy's own C from a generator that is given by its address.

The numbers are NumPy's, and so is what the generator's state becomes. `next_double` is read from the generator
(`bitgen_t`, a part of NumPy's ABI); distributions are functions of the extension module of
`np.random.Generator`, which LLVM finds by the addresses that they are told here. What a distribution's method
checks in Python is checked here, with the words of the NumPy that is there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba.core import cgutils

from ..graph.ops.drawing import exported
from .checked import Formula, FormulaEmitter, checked, message
from .vecmath.formula import DOUBLE, INT64, Flag, Float, Int, where

ADDRESS = ir.IntType(8).as_pointer()
NEXT_DOUBLE = 3
"""Where it stands in `bitgen_t`, in words: after the state, `next_uint64` and `next_uint32`."""

_generator, _state = np.random.default_rng(0), np.random.RandomState(0)


def _drawn(name: str, python: Callable[..., Any], kinds: str, formula: Formula) -> Any:
    """The function that kernels call; Python itself has the generator's method `python` for it."""

    def refuse(*args: Any) -> Any:
        raise NotImplementedError(f"{name} of a generator that is given by its address")

    refuse.__doc__ = python.__doc__
    return checked(name, refuse, {f"i{kinds}": formula})


def _call(name: str, result: type[Any], stream: Int, *args: Int | Float | int) -> Any:
    """NumPy's function of this name."""
    builder = stream.builder
    given = [arg.value if isinstance(arg, (Int, Float)) else ir.Constant(INT64, arg) for arg in args]
    if name == "random_bounded_uint64":
        given[-1] = builder.trunc(given[-1], ir.IntType(1))
    first = builder.inttoptr(stream.value, ADDRESS)
    returned = DOUBLE if result is Float else INT64
    kind = ir.FunctionType(returned, [ADDRESS, *(value.type for value in given)])
    function = cgutils.get_or_insert_function(builder.module, kind, _symbol(name))
    return result(builder, builder.call(function, [first, *given]))


def _symbol(name: str) -> str:
    return f"jitscope_numpy_{name}"


def _tell(*names: str) -> None:
    """Let LLVM find NumPy's functions, under names that nobody else uses."""
    for name in names:
        if (address := exported(name)) is not None:
            llvm.add_symbol(_symbol(name), address)


_tell("random_standard_normal", "random_standard_exponential", "random_normal", "random_exponential")
_tell("random_uniform", "random_bounded_uint64")


# Floats -----------------------------------------------------------------------------------------------------


def _random(emit: FormulaEmitter, stream: Int) -> Float:
    builder = stream.builder
    words = builder.inttoptr(stream.value, ADDRESS.as_pointer())
    state = builder.load(words)
    found = builder.load(builder.gep(words, [INT64(NEXT_DOUBLE)]))
    function = builder.bitcast(found, ir.FunctionType(DOUBLE, [ADDRESS]).as_pointer())
    return Float(builder, builder.call(function, [state]))


def _standard_normal(emit: FormulaEmitter, stream: Int) -> Float:
    return _call("random_standard_normal", Float, stream)


def _standard_exponential(emit: FormulaEmitter, stream: Int) -> Float:
    return _call("random_standard_exponential", Float, stream)


def _is_negative(x: Float) -> Flag:
    """As NumPy's `signbit`: -0.0 too; NaN is let through."""
    return ~x.is_nan() & ~x.sign_bit().equals(0)


def _normal(emit: FormulaEmitter, stream: Int, loc: Float, scale: Float) -> Float:
    emit.fail_if(_is_negative(scale), ValueError, *message(_generator.normal, 0.0, -1.0))
    return _call("random_normal", Float, stream, loc, scale)


def _exponential(emit: FormulaEmitter, stream: Int, scale: Float) -> Float:
    emit.fail_if(_is_negative(scale), ValueError, *message(_generator.exponential, -1.0))
    return _call("random_exponential", Float, stream, scale)


def _uniform(emit: FormulaEmitter, stream: Int, low: Float, high: Float) -> Float:
    width = high - low
    infinite = ~(abs(width) < np.inf)
    emit.fail_if(infinite, OverflowError, *message(_generator.uniform, 0.0, np.inf))
    emit.fail_if(_is_negative(width), ValueError, *message(_generator.uniform, 1.0, 0.0))
    return _call("random_uniform", Float, stream, low, width)


def _uniform_of_state(emit: FormulaEmitter, stream: Int, low: Float, high: Float) -> Float:
    width = high - low
    infinite = ~(abs(width) < np.inf)
    emit.fail_if(infinite, OverflowError, *message(_state.uniform, 0.0, np.inf))
    return _call("random_uniform", Float, stream, low, width)


# Ints -------------------------------------------------------------------------------------------------------


def _bounded(stream: Int, low: Int, width: Int) -> Int:
    """From `low` to `low + width`, which is unsigned, as Generators do it."""
    return _call("random_bounded_uint64", Int, stream, low, width, 0, 0)


def _bounded_by_mask(stream: Int, low: Int, width: Int) -> Int:
    """The same as `RandomState` does it: it draws as many bits as `width` has until they are no more."""
    mask = width
    for shift in (1, 2, 4, 8, 16, 32):
        mask = mask | (mask >> shift)
    return _call("random_bounded_uint64", Int, stream, low, width, mask, 1)


def _in_order(emit: FormulaEmitter, method: Callable[..., Any], low: Int, wrong: Flag, **given: Any) -> None:
    """Raise what a method says of bounds in the wrong order; it has other words where the lower one is 0."""
    zero = low.equals(0)
    emit.fail_if(wrong & zero, ValueError, *message(lambda: method(0, -1, **given)))
    emit.fail_if(wrong, ValueError, *message(lambda: method(5, 4, **given)))


def _integers(emit: FormulaEmitter, stream: Int, low: Int, high: Int) -> Int:
    _in_order(emit, _generator.integers, low, ~(low < high))
    return _bounded(stream, low, high - low - 1)


def _integers_to(emit: FormulaEmitter, stream: Int, low: Int, high: Int) -> Int:
    _in_order(emit, _generator.integers, low, low > high, endpoint=True)
    return _bounded(stream, low, high - low)


def _randint(emit: FormulaEmitter, stream: Int, low: Int, high: Int) -> Int:
    _in_order(emit, _state.randint, low, ~(low < high))
    return _bounded_by_mask(stream, low, high - low - 1)


def _choice(emit: FormulaEmitter, stream: Int, a: Int) -> Int:
    emit.fail_if(a < 1, ValueError, *message(_generator.choice, 0))
    return _bounded(stream, a - a, a - 1)


def _choice_of_state(emit: FormulaEmitter, stream: Int, a: Int) -> Int:
    emit.fail_if(a < 1, ValueError, *message(_state.choice, 0))
    return _bounded_by_mask(stream, a - a, a - 1)


random = _drawn("random", _generator.random, "", _random)
standard_normal = _drawn("standard_normal", _generator.standard_normal, "", _standard_normal)
standard_exponential = _drawn(
    "standard_exponential", _generator.standard_exponential, "", _standard_exponential
)
normal = _drawn("normal", _generator.normal, "ff", _normal)
exponential = _drawn("exponential", _generator.exponential, "f", _exponential)
uniform = _drawn("uniform", _generator.uniform, "ff", _uniform)
uniform_of_state = _drawn("uniform_of_state", _state.uniform, "ff", _uniform_of_state)
integers = _drawn("integers", _generator.integers, "ii", _integers)
integers_to = _drawn("integers_to", _generator.integers, "ii", _integers_to)
randint = _drawn("randint", _state.randint, "ii", _randint)
choice = _drawn("choice", _generator.choice, "i", _choice)
choice_of_state = _drawn("choice_of_state", _state.choice, "i", _choice_of_state)
