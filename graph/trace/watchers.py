"""Who wants to hear of a change."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any
from weakref import ref


class Watchers:
    """Bound methods that are called at a change, held weakly: objects that are gone leave nothing."""

    def __init__(self) -> None:
        # No lock: a reference may die at any moment, and takes itself out; each step on the dict is one.
        # No `WeakMethod` either: its callback complains where it is gone itself, as it is when Python ends.
        self._methods: dict[int, tuple[ref[Any], Callable[[Any], None]]] = {}
        self._numbers = count()

    def add(self, method: Callable[[], None]) -> None:
        """Call the bound `method` at each change from now on."""
        methods, number = self._methods, next(self._numbers)
        owner, function = method.__self__, method.__func__  # type: ignore[attr-defined]
        methods[number] = ref(owner, lambda _: methods.pop(number, None)), function

    def tell(self) -> None:
        """Call all of them, in the order in which they came."""
        for reference, function in list(self._methods.values()):
            if (owner := reference()) is not None:
                function(owner)

    def __len__(self) -> int:
        return len(self._methods)
