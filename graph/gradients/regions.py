"""Nodes with regions: how each is prepared in the forward computation, and how to go back through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..ir.nodes import Node
from .branches import prepare_if, reverse_if
from .custom import prepare_custom, reverse_custom
from .errors import NoGradient
from .frame import Recomputation
from .loops import prepare_loop, reverse_loop

if TYPE_CHECKING:
    from .sweep import Sweep


def _unknown(sweep: Sweep, node: Node) -> None:
    raise NoGradient(node, "there is no reverse pass through it")


PREPARE: dict[str, Callable[[Recomputation, Node], None]] = {
    "if": prepare_if,
    "for": prepare_loop,
    "while": prepare_loop,
    "custom_gradient": prepare_custom,
}
REGION_RULES: dict[str, Callable[[Sweep, Node], None]] = {
    "if": reverse_if,
    "for": reverse_loop,
    "while": reverse_loop,
    "custom_gradient": reverse_custom,
    "for_each": _unknown,
}
