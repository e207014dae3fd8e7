"""The Mandelbrot set, pixel by pixel, with the loops that NumPy users are told not to write."""

from __future__ import annotations

import numpy as np
from report import compare, save

import jitscope as js


def mandelbrot(left: float, top: float, step: float, width: int, height: int, max_iter: int) -> np.ndarray:
    """How many steps each point takes to leave the circle of radius 2; `max_iter` if it stays."""
    counts = np.full((height, width), max_iter)
    for row in range(height):
        c_im = top - step * row
        for col in range(width):
            c_re = left + step * col
            re = im = 0.0
            for n in range(max_iter):
                re, im = re * re - im * im + c_re, 2.0 * re * im + c_im
                if re * re + im * im > 4.0:
                    counts[row, col] = n
                    break
    return counts


fast = js.function(mandelbrot)


def colours(counts: np.ndarray, max_iter: int) -> np.ndarray:
    """A picture of the counts: black inside, cyclic colours outside."""
    phase = np.log1p(counts.astype(np.float64))[..., None] * 2.2 + np.array([3.6, 4.4, 5.2])
    picture = (127.5 * (1.0 + np.cos(phase))).astype(np.uint8)
    picture[counts == max_iter] = 0
    return picture


def main() -> None:
    width, height, max_iter = 480, 360, 400
    args = (-2.2, 1.2, 3.2 / width, width, height, max_iter)
    counts = compare(
        f"Mandelbrot, {width} x {height}, up to {max_iter} steps a pixel", mandelbrot, fast, args
    )
    save("mandelbrot.png", colours(counts, max_iter))


if __name__ == "__main__":
    main()
