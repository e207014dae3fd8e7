"""Gradients of np.linalg and np.fft.

Formulas without another source: Giles 2008 (An extended collection of matrix derivative results).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ir.dims import minimum
from ..ir.types import Array
from ..symbolic.arrays import SymbolicArray
from ..trace.build import current
from ..trace.called import Call, Slot
from ..trace.template import function_name
from .arguments import Given, Refused, as_given, value_of
from .backward import Backward, Rule
from .gathers import made
from .words import conj, imag, real, turned


def adjoint(matrices: Any) -> Any:
    """The conjugate transpose."""
    return conj(turned(matrices))


def _inv(p: Backward, a: Given) -> Sequence[Any]:
    back = adjoint(p.y)
    return (-(back @ p.g @ back),)


def _pinv(p: Backward, a: Given) -> Sequence[Any]:
    if a.ndim != 2:
        raise Refused("of stacks of matrices")
    x, y = a.value, p.y
    turned_y, turned_g = adjoint(y), adjoint(p.g)
    left = turned_g @ y @ turned_y
    right = turned_y @ y @ turned_g
    return (left - x @ (y @ left) + right - (right @ y) @ x - turned_y @ p.g @ turned_y,)


def _det(p: Backward, a: Given) -> Sequence[Any]:
    """Jacobi's formula; of a singular matrix NumPy says that it has no inverse."""
    return (_by_matrix(p.g * conj(p.y)) * adjoint(np.linalg.inv(a.value)),)


def _by_matrix(numbers: Any) -> Any:
    """A number for each matrix of a stack, ready to multiply it."""
    return numbers[..., None, None] if isinstance(numbers, SymbolicArray) else numbers


def _slogdet(p: Backward, a: Given) -> Sequence[Any]:
    turned_by, grown = p.gs
    total: Any = None
    if grown is not None:
        total = grown
    if turned_by is not None and a.dtype.kind == "c":
        spin = -imag(conj(turned_by) * p.ys[0]) * 1j
        total = spin if total is None else total + spin
    return (None if total is None else _by_matrix(total) * adjoint(np.linalg.inv(a.value)),)


def _solve(p: Backward, a: Given, b: Given) -> Sequence[Any]:
    matrices = adjoint(a.value)
    if b.ndim == 1 and a.ndim > 2:  # a stack of vectors, which NumPy would take for a matrix
        g = np.linalg.solve(matrices, p.g[..., None])[..., 0]
    else:
        g = np.linalg.solve(matrices, p.g)
    if not a.wanted:
        return (None, g)
    if b.ndim == 1:
        return (-(g[..., :, None] * conj(p.y)[..., None, :]), g)
    return (-(g @ adjoint(p.y)), g)


def _cholesky(p: Backward, a: Given, upper: bool = False) -> Sequence[Any]:
    """Murray 2016 (Differentiation of the Cholesky decomposition), section 3.1."""
    if upper:
        raise Refused("of the upper triangle")
    back = np.linalg.inv(p.y)
    inner = np.tril(adjoint(p.y) @ p.g)
    inner = inner - 0.5 * (inner * made(np.eye, p.y.shape[-1]))
    whole = adjoint(back) @ inner @ back
    return (0.5 * (whole + adjoint(whole)),)


def _eigh(p: Backward, a: Given, UPLO: str = "L") -> Sequence[Any]:  # noqa: N803 (NumPy's name)
    w, v = p.ys
    turns = None if p.gs[1] is None else adjoint(v) @ p.gs[1]
    return (_of_eigen(w, v, p.gs[0], turns),)


def _eigvalsh(p: Backward, a: Given, UPLO: str = "L") -> Sequence[Any]:  # noqa: N803 (NumPy's name)
    _, v = several(np.linalg.eigh, a.value, (p.y.type, a.value.type), UPLO=UPLO)
    return ((v * p.g[..., None, :]) @ adjoint(v),)


def _of_eigen(w: Any, v: Any, grown: Any, turns: Any) -> Any:
    """Eigenvalues move with the diagonal, eigenvectors turn by what is beside it; equal ones don't turn."""
    inner: Any = None
    if turns is not None:
        apart = w[..., None, :] - w[..., :, None]
        inner = turns * np.where(apart == 0, 0.0, 1.0 / np.where(apart == 0, 1.0, apart))
    if grown is not None:
        diagonal = grown[..., None, :] * made(np.eye, w.shape[-1])
        inner = diagonal if inner is None else inner + diagonal
    whole = v @ inner @ adjoint(v)
    return 0.5 * (whole + adjoint(whole))


def several(function: Callable[..., Any], x: Any, types: Sequence[Any], **kwargs: Any) -> tuple[Any, ...]:
    """A call that gives several arrays of known types."""
    written = "".join(f", {key}={value!r}" for key, value in kwargs.items())
    attrs = {
        "text": f"{function_name(function)}({{0}}{written})",
        "aliases": False,
        "raises": True,
        "_call": Call(function, (Slot(0),), kwargs),
    }
    values = current().emit("numpy", (x.operand(),), list(types), attrs)
    return tuple(SymbolicArray(value, "C") for value in values)


def singular(x: Any) -> tuple[Any, ...]:
    """The thin singular value decomposition of a matrix or a stack of them."""
    *stack, rows, columns = x.shape_sizes
    few = minimum(rows, columns)
    values = np.empty(0, x.dtype).real.dtype
    types = [
        Array(x.dtype, (*stack, rows, few), "A"),
        Array(values, (*stack, few), "C"),
        Array(x.dtype, (*stack, few, columns), "A"),
    ]
    return several(np.linalg.svd, x, types, full_matrices=False)


def _svd(
    p: Backward, a: Given, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Sequence[Any]:
    if hermitian or (compute_uv and full_matrices):
        raise Refused("with full matrices")
    if not compute_uv:
        u, _, vh = singular(a.value)
        return ((u * p.g[..., None, :]) @ vh,)
    if a.dtype.kind == "c":
        raise Refused("of complex matrices")
    return (_of_singular(p, a),)


def _of_singular(p: Backward, a: Given) -> Any:
    """Townsend 2016 (Differentiating the singular value decomposition), for real matrices."""
    (u, s, vh), (gu, gs, gvh) = p.ys, p.gs
    v, ut = turned(vh), turned(u)
    squares = np.square(s)
    apart = squares[..., None, :] - squares[..., :, None]
    f = np.where(apart == 0, 0.0, 1.0 / np.where(apart == 0, 1.0, apart))
    size = s.shape[-1]
    inner: Any = 0.0 if gs is None else gs[..., None, :] * made(np.eye, size)
    outer: list[Any] = []
    if gu is not None:
        turns = ut @ gu
        inner = inner + (f * (turns - turned(turns))) * s[..., None, :]
        outer.append(((gu - u @ turns) / s[..., None, :]) @ vh)
    if gvh is not None:
        turns = vh @ turned(gvh)
        inner = inner + s[..., :, None] * (f * (turns - turned(turns)))
        outer.append((u / s[..., None, :]) @ (gvh - turned(turns) @ vh))
    found = u @ inner @ turned(v)
    for part in outer:
        found = found + part
    return found


def _qr(p: Backward, a: Given, mode: str = "reduced") -> Sequence[Any]:
    """Of matrices with at least as many rows as columns (Walter and Lehmann 2018)."""
    if mode != "reduced":
        raise Refused(f"mode={mode!r}")
    (q, r), (gq, gr) = p.ys, p.gs
    inner: Any = None
    if gr is not None:
        inner = r @ adjoint(gr)
    if gq is not None:
        other = adjoint(gq) @ q
        inner = -other if inner is None else inner - other
    eye = made(np.eye, r.shape[-1])
    below = np.tril(inner)
    whole = below + adjoint(below) - eye * real(inner)
    total = q @ whole if gq is None else gq + q @ whole
    return (adjoint(np.linalg.solve(r, adjoint(total))),)


def _multi_dot(p: Backward, arrays: Any, out: Any = None) -> Sequence[Any]:
    parts = [as_given(p.pullback, one) for one in arrays]
    values = [one.value for one in parts]
    for k in range(len(values)):
        left = _product(values[:k])
        right = _product(values[k + 1 :])
        g = p.g
        if left is not None:
            g = adjoint(left) @ g if left.ndim == 2 else _column(conj(left), g)
        if right is not None:
            g = g @ adjoint(right) if right.ndim == 2 else _row(g, conj(right))
        parts[k].collect(g, p.found)
    return ()


def _column(left: Any, g: Any) -> Any:
    """The outer product of a vector and a vector, or a vector times a number."""
    return left[:, None] * g if isinstance(g, SymbolicArray) else left * g


def _row(g: Any, right: Any) -> Any:
    return g[..., None] * right if isinstance(g, SymbolicArray) else g * right


def _product(matrices: Sequence[Any]) -> Any:
    total: Any = None
    for matrix in matrices:
        total = matrix if total is None else total @ matrix
    return total


# Fourier transforms

_OTHER_WAY: dict[Any, Any] = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}


def _transform(back: Any) -> Rule:
    """A discrete Fourier transform goes back by its inverse, normed the other way."""

    def rule(p: Backward, a: Given, n: Any = None, axis: int = -1, norm: Any = None) -> Sequence[Any]:
        found = back(p.g, axis=axis, norm=_OTHER_WAY[norm])
        return (found if n is None else _resized(found, a.shape, axis % a.ndim),)

    return rule


def _resized(values: Any, shape: tuple[Any, ...], at: int) -> Any:
    """`values` in `shape`: cut off along an axis, or with zeros behind."""
    lead, whole = (slice(None),) * at, made(np.zeros, shape, values.dtype)
    whole[(*lead, slice(None, values.shape[at]))] = values[(*lead, slice(None, shape[at]))]
    return whole


def _transforms(back: Any, usual: Any = None) -> Rule:
    """The same over several axes."""

    def rule(p: Backward, a: Given, s: Any = None, axes: Any = usual, norm: Any = None) -> Sequence[Any]:
        if s is not None:
            raise Refused("with s")
        return (back(p.g, axes=axes, norm=_OTHER_WAY[norm]),)

    return rule


def _rfft(p: Backward, a: Given, n: Any = None, axis: int = -1, norm: Any = None) -> Sequence[Any]:
    """The half of the spectrum that isn't given has no cotangent."""
    at = axis % a.ndim
    shape = a.shape if n is None else (*a.shape[:at], value_of(n), *a.shape[at + 1 :])
    whole = made(np.zeros, shape, p.g.dtype)
    whole[(*(slice(None),) * at, slice(None, p.g.shape[at]))] = p.g
    found = real(np.fft.ifft(whole, axis=axis, norm=_OTHER_WAY[norm]))
    return (found if n is None else _resized(found, a.shape, at),)


def _irfft(p: Backward, a: Given, n: Any = None, axis: int = -1, norm: Any = None) -> Sequence[Any]:
    """What is given stands for both halves, but for the first frequency and, of an even count, the last."""
    at = axis % a.ndim
    spectrum = np.fft.rfft(p.g, axis=axis, norm=_OTHER_WAY[norm])
    size, count = spectrum.shape[at], p.g.shape[at]
    k = made(np.arange, size)[(slice(None), *(None,) * (a.ndim - 1 - at))]
    single = (k == 0) | (2 * k == count)
    found = spectrum * np.where(single, 1.0, 2.0)
    return (found if n is None else _resized(found, a.shape, at),)


def _shift(back: Any) -> Rule:
    return lambda p, x, axes=None: (back(p.g, axes=axes),)


RULES: dict[Any, Rule] = {
    np.linalg.inv: _inv,
    np.linalg.pinv: _pinv,
    np.linalg.det: _det,
    np.linalg.slogdet: _slogdet,
    np.linalg.solve: _solve,
    np.linalg.cholesky: _cholesky,
    np.linalg.eigh: _eigh,
    np.linalg.eigvalsh: _eigvalsh,
    np.linalg.svd: _svd,
    np.linalg.qr: _qr,
    np.linalg.multi_dot: _multi_dot,
    np.fft.fft: _transform(np.fft.ifft),
    np.fft.ifft: _transform(np.fft.fft),
    np.fft.fft2: _transforms(np.fft.ifftn, (-2, -1)),
    np.fft.ifft2: _transforms(np.fft.fftn, (-2, -1)),
    np.fft.fftn: _transforms(np.fft.ifftn),
    np.fft.ifftn: _transforms(np.fft.fftn),
    np.fft.rfft: _rfft,
    np.fft.irfft: _irfft,
    np.fft.fftshift: _shift(np.fft.ifftshift),
    np.fft.ifftshift: _shift(np.fft.fftshift),
}
