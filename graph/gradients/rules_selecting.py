"""Gradients of NumPy calls that pick, sort and move elements, or change them one by one."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ops.define import NotDifferentiable
from ..ops.derivatives import STEPS
from ..symbolic.indexing import assign
from .arguments import Given, Refused, value_of
from .backward import Backward, Numbers, Rule
from .gathers import made, scattered, scattered_along
from .words import choose, conj, imag, kind_of, real, where_zero


def _getitem(p: Backward, a: Given, index: Any) -> Sequence[Any]:
    return (scattered(a.shape, value_of(index), p.g),)


def _take(
    p: Backward, a: Given, indices: Numbers, axis: Any = None, out: Any = None, mode: str = "raise"
) -> Sequence[Any]:
    if mode != "raise":
        raise Refused(f"mode={mode!r}")
    places = value_of(indices)
    if axis is not None:
        at = axis % a.ndim
        return (scattered(a.shape, (*(slice(None),) * at, places), p.g),)
    if a.ndim == 1:
        return (scattered(a.shape, places, p.g),)
    return (scattered((a.size,), places, p.g).reshape(a.shape),)


def _take_along_axis(p: Backward, arr: Given, indices: Numbers, axis: Any = -1) -> Sequence[Any]:
    if axis is None:
        flat = scattered((arr.size,), value_of(indices), p.g)
        return (flat if arr.ndim == 1 else flat.reshape(arr.shape),)
    at = axis % arr.ndim
    return (scattered_along(p.g, value_of(indices), at, arr.shape[at]),)


def _compress(p: Backward, condition: Numbers, a: Given, axis: Any = None, out: Any = None) -> Sequence[Any]:
    places = np.nonzero(value_of(condition))[0]
    found = _take(p, a, places, axis)
    return (None, *found)


def _extract(p: Backward, condition: Numbers, arr: Given) -> Sequence[Any]:
    """Both made flat; what isn't zero holds."""
    places = np.nonzero(made(np.ravel, value_of(condition)))[0]
    return (None, scattered((arr.size,), places, p.g).reshape(arr.shape))


def _delete(p: Backward, arr: Given, obj: Any, axis: Any = None) -> Sequence[Any]:
    if axis is None and arr.ndim > 1:
        raise Refused("of an array made flat")
    at = 0 if axis is None else axis % arr.ndim
    places = made(np.delete, made(np.arange, arr.shape[at]), value_of(obj))
    return (scattered(arr.shape, (*(slice(None),) * at, places), p.g),)


def _choose(p: Backward, a: Numbers, choices: Any, out: Any = None, mode: str = "raise") -> Sequence[Any]:
    if mode != "raise" or not isinstance(choices, (list, tuple)):
        raise Refused("with choices in an array")
    picked = value_of(a)
    return (None, [choose(picked == k, p.g, 0.0) for k in range(len(choices))])


def _select(p: Backward, condlist: Any, choicelist: Any, default: Any = 0) -> Sequence[Any]:
    """The first condition that holds decides."""
    rest, found = p.g, []
    for condition in condlist:
        held = value_of(condition)
        found.append(choose(held, rest, 0.0))
        rest = choose(held, 0.0, rest)
    return (None, found, rest)


def _sort(p: Backward, a: Given, axis: Any = -1, kind: Any = None) -> Sequence[Any]:
    if axis is None:
        order = np.argsort(np.reshape(a.value, -1), kind="stable")
        return (np.reshape(scattered((a.size,), order, p.g), a.shape),)
    order = np.argsort(a.value, axis=axis, kind="stable")
    return (np.take_along_axis(p.g, np.argsort(order, axis=axis), axis=axis),)


def _partition(p: Backward, a: Given, kth: Any, axis: Any = -1) -> Sequence[Any]:
    if axis is None:
        raise Refused("of an array made flat")
    order = np.argpartition(a.value, kth, axis=axis)
    return (np.take_along_axis(p.g, np.argsort(order, axis=axis), axis=axis),)


def _roll(p: Backward, a: Given, shift: Any, axis: Any = None) -> Sequence[Any]:
    moved = value_of(shift)
    back = tuple(-k for k in moved) if isinstance(moved, (list, tuple)) else -moved
    return (np.roll(p.g, back, axis=axis) if axis is not None else np.roll(p.g, back),)


def _diagonal(p: Backward, a: Given, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Sequence[Any]:
    if a.ndim != 2 or (axis1, axis2) not in ((0, 1), (-2, -1)):
        raise Refused("along axes of more than two")
    return (_on_diagonal(p.g, a.shape, offset),)


def _on_diagonal(g: Any, shape: tuple[Any, ...], offset: Any) -> Any:
    """A matrix of zeros but for the diagonal `g`."""
    places = made(np.arange, g.shape[0])
    below, right = (-offset, 0) if offset < 0 else (0, offset)
    return scattered(shape, (places + below if below else places, places + right if right else places), g)


def _diag(p: Backward, v: Given, k: int = 0) -> Sequence[Any]:
    return (np.diagonal(p.g, k) if v.ndim == 1 else _on_diagonal(p.g, v.shape, k),)


def _diagflat(p: Backward, v: Given, k: int = 0) -> Sequence[Any]:
    return (np.reshape(np.diagonal(p.g, k), v.shape),)


def _trace(p: Backward, a: Given, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Sequence[Any]:
    if a.ndim != 2 or (axis1, axis2) != (0, 1):
        raise Refused("of stacks of matrices")
    return (p.g * made(np.eye, *a.shape, k=offset),)


def _triangle(function: Any) -> Rule:
    def rule(p: Backward, m: Given, k: int = 0) -> Sequence[Any]:
        return (function(p.g, k),)

    return rule


def _same(p: Backward, a: Given, *args: Any, **kwargs: Any) -> Sequence[Any]:
    """Another dtype, another memory, the same numbers."""
    return (p.g,)


def _unwrap(p: Backward, a: Given, discont: object = None, axis: int = -1, **period: object) -> Sequence[Any]:
    """What is added are multiples of the period; where a jump begins to count is no matter of derivatives."""
    return (p.g, None)


def _reshape(p: Backward, a: Given, *args: Any, order: Any = "C", **kwargs: Any) -> Sequence[Any]:
    order = next((arg for arg in args if isinstance(arg, str)), order)
    if order == "F":
        return (np.transpose(np.reshape(np.transpose(p.g), a.shape[::-1])),)
    if order != "C":
        raise Refused(f"in the order {order}")
    return (np.reshape(p.g, a.shape),)


def _elements(derivative: Callable[[Any, Any, Any], Any]) -> Rule:
    """The rule of a function of each element: ``derivative(g, y, x)``."""

    def rule(p: Backward, x: Given) -> Sequence[Any]:
        return (derivative(p.g, p.y, x.value),)

    return rule


def _angle(p: Backward, z: Given, deg: bool = False) -> Sequence[Any]:
    x = z.value
    if kind_of(x) != "c":
        return (None,)
    g = np.rad2deg(p.g) if deg else p.g
    return (g * (1j * x) / where_zero(np.square(real(x)) + np.square(imag(x)), 1.0),)


def _sinc(g: Any, y: Any, x: Any) -> Any:
    return g * conj(choose(x == 0, 0.0, (np.cos(np.pi * x) - y) / where_zero(x, 1.0)))


def _nan_to_num(
    p: Backward, x: Given, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Sequence[Any]:
    """What is replaced is lost; of a call that writes to `x`, `g` is the memory of its cotangent."""
    g = p.g
    if kind_of(x.value) == "c":
        if _wanted(nan) or _wanted(posinf) or _wanted(neginf):
            raise Refused("of complex numbers, with replacements that have derivatives")
        parts = [choose(np.isfinite(part(x.value)), part(g), 0.0) for part in (real, imag)]
        kept, replaced = parts[0] + 1j * parts[1], [None] * 3
    else:
        kept = choose(np.isfinite(x.value), g, 0.0)
        places: Sequence[Callable[..., Any]] = (np.isnan, np.isposinf, np.isneginf)
        replaced = [
            choose(where(x.value), g, 0.0) if _wanted(number) else None
            for where, number in zip(places, (nan, posinf, neginf), strict=True)
        ]
    if not p.in_place:
        return (kept, None, *replaced)
    assign(g, kept)
    return (None, None, *replaced)


def _gradient(p: Backward, f: Given, *varargs: Any, axis: Any = None) -> Sequence[Any]:
    """Half of each slope goes to both neighbours, at the ends all of it to the end and its neighbour."""
    axes = tuple(range(f.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    steps = [value_of(step) for step in varargs] or [1.0]
    if any(_wanted(step) for step in varargs):
        raise Refused("by the spacing")
    if any(isinstance(step, list) or (isinstance(step, Given) and step.ndim) for step in varargs):
        raise Refused("at coordinates")
    total = made(np.zeros, f.shape, p.ys[0].dtype)
    for k, (g, where) in enumerate(zip(p.gs, axes, strict=True)):
        if g is None:
            continue
        lead, step = (slice(None),) * (where % f.ndim), steps[k if len(steps) > 1 else 0]
        inner = g[(*lead, slice(1, -1))] / (2.0 * step)
        total[(*lead, slice(2, None))] += inner
        total[(*lead, slice(None, -2))] -= inner
        for end, neighbour, sign in ((0, 1, -1.0), (-1, -2, 1.0)):
            outer = g[(*lead, slice(end, end + 1 or None))] * (sign / step)
            total[(*lead, slice(end, end + 1 or None))] += outer
            total[(*lead, slice(neighbour, neighbour + 1 or None))] -= outer
    return (total,)


def _modf(p: Backward, x: Given) -> Sequence[Any]:
    return (p.gs[0],)


def _divmod(p: Backward, a: Numbers, b: Numbers) -> Sequence[Any]:
    g = p.gs[1]
    return (g, None) if g is None or not _wanted(b) else (g, -(g * p.ys[0]))


def _frexp(p: Backward, x: Given) -> Sequence[Any]:
    return (None if p.gs[0] is None else np.ldexp(p.gs[0], -p.ys[1]),)


def _insert(p: Backward, arr: Given, obj: Any, values: Numbers, axis: Any = None) -> Sequence[Any]:
    if arr.ndim > 1 or (isinstance(values, Given) and values.wanted and values.ndim):
        raise Refused("of matrices, or of several values with derivatives")
    new = made(np.insert, made(np.zeros, arr.shape, bool), value_of(obj), True)
    return (p.g[np.logical_not(new)], None, np.sum(choose(new, p.g, 0.0)) if _wanted(values) else None)


def _bincount(p: Backward, x: Numbers, weights: Numbers = None, minlength: Any = 0) -> Sequence[Any]:
    return (None, p.g[value_of(x)])


def _cov(p: Backward, m: Given) -> Sequence[Any]:
    """A product of what is left of each row without its mean."""
    if m.ndim != 2:
        raise Refused("of one row")
    x, count = m.value, m.shape[1]
    apart = x - np.mean(x, axis=1, keepdims=True)
    both = p.g + np.conjugate(p.g.T) if kind_of(p.g) == "c" else p.g + p.g.T
    moved = (both @ apart) / (count - 1)
    return (moved - np.mean(moved, axis=1, keepdims=True),)


def _interp(
    p: Backward, x: Numbers, xp: Given, fp: Given, left: Any = None, right: Any = None, period: Any = None
) -> Sequence[Any]:
    """Between two points, a straight line through both; outside, the last one."""
    if period is not None:
        raise Refused("with a period")
    at, points, values = value_of(x), xp.value, fp.value
    last = fp.shape[0] - 2
    j = np.clip(np.searchsorted(points, at, side="right") - 1, 0, last)
    low, width = points[j], points[j + 1] - points[j]
    slope = (values[j + 1] - values[j]) / width
    inside = (at >= points[0]) & (at <= points[-1])
    t = np.clip((at - low) / width, 0.0, 1.0)
    g = p.g
    if left is not None:
        g = choose(at < points[0], 0.0, g)
    if right is not None:
        g = choose(at > points[-1], 0.0, g)
    steep = choose(inside, p.g * conj(slope), 0.0)

    def both(one: Any) -> Any:
        return scattered(fp.shape, j, one * (1 - t)) + scattered(fp.shape, j + 1, one * t)

    return (
        steep if _wanted(x) else None,
        both(-steep) if xp.wanted else None,
        both(g) if fp.wanted else None,
        scattered_sum(p.g, at < points[0]) if _wanted(left) else None,
        scattered_sum(p.g, at > points[-1]) if _wanted(right) else None,
    )


def scattered_sum(g: Any, where: Any) -> Any:
    """The cotangent of a number that stands wherever the condition holds."""
    return np.sum(choose(where, g, 0.0))


def _wanted(argument: Any) -> bool:
    return isinstance(argument, Given) and argument.wanted


INDEX = NotDifferentiable("its result is made of indices or counts")

RULES: dict[Any, Rule] = {
    operator.getitem: _getitem,
    np.take: _take,
    np.take_along_axis: _take_along_axis,
    np.compress: _compress,
    np.extract: _extract,
    np.delete: _delete,
    np.choose: _choose,
    np.select: _select,
    np.sort: _sort,
    np.partition: _partition,
    np.roll: _roll,
    np.diagonal: _diagonal,
    np.diag: _diag,
    np.diagflat: _diagflat,
    np.trace: _trace,
    np.tril: _triangle(np.tril),
    np.triu: _triangle(np.triu),
    np.reshape: _reshape,
    np.expand_dims: _reshape,
    np.ravel: _reshape,
    np.ndarray.astype: _same,
    **({np.astype: _same} if hasattr(np, "astype") else {}),
    np.ascontiguousarray: _same,
    np.asfortranarray: _same,
    np.copy: _same,
    np.real: _elements(lambda g, y, x: g),
    np.imag: _elements(lambda g, y, x: g * 1j),
    np.angle: _angle,
    np.sinc: _elements(_sinc),
    np.unwrap: _unwrap,
    np.nan_to_num: _nan_to_num,
    np.interp: _interp,
    np.gradient: _gradient,
    np.modf: _modf,
    np.divmod: _divmod,
    np.frexp: _frexp,
    np.insert: _insert,
    np.bincount: _bincount,
    np.cov: _cov,
    np.fix: STEPS,
    np.round: STEPS,
    np.around: STEPS,
    np.argsort: INDEX,
    np.argpartition: INDEX,
    np.searchsorted: INDEX,
    np.digitize: INDEX,
    np.nonzero: INDEX,
    np.argwhere: INDEX,
}
