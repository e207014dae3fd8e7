"""Where regions end, and whose end it is: a `break` belongs to the loop around it, a `return` to the call."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence

from ..ir.nodes import Block, Node, walk
from ..ir.rewrite import with_regions
from ..ops.facts import falls_through, is_branch, is_loop, is_yield


def leaves_by(node: Node, kinds: Sequence[str]) -> bool:
    """Whether an ending of one of `kinds` inside `node` belongs to what is around it."""
    inner = [kind for kind in kinds if kind not in ("break", "continue")] if is_loop(node) else list(kinds)
    if node.op in ("call", "custom_gradient"):
        return False
    return any(n.op in inner or leaves_by(n, inner) for region in node.regions for n in region.nodes)


def endings(block: Block, kind: str) -> Iterator[Node]:
    """All nodes `kind` in `block`, whatever they belong to."""
    return (node for node in walk(block) if node.op == kind)


def with_endings(block: Block, leave: Callable[[Node], Node], kinds: Sequence[str]) -> Block:
    """A loop's body with the endings that belong to the loop rewritten."""

    def inside(block: Block, top: bool) -> Block:
        nodes = []
        for node in block.nodes:
            if node.op in kinds and (top or not is_yield(node)):
                node = leave(node)
            elif is_branch(node):
                node = with_regions(node, tuple(inside(region, False) for region in node.regions))
            nodes.append(node)
        return Block(block.params, tuple(nodes))

    return inside(block, True)


def exit_of(body: Block) -> Node | None:
    """The `if` at the end of a loop's body that only asks whether this iteration was the last one."""
    check = body.nodes[-2] if len(body.nodes) > 1 and falls_through(body) else None
    if check is None or not is_branch(check) or not leaves_by(check, ("break",)):
        return None
    leaving = [region.ending.operands for region in check.regions if not falls_through(region)]
    alone = all(len(region.nodes) == 1 for region in check.regions) and len(leaving) == 1
    return check if alone and all(map(operator.is_, leaving[0], body.ending.operands)) else None


def iteration_of(body: Block) -> tuple[Node, ...]:
    """The nodes that an iteration runs, without how it ends."""
    return body.nodes[: -1 if exit_of(body) is None else -2]
