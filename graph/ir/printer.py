"""A graph as text. `parser.py` is the inverse.

graph relax(%u: f64[n0,n1], %k: int) sizes n0=u[0], n1=u[1] {
  %r: f64[n0,n1] = for(0, %k, 1, %u) {names=('i', 'u')} (%i: int, %u.1: f64[n0,n1]) {  # poisson.py:7
    %t0: f64[n0,n1] = exp(%u.1) {loop=('float64',)}
    yield %t0
  }
  return %r {text='{0}'}
}
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import dims
from .axes import Pick, Span
from .causes import CAUSES
from .dims import Dim, Size
from .nodes import ENDINGS, NOWHERE, PART_OF, QUESTION, Block, Graph, Guard, Node, Operand, Value
from .rewrite import ValuesByName
from .shown import printable
from .types import Array, Object, Scalar, Type, short_name

# Attributes that say how a node is computed, not what it is: left out of brief texts.
_DETAILS = ("loop", "text", "check", "names", "raises")


def print_graph(graph: Graph, brief: bool = False, places: bool = True) -> str:
    """The text of `graph`; a `brief` one is for people only and can't be parsed."""
    return "\n".join(_Printer(brief, places).graph(graph)) + "\n"


def type_text(type_: Type) -> str:
    """A type as in `str`, with the lower bounds of symbols that aren't sizes."""
    if not isinstance(type_, Array):
        return str(type_)
    sizes = ",".join(size_text(size) for size in type_.shape)
    suffix = "" if type_.layout == "C" else f":{type_.layout}"
    return f"{short_name(type_.dtype)}[{sizes}]{suffix}{'' if type_.writeable else ':ro'}"


def size_text(size: Size) -> str:
    """A size; symbols may be negative (`any(k)`) or have another lower bound than 0 (`above(k, -1)`)."""
    names = {}
    for symbol in dims.atoms(size):
        if symbol.low is None:
            names[symbol.name] = f"any({symbol.name})"
        elif symbol.low != 0:
            names[symbol.name] = f"above({symbol.name}, {symbol.low})"
    return dims.text(size, names)


def constant_text(value: Any) -> str:
    """A constant operand or attribute."""
    if isinstance(value, Dim):
        return size_text(value)
    if isinstance(value, np.generic):
        name = "bool_" if value.dtype.kind == "b" else value.dtype.name
        return f"np.{name}({constant_text(value.item())})"
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, complex):
        return f"complex({constant_text(value.real)}, {constant_text(value.imag)})"
    if isinstance(value, tuple):
        items = ", ".join(constant_text(item) for item in value)
        return f"({items},)" if len(value) == 1 else f"({items})"
    if isinstance(value, Pick):
        return f"pick({value.index})"
    if isinstance(value, Span):
        parts = (value.target, value.start, value.step)[: 1 if value == Span(value.target) else 3]
        return f"span({', '.join(map(constant_text, parts))})"
    if isinstance(value, np.dtype):
        return f"dtype({value.str!r})"
    if isinstance(value, Scalar | Array | Object):
        return f"type({type_text(value)!r})"
    return printable(repr(value))


def name_text(name: str) -> str:
    """The name of a function, file or scope; in quotes where the parser would take it for something else."""
    return name if name.isprintable() and re.fullmatch(r"[^\s#(){}'\"]+", name) else repr(name)


class _Printer:
    def __init__(self, brief: bool, places: bool) -> None:
        self.brief = brief
        self.places = places

    def graph(self, graph: Graph) -> Iterator[str]:
        params = ", ".join(self.defined(value) for value in graph.params)
        parts = [f"graph {name_text(graph.name)}({params})"]
        known = ValuesByName.of(graph).values
        sizes = [f"{name}={v.name}[{axis}]" for name, (v, axis) in graph.sizes.items() if v.name in known]
        if sizes:
            parts.append("sizes " + ", ".join(sizes))
        if graph.guards:
            parts.append("guards " + ", ".join(self.guard(guard) for guard in graph.guards))
        yield " ".join(parts) + " {"
        yield from self.nodes(graph.body, "  ")
        yield "}"

    def guard(self, guard: Guard) -> str:
        sides = (side if isinstance(side, str) else size_text(side) for side in (guard.left, guard.right))
        return f"{guard.kind}({', '.join(sides)})"

    def defined(self, value: Value) -> str:
        return f"%{value.name}: {type_text(value.type)}"

    def operand(self, operand: Operand) -> str:
        return f"%{operand.name}" if isinstance(operand, Value) else constant_text(operand.value)

    def nodes(self, block: Block, indent: str) -> Iterator[str]:
        for node in block.nodes:
            yield from self.node(node, indent)

    def node(self, node: Node, indent: str) -> Iterator[str]:
        results = ", ".join(self.defined(value) for value in node.results)
        operands = ", ".join(self.operand(operand) for operand in node.operands)
        called = f"{node.op} {operands}".rstrip() if node.op in ENDINGS else f"{node.op}({operands})"
        line = f"{indent}{results + ' = ' if results else ''}{called}{self.attrs(node)}"
        place = ""
        if self.places and node.loc is not NOWHERE and node.loc.line:
            place = f"  # {name_text(os.path.basename(node.loc.filename))}:{node.loc.line}"
        for region in node.regions:
            params = ", ".join(self.defined(value) for value in region.params)
            yield f"{line}{f' ({params})' if params else ''} {{{place}"
            yield from self.nodes(region, indent + "  ")
            line, place = f"{indent}}}", ""
        yield line + place

    def attrs(self, node: Node) -> str:
        attrs = dict(node.attrs)
        scope = attrs.pop("_JitScope", None)
        attrs.pop("_call", None)  # the text says it
        for hidden in (PART_OF, QUESTION, CAUSES):
            attrs.pop(hidden, None)
        shown = [
            (k, v) for k, v in attrs.items() if not (self.brief and k in _DETAILS and not self.opaque(node))
        ]
        inner = ", ".join(f"{key}={constant_text(value)}" for key, value in shown)
        return (f" @{name_text(scope)}" if scope else "") + (f" {{{inner}}}" if inner else "")

    @staticmethod
    def opaque(node: Node) -> bool:
        return node.op in ("numpy", "numpy_write", "python", "raise")
