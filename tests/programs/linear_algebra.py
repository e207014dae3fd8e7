"""np.linalg, np.fft, einsum and NumPy's writing functions: the compiler knows the types of what they give."""

import numpy as np

from .corpus import Theme, fortran, layouts, numbers

theme = Theme(__name__)


def _regular(*shape, dtype=np.float64):
    return (numbers(*shape) / 4 + 3 * np.eye(shape[-1])).astype(dtype)


_SQUARE = (
    (_regular(3, 3),),
    (fortran(_regular(3, 3)),),
    (_regular(4, 4, dtype=np.float32),),
    (_regular(2, 3, 3),),
    (np.asfortranarray(_regular(2, 3, 3)),),
    (_regular(2, 2, 3, 3).swapaxes(0, 1),),
    ((_regular(3, 3) + 0.5j * numbers(3, 3)),),
    (_regular(1, 1),),
    (_regular(0, 0),),
)
_FAULTY = ((np.ones((3, 3)),), (numbers(2, 3),), (numbers(3),), (np.zeros((2, 2), np.int64),))


def inverses(a):
    b = np.linalg.inv(a)
    return b + 1, b @ a, np.linalg.det(a) * 2


theme.add(inverses, *_SQUARE, *_FAULTY, ulp=64, atol=1e-14)


def signs_and_logs(a):
    found = np.linalg.slogdet(a)
    sign, log = found
    return found, sign * 2, found.logabsdet + 1, log, found[0]


theme.add(signs_and_logs, *_SQUARE)


def solved(a, b):
    x = np.linalg.solve(a, b)
    return x * 2 + 1, a @ x


theme.add(
    solved,
    (_regular(3, 3), numbers(3)),
    (_regular(3, 3), numbers(3, 2)),
    (fortran(_regular(3, 3)), fortran(numbers(3, 2))),
    (_regular(3, 3, dtype=np.float32), numbers(3)),
    (_regular(2, 3, 3), numbers(2, 3, 2)),
    (_regular(2, 3, 3), numbers(3, 2)),
    (_regular(2, 3, 3), np.asfortranarray(numbers(2, 3, 2))),
    (_regular(3, 3), numbers(4)),
    (np.ones((2, 2)), numbers(2)),
    (numbers(2, 2, dtype=np.int64), numbers(2, dtype=np.int64)),
    ulp=64,
    atol=1e-14,
)


def eigen(a):
    symmetric = (a + np.swapaxes(a, -1, -2)) / 2
    w, v = np.linalg.eigh(symmetric)
    found = np.linalg.eigh(symmetric, UPLO="U")
    return w + 1, np.abs(v) * 2, found.eigenvalues, np.linalg.eigvalsh(symmetric) - w, found


theme.add(eigen, *(call for call in _SQUARE if call[0].dtype.kind == "f"), *_FAULTY, ulp=64)


def singular_values(a):
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return (u * s[..., None, :]) @ vh, np.linalg.svd(a, compute_uv=False) + 1, np.linalg.svd(a).S, s[..., 0]


theme.add(
    singular_values,
    (numbers(4, 3),),
    (numbers(3, 4),),
    (fortran(numbers(4, 3)),),
    (numbers(2, 4, 3),),
    (numbers(4, 3) + 1j,),
    (numbers(4),),
    ulp=64,
    atol=1e-14,
)


def triangles(a):
    q, r = np.linalg.qr(a)
    whole = np.linalg.qr(a, mode="complete")
    return q * 2, r + 1, whole.R - 1, np.linalg.qr(a, mode="r") * 3


theme.add(
    triangles,
    (numbers(4, 3),),
    (numbers(3, 4),),
    (fortran(numbers(4, 3)),),
    (numbers(2, 4, 3),),
    (numbers(3),),
)


def roots(a):
    positive = a @ np.swapaxes(a, -1, -2) + np.eye(3)
    return np.linalg.cholesky(positive) + 1, np.linalg.pinv(a) * 2


theme.add(
    roots, (_regular(3, 3),), (_regular(3, 3, dtype=np.float32),), (_regular(2, 3, 3),), (-_regular(3, 3),)
)


def powers(a):
    return (
        np.linalg.matrix_power(a, 3) + 1,
        np.linalg.matrix_power(a, 7),
        np.linalg.matrix_power(a, -2),
        np.linalg.matrix_power(a, 0),
    )


theme.add(
    powers, (_regular(3, 3),), (_regular(2, 3, 3),), (numbers(2, 2, dtype=np.int64),), (numbers(2, 3),), ulp=8
)


def spectra(x):
    f = np.fft.fft(x)
    g = np.fft.rfft(x.real, axis=0)
    return (
        f * 2,
        np.fft.ifft(f) + 1,
        np.abs(g) + 1,
        np.fft.irfft(g, axis=0) * 2,
        np.fft.fft(x, n=5, norm="ortho") + 1,
    )


theme.add(
    spectra,
    (numbers(6),),
    (numbers(5),),
    (numbers(4, 6),),
    (fortran(numbers(4, 6)),),
    (numbers(4, 3, dtype=np.float32),),
    (numbers(4, 6)[:, ::2],),
    (numbers(4) + 1j,),
    (numbers(0),),
)


def spectra_of_pictures(x):
    f = np.fft.fft2(x)
    return f * 2, np.fft.ifft2(f).real + 1, np.fft.fftn(x, axes=(0,)) + 1, np.fft.fftshift(f) * 2


theme.add(
    spectra_of_pictures, (numbers(4, 6),), (fortran(numbers(4, 6)),), (numbers(2, 4, 3),), (numbers(4),)
)


def sums_by_letters(a, b):
    return (
        np.einsum("ij,jk->ik", a, b) + 1,
        np.einsum("ij,jk->ki", a, b) * 2,
        np.einsum("ij->j", a) + 1,
        np.einsum("ij,jk", a, b)[0],
        np.einsum("...j,j...", a, b).sum(),
        np.einsum("ij->ji", a) * a.T,
    )


theme.add(
    sums_by_letters,
    (numbers(3, 4), numbers(4, 2)),
    (fortran(numbers(3, 4)), numbers(4, 2)),
    (numbers(3, 4), numbers(4, 2, dtype=np.float32)),
    (numbers(3, 4), numbers(3, 2)),
    (numbers(3, 4, dtype=np.int64), numbers(4, 2, dtype=np.int64)),
)


def diagonal_by_letters(a):
    b = a.copy()
    np.einsum("ii->i", b)[...] = 7
    return b, np.einsum("ii", a) + 1


theme.add(diagonal_by_letters, (numbers(3, 3),), (numbers(2, 3),))


def picked_along(a, i):
    return np.take_along_axis(a, i, axis=1) * 2, np.take_along_axis(a, i[:, :1], 1) + 1


theme.add(
    picked_along,
    (numbers(3, 4), numbers(3, 4, dtype=np.int64) % 4),
    (fortran(numbers(3, 4)), fortran(numbers(3, 4, dtype=np.int64) % 4)),
    (numbers(3, 4), numbers(1, 2, dtype=np.int64) % 4),
    (numbers(3, 4), numbers(3, 2, dtype=np.int64) + 90),
    (numbers(3, 4), numbers(3, dtype=np.int64)),
)


def added_at(a, i, v):
    np.add.at(a, i, v)
    np.multiply.at(a, i, 2)
    return a + 1


theme.add(
    added_at,
    (numbers(5), np.array([0, 2, 2, 4]), numbers(4)),
    (numbers(5, 3), np.array([0, 2, 2]), numbers(3)),
    (numbers(5, dtype=np.int64), np.array([1, 1]), 3),
    (numbers(5), np.array([7]), 1.0),
    (numbers(5, dtype=np.int64), np.array([1, 1]), 0.5),
)


def put_in_places(a, i, m):
    np.put(a, i, 9)
    np.putmask(a, m, -1)
    np.fill_diagonal(a, 5)
    np.copyto(a, 3.0, where=m.T)
    np.put_along_axis(a, i[:, None] % a.shape[1], 2, axis=1)
    np.place(a, m, [1, 2])
    return a * 2


theme.add(
    put_in_places,
    (numbers(3, 3), np.array([0, 4, 8]), numbers(3, 3) > 0),
    (fortran(numbers(3, 3)), np.array([0, 4, 8]), numbers(3, 3) > 0),
    (numbers(3, 3, dtype=np.int64), np.array([0, 4, 7]), numbers(3, 3, dtype=np.int64) > 0),
    (numbers(3, 3), np.array([0, 4, 90]), numbers(3, 3) > 0),
)

_NANS = np.where(numbers(4, 5) > 1, np.nan, numbers(4, 5))


def without_nans(a):
    return (
        np.nansum(a, axis=0) + 1,
        np.nanmean(a, axis=1, keepdims=True) * a,
        np.nanmax(a) + 1,
        np.nanmin(a, axis=0) * 2,
        np.nanstd(a, axis=1) + 1,
        np.median(a, axis=0) + 1,
        np.quantile(a, 0.25, axis=1) * 2,
        np.percentile(a, 60) + 1,
    )


theme.add(
    without_nans,
    *layouts(_NANS),
    *layouts(numbers(4, 5)),
    (numbers(4, 5, dtype=np.float32),),
    (numbers(4, 5, dtype=np.int64),),
)


def two_results(a, b):
    whole, part = np.divmod(a, b)
    fraction, integral = np.modf(a)
    mantissa, exponent = np.frexp(a)
    return whole + 1, part * 2, fraction - 1, integral * 2, mantissa + 1, exponent * 2, np.modf(a)


theme.add(
    two_results,
    (numbers(4), numbers(4, seed=1)),
    (numbers(3, 4), 0.75),
    (fortran(numbers(3, 4)), numbers(4, seed=2)),
    (numbers(4, dtype=np.float32), np.float32(0.5)),
    (2.75, 0.5),
    (np.float64(-2.75), 1.5),
    (numbers(4), 0.0),
    (numbers(4), numbers(3)),
)


def slopes(a):
    found = np.gradient(a, 0.5)
    return (found[0] if a.ndim > 1 else found) + 1, np.gradient(a, axis=0) * 2, np.trapezoid(a, dx=0.5) + 1


theme.add(slopes, (numbers(5),), *layouts(numbers(4, 3)), (numbers(4, dtype=np.float32),), (numbers(1),))


def areas(y, x):
    return np.trapezoid(y, x) + 1, np.trapezoid(y, x, axis=-1) * 2, np.diff(y, 2) + 1


theme.add(
    areas, (numbers(5), numbers(5, seed=1)), (numbers(3, 5), numbers(5)), (numbers(3, 5), numbers(3, 5))
)


def turned_round(a):
    return (
        np.rot90(a) + 1,
        np.rot90(a, 2) * 2,
        np.rot90(a, k=3),
        np.rot90(a, -4) + a,
        np.fliplr(a) + a,
        np.flipud(a) * 2,
        np.moveaxis(a, [0, 1], [1, 0]) + 1,
        a.mT + 1,
        np.matrix_transpose(a)[0],
    )


theme.add(turned_round, *layouts(numbers(3, 4)), (numbers(2, 3, 4),), (numbers(3),))


def turned_views(a):
    np.rot90(a)[0] = 7
    np.fliplr(a)[:, 0] += 1
    return np.rot90(a, 1, (1, 0)), np.flipud(a)


theme.add(turned_views, (numbers(3, 4),))


def padded(a):
    return (
        np.pad(a, 1) + 1,
        np.pad(a, ((1, 2), (0, 1)), constant_values=3)[1:],
        np.pad(a, (1, 0), mode="edge") * 2,
        np.pad(a, 2, "mean") + 1,
        np.nancumsum(a, axis=1) + 1,
        np.nancumprod(a) * 2,
    )


theme.add(padded, *layouts(numbers(3, 4)), (numbers(3, 4, dtype=np.int64),), (numbers(3),))


def parts_of_complex_numbers(z):
    total = z.sum()
    return total.real + 1, total.imag * 2, np.real(total), np.abs(total.conjugate()) + 1, z[0].imag


theme.add(parts_of_complex_numbers, (numbers(4, dtype=np.complex128),), (numbers(3, dtype=np.complex64),))


def stretched(a, b):
    wide = np.broadcast_to(b, (3, 4))
    return (a * wide).sum(), wide + a, np.exp(wide) * 2


theme.add(
    stretched,
    (numbers(3, 4), numbers(4)),
    (fortran(numbers(3, 4)), numbers(3, 4)),
    (numbers(3, 4), numbers(3)),
)
