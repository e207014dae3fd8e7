"""Products of matrices on a GPU, by a plain tiled kernel; a library's kernels are to take its place."""

from __future__ import annotations

from typing import Any

import numba.cuda
import numpy as np

from .launching import SIMULATED, gpu_kernel
from .memory import Gpu

cuda: Any = numba.cuda  # what it has inside of kernels has no types

TILE = 2 if SIMULATED else 16
"""A block computes so many rows and columns of the result."""


def matmul(gpu: Gpu, a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    """``out[...] = a @ b`` on the GPU, for matrices of one dtype or a matrix and a vector."""
    if a.ndim == 1:
        a, out = a[None, :], out[None, :]
    if b.ndim == 1:
        b, out = b[:, None], out[:, None]
    rows, columns = out.shape
    tiles = -(-rows // TILE) * -(-columns // TILE)
    if tiles:
        tiled[tiles, (TILE, TILE)](gpu.read(a), gpu.read(b), gpu.write(out), a.dtype.type(0))


@gpu_kernel
def tiled(a: Any, b: Any, out: Any, zero: Any) -> None:
    """Each block goes along a row of tiles of `a` and a column of tiles of `b`, with one of each at hand."""
    left = cuda.shared.array((TILE, TILE), a.dtype)
    right = cuda.shared.array((TILE, TILE), a.dtype)
    row, column = cuda.threadIdx.y, cuda.threadIdx.x
    across = (out.shape[1] + TILE - 1) // TILE
    i = cuda.blockIdx.x // across * TILE + row
    j = cuda.blockIdx.x % across * TILE + column
    total = zero
    for start in range(0, a.shape[1], TILE):
        left[row, column] = zero
        right[row, column] = zero
        if i < a.shape[0] and start + column < a.shape[1]:
            left[row, column] = a[i, start + column]
        if j < b.shape[1] and start + row < b.shape[0]:
            right[row, column] = b[start + row, j]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[row, k] * right[k, column]
        cuda.syncthreads()
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = total
