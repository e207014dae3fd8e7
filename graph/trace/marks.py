"""What every node gets when it is made: the attributes of all scopes that are open around it.

One function, which builders call for each node (`Builder.node_hook`): to know what marks there are, read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ir.nodes import ENDINGS, Node
from .devices import DEVICE, device_attributes
from .quiet import QUIET, quiet_attributes
from .scopes import scope_attributes

MARKS = (DEVICE, "_JitCompile", "_JitScope", "_JitSeparateCompiledGradients", QUIET)
"""The attributes that scopes give to nodes."""


class Fault(BaseException):
    """What a callable of the user's (`compile_ops`) raised: it goes to the caller, not to a fallback."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error


def marks_of(node: Node) -> Mapping[str, Any]:
    """The marks of a node that is about to be made.

    Raises:
        Exception: whatever a callable `compile_ops` raises.
    """
    if node.op in ENDINGS:
        return {}
    placed = device_attributes()
    return {**placed, **scope_attributes(node, device=placed.get(DEVICE, "")), **quiet_attributes()}
