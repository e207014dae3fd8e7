"""Which values are read where: the basis of inlining and of naming in a kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..graph.analysis.effects import effects_of
from ..graph.ir import dims
from ..graph.ir.axes import Pick
from ..graph.ir.dims import Size
from ..graph.ir.nodes import Graph, Node, Value, value_operands, walk
from ..graph.ir.rewrite import ValuesByName, defined_by, symbols_in, used_by
from ..graph.ir.types import Array
from ..graph.ops import OPS
from ..graph.ops.define import DRAWING, ELEMENTWISE, MATH, PYTHON, REDUCTION
from ..graph.ops.facts import (
    grows,
    is_call,
    is_element,
    is_ending,
    is_enter,
    is_find,
    is_load,
    is_plain_view,
    is_size,
    is_store,
)
from .elements import template_of
from .expressions import slots

if TYPE_CHECKING:
    from ..graph.ir.nodes import Block

_SCALAR_KINDS = (PYTHON, MATH, ELEMENTWISE, DRAWING)


class Reading:
    """The nodes of one cluster by what they make and read.

    `uses` counts the readers of a value, `inner` are all values made inside, `sizes` the sizes of `size`
    nodes by name, `mentioned` the symbols of all sizes.
    """

    def __init__(self, graph: Graph, region: Block, known: ValuesByName) -> None:
        self._graph = graph
        self._known = known
        self.uses: Counter[Value] = Counter()
        self.readers: dict[Value, list[Node]] = {}
        self.made: dict[Value, Node] = {}
        self.sizes: dict[str, Size] = {}
        self.mentioned: set[str] = set()
        self.inner: set[Value] = set(region.params)
        self._reached: dict[Value, tuple[Value, ...]] = {}
        measured: dict[Value, list[tuple[str, int]]] = {}
        for symbol, (array, axis) in graph.sizes.items():
            measured.setdefault(array, []).append((symbol, axis))
        for node in walk(region):
            self._add(node, measured)
        for array, own in measured.items():
            readers = self.readers.get(array, ())
            self.mentioned.update(s for s, axis in own if any(_asks_length(n, array, axis) for n in readers))

    def _add(self, node: Node, measured: Mapping[Value, list[tuple[str, int]]]) -> None:
        self.inner.update(node.results)
        for region in node.regions:
            self.inner.update(region.params)
        for operand in value_operands(node):
            self.uses[operand] += 1
            self.readers.setdefault(operand, []).append(node)
        self.made.update((result, node) for result in node.results)
        if is_size(node):
            self.sizes[node.results[0].name] = node.attrs["size"]
        self.uses.update(self._behind(node))
        made = (*node.results, *(param for region in node.regions for param in region.params))
        own = {symbol for value in made for symbol, _ in measured.get(value, ())}
        self.mentioned.update(symbols_in(node) - own)

    def _behind(self, node: Node) -> list[Value]:
        """The ints of the graph that the sizes in `node` name."""
        return self._ints(symbols_in(node))

    def _ints(self, symbols: set[str]) -> list[Value]:
        names = sorted(symbols - self._graph.sizes.keys())
        return [self._known.values[name] for name in names if name in self._known.values]

    def _around(self, node: Node) -> list[Value]:
        """The ints that say how large the arrays are that `node` reads: a loop over one counts to them."""
        if node.regions or is_ending(node):
            return []
        shapes = (value.type.shape for value in value_operands(node) if isinstance(value.type, Array))
        return self._ints({s for shape in shapes for size in shape for s in dims.symbols(size)})

    def _measured(self, node: Node) -> list[Value]:
        """The arrays of this kernel of which nothing but a size may be read."""
        names = symbols_in(node) & self._graph.sizes.keys()
        arrays = dict.fromkeys(
            self._known.values.get(self._graph.sizes[name][0].name) for name in sorted(names)
        )
        return [array for array in arrays if array in self.inner and array not in defined_by(node)]

    def read_by(self, node: Node) -> list[Value]:
        """The values that `node` reads itself."""
        if is_call(node):
            nodes = [*walk(node.regions[0])]
            around = {value for inner in nodes for value in self._around(inner)}
            around.difference_update(value for inner in nodes for value in defined_by(inner))
            return sorted({*used_by(node, self._known), *around}, key=lambda value: value.name)
        return [*value_operands(node), *self._behind(node), *self._around(node), *self._measured(node)]

    def reached(self, value: Value, held_back: set[Value]) -> tuple[Value, ...]:
        """`value`, and what an expression in its place would read; those `held_back` have no variable."""
        todo = [value]  # not a recursion: chains of operations may be longer than Python's stack
        while todo:
            last, node = todo[-1], self.made.get(todo[-1])
            reads = []
            if node is not None and (last in held_back or is_virtual(node)):
                reads = self.read_by(node)
            if missing := [read for read in reads if read not in self._reached and last not in self._reached]:
                todo += missing
                continue
            own = () if last in held_back else (last,)
            inner = [v for read in reads for v in self._reached[read]]
            self._reached.setdefault(last, tuple(dict.fromkeys((*own, *inner))))
            todo.pop()
        return self._reached[value]


def _asks_length(node: Node, array: Value, axis: int) -> bool:
    """Whether what `node` does with the array depends on its size along an axis."""
    if is_ending(node) or node.regions or grows(node) or is_find(node) or is_enter(node):
        return is_call(node)
    picks = is_element(node) or (is_plain_view(node) and isinstance(node.attrs["axes"][axis], Pick))
    return not picks or any(node.attrs.get("check", (True,)))


def is_virtual(node: Node) -> bool:
    """True when the array that `node` makes may be read by way of what it is made of."""
    return (
        not node.regions
        and not grows(node)
        and any(isinstance(result.type, Array) for result in node.results)
        and (OPS[node.op].kind != "creation" or node.op in ("copy", "full", "ones", "zeros"))
    )


def scalar_template(node: Node) -> str | None:
    """The text of a scalar node as an expression; None for everything else."""
    if len(node.results) != 1 or node.regions or isinstance(node.results[0].type, Array):
        return None
    if is_load(node):
        array = node.operands[0].type
        assert isinstance(array, Array)
        return f"{{0}}[{', '.join(f'{{{k + 1}}}' for k in range(array.ndim)) or '()'}]"
    op = OPS.get(node.op)
    return template_of(node) if op is not None and op.kind in _SCALAR_KINDS else None


def is_pure(node: Node) -> bool:
    """True when it doesn't matter when `node` runs."""
    return not is_load(node) and not node.regions and effects_of(node).pure


def order_of(node: Node, template: str | None) -> list[int]:
    """The operands of a node that may hold expressions: those of scalar work only."""
    if template is not None:
        return slots(template)
    if is_store(node):
        return list(range(1, len(node.operands)))
    return [0] if node.op == "check_bound" else []


def assigned_first(node: Node) -> Iterator[Value]:
    """The results that are assigned before the operands are read.

    Arrays are allocated, but for those that are the operand; accumulators get what they start with.
    """
    if (op := OPS.get(node.op)) is not None and op.kind == REDUCTION:
        return iter(node.results)
    arrays = (result for result in node.results if isinstance(result.type, Array) and not node.regions)
    return iter(()) if grows(node) else arrays
