"""Turns: of several processes that want the same entry of the cache, one makes it and the others wait for it.

A turn is a lock of the operating system on a file in the folder of the entry, so it ends when its holder
does, however that ends. Nothing depends on it but time: who has waited long enough, whose file system knows
no locks or who can't write to the cache, goes on without.

Who waits holds nothing, no turn of another entry and not the one of `turns.py` either, so that other threads
prepare, forks pass and signals are handled meanwhile::

    patiently(lambda may_wait:              # 3. again: it is there now, or it is our turn
        prepare(lambda: ...
            with turn(place, may_wait):     # 1. raises MadeElsewhere
                ...))                       # 2. patiently waits
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from .cache_limit import TURN
from .config import note
from .trusted import Damaged, make_folder, make_root, opened

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

T = TypeVar("T")

LONGEST = 20.0
"""Seconds that are waited for another process, which may have been stopped; then for none any more."""
_SHORTEST_LOOK, _LONGEST_LOOK = 0.002, 0.05
_FRUITFUL = b"+"


@dataclass
class Patience:
    """Whether this process still waits for others: of several that were stopped it waits for one."""

    over: bool = False


patience = Patience()


class MadeElsewhere(Exception):
    """Another process has the turn at what is wanted; it can be waited for with `turn`."""

    def __init__(self, turn: EntryTurn) -> None:
        super().__init__("another process makes it")
        self.turn = turn


class EntryTurn:
    """A turn at making what belongs into `place`."""

    def __init__(self, place: Path, handle: int | None) -> None:
        self._place = place
        self._handle = handle
        self._holds = False
        self.fruitful = False
        """Whether what belongs there has been made."""
        if handle is not None:
            _open.add(self)

    def take(self) -> bool:
        """Whether the turn is ours now, or there are no turns."""
        if self._handle is None:
            return True
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass  # no locks in this file system: everybody has the turn
        self._holds = True
        return True

    def wait(self) -> bool:
        """Wait until the process that has it lets go; whether what it has made may be of use."""
        note("cache", f"{self._place} is being made by another process")
        waited, pause = 0.0, _SHORTEST_LOOK
        while not self.take():
            if patience.over or waited > LONGEST:
                patience.over = True
                note("cache", f"{self._place} is not waited for any longer")
                return False
            time.sleep(pause)
            waited += pause  # not by the clock: where all were stopped together, nobody is late
            pause = min(2 * pause, _LONGEST_LOOK)
        return self._holds and not self._was_in_vain()

    def _was_in_vain(self) -> bool:
        """Whether who has ended its turn had nothing to show; who was killed in it has left the file."""
        assert self._handle is not None
        try:
            return not os.fstat(self._handle).st_nlink and os.pread(self._handle, 1, 0) != _FRUITFUL
        except OSError:
            return True

    def end(self) -> None:
        """Let the next one look; each step for itself, as the disk may be full."""
        if self._handle is None:
            return
        if self._holds:
            if self.fruitful:
                self._write_down()
            with suppress(OSError):
                self._unlink()
        self.close()
        with suppress(OSError):
            self._place.rmdir()  # if there is nothing in it

    def close(self) -> None:
        """Let go of the turn as if nothing had happened, or of the wait for it."""
        if self._handle is None:
            return
        if self._holds:  # in a child that was forked meanwhile the lock would outlast our handle
            with suppress(OSError):
                fcntl.flock(self._handle, fcntl.LOCK_UN)
        self.forget()

    def forget(self) -> None:
        """Close the file and leave the lock to whoever has it."""
        assert self._handle is not None
        _open.discard(self)
        os.close(self._handle)
        self._handle, self._holds = None, False

    def _write_down(self) -> None:
        """Say that it has been made; where that can't be said the others don't wait one after the other."""
        assert self._handle is not None
        with suppress(OSError):
            os.pwrite(self._handle, _FRUITFUL, 0)

    def _unlink(self) -> None:
        """Remove the file of the turn, unless it is the next one's by now."""
        assert self._handle is not None
        file = self._place / TURN
        if os.path.samestat(os.lstat(file), os.fstat(self._handle)):
            file.unlink()


_open: set[EntryTurn] = set()


@contextmanager
def turn(place: Path, may_wait: bool = True) -> Iterator[EntryTurn]:
    """A turn at making what belongs into the folder `place` of a cache.

    Raises:
        MadeElsewhere: another process has it, and that is to be waited for.
    """
    mine = EntryTurn(place, _opened(place))
    if not mine.take() and may_wait and not patience.over:
        raise MadeElsewhere(mine)
    try:
        yield mine
    finally:
        mine.end()


def patiently(work: Callable[[bool], T]) -> T:
    """Do `work(may_wait)`; where another process makes what it wants, wait for that and do it again."""
    may_wait = True
    while True:
        try:
            return work(may_wait)
        except MadeElsewhere as elsewhere:
            other = elsewhere.turn
        try:
            may_wait = other.wait()
        finally:
            other.close()


def _opened(place: Path) -> int | None:
    """The file whose lock is the turn."""
    if fcntl is None:
        return None
    try:
        make_root(place.parent)
        make_folder(place, place.with_name(f".new-{os.getpid()}-{place.name}-old"))
        return opened(place / TURN, os.O_RDWR | os.O_CREAT)
    except (OSError, Damaged):
        return None


def _forget() -> None:
    """In a child: the turns are the parent's, and end with it though the child goes on."""
    for one in list(_open):
        one.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
