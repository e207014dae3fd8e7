"""What passes may be told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..trace.devices import host_devices


@dataclass(frozen=True, slots=True)
class Options:
    """What passes may be told.

    Attributes:
        jit_level: ``on`` compiles all that isn't forbidden, ``off`` only what stands in a ``jit_scope``.
        min_cluster_size: the fewest operations of a cluster that nobody asked for; None weighs them.
        devices: gives the full names of the devices that are there; asked only if a node wishes for one.
        soft_placement: what wishes for a device that is not there runs on the CPU.
        verify: after each pass the graph is verified.
    """

    jit_level: str = "on"
    devices: Callable[[], Sequence[str]] = host_devices
    soft_placement: bool = False
    min_cluster_size: int | None = None
    verify: bool = False
