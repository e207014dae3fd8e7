"""The disk cache: one folder for each specialisation, written once, verified before use.

::

    <cache>/<function>-<key>/<variant>/
        <function>.py       the generated module
        __pycache__/        Numba's machine code
        manifest.json       what the key was made of, the recipe of the entry function, checksums of all files

Nothing here raises: what can't be written stays in memory, what can't be trusted is built again.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .config import config, note
from .digest import FORMAT, digest

MANIFEST = "manifest.json"
_LARGEST = 64 << 20
_told: set[str] = set()


class Damaged(Exception):
    """An entry of the cache that can't be used; the message says why."""


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
        for name, wanted in self.body["files"].items():
            if digest(_read(self.folder / name)) != wanted:
                raise Damaged(f"{name} has been changed")
        return _read(self.module_path).decode("utf-8")


def find(name: str, key: str) -> Iterator[Stored]:
    """The entries under `key`; what is damaged is left out and told."""
    if not config.cache_dir:
        return
    above = Path(config.cache_dir) / f"{name}-{key}"
    try:
        _check_owner(above)
        variants = sorted(entry for entry in os.listdir(above) if not entry.startswith("."))
    except (OSError, Damaged) as error:
        if not isinstance(error, FileNotFoundError):
            note("cache", f"{above} is not used: {error}")
        return
    for variant in variants:
        try:
            yield _open(above / variant, key)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, Damaged) as error:
            note("cache", f"{above / variant} is not used: {error}")


def _open(folder: Path, key: str) -> Stored:
    _check_owner(folder)
    manifest = json.loads(_read(folder / MANIFEST))
    body = manifest["body"]
    if digest(_canonical(body)) != manifest["digest"]:
        raise Damaged("its manifest has been changed")
    if body["format"] != FORMAT or body["key"] != key:
        raise Damaged("it was made for another key")
    return Stored(folder, body)


def _read(path: Path) -> bytes:
    """The bytes of a plain file of ours."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            raise Damaged(f"{path.name} is not a plain file")
        _check_status(status, path.name)
        return file.read()


def _check_owner(folder: Path) -> None:
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode):
        raise Damaged("it is not a folder")
    _check_status(status, folder.name)


def _check_status(status: os.stat_result, name: str) -> None:
    """Only we (or root) may have written it, and may write it."""
    if not hasattr(os, "geteuid"):
        return
    if status.st_uid not in (os.geteuid(), 0):
        raise Damaged(f"{name} belongs to somebody else")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise Damaged(f"others may write {name}")


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
            root.mkdir(parents=True, exist_ok=True, mode=0o700)
            mode = root.stat().st_mode
            if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
                raise Damaged("everybody may move what is in it")
            return cls(Path(tempfile.mkdtemp(prefix=".new-", dir=root)))
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
                path.chmod(0o700 if path.is_dir() else 0o600)
                if path.is_file():
                    files[path.relative_to(self.folder).as_posix()] = digest(path.read_bytes())
            full = {**body, "format": FORMAT, "key": key, "files": files}
            manifest = self.folder / MANIFEST
            manifest.write_text(json.dumps({"digest": digest(_canonical(full)), "body": full}, indent=1))
            manifest.chmod(0o600)
            above = self.folder.parent / f"{name}-{key}"
            above.mkdir(mode=0o700, exist_ok=True)
            return self._move(above / variant, key)
        except (OSError, ValueError, TypeError) as error:
            _tell_once(f"{name} is not kept on disk: {error}")
            self.drop()
            return None

    def _move(self, place: Path, key: str) -> Path:
        assert self.folder is not None
        try:
            os.rename(self.folder, place)
        except OSError:
            try:
                # Another process was faster: its entry is as good as ours.
                _open(place, key).text()
                self.drop()
            except (OSError, ValueError, KeyError, TypeError, Damaged):
                self._replace(place)
        self.folder = None
        return place

    def _replace(self, place: Path) -> None:
        """Put the draft where a damaged entry is."""
        assert self.folder is not None
        away = self.folder.with_name(self.folder.name + "-old")
        if place.exists() or place.is_symlink():
            os.rename(place, away)
        os.rename(self.folder, place)
        if away.is_dir() and not away.is_symlink():
            shutil.rmtree(away, ignore_errors=True)
        else:
            away.unlink(missing_ok=True)

    def drop(self) -> None:
        """Remove the draft."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None


def _canonical(body: Mapping[str, Any]) -> str:
    return json.dumps(body, sort_keys=True, separators=(",", ":"))


def _tell_once(message: str) -> None:
    if message not in _told:
        _told.add(message)
        note("cache", message)
