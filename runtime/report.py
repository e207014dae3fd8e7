"""What a specialisation says about itself: made from its graph, kept on disk as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..graph.ir.nodes import Block, Graph, Loc, Node, walk
from ..graph.ir.types import Array
from ..graph.trace.devices import DISPLACED
from . import devices
from .specialisation import Cluster, Left, Line, Member, Report

if TYPE_CHECKING:
    from ..autograph.traced import Traced
    from ..codegen.module import Module
    from ..graph.passes import Membership, Options
    from ..graph.passes.explanations import Explanation


def report_of(graph: Graph, traced: Traced, module: Module, options: Options) -> Report:
    """What `explain` tells of a graph."""
    from ..graph.ir.printer import print_graph
    from ..graph.ops.facts import clusters_of
    from ..graph.passes import has_loops_outside, is_straight, memberships
    from ..graph.passes.explanations import explanations

    failed = dict(module.failed)
    nodes = [node for node in clusters_of(graph) if node not in failed]
    met = {item.loc: item for item in traced.notes}
    found = explanations(graph, options, met, traced.objects)
    found.sort(key=lambda item: item.rank)  # a strict call that is refused tells of the first
    left = list(map(_left_node, found))
    left += [_left(node.loc, reason) for node, reason in failed.items()]
    known = {item.reason for item in found}
    notes = [_left(item.loc, item.reason) for item in traced.notes if item.reason not in known]
    displaced = (node for node in walk(graph.body) if DISPLACED in node.attrs)
    notes += [_left(node.loc, node.attrs[DISPLACED]) for node in displaced]
    notes += [_left(node.loc, reason) for node, reason in module.displaced]
    return Report(
        staged=traced.staged,
        graph=print_graph(graph, brief=True),
        clusters=module.clusters,
        lines=tuple(_lines(node.regions) for node in nodes),
        left=tuple(dict.fromkeys(left)),
        notes=tuple(dict.fromkeys(notes)),
        members=tuple(map(_cluster, module.clusters, memberships(nodes))),
        certain=all(is_certain(graph, node) for node in nodes),
        differentiated=bool(traced.extra.get("differentiated")),
        gpus=devices.relied_on(graph),
        straight=all(map(is_straight, nodes)),
        in_parts=has_loops_outside(graph),
    )


def _lines(regions: Iterable[Block]) -> tuple[Line, ...]:
    places = {_line(node.loc) for region in regions for node in walk(region) if node.loc.line}
    return _sorted(places)


def _sorted(lines: Iterable[Line]) -> tuple[Line, ...]:
    return tuple(sorted(lines, key=lambda line: (line.file, line.number)))


def _line(where: Loc) -> Line:
    return Line(Path(where.filename).name, where.line, where.text.rstrip())


def who_asked(node: Node) -> str:
    """Which scope asked for `node` to be compiled, as the end of the reason why it isn't."""
    asked = node.attrs.get("_JitCompile") is True and node.attrs.get("_JitScope")
    return f", though {asked} asks for it" if asked else ""


def _cluster(name: str, found: Membership) -> Cluster:
    nodes = (Member(node.op, node.name, node.scope, _line(node.loc)) for node in found.nodes)
    return Cluster(name, found.scope, found.device, tuple(nodes))


def _left_node(found: Explanation) -> Left:
    asked = who_asked(found.node)
    left = _left(found.loc, found.reason + asked)
    return replace(left, runs_as=found.runs_as, attempt=found.attempt, follows=found.rank == 2 and not asked)


def _left(where: Loc, reason: str) -> Left:
    return Left(_line(where), reason, column=where.column, end=where.end)


def is_certain(graph: Graph, cluster: Node) -> bool:
    """Whether the arrays that `cluster` reads are checked arguments, new ones, or made by other clusters."""
    checked = {value.name for value in graph.params}
    for node in walk(graph.body):
        if node.op in ("cluster", "empty", "zeros", "ones", "full"):
            checked.update(value.name for value in node.results)
    return all(
        o.name in checked for o in cluster.operands if isinstance(o.type, Array) and hasattr(o, "name")
    )


At = Callable[[Mapping[str, Any]], Line]


def report_from(data: Mapping[str, Any], at: At) -> Report:
    """The inverse of `asdict`, out of JSON, with each line `at` its place."""
    return Report(
        staged=data["staged"],
        graph=data["graph"],
        clusters=tuple(data["clusters"]),
        lines=tuple(_sorted(map(at, lines)) for lines in data["lines"]),
        left=tuple(_left_from(item, at) for item in data["left"]),
        notes=tuple(_left_from(item, at) for item in data["notes"]),
        members=tuple(_cluster_from(item, at) for item in data["members"]),
        certain=data["certain"],
        differentiated=data["differentiated"],
        gpus=data["gpus"],
        straight=data["straight"],
        in_parts=data["in_parts"],
    )


def _cluster_from(data: Mapping[str, Any], at: At) -> Cluster:
    nodes = (Member(**{**node, "line": at(node["line"])}) for node in data["nodes"])
    return Cluster(data["name"], data["scope"], data["device"], tuple(nodes))


def _left_from(data: Mapping[str, Any], at: At) -> Left:
    line = at(data["line"])
    shift = indentation(line.text) - indentation(data["line"]["text"]) if data["end"] else 0
    return Left(**{**data, "line": line, "column": data["column"] + shift, "end": data["end"] + shift})


def indentation(text: str) -> int:
    """The blanks before a line."""
    return len(text) - len(text.lstrip())
