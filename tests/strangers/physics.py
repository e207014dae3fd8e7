"""Mechanics, heat, waves, particles and light, as people write them who know the physics."""

import math

import numpy as np

from .case import Case, random


def projectile_with_drag(v0, angle, dt):
    g = 9.81
    k = 0.01
    x = 0.0
    y = 0.0
    vx = v0 * math.cos(angle)
    vy = v0 * math.sin(angle)
    xs = [x]
    ys = [y]
    while True:
        v = math.sqrt(vx * vx + vy * vy)
        vx = vx - k * v * vx * dt
        vy = vy - (g + k * v * vy) * dt
        x = x + vx * dt
        y = y + vy * dt
        if y < 0:
            break
        xs.append(x)
        ys.append(y)
    return xs, ys


def heat_rod(T, alpha, dx, dt, steps):
    n = len(T)
    for step in range(steps):
        Tnew = np.zeros(n)
        Tnew[0] = T[0]
        Tnew[n - 1] = T[n - 1]
        for i in range(1, n - 1):
            Tnew[i] = T[i] + alpha * dt / dx**2 * (T[i + 1] - 2 * T[i] + T[i - 1])
        T = Tnew
    return T


def heat_plate(T, alpha, steps):
    T = T.copy()
    for _ in range(steps):
        lap = T[:-2, 1:-1] + T[2:, 1:-1] + T[1:-1, :-2] + T[1:-1, 2:] - 4 * T[1:-1, 1:-1]
        T[1:-1, 1:-1] += alpha * lap
        T[0, :] = T[1, :]
        T[-1, :] = T[-2, :]
    return T


def vibrating_string(n, c, dx, dt, nt):
    x = np.linspace(0, 1, n)
    u_prev = np.sin(np.pi * x)
    u = u_prev.copy()
    C2 = (c * dt / dx) ** 2
    energy = np.zeros(nt)
    for k in range(nt):
        u_next = np.zeros_like(u)
        u_next[1:-1] = 2 * u[1:-1] - u_prev[1:-1] + C2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u_prev, u = u, u_next
        energy[k] = np.sum((u - u_prev) ** 2) / dt**2
    return u, energy


def gravity(pos, mass, G=1.0, eps=0.01):
    n = pos.shape[0]
    acc = np.zeros_like(pos)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            d = pos[j] - pos[i]
            r2 = np.dot(d, d) + eps**2
            acc[i] += G * mass[j] * d / r2**1.5
    return acc


def leapfrog_orbits(pos, vel, mass, dt, nsteps):
    def accelerations(p):
        diff = p[np.newaxis, :, :] - p[:, np.newaxis, :]
        dist2 = (diff**2).sum(axis=-1) + 1e-4
        inv = dist2 ** (-1.5)
        np.fill_diagonal(inv, 0.0)
        return (diff * (inv * mass[np.newaxis, :])[:, :, None]).sum(axis=1)

    a = accelerations(pos)
    history = np.empty((nsteps,) + pos.shape)
    for s in range(nsteps):
        vel = vel + 0.5 * dt * a
        pos = pos + dt * vel
        a = accelerations(pos)
        vel = vel + 0.5 * dt * a
        history[s] = pos
    return history, vel


def ising(spins, beta, sweeps, rng):
    L = spins.shape[0]
    magnetisation = []
    for sweep in range(sweeps):
        for _ in range(L * L):
            i = rng.integers(0, L)
            j = rng.integers(0, L)
            nb = spins[(i + 1) % L, j] + spins[i - 1, j] + spins[i, (j + 1) % L] + spins[i, j - 1]
            dE = 2 * spins[i, j] * nb
            if dE <= 0 or rng.random() < math.exp(-beta * dE):
                spins[i, j] = -spins[i, j]
        magnetisation.append(spins.mean())
    return magnetisation


def random_walks(walkers, steps, rng):
    positions = np.zeros((walkers, 2), dtype=int)
    msd = np.zeros(steps)
    for t in range(steps):
        direction = rng.integers(0, 4, size=walkers)
        positions[direction == 0, 0] += 1
        positions[direction == 1, 0] -= 1
        positions[direction == 2, 1] += 1
        positions[direction == 3, 1] -= 1
        msd[t] = (positions**2).sum(axis=1).mean()
    return msd


def lorenz_attractor(start, dt, n, sigma=10.0, rho=28.0, beta=8.0 / 3.0):
    def f(s):
        x, y, z = s
        return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])

    traj = np.zeros((n + 1, 3))
    traj[0] = start
    for i in range(n):
        s = traj[i]
        k1 = f(s)
        k2 = f(s + 0.5 * dt * k1)
        k3 = f(s + 0.5 * dt * k2)
        k4 = f(s + dt * k3)
        traj[i + 1] = s + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return traj


def derivs(state, m1, m2, l1, l2, g):
    th1, w1, th2, w2 = state
    delta = th2 - th1
    den1 = (m1 + m2) * l1 - m2 * l1 * math.cos(delta) ** 2
    dw1 = (
        m2 * l1 * w1**2 * math.sin(delta) * math.cos(delta)
        + m2 * g * math.sin(th2) * math.cos(delta)
        + m2 * l2 * w2**2 * math.sin(delta)
        - (m1 + m2) * g * math.sin(th1)
    ) / den1
    den2 = (l2 / l1) * den1
    dw2 = (
        -m2 * l2 * w2**2 * math.sin(delta) * math.cos(delta)
        + (m1 + m2) * g * math.sin(th1) * math.cos(delta)
        - (m1 + m2) * l1 * w1**2 * math.sin(delta)
        - (m1 + m2) * g * math.sin(th2)
    ) / den2
    return [w1, dw1, w2, dw2]


def double_pendulum(th1, th2, dt, n):
    state = [th1, 0.0, th2, 0.0]
    xs = []
    for _ in range(n):
        d = derivs(state, 1.0, 1.0, 1.0, 1.0, 9.81)
        mid = [s + 0.5 * dt * v for s, v in zip(state, d)]
        d = derivs(mid, 1.0, 1.0, 1.0, 1.0, 9.81)
        state = [s + dt * v for s, v in zip(state, d)]
        xs.append((math.sin(state[0]), -math.cos(state[0])))
    return xs


def wave_packet(nx, nt):
    x = np.linspace(-10, 10, nx)
    dx = x[1] - x[0]
    dt = 0.2 * dx**2
    psi = np.exp(-((x + 3) ** 2)) * np.exp(1j * 5 * x)
    psi /= np.sqrt(np.sum(np.abs(psi) ** 2) * dx)
    V = np.where(np.abs(x) < 1, 20.0, 0.0)
    for _ in range(nt):
        lap = np.zeros_like(psi)
        lap[1:-1] = (psi[2:] - 2 * psi[1:-1] + psi[:-2]) / dx**2
        half = psi + 0.5j * dt * (0.5 * lap - V * psi)
        lap[1:-1] = (half[2:] - 2 * half[1:-1] + half[:-2]) / dx**2
        psi = psi + 1j * dt * (0.5 * lap - V * half)
    return np.abs(psi) ** 2


def lennard_jones(positions, box, cutoff):
    energy = 0.0
    n = len(positions)
    forces = np.zeros((n, 3))
    for i in range(n - 1):
        for j in range(i + 1, n):
            rij = positions[i] - positions[j]
            rij = rij - box * np.round(rij / box)
            r2 = (rij**2).sum()
            if r2 < cutoff**2:
                inv6 = 1.0 / r2**3
                energy += 4 * (inv6**2 - inv6)
                f = 24 * (2 * inv6**2 - inv6) / r2 * rij
                forces[i] += f
                forces[j] -= f
    return energy, forces


def maxwell_1d(size, steps):
    ez = np.zeros(size)
    hy = np.zeros(size)
    imp0 = 377.0
    record = []
    for q in range(steps):
        for m in range(size - 1):
            hy[m] = hy[m] + (ez[m + 1] - ez[m]) / imp0
        for m in range(1, size):
            ez[m] = ez[m] + (hy[m] - hy[m - 1]) * imp0
        ez[0] = math.exp(-(q - 30.0) * (q - 30.0) / 100.0)
        record.append(ez[size // 2])
    return record


def black_body(wavelengths, temperatures):
    h = 6.62607015e-34
    c = 299792458.0
    kB = 1.380649e-23
    result = {}
    for T in temperatures:
        a = 2 * h * c**2 / wavelengths**5
        b = h * c / (wavelengths * kB * T)
        B = a / (np.exp(b) - 1)
        total = np.trapezoid(B, wavelengths)
        peak = wavelengths[np.argmax(B)]
        result[T] = (total, peak)
    return result


def trace_ray(y, slope, surfaces):
    """Refraction at spherical surfaces, each a dict with position, radius and index behind it."""
    z = 0.0
    n = 1.0
    for s in surfaces:
        y = y + slope * (s["z"] - z)
        z = s["z"]
        R = s["R"]
        if abs(y) > abs(R):
            raise ValueError("the ray misses the surface")
        power = (s["n"] - n) / R
        slope = (n * slope - power * y) / s["n"]
        n = s["n"]
    return y, slope


def spot_diagram(heights, surfaces):
    out = np.zeros(len(heights))
    for k, h in enumerate(heights):
        try:
            y, u = trace_ray(h, 0.0, surfaces)
            out[k] = y + u * 50.0
        except ValueError:
            out[k] = np.nan
    return out


def percolates(grid):
    n, m = grid.shape
    seen = np.zeros((n, m), dtype=bool)
    stack = [(0, j) for j in range(m) if grid[0, j]]
    for i, j in stack:
        seen[i, j] = True
    while stack:
        i, j = stack.pop()
        if i == n - 1:
            return True, int(seen.sum())
        for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            a, b = i + di, j + dj
            if 0 <= a < n and 0 <= b < m and grid[a, b] and not seen[a, b]:
                seen[a, b] = True
                stack.append((a, b))
    return False, int(seen.sum())


class Gas:
    def __init__(self, x, v, box):
        self.x = x
        self.v = v
        self.box = box
        self.hits = 0

    def step(self, dt):
        self.x += self.v * dt
        low = self.x < 0
        high = self.x > self.box
        self.v[low | high] *= -1
        self.x[low] = -self.x[low]
        self.x[high] = 2 * self.box - self.x[high]
        self.hits += int(low.sum() + high.sum())


def pressure(gas, dt, steps):
    history = []
    for _ in range(steps):
        before = gas.hits
        gas.step(dt)
        history.append(gas.hits - before)
    return np.array(history)


def mandelbrot(width, height, max_iter):
    image = np.zeros((height, width), dtype=np.int32)
    for row in range(height):
        for col in range(width):
            c = complex(-2.0 + 3.0 * col / width, -1.0 + 2.0 * row / height)
            z = 0j
            n = 0
            while abs(z) <= 2 and n < max_iter:
                z = z * z + c
                n += 1
            image[row, col] = n
    return image


def _surfaces():
    return [
        {"z": 5.0, "R": 30.0, "n": 1.5},
        {"z": 8.0, "R": -30.0, "n": 1.0},
        {"z": 20.0, "R": 50.0, "n": 1.6},
    ]


def _gas(n):
    rng = random(4)
    return Gas(rng.random((n, 2)), rng.normal(size=(n, 2)), 1.0)


CASES = [
    Case(projectile_with_drag, lambda: (60.0, 0.8, 1e-3), lambda: (10.0, 0.5, 0.1), ulp=64),
    Case(
        heat_rod,
        lambda: (np.linspace(0, 100, 80), 0.1, 0.1, 0.01, 200),
        lambda: (np.arange(5.0), 0.1, 0.1, 0.01, 3),
    ),
    Case(heat_plate, lambda: (random(1).random((120, 120)), 0.1, 100), lambda: (np.eye(4), 0.1, 2)),
    Case(
        vibrating_string,
        lambda: (400, 1.0, 0.0025, 0.001, 500),
        lambda: (6, 1.0, 0.2, 0.1, 3),
        ulp=2000,
        atol=1e-9,
    ),
    Case(
        gravity,
        lambda: (random(2).normal(size=(60, 3)), random(3).random(60)),
        lambda: (np.eye(3), np.ones(3)),
        ulp=64,
        atol=1e-13,
    ),
    Case(
        leapfrog_orbits,
        lambda: (random(2).normal(size=(30, 3)), np.zeros((30, 3)), random(3).random(30), 0.001, 100),
        lambda: (np.eye(3), np.zeros((3, 3)), np.ones(3), 0.01, 2),
        ulp=4000,
        atol=1e-10,
    ),
    Case(
        ising,
        lambda: (np.where(random(5).random((16, 16)) < 0.5, 1, -1), 0.44, 12, random(6)),
        lambda: (np.ones((3, 3), int), 0.4, 2, random(6)),
    ),
    Case(random_walks, lambda: (1000, 200, random(7)), lambda: (5, 3, random(7))),
    Case(
        lorenz_attractor,
        lambda: (np.array([1.0, 1.0, 1.0]), 0.01, 600),
        lambda: (np.array([1.0, 2.0, 3.0]), 0.01, 2),
    ),
    Case(
        double_pendulum, lambda: (1.0, 2.0, 0.001, 2000), lambda: (0.1, 0.2, 0.01, 3), ulp=1 << 20, atol=1e-8
    ),
    Case(wave_packet, lambda: (400, 200), lambda: (8, 2), ulp=4000, atol=1e-10),
    Case(
        lennard_jones,
        lambda: (random(8).random((50, 3)) * 6, 6.0, 2.5),
        lambda: (random(8).random((4, 3)) * 2, 2.0, 1.0),
        ulp=1 << 12,
        atol=1e-12,
    ),
    Case(maxwell_1d, lambda: (200, 200), lambda: (6, 4), ulp=1000, atol=1e-12),
    Case(
        black_body,
        lambda: (np.linspace(1e-7, 3e-6, 2000), [3000.0 + 50 * i for i in range(40)]),
        lambda: (np.linspace(1e-6, 2e-6, 5), [300.0]),
        ulp=64,
        slow=True,
    ),
    Case(
        spot_diagram,
        lambda: (np.linspace(-35, 35, 4000), _surfaces()),
        lambda: (np.array([1.0, 40.0]), _surfaces()),
    ),
    Case(percolates, lambda: (random(9).random((100, 100)) < 0.65,), lambda: (np.eye(3, dtype=bool),)),
    Case(pressure, lambda: (_gas(2000), 0.01, 100), lambda: (_gas(3), 0.5, 3)),
    Case(mandelbrot, lambda: (60, 40, 60), lambda: (4, 3, 5)),
]
