"""Which devices this machine has: the CPU, and the GPUs that numba-cuda can use.

A GPU is there when ``numba-cuda`` (the extra ``[cuda]``) finds a driver, or when Numba's simulator is on
(``NUMBA_ENABLE_CUDASIM=1``), which runs kernels as Python.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec

from ..graph.ir.nodes import ENDINGS, Graph, walk
from ..graph.trace.devices import (
    DISPLACED,
    HERE,
    JIT_CPU,
    JIT_GPU,
    DeviceSpec,
    device_of,
    host_devices,
    spec_of,
    wished_in_plain_code,
)
from .config import note, tell


@dataclass(frozen=True)
class Placement:
    """Where a function is asked to run (a canonical name, or empty), and whether the CPU will do."""

    device: str = ""
    soft: bool = False

    @property
    def demands(self) -> bool:
        """Whether everything has to be compiled."""
        return spec_of(self.device).device_type in (JIT_CPU, JIT_GPU)

    def __str__(self) -> str:
        return f"device={self.device or None} allow_soft_placement={self.soft}"

    @classmethod
    def of(cls, wish: str | DeviceSpec | None, soft: bool) -> Placement:
        """What an option of a function, or a session's configuration, asks for."""
        return cls("" if wish is None else spec_of(wish).to_string(), bool(soft))

    def here(self) -> Placement:
        """The same within the contexts that are open in plain code."""
        outer = wished_in_plain_code()
        if outer == DeviceSpec():
            return self
        return Placement(outer.make_merged_spec(spec_of(self.device)).to_string(), self.soft)


ANYWHERE = Placement()


def list_devices() -> list[str]:
    """The full names of the devices that operations can be placed on.

    ``CPU:0`` runs everything; ``JIT_CPU:0`` is the same processor, and compiles everything that is placed
    there. ``GPU:n`` and ``JIT_GPU:n`` are there for each GPU that is usable.

    Returns:
        A new list of strings.

    Example::

        assert js.list_devices()[0] == "/job:localhost/replica:0/task:0/device:CPU:0"
    """
    count = gpu_count()
    return [
        *host_devices(),
        *(f"{HERE}GPU:{number}" for number in range(count)),
        *(f"{HERE}JIT_GPU:{number}" for number in range(count)),
    ]


def is_simulated() -> bool:
    """Whether Numba simulates a GPU in this process; it looks at the environment when it is imported."""
    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")


@lru_cache(maxsize=1)
def gpu_count() -> int:
    """How many GPUs are usable; asked once in a process.

    Usable is what numba-cuda compiles for: with a version of NumPy that is new to it, it may not.
    """
    if is_simulated():
        return 1
    if find_spec("numba_cuda") is None:
        return 0
    try:
        from numba import cuda

        if not cuda.is_available():
            return 0
        cuda.jit("void(int64)")(_nothing)
        return len(cuda.gpus)
    except Exception as error:  # a broken driver is no reason to stop a program that can run without
        note("fallback", f"no GPU is used: {type(error).__name__}: {error}")
        return 0


def _nothing(place: int) -> None:
    pass


def placement_of(graph: Graph) -> list[str]:
    """Where the named operations of a graph run: ``name: (op): device``, the device in full."""
    nodes = [n for n in walk(graph.body) if n.op not in (*ENDINGS, "cluster") and "name" in n.attrs]
    return [f"{n.attrs['name']}: ({n.op}): {device_of(n) or HERE + 'CPU:0'}" for n in nodes]


def tell_placement(graph: Graph) -> None:
    """Print `placement_of` on stderr, as TensorFlow's ``log_device_placement`` does."""
    for line in placement_of(graph):
        tell(line)


def relied_on(graph: Graph) -> int | None:
    """How many GPUs there were, if a graph after its passes would be another with more or less of them."""
    wishes = any(device_of(node) or DISPLACED in node.attrs for node in walk(graph.body))
    return gpu_count() if wishes else None


def holds(gpus: int | None) -> bool:
    """Whether what `relied_on` found holds on this machine."""
    return gpus is None or gpus == gpu_count()
