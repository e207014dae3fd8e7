"""Gradients of reductions and accumulations that run as NumPy's calls."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from .arguments import Given, Refused, value_of
from .backward import Backward, Numbers, Rule
from .contributions import sum_to
from .gathers import made, scattered_along
from .rules_linalg import singular
from .scans import backward_recurrence
from .words import choose, conj, kept, product_of_others, shared, where_zero

Axes = tuple[int, ...] | None


def axes_of(axis: Any, ndim: int) -> Axes:
    """Axes as sorted numbers that aren't negative; None for all."""
    if axis is None:
        return None
    items = axis if isinstance(axis, tuple) else (axis,)
    return tuple(sorted(int(k) % ndim for k in items))


def count_of(a: Given, axes: Axes) -> Any:
    """How many elements are put into one."""
    if axes is None:
        return a.size
    total: Any = 1
    for k in axes:
        total = total * a.shape[k]
    return total


def _sum(
    p: Backward,
    a: Given,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = 0,
    where: Numbers = True,
) -> Sequence[Any]:
    if isinstance(initial, Given):
        raise Refused("with an initial value that is computed")
    spread = kept(p.g, axes_of(axis, a.ndim), keepdims)
    return (spread if where is True else choose(value_of(where), spread, 0.0),)


def _prod(
    p: Backward, a: Given, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> Sequence[Any]:
    axes = axes_of(axis, a.ndim)
    return (product_of_others(kept(p.g, axes, keepdims), a.value, axes),)


def _extreme(
    p: Backward, a: Given, axis: Any = None, out: Any = None, keepdims: bool = False
) -> Sequence[Any]:
    axes = axes_of(axis, a.ndim)
    return (shared(kept(p.g, axes, keepdims), a.value == kept(p.y, axes, keepdims), axes),)


def _reduce(rule: Any) -> Rule:
    """The rule of ``ufunc.reduce``, whose axis is 0 when it isn't given."""

    def of_reduce(
        p: Backward,
        array: Given,
        axis: Any = 0,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        **options: Any,
    ) -> Sequence[Any]:
        try:
            inspect.signature(rule).bind(p, array, **options)
        except TypeError as error:
            raise Refused(str(error)) from error
        found: Sequence[Any] = rule(p, array, axis=axis, keepdims=keepdims, **options)
        return found

    return of_reduce


def _logaddexp(exp: Any) -> Any:
    """The rule of ``np.logaddexp.reduce``: each element has its share of the whole."""

    def rule(p: Backward, a: Given, axis: Any = None, keepdims: bool = False) -> Sequence[Any]:
        axes = axes_of(axis, a.ndim)
        return (kept(p.g, axes, keepdims) * exp(a.value - kept(p.y, axes, keepdims)),)

    return rule


def _mean(
    p: Backward, a: Given, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> Sequence[Any]:
    axes = axes_of(axis, a.ndim)
    return (kept(p.g, axes, keepdims) / count_of(a, axes),)


def _var(
    p: Backward,
    a: Given,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: bool = False,
) -> Sequence[Any]:
    axes = axes_of(axis, a.ndim)
    x = a.value
    apart = x - np.mean(x, axis=axes, keepdims=axes is not None)
    return (kept(p.g, axes, keepdims) * (2 * apart / (count_of(a, axes) - ddof)),)


def _std(
    p: Backward,
    a: Given,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: bool = False,
) -> Sequence[Any]:
    axes = axes_of(axis, a.ndim)
    x, y = a.value, where_zero(kept(p.y, axes, keepdims), 1.0)  # 0 where all are equal, as of a norm
    apart = x - np.mean(x, axis=axes, keepdims=axes is not None)
    return (kept(p.g, axes, keepdims) * (apart / (y * (count_of(a, axes) - ddof))),)


def _nansum(
    p: Backward, a: Given, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> Sequence[Any]:
    return (choose(np.isnan(a.value), 0.0, kept(p.g, axes_of(axis, a.ndim), keepdims)),)


def _nanmean(
    p: Backward, a: Given, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> Sequence[Any]:
    axes, missing = axes_of(axis, a.ndim), np.isnan(a.value)
    count = np.sum(np.logical_not(missing), axis=axes, keepdims=axes is not None)
    return (choose(missing, 0.0, kept(p.g, axes, keepdims) / count),)


def _nanprod(
    p: Backward, a: Given, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> Sequence[Any]:
    axes, missing = axes_of(axis, a.ndim), np.isnan(a.value)
    g = product_of_others(kept(p.g, axes, keepdims), choose(missing, 1.0, a.value), axes)
    return (choose(missing, 0.0, g),)


def _nanvar(root: bool) -> Any:
    """The rule of ``np.nanvar``, and of ``np.nanstd``, its root."""

    def rule(
        p: Backward,
        a: Given,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: bool = False,
    ) -> Sequence[Any]:
        axes, keep = axes_of(axis, a.ndim), axis is not None
        missing = np.isnan(a.value)
        x = choose(missing, 0.0, a.value)
        count = np.sum(np.logical_not(missing), axis=axes, keepdims=keep)
        apart = choose(missing, 0.0, x - np.sum(x, axis=axes, keepdims=keep) / count)
        y = where_zero(kept(p.y, axes, keepdims), 1.0)
        slope = apart / (y * (count - ddof)) if root else 2 * apart / (count - ddof)
        return (kept(p.g, axes, keepdims) * slope,)

    return rule


def _average(
    p: Backward, a: Given, axis: Any = None, weights: Numbers = None, *, keepdims: bool = False
) -> Sequence[Any]:
    if weights is None:
        return _mean(p, a, axis, keepdims=keepdims)
    axes = axes_of(axis, a.ndim)
    if isinstance(weights, Given) and weights.ndim == a.ndim:
        w = weights.value
    elif isinstance(weights, Given) and weights.ndim == 1 and axes is not None and len(axes) == 1:
        w = weights.value[tuple(slice(None) if k in axes else None for k in range(a.ndim))]
    else:
        raise Refused("with these weights")
    share = kept(p.g, axes, keepdims) / conj(np.sum(w, axis=axes, keepdims=axes is not None))
    moved = share * conj(a.value - kept(p.y, axes, keepdims)) if weights.wanted else None
    if moved is not None and weights.ndim < a.ndim:
        moved = np.sum(moved, axis=tuple(k for k in range(a.ndim) if k not in (axes or ())))
    return (share * conj(w), None, moved)


def _nan_accumulated(rule: Any, neutral: float) -> Any:
    """The rule of an accumulation that takes NaNs for its neutral element."""

    def of_nan(p: Backward, a: Given, axis: Any = None, dtype: Any = None, out: Any = None) -> Sequence[Any]:
        missing = np.isnan(a.value)
        found: Sequence[Any] = rule(p, a, axis, values=choose(missing, neutral, a.value))
        return (choose(missing, 0.0, found[0]),)

    return of_nan


def _quantile(scale: float) -> Any:
    """The rule of ``np.quantile`` (`scale` 1) and ``np.percentile`` (100) of one number, linear."""

    def rule(
        p: Backward, a: Given, q: Any, axis: Any = None, out: Any = None, keepdims: bool = False
    ) -> Sequence[Any]:
        if not isinstance(q, (int, float)) or isinstance(axis, tuple):
            raise Refused("of more than one quantile, or over several axes")
        axes = axes_of(axis, a.ndim)
        place = (count_of(a, axes) - 1) * (q / scale)
        rank = _ranks(a.value, axis)
        return (kept(p.g, axes, keepdims) * np.maximum(0.0, 1.0 - np.abs(rank - place)),)

    return rule


def _median(
    p: Backward, a: Given, axis: Any = None, out: Any = None, keepdims: bool = False
) -> Sequence[Any]:
    found: Sequence[Any] = _quantile(1.0)(p, a, 0.5, axis, None, keepdims)
    return found


def _nanmedian(
    p: Backward,
    a: Given,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> Sequence[Any]:
    """NaNs are sorted to the end."""
    if isinstance(axis, tuple):
        raise Refused("over several axes")
    axes, missing = axes_of(axis, a.ndim), np.isnan(a.value)
    count = np.sum(np.logical_not(missing), axis=axes, keepdims=axes is not None)
    share = np.maximum(0.0, 1.0 - np.abs(_ranks(a.value, axis) - (count - 1) * 0.5))
    return (choose(missing, 0.0, kept(p.g, axes, keepdims) * share),)


def _ranks(x: Any, axis: Any) -> Any:
    """The place of each element in sorted order."""
    if axis is None and x.ndim > 1:
        return _ranks(x.reshape(-1), 0).reshape(x.shape)
    at = -1 if axis is None else axis
    return np.argsort(np.argsort(x, axis=at, kind="stable"), axis=at, kind="stable")


def _cumsum(
    p: Backward, a: Given, axis: Any = None, dtype: Any = None, out: Any = None, values: Any = None
) -> Sequence[Any]:
    at = 0 if axis is None else axis
    g = np.flip(np.cumsum(np.flip(p.g, at), axis=at), at)
    return (g if axis is not None or a.ndim == 1 else g.reshape(a.shape),)


def _cumprod(
    p: Backward, a: Given, axis: Any = None, dtype: Any = None, out: Any = None, values: Any = None
) -> Sequence[Any]:
    x, at = a.value if values is None else values, 0 if axis is None else axis % a.ndim
    if axis is None and a.ndim > 1:
        x = x.reshape(-1)
    lead = (slice(None),) * at
    before = made(np.ones, x.shape, p.y.dtype)
    before[(*lead, slice(1, None))] = p.y[(*lead, slice(None, -1))]
    g = backward_recurrence(p.g, conj(x), at) * conj(before)
    return (g if axis is not None or a.ndim == 1 else g.reshape(a.shape),)


def _accumulate(rule: Any) -> Rule:
    """The rule of ``ufunc.accumulate``, whose axis is 0 when it isn't given."""

    def of_accumulate(
        p: Backward, array: Given, axis: int = 0, dtype: Any = None, out: Any = None
    ) -> Sequence[Any]:
        found: Sequence[Any] = rule(p, array, axis=axis)
        return found

    return of_accumulate


def _running(p: Backward, a: Given, axis: int = 0) -> Sequence[Any]:
    """The extreme so far comes from the last element that was it."""
    at = axis % a.ndim
    places = made(np.arange, a.shape[at])[tuple(slice(None) if k == at else None for k in range(a.ndim))]
    latest = np.maximum.accumulate(np.where(a.value == p.y, places, 0), axis=at)
    return (scattered_along(p.g, latest, at, a.shape[at]),)


def _norm(p: Backward, x: Given, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Sequence[Any]:
    axes = axes_of(axis, x.ndim)
    matrix = x.ndim == 2 if axes is None else len(axes) == 2
    if ord not in (None, "fro") and matrix:
        return (_matrix_norm(p, x, ord, axis),)
    a = x.value
    g, y = kept(p.g, axes, keepdims), kept(p.y, axes, keepdims)
    if ord in (None, 2, "fro"):
        return (g * (a / where_zero(y, 1.0)),)
    if ord in (np.inf, -np.inf):
        sizes = np.abs(a)
        return (shared(g, sizes == _outermost(sizes, ord, axes), axes) * np.sign(a),)
    if not isinstance(ord, (int, float)) or ord == 0:
        raise Refused("of this order")
    return (g * (np.sign(a) * (np.abs(a) / where_zero(y, 1.0)) ** (ord - 1)),)


def _outermost(sizes: Any, ord: Any, axes: Axes) -> Any:
    return (np.max if ord > 0 else np.min)(sizes, axis=axes, keepdims=axes is not None)


def _matrix_norm(p: Backward, x: Given, ord: Any, axis: Any) -> Any:
    """Norms of one matrix by its columns, its rows or its singular values."""
    if x.ndim != 2 or axis is not None:
        raise Refused("of matrices along axes")
    a = x.value
    if ord in (1, -1, np.inf, -np.inf):
        along = 0 if ord in (1, -1) else 1
        sums = np.sum(np.abs(a), axis=along, keepdims=True)
        return shared(p.g, sums == _outermost(sums, ord, None), None) * np.sign(a)
    u, _, vh = singular(a)
    if ord == "nuc":
        return p.g * (u @ vh)
    if ord in (2, -2):
        place = slice(None, 1) if ord == 2 else slice(-1, None)
        return p.g * (u[:, place] @ vh[place])
    raise Refused("of this order")


RULES: dict[Any, Rule] = {
    np.sum: _sum,
    np.prod: _prod,
    np.max: _extreme,
    np.min: _extreme,
    np.mean: _mean,
    np.var: _var,
    np.std: _std,
    np.nansum: _nansum,
    np.nanmean: _nanmean,
    np.nanprod: _nanprod,
    np.nanvar: _nanvar(root=False),
    np.nanstd: _nanvar(root=True),
    np.nancumsum: _nan_accumulated(_cumsum, 0.0),
    np.nancumprod: _nan_accumulated(_cumprod, 1.0),
    np.average: _average,
    np.nanmax: _extreme,
    np.nanmin: _extreme,
    np.median: _median,
    np.nanmedian: _nanmedian,
    np.quantile: _quantile(1.0),
    np.percentile: _quantile(100.0),
    np.add.reduce: _reduce(_sum),
    np.multiply.reduce: _reduce(_prod),
    np.maximum.reduce: _reduce(_extreme),
    np.minimum.reduce: _reduce(_extreme),
    np.fmax.reduce: _reduce(_extreme),
    np.fmin.reduce: _reduce(_extreme),
    np.logaddexp.reduce: _reduce(_logaddexp(np.exp)),
    np.logaddexp2.reduce: _reduce(_logaddexp(np.exp2)),
    np.cumsum: _cumsum,
    np.cumprod: _cumprod,
    np.add.accumulate: _accumulate(_cumsum),
    np.multiply.accumulate: _accumulate(_cumprod),
    np.maximum.accumulate: _accumulate(_running),
    np.minimum.accumulate: _accumulate(_running),
    np.linalg.norm: _norm,
    sum_to: lambda p, array: (p.g,),
}
