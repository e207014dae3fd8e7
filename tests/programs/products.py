"""Matrix products, casts, copies and the memory order of results."""

import numpy as np

from .corpus import Theme, floats, fortran, ints, layouts, numbers, strided

theme = Theme(__name__)


def products_of_matrices(a, b):
    return a @ b, np.matmul(a, b), np.dot(a, b), a.dot(b)


theme.add(
    products_of_matrices,
    (numbers(3, 4), numbers(4, 2)),
    (fortran(numbers(3, 4)), numbers(4, 2)),
    (numbers(3, 4).T, numbers(3, 2)),
    (strided(numbers(3, 4)), numbers(4, 2)),
    (numbers(0, 4), numbers(4, 2)),
    (numbers(3, 0), numbers(0, 2)),
    (numbers(3, 4), numbers(3, 4)),
    ulp=16,
    atol=1e-14,
)


def products_of_vectors(a, b):
    return a @ b, np.dot(a, b), np.outer(a, b), np.inner(a, b), np.vdot(a, b)


theme.add(
    products_of_vectors,
    (numbers(4), numbers(4, seed=1)),
    (numbers(4)[::-1], strided(numbers(4))),
    (numbers(0), numbers(0)),
    (numbers(3), numbers(4)),
    ulp=16,
    atol=1e-14,
)


def products_of_matrix_and_vector(m, v):
    return m @ v, np.dot(m, v), v @ m.T, m.dot(v).sum()


theme.add(
    products_of_matrix_and_vector,
    (numbers(3, 4), numbers(4)),
    (fortran(numbers(3, 4)), numbers(4)),
    ulp=16,
    atol=1e-14,
)


def products_of_stacks(a, b):
    return a @ b, np.matmul(a, b[0])


theme.add(
    products_of_stacks,
    (numbers(2, 3, 4), numbers(2, 4, 3)),
    (numbers(2, 3, 4), numbers(1, 4, 2)),
    ulp=16,
    atol=1e-14,
)


def other_products(a, b):
    return np.inner(a, b), np.tensordot(a, b, axes=(1, 1)), np.tensordot(a, b.T, axes=1), np.tensordot(a, b)


theme.add(
    other_products,
    (numbers(3, 4), numbers(3, 4)),
    (fortran(numbers(2, 3)), numbers(2, 3)),
    ulp=16,
    atol=1e-14,
)


def products_of_dtypes(a, f32, z):
    return a @ a, f32 @ f32, z @ z, f32 @ a, a @ z


theme.add(
    products_of_dtypes,
    (np.arange(4).reshape(2, 2), numbers(2, 2, dtype=np.float32), numbers(2, 2, dtype=complex)),
    ulp=16,
    atol=1e-14,
)


def dot_with_scalars(a, x):
    return np.dot(a, x), np.dot(x, x), np.outer(a, a) * x


theme.add(dot_with_scalars, (numbers(3), 2.0), (ints(1, 2), 3))


def casts(a):
    return (
        a.astype(np.int64),
        a.astype(np.float32),
        a.astype(bool),
        a.astype(complex),
        a.astype("int8"),
        a.astype(int),
    )


theme.add(
    casts, (floats(1.7, -1.7, 0.0),), (ints(1, -2, 300),), (numbers(3, dtype=bool),), *layouts(numbers(2, 2))
)


def copies(a):
    return a.copy(), np.copy(a), a.copy(order="F"), np.asfortranarray(a), np.ascontiguousarray(a)


theme.add(copies, *layouts(numbers(2, 3)))


def results_keep_order(a, b):
    return a + 1, a * b, np.sqrt(np.abs(a)), a.copy(), np.zeros_like(a), np.where(a > 0, a, b), -a, a > b


theme.add(
    results_keep_order,
    (numbers(3, 4), numbers(3, 4)),
    (fortran(numbers(3, 4)), fortran(numbers(3, 4))),
    (fortran(numbers(3, 4)), numbers(3, 4)),
    (numbers(4, 3).T[::-1], numbers(4, 3).T),
    (numbers(2, 3, 4).transpose(1, 0, 2), numbers(3, 2, 4)),
)


def meshes(x, y):
    gx, gy = np.meshgrid(x, y)
    return gx, gy, np.hypot(gx, gy), np.ix_(x > 0, y > 0)[0].shape


theme.add(meshes, (numbers(3), numbers(2)), ulp=2)


def shape_arithmetic(m):
    n, k = m.shape
    return n * k == m.size, len(m.T), m.shape[::-1], m.shape + (1,), np.shape(m), np.ndim(m), np.size(m, 0)


theme.add(shape_arithmetic, (numbers(3, 4),), (numbers(0, 2),))


def dtype_questions(a):
    return (
        a.dtype == np.float64,
        np.issubdtype(a.dtype, np.floating),
        a.dtype.kind,
        a.dtype.itemsize,
        np.iscomplexobj(a),
    )


theme.add(dtype_questions, (numbers(2),), (ints(1),))


def kronecker_and_cross(a, b):
    return np.kron(a, b), np.cross(a, b)


theme.add(kronecker_and_cross, (numbers(3), numbers(3, seed=1)))


def linear_algebra(m, v):
    return (
        np.linalg.solve(m, v),
        np.linalg.inv(m),
        np.linalg.det(m),
        np.linalg.norm(v),
        np.linalg.norm(m, axis=0),
    )


theme.add(linear_algebra, (numbers(3, 3) + 4 * np.eye(3), numbers(3)), ulp=64, atol=1e-12)


def singular(m):
    return np.linalg.inv(m)


theme.add(singular, (np.zeros((2, 2)),))
