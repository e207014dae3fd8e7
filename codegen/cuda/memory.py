"""Arrays on a GPU while a generated driver runs: copied there once, kept there, copied home when they leave.

    with on_gpu(0) as gpu:
        y = gpu.empty((n,), np.float64)     # an array whose elements are made on the GPU
        cluster_0(gpu, x, y)                # launches kernels with gpu.read(x) and gpu.write(y)
        gpu.home(y)                         # before NumPy reads y
        z = np.sort(y)
                                            # in the end all that was written there comes home

The driver goes on with ordinary NumPy arrays. Memory that the GPU needs has a *mirror* there, one for all
arrays that look at it: views and overlaps mean there what they mean here.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import ref

import numpy as np
from numba import cuda

from ..growing import grown
from .launching import SIMULATED

THREADS = 8 if SIMULATED else 256
"""Threads in a block, a power of 2; in the simulator each is a Python thread."""

MOST_BLOCKS = 3 if SIMULATED else 1024


def blocks(places: int) -> int:
    """How many blocks work on `places` elements: the same for the same number, always."""
    return max(1, min(-(-places // THREADS), MOST_BLOCKS))


class Mirror:
    """The bytes from address `first` to `last`, and their copy on the GPU.

    `here` and `there` say who has the newest bytes, neither where nothing has been written yet. `local`:
    nobody looks at them when the driver has returned.
    """

    def __init__(self, first: int, last: int) -> None:
        self.first, self.last = first, last
        self.here, self.there, self.local = True, False, False
        self.copy = cuda.device_array(last - first, np.uint8)
        self._looks: dict[tuple[Any, ...], Any] = {}

    def bring(self) -> None:
        """Make the bytes on the GPU the newest."""
        if self.here and not self.there:
            self.copy.copy_to_device(self._bytes())
            self.there = True

    def home(self) -> None:
        """Make the bytes here the newest."""
        if self.there and not self.here:
            self.copy.copy_to_host(self._bytes())
            self.here = True

    def _bytes(self) -> np.ndarray:
        memory = (ctypes.c_uint8 * (self.last - self.first)).from_address(self.first)
        return np.ctypeslib.as_array(memory)

    def look(self, array: np.ndarray) -> Any:
        """What `array` is on the GPU: the same place in the copy, the same strides."""
        key = (array.ctypes.data - self.first, array.shape, array.strides, array.dtype)
        if key not in self._looks and SIMULATED:
            view = np.ndarray(array.shape, array.dtype, self.copy._ary.data, key[0], array.strides)
            self._looks[key] = type(self.copy)(view)
        elif key not in self._looks:
            self._looks[key] = cuda.as_cuda_array(_Look(self.copy, key[0], array))
        return self._looks[key]


class _Look:
    """A part of a copy by the CUDA array interface."""

    def __init__(self, copy: Any, offset: int, array: np.ndarray) -> None:
        self.copy = copy
        self.__cuda_array_interface__ = {
            "shape": array.shape,
            "strides": array.strides,
            "typestr": array.dtype.str,
            "data": (copy.__cuda_array_interface__["data"][0] + offset, False),
            "version": 3,
        }


class Gpu:
    """A GPU and the mirrors of one run of a driver."""

    def __init__(self) -> None:
        self._mirrors: list[Mirror] = []
        self._kept: list[Any] = []

    def empty(self, shape: Any, dtype: Any = np.float64, order: Any = "C", local: bool = False) -> np.ndarray:
        """An array without values; `local`: nobody looks at it when the driver has returned."""
        made = np.empty(shape, dtype, order)
        if made.nbytes:
            mirror = self._mirror(made)
            mirror.here, mirror.there, mirror.local = False, False, local
        return made

    def read(self, array: np.ndarray) -> Any:
        """`array` on the GPU, for a kernel that reads it."""
        if not array.nbytes:
            return cuda.device_array(array.shape, array.dtype)
        mirror = self._mirror(array)
        mirror.bring()
        return mirror.look(array)

    def write(self, array: np.ndarray) -> Any:
        """`array` on the GPU, for a kernel that writes some of it, and may read it."""
        found = self.read(array)
        if array.nbytes:
            mirror = self._mirror(array)
            mirror.here, mirror.there = False, True
        return found

    def scratch(self, count: int, dtype: Any) -> Any:
        """Memory on the GPU alone."""
        return cuda.device_array(count, dtype)

    def item(self, scratch: Any) -> Any:
        """The first number of what `scratch` made."""
        return scratch[:1].copy_to_host()[0]

    def home(self, *arrays: np.ndarray) -> None:
        """NumPy or opaque Python is going to read these arrays; without arguments, any array."""
        for mirror in self._mirrors_of(arrays):
            mirror.home()

    def give(self, *arrays: np.ndarray) -> None:
        """NumPy or opaque Python is going to write these arrays, or read them; without any: any array."""
        for mirror in self._mirrors_of(arrays):
            mirror.home()
            mirror.here, mirror.there = True, False

    def grown(self, buffer: np.ndarray, place: int) -> np.ndarray:
        """`buffer` itself, or a longer one with what it holds where it has no such place."""
        if place < len(buffer):
            return buffer
        self.home(buffer)
        return grown(buffer)

    def leave(self) -> None:
        """Copy home what somebody may look at from now on."""
        for mirror in list(self._mirrors):
            if not mirror.local:
                mirror.home()

    def _mirrors_of(self, arrays: tuple[np.ndarray, ...]) -> list[Mirror]:
        spans = [span_of(owner_of(array)) for array in arrays]
        return [
            m
            for m in list(self._mirrors)
            if not arrays or any(m.first < last and first < m.last for first, last in spans)
        ]

    def _mirror(self, array: np.ndarray) -> Mirror:
        """The mirror of the memory that `array` looks at."""
        owner = owner_of(array)
        first, last = span_of(owner)
        touching = self._mirrors_of((owner,))
        if len(touching) == 1 and touching[0].first <= first and last <= touching[0].last:
            return touching[0]
        for old in touching:  # arrays over one foreign buffer
            old.home()
            self._mirrors.remove(old)
            first, last = min(first, old.first), max(last, old.last)
        made = Mirror(first, last)
        self._mirrors.append(made)
        self._watch(owner, made)
        return made

    def _watch(self, owner: np.ndarray, mirror: Mirror) -> None:
        """Forget a mirror with the array that owns its memory, which may then be another's."""
        if owner.base is not None:
            self._kept.append(owner)  # somebody else's memory: others may look at it
            return

        def forget(watch: Any) -> None:
            self._kept.remove(watch)
            if mirror in self._mirrors:
                self._mirrors.remove(mirror)

        self._kept.append(ref(owner, forget))


def owner_of(array: np.ndarray) -> np.ndarray:
    """The array whose memory a view looks at."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def span_of(array: np.ndarray) -> tuple[int, int]:
    """The addresses between which the elements of `array` are."""
    first = last = array.ctypes.data
    if not array.size:
        return first, last
    for size, stride in zip(array.shape, array.strides, strict=True):
        if stride < 0:
            first += (size - 1) * stride
        else:
            last += (size - 1) * stride
    return first, last + array.itemsize


@contextmanager
def on_gpu(number: int) -> Iterator[Gpu]:
    """A GPU for one run of a driver; in the end, however it ends, all that was written there comes home."""
    with cuda.gpus[number]:
        gpu = Gpu()
        try:
            yield gpu
        finally:
            gpu.leave()
