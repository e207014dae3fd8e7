"""Names that are bound again to the array they had: `x += 1` in a loop makes `x` state of the loop.

Adjoints are kept by name. So the state of loops and the results of branches that are certainly one array get
that array's name (by a node with `attrs["alias"]`); what the loop carries stays, and nobody looks at it.

    %x.2 = for(0, 3, 1, %x) (%i, %x.1) {        %x.3 = for(0, 3, 1, %x) (%i, %x.4) {
      assign(%x.1, ...)                           %x.1 = view(%x)
      yield %x.1                           ->     assign(%x.1, ...)
    }                                             yield %x.1
                                                }
                                                %x.2 = view(%x)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..analysis.around import body_of
from ..analysis.effects import is_array
from ..ir.nodes import Block, Node, Operand, Value, walk
from ..ir.rewrite import defined_by, with_regions
from ..ops.facts import falls_through, is_branch, is_compiled_loop, is_jump, is_loop, is_yield
from .exits import ExitRewriter, alias


class TrivialMerges:
    """Finds, in nodes without calls and returns, values that are other names of the same array."""

    def __init__(self, exits: ExitRewriter) -> None:
        self.exits = exits
        self.known: dict[Value, Operand] = {}

    def named(self, nodes: Sequence[Node]) -> list[Node]:
        """`nodes` with the names that they share; the same nodes where there are none."""
        return [new for node in nodes for new in self._named(node)]

    def resolved(self, operand: Operand) -> Operand:
        """What `operand` is another name of."""
        while isinstance(operand, Value) and operand in self.known:
            operand = self.known[operand]
        return operand

    def _named(self, node: Node) -> list[Node]:
        if node.attrs.get("alias") == "flow":
            self.known[node.results[0]] = node.operands[0]
        if not node.regions or node.op in ("custom_gradient", "call"):
            return [node]
        regions = tuple(self._block(region) for region in node.regions)
        node = with_regions(node, regions)
        if is_compiled_loop(node):
            return self._loop(node)
        return self._branch(node) if is_branch(node) else [node]

    def _block(self, block: Block) -> Block:
        nodes = self.named(block.nodes)
        same = len(nodes) == len(block.nodes) and all(a is b for a, b in zip(nodes, block.nodes, strict=True))
        return block if same else Block(block.params, tuple(nodes))

    def _branch(self, node: Node) -> list[Node]:
        edges = [region.ending.operands for region in node.regions if falls_through(region)]
        inside = {value for region in node.regions for n in walk(region) for value in defined_by(n)}
        same: dict[int, Value] = {}
        for k, result in enumerate(node.results):
            found = list(dict.fromkeys(self.resolved(edge[k]) for edge in edges))
            if is_array(result) and len(found) == 1 and found[0] not in inside:
                (array,) = found
                if isinstance(array, Value) and array.type == result.type:
                    same[k] = array
        return self._renamed(node, node.regions, same)

    def _loop(self, node: Node) -> list[Node]:
        count = len(node.results)
        initial = node.operands[len(node.operands) - count :]
        body = body_of(node)
        state = body.params[len(body.params) - count :]
        same = {
            k: array
            for k, param in enumerate(state)
            if isinstance(array := self.resolved(initial[k]), Value) and self._alike(array, param)
        }
        edges = [ending.operands for ending in _ends(body, True)]
        if node.attrs.get("orelse") and falls_through(node.regions[-1]):
            edges.append(node.regions[-1].ending.operands)
        while True:
            names = {state[k]: array for k, array in same.items()}
            for region in node.regions:
                params = region.params[len(region.params) - count :] if region is not body else ()
                names.update((param, same[k]) for k, param in enumerate(params) if k in same)
            wrong = [k for k in same for edge in edges if self._through(edge[k], names) != same[k]]
            if not wrong:
                break
            same = {k: array for k, array in same.items() if k not in wrong}
        regions = [self._told(region, count, same) for region in node.regions]
        return self._renamed(node, regions, same)

    def _alike(self, array: Value, param: Value) -> bool:
        return is_array(param) and array.type == param.type

    def _through(self, operand: Operand, names: dict[Value, Value]) -> Operand:
        operand = self.resolved(operand)
        while isinstance(operand, Value) and operand in names:
            operand = self.resolved(names[operand])
        return operand

    def _told(self, region: Block, count: int, same: dict[int, Value]) -> Block:
        """A region of a loop with the parameters in `same` as names of arrays outside."""
        head = len(region.params) - count
        if not same or head < 0:
            return region
        params, known = list(region.params), []
        for k, array in same.items():
            old = params[head + k]
            params[head + k] = self.exits.builder.like(old)
            known.append(alias(old, array))
            self.known[old] = array
        return Block(tuple(params), (*known, *region.nodes))

    def _renamed(self, node: Node, regions: Sequence[Block], same: dict[int, Value]) -> list[Node]:
        if not same:
            return [node]
        results = list(node.results)
        after = []
        for k, array in same.items():
            after.append(alias(results[k], array))
            self.known[results[k]] = array
            results[k] = self.exits.builder.like(results[k])
        return [Node(node.op, node.operands, tuple(results), node.attrs, tuple(regions), node.loc), *after]


def _ends(block: Block, top: bool) -> Iterator[Node]:
    """The endings that go back to the head of a loop with this body, or out of it."""
    for node in block.nodes:
        if is_jump(node) or (top and is_yield(node)):
            yield node
        elif is_branch(node):
            for region in node.regions:
                yield from _ends(region, False)
        elif is_loop(node) and node.attrs.get("orelse"):
            yield from _ends(node.regions[-1], False)
