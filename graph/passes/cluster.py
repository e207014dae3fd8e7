"""Clusters: groups of nodes that are compiled as one unit.

`compilable.py` says which nodes may share a cluster (can it be compiled, in which home), `grouping.py` which
of them do, `worth.py` whether it pays; `outline.py` makes the cluster nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace

from ..analysis.effects import Aliases
from ..analysis.own_copies import IN_NUMPYS_ORDER
from ..ir.nodes import Block, Graph, Node, Value
from ..ir.rewrite import ValuesByName, with_attrs, with_body
from ..ops.facts import is_cluster, is_ending
from ..trace.budget import FUNCTION_WEIGHT
from ..trace.devices import is_forced
from .compilable import ClusterKey, cluster_key, is_alone, why_not
from .dependences import Dependences
from .grouping import Groups
from .identity import ELEMENT, UNCLEAR, Identities
from .options import Options
from .outline import Outline
from .weight import Weights, parts_of
from .worth import is_cheap, is_number_work, is_worth

TOO_LARGE = (
    "it is more than one kernel holds, so Python runs it around several;"
    " try to write what repeats in it as a loop over a range"
)
TOO_MUCH = (
    "the function has more operations than are compiled of one function, and this one is past them;"
    " try to write what repeats as a loop over a range, or call parts of it from plain Python"
)
_FOUND_HERE = (UNCLEAR, ELEMENT, IN_NUMPYS_ORDER, TOO_LARGE, TOO_MUCH)
"""Reasons that can't be read off a node; it keeps them as an attribute."""


def cluster(graph: Graph, options: Options) -> Graph:
    """Wrap groups of compilable nodes in `cluster` nodes, one compiled function each.

    Before::

        graph f(%x: f64[n]) sizes n=x[0] {
          %t0: f64[n] = exp(%x) {loop=('float64',)}
          %t1: f64[n] = add(%t0, 1.0) {loop=('float64', 'float64')}
          return %t1 {text='{0}'}
        }

    After::

        graph f(%x: f64[n]) sizes n=x[0] {
          %t1.1: f64[n] = cluster(%x) {name='cluster_0', scope=None} {
            %t0: f64[n] = exp(%x) {loop=('float64',)}
            %t1: f64[n] = add(%t0, 1.0) {loop=('float64', 'float64')}
            yield %t1
          }
          return %t1.1 {text='{0}'}
        }
    """
    names = ValuesByName.of(graph)
    aliases = Aliases(graph)
    work = _Clusters(options, aliases, Outline(names, Identities(graph, aliases)))
    body = work.block(graph.body)
    return with_body(replace(graph, sizes=names.sizes), body)


@dataclass(slots=True)
class _Clusters:
    options: Options
    aliases: Aliases
    outline: Outline
    reasons: dict[Node, str | None] = field(default_factory=dict)
    weights: Weights = field(default_factory=Weights)
    budget: int = field(default_factory=lambda: FUNCTION_WEIGHT)
    """What may still be compiled of this function."""
    past: set[Node] = field(default_factory=set)
    """Nodes so far behind that nothing is left for them: they aren't compared with others."""

    def block(self, block: Block) -> Block:
        """`block` with clusters in it and in the regions of what isn't compiled as a whole."""
        params = tuple(self.outline.replaced.define(param) for param in block.params)
        nodes = block.nodes
        weights = self.weights.of_each(nodes)
        self._leave_out(nodes, weights)
        depends = Dependences.of(nodes, self.outline.names, self.aliases)
        homes = [None if is_ending(n) or self._why_not(n) else cluster_key(n, self.options) for n in nodes]
        _adopt(homes, depends)
        groups = Groups(
            depends,
            self._colours(nodes, homes),
            self._cuts(nodes, homes),
            self._keep(nodes, depends, weights),
            lambda places: parts_of(places, weights),
        )
        out: list[Node] = []
        for places in groups.in_order(len(nodes) - 1):
            if places[0] in groups.members:
                inside = set(places)
                out += self.outline.cluster([nodes[k] for k in places], _used_outside(inside, depends))
            else:
                out.append(self._plain(nodes[places[0]]))
        return Block(params, (*out, self._plain(block.ending)))

    def _leave_out(self, nodes: tuple[Node, ...], weights: list[int]) -> None:
        """Note which nodes are past twice what may still be compiled; some before them are the driver's."""
        before = 0
        for node, weight in zip(nodes, weights, strict=True):
            if before > 2 * self.budget and not is_forced(node):
                self.past.add(node)
            before += weight

    def _why_not(self, node: Node) -> str | None:
        if node not in self.reasons:
            reason = why_not(node, self.options)
            if not reason and node in self.past:
                reason = TOO_MUCH
            if not reason and node.regions and self.outline.identities.unclear(node):
                reason = UNCLEAR
            if not reason and self.outline.identities.hands_on_an_element(node):
                reason = ELEMENT
            if not reason and self.outline.identities.reads_what_it_wrote(node):
                reason = IN_NUMPYS_ORDER
            if not reason and self.weights.is_too_large(node) and not is_forced(node):
                reason = TOO_LARGE
            self.reasons[node] = reason
        return self.reasons[node]

    def _colours(self, nodes: tuple[Node, ...], homes: list[ClusterKey | None]) -> list[Hashable | None]:
        """The homes; a node that is to be a kernel by itself has a colour of its own."""
        found: list[Hashable | None] = list(homes)
        for k, node in enumerate(nodes):
            if homes[k] is not None and is_alone(node, self.options):
                found[k] = (homes[k], k)
        return found

    def _cuts(self, nodes: tuple[Node, ...], homes: list[ClusterKey | None]) -> set[tuple[int, int]]:
        """The pairs that would make it unclear which object an array is."""
        seams = self.outline.identities.seams()
        cuts: set[tuple[int, int]] = set()
        for k, node in enumerate(nodes):
            if homes[k] is not None:
                cuts |= {(earlier, k) for earlier in seams.before(node)}
                seams.add(k, node)
        return cuts

    def _keep(
        self, nodes: tuple[Node, ...], depends: Dependences, weights: list[int]
    ) -> Callable[[list[int]], list[int]]:
        def keep(places: list[int]) -> list[int]:
            """The cluster without what the driver does as well at its end; nothing if it isn't worth it."""
            candidates, inside = set(places), set(places)
            for place in reversed(places):
                fed = is_number_work(nodes[place]) and not candidates.isdisjoint(depends.uses[place])
                if is_cheap(nodes[place]) and not fed and inside.isdisjoint(depends.after[place]):
                    inside.discard(place)
            kept = [place for place in places if place in inside]
            inner = [nodes[place] for place in kept]
            if not is_worth(inner, self.options):
                return []
            return kept if self._pay(inner, sum(weights[place] for place in kept)) else []

        return keep

    def _pay(self, nodes: list[Node], weight: int) -> bool:
        """Whether the function may have one more kernel, of this weight."""
        if weight > self.budget and not any(map(is_forced, nodes)):
            self.reasons.update(dict.fromkeys(nodes, TOO_MUCH))
            return False
        self.budget -= weight
        return True

    def _plain(self, node: Node) -> Node:
        """`node` as it stands in the driver: values renamed, clusters in its regions if it must be there."""
        replaced = self.outline.replaced
        reason = None if is_ending(node) or is_cluster(node) else self._why_not(node)
        if not reason or reason == TOO_MUCH:
            # The regions of a node that could be compiled aren't worth more than the whole.
            new = replaced.node(node)
        else:
            new = replaced.node(node, tuple(self.block(region) for region in node.regions))
        return with_attrs(new, _left_out=reason) if reason in _FOUND_HERE else new


def _used_outside(inside: set[int], depends: Dependences) -> Callable[[Value], bool]:
    return lambda value: any(place not in inside for place in depends.users.get(value, ()))


def _adopt(homes: list[ClusterKey | None], depends: Dependences) -> None:
    """Nodes that may be compiled with any group join that which they take from, else that of all users."""
    if len({home.group for home in homes if home is not None}) < 2:
        return
    for place, home in enumerate(homes):
        if home is not None and home.group is None:
            nearest = sorted(depends.before[place], reverse=True)
            near = (homes[other] for other in nearest)
            homes[place] = next((h for h in near if h and h.group and h.device == home.device), home)
    for place in reversed(range(len(homes))):
        home = homes[place]
        if home is not None and home.group is None:
            users = {homes[other] for other in depends.after[place]} - {None}
            if len(users) == 1 and (user := users.pop()) is not None and user.device == home.device:
                homes[place] = user
