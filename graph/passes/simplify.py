"""Operations that change nothing."""

from __future__ import annotations

from ..ir.dims import Dim, Sym
from ..ir.nodes import Block, Graph, Literal, Node, Operand, Value
from ..ir.rewrite import Substitution, ValuesByName, with_body
from ..ops.facts import is_size, op_of
from .options import Options

# A conversion to the kind that the operand has already.


def simplify(graph: Graph, options: Options) -> Graph:
    """Use operands in place of Python operations that give them back.

    Before::

        graph f(%x: float, %n: int) {
          %a: float = py.float(%x) {loop=('float',)}
          %k: int = py.mul(%n, 1) {loop=('int', 'int')}
          %s: int = size() {size=any(k)}
          return %a, %k, %s {text='({0}, {1}, {2})'}
        }

    After::

        graph f(%x: float, %n: int) {
          return %x, %n, %n {text='({0}, {1}, {2})'}
        }
    """
    return with_body(graph, _block(graph.body, Substitution(), ValuesByName.of(graph)))


def _block(block: Block, replaced: Substitution, names: ValuesByName) -> Block:
    params = replaced.params(block)
    nodes = []
    for node in block.nodes:
        node = replaced.node(node, tuple(_block(region, replaced, names) for region in node.regions))
        same = _same(node, names)
        if same is None:
            nodes.append(node)
            continue
        (result,) = node.results
        replaced.values[result] = same
        if isinstance(same, Value):
            replaced.symbols[result.name] = same.name
    return Block(params, tuple(nodes))


def _same(node: Node, names: ValuesByName) -> Operand | None:
    """What `node` gives back unchanged."""
    if is_size(node):
        return _named(node, names)
    op = op_of(node)
    if op is None:
        return None
    if op.keeps and len(node.operands) == 1:
        operand = node.operands[0]
        return operand if operand.type == node.results[0].type else None
    if op.neutral is None or set(node.attrs.get("loop", ())) != {"int"}:  # -0.0 + 0 isn't -0.0
        return None
    neutral, either = op.neutral
    left, right = node.operands
    if _is(right, neutral) and left.type == node.results[0].type:
        return left
    if either and _is(left, neutral) and right.type == node.results[0].type:
        return right
    return None


def _is(operand: Operand, number: int) -> bool:
    return isinstance(operand, Literal) and type(operand.value) is int and operand.value == number


def _named(node: Node, names: ValuesByName) -> Value | None:
    """The int that a size is by name."""
    size = node.attrs["size"]
    if not isinstance(size, Dim) or len(size.terms) != 1 or size.const or size.terms[0][1] != 1:
        return None
    atom = size.terms[0][0]
    if not isinstance(atom, Sym) or atom.name in names.sizes:
        return None
    value = names.values.get(atom.name)
    return value if value is not None and value.type == node.results[0].type else None
