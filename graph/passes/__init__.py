"""Passes: plain functions ``(Graph, Options) -> Graph``, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable

from ..analysis.first_effects import stops_late as stops_late
from ..analysis.verifier import GraphError as GraphError
from ..analysis.verifier import verify
from ..ir.nodes import Graph
from ..ops.facts import clusters_of
from .check_ranges import check_ranges
from .cluster import cluster
from .draw_one_by_one import draw_one_by_one
from .drop_aliases import drop_aliases
from .drop_dead import drop_dead
from .fold import fold
from .fold_messages import fold_messages
from .fold_prints import fold_prints
from .hoist import hoist
from .join_returns import join_returns
from .membership import ClusterMember, Membership, has_loops_outside, is_straight, memberships, reasons
from .merge_common import merge_common
from .options import Options
from .place import demand, place
from .read_parts import read_parts
from .simplify import simplify
from .strip_mine import strip_mine
from .worth import has_loose_checks, has_loose_items, has_loose_recursions, loose_programs

Pass = Callable[[Graph, Options], Graph]

PIPELINE: tuple[Pass, ...] = (
    drop_aliases,  # what only gradients needed
    read_parts,  # in place of views of halves
    fold,  # constants first, so that sizes settle
    simplify,
    merge_common,
    drop_dead,
    fold_messages,  # of exceptions, which kernels can raise then
    draw_one_by_one,  # random numbers of arrays, in loops that can be compiled then
    hoist,  # scalars out of loops
    check_ranges,  # before clusters, as a node that can't raise moves freely
    fold_prints,  # now and then, which kernels can do then
    strip_mine,  # loops of numbers that keep what gradients need
    place,  # on devices that are there, before anything is grouped
    join_returns,  # one way out, where the rest can be compiled
    cluster,  # nodes that will be compiled as one unit
    demand,  # all that devices that compile everything were given
)


Watch = Callable[[str, Graph], None]
"""Hears of the graph before the first pass (as "trace") and after each, by the pass's name."""


def run_passes(graph: Graph, options: Options | None = None, watch: Watch | None = None) -> Graph:
    """`graph` after every pass of the pipeline."""
    options = options or Options()
    if watch is not None:
        watch("trace", graph)
    for step in PIPELINE:
        graph = step(graph, options)
        if options.verify:
            verify(graph)
        if watch is not None:
            watch(step.__name__, graph)
    return graph


__all__ = [
    "PIPELINE",
    "ClusterMember",
    "Membership",
    "Options",
    "Pass",
    "Watch",
    "check_ranges",
    "cluster",
    "clusters_of",
    "demand",
    "draw_one_by_one",
    "drop_aliases",
    "drop_dead",
    "fold",
    "fold_messages",
    "has_loose_items",
    "has_loose_checks",
    "has_loose_recursions",
    "hoist",
    "join_returns",
    "loose_programs",
    "has_loops_outside",
    "is_straight",
    "memberships",
    "merge_common",
    "place",
    "read_parts",
    "reasons",
    "run_passes",
    "simplify",
    "strip_mine",
]
