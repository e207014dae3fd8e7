"""Derivatives by differences, with the names of `jitscope`: what a program must do, in a few hundred lines of Python.

Each function is run as it is, once, for its value and for what it does to lists, dicts, arrays and objects. Its
Jacobian comes from runs on moved copies, after each of which all that the function can reach is put back. In
them `stop_gradient` gives what it gave at first, and a custom gradient's function is linear, by its rule.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import io
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

STEP = 1e-3
_TOO_LARGE = 1e10
"""Of numbers like these differences have no digit that is right: the program is not one to compare with."""
_VIEWS = (type({}.values()), type({}.keys()), type({}.items()))


class JitscopeError(Exception):
    """Never raised here."""


def function(f: Any = None, **_: Any) -> Any:
    """The function itself."""
    return f if f is not None else lambda g: g


def checkpoint(f: Any) -> Any:
    """The function itself."""
    return f


# Structures ------------------------------------------------------------------------------------------


def is_leaf(value: Any) -> bool:
    """Whether it is differentiated."""
    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind == "f" or isinstance(value, float)


def parts(value: Any) -> list[Any]:
    """What it consists of."""
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, (list, tuple, *_VIEWS)):
        return list(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in dataclasses.fields(value)]
    return []


def leaves(value: Any) -> list[Any]:
    """Its numbers and arrays, in order."""
    return [value] if is_leaf(value) else [leaf for part in parts(value) for leaf in leaves(part)]


def rebuilt(value: Any, given: Iterator[Any], other: Callable[[Any], Any] = lambda v: v) -> Any:
    """The same structure anew, with other leaves."""
    if is_leaf(value):
        return next(given)
    inner = [rebuilt(part, given, other) for part in parts(value)]
    if isinstance(value, dict):
        return dict(zip(value, inner))
    if isinstance(value, tuple):
        return type(value)(*inner) if hasattr(value, "_fields") else tuple(inner)
    if isinstance(value, (list, *_VIEWS)):
        return inner
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return type(value)(*inner)
    return other(value)


def vector(value: Any) -> np.ndarray:
    """All numbers in a row."""
    return np.concatenate([np.zeros(0), *(np.ravel(leaf) for leaf in leaves(value))]).astype(float)


def like(value: Any, numbers: np.ndarray, other: Callable[[Any], Any] = lambda v: v) -> Any:
    """The structure with the numbers of a row, each leaf of its own type."""
    at = 0

    def one() -> Iterator[Any]:
        nonlocal at
        for leaf in leaves(value):
            size = int(np.size(leaf))
            here = numbers[at : at + size]
            at += size
            if isinstance(leaf, np.ndarray):
                yield here.reshape(leaf.shape).astype(leaf.dtype)
            else:
                yield type(leaf)(here[0])

    return rebuilt(value, one(), other)


def against(value: Any, given: Any) -> np.ndarray:
    """A row of a cotangent or tangent of the value's structure; None is zero."""
    if is_leaf(value):
        size = int(np.size(value))
        return (
            np.zeros(size) if given is None else np.broadcast_to(given, np.shape(value)).ravel().astype(float)
        )
    if isinstance(value, dict) and given is not None:
        inner = list(given.values()) if not isinstance(given, dict) else [given[key] for key in value]
    else:
        inner = [None] * len(parts(value)) if given is None else parts(given)
    return np.concatenate([np.zeros(0), *(against(v, g) for v, g in zip(parts(value), inner))])


# State -----------------------------------------------------------------------------------------------


class State:
    """What lists, dicts, arrays, objects and variables hold that can be reached from a function."""

    def __init__(self, *roots: Any) -> None:
        self.saved: list[tuple[Any, Any]] = []
        self.seen: set[int] = set()
        for root in roots:
            self.visit(root)

    def visit(self, value: Any) -> None:
        if id(value) in self.seen or isinstance(value, (int, float, str, type, types.ModuleType)):
            return
        self.seen.add(id(value))
        if isinstance(value, np.ndarray):
            if value.flags.writeable:
                self.saved.append((value, value.copy()))
        elif isinstance(value, (list, tuple, dict)):
            if not isinstance(value, tuple):
                self.saved.append((value, value.copy()))
            for part in value.values() if isinstance(value, dict) else value:
                self.visit(part)
        elif isinstance(value, types.FunctionType):
            self.reached(value)
        elif isinstance(value, types.MethodType):
            self.visit(value.__self__)
            self.visit(value.__func__)
        elif isinstance(value, functools.partial):
            for part in (value.func, value.args, value.keywords):
                self.visit(part)
        elif hasattr(value, "__dict__"):
            self.saved.append((value.__dict__, dict(value.__dict__)))
            for part in value.__dict__.values():
                self.visit(part)

    def reached(self, f: types.FunctionType) -> None:
        self.visit(f.__defaults__)
        self.visit(f.__kwdefaults__)
        for cell in f.__closure__ or ():
            with contextlib.suppress(ValueError):
                self.saved.append((cell, cell.cell_contents))
                self.visit(cell.cell_contents)
        if f.__globals__ is not globals():
            for name in _names(f.__code__):
                self.visit(f.__globals__.get(name))

    def restore(self) -> None:
        for target, before in self.saved:
            if isinstance(target, types.CellType):
                target.cell_contents = before
            elif isinstance(target, np.ndarray):
                target[...] = before
            elif isinstance(target, list):
                target[:] = before
            else:
                target.clear()
                target.update(before)


def _names(code: types.CodeType) -> set[str]:
    inner = (_names(c) for c in code.co_consts if isinstance(c, types.CodeType))
    return set(code.co_names).union(*inner)


# Runs ------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class _Custom:
    """A call of a function with a custom gradient."""

    value: Any
    given: np.ndarray
    slope: Any
    rule: Any
    counts: bool = False  # whether what it is given depends on what is differentiated for


@dataclasses.dataclass
class _Level:
    """What one derivative knows of the runs of its function: the first one writes it down, moved ones repeat it."""

    way: str  # first, moved, true
    stopped: list[Any] = dataclasses.field(default_factory=list)
    customs: list[_Custom] = dataclasses.field(default_factory=list)
    at: list[int] = dataclasses.field(default_factory=lambda: [0, 0])
    moved: tuple[int, np.ndarray] | None = None


_levels: list[_Level] = []


def stop_gradient(x: Any) -> Any:
    """The argument; in moved runs what it was in the first one."""
    return _stopped(x, len(_levels) - 1)


def _stopped(x: Any, depth: int) -> Any:
    if depth < 0:
        return x
    level = _levels[depth]
    if level.way == "moved":
        level.at[0] += 1
        return like(x, level.stopped[level.at[0] - 1])
    value = _stopped(x, depth - 1)
    level.stopped.append(vector(value))
    return value


def custom_gradient(f: Any) -> Any:
    """A function that returns its value; its rule counts in derivatives."""

    @functools.wraps(f)
    def called(*args: Any) -> Any:
        return _custom(f, args, len(_levels) - 1)[0]

    return called


def _custom(f: Any, args: tuple[Any, ...], depth: int) -> tuple[Any, Any]:
    """The value that the runs at this depth see, and the rule."""
    if depth < 0:
        return f(*args)
    level = _levels[depth]
    if level.way == "moved":
        number = level.at[1]
        level.at[1] += 1
        value, rule = f(*args)
        known = level.customs[number]
        known.counts |= level.moved is None and bool(np.any(vector(args) != known.given))
        numbers = vector(known.value) + known.slope @ (vector(args) - known.given)
        if level.moved and level.moved[0] == number:
            numbers = numbers + level.moved[1]
        return like(value, numbers), rule
    given = vector(args)
    value, rule = _custom(f, args, depth - 1)
    slope = _rule_slope(rule, value, args) if level.way == "first" else None
    level.customs.append(_Custom(like(value, vector(value)), given, slope, rule))
    return value, rule


def _rule_slope(rule: Any, value: Any, args: tuple[Any, ...]) -> np.ndarray:
    """The Jacobian that a rule speaks of."""
    state, rows = State(rule), []
    for unit in np.eye(len(vector(value))):
        with contextlib.redirect_stdout(io.StringIO()):
            rows.append(_by_rule(rule, like(value, unit), args))
        state.restore()
    return np.array(rows).reshape(len(rows), len(vector(args)))


def _by_rule(rule: Any, cotangent: Any, args: tuple[Any, ...]) -> np.ndarray:
    found = rule(*leaves(cotangent))
    return against(args, found if isinstance(found, tuple) and len(found) == len(args) else (found,))


@dataclasses.dataclass
class _Linear:
    """A function's value, and its Jacobian at the arguments of a call."""

    value: Any
    aux: Any
    slope: np.ndarray
    rules: list[_Custom]
    of_rules: list[np.ndarray]

    def run_rules(self, cotangent: np.ndarray) -> None:
        """Call the rules of custom gradients once, for what they do."""
        for custom, slope in list(zip(self.rules, self.of_rules))[::-1]:
            if custom.counts:
                custom.rule(*leaves(like(custom.value, cotangent @ slope)))


def _linear(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], wrt: tuple[int, ...], has_aux: bool = False
) -> _Linear:
    state = State(f, args, kwargs)
    level = _Level("first")

    def run(numbers: np.ndarray | None) -> Any:
        moved = args
        if numbers is not None:
            new = iter(like([args[k] for k in wrt], numbers))
            moved = tuple(next(new) if k in wrt else a for k, a in enumerate(args))
        level.at = [0, 0]
        _levels.append(level)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                found = f(*moved, **kwargs)
                return vector(found[0] if has_aux else found)
        finally:
            del _levels[-1]
            state.restore()

    start = vector([args[k] for k in wrt])
    try:
        first = run(None)
    except Exception:
        f(*args, **kwargs)  # raises, and what was done before stays
        raise
    level.way = "moved"
    slope = _columns(lambda by: run(start + by), len(start), len(first))
    of_rules = []
    for number, custom in enumerate(level.customs):

        def moved_rule(by: np.ndarray, number: int = number) -> Any:
            level.moved = number, by
            return run(start)

        of_rules.append(_columns(moved_rule, len(vector(custom.value)), len(first)))
        level.moved = None
    true = _Level("true")
    _levels.append(true)
    try:
        found = f(*args, **kwargs)
    finally:
        del _levels[-1]
    value, aux = found if has_aux else (found, None)
    for custom, known in zip(true.customs, level.customs):
        custom.counts = known.counts
    return _Linear(value, aux, slope, true.customs, of_rules)


def _columns(f: Callable[[np.ndarray], np.ndarray], size: int, rows: int) -> np.ndarray:
    """The Jacobian by differences of fourth order; NaN where the function's values are too large for them."""
    found = np.zeros((rows, size))
    for k, unit in enumerate(np.eye(size) * STEP):
        near, far = (f(unit), f(-unit)), (f(2 * unit), f(-2 * unit))
        found[:, k] = (8 * (near[0] - near[1]) - (far[0] - far[1])) / (12 * STEP)
        found[np.max(np.abs([*near, *far]), axis=0, initial=0.0) > _TOO_LARGE, k] = np.nan
    return found


# The functions ---------------------------------------------------------------------------------------


def _wrt(args: tuple[Any, ...], argnums: Any) -> tuple[int, ...]:
    wrt = argnums if isinstance(argnums, tuple) else (argnums,)
    for k in wrt:
        _no_ints(args[k])
    return tuple(k % len(args) for k in wrt)


def _no_ints(value: Any) -> None:
    if isinstance(value, (bool, int)) or (isinstance(value, np.ndarray) and value.dtype.kind in "bi"):
        raise TypeError("an int")
    if not is_leaf(value):
        for part in parts(value):
            _no_ints(part)


def value_and_grad(f: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
    """A function that returns the value and the gradient."""

    def value_and_gradient(*args: Any, **kwargs: Any) -> Any:
        wrt = _wrt(args, argnums)
        structures = [like(args[k], vector(args[k])) for k in wrt]
        found = _linear(f, args, kwargs, wrt, has_aux)
        found.run_rules(np.ones(1))
        flat, at, gradients = found.slope[0], 0, []
        for structure in structures:
            size = len(vector(structure))
            gradients.append(like(structure, flat[at : at + size]))
            at += size
        value = (found.value, found.aux) if has_aux else found.value
        return value, tuple(gradients) if isinstance(argnums, tuple) else gradients[0]

    return value_and_gradient


def grad(f: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
    """A function that returns the gradient."""
    both = value_and_grad(f, argnums, has_aux)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, slopes = both(*args, **kwargs)
        return (slopes, value[1]) if has_aux else slopes

    return gradient


def vjp(f: Any, *primals: Any, has_aux: bool = False) -> Any:
    """The value and a pullback."""
    structure = like(primals, vector(primals), lambda v: None if isinstance(v, int) else v)
    found = _linear(f, primals, {}, tuple(range(len(primals))), has_aux)
    like_value = like(found.value, vector(found.value))

    def pullback(cotangent: Any) -> Any:
        row = against(like_value, cotangent)
        found.run_rules(row)
        return like(structure, row @ found.slope)

    return (found.value, pullback, found.aux) if has_aux else (found.value, pullback)


def jvp(f: Any, primals: Any, tangents: Any, has_aux: bool = False) -> Any:
    """The value and its tangent."""
    row = against(tuple(primals), tuple(tangents))
    found = _linear(f, tuple(primals), {}, tuple(range(len(primals))), has_aux)
    tangent = like(found.value, found.slope @ row, lambda v: None if isinstance(v, int) else v)
    return (found.value, tangent, found.aux) if has_aux else (found.value, tangent)


def jacobian(f: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
    """A function that returns arrays of the shape of the result and the argument."""

    def jacobian_of(*args: Any, **kwargs: Any) -> Any:
        wrt = _wrt(args, argnums)
        structures = [like(args[k], vector(args[k])) for k in wrt]
        found = _linear(f, args, kwargs, wrt, has_aux)
        inner = tuple(structures) if isinstance(argnums, tuple) else structures[0]
        row = 0

        def blocks() -> Iterator[Any]:
            nonlocal row
            for leaf in leaves(found.value):
                size = int(np.size(leaf))
                yield _block(inner, found.slope[row : row + size], np.shape(leaf))
                row += size

        result = rebuilt(found.value, blocks())
        return (result, found.aux) if has_aux else result

    return jacobian_of


def _block(inner: Any, rows: np.ndarray, shape: tuple[int, ...]) -> Any:
    at = 0

    def each() -> Iterator[Any]:
        nonlocal at
        for leaf in leaves(inner):
            size = int(np.size(leaf))
            part = rows[:, at : at + size].reshape((*shape, *np.shape(leaf))).copy()
            at += size
            yield part if part.ndim else float(part)

    return rebuilt(inner, each())


def hessian(f: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
    """The Jacobian of the gradient."""
    return jacobian(grad(f, argnums, has_aux), argnums, has_aux)
