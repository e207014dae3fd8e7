"""Programs that test the gradients of NumPy's functions that are no operations of their own."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from rule_cases import COMPLEX_, SIGNED, ZEROS, Case

from jitscope.graph.gradients.contributions import sum_to
from jitscope.graph.symbolic.numpy_functions import call
from jitscope.graph.trace.build import tracing

RNG = np.random.default_rng(11)
VECTOR = np.array([0.7, -1.1, 2.3, 0.2, -0.6])
OTHER = np.array([1.4, 0.3, -0.9])
MATRIX = SIGNED.reshape(4, 3)
SQUARE = RNG.uniform(-1, 1, (3, 3)) + 2 * np.eye(3)
STACK = RNG.uniform(-1, 1, (2, 3, 3)) + 2 * np.eye(3)
TALL = RNG.uniform(-1, 1, (4, 3))
NANS = np.where(np.abs(MATRIX) < 0.3, np.nan, MATRIX)
NOT_FINITE = np.array([np.nan, np.inf, -np.inf, 0.5, 2.0])
FORTRAN = np.asfortranarray(MATRIX)
TURNED = SQUARE + 1j * RNG.uniform(-1, 1, (3, 3))
INDEX = np.array([2, 0, 2, 1])
PLACES = np.array([[1, 0, 2], [0, 0, 1], [2, 1, 1], [0, 2, 2]])
MASK = MATRIX > 0


def case(function: Any, *arguments: Any) -> Case:
    """The gradient of `function` at these arguments."""
    return Case(function, arguments)


def called(function: Any, *args: Any, **kwargs: Any) -> Any:
    """A function that doesn't ask its arguments what it means; staged code asks them for it."""
    return call(function, args, kwargs) if tracing() else function(*args, **kwargs)


def _numbers_for_nan(a: Any, mask: Any, number: Any) -> Any:
    """Written into an array that is read under both of its names."""
    b = np.where(mask, a, np.nan)
    c = np.nan_to_num(b, copy=False, nan=number)
    c[0] = a[1] * a[1]
    return b * c


def symmetric(a: Any) -> Any:
    """The part of a matrix that decompositions of symmetric ones see."""
    return (a + np.conj(np.swapaxes(a, -1, -2))) / 2


REDUCTIONS: dict[Any, list[Case]] = {
    np.sum: [
        case(lambda a: np.sum(a, axis=1), FORTRAN),
        case(lambda a: np.sum(a, dtype=np.float64), MATRIX.astype("f4")),
    ],
    np.prod: [case(lambda a: np.prod(a, axis=0), np.asfortranarray(ZEROS))],
    np.max: [case(lambda a: np.max(a, axis=0), FORTRAN)],
    np.min: [case(lambda a: np.min(a, axis=1, keepdims=True), FORTRAN)],
    np.mean: [case(lambda a: np.mean(a, axis=0), FORTRAN), case(lambda a: np.mean(a, axis=0), COMPLEX_)],
    np.var: [
        case(lambda a: np.var(a, axis=0), FORTRAN),
        case(lambda a: a.var(axis=(0, 2), ddof=1, keepdims=True), COMPLEX_),
    ],
    np.std: [case(lambda a: np.std(a, axis=0), COMPLEX_), case(lambda a: np.std(a), FORTRAN)],
    np.nansum: [case(lambda a: np.nansum(a, axis=0), NANS)],
    np.nanmean: [case(lambda a: np.nanmean(a, axis=0), NANS), case(np.nanmean, NANS)],
    np.nanprod: [case(lambda a: np.nanprod(a, axis=0), NANS), case(np.nanprod, NANS)],
    np.nanvar: [case(lambda a: np.nanvar(a, axis=1, ddof=1), NANS), case(np.nanvar, NANS)],
    np.nanstd: [case(lambda a: np.nanstd(a, axis=0, keepdims=True), NANS)],
    np.nancumsum: [case(lambda a: np.nancumsum(a, axis=1), NANS), case(np.nancumsum, NANS)],
    np.nancumprod: [case(lambda a: np.nancumprod(a, axis=0), NANS), case(np.nancumprod, NANS)],
    np.average: [
        case(lambda a: np.average(a, axis=1), MATRIX),
        case(lambda a, w: np.average(a, weights=w), MATRIX, np.abs(TALL)),
        case(lambda a, w: np.average(a, axis=1, weights=w), MATRIX, np.abs(OTHER)),
        case(lambda a, w: np.average(a, axis=0, weights=w, keepdims=True), MATRIX, np.abs(TALL)),
    ],
    np.nanmax: [case(lambda a: np.nanmax(a, axis=0), NANS)],
    np.nanmin: [case(np.nanmin, NANS)],
    np.median: [case(np.median, MATRIX), case(lambda a: np.median(a, axis=0), MATRIX)],
    np.nanmedian: [case(np.nanmedian, NANS), case(lambda a: np.nanmedian(a, axis=0), NANS)],
    np.quantile: [case(lambda a: np.quantile(a, 0.3), MATRIX), case(lambda a: np.quantile(a, 1.0), VECTOR)],
    np.percentile: [case(lambda a: np.percentile(a, 85, axis=1, keepdims=True), MATRIX)],
    np.add.reduce: [case(lambda a: np.add.reduce(a), FORTRAN)],
    np.multiply.reduce: [case(lambda a: np.multiply.reduce(a), np.asfortranarray(ZEROS))],
    np.maximum.reduce: [case(lambda a: np.maximum.reduce(a), FORTRAN)],
    np.minimum.reduce: [case(lambda a: np.minimum.reduce(a), FORTRAN)],
    np.fmax.reduce: [case(lambda a: np.fmax.reduce(a), NANS)],
    np.fmin.reduce: [case(lambda a: np.fmin.reduce(a), NANS)],
    np.logaddexp.reduce: [case(lambda a: np.logaddexp.reduce(a, axis=1), MATRIX)],
    np.logaddexp2.reduce: [case(lambda a: np.logaddexp2.reduce(a, axis=None), MATRIX)],
    np.cumsum: [
        case(np.cumsum, SIGNED),
        case(lambda a: np.cumsum(a, axis=1), COMPLEX_),
        case(np.cumsum, VECTOR),
    ],
    np.cumprod: [
        case(np.cumprod, ZEROS),
        case(lambda a: np.cumprod(a, axis=0), ZEROS),
        case(lambda a: np.cumprod(a, axis=-1), COMPLEX_),
        case(np.cumprod, VECTOR),
    ],
    np.add.accumulate: [case(np.add.accumulate, MATRIX)],
    np.multiply.accumulate: [case(lambda a: np.multiply.accumulate(a, axis=1), ZEROS)],
    np.maximum.accumulate: [case(np.maximum.accumulate, VECTOR), case(np.maximum.accumulate, MATRIX)],
    np.minimum.accumulate: [case(lambda a: np.minimum.accumulate(a, axis=1), MATRIX)],
    np.linalg.norm: [
        case(np.linalg.norm, VECTOR),
        case(np.linalg.norm, TURNED),
        *(case(lambda a, k=k: np.linalg.norm(a, k), VECTOR) for k in (1, 2, 3, np.inf, -np.inf, 1.5)),
        *(case(lambda a, k=k: np.linalg.norm(a, k), TALL) for k in ("fro", "nuc", 1, -1, 2, -2, np.inf)),
        case(lambda a: np.linalg.norm(a, 2), TURNED),
        case(lambda a: np.linalg.norm(a, axis=1), MATRIX),
        case(lambda a: np.linalg.norm(a, axis=(0, 2), keepdims=True), SIGNED),
        case(lambda a: np.linalg.norm(a, ord=3, axis=0, keepdims=True), COMPLEX_),
    ],
}

SELECTING: dict[Any, list[Case]] = {
    operator.getitem: [
        case(lambda a, i: a[i], MATRIX, INDEX),
        case(lambda a, i: a[:, i], MATRIX, INDEX),
        case(lambda a, i, j: a[i, j], MATRIX, np.array([3, 0, 3]), np.array([1, 2, 1])),
        case(lambda a, i: a[1:, None, i], COMPLEX_[0], np.array([[0, 1], [1, 1]])),
        case(lambda a, m: a[m], MATRIX, MASK),
        case(lambda a, m: a[m] * 2.0, MATRIX.astype("f4"), MASK[:, 0]),
        case(lambda a: a[a > 0.3], VECTOR),
        case(lambda a: a[[0, 2, 0]], VECTOR),
    ],
    np.take: [
        case(np.take, VECTOR, INDEX),
        case(lambda a, i: np.take(a, i, axis=1), MATRIX, INDEX),
        case(lambda a, i: np.take(a, i), MATRIX, INDEX),
        case(lambda a: a.take([0, 2, 2], axis=0), MATRIX),
        case(lambda a, i: np.take(a, i, axis=0), MATRIX, PLACES),
    ],
    np.take_along_axis: [
        case(lambda a, i: np.take_along_axis(a, i, axis=1), MATRIX, PLACES),
        case(lambda a, i: np.take_along_axis(a, i, 0), MATRIX, PLACES),
        case(lambda a, i: np.take_along_axis(a, i, axis=None), MATRIX, INDEX),
    ],
    np.compress: [case(lambda c, a: np.compress(c, a, axis=1), np.array([True, False, True]), MATRIX)],
    np.extract: [case(np.extract, MASK, MATRIX)],
    np.delete: [
        case(lambda a: np.delete(a, 1, axis=0), MATRIX),
        case(lambda a: np.delete(a, [0, 3]), VECTOR),
    ],
    np.choose: [case(lambda i, a, b: np.choose(i, [a, b, 2.0]), PLACES, MATRIX, MATRIX[0])],
    np.select: [
        case(lambda a, b: np.select([a > 1, a > 0], [a, b * b], 0.5), MATRIX, MATRIX[0]),
        case(lambda a, d: np.select([a > 1, a > 0], [a, 2 * a], d), MATRIX, MATRIX[0]),
    ],
    np.sort: [
        case(lambda a: np.sort(a, axis=None), MATRIX),
        case(np.sort, MATRIX),
        case(lambda a: np.sort(a, axis=0), MATRIX),
        case(np.sort, VECTOR),
    ],
    np.partition: [
        case(lambda a: np.partition(a, 1), MATRIX),
        case(lambda a: np.partition(a, 2, axis=0), MATRIX),
    ],
    np.roll: [
        case(lambda a: np.roll(a, 2), MATRIX),
        case(lambda a: np.roll(a, -1, axis=0), MATRIX),
        case(lambda a: np.roll(a, (1, 2), axis=(0, 1)), MATRIX),
        case(lambda a, k: np.roll(a, k), VECTOR, 3),
    ],
    np.diagonal: [
        case(np.diagonal, MATRIX),
        case(lambda a: np.diagonal(a, 1), MATRIX),
        case(lambda a: a.diagonal(-1), COMPLEX_[0]),
    ],
    np.diag: [
        case(np.diag, VECTOR),
        case(lambda v: np.diag(v, -1), VECTOR),
        case(np.diag, MATRIX),
        case(lambda a: np.diag(a, k=1), MATRIX),
    ],
    np.diagflat: [case(np.diagflat, OTHER), case(lambda a: np.diagflat(a, 1), MATRIX)],
    np.trace: [case(np.trace, MATRIX), case(lambda a: np.trace(a, offset=1), MATRIX), case(np.trace, TURNED)],
    np.tril: [case(np.tril, MATRIX), case(lambda a: np.tril(a, -1), SQUARE), case(np.tril, STACK)],
    np.triu: [case(lambda a: np.triu(a, k=1), MATRIX)],
    np.reshape: [
        case(lambda a: a.T.reshape(-1) * 2.0, MATRIX),
        case(lambda a: a[:, ::2].reshape(2, 4), MATRIX),
    ],
    np.ravel: [case(lambda a: np.ravel(a.T), MATRIX), case(lambda a: np.ravel(a, "F"), MATRIX)],
    np.expand_dims: [case(lambda a: np.expand_dims(a, (0, 3)), MATRIX)],
    np.ndarray.astype: [case(lambda a: a.T.astype(np.float64), MATRIX.astype("f4"))],
    np.ascontiguousarray: [case(lambda a: called(np.ascontiguousarray, a.T), MATRIX)],
    np.asfortranarray: [case(lambda a: called(np.asfortranarray, a), MATRIX)],
    np.copy: [case(lambda a: np.copy(a, order="F"), MATRIX), case(lambda a: a.T.copy(), MATRIX)],
    np.real: [case(lambda a: a.real * 2.0, COMPLEX_), case(np.real, TURNED)],
    np.imag: [case(lambda a: a.imag * a.real, COMPLEX_)],
    np.angle: [case(np.angle, COMPLEX_), case(lambda z: np.angle(z, deg=True) / 50, COMPLEX_)],
    np.sinc: [case(np.sinc, VECTOR), case(lambda x: np.sinc(x * x), MATRIX.astype("f4"))],
    np.unwrap: [
        case(np.unwrap, VECTOR * 3),
        case(lambda a: np.unwrap(a, period=2), VECTOR * 3),
        case(lambda a, d: np.unwrap(a, d), VECTOR * 3, 3.5),
    ],
    np.nan_to_num: [
        case(np.nan_to_num, NANS),
        case(lambda a: np.nan_to_num(a, nan=2.0), NANS * (1 + 0.5j)),
        case(lambda a, s, t: np.nan_to_num(a, nan=s * t, posinf=t, neginf=s), NOT_FINITE, 0.5, 1.5),
        case(_numbers_for_nan, MATRIX, MASK, 0.5),
        case(lambda a, mask: _numbers_for_nan(a, mask, 0.5), MATRIX * (1 + 0.5j), MASK),
    ],
    np.gradient: [
        case(np.gradient, VECTOR),
        case(lambda a: np.gradient(a, 0.5), VECTOR[:2]),
        case(np.gradient, MATRIX),
        case(lambda a: np.gradient(a, 0.5, 2.0)[1], MATRIX),
        case(lambda a: np.gradient(a, axis=1), COMPLEX_[0]),
    ],
    np.modf: [case(np.modf, VECTOR), case(lambda x: np.modf(x)[0] * x, MATRIX)],
    np.divmod: [
        case(lambda a, b: np.divmod(a, b)[1], MATRIX, np.array([0.71, 0.43, 1.13])),
        case(lambda a: np.divmod(a, 0.73), VECTOR),
    ],
    np.frexp: [case(lambda x: np.frexp(x)[0], VECTOR)],
    np.insert: [
        case(lambda a: np.insert(a, 2, 1.5), VECTOR),
        case(lambda a, v: np.insert(a, [1, 1, 4], v), VECTOR, 0.5),
    ],
    np.bincount: [case(lambda i, w: np.bincount(i, w, minlength=6), INDEX, VECTOR[:4])],
    np.cov: [case(np.cov, MATRIX), case(np.cov, TURNED)],
    np.interp: [
        case(np.interp, VECTOR, np.array([-1.0, 0.1, 1.5]), OTHER),
        case(
            lambda x, xp, fp: np.interp(x, xp, fp, left=3.0, right=-1.0),
            VECTOR,
            np.array([-1.0, 0.1, 1.5]),
            OTHER,
        ),
        case(np.interp, 0.8, np.array([-1.0, 0.1, 1.5]), OTHER),
        case(np.interp, VECTOR, np.array([-1.0, 0.1, 1.5]), OTHER, -0.5, 0.25),
    ],
}


def no_slope(function: Any, *arguments: Any) -> Case:
    """A function without derivatives, beside something that has some."""
    return case(lambda a, *rest: function(a, *rest) * 1.0 + a.sum(), *arguments)


STEPS: dict[Any, list[Case]] = {
    np.fix: [no_slope(np.fix, MATRIX)],
    np.round: [
        no_slope(lambda a: np.round(a), np.asfortranarray(MATRIX * 0.9)),
        no_slope(lambda a: np.round(a * 1j), MATRIX * 0.9),
    ],
    np.around: [no_slope(np.around, np.asfortranarray(MATRIX * 0.9))],
    np.argsort: [no_slope(np.argsort, MATRIX)],
    np.argpartition: [no_slope(lambda a: np.argpartition(a, 1), MATRIX)],
    np.searchsorted: [no_slope(lambda a, b: np.searchsorted(b, a), MATRIX, np.array([-1.0, 0.25, 1.0]))],
    np.digitize: [no_slope(np.digitize, MATRIX, np.array([-1.0, 0.25, 1.0]))],
    np.nonzero: [no_slope(lambda a: np.nonzero(a)[0], VECTOR)],
    np.argwhere: [no_slope(np.argwhere, VECTOR)],
}

JOINING: dict[Any, list[Case]] = {
    np.concatenate: [
        case(lambda a, b: np.concatenate([a, b] * 5), VECTOR, OTHER),
        case(lambda a, b: np.concatenate([a, b] * 5, axis=1), MATRIX, TALL[:, :2]),
        case(lambda a, b: np.concatenate([a, b], axis=None), MATRIX, OTHER),
        case(lambda a, b: np.concatenate((a, b)), FORTRAN, TALL),
    ],
    np.stack: [
        case(lambda a, b: np.stack([a, b] * 5), OTHER, OTHER * 2),
        case(lambda a, b: np.stack([a, b] * 5, axis=-1), MATRIX, TALL),
    ],
    np.vstack: [case(lambda a, b: np.vstack([a, b] * 5), OTHER, MATRIX)],
    np.hstack: [
        case(lambda a, b: np.hstack([a, b] * 5), OTHER, VECTOR),
        case(lambda a: np.hstack([a] * 9), MATRIX),
    ],
    np.column_stack: [case(lambda a, b: np.column_stack([a, b] * 5), TALL[:, 0], MATRIX)],
    np.dstack: [
        case(lambda a, b: np.dstack([a, b]), MATRIX, TALL),
        case(lambda a, b: np.dstack([a, b]), OTHER, OTHER * 2),
    ],
    np.append: [
        case(np.append, MATRIX, OTHER),
        case(lambda a, b: np.append(a, b, axis=0), MATRIX, TALL),
        case(np.append, VECTOR, 1.5),
    ],
    np.array: [
        case(lambda a, b: called(np.array, [a, b]), OTHER, OTHER * 2),
        case(lambda a, b: called(np.array, [[a[0] + a, b], [b, a]]), OTHER, OTHER * 2),
        case(lambda x: called(np.array, [x * k for k in range(1, 30)]), 0.7),
    ],
    np.asarray: [case(lambda a: called(np.asarray, [a, a * a]), OTHER)],
    np.asanyarray: [case(lambda a: called(np.asanyarray, (a, a * a)), OTHER)],
    np.repeat: [
        case(lambda a: np.repeat(a, 3), VECTOR),
        case(lambda a: np.repeat(a, 2, axis=1), MATRIX),
        case(lambda a, k: np.repeat(a, k, axis=0), MATRIX, np.array([0, 2, 1, 3])),
        case(lambda a: np.repeat(a, 2), MATRIX),
    ],
    np.tile: [
        case(lambda a: np.tile(a, 3), VECTOR),
        case(lambda a: np.tile(a, (2, 3)), VECTOR),
        case(lambda a: np.tile(a, 2), MATRIX),
        case(lambda a: np.tile(a, (2, 1, 2)), MATRIX),
    ],
    np.pad: [
        case(lambda a: np.pad(a, 2), VECTOR),
        case(lambda a: np.pad(a, ((1, 0), (2, 1)), constant_values=1.5), MATRIX),
        *(
            case(lambda a, m=m: np.pad(a, ((2, 1), (0, 2)), mode=m), MATRIX)
            for m in ("edge", "reflect", "wrap")
        ),
        case(lambda a: np.pad(a, (3, 7), "symmetric"), VECTOR),
    ],
    np.linspace: [case(lambda a, b: called(np.linspace, a, b, 5), 0.5, 2.5)],
    np.arange: [
        case(lambda a, d: called(np.arange, a, 3.0, d), 0.55, 0.7),
        case(lambda a, n: called(np.arange, a, a + n), 0.55, 3),
    ],
    np.full_like: [case(lambda a, x: called(np.full_like, a.T, x) * a.T, MATRIX, 0.5)],
    np.full: [case(lambda x, n: called(np.full, n, x) * x, 0.5, np.int64(3))],
    np.vander: [
        case(np.vander, OTHER),
        case(lambda x: np.vander(x, 5), OTHER),
        case(lambda x: np.vander(x, 4, increasing=True), VECTOR),
    ],
}

PRODUCTS: dict[Any, list[Case]] = {
    np.einsum: [
        case(lambda a, b: np.einsum("ij,kj->ik", a, b), MATRIX, TALL),
        case(lambda a: np.einsum("ij->j", a), MATRIX),
        case(lambda a: np.einsum("ii", a), SQUARE),
        case(lambda a: np.einsum("ii->i", a), TURNED),
        case(lambda a, b: np.einsum("ij,jk", a, b), TURNED, SQUARE),
        case(lambda a, b: np.einsum("...i,i", a, b), SIGNED, OTHER[:2]),
        case(lambda a, b, c: np.einsum("bij,bjk,k->bi", a, b, c), STACK, STACK + 1, OTHER),
        case(lambda a, b: np.einsum("i,j->", a, b), VECTOR, OTHER),
        case(lambda a, b: np.einsum("...ij,...jk->...ik", a, b), STACK, SQUARE),
        case(lambda a: np.einsum("iij->j", a), RNG.uniform(-1, 1, (3, 3, 2))),
        case(lambda a, b: np.einsum("bi,i->b", a, b, optimize=True), MATRIX, OTHER),
    ],
    np.tensordot: [
        case(np.tensordot, SIGNED, SIGNED[0]),
        case(lambda a, b: np.tensordot(a, b, axes=([1, 0], [0, 2])), SIGNED, RNG.uniform(-1, 1, (3, 4, 2))),
        case(lambda a, b: np.tensordot(a, b, axes=0), OTHER, MATRIX),
        case(lambda a, b: np.tensordot(a, b, axes=1), COMPLEX_, MATRIX[:2]),
    ],
    np.dot: [case(np.dot, SIGNED, RNG.uniform(-1, 1, (4, 2, 3))), case(np.dot, SIGNED, OTHER[:2])],
    np.inner: [case(np.inner, SIGNED, RNG.uniform(-1, 1, (4, 2))), case(np.inner, COMPLEX_, COMPLEX_[0])],
    np.matmul: [case(lambda a, m: np.matmul(a[m], a).sum(axis=0), SQUARE, MASK[:3, 0])],
    np.outer: [case(lambda a, b: np.outer(a, b), FORTRAN, OTHER), case(np.outer, TURNED.T, 1j * OTHER)],
    np.vdot: [
        case(np.vdot, TURNED, TURNED[::-1] - 1),
        case(np.vdot, MATRIX, TALL),
        case(np.vdot, TURNED, SQUARE),
    ],
    np.kron: [case(np.kron, MATRIX, SQUARE), case(np.kron, OTHER, VECTOR), case(np.kron, TURNED, SQUARE)],
    np.cross: [
        case(np.cross, MATRIX, TALL),
        case(np.cross, OTHER, MATRIX[0]),
        case(np.cross, TURNED, SQUARE),
    ],
    np.convolve: [
        *(case(lambda a, v, m=m: np.convolve(a, v, m), VECTOR, OTHER) for m in ("full", "same", "valid")),
        *(case(lambda a, v, m=m: np.convolve(a, v, m), OTHER, VECTOR) for m in ("full", "same", "valid")),
        case(np.convolve, VECTOR * 1j, OTHER),
        case(lambda a, v: np.convolve(a, v, "same"), VECTOR[:4], OTHER[:2] * (1 - 1j)),
    ],
    np.correlate: [
        *(case(lambda a, v, m=m: np.correlate(a, v, m), VECTOR, OTHER) for m in ("full", "same", "valid")),
        *(case(lambda a, v, m=m: np.correlate(a, v, m), OTHER, VECTOR) for m in ("full", "same", "valid")),
        case(lambda a, v: np.correlate(a, v, "full"), VECTOR * (1 + 2j), OTHER * 1j),
    ],
    np.polyval: [
        case(lambda c, x: np.polyval(c, x), VECTOR, OTHER),
        case(lambda c, x: np.polyval(c, x), VECTOR, MATRIX),
        case(lambda x: np.polyval([1.0, -2.0, 0.5], x), MATRIX),
    ],
    np.vecdot: [case(np.vecdot, TURNED, SQUARE), case(lambda a, b: np.vecdot(a, b, axis=0), MATRIX, TALL)],
}

LINALG: dict[Any, list[Case]] = {
    np.linalg.inv: [case(np.linalg.inv, SQUARE), case(np.linalg.inv, STACK), case(np.linalg.inv, TURNED)],
    np.linalg.pinv: [
        case(np.linalg.pinv, TALL),
        case(lambda a: np.linalg.pinv(a.T), TALL),
        case(np.linalg.pinv, TALL + 0.5j * TALL[::-1]),
    ],
    np.linalg.det: [case(np.linalg.det, SQUARE), case(np.linalg.det, STACK), case(np.linalg.det, TURNED)],
    np.linalg.slogdet: [
        case(lambda a: np.linalg.slogdet(a)[1], SQUARE),
        case(lambda a: np.linalg.slogdet(a).logabsdet, STACK),
        case(lambda a: tuple(np.linalg.slogdet(a)), TURNED),
    ],
    np.linalg.solve: [
        case(np.linalg.solve, SQUARE, OTHER),
        case(np.linalg.solve, SQUARE, MATRIX[:3]),
        case(np.linalg.solve, STACK, STACK + 1),
        case(np.linalg.solve, TURNED, OTHER),
        case(np.linalg.solve, STACK, MATRIX[:3]),
        case(np.linalg.solve, STACK, OTHER),
        case(np.linalg.solve, np.concatenate([STACK, STACK[:1] + 0.5]), OTHER),
        case(np.linalg.solve, STACK[:, None] + 0.1, OTHER),
    ],
    np.linalg.cholesky: [
        case(lambda a: np.linalg.cholesky(a @ a.T), SQUARE),
        case(lambda a: np.linalg.cholesky(symmetric(a) + 0.0), STACK + 2 * np.eye(3)),
        case(lambda a: np.linalg.cholesky(a @ np.conj(a).T), TURNED),
    ],
    np.linalg.eigh: [
        case(lambda a: np.linalg.eigh(symmetric(a))[0], SQUARE),
        case(lambda a: np.abs(np.linalg.eigh(symmetric(a))[1]), SQUARE),
        case(lambda a: [np.linalg.eigh(symmetric(a))[0], np.abs(np.linalg.eigh(symmetric(a))[1])], TURNED),
        case(lambda a: np.linalg.eigh(symmetric(a)).eigenvalues, STACK),
    ],
    np.linalg.eigvalsh: [case(lambda a: np.linalg.eigvalsh(symmetric(a)), SQUARE)],
    np.linalg.svd: [
        case(lambda a: np.linalg.svd(a, compute_uv=False), TALL),
        case(lambda a: np.linalg.svd(a, compute_uv=False), TURNED),
        case(lambda a: [np.abs(x) for x in np.linalg.svd(a, full_matrices=False)], TALL),
        case(lambda a: [np.abs(x) for x in np.linalg.svd(a, full_matrices=False)], TALL.T.copy()),
        case(lambda a: np.linalg.svd(a, full_matrices=False).S, STACK),
    ],
    np.linalg.qr: [
        case(lambda a: [np.abs(x) for x in np.linalg.qr(a)], TALL),
        case(lambda a: np.abs(np.linalg.qr(a)[1]), SQUARE),
        case(lambda a: [np.abs(x) for x in np.linalg.qr(a)], TALL + 0.5j * TALL[::-1]),
    ],
    np.linalg.multi_dot: [
        case(lambda a, b, c: np.linalg.multi_dot([a, b, c]), MATRIX, SQUARE, TALL.T.copy()),
        case(lambda a, b, c: np.linalg.multi_dot([a, b, c]), OTHER, TURNED, OTHER * 2),
    ],
    np.fft.fft: [
        case(np.fft.fft, VECTOR),
        case(lambda z: np.fft.fft(z, axis=0, norm="ortho"), TURNED),
        case(lambda z: np.fft.fft(z, norm="forward"), MATRIX),
    ],
    np.fft.ifft: [case(np.fft.ifft, TURNED), case(lambda z: np.fft.ifft(z, axis=0), MATRIX)],
    np.fft.fft2: [case(np.fft.fft2, MATRIX)],
    np.fft.ifft2: [case(np.fft.ifft2, TURNED)],
    np.fft.fftn: [case(np.fft.fftn, COMPLEX_), case(lambda z: np.fft.fftn(z, axes=(0, 2)), SIGNED)],
    np.fft.ifftn: [case(np.fft.ifftn, COMPLEX_)],
    np.fft.rfft: [
        case(np.fft.rfft, VECTOR),
        case(np.fft.rfft, VECTOR[:4]),
        case(lambda x: np.fft.rfft(x, axis=0, norm="ortho"), MATRIX),
    ],
    np.fft.irfft: [
        case(np.fft.irfft, TURNED),
        case(lambda z: np.fft.irfft(z, 5), TURNED[0]),
        case(lambda z: np.fft.irfft(z, n=5, axis=0, norm="forward"), TURNED),
    ],
    np.fft.fftshift: [case(np.fft.fftshift, MATRIX), case(lambda x: np.fft.fftshift(x, axes=1), MATRIX)],
    np.fft.ifftshift: [case(np.fft.ifftshift, VECTOR)],
}


def written(write: Any, *arguments: Any) -> Case:
    """What an array holds after `write` has changed a part of it."""

    def function(a: Any, *rest: Any) -> Any:
        changed = a * 1.0
        write(changed, *rest)
        return changed * changed

    return case(function, *arguments)


def _at(a: Any, i: Any, v: Any) -> None:
    a[i] = v


def _column(a: Any, i: Any, v: Any) -> None:
    a[:, i] = v


def _transposed(a: Any, i: Any, v: Any) -> None:
    a.T[i] = v


def _in_place(name: str) -> Any:
    """In-place operators with an operand whose size is known only at run time."""

    def write(a: Any, b: Any, m: Any) -> None:
        getattr(operator, name)(a, b[m])

    return write


def _sort(a: Any) -> None:
    a.sort()


def _sort_rows(a: Any) -> None:
    a.sort(axis=0)


ONLY = np.array([False, True, False, False, False])
HALF = np.array([True, False, True, True, False])
WRITING: dict[Any, list[Case]] = {
    operator.setitem: [
        written(_at, MATRIX, MASK, OTHER[0]),
        written(_at, MATRIX, MASK[:, 0], OTHER),
        written(_at, MATRIX, np.array([3, 1]), TALL[:2]),
        written(_at, MATRIX, np.array([3, 1, 3]), TALL[:3]),
        written(_at, MATRIX, MASK, 2.5),
        written(_column, MATRIX, np.array([2, 0]), TALL[:, :2]),
        written(_column, COMPLEX_[0], np.array([1, 1]), COMPLEX_[1] * 2),
        written(_transposed, MATRIX, np.array([2, 0]), TALL[:, :2].T.copy()),
    ],
    np.add.at: [
        written(lambda a, i, v: np.add.at(a, i, v), MATRIX, INDEX, TALL),
        written(lambda a, i: np.add.at(a, i, 1.5), VECTOR, INDEX),
        written(lambda a, i, v: np.add.at(a, (slice(None), i), v), MATRIX, INDEX, TALL[:, :1]),
    ],
    np.subtract.at: [written(lambda a, i, v: np.subtract.at(a, i, v), MATRIX, INDEX, OTHER)],
    np.ndarray.sort: [written(_sort, MATRIX), written(_sort_rows, MATRIX), written(_sort, VECTOR)],
    np.copyto: [
        written(lambda a, v, m: np.copyto(a, v, where=m), MATRIX, TALL, MASK),
        written(lambda a, m: np.copyto(a, 1.5, where=m), MATRIX, MASK[0]),
        written(np.copyto, MATRIX, OTHER),
    ],
    np.fill_diagonal: [
        written(np.fill_diagonal, MATRIX, 1.5),
        written(lambda a: np.fill_diagonal(a, 2.0), SQUARE),
    ],
    np.put_along_axis: [
        written(lambda a, i, v: np.put_along_axis(a, i, v, axis=1), MATRIX, PLACES, TALL),
        written(lambda a, i: np.put_along_axis(a, i, 0.5, axis=0), MATRIX, PLACES),
    ],
    np.put: [written(lambda a, i: np.put(a, i, 1.5), MATRIX, INDEX)],
    np.place: [written(lambda a, m: np.place(a, m, 1.5), MATRIX, MASK)],
    np.putmask: [
        written(lambda a, m, v: np.putmask(a, m, v), MATRIX, MASK, TALL),
        written(lambda a, m: np.putmask(a, m, 1.5), MATRIX, MASK),
    ],
    **{
        getattr(operator, name): [written(_in_place(name), np.abs(VECTOR[:3]) + 1, VECTOR + 3, HALF)]
        for name in ("iadd", "isub", "imul", "itruediv", "ipow", "imod")
    },
}

UNCLEAR: dict[Any, list[Case]] = {
    sum_to: [
        case(lambda a, m, b: ((a[m] + b) ** 2).sum(), VECTOR, ONLY, OTHER),
        case(lambda a, m, b: ((a[m] + b) ** 2).sum(), VECTOR, ~ONLY, np.array([0.7])),
        case(lambda a, m, b: (a[m] * b[m]).sum(), MATRIX, MASK, TALL),
    ]
}
"""Sizes that are known only at run time, and may be 1 there."""

CASES = {**REDUCTIONS, **SELECTING, **STEPS, **JOINING, **PRODUCTS, **LINALG, **WRITING, **UNCLEAR}
if hasattr(np, "astype"):
    CASES[np.astype] = [case(lambda a: np.astype(a.T, np.float64), MATRIX.astype("f4"))]
