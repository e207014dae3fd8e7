"""np.linalg and np.fft: they run as they are, and give arrays of known types.

Matrices, and stacks of them in C order, come back in C order (NumPy's gufuncs allocate them so).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.dims import Size
from ..trace.build import current
from .arrays import SymbolicArray
from .broadcasting import broadcast
from .numpy_api import Unknown, as_array, normal_axis
from .numpy_several import typed as results_of
from .records import SymbolicRecord
from .symbols import as_dim


def typed(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], types: list[tuple[Any, Any]]
) -> tuple[Any, ...]:
    """A call whose results have these dtypes and shapes."""
    known = all(arg.ndim < 3 or arg.order == "C" for arg in args if isinstance(arg, SymbolicArray))
    return results_of(func, args, kwargs, types, known)


def _matrices(a: Any, square: bool = True) -> SymbolicArray:
    array = as_array(a)
    if array.ndim < 2 or array.dtype.kind not in "iufc":
        raise Unknown
    if square and not current().same_size(*array.shape_sizes[-2:]):
        raise Unknown
    return array


def _dtypes(func: Any, *arrays: SymbolicArray) -> list[Any]:
    """The dtypes of the results, of unit matrices of these dtypes."""
    found = func(*(np.eye(2, dtype=array.dtype) for array in arrays))
    return [np.asarray(item).dtype for item in (found if isinstance(found, tuple) else (found,))]


def same_shape(func: Any) -> Callable[..., Any]:
    """``inv`` and ``cholesky``."""

    def handler(a: Any) -> Any:
        array = _matrices(a)
        return typed(func, (array,), {}, [(_dtypes(func, array)[0], array.shape_sizes)])[0]

    return handler


def pinv(a: Any) -> Any:
    """``np.linalg.pinv``."""
    array = _matrices(a, square=False)
    *stack, rows, columns = array.shape_sizes
    return typed(
        np.linalg.pinv, (array,), {}, [(_dtypes(np.linalg.pinv, array)[0], (*stack, columns, rows))]
    )[0]


def det(a: Any) -> Any:
    """``np.linalg.det``."""
    array = _matrices(a)
    return typed(np.linalg.det, (array,), {}, [(_dtypes(np.linalg.det, array)[0], array.shape_sizes[:-2])])[0]


def slogdet(a: Any) -> Any:
    """``np.linalg.slogdet``."""
    array = _matrices(a)
    types = [(dtype, array.shape_sizes[:-2]) for dtype in _dtypes(np.linalg.slogdet, array)]
    return _record(np.linalg.slogdet, (array,), {}, types)


def _record(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], types: list[tuple[Any, Any]]) -> Any:
    kind = type(func(np.eye(2)))
    return SymbolicRecord(kind, typed(func, args, kwargs, types))


def solve(a: Any, b: Any) -> Any:
    """``np.linalg.solve`` for vectors, matrices and stacks of matrices."""
    left, right = _matrices(a), as_array(b)
    if right.ndim == 0:
        raise Unknown
    vector = right.ndim == 1
    if not current().same_size(left.shape_sizes[-1], right.shape_sizes[-1 if vector else -2]):
        raise Unknown
    stack = broadcast([left.shape_sizes[:-2], () if vector else right.shape_sizes[:-2]])
    if stack is None:
        raise Unknown
    shape = (*stack, *right.shape_sizes[-1 if vector else -2 :])
    return typed(np.linalg.solve, (left, right), {}, [(_dtypes(np.linalg.solve, left, right)[0], shape)])[0]


def eigh(a: Any, UPLO: Any = "L") -> Any:  # noqa: N803 (NumPy's name)
    """``np.linalg.eigh``."""
    array = _matrices(a)
    values, vectors = _dtypes(np.linalg.eigh, array)
    types = [(values, array.shape_sizes[:-1]), (vectors, array.shape_sizes)]
    return _record(np.linalg.eigh, (array,), _other_half(UPLO), types)


def eigvalsh(a: Any, UPLO: Any = "L") -> Any:  # noqa: N803 (NumPy's name)
    """``np.linalg.eigvalsh``."""
    array = _matrices(a)
    types = [(_dtypes(np.linalg.eigvalsh, array)[0], array.shape_sizes[:-1])]
    return typed(np.linalg.eigvalsh, (array,), _other_half(UPLO), types)[0]


def _other_half(uplo: Any) -> dict[str, Any]:
    if uplo not in ("L", "U"):
        raise Unknown
    return {} if uplo == "L" else {"UPLO": uplo}


def svd(a: Any, full_matrices: Any = True, compute_uv: Any = True) -> Any:
    """``np.linalg.svd``."""
    array = _matrices(a, square=False)
    if not isinstance(full_matrices, bool) or not isinstance(compute_uv, bool):
        raise Unknown
    *stack, rows, columns = array.shape_sizes
    few = dims.minimum(rows, columns)
    vectors, values, _ = _dtypes(np.linalg.svd, array)
    if not compute_uv:
        return typed(np.linalg.svd, (array,), {"compute_uv": False}, [(values, (*stack, few))])[0]
    left, right = (rows, columns) if full_matrices else (few, few)
    types = [(vectors, (*stack, rows, left)), (values, (*stack, few)), (vectors, (*stack, right, columns))]
    return _record(np.linalg.svd, (array,), {} if full_matrices else {"full_matrices": False}, types)


def qr(a: Any, mode: Any = "reduced") -> Any:
    """``np.linalg.qr``."""
    array = _matrices(a, square=False)
    *stack, rows, columns = array.shape_sizes
    few = dims.minimum(rows, columns)
    dtype = _dtypes(np.linalg.qr, array)[0]
    if mode == "r":
        return typed(np.linalg.qr, (array,), {"mode": mode}, [(dtype, (*stack, few, columns))])[0]
    if mode not in ("reduced", "complete"):
        raise Unknown
    inner = few if mode == "reduced" else rows
    types = [(dtype, (*stack, rows, inner)), (dtype, (*stack, inner, columns))]
    return _record(np.linalg.qr, (array,), {} if mode == "reduced" else {"mode": mode}, types)


def matrix_power(a: Any, n: Any) -> Any:
    """``np.linalg.matrix_power``: products as NumPy takes them, by the binary digits of `n`."""
    matrix = _matrices(a)
    if type(n) is not int or n == 0 or matrix.dtype.kind not in "fc":
        raise Unknown
    base: Any = same_shape(np.linalg.inv)(matrix) if n < 0 else matrix
    n = abs(n)
    if n <= 3:
        return {1: lambda: base, 2: lambda: base @ base, 3: lambda: (base @ base) @ base}[n]()
    power = result = None
    while n > 0:
        power = base if power is None else power @ power
        n, bit = divmod(n, 2)
        if bit:
            result = power if result is None else result @ power
    return result


def transform(func: Any, length: Callable[[Size], Size] | None = None) -> Callable[..., Any]:
    """``fft`` and its like along one axis; `length` is that of the result where it is another."""

    def handler(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
        array = as_array(a)
        if array.ndim == 0 or (array.ndim > 1 and array.order != "C") or array.dtype.kind not in "iufc":
            raise Unknown
        at = normal_axis(axis, array.ndim)
        size = array.shape_sizes[at] if n is None else as_dim(n)
        if size is None or not current().is_natural(size) or (n is not None and func is np.fft.irfft):
            raise Unknown
        sizes = (*array.shape_sizes[:at], length(size) if length else size, *array.shape_sizes[at + 1 :])
        given = (("n", n, None), ("axis", axis, -1), ("norm", norm, None))
        kwargs = {key: value for key, value, usual in given if value is not usual and value != usual}
        dtype = np.asarray(func(np.ones(2, array.dtype))).dtype
        return typed(func, (array,), kwargs, [(dtype, sizes)])[0]

    return handler


def transforms(func: Any) -> Callable[..., Any]:
    """``fftn`` and its like."""

    def handler(a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
        array = as_array(a)
        short = array.ndim < 2 or (array.ndim > 1 and array.order != "C")
        if short or s is not None or array.dtype.kind not in "iufc":
            raise Unknown
        if axes is not None:
            if not isinstance(axes, tuple) or len({normal_axis(k, array.ndim) for k in axes}) != len(axes):
                raise Unknown
        given = (("axes", axes), ("norm", norm))
        kwargs = {key: value for key, value in given if value is not None}
        dtype = np.asarray(func(np.ones((2, 2), array.dtype))).dtype
        return typed(func, (array,), kwargs, [(dtype, array.shape_sizes)])[0]

    return handler


HANDLERS: dict[Any, Callable[..., Any]] = {
    np.linalg.inv: same_shape(np.linalg.inv),
    np.linalg.cholesky: same_shape(np.linalg.cholesky),
    np.linalg.pinv: pinv,
    np.linalg.det: det,
    np.linalg.slogdet: slogdet,
    np.linalg.solve: solve,
    np.linalg.eigh: eigh,
    np.linalg.eigvalsh: eigvalsh,
    np.linalg.svd: svd,
    np.linalg.qr: qr,
    np.linalg.matrix_power: matrix_power,
    np.fft.fft: transform(np.fft.fft),
    np.fft.ifft: transform(np.fft.ifft),
    np.fft.rfft: transform(np.fft.rfft, lambda size: dims.add(dims.floordiv(size, 2), 1)),
    np.fft.irfft: transform(np.fft.irfft, lambda size: dims.scale(dims.sub(size, 1), 2)),
    np.fft.fft2: transforms(np.fft.fft2),
    np.fft.ifft2: transforms(np.fft.ifft2),
    np.fft.fftn: transforms(np.fft.fftn),
    np.fft.ifftn: transforms(np.fft.ifftn),
}
