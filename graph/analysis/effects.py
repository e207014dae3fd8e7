"""What nodes do to memory, and which arrays may share it.

Array values are references. Each has a *root*: a parameter, an allocation, a merge of control flow (state of
a loop, result of an ``if``) or an unknown place. Views have the root of their source. Two roots may overlap
if

- they are one root;
- one is unknown, and the other was a parameter or has escaped to opaque code;
- one is a merge, and a value that comes in along one of its edges may overlap the other. Two merges at one
  place are compared edge by edge, so that ``u, v = v, u`` in a loop keeps u and v apart.

Memory that is allocated after a value was made can't be that value's; parameters are taken as pairwise
disjoint (the dispatcher checks that where something is written).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..ir.nodes import Block, Graph, Node, Operand, Value, walk
from ..ir.types import Array, Object
from ..ops import OPS
from ..ops.define import OPAQUE, PYTHON
from ..ops.facts import (
    PRINTS,
    REPEATABLE,
    STREAM,
    UNSTEADY,
    clusters_of,
    draws,
    draws_below,
    is_element,
    is_ending,
    is_jump,
    is_look,
    is_plain_view,
    is_python,
    is_recursion,
    is_return,
    is_view,
    op_of,
)
from .around import Around
from .flow import Flow, Place, is_array


@dataclass(frozen=True, slots=True)
class Effects:
    """What a node does, its regions included.

    `leaves`: it may end a region outside of itself (``break`` in an ``if``), so what follows may not run.
    `indexes`: it has indices whose check may have been left out because of what ran before it.
    """

    reads: tuple[Value, ...] = ()
    writes: tuple[Value, ...] = ()
    raises: bool = False
    opaque: bool = False
    leaves: bool = False
    indexes: bool = False

    @property
    def pure(self) -> bool:
        """Nothing but results comes of it, whenever it runs."""
        return not (self.reads or self.indexes) and self.droppable

    @property
    def droppable(self) -> bool:
        """Nobody misses it when its results aren't used."""
        return not (self.writes or self.raises or self.opaque or self.leaves)


def reads(node: Node) -> tuple[Value, ...]:
    """The arrays whose elements `node` itself reads (not its regions)."""
    op = OPS.get(node.op)
    if is_recursion(node):
        return tuple(v for v in node.operands if is_array(v))
    if op is None or op.reads is None or is_look(node):
        return ()
    return tuple(v for v in node.operands[op.reads] if is_array(v))


def writes(node: Node) -> tuple[Value, ...]:
    """The arrays whose elements `node` itself writes (not its regions)."""
    op = OPS.get(node.op)
    if is_recursion(node):
        return tuple(v for v in node.operands[: node.attrs.get("written", 0)] if is_array(v))
    if op is None or op.writes is None:
        return ()
    return tuple(v for v in node.operands[op.writes] if is_array(v))


def raises(node: Node) -> bool:
    """True when `node` itself may raise, or not come to an end."""
    if node.attrs.get("safe"):
        return False
    op = OPS.get(node.op)
    if op is None:
        return True
    return "raises" in op.effect and (op.raises_if is None or op.raises_if(node))


def is_opaque(node: Node) -> bool:
    """True when `node` itself may run arbitrary Python, or nobody knows yet what it does."""
    if is_recursion(node):
        return "written" not in node.attrs
    op = OPS.get(node.op)
    if op is None:
        return False
    if "opaque" in op.effect:
        return not node.attrs.get("harmless")
    return asks_object(node)


def asks_object(node: Node) -> bool:
    """Whether it asks an object for its truth, which may run code of the user's."""
    op = OPS.get(node.op)
    return op is not None and op.asks_truth and isinstance(node.operands[0].type, Object)


def gives_away(node: Node) -> bool:
    """True when Python has the node's arrays from then on: opaque code, and objects that may hold them."""
    makes_objects = not node.regions and any(isinstance(result.type, Object) for result in node.results)
    return is_python(node) or is_opaque(node) or makes_objects


def runs_once(node: Node) -> bool:
    """What it does can't be done twice: opaque Python, the truth of an object, and writes by NumPy."""
    op = OPS.get(node.op)
    if op is None or node.attrs.get("harmless") or node.attrs.get(REPEATABLE):
        return False
    return "opaque" in op.effect or (op.kind == OPAQUE and op.writes is not None) or asks_object(node)


def done_once(graph: Graph) -> set[Node]:
    """The nodes of the graph that `runs_once` holds for, without writes by NumPy into what is made inside."""
    found = {node for node in walk(graph.body) if runs_once(node)}
    writing = [node for node in found if not is_opaque(node) and not any(map(_is_object, node.operands))]
    aliases = Aliases(graph) if writing else None
    return found - {node for node in writing if aliases and all(map(aliases.is_local, writes(node)))}


def _is_object(operand: Operand) -> bool:
    return isinstance(operand.type, Object)


def taken_back(graph: Graph) -> set[Node]:
    """What of `done_once` doesn't keep a call from starting again: it can be undone, or left out then."""
    return drawn_from(graph).keys() | prints(graph)


def prints(graph: Graph) -> set[Node]:
    """The nodes that print, before anything is asked that has another answer next time."""
    found: set[Node] = set()
    for node in graph.body.nodes:
        inner = [node, *(one for region in node.regions for one in walk(region))]
        if any(UNSTEADY in one.attrs for one in inner):
            break
        found.update(one for one in inner if PRINTS in one.attrs)
    return found


def drawn_from(graph: Graph) -> dict[Node, Value]:
    """The nodes that do nothing that can't be undone but draw random numbers, each with its generator.

    That is a parameter, whose state can be put back, or one that is made inside, and then made again.
    """
    inner = list(walk(graph.body))
    known = {*graph.params, *(node.results[0] for node in inner if node.attrs.get("makes_generator"))}
    marks = {"draw", STREAM}
    drawing = ((node, node.operands[0]) for node in inner if draws(node) or marks & node.attrs.keys())
    return {node: stream for node, stream in drawing if isinstance(stream, Value) and stream in known}


def effects_of(node: Node) -> Effects:
    """The effects of `node` and of everything in its regions."""
    if not node.regions and not is_ending(node):
        return Effects(reads(node), writes(node), raises(node), is_opaque(node), False, indexes(node))
    inner = list(_inside(node))
    return Effects(
        tuple(dict.fromkeys(v for n in inner for v in reads(n))),
        tuple(dict.fromkeys(v for n in inner for v in writes(n))),
        any(raises(n) for n in inner),
        any(is_opaque(n) for n in inner),
        leaves(node),
        any(indexes(n) for n in inner),
    )


def _inside(node: Node) -> Iterator[Node]:
    yield node
    for region in node.regions:
        yield from walk(region)


def indexes(node: Node) -> bool:
    """True when `node` itself picks elements or parts by run-time indices, or by what a condition tells."""
    return is_element(node) or (is_plain_view(node) and any(map(node.attrs.get, ("check", "rests"))))


def leaves(node: Node) -> bool:
    """True when an ending inside `node` goes further than the end of `node`."""
    return any(_leaves(region, Around().inside(node, region)) for region in node.regions)


def _leaves(block: Block, around: Around) -> bool:
    for node in block.nodes:
        if (is_jump(node) or is_return(node)) and around.target(node) is None:
            return True
        if any(_leaves(region, around.inside(node, region)) for region in node.regions):
            return True
    return False


def conflict(first: Node, second: Node, aliases: Aliases) -> bool:
    """True when the two nodes, neither of which uses the other's results, must keep their order."""
    one, two = effects_of(first), effects_of(second)
    if one.pure or two.pure:
        return False
    return _ordered(one, two, aliases) or _ordered(two, one, aliases)


def _ordered(one: Effects, two: Effects, aliases: Aliases) -> bool:
    if any(aliases.may_overlap(w, v) for w in one.writes for v in (*two.writes, *two.reads)):
        return True
    visible = any(not aliases.is_local(w) for w in two.writes)
    if one.leaves and (two.writes or two.raises or two.opaque or two.leaves):
        return True
    used = (*two.reads, *two.writes)
    if (one.leaves or one.raises) and (two.indexes or any(map(aliases.may_be_nothing, used))):
        return True
    if one.raises and (two.raises or two.opaque or visible):
        return True
    return one.opaque and (two.opaque or visible or any(not aliases.is_local(r) for r in two.reads))


def is_nothing(operand: Operand) -> bool:
    """True for an array that has no elements, whatever the sizes of the call."""
    kind = operand.type
    return isinstance(kind, Array) and kind.ndim > 0 and all(size == 0 for size in kind.shape)


_PARAMETER, _ALLOCATION, _UNKNOWN, _MERGE = "parameter", "allocation", "unknown", "merge"


class Aliases:
    """Which array values of one graph may share memory."""

    def __init__(self, graph: Graph) -> None:
        self.flow = Flow(graph)
        for body, more in self.flow.again.items():
            self.flow.edges[body] += more
        self._source: dict[Value, Value] = dict(self.flow.head)
        self._kind: dict[Value, str] = dict.fromkeys(graph.params, _PARAMETER)
        self._escaped: set[Value] = set()
        self._known: dict[tuple[Value, Value], bool] = {}
        self._local: dict[Value, bool] = {}
        self._nothing: dict[Value, bool] = {}
        for value in self.flow.order:
            if value not in self._kind and value not in self._source:
                self._classify(value)
        self._escape(graph)

    def _classify(self, value: Value) -> None:
        node = self.flow.definition.get(value)
        if value in self.flow.slot:
            self._kind[value] = _MERGE
        elif node is None or is_python(node):
            self._kind[value] = _UNKNOWN
        elif is_look(node):
            source = node.operands[0]
            assert isinstance(source, Value)
            self._source[value] = source
        elif is_view(node) or node.attrs.get("aliases"):
            objects = any(isinstance(o.type, Object) and isinstance(o, Value) for o in node.operands)
            self._kind[value] = _UNKNOWN if objects else _MERGE
            self.flow.slot[value] = (node, 0)
            self.flow.edges[node] = [(o,) for o in node.operands if is_array(o)]
        else:
            self._kind[value] = _ALLOCATION

    def _escape(self, graph: Graph) -> None:
        for node in walk(graph.body):
            exposed = [o for o in node.operands if is_array(o)] if gives_away(node) else []
            merges: list[tuple[Place, tuple[Value, ...]]] = [(node, node.results)]
            merges += [(region, region.params) for region in node.regions]
            for place, merged in merges:
                for edge in self.flow.edges.get(place, ()):
                    pairs = zip(edge, merged, strict=False)
                    exposed += [o for o, into in pairs if is_array(o) and isinstance(into.type, Object)]
            for value in exposed:
                assert isinstance(value, Value)
                self._escaped |= {root for root in self.roots(value) if self._kind[root] == _ALLOCATION}

    def root(self, value: Value) -> Value:
        """What `value` is a view of: a parameter, an allocation, a merge or an unknown array."""
        while value in self._source:
            value = self._source[value]
        return value

    def is_merged(self, root: Value) -> bool:
        """False for parameters and allocations, which overlap no others of their kinds."""
        return self._kind.get(root, _UNKNOWN) in (_MERGE, _UNKNOWN)

    def source(self, value: Value) -> Value | None:
        """The array that `value` is a view of, or another name for; None for a root."""
        return self._source.get(value)

    def _incoming(self, value: Value) -> list[Value]:
        return [self.root(o) for o in self.flow.incoming(value) if isinstance(o, Value) and is_array(o)]

    def roots(self, value: Value) -> frozenset[Value]:
        """The parameters, allocations and unknown arrays whose memory `value` may look at."""
        return frozenset(one for one in self._reach(value) if self._kind.get(one) != _MERGE)

    def _reach(self, value: Value) -> set[Value]:
        """The root of `value`, and through merges those of all that it may be."""
        seen: set[Value] = set()
        todo = [self.root(value)]
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                todo += self._incoming(one) if self._kind.get(one) == _MERGE else []
        return seen

    def may_be_nothing(self, value: Value) -> bool:
        """True when an array without elements may stand here for a name that has no array.

        It is not as large as its type says: what checks the name must run before the elements are read.
        """
        whole = self.root(value)
        if whole not in self._nothing:
            reached = self._reach(whole)
            self._nothing[whole] = len(reached) > 1 and any(map(is_nothing, reached))
        return self._nothing[whole]

    def may_overlap(self, a: Value, b: Value) -> bool:
        """True unless it is proved that no element of one is an element of the other.

        For two values that are visible at one point of the graph.
        """
        pair = (self.root(a), self.root(b))
        if self.flow.order.get(pair[0], -1) > self.flow.order.get(pair[1], -1):
            pair = pair[::-1]
        if pair not in self._known:
            self._known[pair] = self._reaches_overlap(pair)
        return self._known[pair]

    def _reaches_overlap(self, pair: tuple[Value, Value]) -> bool:
        seen: set[tuple[Value, Value]] = set()
        todo = [pair]
        while todo:
            a, b = todo.pop()
            if a not in self.flow.order or b not in self.flow.order:
                return True  # of another graph than the one that was analysed
            if self.flow.order[a] > self.flow.order[b]:
                a, b = b, a
            if (a, b) in seen or self._known.get((a, b)) is False:
                continue
            seen.add((a, b))
            if a is b or self._known.get((a, b)):
                return True
            later = self._kind.get(b, _UNKNOWN)
            if later == _MERGE:
                todo += self._expanded(a, b)
            elif later == _UNKNOWN:
                if self._kind.get(a) == _MERGE:
                    todo += [(source, b) for source in self._incoming(a)]
                elif self._kind.get(a) != _ALLOCATION or a in self._escaped:
                    return True
        return False

    def _expanded(self, a: Value, b: Value) -> list[tuple[Value, Value]]:
        """The pairs along the edges into the merge `b`; side by side if `a` is merged at the same place."""
        place, slot = self.flow.slot[b]
        if self._kind.get(a) == _MERGE and self.flow.slot[a][0] is place:
            other = self.flow.slot[a][1]
            edges = [(edge[other], edge[slot]) for edge in self.flow.edges[place]]
            return [
                (self.root(x), self.root(y))
                for x, y in edges
                if isinstance(x, Value) and isinstance(y, Value) and is_array(x) and is_array(y)
            ]
        return [(a, source) for source in self._incoming(b)]

    def may_ever_overlap(self, a: Value, b: Value) -> bool:
        """Like `may_overlap`, for values that are there at different times, in different iterations."""
        if a not in self.flow.order or b not in self.flow.order:
            return True  # of another graph than the one that was analysed
        if not self._reach(a).isdisjoint(self._reach(b)):
            return True
        unknown = any(self._kind.get(root) == _UNKNOWN for v in (a, b) for root in self.roots(v))
        return unknown and not (self.is_local(a) or self.is_local(b))

    def is_local(self, value: Value) -> bool:
        """True when only this graph can see the memory: allocated here and never handed to opaque code."""
        whole = self.root(value)
        if whole not in self._local:
            self._local[whole] = self._comes_from_here(whole)
        return self._local[whole]

    def _comes_from_here(self, whole: Value) -> bool:
        seen: set[Value] = set()
        todo = [whole]
        while todo:
            one = todo.pop()
            if one in seen or self._local.get(one):
                continue
            seen.add(one)
            if self._kind.get(one) == _MERGE:
                todo += self._incoming(one)
            elif self._kind.get(one) != _ALLOCATION or one in self._escaped:
                return False
        return True


def written_params(graph: Graph) -> tuple[Value, ...]:
    """The parameters into whose memory nodes of the graph may write (opaque code aside)."""
    aliases = Aliases(graph)
    roots = {root for node in walk(graph.body) for value in writes(node) for root in aliases.roots(value)}
    return tuple(param for param in graph.params if param in roots)


def may_deoptimise(graph: Graph) -> bool:
    """Whether compiled code of `graph` computes Python's numbers without a proof that they fit."""
    nodes = (node for cluster in clusters_of(graph) for node in walk(cluster.regions[0]))
    return any(raises(node) and (draws_below(node) or _is_pythons(node)) for node in nodes)


def _is_pythons(node: Node) -> bool:
    op = op_of(node)
    return op is not None and op.kind == PYTHON
