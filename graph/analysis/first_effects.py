"""What runs before anything is done that can't be done twice: if that fails, the call can start again."""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.nodes import Block, Graph, Node, walk
from ..ops.facts import clusters_of, draws, is_jump, is_raise, is_return
from .effects import Aliases, runs_once, writes


def before_effects(graph: Graph) -> list[int]:
    """The numbers of the clusters that run before opaque code, a write that the caller sees, or a drawn number.

    A block that leaves the function with what it does doesn't count for what stands behind it.
    """
    lasting = _lasting(graph)
    number = {node: k for k, node in enumerate(clusters_of(graph))}
    found: list[int] = []
    for node in graph.body.nodes:
        inner = list(_all_of(node))
        if lasting.isdisjoint(inner):
            found += [number[each] for each in inner if each in number]
        elif not _leaves_with(node, lasting):
            break
    return found


def _lasting(graph: Graph) -> set[Node]:
    aliases = Aliases(graph)
    return {
        node
        for node in walk(graph.body)
        if runs_once(node)
        or draws(node)
        or "draw" in node.attrs
        or not all(map(aliases.is_local, writes(node)))
    }


def _leaves_with(node: Node, lasting: set[Node]) -> bool:
    """Whether who has done anything of `lasting` inside of `node` doesn't come to what follows."""
    if node in lasting or node.op != "if":
        return False
    return all(lasting.isdisjoint(walk(region)) or _leaves(region) for region in node.regions)


def _leaves(block: Block) -> bool:
    last = block.nodes[-1] if block.nodes else None
    if last is None or not (is_return(last) or is_raise(last)):
        return False
    return not any(map(is_jump, walk(block)))


def _all_of(node: Node) -> Iterator[Node]:
    yield node
    for region in node.regions:
        yield from walk(region)
