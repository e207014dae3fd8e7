"""The oracle: a decorated function must do what the plain one does.

`same(f, *args)` runs both on independent copies of the arguments and compares all that a caller can see:
values to the last bit, exact Python types, dtypes, memory order, what was written to each argument, what
shares memory with what, which object came back, what was printed, and exceptions with their text.
"""

from __future__ import annotations

import contextlib
import copy
import io
import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

IDENTITY = os.environ.get("JITSCOPE_TEST_IDENTITY", "") == "1"

# What may differ from the plain function, each with its reason; a row is a predicate on (expected, actual).
ALLOWED_DIFFERENCES: tuple[Callable[[Outcome, Outcome], bool], ...] = ()


@dataclass(frozen=True)
class Tolerance:
    """How far floating point numbers may lie apart: `ulp` units in the last place, or `atol` absolutely."""

    ulp: int = 0
    atol: float = 0.0


EXACT = Tolerance()


@dataclass
class Outcome:
    """All that one call showed to its caller."""

    value: Any
    error: BaseException | None
    arguments: tuple[tuple[Any, ...], dict[str, Any]]
    printed: str


def decorate(f: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """`js.function(f)`, or `f` itself when the corpus is tested without a compiler."""
    if IDENTITY:
        return f
    import jitscope as js

    return js.function(f, **options) if options else js.function(f)


def same(
    f: Callable[..., Any], *args: Any, calls: int = 2, tol: int | Tolerance | None = None, **kwargs: Any
) -> None:
    """Fail unless the decorated `f` does what the plain `f` does, in each of `calls` calls."""
    compare(f, decorate(f), args, kwargs, calls=calls, tol=tol)


def compare(
    plain: Callable[..., Any],
    decorated: Callable[..., Any],
    args: tuple[Any, ...] = (),
    kwargs: dict[str, Any] | None = None,
    calls: int = 2,
    tol: int | Tolerance | None = None,
    reset: Callable[[], None] | None = None,
) -> None:
    """Fail unless `decorated` does what `plain` does; `reset` restores outside state before each call."""
    tolerance = tol if isinstance(tol, Tolerance) else Tolerance(tol or 0)
    inputs = (args, kwargs or {})
    if reset:
        reset()
    expected = observe(plain, inputs)
    for call in range(calls):
        if reset:
            reset()
        actual = observe(decorated, inputs)
        found = difference(expected, actual, tolerance)
        if found and not any(allowed(expected, actual) for allowed in ALLOWED_DIFFERENCES):
            name = getattr(plain, "__qualname__", repr(plain))
            failure = AssertionError(f"call {call + 1} of {name}{describe(inputs)}:\n  {found}")
            raise failure from actual.error


def observe(f: Callable[..., Any], inputs: tuple[tuple[Any, ...], dict[str, Any]]) -> Outcome:
    """Call `f` on a copy of the inputs and keep what could be seen."""
    args, kwargs = copy_inputs(inputs)
    printed = io.StringIO()
    value, error = None, None
    with np.errstate(all="ignore"), warnings.catch_warnings(), contextlib.redirect_stdout(printed):
        warnings.simplefilter("ignore")
        try:
            value = f(*args, **kwargs)
        except Exception as raised:  # noqa: BLE001 (any exception is an outcome)
            error = raised
    return Outcome(value, error, (args, kwargs), printed.getvalue())


# Copies that keep aliasing ---------------------------------------------------------------------------


def copy_inputs(inputs: Any) -> Any:
    """A deep copy in which views of one memory are again views of one memory, with strides and flags."""
    memo: dict[int, Any] = {}
    roots: dict[int, tuple[np.ndarray, int]] = {}
    for _, node in walk(inputs):
        if isinstance(node, np.ndarray) and node.dtype != object and id(node) not in memo:
            memo[id(node)] = _copy_array(node, roots)
    return copy.deepcopy(inputs, memo)


def _root(array: np.ndarray) -> np.ndarray:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _copy_array(array: np.ndarray, roots: dict[int, tuple[np.ndarray, int]]) -> np.ndarray:
    """A copy at the same place of a copy of the array's whole memory."""
    root = _root(array)
    low, high = _bounds(root)
    if root is array and id(root) not in roots:
        fresh = np.empty_like(array, order="K", subok=False)
        if fresh.strides == array.strides:
            fresh[...] = array
            fresh.flags.writeable = array.flags.writeable
            roots[id(root)] = (_memory(fresh), low)
            return fresh
    if id(root) not in roots:
        memory = np.empty(high - low, np.uint8)
        memory[:] = np.ndarray((high - low,), np.uint8, buffer=_memory(root))
        roots[id(root)] = (memory, low)
    memory, start = roots[id(root)]
    offset = _address(array) - start
    view = np.ndarray(array.shape, array.dtype, memory, offset if array.size else 0, array.strides)
    view.flags.writeable = array.flags.writeable
    return view


def _bounds(array: np.ndarray) -> tuple[int, int]:
    return np.lib.array_utils.byte_bounds(array) if array.size else (_address(array), _address(array))


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def _memory(array: np.ndarray) -> np.ndarray:
    """The bytes of an array that owns its memory (and so has no holes), as bytes that can be written."""

    class Interface:
        """Hands out the memory, and keeps its owner alive."""

        owner = array
        __array_interface__ = {
            "shape": (array.nbytes,),
            "typestr": "|u1",
            "data": (_address(array), False),
            "version": 3,
        }

    return np.asarray(Interface()) if array.nbytes else np.empty(0, np.uint8)


def walk(value: Any, path: str = "", seen: set[int] | None = None) -> Iterator[tuple[str, Any]]:
    """Each mutable part of a value (arrays, containers, objects) with the path to it, once."""
    seen = set() if seen is None else seen
    if isinstance(value, (np.ndarray, list, dict, set)) or _has_state(value):
        yield path, value
        if id(value) in seen:
            return
        seen.add(id(value))
    for key, item in _items(value):
        yield from walk(item, path + key, seen)


def _has_state(value: Any) -> bool:
    return hasattr(value, "__dict__") and not callable(value) and not isinstance(value, type(np))


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (list, tuple)):
        yield from ((f"[{i}]", item) for i, item in enumerate(value))
    elif isinstance(value, dict):
        yield from ((f"[{key!r}]", item) for key, item in value.items())
    elif _has_state(value):
        yield from ((f".{key}", item) for key, item in vars(value).items())


# Comparison ------------------------------------------------------------------------------------------


def difference(expected: Outcome, actual: Outcome, tolerance: Tolerance = EXACT) -> str | None:
    """The first thing in which two outcomes differ, in words, or None."""
    if (expected.error is None) != (actual.error is None):
        return f"expected {_ending(expected)}, got {_ending(actual)}"
    if expected.error is not None and actual.error is not None:
        if type(expected.error) is not type(actual.error) or str(expected.error) != str(actual.error):
            return f"expected {_ending(expected)}, got {_ending(actual)}"
    found = unequal(expected.value, actual.value, "result", tolerance)
    for name, wanted, got in zip(("args", "kwargs"), expected.arguments, actual.arguments, strict=True):
        found = found or unequal(wanted, got, name, tolerance)
    if not found and expected.printed != actual.printed:
        found = f"printed: expected {expected.printed!r}, got {actual.printed!r}"
    return found or _differs_in_sharing(expected, actual)


def _ending(outcome: Outcome) -> str:
    if outcome.error is not None:
        return f"{type(outcome.error).__name__}: {outcome.error}"
    return f"result {outcome.value!r} ({type(outcome.value).__name__})"


def unequal(expected: Any, actual: Any, path: str, tolerance: Tolerance = EXACT) -> str | None:
    """Where and how two values differ, or None: exact types, dtypes, shapes, bits."""
    if type(expected) is not type(actual):
        wanted, got = type(expected).__name__, type(actual).__name__
        return f"{path}: expected {wanted} {expected!r}, got {got} {actual!r}"
    if isinstance(expected, np.ndarray):
        return _unequal_arrays(expected, actual, path, tolerance)
    if isinstance(expected, (np.generic, float, complex)):
        if isinstance(expected, np.generic) and expected.dtype != actual.dtype:
            return f"{path}: expected dtype {expected.dtype}, got {actual.dtype}"
        return _unequal_elements(np.asarray(expected), np.asarray(actual), path, tolerance)
    if isinstance(expected, np.random.Generator):
        return unequal(expected.bit_generator.state, actual.bit_generator.state, path + ".state")
    if isinstance(expected, (list, tuple, dict)) or _has_state(expected):
        return _unequal_parts(expected, actual, path, tolerance)
    if callable(expected):
        return None
    return None if expected == actual else f"{path}: expected {expected!r}, got {actual!r}"


def _unequal_parts(expected: Any, actual: Any, path: str, tolerance: Tolerance) -> str | None:
    wanted, got = list(_items(expected)), list(_items(actual))
    if [key for key, _ in wanted] != [key for key, _ in got]:
        return f"{path}: expected the parts {[k for k, _ in wanted]}, got {[k for k, _ in got]}"
    for (key, left), (_, right) in zip(wanted, got, strict=True):
        found = unequal(left, right, path + key, tolerance)
        if found:
            return found
    return None


def _unequal_arrays(expected: np.ndarray, actual: np.ndarray, path: str, tolerance: Tolerance) -> str | None:
    for fact in ("dtype", "shape"):
        if getattr(expected, fact) != getattr(actual, fact):
            return f"{path}: expected {fact} {getattr(expected, fact)}, got {getattr(actual, fact)}"
    for flag in ("C_CONTIGUOUS", "F_CONTIGUOUS", "WRITEABLE"):
        if expected.flags[flag] != actual.flags[flag]:
            strides = f"strides {expected.strides}, got {actual.strides}"
            return f"{path}: expected {flag} {expected.flags[flag]}, {strides}"
    return _unequal_elements(expected, actual, path, tolerance)


def _unequal_elements(
    expected: np.ndarray, actual: np.ndarray, path: str, tolerance: Tolerance
) -> str | None:
    if expected.dtype == object:
        return unequal(expected.tolist(), actual.tolist(), path, tolerance)
    if expected.dtype.kind not in "fc":
        wrong = np.asarray(expected != actual)
    else:
        wrong = ~_close(expected, actual, tolerance)
    if not wrong.any():
        return None
    where = tuple(int(i[0]) for i in np.nonzero(np.atleast_1d(wrong)))
    want, got = np.atleast_1d(expected)[where], np.atleast_1d(actual)[where]
    share = f"{int(wrong.sum())} of {wrong.size} elements, first " if wrong.ndim else ""
    place = f"{list(where)} " if expected.ndim else ""
    return f"{path}: {share}{place}expected {want!r}, got {got!r}"


def _close(expected: np.ndarray, actual: np.ndarray, tolerance: Tolerance) -> np.ndarray:
    """Per element: the same bits (every NaN counts as the same), or near enough."""
    if expected.dtype.kind == "c":
        return _close_complex(expected, actual, tolerance)
    with np.errstate(all="ignore"):
        both_nan = np.isnan(expected) & np.isnan(actual)
        equal = (expected == actual) & (np.signbit(expected) == np.signbit(actual))
        near = np.zeros(expected.shape, bool)
        if tolerance.ulp or tolerance.atol:
            size = np.maximum(np.abs(expected), np.abs(actual))
            margin = tolerance.ulp * np.spacing(size).astype(np.float64) + tolerance.atol
            near = np.isfinite(size) & (np.abs(expected.astype(np.float64) - actual) <= margin)
    return both_nan | equal | near


def _close_complex(expected: np.ndarray, actual: np.ndarray, tolerance: Tolerance) -> np.ndarray:
    """Like `_close`; a margin is in units of the larger part, as the smaller one may be all cancellation."""
    exact = _close(expected.real, actual.real, EXACT) & _close(expected.imag, actual.imag, EXACT)
    if not (tolerance.ulp or tolerance.atol):
        return exact
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(expected.real), np.abs(expected.imag))
        margin = tolerance.ulp * np.spacing(size).astype(np.float64) + tolerance.atol
        gap = np.maximum(np.abs(expected.real - actual.real), np.abs(expected.imag - actual.imag))
        near = np.isfinite(size) & (gap <= margin)
        both_nan = np.isnan(expected) & np.isnan(actual)
    return exact | near | both_nan


def _differs_in_sharing(expected: Outcome, actual: Outcome) -> str | None:
    wanted, got = _sharing(expected), _sharing(actual)
    for fact in sorted(wanted ^ got):
        side = "missing" if fact in wanted else "unexpected"
        return f"{side}: {fact}"
    return None


def _sharing(outcome: Outcome) -> set[str]:
    """Sentences on which parts of the arguments and the result are one object or one memory."""
    seen: set[int] = set()
    shown = zip(("args", "kwargs", "result"), (*outcome.arguments, outcome.value), strict=True)
    nodes = [node for name, value in shown for node in walk(value, name, seen)]
    facts: set[str] = set()
    arrays: list[tuple[str, np.ndarray]] = []
    first: dict[int, str] = {}
    for path, node in nodes:
        if id(node) in first:
            facts.add(f"{path} is {first[id(node)]}")
            continue
        first[id(node)] = path
        if isinstance(node, np.ndarray):
            arrays.append((path, node))
    for j, (right_path, right) in enumerate(arrays[:30]):
        for left_path, left in arrays[:j]:
            if np.may_share_memory(left, right) and np.shares_memory(left, right):
                steps = [step for step, size in zip(right.strides, right.shape, strict=True) if size != 1]
                place = f"{_address(right) - _address(left)} bytes on, strides {steps}"  # of one element: any
                facts.add(f"{right_path} shares memory with {left_path}, {place}")
    return facts


def describe(inputs: tuple[tuple[Any, ...], dict[str, Any]]) -> str:
    """The arguments in short, for failure messages."""
    args, kwargs = inputs
    parts = [_short(a) for a in args] + [f"{k}={_short(v)}" for k, v in kwargs.items()]
    return f"({', '.join(parts)})"


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.size > 8:
        return f"<{value.dtype} {value.shape} strides {value.strides}>"
    text = repr(value)
    return text if len(text) < 120 else text[:117] + "..."
