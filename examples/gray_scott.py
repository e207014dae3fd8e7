"""A reaction that spreads (Gray and Scott 1984, Pearson 1993), in plain NumPy: no word of jitscope.

``jitscope report examples/gray_scott.py`` runs it with its functions decorated, and shows each line.
"""

from __future__ import annotations

import sys

import numpy as np


def laplacian(u: np.ndarray) -> np.ndarray:
    """Differences to the four neighbours, on a torus."""
    return np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4.0 * u


def react(
    u: np.ndarray, v: np.ndarray, feed: float, kill: float, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    """So many steps of u + 2 v -> 3 v, with u fed and v taken away."""
    for _ in range(steps):
        uvv = u * v * v
        u = u + 0.16 * laplacian(u) - uvv + feed * (1.0 - u)
        v = v + 0.08 * laplacian(v) + uvv - (feed + kill) * v
    return u, v


def start(size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A square of v in the middle, and some noise."""
    rng = np.random.default_rng(seed)
    u, v = np.ones((size, size)), np.zeros((size, size))
    low, high = size // 2 - size // 10, size // 2 + size // 10
    u[low:high, low:high], v[low:high, low:high] = 0.5, 0.25
    return u + 0.02 * rng.random((size, size)), v + 0.02 * rng.random((size, size))


def covered(v: np.ndarray) -> float:
    """The share of cells that the pattern has reached."""
    count = 0
    for row in v:
        for cell in row:
            if cell > 0.1:
                count += 1
    return count / v.size


def described(steps: int, share: float) -> str:
    """A line for people."""
    words = ["after", str(steps), "steps", f"{share:.1%}", "is covered"]
    return " ".join(words)


def main(size: int, rounds: int) -> None:
    """Some rounds of 200 steps."""
    u, v = start(size, 0)
    for k in range(rounds):
        u, v = react(u, v, 0.035, 0.065, 200)
        print(described(200 * (k + 1), covered(v)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 96, 3)
