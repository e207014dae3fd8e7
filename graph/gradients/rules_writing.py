"""Gradients of NumPy's writes: what the array held before, and what was written, have it by place.

A write is differentiated in place: `g` is the memory of the array's cotangent. A rule finds in it the one
after the write, and leaves in it the one before; what it gives for other arguments must be memory of its own.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ops import OPS
from ..ops.derivatives import parameters
from ..symbolic.indexing import assign
from ..symbolic.numpy_api import write
from ..symbolic.symbols import as_dim
from ..trace.build import current
from . import words
from .arguments import Given, Refused, value_of
from .backward import Backward, Numbers, Rule
from .gathers import is_mask, made, write_at
from .words import choose


def _setitem(p: Backward, a: Given, index: Any, value: Numbers) -> Sequence[Any]:
    """What is overwritten is lost; of several values written to one place one stays."""
    places = value_of(index)
    picked = _picked(p.g, places) if _wanted(value) else None
    write_at(p.g, places, 0.0)
    if picked is not None and not is_mask(places):
        number = np.reshape(made(np.arange, picked.size), picked.shape)
        stayed = made(np.zeros, a.shape, np.int64)
        write_at(stayed, places, number)
        picked = choose(stayed[places] == number, picked, 0.0)
    return (None, None, picked)


def _picked(g: Any, places: Any) -> Any:
    """The elements of `g` at `places`, in memory of their own."""
    items = places if isinstance(places, tuple) else (places,)
    plain = all(item is None or item is Ellipsis or isinstance(item, (slice, int)) for item in items)
    return np.copy(g[places], order="C") if plain else g[places]


def _wanted(argument: Any) -> bool:
    return isinstance(argument, Given) and argument.wanted


def _add_at(sign: int) -> Rule:
    def rule(p: Backward, a: Given, indices: Any, b: Numbers = None) -> Sequence[Any]:
        if not _wanted(b):
            return ()
        picked = _picked(p.g, value_of(indices))
        return (None, None, picked if sign > 0 else -picked)

    return rule


def _sort(p: Backward, a: Given, axis: int = -1, kind: Any = None) -> Sequence[Any]:
    order = np.argsort(a.value, axis=axis, kind="stable")
    assign(p.g, np.take_along_axis(p.g, np.argsort(order, axis=axis), axis=axis))
    return ()


def _copyto(
    p: Backward, dst: Given, src: Numbers, casting: Any = "same_kind", where: Numbers = True
) -> Sequence[Any]:
    held = value_of(where)
    moved = choose(held, p.g, 0.0) if held is not True else np.copy(p.g, order="C")
    assign(p.g, choose(held, 0.0, p.g))
    return (None, moved)


def _fill_diagonal(p: Backward, a: Given, val: Numbers, wrap: bool = False) -> Sequence[Any]:
    if wrap or a.ndim != 2 or (isinstance(val, Given) and val.ndim):
        raise Refused("that wraps, of more than two axes, or with several values")
    moved = np.trace(p.g) if _wanted(val) else None
    under = made(np.eye, *a.shape, dtype=bool)
    assign(p.g, choose(under, 0.0, p.g))
    return (None, moved)


def _put_along_axis(p: Backward, arr: Given, indices: Numbers, values: Numbers, axis: Any) -> Sequence[Any]:
    if axis is None:
        raise Refused("of an array made flat")
    places = value_of(indices)
    picked = np.take_along_axis(p.g, places, axis=axis) if _wanted(values) else None
    write(np.put_along_axis, p.g, places, 0.0, axis=axis)
    if picked is not None:
        number = np.reshape(made(np.arange, picked.size), picked.shape)
        stayed = made(np.zeros, arr.shape, np.int64)
        write(np.put_along_axis, stayed, places, number, axis=axis)
        picked = choose(np.take_along_axis(stayed, places, axis=axis) == number, picked, 0.0)
    return (None, None, picked)


def _put(p: Backward, a: Given, ind: Numbers, v: Numbers, mode: str = "raise") -> Sequence[Any]:
    if mode != "raise" or _wanted(v):
        raise Refused("with values that have derivatives")
    write(np.put, p.g, value_of(ind), 0.0)
    return ()


def _place(p: Backward, arr: Given, mask: Numbers, vals: Numbers) -> Sequence[Any]:
    if _wanted(vals):
        raise Refused("with values that have derivatives")
    assign(p.g, choose(value_of(mask), 0.0, p.g))
    return ()


def _putmask(p: Backward, a: Given, mask: Numbers, values: Numbers) -> Sequence[Any]:
    held = value_of(mask)
    if _wanted(values) and values.ndim and not _alike(values.shape, a.shape):
        raise Refused("with values of another shape")
    moved = choose(held, p.g, 0.0) if _wanted(values) else None
    assign(p.g, choose(held, 0.0, p.g))
    return (None, None, moved)


def _alike(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    sizes = [(as_dim(a), as_dim(b)) for a, b in zip(one, other, strict=False)]
    known = [a is not None and b is not None and current().same_size(a, b) for a, b in sizes]
    return len(one) == len(other) and all(known)


def _in_place(name: str) -> Rule:
    """``a += b`` and its like: the ufunc's derivatives, at what `a` was before."""

    def rule(p: Backward, a: Given, b: Numbers) -> Sequence[Any]:
        for_a, for_b = OPS[name].gradient.derivatives  # type: ignore[union-attr]
        known = {"g": p.g, "a": a, "b": b}
        moved = for_b(*_needed(name, for_b, known)) if for_b and _wanted(b) else None
        if moved is p.g:
            moved = np.copy(moved, order="C")
        back = for_a(*_needed(name, for_a, known))
        if back is not p.g:
            assign(p.g, back)
        return (None, moved)

    return rule


def _needed(name: str, derivative: Any, known: dict[str, Any]) -> list[Any]:
    def value(parameter: str) -> Any:
        if parameter == "y":  # the result has been written over the operand
            return OPS[name].evaluate(value("a"), value("b"))  # type: ignore[misc]
        return words if parameter == "w" else value_of(known[parameter])

    return [value(parameter) for parameter in parameters(derivative)]


RULES: dict[Any, Rule] = {
    operator.setitem: _setitem,
    np.add.at: _add_at(1),
    np.subtract.at: _add_at(-1),
    np.ndarray.sort: _sort,
    np.copyto: _copyto,
    np.fill_diagonal: _fill_diagonal,
    np.put_along_axis: _put_along_axis,
    np.put: _put,
    np.place: _place,
    np.putmask: _putmask,
    operator.iadd: _in_place("add"),
    operator.isub: _in_place("subtract"),
    operator.imul: _in_place("multiply"),
    operator.itruediv: _in_place("divide"),
    operator.ipow: _in_place("power"),
    operator.imod: _in_place("remainder"),
}
