"""Locks that a forked child and a signal handler can take.

A child has no thread but the one that forked: what another thread held at that moment would never be released
in the child, so it gets these locks back open. A signal handler may run in the middle of what its own thread
does under a lock, so that all of them may be taken again by their owner.
"""

from __future__ import annotations

import os
import threading
from typing import Any
from weakref import WeakSet

_made: WeakSet[Any] = WeakSet()


def new_lock() -> Any:
    """A `threading.RLock` that is open in a child, unless the thread that forks holds it itself."""
    made = threading.RLock()
    _made.add(made)
    return made


def renew(lock: Any) -> None:
    """Open `lock`, if a thread that is gone holds it."""
    if not lock._is_owned():
        lock._at_fork_reinit()


def _renew_all() -> None:
    for lock in list(_made):
        renew(lock)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)
