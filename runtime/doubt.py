"""Calls that run plain, though others of the same types may be compiled: looked at ever less often.

What is in a list, or which text an argument is, decides whether a call can be compiled; to find that out
costs more than many a plain call. So calls that look alike at a glance are examined at the first, second,
fourth, eighth ... time, and run plain in between. Where most calls look unlike all others, as those with a
function or a text that was made for the one call, they are counted together.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..graph.trace.devices import plain_contexts
from .signature import Alone, is_simple
from .skipped import skipped

if TYPE_CHECKING:
    from .function import Function

_MOST = 256

LOOKS = 16
"""So many looks of calls are told apart."""

SERIES = 8
"""After so many specialisations for arguments of the same types, a text or an object has to be seen twice,
and after so many in all, a class: one that is made for each call is never seen again."""


_ALIKE = (np.ndarray, np.generic, int, float, complex)


class Doubt:
    """What takes the calls of one key: `plain`, or from time to time `examine`."""

    def __init__(
        self, plain: Callable[..., Any], examine: Callable[..., Any], values: tuple[Any, ...]
    ) -> None:
        self.waits: dict[Any, list[int]] = {}
        self.others = [0, 1]
        self.places = tuple(k for k, value in enumerate(values) if not is_simple(value))
        self.call = self._make(plain, examine)

    def longer(self, values: tuple[Any, ...]) -> None:
        """A call that looks like `values` has run plain: twice as many don't have to be looked at."""
        look = self._look(values)
        few = len(self.waits) < LOOKS
        wait = self.waits.setdefault(look, [0, 1]) if few else self.waits.get(look, self.others)
        wait[:] = wait[1] - 1, wait[1] * 2

    def _look(self, values: tuple[Any, ...]) -> Any:
        if len(self.places) == 1:
            return glance(values[self.places[0]])
        return tuple([glance(values[k]) for k in self.places])

    @skipped
    def _make(self, plain: Callable[..., Any], examine: Callable[..., Any]) -> Callable[..., Any]:
        waits, look, start = self.waits, self._look, self.others

        def call(*values: Any) -> Any:
            wait = waits.get(look(values), start)
            if wait[0] <= 0:
                return examine(*values)
            wait[0] -= 1
            return plain(*values)

        def call_by_one(*values: Any) -> Any:
            """The same, for less than half the price."""
            wait = waits.get(glance(values[place]), start)
            if wait[0] <= 0:
                return examine(*values)
            wait[0] -= 1
            return plain(*values)

        if len(self.places) != 1:
            return call
        (place,) = self.places
        return call_by_one


def glance(value: Any) -> Any:
    """What can be seen of an argument without looking into it."""
    kind = type(value)
    if kind is list or kind is tuple:
        if not value:
            return None
        kind = type(value[0])
    elif kind is dict:
        return len(value)
    elif kind is str or kind is bytes:
        return value
    elif kind is FunctionType:
        return value.__code__
    return kind if type(kind) is type else Alone(kind)


class Sightings:
    """Arguments of calls that wanted a specialisation; nothing is held."""

    def __init__(self) -> None:
        self._objects: deque[tuple[object, ...]] = deque(maxlen=8 * SERIES)
        self._classes: deque[tuple[object, ...]] = deque(maxlen=8 * SERIES)

    def see(self, values: tuple[object, ...]) -> tuple[bool, bool]:
        """Whether a call has a text or an object, and whether one of a class, that was not there before."""
        told = [value for value in values if not isinstance(value, _ALIKE)]
        return _add(self._objects, map(_named, told)), _add(self._classes, map(_named, map(type, told)))


def _add(seen: deque[tuple[object, ...]], names: Iterable[object]) -> bool:
    """Whether these are new; from now on they are not."""
    now = tuple(names)
    if not now or now in seen:
        return False
    seen.append(now)
    return True


def _named(value: object) -> object:
    """What an argument is known by; that of an object that is gone is equal to no other."""
    if isinstance(value, (str, bytes)) or value is None:
        return value
    try:
        return _Same(value)
    except TypeError:
        return glance(value)


class _Same(weakref.ref):
    """A weak reference that is equal to those to the same object."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self() is not None and self() is other()

    __hash__ = object.__hash__


def doubt(function: Function, values: tuple[Any, ...]) -> None:
    """From now on calls like this one are looked at less and less often, as they run plain after all."""
    if function.strict or function.input_signature is not None or len(values) != len(function.binder.names):
        return
    key, doubts = function.key_of(values), function.doubts
    if len(doubts) >= _MOST:
        doubts.clear()
    found = doubts.setdefault(key, Doubt(function.as_plain, function.extend, values))
    found.longer(values)
    entry = function.as_plain if function.full else found.call
    chain = function.chains.get(key)
    if chain and chain[0].entry is not function.plain:
        chain[-1].link(entry)
    else:
        plain_contexts.unless_open(lambda: function.binder.learn(values, entry))
