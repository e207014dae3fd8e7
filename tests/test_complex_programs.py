"""Programs with complex numbers: fractals, Fourier transforms, circuits, quantum walks. All are compiled."""

from __future__ import annotations

import numpy as np
import pytest
from compiled import explanation, has_compiled_part, needs_compiler
from same import same

import jitscope as js


def plane(width: int = 40, height: int = 30) -> np.ndarray:
    y, x = np.mgrid[-1.2 : 1.2 : height * 1j, -2 : 0.6 : width * 1j]
    return x + 1j * y


def signal(n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.standard_normal(n) + 1j * rng.standard_normal(n)


def mandelbrot_by_masks(c, n):
    z = np.zeros_like(c)
    count = np.zeros(c.shape, np.int64)
    for _ in range(n):
        inside = z.real**2 + z.imag**2 <= 4.0
        z = np.where(inside, z**2 + c, z)
        count += inside
    return count, z


def mandelbrot_by_points(c, n):
    height, width = c.shape
    count = np.zeros(c.shape, np.int64)
    for i in range(height):
        for j in range(width):
            z = 0j
            for k in range(n):
                z = z * z + c[i, j]
                if abs(z) > 2.0:
                    count[i, j] = k + 1
                    break
    return count


def julia(z, c, n):
    z = z.copy()
    steps = np.full(z.shape, n)
    for k in range(n):
        z = z * z + c
        escaped = (np.abs(z) > 2.0) & (steps == n)
        steps = np.where(escaped, k, steps)
        z = np.where(np.abs(z) > 2.0, 3.0 + 0j, z)
    return steps


def newton_fractal(z, n):
    z = z.copy()
    for _ in range(n):
        z = z - (z**3 - 1.0) / (3.0 * z**2)
    roots = np.empty(z.shape, np.int64)
    roots[...] = np.where(z.real > 0.5, 0, np.where(z.imag > 0, 1, 2))
    return z, roots


def contour_integral(a, n):
    """Of ``exp(z) / (z - a)`` on the unit circle."""
    step = 2.0 * np.pi / n
    total = np.complex128(0.0)
    for k in range(n):
        z = np.exp(1j * step * k)
        total += np.exp(z) / (z - a) * 1j * z
    return total * step / (2j * np.pi)


def fourier_by_loops(x):
    n = len(x)
    y = np.zeros(n, np.complex128)
    for k in range(n):
        total = 0j
        for j in range(n):
            total += x[j] * np.exp(-2j * np.pi * k * j / n)
        y[k] = total
    return y


def fast_fourier(x):
    n = len(x)
    y = x.copy()
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            first, second = y[i], y[j]
            y[i] = second
            y[j] = first
    size = 2
    while size <= n:
        turn = np.exp(-2j * np.pi / size)
        for start in range(0, n, size):
            w = np.complex128(1.0)
            for k in range(size // 2):
                upper = y[start + k]
                lower = y[start + k + size // 2] * w
                y[start + k] = upper + lower
                y[start + k + size // 2] = upper - lower
                w = w * turn
        size *= 2
    return y


def quantum_walk(steps):
    width = 2 * steps + 1
    up = np.zeros(width, np.complex128)
    down = np.zeros(width, np.complex128)
    up[steps] = 1 / np.sqrt(2)
    down[steps] = 1j / np.sqrt(2)
    for _ in range(steps):
        a = (up + down) / np.sqrt(2.0)
        b = (up - down) / np.sqrt(2.0)
        up[1:] = a[:-1]
        down[:-1] = b[1:]
        up[0] = 0
        down[-1] = 0
    return np.abs(up) ** 2 + np.abs(down) ** 2


def impedance_of_a_ladder(omega, r, inductance, capacity, sections):
    z = np.full(omega.shape, 50.0 + 0j)
    for _ in range(sections):
        y = 1.0 / z + 1j * omega * capacity
        z = 1.0 / y + r + 1j * omega * inductance
    gain = np.abs(1.0 / (1.0 + z / 50.0))
    return z, gain, (z - 50.0) / (z + 50.0)


def roots_by_durand_kerner(coefficients, n):
    degree = len(coefficients) - 1
    z = np.empty(degree, np.complex128)
    for k in range(degree):
        z[k] = (0.4 + 0.9j) ** k
    for _ in range(n):
        for i in range(degree):
            value = coefficients[0] + 0j
            for j in range(1, degree + 1):
                value = value * z[i] + coefficients[j]
            below = 1 + 0j
            for j in range(degree):
                if j != i:
                    below = below * (z[i] - z[j])
            z[i] = z[i] - value / below
    return z


def schroedinger(psi, potential, dt, n):
    """Crank and Nicolson's steps, a system with three diagonals each."""
    size = len(psi)
    psi = psi.copy()
    upper, right = np.empty(size, np.complex128), np.empty(size, np.complex128)
    for _ in range(n):
        for i in range(size):
            left = psi[i - 1] if i > 0 else np.complex128(0)
            after = psi[i + 1] if i < size - 1 else np.complex128(0)
            energy = 2.0 * psi[i] - left - after + potential[i] * psi[i]
            right[i] = psi[i] - 0.5j * dt * energy
        below = 1.0 + 0.5j * dt * (2.0 + potential[0])
        upper[0] = -0.5j * dt / below
        right[0] = right[0] / below
        for i in range(1, size):
            below = 1.0 + 0.5j * dt * (2.0 + potential[i]) + 0.5j * dt * upper[i - 1]
            upper[i] = -0.5j * dt / below
            right[i] = (right[i] + 0.5j * dt * right[i - 1]) / below
        psi[size - 1] = right[size - 1]
        for i in range(size - 2, -1, -1):
            psi[i] = right[i] - upper[i] * psi[i + 1]
    return psi, (psi * psi.conj()).real.sum()


def continued_in_python(z, n):
    """Python's numbers alone: a continued fraction and a power series."""
    fraction, series, term = 1 + 0j, 0j, 1 + 0j
    for k in range(n, 0, -1):
        fraction = z + k / fraction
    for k in range(1, n):
        series += term
        term = term * z / k
        if abs(term) < 1e-18:
            break
    return fraction, series * series.conjugate(), (z**2 + 1) ** 0.5


W = np.linspace(10.0, 1e5, 200)
PROGRAMS = [
    (mandelbrot_by_masks, plane(), 30),
    (mandelbrot_by_points, plane(20, 15), 25),
    (julia, plane(), -0.8 + 0.156j, 20),
    (newton_fractal, plane() + 0.01, 12),
    (contour_integral, 0.3 - 0.2j, 400),
    (fourier_by_loops, signal(24)),
    (fast_fourier, signal(64)),
    (quantum_walk, 30),
    (impedance_of_a_ladder, W, 0.1, 1e-4, 4e-8, 6),
    (roots_by_durand_kerner, np.array([1.0, -3.0, 2.5, 7.0, -1.0, 4.0]), 25),
    (
        schroedinger,
        np.exp(-(np.linspace(-4, 4, 60) ** 2) + 2j * np.linspace(-4, 4, 60)),
        W[:60] / 1e4,
        0.01,
        4,
    ),
    (continued_in_python, 0.4 + 0.3j, 30),
]


def single(value):
    """Single precision where an argument is an array of double precision."""
    if not isinstance(value, np.ndarray):
        return value
    return value.astype({"c": np.complex64, "f": np.float32}[value.dtype.kind])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p[0].__name__)
def test_the_answer_is_the_plain_functions(program):
    f, *args = program
    same(f, *args)
    same(f, *map(single, args))


@needs_compiler
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p[0].__name__)
def test_all_of_it_is_compiled(program):
    f, *args = program
    decorated = js.function(f)
    decorated(*args)
    assert has_compiled_part(decorated)
    left = [line for line in explanation(decorated).splitlines() if "runs as" in line]
    assert [line for line in left if "too little work" not in line] == []
