"""What a driver prints of a graph: which nodes, and which of their operands and sizes."""

from __future__ import annotations

from collections.abc import Iterator

from ..graph.ir import dims
from ..graph.ir.axes import spans
from ..graph.ir.nodes import Block, Node, Value
from ..graph.ir.types import Array
from ..graph.ops.facts import is_unit
from ..graph.ops.written import written
from .expressions import slots


def printed_sizes(node: Node) -> Iterator[dims.Size]:
    """The sizes that the form of a node has where the user wrote none."""
    if "size" in node.attrs:
        yield node.attrs["size"]
    for result in node.results:
        if isinstance(result.type, Array):
            yield from result.type.shape
    yield from (span.start for span in spans(node.attrs.get("axes", ())))


def printed_operands(node: Node) -> Iterator[Value]:
    """The operands that the driver prints: a text may leave some out."""
    text = node.attrs.get("text", written(node))
    if node.regions or node.op == "check_bound" or not isinstance(text, str) or not text:
        return (operand for operand in node.operands if isinstance(operand, Value))
    numbers = dict.fromkeys(slots(text))
    return (v for k in numbers if k < len(node.operands) and isinstance(v := node.operands[k], Value))


def printed_nodes(block: Block) -> Iterator[Node]:
    """The nodes that the function of a block prints itself."""
    for node in block.nodes:
        yield node
        if not is_unit(node):
            for region in node.regions:
                yield from printed_nodes(region)
