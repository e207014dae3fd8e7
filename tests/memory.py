"""How much memory this process has."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest

PAGE = 4096
needs_statm = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads Linux's figures")


def resident() -> float:
    """Megabytes in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1e6


def growth(action: Callable[[], None], times: int) -> float:
    """By how many megabytes the process grows while `action` runs that often."""
    gc.collect()
    before = resident()
    for _ in range(times):
        action()
    gc.collect()
    return resident() - before
