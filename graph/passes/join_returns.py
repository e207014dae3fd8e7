"""Functions that return from several places."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from ..analysis.effects import leaves
from ..ir import dims
from ..ir.nodes import Block, Graph, Literal, Node, Operand, Value, walk
from ..ir.rewrite import ValuesByName, with_body, with_nodes, with_regions
from ..ir.types import INT, Array, Object, Scalar, Type
from ..ops.facts import is_call, is_ending, is_loop, is_plain_view, is_return
from ..trace.marks import MARKS
from .compilable import why_not
from .options import Options


def join_returns(graph: Graph, options: Options) -> Graph:
    """Make one `call` of all that comes after the first way out, so that it can be compiled as a whole.

    Only where every `return` gives the same structure and types, or numbers and arrays in several structures
    (those of other structures are zeros and empty arrays then), and all of it can be compiled. Sizes may be
    others in each where lists are made of views: so many items of a list that grows. An object of the
    caller's that all of them give stays outside.

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
    returns = list(_returns(Block((), nodes[first:])))
    if len({(node.attrs.get("text"), len(node.operands)) for node in returns}) == 1:
        made = _as_one_call(graph, first, returns, options)
        if made is not graph:
            return made
    return _of_one_structure(graph, first, returns, options)


def _of_one_structure(graph: Graph, first: int, returns: list[Node], options: Options) -> Graph:
    """The graph with a call of all from the node with this number on, whose returns are made alike."""
    before, rest = graph.body.nodes[:first], Block((), graph.body.nodes[first:])
    if not any(map(is_loop, walk(rest))):
        return graph  # nothing is saved by it
    if (alike := _as_one_structure(returns, ValuesByName.of(graph))) is None:
        return graph
    joined = with_nodes(graph.body, [*before, *_with(rest, alike).nodes])
    made = _as_one_call(with_body(graph, joined), first, [ends[-1] for ends in alike.values()], options)
    return graph if made.body is joined else made


def _structure(node: Node) -> tuple[str, tuple[Type, ...]]:
    return str(node.attrs.get("text", "")), tuple(operand.type for operand in node.operands)


MOST_PARTS = 16


def _as_one_structure(returns: list[Node], names: ValuesByName) -> dict[Node, tuple[Node, ...]] | None:
    """Returns that give the number of their structure, and the parts of all structures: of others, nothing.

    None where something else than numbers and arrays is returned, or a lot.
    """
    structures = list(dict.fromkeys(map(_structure, returns)))
    types = [type_ for _, parts in structures for type_ in parts]
    if len(structures) == 1 or any(isinstance(type_, Object) for type_ in types):
        return None
    if len(types) > MOST_PARTS:
        return None
    firsts = [1 + sum(len(parts) for _, parts in structures[:k]) for k in range(len(structures))]
    moved = [_moved(text, len(parts), at) for (text, parts), at in zip(structures, firsts, strict=True)]
    texts = [f"({text})" if "," in text else text for text in moved]
    text = "".join(f"{one} if {{0}} == {k} else " for k, one in enumerate(texts[:-1])) + texts[-1]
    found = {}
    for node in returns:
        number = structures.index(_structure(node))
        own = range(firsts[number], firsts[number] + len(node.operands))
        parts: list[Operand] = [Literal(number, INT)]
        made: list[Node] = []
        for place, type_ in enumerate(types, 1):
            if place in own:
                parts.append(node.operands[place - own.start])
            elif isinstance(type_, Array):
                made.append(_nothing(type_, names))
                parts.append(made[-1].results[0])
            else:
                parts.append(_zero(type_))
        attrs = {**node.attrs, "text": text, "cases": tuple(moved)}
        found[node] = (*made, replace(node, operands=tuple(parts), attrs=attrs))
    return found


def _nothing(type_: Array, names: ValuesByName) -> Node:
    """An array without elements, where a structure has another one."""
    shape = (0,) * type_.ndim
    value = Value(names.fresh("nothing"), Array(type_.dtype, shape, "C"))
    names.values[value.name] = value
    name = "bool" if type_.dtype.kind == "b" else f"np.{type_.dtype.name}"
    return Node("empty", (), (value,), {"text": f"np.empty({shape!r}, dtype={name})", "nothing": True})


def _moved(text: str, count: int, first: int) -> str:
    """A text whose operands are others, from that number on."""
    marks = [f"\0{k}\0" for k in range(count)]
    moved = text.format(*marks).replace("{", "{{").replace("}", "}}")
    for k, mark in enumerate(marks):
        moved = moved.replace(mark, f"{{{first + k}}}")
    return moved


def _zero(type_: Type) -> Literal:
    assert isinstance(type_, Scalar)
    zero = type_.dtype.type(0)
    return Literal(zero.item() if type_.is_python else zero, type_)


def _with(block: Block, others: Mapping[Node, tuple[Node, ...]]) -> Block:
    """The block with other nodes in the place of some."""
    nodes: list[Node] = []
    for node in block.nodes:
        if node in others:
            nodes += others[node]
        else:
            nodes.append(with_regions(node, tuple(_with(region, others) for region in node.regions)))
    return with_nodes(block, nodes)


def _as_one_call(graph: Graph, first: int, returns: list[Node], options: Options) -> Graph:
    """The graph with a call of what follows from the node with this number on, if that can be compiled."""
    nodes = graph.body.nodes
    outside = _given_by_all(returns, graph)
    rest = _giving_parts(Block((), nodes[first:]), outside)
    items = _made_to_lists(str(returns[0].attrs.get("text", "")))
    lists = [k in items for k in range(len(returns[0].operands)) if k not in outside]
    if (types := _common_types(list(_returns(rest)), lists, graph)) is None:
        return graph
    attrs = {"name": graph.name, "text": "", **_scope(nodes[first:])}
    results, sizes = _results(types, graph)
    call = Node("call", (), results, attrs, (rest,), nodes[first].loc)
    if why_not(call, options) is not None:
        return graph
    made = iter(results)
    given = tuple(outside[k] if k in outside else next(made) for k in range(len(results) + len(outside)))
    body = Block((), (*nodes[:first], call, replace(returns[-1], operands=given)))
    return replace(with_body(graph, body), sizes=sizes)


def _given_by_all(returns: list[Node], graph: Graph) -> dict[int, Operand]:
    """The objects that are parameters of the graph and what each return gives, by their places."""
    columns = zip(*(node.operands for node in returns), strict=True)
    same = {k: values[0] for k, values in enumerate(columns) if len(set(values)) == 1}
    return {k: value for k, value in same.items() if value in graph.params and isinstance(value.type, Object)}


def _giving_parts(block: Block, outside: Collection[int]) -> Block:
    """A block whose ways out of the function give what the result is made of, but for these places."""
    nodes = []
    for node in block.nodes:
        if is_return(node):
            parts = tuple(value for k, value in enumerate(node.operands) if k not in outside)
            slots = ", ".join(f"{{{k}}}" for k in range(len(node.operands)))
            if outside or node.attrs.get("text") not in (slots, f"({slots})"):
                attrs = {name: value for name, value in node.attrs.items() if name != "cases"}
                node = replace(node, operands=parts, attrs={**attrs, "text": ""})
        elif not is_call(node):
            node = with_regions(node, tuple(_giving_parts(region, outside) for region in node.regions))
        nodes.append(node)
    return with_nodes(block, nodes)


def _results(
    types: tuple[Type, ...], graph: Graph
) -> tuple[tuple[Value, ...], Mapping[str, tuple[Value, int]]]:
    """New values of these types, with sizes of their own where these aren't known outside; all sizes."""
    names, known = ValuesByName.of(graph), _known_outside(graph)
    results = []
    for type_ in types:
        name = "result" if "result" not in names.values else names.fresh("result")
        if isinstance(type_, Array):
            shape = [size if dims.symbols(size) <= known else None for size in type_.shape]
            own = {k: names.fresh(f"{name}_shape_{k}") for k, size in enumerate(shape) if size is None}
            sizes = (dims.symbol(own[k]) if size is None else size for k, size in enumerate(shape))
            type_ = replace(type_, shape=tuple(sizes))
            names.sizes.update((symbol, (Value(name, type_), axis)) for axis, symbol in own.items())
        results.append(Value(name, type_))
        names.values[name] = results[-1]
    own_values = {value.name: value for value in results}
    return tuple(results), {s: (own_values.get(v.name, v), axis) for s, (v, axis) in names.sizes.items()}


def _returns(block: Block) -> Iterator[Node]:
    """The returns in `block` that end the function."""
    for node in block.nodes:
        if is_return(node):
            yield node
        elif not is_call(node):
            for region in node.regions:
                yield from _returns(region)


def _common_types(returns: list[Node], lists: list[bool], graph: Graph) -> tuple[Type, ...] | None:
    """The types of what is returned, if all returns agree; what lists are made of may differ in sizes."""
    views = {value for node in walk(graph.body) if is_plain_view(node) for value in node.results}
    columns, known = zip(*(node.operands for node in returns), strict=True), _known_outside(graph)
    sliced = [views if is_list else () for is_list in lists]
    nothing = {value for node in walk(graph.body) if "nothing" in node.attrs for value in node.results}
    types = [
        _common_type(tuple(v for v in column if v not in nothing), allowed, known)
        for column, allowed in zip(columns, sliced, strict=True)
    ]
    for k, column in enumerate(columns):
        if isinstance(type_ := types[k], Array) and not nothing.isdisjoint(column):
            types[k] = replace(type_, shape=(_UNKNOWN,) * type_.ndim)
    found = tuple(type_ for type_ in types if type_ is not None)
    return found if len(found) == len(types) else None


_UNKNOWN = dims.symbol("?")
"""A size that nobody knows outside."""

_ITEMS = re.compile(r"\w\(\{(\d+)\}|\{(\d+)\}\.tolist\(\)")


def _made_to_lists(text: str) -> set[int]:
    """The operands of which the user gets the items alone, not an array with a `base`: ``scalars({0})``."""
    return {int(first or second) for first, second in _ITEMS.findall(text)}


def _common_type(values: tuple[Operand, ...], views: Collection[Operand], known: set[str]) -> Type | None:
    """The type of what each return gives at one place, by its sizes in one of them; None if there is none."""
    type_ = values[0].type
    if isinstance(type_, Array) and all(value in views and _are_alike(value.type, type_) for value in values):
        return type_
    if any(value.type != type_ for value in values):
        return None
    sizes = type_.shape if isinstance(type_, Array) else ()
    return type_ if all(dims.symbols(size) <= known for size in sizes) else None


def _are_alike(one: Type, other: Array) -> bool:
    """Whether they differ in sizes at most."""
    return isinstance(one, Array) and one.ndim == other.ndim and replace(one, shape=other.shape) == other


def _known_outside(graph: Graph) -> set[str]:
    """The sizes that are known before anything is done."""
    inner = {value.name for node in walk(graph.body) for value in node.results}
    return {name for name, (array, _) in graph.sizes.items() if array.name not in inner}


def _scope(nodes: tuple[Node, ...]) -> dict[str, object]:
    """The marks on which all nodes agree."""
    inside = [node for node in nodes if not is_ending(node)]
    found: dict[str, object] = {}
    for key in MARKS:
        values = {node.attrs.get(key) for node in inside}
        if len(values) == 1 and None not in values:
            found[key] = values.pop()
    return found
