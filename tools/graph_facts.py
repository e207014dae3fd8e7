"""What a graph says in words: when it holds, and how much memory its kernels go through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

import numpy as np

from ..graph.ir import dims
from ..graph.ir.nodes import Graph, Guard, Node, walk
from ..graph.ir.parser import parse_graph
from ..graph.ir.types import Array
from ..graph.ops.facts import is_cluster, is_loop
from ..runtime.specialisation import Specialisation

_SIGNS = {"equal": "==", "unequal": "!=", "at_most": "<="}


def graph_of(item: Specialisation) -> Graph | None:
    """The graph of a specialisation, from this process or from disk; None if its text can't be read."""
    if item.clustered is not None:
        return item.clustered
    with suppress(ValueError, KeyError, SyntaxError):
        return parse_graph(item.graph)
    return None


def conditions_of(item: Specialisation) -> list[str]:
    """What calls have to fulfil besides the types of their arguments; others get code of their own."""
    graph = graph_of(item)
    if graph is None:
        return []
    names = {name: f"{value.name}.shape[{axis}]" for name, (value, axis) in graph.sizes.items()}
    return list(dict.fromkeys(_condition(guard, names) for guard in graph.guards))


def _condition(guard: Guard, names: Mapping[str, str]) -> str:
    if isinstance(guard.left, str):
        return f"abs({guard.left}) < 2**47"
    return f"{dims.text(guard.left, names)} {_SIGNS[guard.kind]} {dims.text(guard.right, names)}"


def memory_of(item: Specialisation, arguments: Mapping[str, object]) -> dict[str, int]:
    """How many bytes the arrays of each kernel have, which it reads or writes once at least; by its name.

    Kernels with loops of the user's are left out, which go through their arrays nobody knows how often, and
    those whose arrays have sizes that hang on more than the arguments.
    """
    graph = graph_of(item)
    if graph is None:
        return {}
    known = dict(_sizes(graph, arguments))
    found = {
        str(node.attrs.get("name", "")): _bytes(node, known) for node in walk(graph.body) if is_cluster(node)
    }
    return {name: count for name, count in found.items() if count is not None}


def _sizes(graph: Graph, arguments: Mapping[str, object]) -> Iterator[tuple[str, int]]:
    for name, (value, axis) in graph.sizes.items():
        array = arguments.get(value.name)
        if isinstance(array, np.ndarray) and axis < array.ndim:
            yield name, array.shape[axis]
    for name, argument in arguments.items():
        if type(argument) is int:
            yield name, argument


def _bytes(node: Node, known: Mapping[str, int]) -> int | None:
    if any(is_loop(inner) for region in node.regions for inner in walk(region)):
        return None
    total = 0
    for value in (*node.operands, *node.results):
        if isinstance(value.type, Array):
            count = dims.evaluate(dims.product(value.type.shape), known)
            if count is None:
                return None
            total += count * value.type.dtype.itemsize
    return total
