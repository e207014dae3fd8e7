"""Entries of the disk cache, sent to another machine or process."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..runtime.config import config, note
from ..runtime.trusted import make_root

Entries = Mapping[str, bytes]
"""The files of entries, by their path in the cache."""


def packed(functions: Iterable[Any]) -> Entries:
    """What is on disk of the specialisations of decorated functions."""
    entries: dict[str, bytes] = {}
    for function in functions:
        for found in function.specializations:
            if found.path:
                entries |= _files(Path(found.path).parent)
    return entries


def _files(folder: Path) -> dict[str, bytes]:
    root = folder.parent.parent
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


def unpack(entries: Entries) -> int:
    """Put entries where this process looks for them, and say how many were missing."""
    if not config.cache_dir or not entries:
        return 0
    root = Path(config.cache_dir)
    make_root(root)
    folders: dict[str, dict[str, bytes]] = {}
    for name, data in entries.items():
        entry, variant, rest = name.split("/", 2)
        folders.setdefault(f"{entry}/{variant}", {})[rest] = data
    return sum(_put(root / folder, files) for folder, files in folders.items())


def _put(place: Path, files: Entries) -> bool:
    """One entry, in one step: nobody reads a half of it. Its checksums are compared when it is used."""
    if place.exists():
        return False
    draft = Path(tempfile.mkdtemp(prefix=".sent-", dir=place.parent.parent))
    try:
        for name, data in files.items():
            path = draft / name
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(0o600)
        place.parent.mkdir(mode=0o700, exist_ok=True)
        os.rename(draft, place)
    except OSError as error:
        note("cache", f"{place} can't be written: {error}")
        shutil.rmtree(draft, ignore_errors=True)
        return False
    return True
