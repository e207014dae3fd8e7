"""Calls that run plain, though others of the same types may be compiled: looked at ever less often.

What is in a list, or which text an argument is, decides whether a call can be compiled; to find that out
costs more than many a plain call. So calls that look alike at a glance are examined at the first, second,
fourth, eighth ... time, and run plain in between.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..graph.trace.devices import plain_contexts
from .signature import Alone, is_simple
from .skipped import skipped

if TYPE_CHECKING:
    from .function import Function

_MOST = 256


class Doubt:
    """What takes the calls of one key: `plain`, or from time to time `examine`."""

    def __init__(
        self, plain: Callable[..., Any], examine: Callable[..., Any], values: tuple[Any, ...]
    ) -> None:
        self.waits: dict[Any, list[int]] = {}
        self.places = tuple(k for k, value in enumerate(values) if not is_simple(value))
        self.call = self._make(plain, examine)

    def longer(self, values: tuple[Any, ...]) -> None:
        """A call that looks like `values` has run plain: twice as many don't have to be looked at."""
        if len(self.waits) >= _MOST:
            self.waits.clear()
        wait = self.waits.setdefault(self._look(values), [0, 1])
        wait[:] = wait[1] - 1, wait[1] * 2

    def _look(self, values: tuple[Any, ...]) -> Any:
        if len(self.places) == 1:
            return glance(values[self.places[0]])
        return tuple([glance(values[k]) for k in self.places])

    @skipped
    def _make(self, plain: Callable[..., Any], examine: Callable[..., Any]) -> Callable[..., Any]:
        waits, look, start = self.waits, self._look, [0, 1]

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
