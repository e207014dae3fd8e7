"""What is around a block: the one description of where `yield`, `break`, `continue` and `return` lead.

around.target(ending)             the node that gets what the ending carries
around.inside(node, region)       what is around a region of a node that stands here
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.nodes import Block, Node
from ..ops.facts import control_of, is_call, is_jump, is_loop, is_return, is_yield


def body_of(loop: Node) -> Block:
    """The region that a loop repeats."""
    return loop.regions[control_of(loop).regions.index("body")]


def else_of(loop: Node) -> Block | None:
    """The region that runs when a loop wasn't left by ``break``."""
    return loop.regions[-1] if loop.attrs.get("orelse") else None


@dataclass(frozen=True, slots=True)
class Around:
    """The node whose region a block is, the loop that jumps mean, the call that returns end."""

    owner: Node | None = None
    loop: Node | None = None
    call: Node | None = None

    def inside(self, node: Node, region: Block) -> Around:
        """What is around `region` of `node`, which stands here."""
        if is_call(node):
            return Around(node, None, node)
        # The region of `else` runs after the loop: its `break` is that of a loop further out.
        repeats = is_loop(node) and region is not else_of(node)
        return Around(node, node if repeats else self.loop, self.call)

    def target(self, ending: Node) -> Node | None:
        """The node whose results (or next iteration) get what `ending` carries; None for the function."""
        if is_yield(ending):
            return self.owner
        if is_jump(ending):
            return self.loop
        return self.call if is_return(ending) else None
