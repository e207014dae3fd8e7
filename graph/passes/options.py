"""What passes may be told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """`jit_level`: ``on`` compiles all that isn't forbidden, ``off`` only what stands in a ``jit_scope``."""

    jit_level: str = "on"
