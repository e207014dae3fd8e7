"""What an identity computes."""

from __future__ import annotations

from typing import Any

from ..alias import alias
from ..symbolic_array import SymbolicArray
from ..symbols import SymbolicScalar


def under_own_name(value: Any) -> Any:
    """The same value, in a graph under its own name: gradients by it aren't those by what it was made of."""
    return alias(value) if isinstance(value, SymbolicArray | SymbolicScalar) else value
