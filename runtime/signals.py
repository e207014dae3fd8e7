"""Signals wait while code is prepared in the main thread.

A handler runs wherever its signal arrives, also inside of what LLVM and Numba call back: an exception that
it raises there is printed and forgotten, and their state is left half made. So for the time of a preparation
all handlers written in Python, SIGINT's among them, are exchanged for one that notes the signal. The user's
handler is called at the next point where the work may be left (`checkpoint`), at once where our own Python
runs (`openly`), and at the latest when the preparation has ended; what it raises leaves the function's call.
"""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Callable, Iterator
from contextvars import Context, copy_context
from functools import cache
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")
Handler = Callable[[int, FrameType | None], Any]

_ROOM = 512
"""Bytes, more than a `struct sigaction` has anywhere."""

_TRIES = 100
"""So often the end of a preparation goes on after a handler that has raised in it."""


class Interrupted(BaseException):
    """A handler has raised; no `except Exception` on the way may take it for a fault of the compiler."""


class Waiting:
    """The signals that wait in the main thread, and what the user has for them."""

    def __init__(self) -> None:
        self.active = False
        self.open = False
        self.delivering = False
        self.users: dict[int, Handler] = {}
        self.actions: dict[int, Any] = {}
        self.noted: list[tuple[int, FrameType | None]] = []
        self.raised: BaseException | None = None
        self.outside = Context()

    def undisturbed(self, work: Callable[[], T]) -> T:
        """Do `work` with signals waiting."""
        if self.active or threading.current_thread() is not threading.main_thread():
            return work()
        self.outside = copy_context()
        try:
            self._exchange()
            return work()
        except Interrupted:
            pass  # what the handler raised is raised below
        finally:
            self._end()
        raise AssertionError("a handler has raised nothing")

    def openly(self, work: Callable[[], T]) -> T:
        """Do `work`, which is Python of ours that may be left anywhere, in a context that is then dropped."""
        if not self.active or threading.current_thread() is not threading.main_thread():
            return work()
        before, self.open = self.open, True
        try:
            self.checkpoint()
            return copy_context().run(work)
        finally:
            self.open = before

    def checkpoint(self) -> None:
        """Call the handlers of signals that have been noted; raises `Interrupted` if one of them raises."""
        if self.noted and threading.current_thread() is threading.main_thread():
            while self.noted:
                self._deliver(*self.noted.pop(0))

    def note(self, number: int, frame: FrameType | None) -> None:
        """The handler for the time of a preparation."""
        if self.delivering or not self.active:
            self.users[number](number, frame)
        elif self.open and not imports(frame):
            self.outside.copy().run(self._deliver, number, frame)
        else:
            self.noted.append((number, frame))

    def _deliver(self, number: int, frame: FrameType | None) -> None:
        self.delivering = True
        try:
            self.users[number](number, frame)
        except BaseException as error:
            self.raised = self.raised or error
            raise Interrupted from None
        finally:
            self.delivering = False

    def _exchange(self) -> None:
        self.active = True
        for number in range(1, signal.NSIG):
            handler = _handler(number)
            if callable(handler) and handler is not _note:
                self.users[number], self.actions[number] = handler, _action(number)
                try:
                    signal.signal(number, _note)
                except (OSError, ValueError):  # not in this interpreter
                    del self.users[number], self.actions[number]

    def _end(self) -> None:
        """Give the handlers back and call those whose signals wait; raise the first of what they raise."""
        try:
            self._finish(self._call_noted)
        finally:
            if self.active:  # a handler has raised between two tries
                self._finish(self._call_noted)
        error, self.raised = self.raised, None
        if error is not None:
            raise error from error.__cause__

    def _finish(self, then: Callable[[], None]) -> None:
        """Give the handlers back and do `then`, though one that is back may raise at each step of it."""
        for _ in range(_TRIES):
            try:
                self._put_back()
                self.active = False
                then()
                self.users.clear()
                self.actions.clear()
                return
            except BaseException as error:
                self.raised = self.raised or error
        self.active = False

    def _put_back(self) -> None:
        """Give the user's handlers back, but for those that were exchanged meanwhile."""
        for number, handler in list(self.users.items()):
            if _handler(number) is _note:
                signal.signal(number, handler)
                _set_action(number, self.actions[number])

    def _call_noted(self) -> None:
        while self.noted:
            number, frame = self.noted.pop(0)
            self.users[number](number, frame)

    def forget(self) -> None:
        """In a child that was forked while another thread's signals waited."""
        if self.active:
            self._finish(self.noted.clear)
            self.raised, self.open, self.delivering = None, False, False


def _note(number: int, frame: FrameType | None) -> None:
    waiting.note(number, frame)


def _handler(number: int) -> Any:
    try:
        return signal.getsignal(number)
    except (OSError, ValueError):  # a number that is no signal here
        return None


def imports(frame: FrameType | None) -> bool:
    """Whether a module is imported here, which would be left half made."""
    return any(step.f_code.co_filename.startswith("<frozen importlib") for step in _outwards(frame))


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _action(number: int) -> Any:
    """What the system has for a signal: more than Python knows where C code has set it."""
    if not hasattr(signal, "pthread_sigmask"):
        return None
    room = ctypes.create_string_buffer(_ROOM)
    return room if _system().sigaction(number, None, room) == 0 else None


def _set_action(number: int, action: Any) -> None:
    if action is not None:
        _system().sigaction(number, action, None)


@cache
def _system() -> Any:
    return ctypes.CDLL(None)


waiting = Waiting()
