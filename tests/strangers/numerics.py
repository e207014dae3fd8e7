"""Quadrature, differential equations, roots, interpolation, minimisation: the numerical methods course."""

import numpy as np

from .case import Case, random


def trapezoid_rule(n, a, b):
    def f(x):
        return x**3 * np.exp(-x)

    h = (b - a) / n
    s = 0.5 * (f(a) + f(b))
    for i in range(1, n):
        s += f(a + i * h)
    return s * h


def simpson(y, h):
    n = len(y) - 1
    if n % 2 == 1:
        raise ValueError("an even number of intervals is needed")
    total = y[0] + y[-1]
    for i in range(1, n):
        if i % 2 == 0:
            total += 2 * y[i]
        else:
            total += 4 * y[i]
    return total * h / 3


def adaptive_simpson(f, a, b, tol):
    c = (a + b) / 2
    whole = (b - a) / 6 * (f(a) + 4 * f(c) + f(b))
    left = (c - a) / 6 * (f(a) + 4 * f((a + c) / 2) + f(c))
    right = (b - c) / 6 * (f(c) + 4 * f((c + b) / 2) + f(b))
    if abs(left + right - whole) < 15 * tol:
        return left + right + (left + right - whole) / 15
    return adaptive_simpson(f, a, c, tol / 2) + adaptive_simpson(f, c, b, tol / 2)


def integrate_peaks(centers, tol):
    results = []
    for c in centers:
        results.append(adaptive_simpson(lambda x: 1.0 / (1.0 + 25.0 * (x - c) ** 2), -1.0, 1.0, tol))
    return results


def romberg(n_max, a, b):
    R = np.zeros((n_max, n_max))
    f = lambda x: np.sin(x) / (1 + x**2)
    h = b - a
    R[0, 0] = 0.5 * h * (f(a) + f(b))
    for k in range(1, n_max):
        h /= 2
        xs = a + h * np.arange(1, 2**k, 2)
        R[k, 0] = 0.5 * R[k - 1, 0] + h * np.sum(f(xs))
        for j in range(1, k + 1):
            R[k, j] = R[k, j - 1] + (R[k, j - 1] - R[k - 1, j - 1]) / (4**j - 1)
    return R


def gauss_legendre_2d(nodes, weights):
    s = 0.0
    for i, x in enumerate(nodes):
        for j, y in enumerate(nodes):
            s += weights[i] * weights[j] * (x**2 * y + np.cos(x * y))
    return s


def euler_method(f0, k, t_end, dt):
    t = 0.0
    y = f0
    ts, ys = [t], [y]
    while t < t_end:
        y = y + dt * (-k * y + t)
        t = t + dt
        ts.append(t)
        ys.append(y)
    return np.array(ts), np.array(ys)


def van_der_pol(mu, y0, dt, n):
    y = np.zeros((n, 2))
    y[0] = y0

    def rhs(u):
        return np.array([u[1], mu * (1 - u[0] ** 2) * u[1] - u[0]])

    for i in range(1, n):
        k1 = rhs(y[i - 1])
        k2 = rhs(y[i - 1] + dt * k1 / 2)
        k3 = rhs(y[i - 1] + dt * k2 / 2)
        k4 = rhs(y[i - 1] + dt * k3)
        y[i] = y[i - 1] + dt * (k1 + 2 * k2 + 2 * k3 + k4) / 6
    return y


def rkf_adaptive(y, t, t_end, h, tol):
    """Runge-Kutta-Fehlberg with step control for y' = y cos(t)."""

    def f(t, y):
        return y * np.cos(t)

    steps = 0
    rejected = 0
    while t < t_end:
        if t + h > t_end:
            h = t_end - t
        k1 = h * f(t, y)
        k2 = h * f(t + h / 4, y + k1 / 4)
        k3 = h * f(t + 3 * h / 8, y + 3 * k1 / 32 + 9 * k2 / 32)
        k4 = h * f(t + 12 * h / 13, y + 1932 * k1 / 2197 - 7200 * k2 / 2197 + 7296 * k3 / 2197)
        k5 = h * f(t + h, y + 439 * k1 / 216 - 8 * k2 + 3680 * k3 / 513 - 845 * k4 / 4104)
        k6 = h * f(t + h / 2, y - 8 * k1 / 27 + 2 * k2 - 3544 * k3 / 2565 + 1859 * k4 / 4104 - 11 * k5 / 40)
        y4 = y + 25 * k1 / 216 + 1408 * k3 / 2565 + 2197 * k4 / 4104 - k5 / 5
        y5 = y + 16 * k1 / 135 + 6656 * k3 / 12825 + 28561 * k4 / 56430 - 9 * k5 / 50 + 2 * k6 / 55
        err = abs(y5 - y4)
        if err <= tol:
            t += h
            y = y5
            steps += 1
        else:
            rejected += 1
        h *= min(2.0, max(0.3, 0.84 * (tol / (err + 1e-16)) ** 0.25))
    return y, steps, rejected


def bisect_many(coeffs, lo, hi, tol):
    roots = np.empty(len(coeffs))
    for i, c in enumerate(coeffs):
        a, b = lo, hi
        fa = a**3 - c
        while b - a > tol:
            m = (a + b) / 2
            fm = m**3 - c
            if fa * fm <= 0:
                b = m
            else:
                a, fa = m, fm
        roots[i] = (a + b) / 2
    return roots


def newton_sqrt(values, tol=1e-12, max_iter=50):
    out = np.zeros(len(values))
    iterations = 0
    for i in range(len(values)):
        x = values[i] if values[i] > 1 else 1.0
        for it in range(max_iter):
            step = (x * x - values[i]) / (2 * x)
            x -= step
            iterations += 1
            if abs(step) < tol:
                break
        else:
            raise RuntimeError("no convergence")
        out[i] = x
    return out, iterations


def secant(f, x0, x1, tol):
    for i in range(100):
        f0, f1 = f(x0), f(x1)
        if f1 == f0:
            return x1, i
        x2 = x1 - f1 * (x1 - x0) / (f1 - f0)
        if abs(x2 - x1) < tol:
            return x2, i
        x0, x1 = x1, x2
    raise RuntimeError("secant did not converge")


def kepler(mean_anomalies, e):
    E = np.zeros_like(mean_anomalies)
    for k in range(mean_anomalies.size):
        M = mean_anomalies[k]
        E[k], _ = secant(lambda x: x - e * np.sin(x) - M, M, M + e, 1e-10)
    return E


def newton_fractal(n, iterations):
    x = np.linspace(-1.5, 1.5, n)
    z = x[None, :] + 1j * x[:, None]
    for _ in range(iterations):
        z = z - (z**3 - 1) / (3 * z**2)
    roots = np.array([1, -0.5 + 0.8660254037844386j, -0.5 - 0.8660254037844386j])
    return np.argmin(np.abs(z[:, :, None] - roots), axis=2)


def lagrange(xs, ys, points):
    out = []
    for p in points:
        total = 0
        for i in range(len(xs)):
            term = ys[i]
            for j in range(len(xs)):
                if i != j:
                    term *= (p - xs[j]) / (xs[i] - xs[j])
            total += term
        out.append(total)
    return out


def divided_differences(x, y):
    n = len(x)
    coef = np.copy(y).astype(float)
    for j in range(1, n):
        for i in range(n - 1, j - 1, -1):
            coef[i] = (coef[i] - coef[i - 1]) / (x[i] - x[i - j])
    return coef


def cubic_spline(x, y, xq):
    n = len(x) - 1
    h = np.diff(x)
    alpha = np.zeros(n + 1)
    for i in range(1, n):
        alpha[i] = 3 / h[i] * (y[i + 1] - y[i]) - 3 / h[i - 1] * (y[i] - y[i - 1])
    l = np.ones(n + 1)
    mu = np.zeros(n + 1)
    z = np.zeros(n + 1)
    for i in range(1, n):
        l[i] = 2 * (x[i + 1] - x[i - 1]) - h[i - 1] * mu[i - 1]
        mu[i] = h[i] / l[i]
        z[i] = (alpha[i] - h[i - 1] * z[i - 1]) / l[i]
    b, c, d = np.zeros(n), np.zeros(n + 1), np.zeros(n)
    for j in reversed(range(n)):
        c[j] = z[j] - mu[j] * c[j + 1]
        b[j] = (y[j + 1] - y[j]) / h[j] - h[j] * (c[j + 1] + 2 * c[j]) / 3
        d[j] = (c[j + 1] - c[j]) / (3 * h[j])
    idx = np.clip(np.searchsorted(x, xq) - 1, 0, n - 1)
    t = xq - x[idx]
    return y[idx] + b[idx] * t + c[idx] * t**2 + d[idx] * t**3


def bilinear(image, rows, cols):
    r0 = np.floor(rows).astype(int)
    c0 = np.floor(cols).astype(int)
    r1 = np.minimum(r0 + 1, image.shape[0] - 1)
    c1 = np.minimum(c0 + 1, image.shape[1] - 1)
    fr = rows - r0
    fc = cols - c0
    top = image[r0, c0] * (1 - fc) + image[r0, c1] * fc
    bottom = image[r1, c0] * (1 - fc) + image[r1, c1] * fc
    return top * (1 - fr) + bottom * fr


def chebyshev_eval(coefs, xs):
    """Clenshaw's recurrence."""
    result = np.zeros_like(xs)
    for i in range(xs.size):
        b1 = b2 = 0.0
        for c in coefs[:0:-1]:
            b1, b2 = 2 * xs[i] * b1 - b2 + c, b1
        result[i] = xs[i] * b1 - b2 + coefs[0]
    return result


def horner(coefficients, x):
    p = 0.0
    for c in coefficients:
        p = p * x + c
    return p


def polynomial_table(coefficients, xs):
    return [horner(coefficients, x) for x in xs]


def gradient_descent(A, b, lr, tol):
    x = np.zeros(A.shape[1])
    losses = []
    while True:
        r = A @ x - b
        losses.append(0.5 * float(r @ r))
        g = A.T @ r
        x = x - lr * g
        if np.linalg.norm(g) < tol or len(losses) > 500:
            break
    return x, losses


def golden_section(a, b, tol):
    invphi = (5**0.5 - 1) / 2

    def f(x):
        return (x - 2) ** 2 + 0.3 * x

    c = b - (b - a) * invphi
    d = a + (b - a) * invphi
    count = 0
    while abs(b - a) > tol:
        if f(c) < f(d):
            b = d
        else:
            a = c
        c = b - (b - a) * invphi
        d = a + (b - a) * invphi
        count += 1
    return (b + a) / 2, count


def minima(lows, b, tol):
    return [golden_section(a, b, tol) for a in lows]


def nelder_mead(simplex, n_iter):
    """Rosenbrock's valley with the downhill simplex."""

    def f(p):
        return (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2

    simplex = [np.array(p) for p in simplex]
    for _ in range(n_iter):
        simplex.sort(key=f)
        centroid = (simplex[0] + simplex[1]) / 2
        worst = simplex[2]
        reflected = centroid + (centroid - worst)
        if f(reflected) < f(simplex[0]):
            expanded = centroid + 2 * (centroid - worst)
            simplex[2] = expanded if f(expanded) < f(reflected) else reflected
        elif f(reflected) < f(simplex[1]):
            simplex[2] = reflected
        else:
            contracted = centroid + 0.5 * (worst - centroid)
            if f(contracted) < f(worst):
                simplex[2] = contracted
            else:
                simplex = [simplex[0]] + [simplex[0] + 0.5 * (p - simplex[0]) for p in simplex[1:]]
    return simplex[0], f(simplex[0])


def shooting_method(n, target):
    """y'' = -y with y(0) = 0, y(2) = target: bisection on the slope."""
    h = 2.0 / n

    def end(slope):
        y, v = 0.0, slope
        for _ in range(n):
            y, v = y + h * v, v - h * y
        return y

    lo, hi = -10.0, 10.0
    for _ in range(40):
        mid = 0.5 * (lo + hi)
        if end(mid) < target:
            lo = mid
        else:
            hi = mid
    return 0.5 * (lo + hi)


def logistic_map(r_values, n, keep):
    out = np.zeros((len(r_values), keep))
    for i, r in enumerate(r_values):
        x = 0.5
        for k in range(n):
            x = r * x * (1 - x)
            if k >= n - keep:
                out[i, k - (n - keep)] = x
    return out


def newton_system(x, tol, itmax):
    for it in range(itmax):
        F = np.array([x[0] ** 2 + x[1] ** 2 - 4, np.exp(x[0]) + x[1] - 1])
        J = np.array([[2 * x[0], 2 * x[1]], [np.exp(x[0]), 1.0]])
        dx = np.linalg.solve(J, -F)
        x = x + dx
        if np.max(np.abs(dx)) < tol:
            return x, it
    return None


def solve_many_systems(starts, tol):
    found = []
    for s in starts:
        r = newton_system(s, tol, 50)
        if r is None:
            continue
        found.append(r[0])
    return np.array(found)


CASES = [
    Case(trapezoid_rule, lambda: (2000, 0.0, 3.0), lambda: (4, 0.0, 1.0), ulp=64),
    Case(
        simpson,
        lambda: (np.sin(np.linspace(0, 3, 40001)), 3 / 40000),
        lambda: (np.array([0.0, 1.0, 4.0]), 1.0),
    ),
    Case(integrate_peaks, lambda: (np.linspace(-0.5, 0.5, 30), 1e-8), lambda: ([0.0, 0.1], 1e-3), ulp=4),
    Case(romberg, lambda: (18, 0.0, 5.0), lambda: (3, 0.0, 1.0), ulp=1 << 16, atol=1e-12),
    Case(
        gauss_legendre_2d,
        lambda: np.polynomial.legendre.leggauss(70),
        lambda: np.polynomial.legendre.leggauss(2),
        ulp=64,
    ),
    Case(euler_method, lambda: (1.0, 0.3, 50.0, 0.002), lambda: (1.0, 0.3, 1.0, 0.3)),
    Case(van_der_pol, lambda: (1.5, [1.0, 0.0], 0.01, 700), lambda: (1.5, [1.0, 0.0], 0.01, 3)),
    Case(
        rkf_adaptive,
        lambda: (1.0, 0.0, 50.0, 0.1, 1e-9),
        lambda: (1.0, 0.0, 1.0, 0.1, 1e-3),
        ulp=1 << 20,
        atol=1e-9,
    ),
    Case(
        bisect_many,
        lambda: (random(1).random(400) * 8, 0.0, 2.0, 1e-10),
        lambda: (np.array([1.0, 2.0]), 0.0, 2.0, 0.1),
    ),
    Case(newton_sqrt, lambda: (random(2).random(4000) * 100,), lambda: (np.array([2.0, 9.0]),)),
    Case(kepler, lambda: (np.linspace(0.1, 6, 800), 0.3), lambda: (np.array([0.1, 1.0]), 0.1), ulp=1 << 12),
    Case(newton_fractal, lambda: (120, 12), lambda: (4, 2)),
    Case(
        lagrange,
        lambda: (
            list(np.linspace(-1, 1, 12)),
            list(np.linspace(0, 1, 12) ** 2),
            list(np.linspace(-1, 1, 60)),
        ),
        lambda: ([0.0, 1.0, 2.0], [0.0, 1.0, 4.0], [0.5]),
    ),
    Case(
        divided_differences,
        lambda: (np.sort(random(3).random(120)), random(4).random(120)),
        lambda: (np.array([0.0, 1.0, 3.0]), np.array([1, 2, 5])),
    ),
    Case(
        cubic_spline,
        lambda: (np.linspace(0, 10, 600), np.sin(np.linspace(0, 10, 600)), np.linspace(0.01, 9.9, 3000)),
        lambda: (np.arange(4.0), np.arange(4.0) ** 2, np.array([0.5, 2.5])),
    ),
    Case(
        bilinear,
        lambda: (random(5).random((200, 200)), random(6).random(60000) * 199, random(7).random(60000) * 199),
        lambda: (np.eye(3), np.array([0.5, 1.5]), np.array([0.25, 1.0])),
    ),
    Case(
        chebyshev_eval,
        lambda: (random(8).normal(size=30), np.linspace(-1, 1, 1000)),
        lambda: (np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.5])),
    ),
    Case(
        polynomial_table,
        lambda: ([1.0, -2.0, 0.5, 3.0, -1.0], list(np.linspace(-2, 2, 8000))),
        lambda: ([1.0, 2.0], [0.0, 3.0]),
    ),
    Case(
        gradient_descent,
        lambda: (random(9).normal(size=(300, 30)) / 10, random(10).normal(size=300), 0.2, 1e-9),
        lambda: (np.eye(2), np.ones(2), 0.5, 1e-2),
        ulp=64,
        atol=1e-12,
    ),
    Case(minima, lambda: (np.linspace(-1e6, 0, 30), 1e6, 1e-9), lambda: ([0.0], 4.0, 0.1)),
    Case(
        nelder_mead,
        lambda: ([[0.0, 0.0], [1.2, 0.0], [0.0, 0.8]], 300),
        lambda: ([[0.0, 0.0], [1.2, 0.0], [0.0, 0.8]], 3),
    ),
    Case(shooting_method, lambda: (1000, 1.0), lambda: (5, 1.0)),
    Case(logistic_map, lambda: (np.linspace(2.5, 4.0, 150), 300, 50), lambda: (np.array([3.2]), 5, 2)),
    Case(
        solve_many_systems,
        lambda: ([np.array([1.0 + 0.01 * k, -1.7]) for k in range(60)], 1e-10),
        lambda: ([np.array([1.0, -1.7])], 1e-6),
        ulp=64,
        atol=1e-12,
    ),
]
