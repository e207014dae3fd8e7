"""Which array objects leave a cluster: compiled code keeps track of memory, Python also of objects.

An array that comes out of compiled code is the very object that went in if it looks at all of the same
memory, and else a new one each time. So what a branch or loop hands on must be told apart here.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from ..analysis.effects import Aliases, is_array
from ..analysis.flow import Flow, Place
from ..analysis.own_copies import reads_what_it_wrote
from ..ir.nodes import Graph, Node, Operand, Value, walk
from ..ir.types import Array, Object
from ..ops.facts import hands_out, is_return, is_view, looks_at_elements

ELEMENT = "an element of an array that is an array itself, as `a[i, ...]`, comes out of it"
UNCLEAR = "whether an array that comes out of it is a new look at another isn't known before it runs"


class Identities:
    """The objects that the arrays of one graph may be, and who would notice which one it is."""

    def __init__(self, graph: Graph, aliases: Aliases) -> None:
        self._aliases = aliases
        self._flow = Flow(graph)
        self._keepers: dict[Value, set[Place | None]] = {}
        self._origins: dict[Value, Set[Value]] = {}
        for node in walk(graph.body):
            if hands_out(node) and not self._is_merging(node):
                self._keep(node.operands, None)
        self._spread()

    def _is_merging(self, node: Node) -> bool:
        """True for the ``return`` of an inlined helper."""
        edges = (edge for edges in self._flow.edges.values() for edge in edges)
        return is_return(node) and any(edge is node.operands for edge in edges)

    def _keep(self, operands: tuple[Operand, ...], place: Place | None) -> bool:
        grown = False
        for value in operands:
            if is_array(value):
                value = self._flow.head.get(value, value)
                places = self._keepers.setdefault(value, set())
                grown = grown or place not in places
                places.add(place)
        return grown

    def _spread(self) -> None:
        """Whoever looks at a merged value looks at what was merged."""
        merged = [(value, place, slot) for value, (place, slot) in self._flow.slot.items()]
        grown = True
        while grown:
            grown = False
            for value, place, slot in reversed(merged):
                if value in self._keepers or isinstance(value.type, Object):
                    incoming = tuple(edge[slot] for edge in self._flow.edges[place] if slot < len(edge))
                    grown = self._keep(incoming, place) or grown

    def origins(self, value: Value) -> Set[Value]:
        """Where the objects that `value` may be come from: no merges."""
        if value in self._origins:
            return self._origins[value]
        found: set[Value] = set()
        todo, seen = [value], set()
        while todo:
            one = todo.pop()
            one = self._flow.head.get(one, one)
            if one in seen:
                continue
            seen.add(one)
            if one in self._origins:
                found |= self._origins[one]
            elif one in self._flow.slot:
                todo += [o for o in self._flow.incoming(one) if is_array(o)]
            else:
                found.add(one)
        self._origins[value] = found
        return found

    def is_merged_view(self, value: Value, inside: set[Value]) -> bool:
        """True for an array out of a branch or loop that is a view made `inside`, and that somebody gets."""
        merged = is_array(value) and value in self._flow.slot and value in self._keepers
        return merged and any(self.is_view(origin) for origin in self.origins(value) & inside)

    def is_view(self, value: Value) -> bool:
        """True for what a view has made."""
        node = self._flow.definition.get(value)
        return node is not None and is_view(node)

    def unclear(self, node: Node) -> bool:
        """True if a compiled `node` couldn't tell which objects its arrays are."""
        inside = made_in(node)
        kept = [result for result in node.results if result in self._keepers]
        for k, result in enumerate(kept):
            origins = self.origins(result)
            views = {origin for origin in origins & inside if self.is_view(origin)}
            if views and not origins <= inside:
                return True  # a new look at an array, or that array itself
            if any(_may_be_written(origin) != _may_be_written(result) for origin in origins):
                return True  # Numba has one type for both
            for other in kept[:k]:
                if origins & self.origins(other) & inside and self._aliases.may_overlap(result, other):
                    return True
        return False

    def hands_on_an_element(self, node: Node) -> bool:
        """True if something in `node` hands on an element of an array that is an array itself.

        Kernels have no such arrays: an element is a number there, which doesn't change with its array.
        """
        inside = (inner for region in node.regions for inner in walk(region))
        return any(
            value.type.shape == () and any(map(self.is_view, self.origins(value)))
            for user in (node, *inside)
            if not looks_at_elements(user)
            for value in user.operands
            if isinstance(value, Value) and isinstance(value.type, Array)
        )

    def reads_what_it_wrote(self, node: Node) -> bool:
        """True if something in `node` copies within an array, with a result that depends on NumPy's order."""
        inside = (inner for region in node.regions for inner in walk(region))
        return any(reads_what_it_wrote(inner, self._aliases) for inner in (node, *inside))

    def seams(self) -> Seams:
        """For the nodes of a block, one after the other: which must not be compiled together."""
        return Seams(self)

    def is_kept(self, value: Value) -> bool:
        """True if somebody may notice which object `value` is."""
        return value in self._keepers

    def keepers_besides(self, value: Value, places: set[Place | None]) -> bool:
        """True if somebody else than `places` may notice which object `value` is."""
        return bool(self._keepers.get(value, set()) - places)

    def may_be_one(self, value: Value, other: Value) -> bool:
        """True if the memory of the two may be the same."""
        return self._aliases.may_overlap(value, other)


def _may_be_written(value: Value) -> bool:
    return not isinstance(value.type, Array) or value.type.writeable


class Seams:
    """The nodes of a block so far, by the arrays that they make."""

    def __init__(self, identities: Identities) -> None:
        self._identities = identities
        self._made: dict[Value, int] = {}

    def add(self, place: int, node: Node) -> None:
        """From now on `node` is one of them."""
        for value in node.results:
            if is_array(value):
                self._made[value] = place

    def before(self, node: Node) -> Iterator[int]:
        """The places of nodes that make what must be an object of the driver before `node` hands it on."""
        identities = self._identities
        kept = [value for value in node.results if node.regions and identities.is_kept(value)]
        places = _places(node) if kept else set()
        for result in kept:
            origins = identities.origins(result)
            for origin in origins:
                if origin in self._made and identities.is_view(origin):
                    yield self._made[origin]
            twice = self._handed_on_twice(result, kept)
            for value, made in self._made.items():
                own = identities.origins(value)
                is_shared = identities.keepers_besides(value, places)
                if (is_shared and not origins.isdisjoint(own)) or not twice.isdisjoint(own):
                    if identities.may_be_one(result, value):
                        yield made

    def _handed_on_twice(self, result: Value, kept: list[Value]) -> set[Value]:
        """Where an object comes from that `result` may be, and another of these at once."""
        identities = self._identities
        others = [o for o in kept if o is not result and identities.may_be_one(result, o)]
        of_others = set[Value]().union(*map(identities.origins, others))
        return of_others & identities.origins(result)


def _places(node: Node) -> set[Place | None]:
    """Everywhere in `node` where values merge."""
    found: set[Place | None] = {node, *node.regions}
    for region in node.regions:
        for inner in walk(region):
            found |= {inner, *inner.regions}
    return found


def made_in(node: Node) -> set[Value]:
    """The values that the regions of `node` make."""
    return {result for region in node.regions for inner in walk(region) for result in inner.results}
