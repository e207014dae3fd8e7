"""A call that starts again as plain Python leaves out what compiled code has printed for it already."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from .skipped import skipped

Again = Callable[..., object]


class _Leaving:
    """Standard output without the next texts of one thread; those of others are written."""

    def __init__(self, stream: TextIO, texts: int) -> None:
        self.stream = stream
        self.left = texts
        self.thread = threading.get_ident()

    def write(self, text: str) -> object:
        if self.left and threading.get_ident() == self.thread:
            self.left -= 1
            return len(text)
        return self.stream.write(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


@contextmanager
def leaving_out(texts: int) -> Iterator[None]:
    """What this thread prints next is left out, so many texts of it."""
    stream = sys.stdout
    if not texts or stream is None:
        yield
        return
    leaving = sys.stdout = _Leaving(stream, texts)
    try:
        yield
    finally:
        if sys.stdout is leaving:
            sys.stdout = stream


@skipped
def after_prints(again: Again) -> Again:
    """For code that prints: called with how many texts have been written since the call began."""

    def first(fault: BaseException, texts: int, *values: object) -> object:
        with leaving_out(texts):
            return again(fault, *values)

    return first
