"""Kernels as numba-cuda compiles them, but with ``a * b + c`` rounded twice, as on a processor.

numba-cuda has no option for that (its issue 118): NVVM's own, ``fma=0``, is added where one of these kernels
is compiled, and nothing is left to the linker, which would join products and sums again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba import config, cuda

SIMULATED = bool(getattr(config, "ENABLE_CUDASIM", False))

_HERE = threading.local()
_CONFIGURING = threading.Lock()


class Kernel:
    """A kernel: ``kernel[blocks, threads](arguments)`` launches it, and compiles it first for these types."""

    def __init__(self, function: Callable[..., None]) -> None:
        self.py_func = function
        self._compiled: Any = cuda.jit(function, lto=False)
        self._launches: dict[Any, Callable[..., None]] = {}

    def __getitem__(self, launch: tuple[Any, Any]) -> Callable[..., None]:
        if launch not in self._launches:
            self._launches[launch] = _rounding_twice(self._configured(launch))
        return self._launches[launch]

    def _configured(self, launch: tuple[Any, Any]) -> Callable[..., None]:
        """Numba warns of grids that don't fill a GPU, whose sizes are no user's here."""
        from numba.cuda.core import config as cuda_config

        with _CONFIGURING:
            before = cuda_config.CUDA_LOW_OCCUPANCY_WARNINGS
            cuda_config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
            try:
                configured: Callable[..., None] = self._compiled[launch]
                return configured
            finally:
                cuda_config.CUDA_LOW_OCCUPANCY_WARNINGS = before


def gpu_kernel(function: Callable[..., None]) -> Any:
    """Decorates a kernel."""
    return cuda.jit(function) if SIMULATED else Kernel(function)


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
    def launched(*arguments: Any) -> None:
        with rounded_twice():
            launch(*arguments)

    return launched


def _compiles_as_asked() -> None:
    """NVVM is told of `rounded_twice`."""
    from numba.cuda.cudadrv import nvvm

    plain = nvvm.compile_ir

    def compile_ir(llvmir: Any, **options: Any) -> Any:
        if getattr(_HERE, "twice", False):
            options["fma"] = False
        return plain(llvmir, **options)

    nvvm.compile_ir = compile_ir


if not SIMULATED:
    _compiles_as_asked()
