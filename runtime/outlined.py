"""A function that has to stay plain runs with its loops outlined: each is a decorated function of its own.

A loop in which nothing is compiled, or that is faster as Python, is put back: of the first only what stands
inside of it is tried then.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..graph.trace.locks import new_lock
from .binder import make, plain_text
from .compile import Made, StaysPlain
from .config import config, note
from .devices import ANYWHERE
from .function import Function, dressed
from .specialisation import Specialisation
from .trial import LoopTrial

if TYPE_CHECKING:
    from ..autograph.outlining.parts import Place
    from ..autograph.outlining.rewrite import Outlined


class LoopFunction(Function):
    """A loop as a decorated function. Whether it pays, its first calls tell."""

    trial = LoopTrial

    def __init__(self, function: FunctionType, lost: Callable[[LoopFunction], None], *options: Any) -> None:
        super().__init__(function, *options)
        self.lost = lost

    def _add(self, made: Made, chain: list[Specialisation], values: tuple[Any, ...]) -> Specialisation:
        new = super()._add(made, chain, values)
        new.lists = new.lists or bool(new.clusters)
        return new

    def _keep_plain(self, values: tuple[Any, ...], verdict: StaysPlain) -> None:
        super()._keep_plain(values, verdict)
        self._look()

    def runner(self, found: Specialisation) -> Any:
        """What runs a call; a loop that never pays is given back."""
        if not self._pays(found):
            self._look()
        return super().runner(found)

    @property
    def tried(self) -> bool:
        """Whether something in it was compiled at all."""
        return any(found.clusters for found in self.specialisations)

    def _look(self) -> None:
        if not any(map(self._pays, self.specialisations)):
            self.lost(self)

    @staticmethod
    def _pays(found: Specialisation) -> bool:
        return bool(found.clusters) and not found.slower


class Outlining:
    """What runs instead of one function that stays plain, for as long as its code is what it was."""

    def __init__(self, function: Function) -> None:
        self.user, self.code = function.python_function, function.code
        self.options = (), function.jit_level, False, function.cache
        self.renew = function.outlining_changed
        self.shape = function.binder.shape
        self.loops: dict[Place, LoopFunction] = {}
        self.left: frozenset[Place] = frozenset()
        self.plain: Callable[..., Any] = function.plain
        self.run: Callable[..., Any] = self.plain
        self.made: Outlined | None = None
        self._lock = new_lock()

    def make(self) -> bool:
        """Outline all loops that are not put back; whether there are any."""
        from ..autograph.outlining.rewrite import outlined

        with self._lock:
            self.made = outlined(self.user, self._decorated, self.left)
            if self.made is None:
                self.run = self.plain
                return False
            run = self.made.function
            by_position = make(self.shape, plain_text(self.shape), {"plain": run}, run.__name__)
            self.run = run if self.shape.positional else by_position
        return True

    def _decorated(self, function: FunctionType, place: Place) -> FunctionType:
        if place not in self.loops:
            lost = self._put_back
            self.loops[place] = LoopFunction(function, lambda loop: lost(place, loop), *self.options)
        made: FunctionType = dressed(self.loops[place])
        return made

    def _put_back(self, place: Place, loop: LoopFunction) -> None:
        """The loop is Python again, with those inside of it if it is not worth its call."""
        with self._lock:
            if place in self.left or self.made is None:
                return
            self.left |= {place}
            if loop.tried:
                parts = (each.loop for each in self.made.parts if each.place == place)
                inside = (node for loop in parts for node in ast.walk(loop))
                self.left |= {
                    (at.lineno, at.col_offset) for at in inside if isinstance(at, (ast.For, ast.While))
                }
            note("fallback", f"{loop.called} is put back: it does not pay")
            self.make()
        self.renew()


def outlining_of(function: Function, verdict: StaysPlain) -> Outlining | None:
    """How a function runs with its loops outlined, if `verdict` is on its statements."""
    if type(function) is not Function or function.strict or function.input_signature is not None:
        return None
    if function.plain is not function.binder.plain or config.disable:
        return None
    if verdict.cause is not None or function.placement != ANYWHERE:
        return None
    found = Outlining(function)
    return found if found.make() else None
