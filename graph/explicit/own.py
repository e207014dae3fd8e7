"""Values under names of their own: identities, and constants to gradients."""

from __future__ import annotations

from typing import Any

from ..symbolic.alias import alias
from ..symbolic.arrays import SymbolicArray
from ..symbolic.symbols import SymbolicScalar
from .symbol import Recordable


def under_own_name(value: Any) -> Any:
    """The same value, in a graph under its own name: gradients by it aren't those by what it was made of."""
    return alias(value) if isinstance(value, SymbolicArray | SymbolicScalar) else value


def constant_to_gradients(value: Any) -> Any:
    """The same value, which gradients take as a constant."""
    if isinstance(value, Recordable):
        return value.graph.record("stop_gradient", constant_to_gradients, (value,))
    return alias(value, stop_gradient=True) if isinstance(value, SymbolicArray | SymbolicScalar) else value
