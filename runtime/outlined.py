"""A function that has to stay plain runs with its loops outlined: each is a decorated function of its own.

A loop in which nothing is compiled, or that is faster as Python, is put back: of the first only what stands
inside of it is tried then.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..autograph.outlining.parts import Place
from ..autograph.outlining.rewrite import Outlined, outlined
from ..graph.trace.locks import new_lock
from .compile import StaysPlain
from .config import note

if TYPE_CHECKING:
    from .function import Function


class Outlining:
    """What runs instead of one function that stays plain, for as long as its code is what it was."""

    def __init__(self, function: Function) -> None:
        self.user = function.python_function
        self.function = function
        self.loops: dict[Place, FunctionType] = {}
        self.left: frozenset[Place] = frozenset()
        self.plain: Callable[..., Any] = function.plain
        self.run: Callable[..., Any] = self.plain
        self.made: Outlined | None = None
        self._lock = new_lock()

    def make(self) -> bool:
        """Outline all loops that are not put back; whether there are any."""
        with self._lock:
            self.made = outlined(self.user, self._decorated, self.left)
            if self.made is None:
                self.run = self.plain
                return False
            self.run = self.function.binder.calling(self.made.function)
        return True

    def _decorated(self, loop: FunctionType, place: Place) -> FunctionType:
        if place not in self.loops:
            self.loops[place] = self.function.as_loop(loop, lambda state: self._look(place, state))
        return self.loops[place]

    def _look(self, place: Place, loop: Function) -> None:
        """Put a loop back that is of no use; with those inside of it if it is not worth its call."""
        if any(found.clusters and not found.slower for found in loop.specialisations):
            return
        with self._lock:
            if place in self.left or self.made is None:
                return
            self.left |= {place}
            if any(found.clusters for found in loop.specialisations):
                parts = (each.loop for each in self.made.parts if each.place == place)
                inside = (node for part in parts for node in ast.walk(part))
                loops = (node for node in inside if isinstance(node, (ast.For, ast.While)))
                self.left |= {(node.lineno, node.col_offset) for node in loops}
            note("fallback", f"{loop.called} is put back: it does not pay")
            self.make()
        self.function.outlining_changed()


def outlining_of(function: Function, verdict: StaysPlain) -> Outlining | None:
    """How a function runs with its loops outlined, if `verdict` is on its statements."""
    if not function.may_be_outlined or verdict.cause is not None:
        return None
    found = Outlining(function)
    return found if found.make() else None
