"""How far values that come together have moved, each found once: a chain of `if` has 2^n ways through it."""

from __future__ import annotations

from collections.abc import Callable

from ..ir.nodes import Value

Interval = tuple[int, int]
_DEPTH = 100
"""So many are asked for inside of each other; what is deeper inside, nobody knows."""


class Moves:
    """What is known of values that come together, while one asks for what comes together in them.

    One that is asked for while its own answer is looked for has not moved: it is the state of a loop. What
    needed this is kept for as long as that is looked for; any other answer for good.
    """

    def __init__(self) -> None:
        self._open: list[Value] = []
        self._needed: list[set[int]] = [set()]
        self._known: list[dict[Value, tuple[Interval | None, set[int]]]] = [{}]

    def is_open(self, value: Value) -> bool:
        """Whether the answer for `value` is looked for; what asks needs it then."""
        if value not in self._open:
            return False
        self._needed[-1].add(self._open.index(value) + 1)
        return True

    def joined(self, value: Value, find: Callable[[], Interval | None]) -> Interval | None:
        """The answer for `value`, found now if it isn't known; None if nobody knows."""
        for known in self._known:
            if value in known:
                answer, needed = known[value]
                self._needed[-1] |= needed
                return answer
        if len(self._open) >= _DEPTH:
            return None
        self._open.append(value)
        self._needed.append(set())
        self._known.append({})
        answer = find()
        self._known.pop()
        needed = self._needed.pop() - {len(self._open)}
        self._open.pop()
        self._known[max(needed, default=0)][value] = answer, needed
        self._needed[-1] |= needed
        return answer
