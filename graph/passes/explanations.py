"""Why parts of a graph aren't compiled, as `explain` tells it: one reason for all that follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..ir.causes import CAUSES, Cause
from ..ir.nodes import Block, Graph, Loc, Node, Operand, Value, walk
from ..ir.types import OBJECT, Array
from ..ops.facts import is_numpy_call, is_python
from .compilable import ENDS, OF_TWO_TYPES, OFF, PART, PLAIN, UNKNOWN, UNKNOWN_ITEMS
from .membership import reasons
from .options import Options
from .worth import LOOK, TOO_LITTLE

_FOLLOW = (UNKNOWN, UNKNOWN_ITEMS, OF_TWO_TYPES, PLAIN, PART)
"""Reasons that may follow from another one."""
_ATTEMPTS = {
    TOO_LITTLE: "leave it so (`with js.jit_scope():` around it compiles it all the same)",
    OFF: "put it into a `with js.jit_scope():`, or say jit_level='on'",
    UNKNOWN_ITEMS: "loop over a range or an array",
}
CONSEQUENCES = (LOOK, TOO_LITTLE, ENDS)
"""Reasons that say nothing about what would have to be changed."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a node isn't compiled, what runs it instead, and what would help."""

    node: Node
    reason: str
    runs_as: str
    attempt: str
    loc: Loc
    """Where the node stands: the statement that is the cause, if it is in the same line."""
    rank: int
    """0 where the cause lies, 1 for what follows from a cause elsewhere, 2 where nothing would be won."""


def explanations(
    graph: Graph, options: Options, met: Mapping[Loc, Cause], objects: Mapping[str, Cause]
) -> list[Explanation]:
    """What `explain` says of each node that stands outside of the clusters.

    Args:
        graph: the clustered graph.
        options: those that it was clustered with.
        met: what the trace found out about calls, by their places.
        objects: why parameters of the graph are Python objects, by name.
    """
    found = [(node, reason) for node, reason in reasons(graph, options) if node.loc.line]
    of_values = _of_values(graph, met, objects)
    own = {id(node): _cause(node, reason, met, of_values) for node, reason in found}
    return [
        _explanation(node, _of_part(node, own) if reason.startswith(PART) else own[id(node)])
        for node, reason in found
    ]


def _explanation(node: Node, cause: Cause) -> Explanation:
    here = cause.loc.line in (0, node.loc.line)
    where = cause.loc if here and cause.loc.line else node.loc
    rank = 2 if cause.reason in CONSEQUENCES else int(not here)
    return Explanation(node, cause.reason, _runs_as(node), cause.attempt, where, rank)


def _cause(node: Node, reason: str, met: Mapping[Loc, Cause], of_values: Mapping[str, Cause]) -> Cause:
    if reason.startswith(_FOLLOW):
        if is_python(node) and node.loc in met:
            return met[node.loc]
        names = [*_objects(node), *_made(node)]
        known = [*_own(node).values(), *(of_values[name] for name in names if name in of_values)]
        if known:
            return known[0]
    return Cause(reason, _ATTEMPTS.get(reason, ""))


def _of_part(node: Node, own: Mapping[int, Cause]) -> Cause:
    """The reason of the first part that has one of its own."""
    if _own(node):
        return own[id(node)]
    parts = [own[id(inner)] for region in node.regions for inner in walk(region) if id(inner) in own]
    parts = [cause for cause in parts if not cause.reason.startswith((*CONSEQUENCES, PART))]
    return parts[0] if parts else own[id(node)]


def _of_values(graph: Graph, met: Mapping[Loc, Cause], objects: Mapping[str, Cause]) -> dict[str, Cause]:
    """For values of unknown type the first reason that led to them."""
    found = dict(objects)
    names: dict[str, Cause] = {}
    for node in walk(graph.body):
        names.update(_own(node))
        above = [found[name] for name in _objects(node) if name in found]
        if is_python(node) and node.loc in met:
            above.insert(0, met[node.loc])
        for name in _made(node):
            if cause := names.get(name.split(".")[0]) or next(iter(above), None):
                found.setdefault(name, cause)
    return found


def _own(node: Node) -> dict[str, Cause]:
    """Why values that the node makes are of unknown type, by the user's variable."""
    names = {name.split(".")[0] for name in _made(node)}
    causes: Mapping[str, Cause] = node.attrs.get(CAUSES, {})
    return {name: cause for name, cause in causes.items() if not name or name in names}


def _made(node: Node) -> list[str]:
    values = (*node.results, *_params(node.regions))
    return [value.name for value in values if value.type == OBJECT]


def _params(regions: tuple[Block, ...]) -> list[Value]:
    return [param for region in regions for param in region.params]


def _objects(node: Node) -> list[str]:
    """The operands and parameters of unknown type."""
    values: tuple[Operand, ...] = (*node.operands, *_params(node.regions))
    return [value.name for value in values if isinstance(value, Value) and value.type == OBJECT]


def _runs_as(node: Node) -> str:
    arrays = any(isinstance(value.type, Array) for value in (*node.operands, *node.results))
    return "NumPy" if is_numpy_call(node) or (arrays and not node.regions) else "Python"
