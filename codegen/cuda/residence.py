"""What a driver says to its GPU before NumPy reads what was written there, or writes what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ...graph.analysis.effects import Aliases, effects_of, is_array, is_opaque
from ...graph.ir.nodes import Graph, Node, Value, walk
from ...graph.ir.types import Object
from ...graph.ops.facts import grows, is_cluster, is_iterated, is_python, leaves_function
from ...graph.trace.devices import spec_of
from ..calls import Buffer, Kernel

EVERYTHING: tuple[Value, ...] = ()
"""No names stand for any array."""


class Residence:
    """Follows the arrays of one driver."""

    def __init__(self, graph: Graph, nodes: Iterable[Node], kernels: Mapping[Node, Kernel]) -> None:
        self._aliases = Aliases(graph)
        self._kernels = {n: kernels[n] for n in nodes if n in kernels and kernels[n].device}
        self.number = next((spec_of(k.device).device_index for k in self._kernels.values()), None)
        self._there = [v for n, k in self._kernels.items() for v in _arrays_of(n, k)]
        self._written = [v for n, k in self._kernels.items() for v in self._writes(n, k)]
        loops = [n for n in _outside(graph) if is_iterated(n)]
        self.uncovered = {n for loop in loops for region in loop.regions for n in walk(region)}
        """What an iterator may look at before the next iteration of its loop."""
        self._returned = [o for n in _outside(graph) if leaves_function(n) for o in n.operands if is_array(o)]

    def __bool__(self) -> bool:
        return self.number is not None

    def _writes(self, node: Node, kernel: Kernel) -> list[Value]:
        made = [b.result for b in kernel.buffers if b.result is not None]
        return [*made, *self._written_by(node)]

    def _written_by(self, node: Node) -> list[Value]:
        """The arrays that a cluster is given and may write."""
        written = effects_of(node).writes
        given = [o for o in node.operands if is_array(o)]
        return [o for o in given if any(self._aliases.may_overlap(o, w) for w in written)]

    def is_local(self, buffer: Buffer) -> bool:
        """True when nobody looks at an array that a kernel makes once the driver has returned."""
        value = buffer.result
        if value is None:
            return True
        seen = any(self._aliases.may_ever_overlap(value, other) for other in self._returned)
        return self._aliases.is_local(value) and not seen

    def lines(self, node: Node, held: Callable[[Value], Iterable[str]]) -> list[str]:
        """The statements before `node`; `held` gives the variables with the memory of an array."""
        written = self._given(node)
        if written == EVERYTHING:
            return ["gpu.give()"]
        given = dict.fromkeys(name for value in written or () for name in held(value))
        read = dict.fromkeys(name for value in self._read(node) for name in held(value) if name not in given)
        lines = [f"gpu.home({', '.join(read)})"] if read else []
        return lines + ([f"gpu.give({', '.join(given)})"] if given else [])

    def form_of(self, node: Node) -> str | None:
        """What the driver says instead of NumPy's form of `node`."""
        return "gpu.grown({0}, {1})" if self and grows(node) else None

    def touches(self, node: Node) -> bool:
        """Whether `node` needs statements before it, so that it has to be one itself."""
        return bool(self.form_of(node) or self._given(node) is not None or self._read(node))

    def _read(self, node: Node) -> tuple[Value, ...]:
        """The arrays that the host reads when it runs `node`, which may be newer on the GPU."""
        if not self or node in self._kernels or grows(node):
            return ()
        if node.op in ("cluster", "raise", "python"):
            return self._among((o for o in node.operands if is_array(o)), self._written)
        return () if node.regions else self._among(effects_of(node).reads, self._written)

    def _given(self, node: Node) -> tuple[Value, ...] | None:
        """The arrays that the host writes when it runs `node`, which may be on the GPU; None if none is."""
        if not self or node in self._kernels:
            return None
        if _is_anything(node) or node.op in ("call", "for_each"):
            return EVERYTHING
        if is_cluster(node):
            return self._among(self._written_by(node), self._there) or None
        return None if node.regions else self._among(effects_of(node).writes, self._there) or None

    def _among(self, values: Iterable[Value], others: list[Value]) -> tuple[Value, ...]:
        overlap = self._aliases.may_ever_overlap
        return tuple(v for v in dict.fromkeys(values) if any(overlap(v, o) for o in others))


def _is_anything(node: Node) -> bool:
    """True when `node` itself may run Python that looks at any array."""
    objects = any(isinstance(o.type, Object) and isinstance(o, Value) for o in node.operands)
    if is_python(node) and node.attrs.get("harmless"):
        return objects
    return is_opaque(node) or (objects and node.op in ("numpy", "numpy_write", "raise", "truth"))


def _arrays_of(node: Node, kernel: Kernel) -> list[Value]:
    made = [b.result for b in kernel.buffers if b.result is not None]
    return [*(o for o in node.operands if is_array(o)), *made]


def _outside(graph: Graph) -> Iterable[Node]:
    inner = {n for node in walk(graph.body) if is_cluster(node) for n in walk(node.regions[0])}
    return (node for node in walk(graph.body) if node not in inner)
