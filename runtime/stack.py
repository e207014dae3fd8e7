"""Room on Python's stack while a first call is prepared, wherever the call stands."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ..graph.trace.budget import FRAMES
from .garbage import rare_collections

_EDGE = 50
"""Nearer than this to the user's limit nothing is changed: Python sets no limit below what is in use."""


@contextmanager
def preparing() -> Iterator[None]:
    """While a first call is prepared."""
    with rare_collections(), room_for_recursion():
        yield


@contextmanager
def room_for_recursion() -> Iterator[None]:
    """Allow `FRAMES` more frames inside; afterwards the limit is the user's again."""
    before, depth = sys.getrecursionlimit(), _depth()
    wanted = depth + FRAMES
    if before >= wanted or before < depth + _EDGE:
        yield
        return
    sys.setrecursionlimit(wanted)
    try:
        yield
    finally:
        if sys.getrecursionlimit() == wanted:
            sys.setrecursionlimit(before)


def _depth() -> int:
    frame: FrameType | None = sys._getframe()
    count = 0
    while frame is not None:
        count, frame = count + 1, frame.f_back
    return count
