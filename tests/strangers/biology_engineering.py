"""Epidemics, populations, sequences; beams, trusses, heat exchangers, flows, control."""

import numpy as np

from .case import Case, random


def sir_model(S, I, R, beta, gamma, days, dt):
    N = S + I + R
    history = []
    steps = int(days / dt)
    for i in range(steps):
        new_infections = beta * S * I / N * dt
        recoveries = gamma * I * dt
        S -= new_infections
        I += new_infections - recoveries
        R += recoveries
        history.append([S, I, R])
    return history


def lotka_volterra(prey, predators, a, b, c, d, dt, n):
    xs = np.zeros(n)
    ys = np.zeros(n)
    xs[0], ys[0] = prey, predators
    for t in range(n - 1):
        dx = a * xs[t] - b * xs[t] * ys[t]
        dy = c * xs[t] * ys[t] - d * ys[t]
        xs[t + 1] = xs[t] + dx * dt
        ys[t + 1] = ys[t] + dy * dt
    return xs, ys


def gillespie(rates, counts, t_max, rng):
    t = 0.0
    times = [0.0]
    states = [tuple(counts)]
    counts = list(counts)
    while t < t_max:
        birth = rates["birth"] * counts[0]
        death = rates["death"] * counts[0]
        convert = rates["convert"] * counts[0] * counts[1]
        total = birth + death + convert
        if total == 0:
            break
        t += rng.exponential(1 / total)
        u = rng.random() * total
        if u < birth:
            counts[0] += 1
        elif u < birth + death:
            counts[0] -= 1
        else:
            counts[0] -= 1
            counts[1] += 1
        times.append(t)
        states.append(tuple(counts))
    return times, states[-1]


def viterbi(obs, pi, A, B):
    n_states = A.shape[0]
    T = len(obs)
    delta = np.zeros((T, n_states))
    psi = np.zeros((T, n_states), dtype=int)
    delta[0] = np.log(pi) + np.log(B[:, obs[0]])
    for t in range(1, T):
        for s in range(n_states):
            trans = delta[t - 1] + np.log(A[:, s])
            psi[t, s] = np.argmax(trans)
            delta[t, s] = np.max(trans) + np.log(B[s, obs[t]])
    path = np.zeros(T, dtype=int)
    path[-1] = np.argmax(delta[-1])
    for t in range(T - 2, -1, -1):
        path[t] = psi[t + 1, path[t + 1]]
    return path, delta[-1].max()


def forward_algorithm(obs, pi, A, B):
    alpha = pi * B[:, obs[0]]
    loglik = 0.0
    for o in obs[1:]:
        alpha = (alpha @ A) * B[:, o]
        scale = alpha.sum()
        loglik += np.log(scale)
        alpha = alpha / scale
    return loglik, alpha


def gc_content(sequence, window):
    result = []
    for i in range(0, len(sequence) - window + 1):
        part = sequence[i : i + window]
        gc = 0
        for base in part:
            if base == "G" or base == "C":
                gc += 1
        result.append(gc / window)
    return result


def translate(dna, table):
    protein = []
    for i in range(0, len(dna) - 2, 3):
        codon = dna[i : i + 3]
        try:
            aa = table[codon]
        except KeyError:
            aa = "X"
        if aa == "*":
            break
        protein.append(aa)
    return "".join(protein)


def kmer_spectrum(seq, k):
    counts = {}
    for i in range(len(seq) - k + 1):
        kmer = seq[i : i + k]
        counts[kmer] = counts.get(kmer, 0) + 1
    best = max(counts.values())
    return best, sorted(x for x in counts if counts[x] == best)


def wright_fisher(N, p0, generations, replicates, rng):
    freq = np.zeros((replicates, generations))
    for r in range(replicates):
        p = p0
        for g in range(generations):
            p = rng.binomial(2 * N, p) / (2 * N)
            freq[r, g] = p
            if p == 0 or p == 1:
                freq[r, g:] = p
                break
    return freq


def upgma(D):
    D = D.copy()
    np.fill_diagonal(D, np.inf)
    sizes = [1] * len(D)
    active = list(range(len(D)))
    heights = []
    while len(active) > 1:
        best = np.inf
        for x in range(len(active)):
            for y in range(x + 1, len(active)):
                if D[active[x], active[y]] < best:
                    best = D[active[x], active[y]]
                    a, b = active[x], active[y]
        heights.append(best / 2)
        for k in active:
            if k != a and k != b:
                d = (D[a, k] * sizes[a] + D[b, k] * sizes[b]) / (sizes[a] + sizes[b])
                D[a, k] = D[k, a] = d
        sizes[a] += sizes[b]
        active.remove(b)
    return heights


def hodgkin_huxley(I, dt, n):
    V, m, h, nn = -65.0, 0.05, 0.6, 0.32
    trace = np.empty(n)
    for i in range(n):
        am = 0.1 * (V + 40) / (1 - np.exp(-(V + 40) / 10))
        bm = 4 * np.exp(-(V + 65) / 18)
        ah = 0.07 * np.exp(-(V + 65) / 20)
        bh = 1 / (1 + np.exp(-(V + 35) / 10))
        an = 0.01 * (V + 55) / (1 - np.exp(-(V + 55) / 10))
        bn = 0.125 * np.exp(-(V + 65) / 80)
        m += dt * (am * (1 - m) - bm * m)
        h += dt * (ah * (1 - h) - bh * h)
        nn += dt * (an * (1 - nn) - bn * nn)
        ina = 120 * m**3 * h * (V - 50)
        ik = 36 * nn**4 * (V + 77)
        il = 0.3 * (V + 54.4)
        V += dt * (I - ina - ik - il)
        trace[i] = V
    return trace


def gray_scott(u, v, Du, Dv, F, k, steps):
    for _ in range(steps):
        Lu = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u
        Lv = np.roll(v, 1, 0) + np.roll(v, -1, 0) + np.roll(v, 1, 1) + np.roll(v, -1, 1) - 4 * v
        uvv = u * v * v
        u += Du * Lu - uvv + F * (1 - u)
        v += Dv * Lv + uvv - (F + k) * v
    return u, v


def beam_deflection(loads, L, E, I, n):
    """Simply supported beam by superposition of point loads, each (position, force)."""
    x = np.linspace(0, L, n)
    w = np.zeros(n)
    for a, P in loads:
        b = L - a
        for i in range(n):
            if x[i] <= a:
                w[i] += P * b * x[i] * (L**2 - b**2 - x[i] ** 2) / (6 * L * E * I)
            else:
                w[i] += P * a * (L - x[i]) * (2 * L * x[i] - x[i] ** 2 - a**2) / (6 * L * E * I)
    return x[np.argmax(np.abs(w))], w


def truss(nodes, members, supports, forces, EA):
    n = len(nodes)
    K = np.zeros((2 * n, 2 * n))
    for i, j in members:
        dx = nodes[j][0] - nodes[i][0]
        dy = nodes[j][1] - nodes[i][1]
        L = (dx**2 + dy**2) ** 0.5
        c, s = dx / L, dy / L
        k = EA / L * np.array([[c * c, c * s], [c * s, s * s]])
        dofs_i = [2 * i, 2 * i + 1]
        dofs_j = [2 * j, 2 * j + 1]
        K[np.ix_(dofs_i, dofs_i)] += k
        K[np.ix_(dofs_j, dofs_j)] += k
        K[np.ix_(dofs_i, dofs_j)] -= k
        K[np.ix_(dofs_j, dofs_i)] -= k
    F = np.zeros(2 * n)
    for node, (fx, fy) in forces.items():
        F[2 * node] = fx
        F[2 * node + 1] = fy
    free = [d for d in range(2 * n) if d not in supports]
    u = np.zeros(2 * n)
    u[free] = np.linalg.solve(K[np.ix_(free, free)], F[free])
    return u


def heat_exchanger(Th_in, Tc_in, mh, mc, U, n, tol):
    Th = np.full(n, Th_in)
    Tc = np.full(n, Tc_in)
    it = 0
    while True:
        old = Th.copy()
        for i in range(1, n):
            q = U * (Th[i - 1] - Tc[i - 1])
            Th[i] = Th[i - 1] - q / mh
        for i in range(n - 2, -1, -1):
            q = U * (Th[i + 1] - Tc[i + 1])
            Tc[i] = Tc[i + 1] + q / mc
        it += 1
        if np.abs(Th - old).max() < tol or it > 500:
            break
    return Th[-1], Tc[0], it


def lattice_boltzmann(nx, ny, steps, omega):
    cx = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
    cy = np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
    w = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    f = np.ones((ny, nx, 9)) * w
    f[:, :, 1] += 0.05
    yy, xx = np.meshgrid(np.arange(ny), np.arange(nx), indexing="ij")
    cylinder = (xx - nx // 4) ** 2 + (yy - ny // 2) ** 2 < (ny // 6) ** 2
    for _ in range(steps):
        for i in range(9):
            f[:, :, i] = np.roll(f[:, :, i], (cy[i], cx[i]), axis=(0, 1))
        bounced = f[cylinder][:, [0, 3, 4, 1, 2, 7, 8, 5, 6]]
        rho = f.sum(axis=2)
        ux = (f * cx).sum(axis=2) / rho
        uy = (f * cy).sum(axis=2) / rho
        feq = np.zeros_like(f)
        for i in range(9):
            cu = cx[i] * ux + cy[i] * uy
            feq[:, :, i] = rho * w[i] * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * (ux**2 + uy**2))
        f += omega * (feq - f)
        f[cylinder] = bounced
    return rho, ux, uy


class PID:
    def __init__(self, kp, ki, kd):
        self.kp, self.ki, self.kd = kp, ki, kd
        self.integral = 0.0
        self.last = None

    def update(self, error, dt):
        self.integral += error * dt
        derivative = 0.0 if self.last is None else (error - self.last) / dt
        self.last = error
        return self.kp * error + self.ki * self.integral + self.kd * derivative


def control_loop(pid, setpoint, dt, n):
    y = 0.0
    v = 0.0
    out = np.zeros(n)
    for i in range(n):
        u = pid.update(setpoint - y, dt)
        u = max(-10.0, min(10.0, u))
        v += (u - 0.5 * v - y) * dt
        y += v * dt
        out[i] = y
    return out


def kalman_1d(measurements, q, r):
    x, P = 0.0, 1.0
    estimates = []
    for z in measurements:
        P = P + q
        K = P / (P + r)
        x = x + K * (z - x)
        P = (1 - K) * P
        estimates.append(x)
    return np.array(estimates), P


def kalman_2d(zs, dt):
    F = np.array([[1, dt], [0, 1]])
    H = np.array([[1.0, 0.0]])
    Q = np.eye(2) * 0.01
    R = np.array([[0.5]])
    x = np.zeros((2, 1))
    P = np.eye(2)
    track = []
    for z in zs:
        x = F @ x
        P = F @ P @ F.T + Q
        S = H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        x = x + K @ (np.array([[z]]) - H @ x)
        P = (np.eye(2) - K @ H) @ P
        track.append(x[0, 0])
    return track


def traffic(road, vmax, p, steps, rng):
    n = len(road)
    flow = 0
    for _ in range(steps):
        new = -np.ones(n, dtype=int)
        for i in range(n):
            v = road[i]
            if v < 0:
                continue
            v = min(v + 1, vmax)
            gap = 1
            while gap <= v and road[(i + gap) % n] < 0:
                gap += 1
            v = min(v, gap - 1)
            if v > 0 and rng.random() < p:
                v -= 1
            if i + v >= n:
                flow += 1
            new[(i + v) % n] = v
        road = new
    return flow, road


def pipe_network(flows, resistances, loops, tol):
    flows = list(flows)
    for it in range(200):
        worst = 0.0
        for loop in loops:
            num = 0.0
            den = 0.0
            for pipe, sign in loop:
                q = sign * flows[pipe]
                num += resistances[pipe] * q * abs(q)
                den += 2 * resistances[pipe] * abs(q)
            correction = -num / den
            for pipe, sign in loop:
                flows[pipe] += sign * correction
            worst = max(worst, abs(correction))
        if worst < tol:
            return flows, it
    return flows, 200


def rainflow(signal):
    turning = [signal[0]]
    for i in range(1, len(signal) - 1):
        if (signal[i] - signal[i - 1]) * (signal[i + 1] - signal[i]) < 0:
            turning.append(signal[i])
    turning.append(signal[-1])
    stack = []
    ranges = []
    for t in turning:
        stack.append(t)
        while len(stack) >= 3:
            x = abs(stack[-1] - stack[-2])
            y = abs(stack[-2] - stack[-3])
            if x < y:
                break
            ranges.append(y)
            del stack[-3:-1]
    return sorted(ranges, reverse=True)[:10], len(ranges)


def ecosystem(grass, rabbits, steps, rng):
    log = {"rabbits": [], "grass": []}
    for _ in range(steps):
        grass = np.minimum(grass + 0.1, 1.0)
        survivors = []
        for r in rabbits:
            r["x"] = (r["x"] + int(rng.integers(-1, 2))) % grass.shape[1]
            r["y"] = (r["y"] + int(rng.integers(-1, 2))) % grass.shape[0]
            r["energy"] += grass[r["y"], r["x"]] - 0.3
            grass[r["y"], r["x"]] = 0
            if r["energy"] > 2:
                r["energy"] /= 2
                survivors.append(dict(r))
            if r["energy"] > 0:
                survivors.append(r)
        rabbits = survivors
        log["rabbits"].append(len(rabbits))
        log["grass"].append(float(grass.sum()))
    return log


def _hmm(T):
    rng = random(1)
    A = rng.random((4, 4)) + 0.1
    B = rng.random((4, 6)) + 0.1
    return (
        rng.integers(0, 6, T),
        np.full(4, 0.25),
        A / A.sum(axis=1, keepdims=True),
        B / B.sum(axis=1, keepdims=True),
    )


def _dna(n):
    return "".join(random(2).choice(list("ACGT"), n).tolist())


def _codons():
    amino = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
    return dict(zip((a + b + c for a in "TCAG" for b in "TCAG" for c in "TCAG"), amino.replace("*", "Q")))


def _truss(n):
    nodes = [(float(k), 0.0) for k in range(n)] + [(k + 0.5, 1.0) for k in range(n - 1)]
    members = [(k, k + 1) for k in range(n - 1)] + [(k, n + k) for k in range(n - 1)]
    members += [(k + 1, n + k) for k in range(n - 1)] + [(n + k, n + k + 1) for k in range(n - 2)]
    return nodes, members, {0, 1, 2 * n - 1}, {n // 2: (0.0, -1000.0)}, 1e7


def _rabbits(n):
    return [{"x": k % 20, "y": k // 20, "energy": 1.0} for k in range(n)]


def _spots(n):
    v = np.zeros((n, n))
    v[n // 3 : n // 2, n // 3 : n // 2] = 0.25
    return np.ones((n, n)) - 2 * v, v


CASES = [
    Case(
        sir_model,
        lambda: (990.0, 10.0, 0.0, 0.3, 0.1, 160, 0.01),
        lambda: (990.0, 10.0, 0.0, 0.3, 0.1, 1, 0.5),
    ),
    Case(
        lotka_volterra,
        lambda: (40, 9, 0.1, 0.02, 0.01, 0.1, 0.01, 10000),
        lambda: (40, 9, 0.1, 0.02, 0.01, 0.1, 0.1, 3),
    ),
    Case(
        gillespie,
        lambda: ({"birth": 1.0, "death": 0.9, "convert": 0.001}, [50, 1], 30.0, random(3)),
        lambda: ({"birth": 1.0, "death": 0.9, "convert": 0.1}, [2, 1], 0.5, random(3)),
    ),
    Case(viterbi, lambda: _hmm(500), lambda: _hmm(3), ulp=64),
    Case(forward_algorithm, lambda: _hmm(1500), lambda: _hmm(3), ulp=1 << 12),
    Case(gc_content, lambda: (_dna(3000), 50), lambda: ("ACGTG", 3)),
    Case(translate, lambda: (_dna(45000) + "NNN", _codons()), lambda: ("ATGNNN", _codons())),
    Case(kmer_spectrum, lambda: (_dna(20000), 5), lambda: ("ACGACG", 2)),
    Case(wright_fisher, lambda: (50, 0.5, 200, 40, random(4)), lambda: (3, 0.5, 4, 2, random(4))),
    Case(
        upgma,
        lambda: (random(5).random((40, 40)) + random(5).random((40, 40)).T,),
        lambda: (np.array([[0.0, 2.0, 3.0], [2.0, 0.0, 4.0], [3.0, 4.0, 0.0]]),),
    ),
    Case(hodgkin_huxley, lambda: (10.0, 0.01, 2000), lambda: (10.0, 0.01, 3), ulp=1 << 20, atol=1e-8),
    Case(
        gray_scott,
        lambda: (*_spots(100), 0.16, 0.08, 0.035, 0.065, 60),
        lambda: (*_spots(6), 0.16, 0.08, 0.035, 0.065, 2),
    ),
    Case(
        beam_deflection,
        lambda: ([(1.0 + k, 1000.0) for k in range(8)], 10.0, 2e11, 1e-5, 800),
        lambda: ([(1.0, 10.0)], 2.0, 1e9, 1e-5, 4),
        ulp=64,
    ),
    Case(truss, lambda: _truss(40), lambda: _truss(3), ulp=1 << 16, atol=1e-9),
    Case(
        heat_exchanger,
        lambda: (90.0, 20.0, 4000.0, 5000.0, 60.0, 200, 1e-10),
        lambda: (90.0, 20.0, 4000.0, 5000.0, 60.0, 3, 1.0),
    ),
    Case(lattice_boltzmann, lambda: (60, 30, 12, 1.0), lambda: (8, 6, 1, 1.0), ulp=1 << 12, atol=1e-12),
    Case(
        control_loop,
        lambda: (PID(2.0, 0.5, 0.1), 1.0, 0.01, 10000),
        lambda: (PID(2.0, 0.5, 0.1), 1.0, 0.1, 3),
    ),
    Case(kalman_1d, lambda: (random(6).normal(size=15000), 1e-4, 0.1), lambda: ([1.0, 1.2], 1e-4, 0.1)),
    Case(
        kalman_2d,
        lambda: (random(7).normal(size=500).tolist(), 0.1),
        lambda: ([1.0, 1.2], 0.1),
        ulp=1 << 12,
        atol=1e-12,
    ),
    Case(
        traffic,
        lambda: (np.where(random(8).random(200) < 0.3, 0, -1), 5, 0.3, 150, random(9)),
        lambda: (np.array([0, -1, 0, -1, -1]), 2, 0.5, 2, random(9)),
    ),
    Case(
        pipe_network,
        lambda: (
            [1.0, 0.5, 0.7, 0.3, 0.9],
            [2.0, 3.0, 1.5, 4.0, 2.5],
            [[(0, 1), (1, -1), (2, 1)], [(2, -1), (3, 1), (4, -1)]] * 200,
            1e-12,
        ),
        lambda: ([1.0, 0.5], [2.0, 3.0], [[(0, 1), (1, -1)]], 1e-3),
    ),
    Case(rainflow, lambda: (random(10).normal(size=15000).tolist(),), lambda: ([0.0, 2.0, 1.0, 3.0, 0.0],)),
    Case(
        ecosystem,
        lambda: (np.ones((20, 20)), _rabbits(40), 60, random(11)),
        lambda: (np.ones((3, 3)), _rabbits(2), 2, random(11)),
    ),
]
