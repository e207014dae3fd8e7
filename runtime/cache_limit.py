"""What leaves the cache: drafts of processes that are gone, and what was used least recently once it is full.

Only who writes looks after that, so reading costs nothing: the first write of a process looks for drafts,
each eighth of the limit for the size. How much was written since the last look is the length of a file to
which all processes append; where somebody else has put something in its place each process counts for
itself. An entry that is removed while somebody reads it looks like a damaged one: it is
made again.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .config import note
from .trusted import Damaged, opened, remove

DRAFT = ".new-"
"""How the names of drafts begin; the number of their process follows."""
TURN = ".turn"
"""The file beside the entries under a key whose lock is the turn at making one."""
_WRITTEN = ".written-"
_KEYED = re.compile(r"\w+-[0-9a-f]{16}", re.ASCII)
_VARIANT = re.compile(r"[0-9a-f]{16}")
"""What the folders of keys and of entries are called: the user may have named a folder that holds others."""
_BLOCK = 4096
_OLD = 3600.0
"""Seconds after which a draft is removed whose process is not here; in a container it could be elsewhere."""
_DEAD = 24 * _OLD
"""Seconds after which it is removed though there is a process of that number."""
_looked: set[Path] = set()
_blocks: dict[Path, int] = {}
"""What this process has written since its last look, at roots where the file can't be used."""


@dataclass(frozen=True, order=True)
class Kept:
    """An entry: when it was used last, its size in bytes, its folder."""

    used: float
    size: int
    folder: Path


def wrote(root: Path, size: int, limit: int) -> None:
    """`size` bytes have been written to the cache at `root`, which may hold `limit` bytes (0: any)."""
    with suppress(OSError):
        if root not in _looked:
            _looked.add(root)
            _collect_drafts(root)
        if limit and _is_time_to_look(root, size, limit):
            prune(root, limit)


def _collect_drafts(root: Path) -> None:
    """Remove the drafts of processes that were killed."""
    with os.scandir(root) as found:
        drafts = [entry for entry in found if entry.name.startswith(DRAFT)]
    for entry in drafts:
        with suppress(OSError):
            age = _age(entry.path)
            if age > _DEAD or (
                age > _OLD and not _is_running(entry.name.removeprefix(DRAFT).partition("-")[0])
            ):
                remove(Path(entry.path))
                note("cache", f"{entry.path} was left by a process that is gone, and is removed")


def _is_running(number: str) -> bool:
    if not number.isdigit():
        return False
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # somebody else's
        return True
    return True


def _is_time_to_look(root: Path, size: int, limit: int) -> bool:
    """Whether an eighth of the limit has been written since the last look, by whomever."""
    count = 1 + size // _BLOCK
    try:
        before, after = _append(_counter(root, limit), count)
    except (OSError, Damaged):
        before = _blocks.get(root, 0)
        after = _blocks[root] = before + count
    return not before or after * _BLOCK > limit // 8


def _append(path: Path, count: int) -> tuple[int, int]:
    """Make the file longer by so many bytes; how long it was and is."""
    handle = opened(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        before = os.fstat(handle).st_size
        os.write(handle, b"." * count)
        return before, os.fstat(handle).st_size
    finally:
        os.close(handle)


def _counter(root: Path, limit: int) -> Path:
    """Where is counted what we have written under this limit."""
    return root / f"{_WRITTEN}{_us()}-{limit}"


def _us() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0


def prune(root: Path, limit: int) -> None:
    """Remove the entries that were used least recently, until a quarter of the limit is free again."""
    _count_anew(root, limit)
    entries = sorted(entries_of(root))
    total, count = sum(entry.size for entry in entries), 0
    if total <= limit * 7 // 8:
        return
    for entry in entries:
        if total <= limit * 3 // 4:
            break
        with suppress(OSError):
            _remove_entry(root, entry.folder)
            total, count = total - entry.size, count + 1
    note("cache", f"{root}: {count} entries removed, {total / 1e6:.1f} of {limit / 1e6:.1f} MB are in use")


def _count_anew(root: Path, limit: int) -> None:
    """Nothing has been written since this look."""
    _blocks[root] = 1
    for name in os.listdir(root):
        if name.startswith(f"{_WRITTEN}{_us()}-"):
            with suppress(OSError):  # somebody else's
                remove(root / name)
    with suppress(OSError, Damaged):
        _append(_counter(root, limit), 1)


def entries_of(root: Path) -> Iterator[Kept]:
    """All entries of ours; keys without any leave."""
    for above in _folders(root, _KEYED):
        empty = True
        for folder in _folders(Path(above.path), _VARIANT):
            empty = False
            with suppress(OSError):  # another process has removed it
                if folder.stat(follow_symlinks=False).st_uid == _us():
                    yield _measured(folder)
        with suppress(OSError):
            if empty and _age(above.path) > _OLD:
                _collect_key(Path(above.path))


def _folders(place: Path, called: re.Pattern[str]) -> Iterator[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(place) as found:
        yield from (e for e in found if called.fullmatch(e.name) and e.is_dir(follow_symlinks=False))


def _collect_key(above: Path) -> None:
    """Remove the folder of a key without entries, with a turn that a killed process left there long ago."""
    with suppress(OSError):
        if _age(above / TURN) > _OLD:
            (above / TURN).unlink()
    with suppress(OSError):  # there is something else in it
        above.rmdir()


def _age(path: str | Path) -> float:
    return time.time() - os.lstat(path).st_mtime


def _measured(folder: os.DirEntry[str]) -> Kept:
    size, used = 0, folder.stat(follow_symlinks=False).st_mtime
    for place, _, names in os.walk(folder.path):
        for name in names:
            status = os.lstat(os.path.join(place, name))
            size += status.st_size
            if name.endswith(".json"):
                used = status.st_mtime
    return Kept(used, size, Path(folder.path))


def _remove_entry(root: Path, folder: Path) -> None:
    """At once for whoever reads it: the folder is moved away first."""
    above = folder.parent
    away = root / f"{DRAFT}{os.getpid()}-{above.name}-{folder.name}"
    os.rename(folder, away)
    remove(away)
    _collect_key(above)
