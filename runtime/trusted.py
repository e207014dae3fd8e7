"""Files and folders that only we (or root) may have written. What others could have planted is not used.

Links are not followed: a folder that others may write to could hold one that leads to a file of ours.
"""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

_LARGEST = 64 << 20


class Damaged(Exception):
    """Something in the cache that can't be used; the message says why."""


def read(path: Path) -> bytes:
    """The bytes of a plain file of ours."""
    with os.fdopen(opened(path, os.O_RDONLY), "rb") as file:
        if os.fstat(file.fileno()).st_size > _LARGEST:
            raise Damaged(f"{path.name} is too large")
        return file.read()


def opened(path: Path, flags: int) -> int:
    """The handle of a plain file of ours, which may be made; nothing that stands in its place is waited for.

    Raises:
        OSError: it can't be opened.
        Damaged: it is a pipe, a second name of another file, or somebody else's.
    """
    handle = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o600)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise Damaged(f"{path.name} is not a plain file")
        if flags & (os.O_WRONLY | os.O_RDWR) and status.st_nlink > 1:
            raise Damaged(f"{path.name} is another file's second name")
        _check_status(status, path.name)
    except BaseException:
        os.close(handle)
        raise
    return handle


def check_folder(folder: Path) -> None:
    """Raise an error unless `folder` is a folder, no link, that only we may write to."""
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


def make_root(root: Path) -> None:
    """Make the folder of the cache, or see whether it is one."""
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    check_root(root)


def check_root(root: Path) -> None:
    """Raise an error if others may move what is in `root`: between two looks they could put theirs there.

    A link to it must be ours, too, or root's.
    """
    status = root.stat()
    if not hasattr(os, "geteuid"):
        return
    for owner in (status.st_uid, os.lstat(root).st_uid):
        if owner not in (os.geteuid(), 0):
            raise Damaged(f"{root} belongs to somebody else")
    if status.st_mode & stat.S_ISVTX:
        return  # what is in it is moved by its owner alone
    if status.st_mode & stat.S_IWOTH:
        raise Damaged(f"everybody may move what is in {root}")
    if status.st_mode & stat.S_IWGRP and not _is_own_group(status.st_gid):
        raise Damaged(f"its group may move what is in {root}")


def _is_own_group(number: int) -> bool:
    """Whether a group is the one that many systems give each user alone, with folders of mode 0775."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    return (user.pw_gid, user.pw_name) == (number, group.gr_name) and set(group.gr_mem) <= {user.pw_name}


def make_folder(place: Path, aside: Path) -> None:
    """Make the folder `place`, for us alone; anything else that stands there is removed, by way of `aside`.

    Raises:
        OSError: that can't be done.
        Damaged: it is a folder of somebody else's.
    """
    try:
        place.mkdir(mode=0o700)
    except FileExistsError:
        status = os.lstat(place)
        if not stat.S_ISDIR(status.st_mode):
            os.rename(place, aside)
            place.mkdir(mode=0o700)
            remove(aside)
        elif hasattr(os, "geteuid") and status.st_uid == os.geteuid():
            keep_for_us(place)  # what others may have put there is looked at file by file
        check_folder(place)


def keep_for_us(path: Path) -> None:
    """Let nobody else read or write a file or folder; one that a link leads to stays as it is."""
    if not hasattr(os, "fchmod"):
        path.chmod(0o700 if path.is_dir() else 0o600)
        return
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        os.fchmod(handle, 0o700 if stat.S_ISDIR(os.fstat(handle).st_mode) else 0o600)
    finally:
        os.close(handle)


def remove(path: Path) -> None:
    """Remove a folder with all that is in it, or what stands in the place of one; links are not followed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
