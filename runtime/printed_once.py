"""A call that starts again as plain Python leaves out what compiled code has printed for it already."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from .skipped import skipped

Again = Callable[..., object]


class _Left(threading.local):
    """How many of its next texts a thread leaves out, and how many calls have started again in each other."""

    texts = 0
    calls = 0


class _Leaving:
    """Standard output, without the texts that threads leave out.

    There is one for good: CPython's `print` doesn't hold `sys.stdout` while it writes, and would write to
    what is gone if another thread put back the one before.
    """

    def __init__(self) -> None:
        self.stream: TextIO | None = None
        self.users = 0
        self.left = _Left()
        self.lock = threading.Lock()

    def begin(self) -> None:
        """Stand in the place of the stream."""
        with self.lock:
            self.users += 1
            if sys.stdout is not self:
                self.stream, sys.stdout = sys.stdout, self

    def end(self) -> None:
        """Put the stream back, unless another thread still needs this one."""
        with self.lock:
            self.users -= 1
            if not self.users and sys.stdout is self and self.stream is not None:
                sys.stdout = self.stream

    def write(self, text: str) -> object:
        """Write the text, or leave it out."""
        if self.left.texts:
            self.left.texts -= 1
            return len(text)
        assert self.stream is not None
        return self.stream.write(text)

    def flush(self) -> None:
        """Flush what was written."""
        if not self.left.texts and self.stream is not None:
            self.stream.flush()

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


_LEAVING = _Leaving()


@contextmanager
def leaving_out(texts: int) -> Iterator[None]:
    """What this thread prints next is left out, so many texts, besides those of a call around this one."""
    if not texts or sys.stdout is None:
        yield
        return
    left = _LEAVING.left
    _LEAVING.begin()
    left.texts += texts
    left.calls += 1
    try:
        yield
    finally:
        left.calls -= 1
        if not left.calls:
            left.texts = 0
        _LEAVING.end()


@skipped
def after_prints(again: Again) -> Again:
    """For code that prints: called with how many texts have been written since the call began."""

    def first(fault: BaseException, texts: int, *values: object) -> object:
        with leaving_out(texts):
            return again(fault, *values)

    return first
