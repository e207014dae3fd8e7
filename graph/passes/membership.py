"""What became of each node: the cluster in which it stands, or why it stands in none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..ir.nodes import Block, Graph, Loc, Node, walk
from ..ops.facts import is_call, is_check, is_cluster, is_ending, is_look, is_loop, is_unit
from ..trace.devices import device_of
from .compilable import why_not
from .options import Options
from .worth import LOOK, TOO_LITTLE


@dataclass(frozen=True, slots=True)
class ClusterMember:
    """A node of a cluster, as its user knows it: its op, what it is called, its scope and its line."""

    op: str
    name: str
    scope: str | None
    loc: Loc


@dataclass(frozen=True, slots=True)
class Membership:
    """A cluster: the scope and the device of its nodes, if all have one, and the nodes, regions included."""

    cluster: str
    scope: str | None
    device: str
    nodes: tuple[ClusterMember, ...]


def name_of(node: Node) -> str:
    """What a node is called: by itself in an explicit graph, else as its first result, else as its op."""
    if not is_unit(node) and not is_check(node) and "name" in node.attrs:
        return str(node.attrs["name"])
    return node.results[0].name if node.results else node.op


def memberships(clusters: Iterable[Node]) -> list[Membership]:
    """What stands in each of some cluster nodes."""
    return [
        Membership(
            node.attrs["name"],
            node.attrs["scope"],
            device_of(node),
            tuple(
                ClusterMember(inner.op, name_of(inner), inner.attrs.get("_JitScope"), inner.loc)
                for inner in walk(node.regions[0])
                if not is_ending(inner)
            ),
        )
        for node in clusters
    ]


_LOOP = re.compile(r"\b(for|while)\b")
"""What stands in the line of a loop of the user's; NumPy's functions may be loops of the graph, too."""


def is_straight(cluster: Node) -> bool:
    """Whether nobody asked for `cluster`, and it has no loop of the user's and no function of its own."""
    if cluster.attrs["scope"] is not None or device_of(cluster):
        return False
    inside = (node for region in cluster.regions for node in walk(region))
    return not any(is_call(node) or (is_loop(node) and _LOOP.search(node.loc.text)) for node in inside)


def has_loops_outside(graph: Graph) -> bool:
    """Whether the driver has loops, in which compiled code is called again and again."""
    todo: list[Block] = [graph.body]
    for block in todo:
        for node in block.nodes:
            if is_loop(node):
                return True
            if not is_cluster(node):
                todo += node.regions
    return False


def reasons(graph: Graph, options: Options | None = None) -> list[tuple[Node, str]]:
    """Every node that stands outside of the clusters of `graph`, with the reason."""
    options = options or Options()
    found: list[tuple[Node, str]] = []
    todo: list[Block] = [graph.body]
    while todo:
        for node in todo.pop(0).nodes:
            if is_ending(node) or is_cluster(node):
                continue
            idle = LOOK if is_look(node) else TOO_LITTLE
            found.append((node, why_not(node, options) or idle))
            todo += node.regions
    return found
