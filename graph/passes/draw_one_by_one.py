"""Arrays of random numbers, drawn in loops: where a loop can be compiled then, they are drawn one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from ..ir import dims
from ..ir.dims import Size
from ..ir.nodes import Block, Graph, Literal, Node, Operand, Value, walk
from ..ir.rewrite import ValuesByName, with_body, with_nodes, with_regions
from ..ir.types import INT, Array, Type, numpy_scalar
from ..ops.facts import is_loop
from ..trace.devices import is_on_gpu
from .compilable import why_not
from .options import Options

ZERO, ONE = Literal(0, INT), Literal(1, INT)


def draw_one_by_one(graph: Graph, options: Options) -> Graph:
    """Draw the numbers of arrays one by one in loops that are compiled, in NumPy's order.

    Before::

        graph f(%n: int, %rng: object) {
          for(0, %n, 1) {names=(), orelse=False} (%i: int) {
            %x: f64[3] = drawn(%rng) {draw='draw.random', loop=('int64',), method='random', sure=True}
            yield
          }
          return %n {text='{0}'}
        }

    After::

        graph f(%n: int, %rng: object) {
          for(0, %n, 1) {names=(), orelse=False} (%i: int) {
            %x: f64[3] = empty()
            for(0, 3, 1) {names=('k',), orelse=False} (%k.1: int) {
              %t0: np.float64 = draw.random(%rng) {loop=('int64',), text='{0}.random()'}
              store(%x, %t0, %k.1) {check=(False,)}
              yield
            }
            yield
          }
          return %n {text='{0}'}
        }
    """
    return with_body(graph, _Expansion(ValuesByName.of(graph), options).block(graph.body))


@dataclass(slots=True)
class _Expansion:
    names: ValuesByName
    options: Options

    def block(self, block: Block) -> Block:
        """The block with its loops as they are compiled, and those inside of what isn't."""
        return with_nodes(block, [self.node(node) for node in block.nodes])

    def node(self, node: Node) -> Node:
        """A loop as a whole, or what is in it."""
        if not node.regions or not any(map(_is_drawn_array, _inside(node))):
            return node
        if is_loop(node) and why_not(whole := self.expanded(node), self.options) is None:
            return whole
        return with_regions(node, tuple(map(self.block, node.regions)))

    def expanded(self, node: Node) -> Node:
        """A loop in which all arrays are drawn one by one."""
        regions = []
        for region in node.regions:
            nodes: list[Node] = []
            for inner in region.nodes:
                nodes += self.numbers(inner) if _is_drawn_array(inner) else [self.expanded(inner)]
            regions.append(with_nodes(region, nodes))
        return with_regions(node, tuple(regions)) if regions else node

    def numbers(self, node: Node) -> Iterator[Node]:
        """An array without values, and the loops that fill it."""
        (array,) = node.results
        assert isinstance(array.type, Array)
        marks = {key: value for key, value in node.attrs.items() if key.startswith("_")}
        yield Node("empty", (), (array,), marks, (), node.loc)
        indices = [self.value("k", INT) for _ in array.type.shape]
        number = Value(self.temporary(), numpy_scalar(array.type.dtype))
        self.names.values[number.name] = number
        nodes = list(self.one(node, number, indices, marks))
        for index, size in zip(reversed(indices), reversed(array.type.shape), strict=True):
            stop, before = self.stop(size, node, marks)
            body = Block((index,), (*nodes, Node("yield", (), (), {}, (), node.loc)))
            attrs = {"names": ("k",), "orelse": False, **marks}
            nodes = [*before, Node("for", (ZERO, stop, ONE), (), attrs, (body,), node.loc)]
        yield from nodes

    def one(self, node: Node, number: Value, indices: list[Value], marks: dict[str, Any]) -> Iterator[Node]:
        loop = node.attrs["loop"]
        slots = ", ".join(f"{{{k}}}" for k in range(1, len(loop)))
        attrs = {"loop": loop, "text": f"{{0}}.{node.attrs['method']}({slots})", **marks}
        yield Node(node.attrs["draw"], node.operands[: len(loop)], (number,), attrs, (), node.loc)
        check = {"check": (False,) * len(indices), **marks}
        yield Node("store", (node.results[0], number, *indices), (), check, (), node.loc)

    def stop(self, size: Size, node: Node, marks: dict[str, Any]) -> tuple[Operand, list[Node]]:
        """How often a loop over an axis runs, and what computes that."""
        if isinstance(size, int):
            return Literal(size, INT), []
        value = self.value("count", INT)
        attrs = {"size": size, "text": dims.text(size), **marks}
        return value, [Node("size", (), (value,), attrs, (), node.loc)]

    def value(self, name: str, type_: Type) -> Value:
        made = Value(self.names.fresh(name), type_)
        self.names.values[made.name] = made
        return made

    def temporary(self) -> str:
        """A name that no user has given."""
        return next(name for k in count() if (name := f"t{k}") not in self.names.values)


def _inside(node: Node) -> Iterator[Node]:
    return (inner for region in node.regions for inner in walk(region))


def _is_drawn_array(node: Node) -> bool:
    """Whether kernels can draw the numbers: of known sizes, and what they are asked is right.

    What is wrong is told by NumPy for no numbers at all, too; a kernel looks at it when it draws one.
    """
    if "draw" not in node.attrs or is_on_gpu(node):
        return False
    (array,) = node.results
    if not isinstance(array.type, Array):
        return False
    some = all((least := dims.lower(size)) is not None and least > 0 for size in array.type.shape)
    return bool(node.attrs["sure"]) or some
