"""Messages of exceptions, written where they are raised."""

from __future__ import annotations

import ast
import builtins
import re
import string

from ..analysis.effects import effects_of
from ..ir.nodes import Block, Graph, Node, Operand, Value, walk
from ..ir.rewrite import with_attrs, with_body, with_nodes, with_regions
from ..ir.types import Object, Scalar
from ..ops.facts import MADE_OF_NUMBERS, REPEATABLE, is_python, is_raise
from .options import Options

_SLOT = re.compile(r"\{\{|\}\}|\{(\d+)\}")
_KINDS = "biuf"
_LONGEST = 400
_NAMES = frozenset(("np", "math", "operand"))


def fold_messages(graph: Graph, options: Options) -> Graph:
    """Raise exceptions by the numbers in their messages, so that kernels can raise them, too.

    Before::

        graph f(%x: float, %i: int) {
          %t0: bool = py.eq(%x, 0.0) {loop=('float', 'float')}
          if(%t0) {names=()} {
            %t1: object = python(%i) {repeatable=True, text="'bad {{}}'.format({0})"}
            raise %t1 {text='ValueError({0})'}
          } {
            yield
          }
          return %x {text='{0}'}
        }

    After::

        graph f(%x: float, %i: int) {
          %t0: bool = py.eq(%x, 0.0) {loop=('float', 'float')}
          if(%t0) {names=()} {
            raise %i {text="ValueError(('bad {{}}'.format({0})))", made_of_numbers=True}
          } {
            yield
          }
          return %x {text='{0}'}
        }
    """
    if not any(_has_message(node) for node in walk(graph.body)):
        return graph
    return with_body(graph, in_block(graph.body))


def _has_message(node: Node) -> bool:
    return is_raise(node) and not ("exception" in node.attrs and "message" in node.attrs)


def in_block(block: Block) -> Block:
    """The block, with exceptions that are raised by the numbers in their messages."""
    nodes = [with_regions(node, tuple(map(in_block, node.regions))) for node in block.nodes]
    if nodes and _has_message(nodes[-1]):
        nodes = _folded(nodes)
    return with_nodes(block, nodes)


def _folded(nodes: list[Node]) -> list[Node]:
    """A block that ends with `raise`, without what makes the message; itself where that isn't of numbers."""
    ending = nodes[-1]
    if (found := of_numbers(ending, nodes[:-1])) is None:
        return nodes
    template, operands, gone = found
    left = [node for node in nodes[:-1] if node not in gone]
    if not _may_be_last(nodes, gone):
        return nodes
    used = {operand for node in left for inner in (node, *_inside(node)) for operand in inner.operands}
    if any(node.results[0] in used for node in gone):
        return nodes
    raised = Node("raise", tuple(operands), (), {"text": template}, (), ending.loc)
    return [*left, with_attrs(raised, **{MADE_OF_NUMBERS: True})]


def of_numbers(node: Node, before: list[Node]) -> tuple[str, list[Operand], set[Node]] | None:
    """The text of a node that needs numbers alone, these, and the nodes whose texts are in it then."""
    made = {other.results[0]: other for other in before if _makes_text(other)}
    gone: set[Node] = set()
    template, operands = str(node.attrs.get("text", "")), list(node.operands)
    while objects := [o for o in operands if isinstance(o.type, Object)]:
        first = objects[0]
        if not isinstance(first, Value) or first not in made or operands.count(first) > 1:
            return None
        maker, k = made[first], operands.index(first)
        shifted = _slots(
            str(maker.attrs["text"]), [f"{{{len(operands) + j}}}" for j in range(len(maker.operands))]
        )
        template = _slots(template, [f"{{{j}}}" if j != k else f"({shifted})" for j in range(len(operands))])
        operands += maker.operands
        template, operands = _without(template, operands, k)
        gone.add(maker)
    return (template, operands, gone) if _is_of_numbers(template, operands) else None


def _may_be_last(nodes: list[Node], gone: set[Node]) -> bool:
    """Whether making the text can wait for the end: it doesn't raise, or nothing behind it does."""
    sure: set[Operand] = set()
    waiting = False
    for node in nodes[:-1]:
        if node in gone:
            if _is_sure(node, sure):
                sure.add(node.results[0])
            else:
                waiting = True
        elif waiting and not effects_of(node).droppable:
            return False
    return True


def _is_sure(node: Node, sure: set[Operand]) -> bool:
    """Whether it gives a text, whatever its numbers are; `sure` are texts."""
    known = {f"operand_{k}": operand in sure for k, operand in enumerate(node.operands)}
    simple = {name for name, o in zip(known, node.operands, strict=True) if known[name] or _is_number(o)}
    source = _slots(str(node.attrs["text"]), list(known)).replace("{{", "{").replace("}}", "}")
    return _is_text(ast.parse(source, mode="eval").body, {name for name in known if known[name]}, simple)


def _is_text(tree: ast.expr, texts: set[str], simple: set[str]) -> bool:
    if isinstance(tree, ast.Constant):
        return type(tree.value) is str
    if isinstance(tree, ast.Name):
        return tree.id in texts
    if isinstance(tree, ast.BinOp):
        sides = (tree.left, tree.right)
        return isinstance(tree.op, ast.Add) and all(_is_text(side, texts, simple) for side in sides)
    if not isinstance(tree, ast.Call) or not all(
        isinstance(a, ast.Name) and a.id in simple for a in tree.args
    ):
        return False
    called = tree.func
    if isinstance(called, ast.Name):
        return called.id in ("str", "repr") and len(tree.args) == 1
    form = called.value if isinstance(called, ast.Attribute) and called.attr == "format" else None
    if not isinstance(form, ast.Constant) or type(form.value) is not str:
        return False
    return not any(spec for _, _, spec, _ in string.Formatter().parse(form.value))


def _inside(node: Node) -> list[Node]:
    return [inner for region in node.regions for inner in walk(region)]


def _makes_text(node: Node) -> bool:
    return is_python(node) and bool(node.attrs.get(REPEATABLE)) and len(node.results) == 1


def _slots(template: str, texts: list[str]) -> str:
    """The template with other texts in its slots."""
    return _SLOT.sub(lambda found: texts[int(found[1])] if found[1] else found[0], template)


def _without(template: str, operands: list[Operand], k: int) -> tuple[str, list[Operand]]:
    """Without operand `k`, which no slot names any more."""
    texts = [f"{{{j - (j > k)}}}" for j in range(len(operands))]
    return _slots(template, texts), operands[:k] + operands[k + 1 :]


def _is_of_numbers(template: str, operands: list[Operand]) -> bool:
    """Whether it is one expression of Python's own names and of numbers that kernels can hand over."""
    if len(template) > _LONGEST or not all(map(_is_number, operands)):
        return False
    try:
        tree = ast.parse(_slots(template, ["operand"] * len(operands)).replace("{{", "{").replace("}}", "}"))
    except SyntaxError:
        return False
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    whole = len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr)
    return whole and all(name in _NAMES or hasattr(builtins, name) for name in names)


def _is_number(operand: Operand) -> bool:
    return (
        isinstance(operand.type, Scalar)
        and operand.type.dtype.kind in _KINDS
        and operand.type.dtype.itemsize > 0
    )
