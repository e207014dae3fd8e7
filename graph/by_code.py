"""What has been found out about a code object, kept as long as that lives.

By identity, as equal code may stand in two files; and not by function, as closures hold what may be large.
"""

from __future__ import annotations

from types import CodeType
from typing import Any
from weakref import ref


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
