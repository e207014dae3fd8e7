"""Room on Python's stack: while a first call is prepared, and for compiled functions that call themselves."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ..graph.trace.budget import FRAMES
from ..graph.trace.locks import new_lock
from .garbage import rare_collections

_ATTRIBUTES = 256
"""Bytes for a `pthread_attr_t`, which has 56 on 64-bit Linux, 64 on 64-bit ARM."""

_EDGE = 50
"""Nearer than this to the user's limit nothing is changed: Python sets no limit below what is in use."""

_LEAST, _SHARE = 1 << 16, 4
"""What compiled functions that call themselves leave of a thread's stack: bytes, and one part of it."""


def calls_left() -> int:
    """How many more calls there may be before Python raises RecursionError."""
    return _limit_here() - _depth()


def stack_end() -> int:
    """The address down to which this thread's stack may be used; where it is unknown, one beyond all."""
    try:
        return _known.end
    except AttributeError:
        _known.end = _found_end()
        return _known.end


ROOMS = {"calls": calls_left, "end": stack_end}
"""The last step of a path to room on the stack: what finds it."""

_known = threading.local()


def _found_end() -> int:
    try:
        low, size = _whole_stack()
    except (OSError, AttributeError, TypeError):
        return sys.maxsize
    return low + max(_LEAST, size // _SHARE)


def _whole_stack() -> tuple[int, int]:
    """Where this thread's stack begins, at its low end, and how large it is, in bytes."""
    system, low, size = ctypes.CDLL(None), ctypes.c_void_p(), ctypes.c_size_t()
    thread = ctypes.c_void_p(threading.get_ident())
    if sys.platform == "darwin":
        top, bytes_ = system.pthread_get_stackaddr_np, system.pthread_get_stacksize_np
        top.restype, bytes_.restype = ctypes.c_void_p, ctypes.c_size_t
        return top(thread) - bytes_(thread), bytes_(thread)
    attributes = ctypes.create_string_buffer(_ATTRIBUTES)
    if system.pthread_getattr_np(thread, attributes):
        raise OSError("the thread's attributes are not known")
    system.pthread_attr_getstack(attributes, ctypes.byref(low), ctypes.byref(size))
    system.pthread_attr_destroy(attributes)
    return low.value or 0, size.value


@contextmanager
def preparing() -> Iterator[None]:
    """While a first call is prepared."""
    with rare_collections(), room_for_recursion():
        yield


@contextmanager
def room_for_recursion() -> Iterator[None]:
    """Allow `FRAMES` more frames inside; afterwards the limit is the user's again."""
    limit, depth = _limit_here(), _depth()
    wanted = depth + FRAMES
    if limit >= wanted or limit < depth + _EDGE:
        yield
        return
    with room_for_frames(wanted - limit):
        yield


@contextmanager
def room_for_frames(count: int) -> Iterator[None]:
    """Allow so many more frames inside, for those of ours that stand on the stack.

    The limit is that of all threads: each takes back what it has added. What the user sets meanwhile stays.
    """
    with _changing:
        started = _raised.by(count)
    _known.added = _added() + count
    try:
        yield
    finally:
        _known.added -= count
        with _changing:
            _raised.back(count, started)


class _Raised:
    """By how many `frames` all threads have raised the limit, to what; how often that `started` anew."""

    def __init__(self) -> None:
        self.frames = 0
        self.limit = 0
        self.started = 0

    def by(self, count: int) -> int:
        """Raise it; a number that `back` needs."""
        if self.limit != sys.getrecursionlimit():  # nobody has raised it since the user set it
            self.frames, self.started = 0, self.started + 1
        self._set(count)
        return self.started

    def back(self, count: int, started: int) -> None:
        """Lower it, unless the user has set it in between."""
        if started == self.started and self.limit == sys.getrecursionlimit():
            self._set(-count)

    def _set(self, count: int) -> None:
        limit = sys.getrecursionlimit() + count
        sys.setrecursionlimit(limit)
        self.limit = limit
        self.frames += count


_changing, _raised = new_lock(), _Raised()


def _limit_here() -> int:
    """The limit of this thread: the user's, and what it has added itself."""
    limit = sys.getrecursionlimit()
    others = _raised.frames - _added() if limit == _raised.limit else 0
    return limit - others


def _added() -> int:
    return getattr(_known, "added", 0)


def _depth() -> int:
    frame: FrameType | None = sys._getframe()
    count = 0
    while frame is not None:
        count, frame = count + 1, frame.f_back
    return count
