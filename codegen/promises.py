"""What a kernel may promise about its arguments."""

from __future__ import annotations

from collections.abc import Sequence

from ..graph.analysis.effects import Aliases, writes
from ..graph.ir.nodes import Block, Node, Value, walk
from ..graph.ir.types import Array
from ..graph.ops.facts import is_plain_view
from .calls import Argument, Buffer


def are_apart(arguments: Sequence[Argument], region: Block, aliases: Aliases) -> bool:
    """True when the kernel writes arrays, and no argument that it writes overlaps with another one."""
    arrays = [a for a in arguments if isinstance(a, Value) and isinstance(a.type, Array)]
    buffers = [a for a in arguments if isinstance(a, Buffer)]
    targets = {value for node in walk(region) for value in writes(node)}
    written = [a for a in arrays if any(aliases.may_overlap(a, target) for target in targets)]
    if not (buffers or targets or any(_makes_array(node) for node in walk(region))):
        return False
    return not any(a is not b and aliases.may_overlap(a, b) for a in written for b in arrays)


def _makes_array(node: Node) -> bool:
    return not is_plain_view(node) and any(isinstance(result.type, Array) for result in node.results)
