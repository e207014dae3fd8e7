"""Kernels as numba-cuda compiles them, but with ``a * b + c`` rounded twice, as on a processor.

numba-cuda has no option for that (its issue 118): NVVM's own, ``fma=0``, is added where one of these kernels
is compiled, and nothing is left to the linker, which would join products and sums again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import numba.cuda
from numba import config

cuda: Any = numba.cuda  # what it takes and has in kernels differs in the simulator

SIMULATED = bool(getattr(config, "ENABLE_CUDASIM", False))

_HERE = threading.local()
_CONFIGURING = threading.Lock()


class Launcher:
    """``kernel[blocks, threads](arguments)`` launches a kernel, and compiles it first for these types."""

    def __init__(self, function: Callable[..., None]) -> None:
        self.py_func = function
        self._compiled = cuda.jit(function, lto=False)
        self._launches: dict[tuple[object, object], Callable[..., None]] = {}

    def __getitem__(self, launch: tuple[object, object]) -> Callable[..., None]:
        if launch not in self._launches:
            self._launches[launch] = _rounding_twice(self._configured(launch))
        return self._launches[launch]

    def _configured(self, launch: tuple[object, object]) -> Callable[..., None]:
        """Numba warns of grids that don't fill a GPU, whose sizes are no user's here."""
        settings = cuda.core.config
        with _CONFIGURING:
            before, settings.CUDA_LOW_OCCUPANCY_WARNINGS = settings.CUDA_LOW_OCCUPANCY_WARNINGS, 0
            try:
                configured: Callable[..., None] = self._compiled[launch]
                return configured
            finally:
                settings.CUDA_LOW_OCCUPANCY_WARNINGS = before


def gpu_kernel(function: Callable[..., None]) -> Launcher:
    """Decorates a kernel; the simulator's is launched alike."""
    return cast(Launcher, cuda.jit(function)) if SIMULATED else Launcher(function)


@contextmanager
def rounded_twice() -> Iterator[None]:
    """Products that are added to are rounded in what this thread compiles here."""
    before = getattr(_HERE, "twice", False)
    _HERE.twice = True
    try:
        yield
    finally:
        _HERE.twice = before


def _rounding_twice(launch: Callable[..., None]) -> Callable[..., None]:
    def launched(*arguments: object) -> None:
        with rounded_twice():
            launch(*arguments)

    return launched


def _told_of_it(compile_ir: Callable[..., object]) -> Callable[..., object]:
    """NVVM's compiler, which hears of `rounded_twice`."""

    def told(llvmir: object, **options: object) -> object:
        if getattr(_HERE, "twice", False):
            options["fma"] = False
        return compile_ir(llvmir, **options)

    return told


if not SIMULATED and hasattr(cuda, "cudadrv"):
    cuda.cudadrv.nvvm.compile_ir = _told_of_it(cuda.cudadrv.nvvm.compile_ir)
