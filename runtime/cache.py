"""The disk cache: one folder for each specialisation, written once, verified before use.

::

    <cache>/<function>-<key>/<variant>/
        <function>.py       the generated module
        <kernel>.o          its machine code, see `kernel_objects.py`
        __pycache__/        the same as Numba keeps it
        manifest.json       what the key was made of, the recipe of the entry function, checksums of all files

Nothing here raises: what can't be written stays in memory, what can't be trusted is built again.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .cache_limit import DRAFT, wrote
from .config import config, note
from .digest import FORMAT, digest
from .trusted import Damaged, check_folder, check_root, keep_for_us, make_folder, make_root, read, remove

MANIFEST = "manifest.json"
UNUSABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, Damaged)
"""What reading an entry may raise that was not written by us, or not to its end."""
_RECENTLY = 3600.0
"""The time at which an entry was used last is kept this exactly, in seconds."""
_told: set[str] = set()


@dataclass(frozen=True)
class Stored:
    """An entry on disk: its folder and the body of its manifest."""

    folder: Path
    body: dict[str, Any]

    @property
    def module_path(self) -> Path:
        return self.folder / self.body["module"]

    def text(self) -> str:
        """The module's text, after every file of the entry has been compared with its checksum."""
        files = {name: self.read(name) for name in self.body["files"]}
        return files[self.body["module"]].decode("utf-8")

    def read(self, name: str) -> bytes:
        """The bytes of a file of the entry, compared with its checksum."""
        data = read(self.folder / name)
        if digest(data) != self.body["files"].get(name):
            raise Damaged(f"{name} has been changed")
        return data

    def used(self) -> None:
        """Keep that it has been used now: what has not been for long leaves first."""
        manifest = self.folder / MANIFEST
        with suppress(OSError):  # a cache that can only be read
            if time.time() - os.lstat(manifest).st_mtime > _RECENTLY:
                os.utime(manifest, follow_symlinks=False)


def find(name: str, key: str) -> Iterator[Stored]:
    """The entries under `key`; what is damaged is left out and told."""
    if not config.cache_dir:
        return
    above = place_of(name, key)
    try:
        check_root(above.parent)
        check_folder(above)
        variants = sorted(entry for entry in os.listdir(above) if not entry.startswith("."))
    except (OSError, Damaged) as error:
        if not isinstance(error, FileNotFoundError):
            note("cache", f"{above} is not used: {error}")
        return
    for variant in variants:
        try:
            yield _open(above / variant, key)
        except UNUSABLE as error:
            note("cache", f"{above / variant} is not used: {error}")


def _open(folder: Path, key: str) -> Stored:
    check_folder(folder)
    manifest = json.loads(read(folder / MANIFEST))
    body = manifest["body"]
    if digest(_canonical(body)) != manifest["digest"]:
        raise Damaged("its manifest has been changed")
    if body["format"] != FORMAT or body["key"] != key:
        raise Damaged("it was made for another key")
    return Stored(folder, body)


class Draft:
    """A folder where a specialisation is built, then moved to its place; None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    @classmethod
    def start(cls) -> Draft:
        """A new folder in the cache, for us alone."""
        if not config.cache_dir:
            return cls(None)
        try:
            root = Path(config.cache_dir)
            make_root(root)
            return cls(Path(tempfile.mkdtemp(prefix=f"{DRAFT}{os.getpid()}-", dir=root)))
        except (OSError, Damaged) as error:
            _tell_once(f"{config.cache_dir} can't be used, nothing is kept on disk: {error}")
            return cls(None)

    def write(self, name: str, text: str) -> Path | None:
        """Write a file; from here on in memory only if that fails."""
        if self.folder is None:
            return None
        try:
            path = self.folder / name
            path.write_text(text, encoding="utf-8")
            return path
        except OSError as error:
            _tell_once(f"{self.folder} can't be written, nothing is kept on disk: {error}")
            self.drop()
            return None

    def publish(self, name: str, key: str, variant: str, body: Mapping[str, Any]) -> Path | None:
        """Add the manifest and move the folder to its place; returns the place."""
        if self.folder is None:
            return None
        try:
            files = {}
            for path in sorted(self.folder.rglob("*")):
                keep_for_us(path)
                if path.is_file():
                    files[path.relative_to(self.folder).as_posix()] = digest(path.read_bytes())
            full = {**body, "format": FORMAT, "key": key, "files": files}
            manifest = self.folder / MANIFEST
            manifest.write_text(json.dumps({"digest": digest(_canonical(full)), "body": full}, indent=1))
            keep_for_us(manifest)
            above, size = place_of(name, key), _size_of(self.folder)
            make_folder(above, self._aside)
            place = self._move(above / variant, key)
        except (OSError, ValueError, TypeError, Damaged) as error:
            self.give_up(name, error)
            return None
        wrote(above.parent, size, config.cache_limit)
        return place

    def _move(self, place: Path, key: str) -> Path:
        assert self.folder is not None
        try:
            os.rename(self.folder, place)
        except OSError:
            try:
                # Another process was faster: its entry is as good as ours.
                _open(place, key).text()
                self.drop()
            except UNUSABLE:
                self._replace(place)
        self.folder = None
        return place

    def _replace(self, place: Path) -> None:
        """Put the draft where a damaged entry is, or something that is none."""
        assert self.folder is not None
        away = self._aside
        if os.path.lexists(place):
            os.rename(place, away)
        os.rename(self.folder, place)
        remove(away)

    @property
    def _aside(self) -> Path:
        """A free name in the cache."""
        assert self.folder is not None
        return self.folder.with_name(self.folder.name + "-old")

    def give_up(self, name: str, error: Exception) -> None:
        """Remove the draft: from here on in memory only."""
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        _tell_once(f"{name} is not kept on disk: {reason}")
        self.drop()

    def drop(self) -> None:
        """Remove the draft."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None


def object_file(kernel: str) -> str:
    """The file of an entry that holds the machine code of a kernel for the linker."""
    return f"{kernel}.o"


def place_of(name: str, key: str) -> Path:
    """The folder of the entries under `key`."""
    return Path(config.cache_dir) / f"{name}-{key}"


def _size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*"))


def _canonical(body: Mapping[str, Any]) -> str:
    return json.dumps(body, sort_keys=True, separators=(",", ":"))


def _tell_once(message: str) -> None:
    if message not in _told:
        _told.add(message)
        note("cache", message)
