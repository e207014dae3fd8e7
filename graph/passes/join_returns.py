"""Functions that return from several places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..analysis.effects import leaves
from ..ir import dims
from ..ir.nodes import Block, Graph, Node, Value, walk
from ..ir.rewrite import ValuesByName, with_body
from ..ir.types import Array, Type
from ..ops.facts import is_call, is_ending, is_return
from ..trace.marks import MARKS
from .compilable import why_not
from .options import Options


def join_returns(graph: Graph, options: Options) -> Graph:
    """Make one `call` of all that comes after the first way out, so that it can be compiled as a whole.

    Only where every `return` gives the same structure and types, and all of it can be compiled.

    Before::

        graph f(%x: float) {
          %t0: bool = py.lt(%x, 0.0) {loop=('float', 'float')}
          if(%t0) {names=()} {
            return -1 {text='{0}'}
          } {
            yield
          }
          return 1 {text='{0}'}
        }

    After::

        graph f(%x: float) {
          %t0: bool = py.lt(%x, 0.0) {loop=('float', 'float')}
          %result: int = call() {name='f', text=''} {
            if(%t0) {names=()} {
              return -1 {text='{0}'}
            } {
              yield
            }
            return 1 {text='{0}'}
          }
          return %result {text='{0}'}
        }
    """
    nodes = graph.body.nodes
    first = next((k for k, node in enumerate(nodes) if leaves(node)), None)
    if first is None:
        return graph
    rest = Block((), nodes[first:])
    returns = list(_returns(rest))
    if (types := _common_types(returns, graph)) is None:
        return graph
    attrs = {"name": graph.name, "text": "", **_scope(nodes[first:])}
    call = Node("call", (), _results(types, graph), attrs, (rest,), nodes[first].loc)
    if why_not(call, options) is not None:
        return graph
    return with_body(graph, Block((), (*nodes[:first], call, replace(returns[-1], operands=call.results))))


def _results(types: tuple[Type, ...], graph: Graph) -> tuple[Value, ...]:
    """New values of these types."""
    names = ValuesByName.of(graph)
    results = []
    for type_ in types:
        name = "result" if "result" not in names.values else names.fresh("result")
        results.append(Value(name, type_))
        names.values[name] = results[-1]
    return tuple(results)


def _returns(block: Block) -> Iterator[Node]:
    """The returns in `block` that end the function."""
    for node in block.nodes:
        if is_return(node):
            yield node
        elif not is_call(node):
            for region in node.regions:
                yield from _returns(region)


def _common_types(returns: list[Node], graph: Graph) -> tuple[Type, ...] | None:
    """The types of what is returned, if all returns agree."""
    if len({node.attrs.get("text") for node in returns}) != 1:
        return None
    if len({tuple(operand.type for operand in node.operands) for node in returns}) != 1:
        return None
    types = tuple(operand.type for operand in returns[0].operands)
    inner = {value.name for node in walk(graph.body) for value in node.results}
    known = {name for name, (array, _) in graph.sizes.items() if array.name not in inner}
    sizes = [size for type_ in types if isinstance(type_, Array) for size in type_.shape]
    return types if all(dims.symbols(size) <= known for size in sizes) else None


def _scope(nodes: tuple[Node, ...]) -> dict[str, object]:
    """The marks on which all nodes agree."""
    inside = [node for node in nodes if not is_ending(node)]
    found: dict[str, object] = {}
    for key in MARKS:
        values = {node.attrs.get(key) for node in inside}
        if len(values) == 1 and None not in values:
            found[key] = values.pop()
    return found
