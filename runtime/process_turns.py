"""Turns: of several processes that want the same entry of the cache, one makes it and the others wait for it.

A turn is a lock of the operating system on a file in the folder of the entry, so it ends when its holder
does, however that ends. Nothing depends on it but time: who has waited long enough, whose file system knows
no locks or who can't write to the cache, goes on without.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .cache_limit import TURN
from .config import note
from .signals import waiting
from .trusted import Damaged, make_folder, make_root, opened

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LONGEST = 20.0
"""Seconds that are waited for another process: it may have been stopped."""
_SHORTEST_LOOK, _LONGEST_LOOK = 0.002, 0.05
_FRUITFUL = b"+"
_open: set[int] = set()


class EntryTurn:
    """A turn at making what belongs into `place`."""

    def __init__(self, place: Path, handle: int | None) -> None:
        self._place = place
        self._handle = handle
        self._until = time.monotonic() + LONGEST
        self._holds = False
        self.in_vain = False
        """Whether the one who had the turn before could not make it either."""
        self.fruitful = False
        """Whether this one has made it."""

    def wait(self) -> bool:
        """Take the turn; True if another process has had it meanwhile: what it has made may be of use."""
        if self._take():
            return False
        note("cache", f"{self._place} is being made by another process")
        pause = _SHORTEST_LOOK
        while not self._take():
            if time.monotonic() > self._until:
                note("cache", f"{self._place} is not waited for any longer")
                return False
            time.sleep(pause)
            waiting.checkpoint()  # Ctrl-C ends the wait
            pause = min(2 * pause, _LONGEST_LOOK)
        if self._handle is None:
            return False
        self.in_vain = self._was_in_vain()
        self._free()  # the others may look, too
        return True

    def _take(self) -> bool:
        """Whether the turn is ours now, or there are no turns."""
        if self._handle is None:
            return True
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # no locks in this file system
            self._handle = None
            return True
        self._holds = True
        return True

    def _free(self) -> None:
        assert self._handle is not None
        fcntl.flock(self._handle, fcntl.LOCK_UN)
        self._holds = False

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
                with suppress(OSError):  # unsaid, it is in vain: then nobody waits for the next one
                    os.pwrite(self._handle, _FRUITFUL, 0)
            with suppress(OSError):
                self._unlink()
            with suppress(OSError):
                self._free()
        with suppress(OSError):
            self._place.rmdir()  # if there is nothing in it

    def _unlink(self) -> None:
        """Remove the file of the turn, unless it is the next one's by now."""
        assert self._handle is not None
        file = self._place / TURN
        if os.path.samestat(os.lstat(file), os.fstat(self._handle)):
            file.unlink()


@contextmanager
def turn(place: Path) -> Iterator[EntryTurn]:
    """A turn at making what belongs into the folder `place` of a cache, to be waited for inside."""
    handle = None if _open or fcntl is None else _opened(place)  # who has one waits for no other
    if handle is None:
        yield EntryTurn(place, None)
        return
    _open.add(handle)
    mine = EntryTurn(place, handle)
    try:
        yield mine
    finally:
        if handle in _open:  # not in a child that was forked meanwhile
            mine.end()
            _open.discard(handle)
            os.close(handle)


def _opened(place: Path) -> int | None:
    """The file whose lock is the turn."""
    try:
        make_root(place.parent)
        make_folder(place, place.with_name(f".new-{os.getpid()}-{place.name}-old"))
        return opened(place / TURN, os.O_RDWR | os.O_CREAT)
    except (OSError, Damaged):
        return None


def _forget() -> None:
    """In a child: the turns are the parent's, and end with it though the child goes on."""
    for handle in _open:
        with suppress(OSError):
            os.close(handle)
    _open.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
