"""Work that compiled code takes over for sure, beside what a test is about."""

from __future__ import annotations

from typing import Any


def work(x: Any) -> Any:
    """A recurrence along an array."""
    s = 0.0
    for i in range(len(x)):
        s = s * 0.5 + x[i]
    return s
