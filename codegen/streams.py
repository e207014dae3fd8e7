"""Random numbers in kernels, drawn by NumPy's own C from a generator that is given by its address.

The numbers are NumPy's, and so is what the generator's state becomes. `next_double` is read from the
generator (`bitgen_t`, a part of NumPy's ABI); distributions are functions of the extension module of
`np.random.Generator`, which LLVM finds by their addresses (`own_symbols.py`). What a method checks in Python
is checked here, with the words of the NumPy that is there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from llvmlite import ir
from numba.core import cgutils

from ..graph.ops.drawing import CHANCE, GENERATOR, NOT_NEGATIVE, POSITIVE, PROBABILITY, RATE, STATE, Draw
from . import twister
from .checked import Formula, FormulaEmitter, checked, message
from .own_symbols import GAUSS_AT, symbol_of, tell
from .vecmath.formula import DOUBLE, INT32, INT64, Flag, Float, Int, Lane, libm

ADDRESS = ir.IntType(8).as_pointer()
NEXT_DOUBLE = 3
"""Where it stands in `bitgen_t`, in words: after the state, `next_uint64` and `next_uint32`."""

BINOMIAL = 32
"""Words that NumPy's `binomial_t` has room in (it needs 17): what it has found out about its parameters."""

_generator, _state = np.random.default_rng(0), np.random.RandomState(0)


def _drawn(name: str, kinds: str, formula: Formula) -> Callable[..., Any]:
    """The function that kernels call; nobody calls it from Python, where generators have methods."""

    def drawn(*args: object) -> NoReturn:
        raise NotImplementedError(f"{name} of a generator that is given by its address")

    return checked(name, drawn, {f"i{kinds}": formula})


def _call(name: str, result: type[Lane], stream: Int, *args: Lane | ir.Value) -> Any:
    """NumPy's function of this name."""
    builder = stream.builder
    given = [arg.value if isinstance(arg, Lane) else arg for arg in args]
    first = builder.inttoptr(stream.value, ADDRESS)
    kind = ir.FunctionType(DOUBLE if result is Float else INT64, [ADDRESS, *(one.type for one in given)])
    function = cgutils.get_or_insert_function(builder.module, kind, symbol_of(name))
    return result(builder, builder.call(function, [first, *given]))


for _symbol in (GAUSS_AT, *(symbol_of(draw.symbol) for draw in (*GENERATOR.values(), *STATE.values()))):
    tell(_symbol)  # machine code from the cache is loaded next


# What is asked of parameters --------------------------------------------------------------------------------


def _is_negative(x: Float) -> Flag:
    """As NumPy's `signbit`: -0.0 too; NaN is let through."""
    return ~x.is_nan() & ~x.sign_bit().equals(0)


_REFUSES: dict[str, tuple[Callable[[Float], Flag], float]] = {
    NOT_NEGATIVE: (_is_negative, -1.0),
    POSITIVE: (lambda x: x <= 0.0, 0.0),
    PROBABILITY: (lambda x: ~((x >= 0.0) & (x <= 1.0)), 2.0),
    CHANCE: (lambda x: ~((x > 0.0) & (x <= 1.0)), 2.0),
    RATE: (lambda x: ~(x >= 0.0), -1.0),
}
"""When a parameter is wrong, and a number that is."""


def _check(emit: FormulaEmitter, method: Callable[..., Any], draw: Draw, *given: Float) -> None:
    """Raise what the method says of the first parameter that it refuses."""
    for place, (asked, x) in enumerate(zip(draw.asked, given, strict=True)):
        if asked:
            refuses, wrong = _REFUSES[asked]
            args = [wrong if k == place else 0.5 for k in range(len(given))]
            emit.fail_if(refuses(x), ValueError, *message(method, *args))
        if asked == RATE:
            emit.fail_if(x > _LARGEST_RATE, ValueError, *message(method, 1e300))


_LARGEST_RATE = float(np.iinfo("l").max - np.sqrt(np.iinfo("l").max) * 10)
"""NumPy's own limit for Poisson's distribution, by its formula."""


# Floats -----------------------------------------------------------------------------------------------------


def _random(emit: FormulaEmitter, stream: Int) -> Float:
    builder = stream.builder
    words = builder.inttoptr(stream.value, ADDRESS.as_pointer())
    state = builder.load(words)
    found = builder.load(builder.gep(words, [INT64(NEXT_DOUBLE)]))
    function = builder.bitcast(found, ir.FunctionType(DOUBLE, [ADDRESS]).as_pointer())
    return Float(builder, builder.call(function, [state]))


def _by_numpy(name: str) -> Callable[..., Any]:
    """A method that checks its parameters and calls NumPy's function with them."""
    draw, method = GENERATOR[name], getattr(_generator, name)
    result = Int if draw.gives_int else Float

    def zero(emit: FormulaEmitter, stream: Int) -> Lane:
        return _call(draw.symbol, result, stream)

    def one(emit: FormulaEmitter, stream: Int, x: Float) -> Lane:
        _check(emit, method, draw, x)
        return _call(draw.symbol, result, stream, x)

    def two(emit: FormulaEmitter, stream: Int, x: Float, y: Float) -> Lane:
        _check(emit, method, draw, x, y)
        return _call(draw.symbol, result, stream, x, y)

    formula: Formula = (zero, one, two)[len(draw.parameters)]
    formula.__annotations__["return"] = result.__name__
    return _drawn(name, "f" * len(draw.parameters), formula)


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


def _standard_exponential_of_state(emit: FormulaEmitter, stream: Int) -> Float:
    return -libm("log", 1.0 - _random(emit, stream))


def _exponential_of_state(emit: FormulaEmitter, stream: Int, scale: Float) -> Float:
    _check(emit, _state.exponential, STATE["exponential"], scale)
    return scale * _standard_exponential_of_state(emit, stream)


def _normal_of_state(emit: FormulaEmitter, stream: Int, loc: Float, scale: Float) -> Float:
    _check(emit, _state.normal, STATE["normal"], loc, scale)
    return loc + scale * _gauss(emit, stream)


def _gauss(emit: FormulaEmitter, stream: Int) -> Float:
    """A normal number: the one that is kept, or the second of a new pair."""
    builder = stream.builder
    name = "jitscope_gauss"
    if name not in builder.module.globals:
        function = ir.Function(builder.module, ir.FunctionType(DOUBLE, [INT64]), name)
        function.linkage = "linkonce_odr"
        inside = ir.IRBuilder(function.append_basic_block())
        _write_gauss(emit, Int(inside, function.args[0]))
    return Float(builder, builder.call(builder.module.globals[name], [stream.value]))


def _write_gauss(emit: FormulaEmitter, stream: Int) -> None:
    builder = stream.builder
    offset = builder.load(ir.GlobalVariable(builder.module, INT64, GAUSS_AT))
    place = builder.add(stream.value, offset)
    is_kept = builder.inttoptr(place, INT32.as_pointer())
    kept = builder.inttoptr(builder.add(place, INT64(8)), DOUBLE.as_pointer())
    with builder.if_then(builder.icmp_signed("!=", builder.load(is_kept), INT32(0))):
        number = builder.load(kept)
        builder.store(INT32(0), is_kept)
        builder.store(DOUBLE(0.0), kept)
        builder.ret(number)
    again = builder.append_basic_block("again")
    builder.branch(again)
    builder.position_at_end(again)
    x, y = (2.0 * _random(emit, stream) - 1.0 for _ in range(2))
    square = x * x + y * y
    found = builder.append_basic_block("found")
    builder.cbranch(((square >= 1.0) | square.equals(0.0)).value, again, found)
    builder.position_at_end(found)
    factor = (-2.0 * libm("log", square) / square).sqrt()
    builder.store((factor * x).value, kept)
    builder.store(INT32(1), is_kept)
    builder.ret((factor * y).value)


# Ints -------------------------------------------------------------------------------------------------------


def _bounded(stream: Int, low: Int, width: Int) -> Int:
    """From `low` to `low + width`, which is unsigned, as Generators do it."""
    return _call("random_bounded_uint64", Int, stream, low, width, INT64(0), ir.IntType(1)(0))


def _bounded_by_mask(stream: Int, low: Int, width: Int) -> Int:
    """The same as `RandomState` does it: it draws as many bits as `width` has until they are no more."""
    mask = width
    for shift in (1, 2, 4, 8, 16, 32):
        mask = mask | (mask >> shift)
    return _call("random_bounded_uint64", Int, stream, low, width, mask, ir.IntType(1)(1))


def _in_order(emit: FormulaEmitter, method: Callable[..., Any], low: Int, wrong: Flag, **given: bool) -> None:
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


def _binomial(emit: FormulaEmitter, stream: Int, n: Int, p: Float) -> Int:
    refuses, wrong = _REFUSES[PROBABILITY]
    emit.fail_if(refuses(p), ValueError, *message(_generator.binomial, 1, wrong))
    emit.fail_if(n < 0, ValueError, *message(_generator.binomial, -1, 0.5))
    builder = stream.builder
    known = cgutils.alloca_once(builder, ir.ArrayType(INT64, BINOMIAL))
    builder.store(ir.Constant(ir.ArrayType(INT64, BINOMIAL), None), known)
    return _call("random_binomial", Int, stream, p, n, builder.bitcast(known, ADDRESS))


random = _drawn("random", "", _random)
uniform, uniform_of_state = (
    _drawn("uniform", "ff", _uniform),
    _drawn("uniform_of_state", "ff", _uniform_of_state),
)
gauss, normal_of_state = _drawn("gauss", "", _gauss), _drawn("normal_of_state", "ff", _normal_of_state)
standard_exponential_of_state = _drawn("standard_exponential_of_state", "", _standard_exponential_of_state)
exponential_of_state = _drawn("exponential_of_state", "f", _exponential_of_state)
integers, integers_to = _drawn("integers", "ii", _integers), _drawn("integers_to", "ii", _integers_to)
randint = _drawn("randint", "ii", _randint)
choice, choice_of_state = _drawn("choice", "i", _choice), _drawn("choice_of_state", "i", _choice_of_state)
binomial = _drawn("binomial", "if", _binomial)
python_random = _drawn("python_random", "", twister.python_random)
randbelow = _drawn("randbelow", "i", twister.randbelow)
standard_normal, normal, lognormal = map(_by_numpy, ("standard_normal", "normal", "lognormal"))
standard_exponential, exponential = map(_by_numpy, ("standard_exponential", "exponential"))
laplace, gumbel, logistic, rayleigh = map(_by_numpy, ("laplace", "gumbel", "logistic", "rayleigh"))
standard_cauchy, standard_gamma, gamma = map(_by_numpy, ("standard_cauchy", "standard_gamma", "gamma"))
beta, chisquare, standard_t, pareto = map(_by_numpy, ("beta", "chisquare", "standard_t", "pareto"))
power, weibull, wald = map(_by_numpy, ("power", "weibull", "wald"))
poisson, geometric = map(_by_numpy, ("poisson", "geometric"))
