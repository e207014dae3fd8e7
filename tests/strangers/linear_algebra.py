"""Factorisations, eigenvalues, iterative solvers and sparse matrices, with loops and without."""

import numpy as np

from .case import Case, random


def matmul_lists(A, B):
    n = len(A)
    m = len(B[0])
    C = [[0.0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            for k in range(len(B)):
                C[i][j] += A[i][k] * B[k][j]
    return C


def matmul_loops(A, B):
    C = np.zeros((A.shape[0], B.shape[1]))
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            s = 0.0
            for k in range(A.shape[1]):
                s += A[i, k] * B[k, j]
            C[i, j] = s
    return C


def gauss_elimination(A, b):
    A = A.astype(float).copy()
    b = b.astype(float).copy()
    n = len(b)
    for k in range(n):
        p = k + np.argmax(np.abs(A[k:, k]))
        if A[p, k] == 0:
            raise np.linalg.LinAlgError("singular matrix")
        if p != k:
            A[[k, p]] = A[[p, k]]
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            m = A[i, k] / A[k, k]
            A[i, k:] -= m * A[k, k:]
            b[i] -= m * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.sum(A[i, i + 1 :] * x[i + 1 :])) / A[i, i]
    return x


def lu_doolittle(A):
    n = A.shape[0]
    L = np.eye(n)
    U = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            s = 0
            for k in range(i):
                s += L[i, k] * U[k, j]
            U[i, j] = A[i, j] - s
        for j in range(i + 1, n):
            s = 0
            for k in range(i):
                s += L[j, k] * U[k, i]
            L[j, i] = (A[j, i] - s) / U[i, i]
    return L, U


def cholesky(A):
    n = len(A)
    L = np.zeros_like(A)
    for i in range(n):
        for j in range(i + 1):
            s = sum(L[i, k] * L[j, k] for k in range(j))
            if i == j:
                d = A[i, i] - s
                if d <= 0:
                    return None
                L[i, j] = np.sqrt(d)
            else:
                L[i, j] = (A[i, j] - s) / L[j, j]
    return L


def gram_schmidt(V):
    Q = np.zeros(V.shape)
    R = np.zeros((V.shape[1], V.shape[1]))
    for j in range(V.shape[1]):
        v = V[:, j].copy()
        for i in range(j):
            R[i, j] = Q[:, i] @ V[:, j]
            v -= R[i, j] * Q[:, i]
        R[j, j] = np.linalg.norm(v)
        Q[:, j] = v / R[j, j]
    return Q, R


def householder_qr(A):
    R = A.copy()
    m, n = R.shape
    Q = np.eye(m)
    for k in range(n):
        x = R[k:, k]
        e = np.zeros_like(x)
        e[0] = np.copysign(np.sqrt(np.sum(x**2)), x[0])
        v = x + e
        v = v / np.sqrt(np.sum(v**2))
        R[k:] -= 2 * np.outer(v, v @ R[k:])
        Q[:, k:] -= 2 * np.outer(Q[:, k:] @ v, v)
    return Q, R


def jacobi_solver(A, b, tol, max_iter):
    x = np.zeros(len(b))
    D = np.diag(A)
    R = A - np.diagflat(D)
    for k in range(max_iter):
        x_new = (b - np.dot(R, x)) / D
        if np.max(np.abs(x_new - x)) < tol:
            return x_new, k
        x = x_new
    return x, max_iter


def gauss_seidel(A, b, iterations):
    n = len(A)
    x = [0.0] * n
    for _ in range(iterations):
        for i in range(n):
            s = b[i]
            for j in range(n):
                if j != i:
                    s -= A[i][j] * x[j]
            x[i] = s / A[i][i]
    return x


def sor(A, b, omega, tol):
    n = b.shape[0]
    phi = np.zeros(n)
    residual = np.sum((A @ phi - b) ** 2) ** 0.5
    count = 0
    while residual > tol:
        for i in range(n):
            sigma = 0.0
            for j in range(n):
                if j != i:
                    sigma += A[i, j] * phi[j]
            phi[i] = (1 - omega) * phi[i] + (omega / A[i, i]) * (b[i] - sigma)
        residual = np.sum((A @ phi - b) ** 2) ** 0.5
        count += 1
        if count >= 200:
            break
    return phi, count


def conjugate_gradient(A, b, x=None, tol=1e-10):
    if x is None:
        x = np.zeros_like(b)
    r = b - A.dot(x)
    p = r.copy()
    rs = r.dot(r)
    for i in range(len(b)):
        Ap = A.dot(p)
        alpha = rs / p.dot(Ap)
        x = x + alpha * p
        r = r - alpha * Ap
        rs_new = r.dot(r)
        if np.sqrt(rs_new) < tol:
            break
        p = r + (rs_new / rs) * p
        rs = rs_new
    return x, i


def power_iteration(A, n_iter):
    b = np.ones(A.shape[0])
    history = []
    for _ in range(n_iter):
        b = A @ b
        b = b / np.linalg.norm(b)
        history.append(b @ A @ b)
    return history[-1], b, np.array(history)


def jacobi_eigenvalues(A, sweeps):
    A = A.copy()
    n = A.shape[0]
    V = np.eye(n)
    for _ in range(sweeps):
        for p in range(n - 1):
            for q in range(p + 1, n):
                if abs(A[p, q]) < 1e-14:
                    continue
                theta = (A[q, q] - A[p, p]) / (2 * A[p, q])
                t = np.sign(theta) / (abs(theta) + np.sqrt(theta**2 + 1)) if theta != 0 else 1.0
                c = 1 / np.sqrt(t**2 + 1)
                s = t * c
                for k in range(n):
                    akp, akq = A[k, p], A[k, q]
                    A[k, p] = c * akp - s * akq
                    A[k, q] = s * akp + c * akq
                for k in range(n):
                    apk, aqk = A[p, k], A[q, k]
                    A[p, k] = c * apk - s * aqk
                    A[q, k] = s * apk + c * aqk
                    vkp, vkq = V[k, p], V[k, q]
                    V[k, p] = c * vkp - s * vkq
                    V[k, q] = s * vkp + c * vkq
    return np.sort(np.diag(A)), V


def thomas(a, b, c, d):
    n = len(d)
    cp = np.zeros(n)
    dp = np.zeros(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x = np.zeros(n)
    x[-1] = dp[-1]
    for i in range(n - 2, -1, -1):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


def to_csr(dense):
    data = []
    indices = []
    indptr = [0]
    for row in dense:
        for j, v in enumerate(row):
            if v != 0:
                data.append(v)
                indices.append(j)
        indptr.append(len(data))
    return np.array(data), np.array(indices), np.array(indptr)


def csr_times_vector(data, indices, indptr, x, repeats):
    y = np.zeros(len(indptr) - 1)
    for _ in range(repeats):
        for i in range(len(y)):
            acc = 0.0
            for k in range(indptr[i], indptr[i + 1]):
                acc += data[k] * x[indices[k]]
            y[i] = acc
        x = y / np.abs(y).max()
    return x


class Matrix:
    def __init__(self, rows):
        self.rows = rows

    def __matmul__(self, other):
        cols = list(zip(*other.rows))
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in cols] for r in self.rows])

    def trace(self):
        return sum(self.rows[i][i] for i in range(len(self.rows)))


def matrix_power_trace(rows, power):
    result = Matrix([[1.0 if i == j else 0.0 for j in range(len(rows))] for i in range(len(rows))])
    base = Matrix(rows)
    while power:
        if power & 1:
            result = result @ base
        base = base @ base
        power >>= 1
    return result.trace()


def determinant(m):
    """By expansion along the first row."""
    if len(m) == 1:
        return m[0][0]
    total = 0
    for j in range(len(m)):
        minor = [row[:j] + row[j + 1 :] for row in m[1:]]
        total += (-1) ** j * m[0][j] * determinant(minor)
    return total


def inverse_gauss_jordan(a):
    n = a.shape[0]
    aug = np.hstack([a.astype(float), np.eye(n)])
    for col in range(n):
        pivot = np.argmax(abs(aug[col:, col])) + col
        aug[[col, pivot], :] = aug[[pivot, col], :]
        aug[col] /= aug[col, col]
        for row in range(n):
            if row != col:
                aug[row] -= aug[row, col] * aug[col]
    return aug[:, n:]


def gershgorin(A):
    centers = np.diag(A)
    radii = np.abs(A).sum(axis=1) - np.abs(centers)
    disks = []
    for c, r in zip(centers, radii):
        overlapping = np.abs(centers - c) <= radii + r
        disks.append((float(c), float(r), int(np.count_nonzero(overlapping))))
    return disks


def _spd(n, seed=1):
    a = random(seed).normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


def _sparse(n, seed=2):
    rng = random(seed)
    return np.where(rng.random((n, n)) < 0.05, rng.normal(size=(n, n)), 0.0) + np.eye(n)


CASES = [
    Case(
        matmul_lists,
        lambda: (random(1).random((40, 40)).tolist(), random(2).random((40, 40)).tolist()),
        lambda: ([[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0], [0.0, 1.0]]),
    ),
    Case(
        matmul_loops,
        lambda: (random(1).random((40, 50)), random(2).random((50, 30))),
        lambda: (np.eye(2), np.ones((2, 3))),
    ),
    Case(
        gauss_elimination,
        lambda: (random(3).normal(size=(70, 70)), random(4).normal(size=70)),
        lambda: (np.array([[0, 2], [1, 3]]), np.array([4, 5])),
    ),
    Case(lu_doolittle, lambda: (_spd(40),), lambda: (np.array([[4.0, 3.0], [6.0, 3.0]]),)),
    Case(cholesky, lambda: (_spd(45),), lambda: (np.array([[1.0, 2.0], [2.0, 1.0]]),)),
    Case(
        gram_schmidt,
        lambda: (random(5).normal(size=(200, 50)),),
        lambda: (np.eye(3) + 1.0,),
        ulp=1 << 12,
        atol=1e-12,
    ),
    Case(
        householder_qr,
        lambda: (random(6).normal(size=(80, 60)),),
        lambda: (np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]]),),
        ulp=1 << 12,
        atol=1e-11,
    ),
    Case(
        jacobi_solver,
        lambda: (_spd(100), random(7).normal(size=100), 1e-8, 1000),
        lambda: (np.array([[4.0, 1.0], [1.0, 3.0]]), np.ones(2), 1e-3, 10),
        ulp=256,  # it grows to 1e123 in a thousand products
        atol=1e-12,
    ),
    Case(
        gauss_seidel,
        lambda: (_spd(40).tolist(), random(8).normal(size=40).tolist(), 20),
        lambda: ([[4.0, 1.0], [1.0, 3.0]], [1.0, 2.0], 3),
    ),
    Case(
        sor,
        lambda: (_spd(40), random(9).normal(size=40), 1.1, 1e-8),
        lambda: (np.array([[4.0, 1.0], [1.0, 3.0]]), np.ones(2), 1.1, 1e-3),
    ),
    Case(
        conjugate_gradient,
        lambda: (_spd(500), random(10).normal(size=500)),
        lambda: (np.array([[4.0, 1.0], [1.0, 3.0]]), np.ones(2)),
        ulp=64,
        atol=1e-10,
    ),
    Case(
        power_iteration,
        lambda: (_spd(60), 400),
        lambda: (np.array([[2.0, 1.0], [1.0, 3.0]]), 2),
        ulp=64,
        atol=1e-11,
    ),
    Case(
        jacobi_eigenvalues,
        lambda: (_spd(14), 4),
        lambda: (np.array([[2.0, 1.0], [1.0, 3.0]]), 1),
        ulp=1 << 12,
        atol=1e-11,
    ),
    Case(
        thomas,
        lambda: (np.full(5000, -1.0), np.full(5000, 2.5), np.full(5000, -1.0), random(11).random(5000)),
        lambda: (np.array([0.0, 1.0]), np.array([2.0, 2.0]), np.array([1.0, 0.0]), np.array([1.0, 2.0])),
    ),
    Case(to_csr, lambda: (_sparse(150),), lambda: (np.array([[0.0, 1.0], [2.0, 0.0]]),)),
    Case(
        csr_times_vector,
        lambda: (*to_csr(_sparse(150)), np.ones(150), 20),
        lambda: (*to_csr(np.eye(2)), np.ones(2), 2),
    ),
    Case(matrix_power_trace, lambda: ((_spd(12) / 30).tolist(), 21), lambda: ([[1.0, 1.0], [1.0, 0.0]], 3)),
    Case(
        determinant,
        lambda: ([[(i * j) % 7 + (i == j) for j in range(7)] for i in range(7)],),
        lambda: ([[1, 2], [3, 4]],),
    ),
    Case(inverse_gauss_jordan, lambda: (_spd(50),), lambda: (np.array([[1, 2], [3, 4]]),)),
    Case(
        gershgorin,
        lambda: (random(12).normal(size=(500, 500)),),
        lambda: (np.array([[2.0, 1.0], [0.0, 3.0]]),),
    ),
]
