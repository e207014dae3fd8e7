"""Sites: the places of a driver whose time a timeline shows: each operation and kernel that runs there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..graph.ir.nodes import Literal, Node, walk
from ..graph.ir.types import Array
from ..graph.ops import OPS
from ..graph.ops.define import CONTROL, ELEMENTWISE, MATH, PYTHON
from ..graph.ops.facts import is_call, is_cast, is_cluster, is_ending, is_size, is_truth, is_uncompiled
from ..graph.trace.devices import device_of, is_on_gpu
from .calls import Kernel

LAUNCH = "_JitLaunch"
NOW, DONE, START = "_js_now", "_js_done", "_js_start"
"""Names in a timed driver: the clock, what takes a bar (site, start), and the variable between the two."""

_CALLEE = re.compile(r"(?:np\.)?([A-Za-z_][\w.]*)\(")
_METHOD = re.compile(r"\{0\}\.(\w+)\(")


@dataclass(frozen=True, slots=True)
class Site:
    """One bar of a timeline.

    `op` is the operation (``_JitLaunch`` for a kernel), `name` that of its node (the kernel's own for a
    kernel), `inputs` its operands, `nodes` the operations inside of a kernel, `source` the user's line.
    """

    op: str
    name: str
    inputs: tuple[str, ...] = ()
    cluster: str = ""
    scope: str = ""
    device: str = ""
    source: str = ""
    nodes: tuple[str, ...] = ()


@dataclass(slots=True)
class Bars:
    """The sites of one driver and its helpers, numbered as they are met."""

    numbers: dict[Node, int] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)

    def number(self, node: Node, kernel: Kernel | None = None) -> int:
        """The number of the site of `node`; `kernel` is what a cluster became."""
        if node not in self.numbers:
            self.numbers[node] = len(self.sites)
            self.sites.append(site_of(node, kernel))
        return self.numbers[node]


def has_site(node: Node) -> bool:
    """Whether `node` does work worth a bar: not control flow, nor arithmetic on Python's own numbers."""
    if is_cluster(node) or is_call(node):
        return True
    kind = OPS[node.op].kind if node.op in OPS else ""
    if kind in (CONTROL, PYTHON, MATH) or is_truth(node):
        return False
    if kind == ELEMENTWISE and is_cast(node):
        return any(isinstance(operand.type, Array) for operand in node.operands)
    return True


def site_of(node: Node, kernel: Kernel | None = None) -> Site:
    """The site of `node`; `kernel` is what a cluster became."""
    attrs = node.attrs
    inner = [n for region in node.regions for n in walk(region)]
    placed = next((n for n in (node, *inner) if device_of(n)), node)
    device = device_of(placed)
    if is_on_gpu(placed):  # what has no kernel there runs on the host
        device = kernel.device if kernel else ""
    return Site(
        op=LAUNCH if kernel else _op_name(node),
        name=kernel.name if kernel else _node_name(node),
        inputs=tuple(repr(o.value) if isinstance(o, Literal) else o.name for o in node.operands),
        cluster=kernel.name if kernel else "",
        scope=attrs.get("_JitScope") or attrs.get("scope") or "",
        device=device,
        source=f"line {node.loc.line}: {' '.join(node.loc.text.split())}" if node.loc.line else "",
        nodes=tuple(n.op for n in inner if not is_ending(n) and not is_size(n)) if kernel else (),
    )


def _node_name(node: Node) -> str:
    name = node.attrs.get("name")
    return str(name or (node.results[0].name if node.results else node.op))


def _op_name(node: Node) -> str:
    """The operation; for a call that runs as it was written, what is called."""
    text = node.attrs.get("text")
    if is_call(node):
        return str(node.attrs.get("name", "call"))
    if not is_uncompiled(node) or not isinstance(text, str):
        return node.op
    if re.fullmatch(r"\{\d\} @ \{\d\}", text):
        return "matmul"
    found = _METHOD.match(text) or _CALLEE.match(text)
    return found[1] if found else node.op
