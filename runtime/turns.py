"""Who prepares code: one thread at a time, never twice in the same thread, and not across a fork.

Neither LLVM nor Numba can be entered a second time by the thread that is in them, as signal handlers,
``__del__`` and tracing functions would: such a call is told `Busy` and runs plain. A fork waits until nobody
prepares, so that the child finds all locks open and all tables whole. Where that takes too long the child
compiles nothing.
"""

from __future__ import annotations

import logging  # noqa: F401  (its hooks come before ours, see `Forks.let_pass`)
import os
import sys
import threading
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, TypeVar

from ..graph.trace.locks import renew
from .signals import imports, waiting

T = TypeVar("T")

FORK_PATIENCE = 10.0
"""Seconds that a fork waits for a function that is being compiled."""

_FOREIGN = {
    "numba.core.compiler_lock": ("global_compiler_lock", "_lock"),
    "llvmlite.binding.ffi": ("lib", "_lock", "_lock"),
}
"""Locks of others, which the user's own Numba functions may hold: the module, and the way in it."""


_NEEDED = {*sys.stdlib_module_names, "llvmlite", "numba", "numpy", "scipy", __name__.partition(".")[0]}
"""The packages that a preparation may import."""


class Busy(Exception):
    """No code can be prepared here and now; the next call may try again."""


class Turn:
    """A lock, and the thread that has it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.owner = 0

    @property
    def mine(self) -> bool:
        """Whether this thread has it."""
        return self.owner == threading.get_ident()

    def take(self, work: Callable[[], T]) -> T:
        """Do `work` when nobody else has the turn, with signals waiting.

        Raises:
            Busy: this thread has it already, or must not prepare anything.
        """
        if self.mine:
            raise Busy("this thread is compiling another function just now")
        if forks.incomplete:
            raise Busy("this process was forked while another thread compiled")
        if not inside() and (reason := why_not_now()):
            raise Busy(reason)
        forks.let_pass()
        with self.lock:
            self.owner = threading.get_ident()
            try:
                return waiting.undisturbed(work)
            finally:
                self.owner = 0


def why_not_now() -> str:
    """Why nothing can be imported here and now that a preparation needs; empty if all can be.

    A tracing function may call us in the middle of an import: what follows would find half of a module, and
    Numba, imported on top of that, would be broken for as long as the process lives.
    """
    if sys.is_finalizing():
        return "Python is shutting down"
    if imports(sys._getframe()):
        for name, module in sys.modules.copy().items():  # in one step: modules that are gone leave meanwhile
            if name.partition(".")[0] in _NEEDED and _is_half_made(module):
                return f"the module {name} is being imported"
    return ""


def _is_half_made(module: Any) -> bool:
    try:
        spec = object.__getattribute__(module, "__dict__").get("__spec__")  # which loads no lazy module
    except AttributeError:
        return False
    return bool(getattr(spec, "_initializing", False))


class Forks(threading.local):
    """Forks of this process: they get the turn before the next function does."""

    gate = threading.RLock()  # Locks are not fair: without it, threads that compile would keep forks waiting.
    watched = False
    incomplete = False
    """Whether this process is a child that holds what another thread had half done."""

    def __init__(self) -> None:
        self.held: list[Any] = []

    def let_pass(self) -> None:
        """Wait for a fork that waits."""
        if inside():
            return
        with self.gate:
            if not Forks.watched:
                Forks.watched = True
                # Hooks run last in, first out: nobody may wait for us who holds the lock of `logging`.
                if hasattr(os, "register_at_fork"):
                    os.register_at_fork(
                        before=self.before, after_in_parent=self.in_parent, after_in_child=self.in_child
                    )

    def before(self) -> None:
        """Take all turns."""
        end = monotonic() + FORK_PATIENCE
        for lock in self._locks():
            if not lock.acquire(timeout=max(0.0, end - monotonic())):
                break
            self.held.append(lock)

    def in_parent(self) -> None:
        """Give them back."""
        while self.held:
            self.held.pop().release()

    def in_child(self) -> None:
        """Give them back, and find out whether a thread that is gone had one of them."""
        locks = list(self._locks())
        whole = len(self.held) == len(locks)
        self.in_parent()
        if whole:
            return
        Forks.incomplete = True
        for lock in locks:
            renew(lock)
        if not inside():
            PREPARING.owner = LOADING.owner = 0
            waiting.forget()

    def _locks(self) -> Iterator[Any]:
        """Every lock on the way to machine code, in the order in which they are taken."""
        yield from (self.gate, PREPARING.lock, LOADING.lock)
        for module, path in _FOREIGN.items():
            lock: Any = sys.modules.get(module)
            for name in path:
                lock = getattr(lock, name, None)
            if lock is not None:
                yield lock


PREPARING = Turn()
"""From the look for a specialisation to its machine code."""

LOADING = Turn()
"""Inside of Numba and LLVM."""

forks = Forks()


def inside() -> bool:
    """Whether this thread prepares code."""
    return PREPARING.mine or LOADING.mine


def prepare(work: Callable[[], T]) -> T:
    """Do `work`, which may trace, compile and load, when it is this thread's turn.

    Raises:
        Busy: this thread is at it already.
    """
    if LOADING.mine:
        raise Busy("this thread is compiling a session's plan just now")
    return PREPARING.take(work)
