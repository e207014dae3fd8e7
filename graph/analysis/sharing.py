"""Whether two arrays may share memory, under whatever names."""

from __future__ import annotations

from collections.abc import Collection

from ..ir.nodes import Graph, Value, walk
from .effects import Aliases
from .flow import is_array


def may_share(graph: Graph, some: Collection[str], others: Collection[str]) -> bool:
    """Whether one of the arrays called `some` may hold an element of one of the `others`.

    Of one that is in the graph no longer, as nothing but its size counted, nobody knows.
    """
    if not some:
        return False
    arrays = {value.name: value for value in _values(graph) if is_array(value)}
    if not arrays.keys() >= {*some, *others}:
        return True
    aliases = Aliases(graph)
    return any(aliases.may_ever_overlap(arrays[one], arrays[other]) for one in some for other in others)


def _values(graph: Graph) -> set[Value]:
    found = set(graph.params)
    for node in walk(graph.body):
        found.update(node.results, *(region.params for region in node.regions))
    return found
