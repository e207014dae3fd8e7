"""A graph as a picture, in Graphviz's language: operations in boxes, clusters and control flow around them.

Solid edges are values, dotted ones memory (who reads what somebody wrote), dashed ones the next iteration of
a loop. A cluster's colour says its scope, its frame its device; a dashed frame says ``compile_ops=False``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from html import escape
from itertools import cycle

from .analysis.effects import is_array, reads, writes
from .ir import dims
from .ir.nodes import Block, Graph, Literal, Node, Operand, Value, walk
from .ir.printer import constant_text, type_text
from .ir.shown import printable
from .ops import OPS
from .ops.define import MEMORY, OPAQUE, VIEW
from .ops.facts import (
    falls_through,
    is_branch,
    is_call,
    is_cluster,
    is_ending,
    is_loop,
    is_python,
    is_raise,
    is_return,
    is_size,
    is_view,
    is_yield,
    leaves_function,
)
from .ops.written import written
from .trace.devices import device_of
from .trace.template import shown

_SCOPES = ("#d6e6f5", "#dff0d8", "#fde9cc", "#eadcf5", "#fbdfe3", "#d5efec")
_NO_SCOPE = "#e9edf1"
_FRAMES = {"CPU": ("#4f6d84", 1.0), "GPU": ("#5b9a10", 2.5)}
_OPAQUE, _ENDS, _RAISES = "#fff1c9", "#cfd8dc", "#f6c9c4"
_LINE, _FAINT, _FORBIDDEN = "#5f6b76", "#a8b0b8", "#b03a2e"
_AS_WRITTEN = (OPAQUE, VIEW, MEMORY)
_LONGEST = 56
_LONGEST_TITLE = 120
_HEAD = """\
  graph [fontname="Helvetica", fontsize=11, labelloc=t, labeljust=l, nodesep=0.25, ranksep=0.35]
  node [fontname="Helvetica", fontsize=10, shape=box, style="rounded,filled", fillcolor="#ffffff",
        color="#5f6b76", margin="0.09,0.04", height=0.3]
  edge [color="#5f6b76", arrowsize=0.6]"""


def dot_text(graph: Graph, title: str = "") -> str:
    """The picture of `graph`; the same graph gives the same bytes.

    Args:
        graph: before or after any pass.
        title: what stands above the picture; the graph's name if empty.
    """
    title = "\n".join(_shortened(line, _LONGEST_TITLE) for line in (title or graph.name).split("\n"))
    return _Picture(graph, title).text()


@dataclass(frozen=True)
class ExitBoxes:
    """The boxes to which a block's ``yield``, ``break`` and ``return`` lead, if they are drawn."""

    block: str = ""
    loop: str = ""
    call: str = ""


@dataclass
class _Picture:
    graph: Graph
    title: str
    lines: list[str] = field(default_factory=list)
    edges: dict[str, None] = field(default_factory=dict)
    depth: int = 1
    boxes: list[str] = field(default_factory=list)
    count: int = 0
    made: dict[Value, str] = field(default_factory=dict)
    """Which box of the picture each value comes out of."""
    roots: dict[Value, Value] = field(default_factory=dict)
    written: dict[Value, str] = field(default_factory=dict)
    """Which box has last written the memory behind a value."""

    def text(self) -> str:
        scopes = sorted({s for n in walk(self.graph.body) if (s := _scope_of(n))}, key=_natural)
        self.scopes = dict(zip(scopes, cycle(_SCOPES), strict=False))
        for value in self.graph.params:
            self.param(value)
        self.block(self.graph.body, ExitBoxes())
        head = [f"digraph {_quoted(self.graph.name)} {{", f"  label={_quoted(self.title)}", _HEAD]
        return "\n".join([*head, *self.lines, *self.edges, "}"]) + "\n"

    # What is drawn.

    def block(self, block: Block, exits: ExitBoxes) -> None:
        """The nodes of a block, which is left to one of the boxes `exits`."""
        for node in block.nodes:
            if is_ending(node):
                self.ending(node, exits)
            elif is_cluster(node):
                self.cluster(node, exits)
            elif node.regions:
                self.control(node, exits)
            else:
                self.operation(node)

    def operation(self, node: Node) -> None:
        style: dict[str, str] = {}
        if is_python(node):
            style = {"fillcolor": _OPAQUE}
        elif not any(is_array(v) for v in (*node.operands, *node.results)):
            style = {"shape": "plain", "fontcolor": _LINE, "style": "rounded"}
        if node.attrs.get("_JitCompile") is False:
            style |= {"shape": "box", "style": "rounded,filled,dashed", "color": _FORBIDDEN}
        box = self.box(_label(node), style, node)
        for value in node.results:
            self.made[value] = box
            if is_view(node) and is_array(node.operands[0]):
                self.roots[value] = self.root(node.operands[0])
        self.flow(node, node.operands, box)

    def flow(self, node: Node, operands: tuple[Operand, ...], box: str) -> None:
        """Edges into a box: from where its operands come, and from who has written what it reads."""
        for operand in operands:
            if isinstance(operand, Value) and operand in self.made:
                self.edge(self.made[operand], box)
        touched = [v for v in operands if is_array(v)] if node.regions else [*reads(node), *writes(node)]
        for value in touched:
            writer = self.written.get(self.root(value))
            if writer is not None and writer != box and not self.joined(writer, box):
                self.edge(writer, box, 'style=dotted, color="#8a5a00"')
        for value in writes(node):
            self.written[self.root(value)] = box

    def cluster(self, node: Node, exits: ExitBoxes) -> None:
        """A box around what is compiled as one unit; values go in and out through its frame."""
        scope = _scope_of(node)
        device = device_of(node) or next((d for n in walk(node.regions[0]) if (d := device_of(n))), "")
        frame, width = _FRAMES["GPU" if "GPU" in device.upper() else "CPU"]
        place = device.rpartition("device:")[2]
        label = ", ".join(filter(None, (str(node.attrs.get("name", "cluster")), scope, place)))
        style = {"fillcolor": self.scopes.get(scope, _NO_SCOPE), "color": frame, "penwidth": str(width)}
        with self.frame(label, {"style": "rounded,filled", **style}, node):
            region = node.regions[0]
            self.block(Block((), region.nodes[:-1]), exits)
            if not falls_through(region):
                self.ending(region.ending, exits)
        if falls_through(region):
            for result, operand in zip(node.results, region.ending.operands, strict=False):
                if isinstance(operand, Value) and operand in self.made:
                    self.made[result] = self.made[operand]
                    self.roots[result] = self.root(operand)

    def control(self, node: Node, exits: ExitBoxes) -> None:
        """A box around a loop, a branch or a call: its head, a box for each region, and what comes out."""
        with self.frame(node.op, {"style": "rounded", "color": _LINE}, node):
            head = self.box(f"<b>{_escaped(_shortened(_head_of(node)))}</b>", {"shape": "cds"}, node)
            self.flow(node, node.operands, head)
            out = self.fresh() if node.results else ""
            if is_loop(node):
                exits = ExitBoxes(out, out, exits.call)
            else:
                exits = ExitBoxes(out, exits.loop, out) if is_call(node) else replace(exits, block=out)
            for name, region in zip(_regions(node), node.regions, strict=False):
                with self.frame(name, {"style": "rounded,dashed", "color": _FAINT}, node):
                    for value in region.params:
                        self.param(value)
                        self.edge(head, self.made[value])
                    first = len(self.boxes)
                    self.block(region, exits)
                    for below in self.boxes[first : first + (not region.params)]:
                        self.edge(head, below, "style=invis")
            if out:
                shown = "<br/>".join(_typed(value) for value in node.results)
                self.box(shown, {"shape": "plain", "style": "rounded"}, node, out)
                self.made |= dict.fromkeys(node.results, out)
        if out and is_loop(node):
            self.edge(out, head, "style=dashed, constraint=false")

    def ending(self, node: Node, exits: ExitBoxes) -> None:
        if is_yield(node) and not node.operands:
            return
        text = f"raise {node.attrs['exception']}" if node.attrs.get("exception") else node.op
        style = {"shape": "ellipse"}
        if leaves_function(node):
            style["fillcolor"] = _ENDS if is_return(node) else _RAISES
        box = self.box(f"<b>{_escaped(text)}</b>", style, node)
        self.flow(node, node.operands, box)
        if to := {"yield": exits.block, "break": exits.loop, "continue": exits.loop}.get(node.op, exits.call):
            if not is_raise(node):
                self.edge(box, to)

    def param(self, value: Value) -> None:
        self.made[value] = self.box(_typed(value), {"shape": "ellipse", "fillcolor": _ENDS}, None)

    # Text.

    def box(self, label: str, style: dict[str, str], node: Node | None, name: str = "") -> str:
        name = name or self.fresh()
        shown = "".join(f", {key}={_quoted(text)}" for key, text in (style | _tip(node)).items())
        self.line(f"{name} [label=<{label}>{shown}]")
        self.boxes.append(name)
        return name

    @contextmanager
    def frame(self, label: str, style: dict[str, str], node: Node) -> Iterator[None]:
        self.line(f"subgraph cluster_{self.fresh()} {{")
        self.depth += 1
        for key, text in {"label": label, **style, **_tip(node)}.items():
            self.line(f"{key}={_quoted(text)}")
        yield
        self.depth -= 1
        self.line("}")

    def fresh(self) -> str:
        self.count += 1
        return f"n{self.count}"

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def edge(self, start: str, end: str, style: str = "") -> None:
        self.edges[f"  {start} -> {end}" + (f" [{style}]" if style else "")] = None

    def joined(self, start: str, end: str) -> bool:
        return f"  {start} -> {end}" in self.edges

    def root(self, value: Value) -> Value:
        return self.roots.get(value, value)


def _scope_of(node: Node) -> str:
    if is_cluster(node):
        inner = {n.attrs.get("_JitScope") for n in node.regions[0].nodes if not is_ending(n)}
        return str(node.attrs.get("scope") or (inner.pop() if len(inner) == 1 else "") or "")
    return str(node.attrs.get("_JitScope") or "")


def _label(node: Node) -> str:
    """The operation with its constants, and what comes out of it."""
    operands = ["_" if isinstance(o, Value) else constant_text(o.value) for o in node.operands]
    text = node.attrs.get("text", written(node))
    name = node.op
    if OPS[node.op].kind in _AS_WRITTEN and isinstance(text, str):
        name = shown(text)
    elif is_size(node):
        name = dims.text(node.attrs["size"])
    elif any(isinstance(o, Literal) for o in node.operands):
        name = f"{node.op}({', '.join(operands)})"
    lines = [f"<b>{_escaped(_shortened(name))}</b>"]
    called = node.attrs.get("name")  # in explicit graphs
    if isinstance(called, str) and node.op != "check_bound":
        lines += [_small(_shortened(called))] * (called != node.op)
        return "<br/>".join([*lines, *(_small(type_text(value.type)) for value in node.results)])
    return "<br/>".join([*lines, *map(_typed, node.results)])


def _typed(value: Value) -> str:
    """A value's type, and its name if it is the user's."""
    name = value.name.partition(".")[0]
    own = "" if re.fullmatch(r"t\d+", name) else f"{name}: "
    return _small(own + type_text(value.type))


def _small(text: str) -> str:
    return f'<font point-size="9">{_escaped(text)}</font>'


def _head_of(node: Node) -> str:
    """The user's line that begins a loop or a branch."""
    if is_call(node):
        return f"call {node.attrs.get('name', '')}".strip()
    line = " ".join(node.loc.text.split())
    words = ("if ", "elif ") if is_branch(node) else (f"{node.op.partition('_')[0]} ",)
    return line if line.startswith(words) else node.op


def _regions(node: Node) -> tuple[str, ...]:
    names = {"if": ("then", "else"), "while": ("test", "body", "else"), "call": ("body",)}
    return names.get(node.op, ("body", "else"))


def _tip(node: Node | None) -> dict[str, str]:
    """What SVG shows where the mouse rests: the user's line."""
    if node is None or not node.loc.line:
        return {}
    file = node.loc.filename.replace("\\", "/").rsplit("/", 1)[-1]
    return {"tooltip": f"{file}:{node.loc.line}: {' '.join(node.loc.text.split())}"}


def _natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts ``jit_scope_10`` behind ``jit_scope_9``."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def _shortened(text: str, longest: int = _LONGEST) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 3] + "..."


def _escaped(text: str) -> str:
    return escape(printable(text), quote=False)


def _quoted(text: str) -> str:
    lines = (printable(line).replace("\\", "\\\\").replace('"', '\\"') for line in text.split("\n"))
    return '"' + "\\n".join(lines) + '"'
