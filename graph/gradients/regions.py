"""The way back through nodes with regions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..ir import Node

if TYPE_CHECKING:
    from .sweep import Sweep

REGION_RULES: dict[str, Callable[[Sweep, Node], None]] = {}
