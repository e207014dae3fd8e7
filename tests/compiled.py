"""What tests ask the compiler about itself, in one place: has it compiled, and how often."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def has_compiled_part(decorated: Callable[..., Any]) -> bool:
    """Whether any specialisation holds at least one cluster."""
    return any(specialisation.clusters for specialisation in decorated.specializations)
