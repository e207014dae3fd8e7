"""Dead nodes, dead memory and dead state."""

from __future__ import annotations

from collections.abc import Iterator

from ..analysis.around import Around
from ..analysis.effects import Aliases, is_array, is_opaque, raises, reads, writes
from ..ir.nodes import Block, Graph, Node, Operand, Value, walk
from ..ir.rewrite import ValuesByName, symbols_in, with_body, with_nodes
from ..ops.facts import (
    ends_test,
    hands_on,
    head_of,
    is_closure,
    is_cluster,
    is_ending,
    is_loop,
    is_raise,
    is_return,
    is_view,
    merges_state,
)
from .options import Options


def drop_dead(graph: Graph, options: Options) -> Graph:
    """Drop every node whose results nobody reads and that has no effect.

    A write is no effect where nobody reads the memory, and state of a loop or of branches that only serves
    itself is dead, too.

    Before::

        graph f(%x: f64[n], %k: int) {
          %dead: f64[n] = exp(%x) {loop=('float64',)}
          %kept: f64[n] = empty() {text='np.empty(n)'}
          assign(%kept, %dead)
          %s: int, %t: int = for(0, %k, 1, 0, 0) {names=('s', 't')} (%i: int, %s.1: int, %t.1: int) {
            %s.2: int = py.add(%s.1, %i) {loop=('int', 'int'), safe=True}
            %t.2: int = py.add(%t.1, %s.1) {loop=('int', 'int'), safe=True}
            yield %s.2, %t.2
          }
          return %s {text='{0}'}
        }

    After::

        graph f(%x: f64[n], %k: int) {
          %s: int = for(0, %k, 1, 0) {names=('s', 't')} (%i: int, %s.1: int) {
            %s.2: int = py.add(%s.1, %i) {loop=('int', 'int'), safe=True}
            yield %s.2
          }
          return %s {text='{0}'}
        }
    """
    marks = _Needed(graph)
    return with_body(graph, _swept(graph.body, marks))


class _Needed:
    """What is needed, found backwards from the effects, so that circles of dead nodes stay dead."""

    def __init__(self, graph: Graph) -> None:
        self.names = ValuesByName.of(graph)
        self.aliases = Aliases(graph)
        self.nodes: set[Node] = set()
        self.values: set[Value] = set()
        self.owner: dict[Node, Node] = {}
        self.definition: dict[Value, tuple[Node, int]] = {}
        self.exits: dict[Node, list[Node]] = {}
        self.target: dict[Node, Node] = {}
        self.waiting: dict[Value, list[Node]] = {}
        self.read: set[Value] = set()
        self.todo: list[Node] = []
        self.asked: list[Value] = []
        """Values found to be needed, whose definitions have not been looked at: loops may follow each other
        by hundreds, so this is no recursion."""
        self._visit(graph.body, Around())
        for node in walk(graph.body):
            if self._has_effect(node):
                self._need(node)
        while self.todo or self.asked:
            if self.asked:
                self._define(self.asked.pop())
            else:
                self._use(self.todo.pop())

    # Structure

    def _visit(self, block: Block, around: Around) -> None:
        for node in block.nodes:
            if around.owner is not None:
                self.owner[node] = around.owner
            for k, result in enumerate(node.results):
                self.definition[result] = node, k
            if (target := around.target(node)) is not None:
                self.exits.setdefault(target, []).append(node)
                self.target[node] = target
            for region in node.regions:
                for k, param in enumerate(region.params):
                    self.definition[param] = node, k - (len(region.params) - _state(node))
                self._visit(region, around.inside(node, region))

    def _has_effect(self, node: Node) -> bool:
        """Whether `node` itself does something that is seen."""
        if is_ending(node):
            return is_raise(node) or (is_return(node) and node not in self.target)
        if is_cluster(node) or raises(node) or is_opaque(node):
            return True
        for target in writes(node):
            roots = self.aliases.roots(target)
            if not roots or not self.aliases.is_local(target):
                return True
            for root in roots:
                self.waiting.setdefault(root, []).append(node)
        return False

    # Marking

    def _need(self, node: Node) -> None:
        if node not in self.nodes:
            self.nodes.add(node)
            self.todo.append(node)

    def _use(self, node: Node) -> None:
        """Everything that `node`, which is needed, needs."""
        if node in self.owner:
            self._need(self.owner[node])
        for ending in self.exits.get(node, ()):
            self._need(ending)
        head = head_of(node) if merges_state(node) else None
        if is_ending(node) and not is_raise(node):
            self._use_ending(node)
        else:
            for operand in node.operands if head is None else node.operands[:head]:
                self._value(operand)
        own = {*node.results, *(param for region in node.regions for param in region.params)}
        for name in symbols_in(node):
            behind = self.names.behind(name)
            if behind is not None and behind not in own:  # nobody needs a value to know how long it is
                self._value(behind)
        for array in self._looked_at(node):
            self._look(array)

    def _use_ending(self, node: Node) -> None:
        """An ending hands on what is needed of what it carries."""
        target = self.target.get(node)
        if target is None or is_closure(target):
            for operand in node.operands:
                self._value(operand)
                if is_array(operand):
                    self._look(operand)
            return
        if ends_test(node, target):
            self._value(node.operands[0])
            return
        for k, operand in enumerate(node.operands):
            if self.is_live(target, k):
                self._value(operand)

    def _looked_at(self, node: Node) -> Iterator[Value]:
        if is_view(node) or is_ending(node):
            yield from reads(node)
            return
        if node.regions:
            return
        targets = writes(node)
        yield from (o for o in node.operands if is_array(o) and not any(o is t for t in targets))
        yield from (v for v in reads(node) if any(v is t for t in targets))

    def _look(self, array: Value) -> None:
        """Elements of `array` are needed: so is what writes them."""
        for root in self.aliases.roots(array):
            if root not in self.read:
                self.read.add(root)
                for writer in self.waiting.get(root, ()):
                    self._need(writer)

    def _value(self, operand: Operand) -> None:
        if not isinstance(operand, Value) or operand in self.values:
            return
        self.values.add(operand)
        self.asked.append(operand)

    def _define(self, value: Value) -> None:
        """What makes `value` is needed."""
        found = self.definition.get(value)
        if found is None:
            return
        node, slot = found
        self._need(node)
        if node.regions and slot >= 0 and not is_cluster(node):
            self._slot(node, slot)

    def _slot(self, node: Node, slot: int) -> None:
        """State (or a result) of a node with regions is needed, whatever it is called in which region."""
        key = node.results[slot] if slot < len(node.results) else None
        if key is not None:
            self.values.add(key)
        if is_loop(node):
            self._value(node.operands[head_of(node) + slot])
            for region in node.regions:
                self.values.add(region.params[len(region.params) - _state(node) + slot])
        for ending in self.exits.get(node, ()):
            if not ends_test(ending, node) and slot < len(ending.operands):
                self._value(ending.operands[slot])

    def is_live(self, node: Node, slot: int) -> bool:
        """Whether a result of a node with regions, or the state behind it, is needed."""
        if not merges_state(node) or slot >= len(node.results):
            return True
        return node.results[slot] in self.values


def _state(node: Node) -> int:
    """How many values of state the regions of `node` begin with."""
    return len(node.results) if is_loop(node) else 0


def _swept(block: Block, marks: _Needed) -> Block:
    """`block` with what is needed."""
    nodes = [_kept(node, marks) for node in block.nodes if node in marks.nodes]
    return with_nodes(block, nodes)


def _kept(node: Node, marks: _Needed) -> Node:
    if hands_on(node):
        target = marks.target.get(node)
        if target is None or ends_test(node, target) or not merges_state(target):
            return node
        operands = tuple(o for k, o in enumerate(node.operands) if marks.is_live(target, k))
        same = len(operands) == len(node.operands)
        return node if same else Node(node.op, operands, (), node.attrs, (), node.loc)
    if not node.regions:
        return node
    live = [marks.is_live(node, k) for k in range(len(node.results))]
    regions = tuple(_region(node, region, marks, live) for region in node.regions)
    if all(live):
        same = all(a is b for a, b in zip(regions, node.regions, strict=True))
        return node if same else Node(node.op, node.operands, node.results, node.attrs, regions, node.loc)
    results = tuple(r for r, kept in zip(node.results, live, strict=True) if kept)
    head = len(node.operands) - _state(node)
    state = tuple(o for o, kept in zip(node.operands[head:], live, strict=False) if kept)
    return Node(node.op, (*node.operands[:head], *state), results, node.attrs, regions, node.loc)


def _region(node: Node, region: Block, marks: _Needed, live: list[bool]) -> Block:
    swept = _swept(region, marks)
    if not _state(node) or all(live):
        return swept
    head = len(region.params) - _state(node)
    state = (p for p, kept in zip(region.params[head:], live, strict=True) if kept)
    return Block((*region.params[:head], *state), swept.nodes)
