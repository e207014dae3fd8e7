"""What has been found out about a code object, kept as long as that lives.

By identity, as equal code may stand in two files; and not by function, as closures hold what may be large.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import CodeType
from typing import Any, TypeVar
from weakref import ref

T = TypeVar("T")


class ByCode:
    """Facts about code objects."""

    def __init__(self) -> None:
        self._facts: dict[int, tuple[ref[CodeType], dict[Any, Any]]] = {}

    def of(self, code: CodeType) -> dict[Any, Any]:
        """The facts about `code`, to be read and added to."""
        number, facts = id(code), self._facts
        found = facts.get(number)
        if found is None or found[0]() is not code:
            found = facts[number] = ref(code, lambda _: facts.pop(number, None)), {}
        return found[1]

    def __len__(self) -> int:
        return len(self._facts)


def once_for_code(find: Callable[[CodeType], T]) -> Callable[[CodeType], T]:
    """What `find` says of a code object, found once."""
    facts = ByCode()

    @functools.wraps(find)
    def known(code: CodeType) -> T:
        here = facts.of(code)
        if "found" not in here:
            here["found"] = find(code)
        found: T = here["found"]
        return found

    return known
