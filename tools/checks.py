"""What tests ask of functions: the plain one's answer, compiled, without a new trace; right derivatives.

Each raises `AssertionError` with what a person needs to see.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import MethodType
from typing import Any

import numpy as np

from ..runtime.config import counters
from ..runtime.copies import copied
from ..runtime.coverage import Coverage
from ..runtime.covered import coverage as coverage_of
from ..runtime.decorator import function as decorated
from ..runtime.errors import cut
from ..runtime.function import Function
from ..runtime.to_code import python_function
from ..runtime.transforms import grad, jvp, vjp
from .differences import difference, leaves
from .given import CallArguments, Draws

Call = Callable[..., object]


def same_as_plain(f: Call, *args: object, calls: int = 2, rtol: float = 1e-10, **kwargs: object) -> object:
    """Compare calls of a function, plain and decorated: results, exceptions, what becomes of the arguments.

    Args:
        f: a plain or a decorated function.
        *args: the arguments, which stay as they are.
        calls: how often it is called.
        rtol: how far numbers may be apart, relative to the largest in their array; types, dtypes and shapes
            must be equal.
        **kwargs: arguments by name.

    Returns:
        The plain result.

    Raises:
        AssertionError: they differ; with what, and in which call.
        TypeError: the arguments can't be copied.
    """
    __tracebackhide__ = True
    if isinstance(f, MethodType):
        return same_as_plain(f.__func__, f.__self__, *args, calls=calls, rtol=rtol, **kwargs)
    if isinstance(f, functools.partial):
        named = {**f.keywords, **kwargs}
        return same_as_plain(f.func, *f.args, *args, calls=calls, rtol=rtol, **named)
    plain, fast = python_function(f), _decorated(f)
    draws, given, expected = Draws(), CallArguments(args, kwargs), None
    for call in range(1, calls + 1):
        outcomes = [_outcome(each, given, draws) for each in (plain, fast)]
        _compare(plain.__qualname__, call, outcomes, rtol)
        expected = outcomes[0][0]
    return expected


asked_about: list[Function] = []
"""The functions that were compared or measured here, for a report on a whole session."""


def _decorated(f: Call) -> Call:
    """`f`, decorated if it isn't."""
    made = f if hasattr(f, "__jitscope__") else decorated(f)
    state = getattr(made, "__jitscope__", None)
    if isinstance(state, Function):
        asked_about.append(state)
    return made


def _outcome(f: Call, given: CallArguments, draws: Draws) -> tuple[object, ...]:
    """What a call with copies of the arguments gives, or raises, and the copies afterwards."""
    copies = given.copies()
    draws.put_back()
    try:
        return copies.call(f), None, copies.args, copies.kwargs
    except Exception as error:  # what is raised is part of the answer
        return None, error, copies.args, copies.kwargs


def _compare(name: str, call: int, outcomes: Sequence[tuple[object, ...]], rtol: float) -> None:
    __tracebackhide__ = True
    (value, error, *given), (found, raised, *changed) = outcomes
    if type(error) is not type(raised) or str(error) != str(raised):
        raise AssertionError(f"{name}, call {call}: plain {_ended(error)}, decorated {_ended(raised)}")
    for what, one, other in (("the result", value, found), ("an argument afterwards", given, changed)):
        gap = difference(one, other)
        if gap > rtol:
            how = "another type, dtype, shape or value" if gap == float("inf") else f"apart by {gap:.1e}"
            shown = f"\n  plain      {cut(repr(one), 200)}\n  decorated  {cut(repr(other), 200)}"
            raise AssertionError(f"{name}, call {call}: {what} is {how}{shown}")


def _ended(error: object) -> str:
    return "returns" if error is None else f"raises {type(error).__name__}: {error}"


def compiled(f: Call, *args: object, coverage: float = 0.9, **kwargs: object) -> Coverage:
    """See that at least `coverage` of a plain call's time is spent in lines that are compiled.

    Args:
        f: a plain or a decorated function.
        *args: the arguments, which stay as they are.
        coverage: the least share, from 0 to 1.
        **kwargs: arguments by name.

    Returns:
        The share, and a row for each line.

    Raises:
        AssertionError: it is less; with each line, its share and how it runs.
    """
    __tracebackhide__ = True
    named: Any = kwargs
    if not isinstance(f, (MethodType, functools.partial)):
        f = _decorated(f)
    found = coverage_of(f, *args, **named)
    if found.share < coverage:
        reasons = {line.reason for line in found.lines if line.reason}
        told = "\n".join(f"  {reason}" for reason in sorted(reasons))
        raise AssertionError(f"{found.share:.1%} is compiled, less than {coverage:.1%}\n{found}{told}")
    return found


@contextmanager
def no_recompile() -> Iterator[None]:
    """See that nothing is traced or compiled in the block.

    Raises:
        AssertionError: something is; with the functions and signatures that are new.
    """
    __tracebackhide__ = True
    before, known = (counters().traces, counters().compilations), set(_signatures())
    yield
    traces, compilations = counters().traces - before[0], counters().compilations - before[1]
    if traces or compilations:
        new = [text for text in _signatures() if text not in known]
        said = "".join(f"\n  {text}" for text in new)
        raise AssertionError(f"{traces} traced and {compilations} compiled in a block that needs none{said}")


def _signatures() -> list[str]:
    """All specialisations there are, of all functions."""
    states = [one for one in gc.get_objects() if isinstance(one, Function)]
    return [f"{state.called}({item.signature})" for state in states for item in list(state.specialisations)]


def check_grads(f: Call, *args: object, order: int = 1, rtol: float = 0.0, seed: int = 0) -> None:
    """Compare derivatives of a function with differences, in random directions.

    Central differences with the step that is best for them (Press et al., Numerical Recipes, 3rd ed., ch.
    5.7): the cube root of the dtype's precision, relative to the argument.

    Args:
        f: a function of arrays of floats, floats, or tuples, lists and dicts of them; other arguments stay
            as they are. For ``order=2`` its result is a real scalar.
        *args: where.
        order: 1 for gradients; 2 for products of the Hessian with a vector, too.
        rtol: how far they may be apart, relative to the larger one; unless given, 1e-4 where all is float64,
            2e-2 with float32.
        seed: of the directions.

    Raises:
        AssertionError: they differ; for which argument.
        ValueError: no argument has floats, or `order` is neither 1 nor 2.
    """
    __tracebackhide__ = True
    if order not in (1, 2):
        raise ValueError(f"order is 1 or 2, not {order!r}")
    places = [k for k, value in enumerate(args) if any(map(_is_float, leaves(value)))]
    if not places:
        raise ValueError("no argument has floats to differentiate for")
    rng = np.random.default_rng(seed)
    floats = [np.asarray(leaf) for value in args for leaf in leaves(value) if _is_float(leaf)]
    single = any(array.dtype == np.float32 for array in floats)
    rtol = rtol or (2e-2 if single else 1e-4)
    step = 5e-3 if single else 6e-6
    value, pullback = vjp(f, *copied(args))
    cotangent = _direction(value, rng)
    gradients = pullback(cotangent)
    for k in places:
        tangent = _direction(args[k], rng)
        up, down = (f(*copied(_moved(args, k, tangent, sign * step))) for sign in (1.0, -1.0))
        expected = (_dot(cotangent, up) - _dot(cotangent, down)) / (2 * step)
        _close(f, k, "the gradient", _dot(gradients[k], tangent), expected, rtol)
        if order == 2:
            _check_second(f, args, k, tangent, step, rtol, rng)


def _check_second(
    f: Call,
    args: tuple[object, ...],
    k: int,
    tangent: object,
    step: float,
    rtol: float,
    rng: np.random.Generator,
) -> None:
    __tracebackhide__ = True
    slope = grad(f, argnums=k)
    tangents = tuple(tangent if j == k else _map(one, np.zeros_like) for j, one in enumerate(args))
    _, product = jvp(slope, copied(args), tangents)
    up, down = (slope(*copied(_moved(args, k, tangent, sign * step))) for sign in (1.0, -1.0))
    other = _direction(product, rng)
    expected = (_dot(other, up) - _dot(other, down)) / (2 * step)
    _close(f, k, "the Hessian's product with a vector", _dot(other, product), expected, 10 * rtol)


def _close(f: Call, k: int, what: str, found: float, expected: float, rtol: float) -> None:
    __tracebackhide__ = True
    scale = max(abs(found), abs(expected), 1e-6)
    if not abs(found - expected) <= rtol * scale:
        name = python_function(f).__qualname__
        said = f"{found:.9g} in a random direction, by differences {expected:.9g}"
        raise AssertionError(f"{name}: {what} for argument {k} is {said}")


def _is_float(leaf: object) -> bool:
    return isinstance(leaf, (float, np.ndarray, np.generic)) and np.asarray(leaf).dtype.kind == "f"


def _map(value: object, change: Callable[[np.ndarray], object]) -> object:
    """`value` with each array or number of floats changed."""
    if isinstance(value, (tuple, list)):
        return type(value)(_map(item, change) for item in value)
    if isinstance(value, dict):
        return {key: _map(item, change) for key, item in value.items()}
    if not _is_float(value):
        return value
    made = np.asarray(change(np.asarray(value)), np.asarray(value).dtype)
    return (
        made if isinstance(value, np.ndarray) else made[()] if isinstance(value, np.generic) else float(made)
    )


def _direction(value: object, rng: np.random.Generator) -> object:
    return _map(value, lambda array: rng.normal(size=array.shape))


def _moved(args: tuple[object, ...], k: int, tangent: object, step: float) -> tuple[object, ...]:
    parts = iter([np.asarray(leaf) for leaf in leaves(tangent) if _is_float(leaf)])
    moved = _map(args[k], lambda array: array + step * next(parts))
    return (*args[:k], moved, *args[k + 1 :])


def _dot(one: object, other: object) -> float:
    pairs = zip(leaves(one), leaves(other), strict=True)
    return float(sum(np.sum(np.asarray(a, float) * np.asarray(b, float)) for a, b in pairs if _is_float(b)))
