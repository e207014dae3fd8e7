"""Who wants to hear of a change."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from weakref import WeakMethod


class Watchers:
    """Bound methods that are called at a change, held weakly: objects that are gone leave nothing."""

    def __init__(self) -> None:
        # No lock: a reference may die at any moment, and takes itself out; each step on the dict is one.
        self._methods: dict[int, WeakMethod[Callable[[], None]]] = {}
        self._numbers = count()

    def add(self, method: Callable[[], None]) -> None:
        """Call the bound `method` at each change from now on."""
        methods, number = self._methods, next(self._numbers)
        methods[number] = WeakMethod(method, lambda _: methods.pop(number, None))

    def tell(self) -> None:
        """Call all of them, in the order in which they came."""
        for reference in list(self._methods.values()):
            if (method := reference()) is not None:
                method()

    def __len__(self) -> int:
        return len(self._methods)
