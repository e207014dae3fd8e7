"""Gradients of NumPy code on symbols, run uncompiled, and compared with differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numeric_gradients import cotangent

from jitscope.codegen.generate import Header, generate
from jitscope.graph.analysis.verifier import verify
from jitscope.graph.gradients import gradients
from jitscope.graph.ir import dims
from jitscope.graph.ir.nodes import Block, Graph, Value
from jitscope.graph.ir.types import Array, Scalar, numpy_scalar
from jitscope.graph.symbolic.arith import operand
from jitscope.graph.symbolic.arrays import SymbolicArray
from jitscope.graph.symbolic.numpy_meaning import NUMPY
from jitscope.graph.symbolic.symbols import SymbolicScalar
from jitscope.graph.trace.build import Builder, building

Numeric = Callable[..., Any]


def graph_of(function: Numeric, arguments: Sequence[Any], builder: Builder | None = None) -> Graph:
    """The graph of `function`, called with a symbol for each argument; it returns one symbol or several."""
    builder = builder or Builder(rules=NUMPY)
    symbols = [_parameter(builder, f"x{k}", value) for k, value in enumerate(arguments)]
    params = tuple(symbol.operand() for symbol in symbols)
    builder.params |= {value.name for value in params}
    with building(builder):
        found = function(*symbols)
        leaves = list(found) if isinstance(found, (list, tuple)) else [found]
        text = ", ".join(f"{{{k}}}" for k in range(len(leaves)))
        builder.emit("return", [operand(leaf) for leaf in leaves], (), {"text": f"({text},)"})
    body = Block((), tuple(builder.blocks[0]))
    return verify(Graph("f", params, body, builder.sizes, tuple(dict.fromkeys(builder.guards))))


def _parameter(builder: Builder, name: str, value: Any) -> Any:
    builder.names[name] = 0
    if not isinstance(value, np.ndarray):
        kind = numpy_scalar(value.dtype) if isinstance(value, np.generic) else Scalar(type(value).__name__)
        return SymbolicScalar(Value(name, kind), kind)
    symbols = [builder.fresh(f"n{name}_{axis}") for axis in range(value.ndim)]
    layout = "C" if value.flags.c_contiguous else "F"
    shape = tuple(builder.settle(dims.symbol(symbol)) for symbol in symbols)
    made = Value(name, Array(value.dtype, shape, layout))
    for axis, symbol in enumerate(symbols):
        builder.sizes[symbol] = (made, axis)
        builder.hints[symbol] = value.shape[axis]
    return SymbolicArray(made, layout)


def program(function: Numeric, arguments: Sequence[Any]) -> Callable[..., tuple[Any, ...]]:
    """What runs the graph of `function`, operation by operation."""
    module = generate(graph_of(function, arguments), Header("f", "f.py", 1, "", "", "", "", ""))
    scope: dict[str, Any] = {}
    exec(compile(module.text, "module", "exec"), scope)

    def run(*values: Any) -> tuple[Any, ...]:
        with np.errstate(all="ignore"):
            found: tuple[Any, ...] = scope[module.driver](*values)
        return found

    return run


def backwards(function: Numeric, count: int, wrt: Sequence[int]) -> Numeric:
    """From `count` arguments and the cotangents of the results: the cotangents of the arguments `wrt`."""

    def swept(*symbols: Any) -> Any:
        found = function(*symbols[:count])
        results = list(found) if isinstance(found, (list, tuple)) else [found]
        sources, seeds = [symbols[k] for k in wrt], list(symbols[count:])
        found = gradients(results, sources, seeds)
        return [_zeros(x) if slope is None else slope for x, slope in zip(sources, found, strict=True)]

    return swept


def _zeros(x: Any) -> Any:
    return np.full_like(x, 0.0) if isinstance(x, SymbolicArray) else x * 0.0


def pullback(
    function: Numeric, arguments: Sequence[Any], seeds: Sequence[Any], wrt: Sequence[int]
) -> list[Any]:
    """The cotangents of the arguments `wrt` for the cotangents `seeds` of the results."""
    given = (*arguments, *seeds)
    return list(program(backwards(function, len(arguments), wrt), given)(*given))


def check(
    function: Numeric, arguments: Sequence[Any], wrt: Sequence[int] | None = None, tol: float = 1e-7
) -> None:
    """Assert that the pullback of `function` is what differences say, for every floating argument."""
    wide = [_widened(value) for value in arguments]
    wrt = [k for k, v in enumerate(arguments) if np.asarray(v).dtype.kind in "fc"] if wrt is None else wrt
    with np.errstate(all="ignore"):
        found = function(*wide)
    results = found if isinstance(found, (list, tuple)) else [found]
    rng = np.random.default_rng(7)
    seeds = [_seed(rng, np.asarray(result)) for result in results]
    narrow = [seed.astype(_dtype_like(arguments, seed))[()] for seed in seeds]
    single = any(np.asarray(v).dtype.name in ("float32", "complex64") for v in arguments)
    for k, slope in zip(wrt, pullback(function, arguments, narrow, wrt), strict=True):
        assert np.shape(slope) == np.shape(arguments[k])
        assert np.asarray(slope).dtype == np.asarray(arguments[k]).dtype
        expected = cotangent(function, wide, seeds, k)
        scale = max(1.0, float(np.max(np.abs(expected), initial=0.0)))
        limit = 2e-5 if single else tol
        np.testing.assert_allclose(slope, expected, rtol=limit, atol=limit * scale, err_msg=f"argument {k}")


def check_second(function: Numeric, arguments: Sequence[Any], k: int = 0, tol: float = 1e-6) -> None:
    """Assert that the pullback of the pullback to argument `k` is what differences of the pullback say."""
    rng = np.random.default_rng(7)
    with np.errstate(all="ignore"):
        found = function(*arguments)
    results = found if isinstance(found, (list, tuple)) else [found]
    given = [*arguments, *(_seed(rng, np.asarray(result))[()] for result in results)]
    first = backwards(function, len(arguments), [k])
    slopes = program(first, given)
    seed = _seed(rng, np.asarray(arguments[k]))[()]
    (slope,) = pullback(first, given, [seed], [k])
    expected = cotangent(slopes, given, [seed], k)
    scale = max(1.0, float(np.max(np.abs(expected), initial=0.0)))
    np.testing.assert_allclose(slope, expected, rtol=tol, atol=tol * scale)


def _widened(value: Any) -> Any:
    """Differences are taken in double precision."""
    wide = {"float32": "float64", "complex64": "complex128"}.get(np.asarray(value).dtype.name)
    return value if wide is None else np.asarray(value).astype(wide)[()]


def _dtype_like(arguments: Sequence[Any], seed: np.ndarray) -> np.dtype:
    single = any(np.asarray(v).dtype.name in ("float32", "complex64") for v in arguments)
    return np.dtype({"f": "float32", "c": "complex64"}[seed.dtype.kind] if single else seed.dtype)


def _seed(rng: np.random.Generator, result: np.ndarray) -> np.ndarray:
    seed = rng.uniform(0.5, 1.5, result.shape)
    return seed + 1j * rng.uniform(-1, 1, result.shape) if result.dtype.kind == "c" else seed
