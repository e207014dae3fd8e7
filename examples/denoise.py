"""Take the noise out of a photograph and keep its edges.

Anisotropic diffusion (Perona and Malik, 1990), biased towards the photograph (Nordstrom, 1990) so that it
comes to rest by itself.
"""

from __future__ import annotations

import numpy as np
from report import compare, save
from sklearn.datasets import load_sample_image

import jitscope as js


def denoise(
    image: np.ndarray, kappa: float, trust: float, rate: float, tol: float, max_steps: int
) -> tuple[np.ndarray, int]:
    """Diffuse grey values, less across edges, until no pixel moves by more than `tol`.

    Args:
        image: grey values, float64, shape (rows, columns).
        kappa: difference between neighbours that counts as an edge.
        trust: pull back to the photograph as it was taken.
        rate: length of a step; stable below 2 / (4 + trust).
        tol: stop when the largest change of a step is below this.
        max_steps: stop after so many steps.
    """
    u = image.copy()
    steps = 0
    change = tol + 1.0
    while change > tol and steps < max_steps:
        inner = u[1:-1, 1:-1]
        north = u[:-2, 1:-1] - inner
        south = u[2:, 1:-1] - inner
        west = u[1:-1, :-2] - inner
        east = u[1:-1, 2:] - inner
        update = rate * (
            north / (1.0 + (north / kappa) ** 2)
            + south / (1.0 + (south / kappa) ** 2)
            + west / (1.0 + (west / kappa) ** 2)
            + east / (1.0 + (east / kappa) ** 2)
            + trust * (image[1:-1, 1:-1] - inner)
        )
        u[1:-1, 1:-1] += update
        u[0, :] = u[1, :]
        u[-1, :] = u[-2, :]
        u[:, 0] = u[:, 1]
        u[:, -1] = u[:, -2]
        change = np.abs(update).max()
        steps += 1
    return u, steps


fast = js.function(denoise)


def signal_to_noise(clean: np.ndarray, noisy: np.ndarray) -> float:
    """Peak signal-to-noise ratio in decibels, for grey values in 0..1."""
    return float(-10.0 * np.log10(np.mean((clean - noisy) ** 2)))


def main() -> None:
    photograph = load_sample_image("china.jpg")
    clean = photograph @ np.array([0.299, 0.587, 0.114]) / 255.0
    noisy = clean + np.random.default_rng(1).normal(scale=0.12, size=clean.shape)
    rows, columns = clean.shape
    result, steps = compare(
        f"Anisotropic diffusion of a photograph, {columns} x {rows}",
        denoise,
        fast,
        (noisy, 0.12, 1.0, 0.2, 0.0005, 200),
    )
    print(f"  steps taken      {steps}")
    before, after = signal_to_noise(clean, noisy), signal_to_noise(clean, result)
    print(f"  signal to noise  {before:.1f} dB -> {after:.1f} dB")
    grey = np.concatenate([clean, noisy, result], axis=1)
    save("denoise.png", (grey.clip(0.0, 1.0) * 255).astype(np.uint8))


if __name__ == "__main__":
    main()
