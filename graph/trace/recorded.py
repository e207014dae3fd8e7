"""Whether symbols of explicit graphs are at hand, asked without importing what makes them."""

from __future__ import annotations

import sys
from typing import Any

_STEPS = f"{(__package__ or '').rpartition('.')[0]}.explicit.steps"


def graph_of(*values: Any) -> Any:
    """The explicit graph that symbols in `values` belong to, or None."""
    steps = sys.modules.get(_STEPS)
    return None if steps is None else steps.graph_of(*values)
