"""What code generation hands to the runtime."""

from __future__ import annotations

from dataclasses import dataclass

from ..graph.ir.nodes import Node


@dataclass(frozen=True, slots=True)
class Module:
    """The text of a generated module, and the names of its functions.

    `failed`: clusters that are Python after all, each with the reason; `displaced`: those that run on the CPU
    though a GPU was asked for; `early`: those that run before anything is done that can't be done twice.
    """

    text: str
    driver: str
    clusters: tuple[str, ...]
    failed: tuple[tuple[Node, str], ...] = ()
    displaced: tuple[tuple[Node, str], ...] = ()
    early: tuple[str, ...] = ()
