"""Gradients of products and contractions that run as NumPy's calls; most of them are Einstein sums."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.types import Array
from ..symbolic.numpy_einsum import labels_of
from ..symbolic.symbols import as_dim, size_symbol
from .arguments import Given, Refused, as_given, value_of
from .backward import Backward, Numbers, Rule
from .contributions import fitted_to
from .gathers import made
from .words import conj


def contraction(
    g: Any, labels: Sequence[str], output: str, operands: Sequence[Any], k: int, shape: Any
) -> Any:
    """The cotangent of operand `k` of ``einsum(labels -> output)``: an Einstein sum of `g` and the others.

    Labels of the operand that stand nowhere else are summed over, so every element has the same; a label that
    it has twice picks a diagonal.
    """
    own = labels[k]
    distinct = "".join(dict.fromkeys(own))
    terms, values = [output], [g]
    for number, (label, value) in enumerate(zip(labels, operands, strict=True)):
        if number != k:
            terms.append(label)
            values.append(conj(value))
    for label in distinct:
        if not any(label in term for term in terms):
            terms.append(label)
            values.append(made(np.ones, (shape[own.index(label)],), g.dtype))
    target, spare = "", iter(c for c in string.ascii_letters if c not in "".join((*labels, output)))
    for place, label in enumerate(own):
        if label not in target:
            target += label
            continue
        second = next(spare)
        terms.append(label + second)
        values.append(made(np.eye, shape[place]))
        target += second
    return np.einsum(f"{','.join(terms)}->{target}", *values)


def _einsum(p: Backward, subscripts: Any, *operands: Any, **kwargs: Any) -> Sequence[Any]:
    if not isinstance(subscripts, str):
        raise Refused("with axes in lists")
    given = [as_given(p.pullback, one) for one in operands]
    found = labels_of(subscripts, [one.ndim for one in given])
    if found is None:
        raise Refused("of these subscripts")
    labels, output = found
    for one, contribution in zip(given, _contractions(p.g, labels, output, given), strict=True):
        if contribution is not None:
            one.collect(contribution, p.found)
    return ()


def _contractions(g: Any, labels: Sequence[str], output: str, given: Sequence[Given]) -> list[Any]:
    found = []
    for k, one in enumerate(given):
        others = [other.value if n != k and one.wanted else None for n, other in enumerate(given)]
        found.append(contraction(g, labels, output, others, k, one.shape) if one.wanted else None)
    return found


def _letters(count: int, start: int = 0) -> str:
    return string.ascii_lowercase[start : start + count]


def _tensordot(p: Backward, a: Given, b: Given, axes: Any = 2) -> Sequence[Any]:
    if isinstance(axes, int):
        mine, theirs = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    else:
        mine, theirs = ([k] if isinstance(k, int) else list(k) for k in axes)
    return _summed(p, a, b, [k % a.ndim for k in mine], [k % b.ndim for k in theirs])


def _summed(p: Backward, a: Given, b: Given, mine: list[int], theirs: list[int]) -> Sequence[Any]:
    """Products summed over axes in pairs; what is left of `a`, then of `b`."""
    left, right = list(_letters(a.ndim)), list(_letters(b.ndim, a.ndim))
    for one, other in zip(mine, theirs, strict=True):
        right[other] = left[one]
    output = [c for c in left if c not in right] + [c for c in right if c not in left]
    return _contractions(p.g, ["".join(left), "".join(right)], "".join(output), (a, b))


def _dot(p: Backward, a: Given, b: Given, out: Any = None) -> Sequence[Any]:
    if not a.ndim or not b.ndim:
        return (p.g * conj(b.value), p.g * conj(a.value))
    return _summed(p, a, b, [a.ndim - 1], [max(b.ndim - 2, 0)])


def _inner(p: Backward, a: Given, b: Given) -> Sequence[Any]:
    if not a.ndim or not b.ndim:
        return (p.g * conj(b.value), p.g * conj(a.value))
    return _summed(p, a, b, [a.ndim - 1], [b.ndim - 1])


def _matmul(p: Backward, a: Given, b: Given) -> Sequence[Any]:
    if a.ndim > 2 or b.ndim > 2:
        return _stacked(p, a, b)
    return _summed(p, a, b, [a.ndim - 1], [max(b.ndim - 2, 0)])


def _stacked(p: Backward, a: Given, b: Given) -> Sequence[Any]:
    """Stacks of matrices, of any sizes: what was broadcast is summed over where contributions are added."""
    g = p.g
    if a.ndim == 1:
        g = g[..., None, :]
    if b.ndim == 1:
        g = g[..., :, None]
    found: list[Any] = [None, None]
    if a.wanted:
        right = conj(b.value[:, None] if b.ndim == 1 else b.value)
        whole = g @ np.swapaxes(right, -1, -2)
        found[0] = whole[..., 0, :] if a.ndim == 1 else whole
    if b.wanted:
        left = conj(a.value[None, :] if a.ndim == 1 else a.value)
        whole = np.swapaxes(left, -1, -2) @ g
        found[1] = whole[..., 0] if b.ndim == 1 else whole
    return found


def _outer(p: Backward, a: Given, b: Given, out: Any = None) -> Sequence[Any]:
    left, right = (np.reshape(one.value, -1) for one in (a, b))
    return (np.reshape(p.g @ conj(right), a.shape), np.reshape(conj(left) @ p.g, b.shape))


def _vdot(p: Backward, a: Given, b: Given) -> Sequence[Any]:
    return (conj(p.g) * np.reshape(b.value, a.shape), p.g * np.reshape(a.value, b.shape))


def _vecdot(p: Backward, x1: Given, x2: Given, axis: int = -1) -> Sequence[Any]:
    """The axis is one of each operand's own; the others are broadcast."""
    g = p.g[..., None] if p.g.ndim else p.g
    left, right = (np.moveaxis(one.value, axis, -1) for one in (x1, x2))
    found = []
    for one, contribution in ((x1, conj(g) * right), (x2, g * left)):
        sizes = list(one.type.shape)  # type: ignore[union-attr]
        sizes.append(sizes.pop(axis))
        whole = fitted_to(Array(one.dtype, tuple(sizes), "C"), contribution)
        found.append(np.moveaxis(whole, -1, axis))
    return found


def _kron(p: Backward, a: Given, b: Given) -> Sequence[Any]:
    """Seen with its axes in pairs, the product is the outer one."""
    if a.ndim != b.ndim:
        raise Refused("of arrays of different numbers of axes")
    pairs = tuple(size for pair in zip(a.shape, b.shape, strict=True) for size in pair)
    left, right = _letters(a.ndim), _letters(b.ndim, a.ndim)
    output = "".join(x + y for x, y in zip(left, right, strict=True))
    return _contractions(np.reshape(p.g, pairs), [left, right], output, (a, b))


def _cross(p: Backward, a: Given, b: Given, *args: Any, **kwargs: Any) -> Sequence[Any]:
    if args or kwargs or p.g.ndim != max(a.ndim, b.ndim):
        raise Refused("along other axes, or in the plane")
    by_a, by_b = np.cross(conj(b.value), p.g), np.cross(p.g, conj(a.value))
    return (by_a[..., : a.shape[-1]], by_b[..., : b.shape[-1]])  # a vector of the plane has no third part


def _convolve(p: Backward, a: Given, v: Given, mode: Any = "full") -> Sequence[Any]:
    g = _in_full(p.g, a.shape[0], v.shape[0], mode)
    return (
        np.convolve(g, np.flip(conj(v.value)), mode="valid") if a.wanted else None,
        np.convolve(g, np.flip(conj(a.value)), mode="valid") if v.wanted else None,
    )


def _in_full(g: Any, n: Any, m: Any, mode: Any, turned: bool = False) -> Any:
    """The cotangent of a convolution as that of the full one, zero where it was cut off.

    A correlation with a longer array is done the other way round and `turned`: its middle may be one further.
    """
    if mode == "full":
        return g
    shorter = dims.minimum(as_dim(n), as_dim(m))  # type: ignore[arg-type]
    before = dims.sub(shorter, 1)
    if mode == "same":
        longer = dims.sub(as_dim(m), as_dim(n))  # type: ignore[arg-type]
        before = dims.add(before, dims.minimum(dims.maximum(longer, 0), 1)) if turned else before
        before = dims.floordiv(before, 2)
    begin = size_symbol(before)
    whole = made(np.zeros, (n + m - 1,), g.dtype)
    whole[begin : begin + g.shape[0]] = g
    return whole


def _correlate(p: Backward, a: Given, v: Given, mode: Any = "valid") -> Sequence[Any]:
    """A convolution with the other array turned round."""
    g = _in_full(p.g, a.shape[0], v.shape[0], mode, turned=True)
    return (
        np.convolve(g, v.value, mode="valid") if a.wanted else None,
        np.flip(conj(np.convolve(g, np.flip(conj(a.value)), mode="valid"))) if v.wanted else None,
    )


def _polyval(p: Backward, poly: Given, x: Numbers) -> Sequence[Any]:
    at, factors = value_of(x), value_of(poly)
    slope = np.polyval(_lower(factors), at) if _is_wanted(x) else None
    found = None
    if _is_wanted(poly):
        count = factors.shape[0]
        if getattr(at, "ndim", 0):
            found = np.reshape(p.g, -1) @ conj(made(np.vander, np.reshape(at, -1), count))
        else:
            found = p.g * conj(at ** made(np.arange, count - 1, -1, -1))
    return (found, None if slope is None else p.g * conj(slope))


def _lower(factors: Any) -> Any:
    """The coefficients of the derivative of a polynomial."""
    count = factors.shape[0]
    return factors[:-1] * made(np.arange, count - 1, 0, -1)


def _is_wanted(argument: Any) -> bool:
    return isinstance(argument, Given) and argument.wanted


RULES: dict[Any, Rule] = {
    np.einsum: _einsum,
    np.tensordot: _tensordot,
    np.dot: _dot,
    np.inner: _inner,
    np.matmul: _matmul,
    np.outer: _outer,
    np.vdot: _vdot,
    np.kron: _kron,
    np.cross: _cross,
    np.convolve: _convolve,
    np.correlate: _correlate,
    np.polyval: _polyval,
    **({np.vecdot: _vecdot} if hasattr(np, "vecdot") else {}),
}
