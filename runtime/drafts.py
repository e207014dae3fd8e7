"""Files that are there whole or not at all: written beside their place, then put there."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import get_ident


@contextmanager
def draft(path: Path) -> Iterator[Path]:
    """A file in the folder of `path` that becomes `path` when the block ends; gone if that raises.

    Behind links it takes the place of what they lead to. Devices and pipes are written to as they are.

    Raises:
        OSError: no file can be written there.
    """
    check_place(path)
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        yield path
        return
    made = path.with_name(f".{os.getpid()}-{get_ident()}{path.suffix}")
    made.touch()
    try:
        yield made
        os.replace(made, path)
    finally:
        made.unlink(missing_ok=True)


def check_place(path: Path) -> None:
    """Make the folders above `path`.

    Raises:
        OSError: a file can't be written there.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "a file is to be written here, but it is a folder", str(path))
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, "nothing may be written in this folder", str(path.parent))
