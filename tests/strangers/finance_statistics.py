"""Prices, risks, samples and estimates."""

import math
from dataclasses import dataclass

import numpy as np

from .case import Case, random


def norm_cdf(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def black_scholes(S, K, T, r, sigma, kind="call"):
    d1 = (math.log(S / K) + (r + sigma**2 / 2) * T) / (sigma * math.sqrt(T))
    d2 = d1 - sigma * math.sqrt(T)
    if kind == "call":
        return S * norm_cdf(d1) - K * math.exp(-r * T) * norm_cdf(d2)
    elif kind == "put":
        return K * math.exp(-r * T) * norm_cdf(-d2) - S * norm_cdf(-d1)
    raise ValueError(f"unknown kind {kind}")


def price_surface(spots, strikes, T, r, sigma):
    surface = np.zeros((len(spots), len(strikes)))
    for i, S in enumerate(spots):
        for j, K in enumerate(strikes):
            surface[i, j] = black_scholes(S, K, T, r, sigma, "put" if j % 2 else "call")
    return surface


def implied_volatility(price, S, K, T, r):
    lo, hi = 1e-4, 5.0
    for _ in range(100):
        mid = (lo + hi) / 2
        if black_scholes(S, K, T, r, mid) > price:
            hi = mid
        else:
            lo = mid
        if hi - lo < 1e-10:
            break
    return (lo + hi) / 2


def smile(prices, S, strikes, T, r):
    return [implied_volatility(p, S, k, T, r) for p, k in zip(prices, strikes)]


def binomial_tree(S, K, T, r, sigma, N, american):
    dt = T / N
    u = np.exp(sigma * np.sqrt(dt))
    d = 1 / u
    p = (np.exp(r * dt) - d) / (u - d)
    disc = np.exp(-r * dt)
    values = np.zeros(N + 1)
    for i in range(N + 1):
        values[i] = max(K - S * u ** (N - i) * d**i, 0)
    for step in range(N - 1, -1, -1):
        for i in range(step + 1):
            hold = disc * (p * values[i] + (1 - p) * values[i + 1])
            if american:
                exercise = K - S * u ** (step - i) * d**i
                values[i] = max(hold, exercise)
            else:
                values[i] = hold
    return values[0]


def monte_carlo_option(S0, K, T, r, sigma, n_paths, n_steps, rng):
    dt = T / n_steps
    payoffs = np.zeros(n_paths)
    for i in range(n_paths):
        S = S0
        total = 0.0
        for t in range(n_steps):
            z = rng.standard_normal()
            S *= math.exp((r - 0.5 * sigma**2) * dt + sigma * math.sqrt(dt) * z)
            total += S
        payoffs[i] = max(total / n_steps - K, 0.0)
    return math.exp(-r * T) * payoffs.mean(), payoffs.std() / math.sqrt(n_paths)


def monte_carlo_numpy(S0, K, T, r, sigma, n_paths, n_steps, rng):
    dt = T / n_steps
    z = rng.standard_normal((n_paths, n_steps))
    log_paths = np.cumsum((r - 0.5 * sigma**2) * dt + sigma * np.sqrt(dt) * z, axis=1)
    paths = S0 * np.exp(log_paths)
    knocked = (paths < 0.8 * S0).any(axis=1)
    payoff = np.where(knocked, 0.0, np.maximum(paths[:, -1] - K, 0))
    return np.exp(-r * T) * payoff.mean()


def moving_averages_crossover(prices, short, long):
    cash, shares = 1000.0, 0.0
    trades = []
    for day in range(long, len(prices)):
        fast = prices[day - short : day].mean()
        slow = prices[day - long : day].mean()
        if fast > slow and shares == 0:
            shares = cash / prices[day]
            cash = 0.0
            trades.append(("buy", day))
        elif fast < slow and shares > 0:
            cash = shares * prices[day]
            shares = 0.0
            trades.append(("sell", day))
    return cash + shares * prices[-1], trades


def ema(prices, span):
    alpha = 2 / (span + 1)
    out = [prices[0]]
    for p in prices[1:]:
        out.append(alpha * p + (1 - alpha) * out[-1])
    return out


def max_drawdown(equity):
    peak = -np.inf
    worst = 0.0
    for v in equity:
        if v > peak:
            peak = v
        dd = (peak - v) / peak
        if dd > worst:
            worst = dd
    return worst


@dataclass
class Loan:
    principal: float
    rate: float
    months: int


def amortisation(loans):
    tables = {}
    for name, loan in loans.items():
        m = loan.rate / 12
        payment = loan.principal * m / (1 - (1 + m) ** -loan.months)
        balance = loan.principal
        rows = []
        for k in range(loan.months):
            interest = balance * m
            balance -= payment - interest
            rows.append((k + 1, round(interest, 2), round(balance, 2)))
        tables[name] = rows
    return tables


def internal_rate(cashflows, guess=0.1):
    rate = guess
    for _ in range(100):
        npv = 0.0
        slope = 0.0
        for t, c in enumerate(cashflows):
            npv += c / (1 + rate) ** t
            slope -= t * c / (1 + rate) ** (t + 1)
        if slope == 0:
            return None
        new = rate - npv / slope
        if abs(new - rate) < 1e-12:
            return new
        rate = new
    return rate


def portfolio_frontier(returns, n, rng):
    mean = returns.mean(axis=0)
    cov = np.cov(returns, rowvar=False)
    results = np.zeros((3, n))
    for i in range(n):
        w = rng.random(len(mean))
        w /= np.sum(w)
        ret = np.sum(mean * w) * 252
        vol = np.sqrt(np.dot(w.T, np.dot(cov * 252, w)))
        results[0, i] = ret
        results[1, i] = vol
        results[2, i] = ret / vol
    best = results[2].argmax()
    return results[:, best], results


def order_book(orders):
    bids, asks, traded = [], [], 0
    for side, price, qty in orders:
        if side == "buy":
            while qty > 0 and asks and asks[0][0] <= price:
                best = asks[0]
                fill = min(qty, best[1])
                traded += fill
                qty -= fill
                best[1] -= fill
                if best[1] == 0:
                    asks.pop(0)
            if qty > 0:
                bids.append([price, qty])
                bids.sort(key=lambda o: -o[0])
        else:
            while qty > 0 and bids and bids[0][0] >= price:
                best = bids[0]
                fill = min(qty, best[1])
                traded += fill
                qty -= fill
                best[1] -= fill
                if best[1] == 0:
                    bids.pop(0)
            if qty > 0:
                asks.append([price, qty])
                asks.sort(key=lambda o: o[0])
    return traded, len(bids), len(asks)


def garch_likelihood(returns, omega, alpha, beta):
    n = len(returns)
    sigma2 = np.zeros(n)
    sigma2[0] = np.var(returns)
    ll = 0.0
    for t in range(1, n):
        sigma2[t] = omega + alpha * returns[t - 1] ** 2 + beta * sigma2[t - 1]
        ll += -0.5 * (np.log(2 * np.pi) + np.log(sigma2[t]) + returns[t] ** 2 / sigma2[t])
    return ll, sigma2


def bootstrap_mean(data, n_resamples, rng):
    means = np.empty(n_resamples)
    n = len(data)
    for i in range(n_resamples):
        sample = data[rng.integers(0, n, n)]
        means[i] = sample.mean()
    means.sort()
    return means[int(0.025 * n_resamples)], means[int(0.975 * n_resamples)]


def metropolis(log_density, start, n, width, rng):
    chain = np.zeros(n)
    x = start
    lp = log_density(x)
    accepted = 0
    for i in range(n):
        proposal = x + rng.normal(0, width)
        lp_new = log_density(proposal)
        if math.log(rng.random()) < lp_new - lp:
            x, lp = proposal, lp_new
            accepted += 1
        chain[i] = x
    return chain, accepted / n


def sample_posterior(data, n, rng):
    mean = data.mean()

    def log_density(mu):
        return -0.5 * len(data) * (mu - mean) ** 2 - 0.5 * mu**2 / 100

    return metropolis(log_density, 0.0, n, 0.5, rng)


def kde(samples, grid, bandwidth):
    density = np.zeros_like(grid)
    for i in range(len(grid)):
        for s in samples:
            u = (grid[i] - s) / bandwidth
            density[i] += np.exp(-0.5 * u * u)
    return density / (len(samples) * bandwidth * np.sqrt(2 * np.pi))


def histogram(values, bins):
    lo, hi = min(values), max(values)
    width = (hi - lo) / bins
    counts = [0] * bins
    for v in values:
        k = int((v - lo) / width)
        if k == bins:
            k -= 1
        counts[k] += 1
    return counts


def welford(stream):
    n = 0
    mean = 0.0
    m2 = 0.0
    for x in stream:
        n += 1
        delta = x - mean
        mean += delta / n
        m2 += delta * (x - mean)
    if n < 2:
        return mean, float("nan")
    return mean, m2 / (n - 1)


def correlation_matrix(data):
    n = data.shape[1]
    out = np.eye(n)
    for i in range(n):
        for j in range(i + 1, n):
            x = data[:, i] - data[:, i].mean()
            y = data[:, j] - data[:, j].mean()
            out[i, j] = out[j, i] = (x * y).sum() / np.sqrt((x**2).sum() * (y**2).sum())
    return out


def permutation_test(a, b, n, rng):
    observed = abs(a.mean() - b.mean())
    pooled = np.concatenate([a, b])
    count = 0
    for _ in range(n):
        rng.shuffle(pooled)
        if abs(pooled[: len(a)].mean() - pooled[len(a) :].mean()) >= observed:
            count += 1
    return count / n


def spearman(x, y):
    def ranks(v):
        order = np.argsort(v)
        r = np.empty(len(v))
        r[order] = np.arange(len(v))
        return r

    rx, ry = ranks(x), ranks(y)
    d = rx - ry
    n = len(x)
    return 1 - 6 * np.sum(d**2) / (n * (n**2 - 1))


def kaplan_meier(times, events):
    order = np.argsort(times, kind="stable")
    at_risk = len(times)
    survival = 1.0
    curve = []
    i = 0
    while i < len(order):
        t = times[order[i]]
        deaths = 0
        leaving = 0
        while i < len(order) and times[order[i]] == t:
            deaths += events[order[i]]
            leaving += 1
            i += 1
        if deaths > 0:
            survival *= 1 - deaths / at_risk
            curve.append((float(t), float(survival)))
        at_risk -= leaving
    return curve


def estimate_pi(n, rng):
    inside = 0
    for _ in range(n):
        x, y = rng.random(), rng.random()
        if x * x + y * y <= 1:
            inside += 1
    return 4 * inside / n


def _prices(n, seed=1):
    return 100 * np.exp(np.cumsum(random(seed).normal(0, 0.01, n)))


def _orders(n):
    rng = random(2)
    return [
        ("buy" if rng.random() < 0.5 else "sell", int(rng.integers(90, 110)), int(rng.integers(1, 20)))
        for _ in range(n)
    ]


CASES = [
    Case(
        price_surface,
        lambda: (np.linspace(80, 120, 60), np.linspace(80, 120, 60), 1.0, 0.05, 0.2),
        lambda: ([100.0], [90.0, 110.0], 1.0, 0.05, 0.2),
        ulp=1 << 16,
        atol=1e-11,
    ),
    Case(
        smile,
        lambda: (np.linspace(25, 8, 60), 100.0, np.linspace(80, 110, 60), 1.0, 0.02),
        lambda: ([10.0], 100.0, [100.0], 1.0, 0.02),
        ulp=1 << 20,
        atol=1e-9,
    ),
    Case(
        binomial_tree,
        lambda: (100.0, 105.0, 1.0, 0.05, 0.2, 120, True),
        lambda: (100.0, 105.0, 1.0, 0.05, 0.2, 2, False),
        ulp=1 << 12,
        atol=1e-11,
    ),
    Case(
        monte_carlo_option,
        lambda: (100.0, 100.0, 1.0, 0.05, 0.2, 400, 50, random(3)),
        lambda: (100.0, 100.0, 1.0, 0.05, 0.2, 2, 2, random(3)),
        ulp=1 << 12,
        atol=1e-11,
    ),
    Case(
        monte_carlo_numpy,
        lambda: (100.0, 100.0, 1.0, 0.05, 0.2, 4000, 50, random(4)),
        lambda: (100.0, 100.0, 1.0, 0.05, 0.2, 3, 2, random(4)),
        ulp=1 << 12,
    ),
    Case(moving_averages_crossover, lambda: (_prices(1000), 10, 50), lambda: (_prices(6), 1, 2)),
    Case(ema, lambda: (_prices(30000).tolist(), 20), lambda: ([1.0, 2.0, 3.0], 2)),
    Case(max_drawdown, lambda: (_prices(20000),), lambda: (np.array([1.0, 3.0, 2.0]),)),
    Case(
        amortisation,
        lambda: ({f"loan{k}": Loan(1e5 + k, 0.04, 360) for k in range(15)},),
        lambda: ({"a": Loan(1000.0, 0.12, 2)},),
        ulp=64,
    ),
    Case(
        internal_rate,
        lambda: ([-1e5] + [1200.0 + k for k in range(200)],),
        lambda: ([-100.0, 60.0, 60.0],),
        ulp=1 << 12,
    ),
    Case(
        portfolio_frontier,
        lambda: (random(5).normal(0.0005, 0.01, (250, 8)), 400, random(6)),
        lambda: (random(5).normal(0.0005, 0.01, (5, 2)), 2, random(6)),
        ulp=256,
    ),
    Case(order_book, lambda: (_orders(1000),), lambda: (_orders(4),)),
    Case(
        garch_likelihood,
        lambda: (random(7).normal(0, 0.01, 4000), 1e-6, 0.05, 0.9),
        lambda: (np.array([0.01, -0.02, 0.005]), 1e-6, 0.05, 0.9),
        ulp=1 << 10,
    ),
    Case(
        bootstrap_mean,
        lambda: (random(8).normal(size=500), 500, random(9)),
        lambda: (np.arange(4.0), 3, random(9)),
    ),
    Case(
        sample_posterior,
        lambda: (random(10).normal(2.0, 1.0, 50), 3000, random(11)),
        lambda: (np.array([1.0, 2.0]), 3, random(11)),
    ),
    Case(
        kde,
        lambda: (random(12).normal(size=100), np.linspace(-3, 3, 60), 0.3),
        lambda: (np.array([0.0, 1.0]), np.array([0.5]), 1.0),
        ulp=64,
    ),
    Case(histogram, lambda: (random(13).normal(size=40000).tolist(), 50), lambda: ([1.0, 2.0, 4.0], 2)),
    Case(welford, lambda: (random(14).normal(size=15000),), lambda: (np.array([1.0]),)),
    Case(
        correlation_matrix,
        lambda: (random(15).normal(size=(300, 20)),),
        lambda: (random(15).normal(size=(4, 2)),),
    ),
    Case(
        permutation_test,
        lambda: (random(16).normal(size=60), random(17).normal(0.2, 1, 60), 500, random(18)),
        lambda: (np.ones(2), np.zeros(2), 2, random(18)),
    ),
    Case(
        spearman,
        lambda: (random(19).normal(size=20000), random(20).normal(size=20000)),
        lambda: (np.array([1.0, 3.0, 2.0]), np.array([2.0, 1.0, 3.0])),
    ),
    Case(
        kaplan_meier,
        lambda: (random(21).integers(1, 200, 3000), random(22).integers(0, 2, 3000)),
        lambda: (np.array([2, 1, 2]), np.array([1, 0, 1])),
    ),
    Case(estimate_pi, lambda: (15000, random(23)), lambda: (5, random(23))),
]
