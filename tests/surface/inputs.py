"""What the calls of the tables are tried with: one meaning per name, many values, sizes and layouts.

| name | is |
|---|---|
| `a`, `b` | arrays of shape (m, n), of the dtype under test |
| `c` | one more, to be written (`out=c`, `c.sort()`) |
| `v`, `w` | vectors of length n |
| `u` | a vector of length m |
| `s` | a square matrix (n, n); of floats and complex numbers well conditioned |
| `t` | an array of shape (2, m, n) |
| `q` | a sorted vector of length n |
| `h` | a NumPy number of the dtype |
| `mask`, `vmask` | truth values of shape (m, n) and (n,) |
| `idx` | places along an axis of length n, some counted from the end |
| `rows` | places along an axis of length m |
| `m`, `n` | these sizes, as Python's ints |
| `k` | Python's 0 or 1 |
| `x`, `y` | Python's floats |
| `p` | Python's True or False |
| `rng` | a generator of random numbers |
"""

from __future__ import annotations

from typing import Any

import numpy as np

DTYPES = ("float64", "float32", "int64", "int32", "uint8", "bool", "complex128")

SIZES = ((3, 4), (4, 3), (5, 5), (2, 2), (6, 9), (2, 11))
SMALL = ((1, 4), (3, 1), (1, 1), (0, 3), (3, 0))
"""Sizes that are other signatures, or where NumPy raises."""

_SPECIAL = {
    "f": (np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 1e-300, -1e300),
    "i": (0, 1, -1, 2**31 - 1, -(2**31)),
    "u": (0, 1, 255),
    "b": (True, False),
    "c": (0j, complex(np.nan, 1), complex(0, np.inf), -1 + 0j, complex(-0.0, -0.0)),
}

LAYOUTS = ("C", "F", "every_other", "backwards")


def elements(rng: np.random.Generator, dtype: str, shape: tuple[int, ...], special: bool) -> np.ndarray:
    """Numbers of a dtype; with `special`, some of those that end in NaN, in overflow or at a boundary."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        made = rng.random(shape) < 0.5
    elif kind in "iu":
        made = rng.integers(0 if kind == "u" else -9, 10, shape).astype(dtype)
    else:
        made = rng.normal(size=shape) * 2
        made = (made + 1j * rng.normal(size=shape) if kind == "c" else made).astype(dtype)
    if special and made.size:
        flat = made.reshape(-1)
        with np.errstate(all="ignore"):
            chosen = np.array(_SPECIAL[kind]).astype(dtype)
        flat[rng.integers(0, flat.size, 1 + flat.size // 3)] = rng.choice(chosen)
    return made


def laid_out(array: np.ndarray, layout: str) -> np.ndarray:
    """The same elements at other places of memory."""
    if layout == "F":
        return np.asfortranarray(array)
    if layout == "every_other":
        wide = np.repeat(array, 2, axis=-1)
        return wide[..., ::2]
    if layout == "backwards":
        return array[..., ::-1].copy()[..., ::-1]
    return array


def sample(
    rng: np.random.Generator, dtype: str, size: tuple[int, int], layout: str = "C", special: bool = False
) -> dict[str, Any]:
    """A value for each name; one seed gives the same values."""
    m, n = size
    kind = np.dtype(dtype).kind

    def array(*shape: int) -> np.ndarray:
        return laid_out(elements(rng, dtype, shape, special), layout)

    square = elements(rng, dtype, (n, n), False)
    if kind in "fc":
        square = (square + 6 * np.eye(n)).astype(dtype)
    return {
        "a": array(m, n),
        "b": array(m, n),
        "c": array(m, n),
        "v": array(n),
        "w": array(n),
        "u": array(m),
        "s": laid_out(square, layout),
        "t": array(2, m, n),
        "q": laid_out(np.sort(elements(rng, dtype, (n,), False)), layout),
        "h": elements(rng, dtype, (1,), special)[0],
        "mask": rng.random((m, n)) < 0.5,
        "vmask": rng.random(n) < 0.5,
        "idx": rng.integers(-n, n, 5) if n else np.zeros(0, int),
        "rows": rng.integers(0, m, 4) if m else np.zeros(0, int),
        "m": m,
        "n": n,
        "k": int(rng.integers(0, 2)),
        "x": float(rng.normal()),
        "y": float(rng.normal()),
        "p": bool(rng.random() < 0.5),
        "rng": np.random.default_rng(int(rng.integers(1000))),
    }
