"""Loop state that is updated in its own memory instead of being made anew in each iteration.

    c = np.zeros(...)                          c = np.zeros(...)
    for t in range(n):                 →       for t in range(n):
        c_1 = f * c + i                            c_1 = f * c + i
        c = c_1                                    c[...] = c_1

Fusing then writes each element where it was read. This is done where the loop is the only one that knows the
array it begins with and each iteration reads the old one element by element, or as a whole before the new one
is written: then nobody can tell, and nothing is copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..graph.analysis.around import body_of, else_of
from ..graph.analysis.flow import endings_of
from ..graph.ir.nodes import Block, Graph, Node, Operand, Value, value_operands, walk
from ..graph.ir.types import Array
from ..graph.ops import OPS
from ..graph.ops.define import CREATION, ELEMENTWISE, PRODUCT, REDUCTION
from ..graph.ops.facts import (
    is_call,
    is_compiled_loop,
    is_copy,
    is_ending,
    is_jump,
    is_loop,
    is_unit,
    is_yield,
)
from .canon import Canon

_COMPUTED = (ELEMENTWISE, PRODUCT, REDUCTION)


def in_place(region: Block, graph: Graph) -> Block:
    """`region` with assignments to loop state where that is as good as new arrays."""
    return _InPlace(region, graph).block(region)


@dataclass(frozen=True, slots=True)
class _State:
    """A place among the state of a loop: the array in it, and what each new one is written from."""

    slot: int
    param: Value
    sources: dict[Operand, Value]


class _InPlace:
    def __init__(self, region: Block, graph: Graph) -> None:
        self._canon = Canon(graph)
        self._readers: dict[Operand, list[Node]] = {}
        self._made: dict[Operand, Node] = {}
        self._loop_around: dict[Node, Node | None] = {}
        self._see_loops(region, None)
        for node in walk(region):
            for operand in value_operands(node):
                self._readers.setdefault(operand, []).append(node)
            self._made.update((result, node) for result in node.results)

    def _see_loops(self, block: Block, loop: Node | None) -> None:
        for node in block.nodes:
            self._loop_around[node] = loop
            for region in node.regions:
                self._see_loops(region, node if is_loop(node) else loop)

    def block(self, block: Block) -> Block:
        """`block` with the loops in it changed."""
        return Block(block.params, tuple(self._node(node) for node in block.nodes))

    def _node(self, node: Node) -> Node:
        if is_call(node) or not node.regions:
            return node
        regions = tuple(self.block(region) for region in node.regions)
        if is_compiled_loop(node) and else_of(node) is None:
            states = list(self._states(node))
            place = node.regions.index(body_of(node))
            regions = (*regions[:place], _written(regions[place], states, True), *regions[place + 1 :])
        return replace(node, regions=regions)

    def _states(self, loop: Node) -> Iterator[_State]:
        count = len(loop.results)
        initial = loop.operands[len(loop.operands) - count :]
        params = [region.params[len(region.params) - count :] for region in loop.regions]
        endings = list(endings_of(body_of(loop)))
        for slot in range(count):
            mine = [group[slot] for group in params]
            param = body_of(loop).params[len(body_of(loop).params) - count + slot]
            new = {ending.operands[slot] for ending in endings} - {param}
            if not new or not self._is_own(initial[slot], param, loop):
                continue
            if all(self._stays(value, slot, endings) for value in (*mine, *new)):
                sources = {value: source for value in new if (source := self._source(value, param))}
                if len(sources) == len(new):
                    yield _State(slot, param, sources)

    def _is_own(self, first: Operand, param: Value, loop: Node) -> bool:
        """True when `loop` begins with a new array that nobody else knows, nor it when it runs again."""
        if len(self._readers.get(first, ())) != 1 or not self._is_like(first, param):
            return False
        return self._loop_around[self._made[first]] is self._loop_around[loop]

    def _is_like(self, value: Operand, param: Value) -> bool:
        """True for a new array of the parameter's dtype and shape."""
        node, mine, other = self._made.get(value), value.type, param.type
        if node is None or node.op not in OPS or OPS[node.op].kind not in (CREATION, *_COMPUTED):
            return False
        if not isinstance(mine, Array) or not isinstance(other, Array) or not mine.ndim:
            return False
        if mine.dtype != other.dtype or mine.layout != "C" or other.layout != "C":
            return False
        return tuple(map(self._canon, mine.shape)) == tuple(map(self._canon, other.shape))

    def _source(self, value: Operand, param: Value) -> Value | None:
        """What is written to the parameter's memory for a new array: itself, or what it is a copy of."""
        if not isinstance(value, Value) or not self._is_like(value, param):
            return None
        node = self._made[value]
        is_product = OPS[node.op].kind == PRODUCT and param not in node.operands
        if OPS[node.op].kind == ELEMENTWISE or is_product:
            return value
        source = node.operands[0] if is_copy(node) else value
        maker = self._made.get(source)
        if source is value or maker is None or maker.op not in OPS or OPS[maker.op].kind not in _COMPUTED:
            return None
        alone = len(self._readers[value]) == 1 and all(_only_reads(n, source) for n in self._readers[source])
        return source if alone and isinstance(source, Value) else None

    def _stays(self, value: Operand, slot: int, endings: list[Node]) -> bool:
        """True when the iteration only reads the array, and hands it on in this place if at all."""
        for reader in self._readers.get(value, ()):
            if reader not in endings and not _only_reads(reader, value):
                return False
            if reader in endings and [k for k, o in enumerate(reader.operands) if o is value] != [slot]:
                return False
        return True


def _only_reads(reader: Node, value: Operand) -> bool:
    """True for what reads elements of the array where they stand, and keeps none of its memory."""
    if reader.op in ("assign", "copy"):
        return is_copy(reader) or reader.operands[0] is not value
    known = not reader.regions and not is_ending(reader) and reader.op in OPS
    return known and OPS[reader.op].kind in _COMPUTED


def _written(block: Block, states: list[_State], outermost: bool) -> Block:
    """`block` with the new arrays written to the old ones before each ending of the loop's iterations."""
    needless = {new for state in states for new, source in state.sources.items() if new is not source}
    nodes: list[Node] = []
    for node in block.nodes[:-1]:
        if not needless.isdisjoint(node.results):
            continue
        if not is_loop(node) and not is_unit(node) and node.regions:
            node = replace(node, regions=tuple(_written(region, states, False) for region in node.regions))
        nodes.append(node)
    ending = block.ending
    if is_jump(ending) or (outermost and is_yield(ending)):
        operands = list(ending.operands)
        for state in states:
            if source := state.sources.get(operands[state.slot]):
                made = Node("assign", (state.param, source), (), {"text": "{0}[...] = {1}"}, (), ending.loc)
                nodes.append(made)
                operands[state.slot] = state.param
        ending = replace(ending, operands=tuple(operands))
    return Block(block.params, (*nodes, ending))
