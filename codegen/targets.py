"""The machines that clusters are compiled for: each cluster goes to the first that takes it."""

from __future__ import annotations

from ..graph.ir.nodes import Node
from .cuda.target import CUDA
from .target import CPU, Target

TARGETS: tuple[Target, ...] = (CUDA, CPU)


def target_of(cluster: Node) -> Target:
    """Where a cluster runs, if it has a kernel there."""
    return next(target for target in TARGETS if target.takes(cluster))
