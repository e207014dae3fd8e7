"""Attempts: what is traced on trial, and taken back as if it had never been.

with Attempt(builder) as trial:
    ...                             # what is traced here stays,
    return found
    trial.give_up()                 # or nothing of it does, and the program goes on behind the statement
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from .build import Builder


class Restart(BaseException):
    """A decision was taken too early: `attempt`, or else the whole trace, starts again, knowing better."""

    def __init__(self, attempt: Attempt | None = None) -> None:
        super().__init__()
        self.attempt = attempt


class Attempt:
    """All that is traced from here on. `undo` takes back what the builder doesn't know of."""

    def __init__(self, builder: Builder, undo: Callable[[], None] | None = None) -> None:
        self._builder, self._undo = builder, undo
        self._before = builder.snapshot()

    def __enter__(self) -> Attempt:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        """Take back what was given up. Anything else that is raised passes, and what was traced stays."""
        if not isinstance(error, Restart) or error.attempt is not self:
            return False
        self.take_back()
        return True

    def give_up(self) -> NoReturn:
        """Leave the `with` statement of this attempt: nothing that was traced inside stays."""
        raise Restart(self)

    def take_back(self) -> None:
        """Forget what was traced since the attempt began."""
        self._builder.rollback(self._before)
        if self._undo is not None:
            self._undo()
