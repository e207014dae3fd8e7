"""What runs before anything is done that can't be done twice: if that fails, the call can start again."""

from __future__ import annotations

from collections.abc import Iterator

from ..ir.nodes import Block, Graph, Node, walk
from ..ops.facts import clusters_of, draws, is_branch, is_cluster, is_jump, is_python, is_raise, is_return
from .effects import Aliases, done_once, prints, raises, taken_back, writes


def before_effects(graph: Graph) -> list[Node]:
    """The clusters before all opaque code but prints, writes that the caller sees, and random numbers.

    A block that leaves the function with what it does doesn't count for what stands behind it.
    """
    lasting = _lasting(graph)
    found: list[Node] = []
    for node in graph.body.nodes:
        inner = list(_all_of(node))
        if lasting.isdisjoint(inner):
            found += filter(is_cluster, inner)
        elif not _leaves_with(node, lasting):
            break
    return found


def stops_late(graph: Graph) -> bool:
    """Whether a cluster that may stop stands behind what keeps the call from starting again."""
    if not _kept(graph):
        return False
    early = set(before_effects(graph))
    late = [node for node in clusters_of(graph) if node not in early]
    return any(raises(inner) for node in late for region in node.regions for inner in walk(region))


def ends_with_effects(graph: Graph) -> bool:
    """Whether nothing but Python comes after what keeps the call from starting again."""
    kept, nodes = _kept(graph), graph.body.nodes
    first = next((k for k, node in enumerate(nodes) if not kept.isdisjoint(_all_of(node))), len(nodes))
    rest = [inner for node in nodes[first:] for inner in _all_of(node)]
    return not any(raises(node) and not (is_python(node) or is_raise(node)) for node in rest)


def _kept(graph: Graph) -> set[Node]:
    return done_once(graph) - taken_back(graph)


def _lasting(graph: Graph) -> set[Node]:
    aliases = Aliases(graph)
    return (done_once(graph) - prints(graph)) | {
        node
        for node in walk(graph.body)
        if draws(node) or "draw" in node.attrs or not all(map(aliases.is_local, writes(node)))
    }


def _leaves_with(node: Node, lasting: set[Node]) -> bool:
    """Whether who has done anything of `lasting` inside of `node` doesn't come to what follows."""
    if node in lasting or not is_branch(node):
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
