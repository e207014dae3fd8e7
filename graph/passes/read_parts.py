"""Real and imaginary parts that are only read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..analysis.effects import Aliases, effects_of
from ..ir.nodes import Block, Graph, Node, Value, walk
from ..ir.rewrite import Substitution, with_body
from ..ir.types import Array
from ..ops import OPS
from ..ops.define import ELEMENTWISE, REDUCTION
from ..ops.facts import is_load, is_numpy_call, is_write, op_of
from .compilable import why_not
from .options import Options


def read_parts(graph: Graph, options: Options) -> Graph:
    """Compute parts of complex arrays where they are read, in place of views that NumPy makes.

    A view shows what is written to the array later, and writes to it: so that is done only where all that
    looks at the part reads it, and before anything may write to the array.

    Before::

        graph f(%z: c128[n]) {
          %x: f64[n]:A = numpy(%z) {aliases=True, raises=False, text='{0}.real'}
          %y: f64[n] = exp(%x) {loop=('float64',)}
          return %y
        }

    After::

        graph f(%z: c128[n]) {
          %x: f64[n] = real(%z) {loop=('complex128',), text='{0}.real'}
          %y: f64[n] = exp(%x) {loop=('float64',)}
          return %y
        }
    """
    if not any(_part_of(node) for node in walk(graph.body)):
        return graph
    readers: dict[Value, list[Node]] = {}
    for node in walk(graph.body):
        for operand in node.operands:
            if isinstance(operand, Value):
                readers.setdefault(operand, []).append(node)
    return with_body(graph, _Parts(Aliases(graph), readers, options).block(graph.body))


def _part_of(node: Node) -> str | None:
    """The operation that a view of a part would be, if it made a new array."""
    part = str(node.attrs.get("text", "")).removeprefix("{0}.") if is_numpy_call(node) else ""
    op = OPS.get(part)
    source = node.operands[0].type if op is not None and op.kind == ELEMENTWISE and node.operands else None
    if not isinstance(source, Array) or source.dtype.name not in ("complex64", "complex128"):
        return None
    return part if source.layout == "C" or source.ndim == 1 else None


class _Parts:
    """Rewrites blocks from the outside in."""

    def __init__(self, aliases: Aliases, readers: dict[Value, list[Node]], options: Options) -> None:
        self.aliases, self.readers, self.options = aliases, readers, options
        self.replaced = Substitution()

    def block(self, block: Block) -> Block:
        """The block with parts that are computed."""
        params = self.replaced.params(block)
        nodes: list[Node] = []
        for place, node in enumerate(block.nodes):
            part = _part_of(node)
            if part is not None and self._is_only_read(node, block.nodes[place + 1 :]):
                node = self._computed(node, part)
            nodes.append(self.replaced.node(node, tuple(self.block(region) for region in node.regions)))
        return Block(params, tuple(nodes))

    def _is_only_read(self, view: Node, after: Sequence[Node]) -> bool:
        """Whether the array is as it was wherever the part is looked at."""
        (part,), source = view.results, view.operands[0]
        assert isinstance(source, Value)
        waiting = self.readers.get(part, [])
        if not waiting or not all(self._reads(node, part) for node in waiting):
            return False
        left = set(waiting)
        for node in after:
            last = left <= {node, *(inner for region in node.regions for inner in walk(region))}
            if not (last and not node.regions):
                effects = effects_of(node)
                if any(self.aliases.may_overlap(written, source) for written in effects.writes):
                    return False
                if effects.opaque and not self.aliases.is_local(source):
                    return False
            if last:
                return True
            left -= {node, *(inner for region in node.regions for inner in walk(region))}
        return False

    def _reads(self, node: Node, part: Value) -> bool:
        """Whether a node takes numbers out of a part, in compiled code."""
        op = op_of(node)
        if op is None or why_not(node, self.options) is not None:
            return False
        if is_write(node):
            return node.operands[0] is not part
        return op.kind in (ELEMENTWISE, REDUCTION) or is_load(node)

    def _computed(self, view: Node, part: str) -> Node:
        (result,), source = view.results, view.operands[0]
        type_ = result.type
        assert isinstance(type_, Array)
        assert isinstance(source.type, Array)
        ops = [op for node in self.readers[result] if (op := op_of(node)) is not None]
        if type_.ndim == 1 or not any(op.kind == REDUCTION for op in ops):  # whose order is that of the view
            type_ = replace(type_, layout="C", writeable=True)
        made = Value(result.name, type_)
        self.replaced.values[result] = made
        marks = {key: value for key, value in view.attrs.items() if key[0] == "_" and key != "_call"}
        attrs = {"loop": (source.type.dtype.name,), "text": view.attrs["text"], **marks}
        return Node(part, view.operands, (made,), attrs, (), view.loc)
