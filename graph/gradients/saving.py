"""What a branch or a loop has to keep, so that it can be run again in the reverse pass.

Memory that is written meanwhile no longer holds what was read. Where all reads of it stand directly in the
body (or in its branches), each read is kept, a number or a slice per iteration, and the writes are left out
when the body runs again. Else the whole memory is kept as it was when the iteration began, and the iteration
runs again on a copy. Generous: what turns out not to be needed is dead code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..analysis.effects import is_array, reads, writes
from ..ir import dims
from ..ir.dims import Size
from ..ir.nodes import Block, Node, Operand, Value, walk
from ..ir.rewrite import defined_by, with_regions
from ..ir.types import Array, Scalar
from ..ops import OPS
from ..ops.define import PRODUCT, REDUCTION
from ..ops.facts import (
    grows,
    is_assign,
    is_branch,
    is_cluster,
    is_compiled_loop,
    is_drawn,
    is_gradient_rule,
    is_load,
    test_of,
)
from ..symbolic.arrays import SymbolicArray
from .activity import is_floating
from .arrays import duplicate
from .context import called, stem
from .errors import NoGradient
from .frame import UNKEPT, Recomputation
from .slots import TapeSlot, new_slot
from .storage import running


@dataclass(slots=True)
class SavingPlan:
    """What is kept of one node with regions (a *unit*), by what it is called in the forward computation."""

    reads: dict[tuple[Node, int], TapeSlot] = field(default_factory=dict)
    results: dict[Node, TapeSlot] = field(default_factory=dict)
    scalars: list[tuple[Value, TapeSlot]] = field(default_factory=list)
    snapshots: dict[Value, TapeSlot] = field(default_factory=dict)
    bases: dict[Value, Operand] = field(default_factory=dict)
    private: set[Value] = field(default_factory=set)
    left_out: set[Node] = field(default_factory=set)
    missing: dict[Value, str] = field(default_factory=dict)

    def slots(self) -> list[TapeSlot]:
        """Where things are kept."""
        kept = (slot for _, slot in self.scalars)
        return [*self.reads.values(), *self.results.values(), *kept, *self.snapshots.values()]

    def at(self, buffers: Mapping[TapeSlot, Value]) -> SavingPlan:
        """The same plan where the slots are these buffers by now."""

        def moved(slot: TapeSlot) -> TapeSlot:
            return replace(slot, buffer=buffers[slot])

        return replace(
            self,
            reads={read: moved(slot) for read, slot in self.reads.items()},
            results={node: moved(slot) for node, slot in self.results.items()},
            scalars=[(param, moved(slot)) for param, slot in self.scalars],
            snapshots={root: moved(slot) for root, slot in self.snapshots.items()},
        )


@dataclass(frozen=True, slots=True)
class _Read:
    node: Node
    operand: int
    origins: frozenset[Value]
    direct: bool


@dataclass(frozen=True, slots=True)
class _Write:
    node: Node
    origins: frozenset[Value]
    inner: bool


class Planner:
    """Decides what of `unit` is kept, in the frame in which it stands."""

    def __init__(
        self, frame: Recomputation, unit: Node, regions: Sequence[Block], state: Sequence[Value] = ()
    ) -> None:
        self.frame, self.unit, self.regions, self.state = frame, unit, regions, state
        self.storage = frame.context.storage
        self.inside = set(state)
        for region in regions:
            self.inside.update(region.params)
            self.inside.update(value for node in walk(region) for value in defined_by(node))
        sizes = frame.context.sizes_of
        self.names = {value.name for value in self.inside}
        self.names |= {symbol for value in self.inside for symbol, _ in sizes.get(value, ())}
        self._origins: dict[Value, tuple[frozenset[Value], bool]] = {}
        test = test_of(unit)
        around = regions if test is None else (*regions, test)
        inner = [node for region in around for top in region.nodes for node in (top, *running(top))]
        self.handed = [(node, value) for node in inner for value in self.storage.handed.written(node)]
        self.reads = [read for region in regions for read in self._reads(region, True)]
        self.writes = [write for region in around for write in self._writes(region)]

    # What is read and written

    def _reads(self, block: Block, direct: bool) -> Iterator[_Read]:
        for node in block.nodes:
            for k in content_operands(node):
                if (node, k) not in self.frame.taped:
                    value = node.operands[k]
                    assert isinstance(value, Value)
                    origins, _ = self.origins(value)
                    if origins:
                        yield _Read(node, k, origins, direct and self._is_slot(node, k))
            for region in node.regions:
                yield from self._reads(region, direct and (is_branch(node) or is_cluster(node)))

    def _is_slot(self, node: Node, k: int) -> bool:
        """Whether what is read has one shape, known before the unit."""
        value = node.operands[k]
        assert isinstance(value, Value)
        return is_load(node) or not self._changes(value)

    def _writes(self, block: Block) -> Iterator[_Write]:
        for node in (inner for top in block.nodes for inner in (top, *running(top))):
            if node not in self.frame.left_out:
                for target in self.storage.writes(node):
                    origins, inner = self.origins(target)
                    if origins:
                        yield _Write(node, origins, inner)

    def origins(self, value: Value) -> tuple[frozenset[Value], bool]:
        """The outer memory (and state) that an array may look at, and whether it may be the unit's own."""
        root = self.storage.memory_root(value)
        if root not in self._origins:
            self._origins[root] = self._found_origins(root)
        return self._origins[root]

    def _found_origins(self, root: Value) -> tuple[frozenset[Value], bool]:
        origins: set[Value] = set()
        own, seen, todo = False, {root}, [root]
        while todo:
            one = todo.pop()
            if one not in self.inside or one in self.state:
                origins.add(one)
                continue
            merged = one in self.storage.flow.slot
            incoming = self.storage.flow.incoming(one) if merged else ()
            arrays = [self.storage.memory_root(o) for o in incoming if is_array(o)]
            if not arrays and any(self.storage.overlap(one, value) for _, value in self.handed):
                origins.add(one)  # Python doesn't run again: what it may have written is kept
                continue
            own = own or not arrays
            todo += [o for o in arrays if o not in seen]
            seen.update(arrays)
        return frozenset(origins), own

    # Decisions

    def plan(self, iterations: Size) -> SavingPlan:
        """What to keep, with its buffers, which are made before the unit."""
        plan = SavingPlan()
        written = self._written()
        whole = self._whole(written)
        self._refuse_twins(whole)
        self._refuse_handed(whole)
        plan.left_out = {w.node for w in self.writes if writes(w.node) and not w.origins & whole}
        plan.private = whole
        with self.frame.beside(self.unit), self.frame.context.forward(self.unit):
            for read in self.reads:
                if read.direct and read.origins & (written - whole):
                    plan.reads[read.node, read.operand] = self._slot(iterations, read)
            for node in self._expensive():
                plan.results[node] = self._slot_for(iterations, node.results[0])
            looked_at = (o for r in self.reads for o in r.origins if (r.node, r.operand) not in plan.reads)
            written_again = (o for w in self.writes for o in w.origins if o in whole)
            kept = dict.fromkeys((*looked_at, *written_again))
            for root in kept:
                self._keep_root(plan, root, iterations, written)
            for param in self.state:
                if isinstance(param.type, Scalar):
                    plan.scalars.append((param, self._slot_for(iterations, param)))
        return plan

    def _expensive(self) -> Iterator[Node]:
        """Nodes in the body and its branches whose results are kept: to run them again would cost more."""
        if is_gradient_rule(self.unit):
            return
        todo = [node for region in self.regions for node in region.nodes]
        while todo:
            node = todo.pop()
            if is_branch(node):
                todo += [inner for region in node.regions for inner in region.nodes]
            elif is_expensive(node) and node not in self.frame.kept and not self._changes(node.results[0]):
                yield node

    def _changes(self, value: Value) -> bool:
        """Whether the shape of `value` is known only in the unit."""
        return isinstance(value.type, Array) and any(dims.symbols(s) & self.names for s in value.type.shape)

    def _written(self) -> set[Value]:
        """The roots of which something is written in the unit."""
        known = self._known()
        targets = {origin for write in self.writes for origin in write.origins}
        return {r for r in known if any(self.storage.overlap(r, w) for w in targets)}

    def _known(self) -> set[Value]:
        return {origin for r in self.reads for origin in r.origins} | {
            o for w in self.writes for o in w.origins
        }

    def _whole(self, written: set[Value]) -> set[Value]:
        """The roots that are kept as a whole, for not all of their reads can be kept one by one."""
        whole: set[Value] = set()
        while True:
            before = len(whole)
            for read in self.reads:
                if not read.direct:
                    whole |= read.origins & written
            for write in self.writes:
                if write.inner or write.origins & whole:
                    whole |= write.origins
            if len(whole) == before:
                return whole

    def _refuse_twins(self, whole: set[Value]) -> None:
        for one in whole:
            for other in self._known() - {one}:
                if self.storage.overlap(one, other):
                    names = [called(self.storage.known_as(value)) for value in (one, other)]
                    raise NoGradient(
                        self.unit,
                        f"{names[0]} and {names[1]} may be the same memory, which is written to",
                        "make one of them a copy",
                    )

    def _refuse_handed(self, whole: set[Value]) -> None:
        """What Python wrote can't be had by running the iteration again."""
        for node, value in self.handed:
            if self.origins(value)[0] & whole:
                name = called(self.storage.known_as(value))
                raise NoGradient(
                    node,
                    f"it is opaque Python, which may write to {name}, and what {name} held is needed again",
                    "hand it a copy",
                )

    def _slot(self, iterations: Size, read: _Read) -> TapeSlot:
        node = read.node
        value = node.results[0] if is_load(node) else node.operands[read.operand]
        assert isinstance(value, Value)
        return self._slot_for(iterations, value)

    def _slot_for(self, iterations: Size, value: Value) -> TapeSlot:
        type_, name = value.type, stem(value.name)
        if not isinstance(type_, Array):
            return new_slot(iterations, type_, name=name)
        return new_slot(iterations, type_, [self.frame.subst.size(size) for size in type_.shape], name)

    def _keep_root(self, plan: SavingPlan, root: Value, iterations: Size, written: set[Value]) -> None:
        assert isinstance(root.type, Array)
        if root in self.state:
            mine = [r for r in self.reads if root in r.origins and (r.node, r.operand) not in plan.reads]
            if root not in written and all(r.direct and is_load(r.node) for r in mine):
                plan.reads.update(((r.node, r.operand), self._slot(iterations, r)) for r in mine)
                return
        if root not in self.state and root not in written:
            if self.frame.is_written_after(self.unit, root):
                plan.bases[root] = self._copy(root)
            return
        if not is_compiled_loop(self.unit):
            plan.bases[root] = self._copy(root)
        elif self._changes(root):
            plan.missing[root] = "its shape changes from iteration to iteration"
        else:
            plan.snapshots[root] = self._slot_for(iterations, root)

    def _copy(self, root: Value) -> Operand:
        return duplicate(self.frame.symbol(root)).operand()

    def captured(self) -> list[Value]:
        """The arrays from outside that the unit uses."""
        inner = (node for region in self.regions for node in walk(region))
        used = dict.fromkeys(o for node in inner for o in node.operands if is_array(o))
        return [value for value in used if isinstance(value, Value) and value not in self.inside]


def is_expensive(node: Node) -> bool:
    """Whether `node` takes longer than to keep its result, or gives other numbers each time."""
    if is_drawn(node):
        return True
    if len(node.results) != 1 or not is_floating(node.results[0]):
        return False
    if node.op == "numpy":
        return not node.attrs.get("aliases")
    op = OPS.get(node.op)
    return op is not None and (op.expensive or op.kind in (PRODUCT, REDUCTION))


def content_operands(node: Node) -> list[int]:
    """The operands whose elements `node` looks at."""
    if is_assign(node):
        return [1] if is_array(node.operands[1]) else []
    if grows(node):
        return []
    looked_at = reads(node)
    return [k for k, operand in enumerate(node.operands) if any(operand is v for v in looked_at)]


# Keeping, in the forward computation


def keeping(
    frame: Recomputation, unit: Node, plan: SavingPlan, iteration: Operand, regions: Sequence[Block]
) -> Node:
    """`unit` with these regions, which keep what is planned in the places of `iteration`."""
    new = {region: _keeping_block(frame, region, plan, iteration) for region in regions}
    return with_regions(unit, tuple(new.get(region, region) for region in unit.regions))


def _keeping_block(frame: Recomputation, block: Block, plan: SavingPlan, iteration: Operand) -> Block:
    context = frame.context
    with context.builder.region() as nodes:
        for node in block.nodes:
            with context.forward(node):
                for k, operand in enumerate(node.operands):
                    slot = plan.reads.get((node, k))
                    if slot is not None and not is_load(node):
                        slot.write(iteration, operand)
                if node.regions:
                    inner = tuple(_keeping_block(frame, region, plan, iteration) for region in node.regions)
                    nodes.append(with_regions(node, inner))
                else:
                    nodes.append(node)
                slot = plan.reads.get((node, 0)) if is_load(node) else plan.results.get(node)
                if slot is not None:
                    slot.write(iteration, node.results[0])
    return (
        Block(block.params, tuple(nodes))
        if len(nodes) != len(block.nodes) or _differ(nodes, block)
        else block
    )


def _differ(nodes: Sequence[Node], block: Block) -> bool:
    return any(a is not b for a, b in zip(nodes, block.nodes, strict=True))


def keep_state(plan: SavingPlan, iteration: Operand) -> None:
    """Keep what an iteration begins with."""
    for param, slot in plan.scalars:
        slot.write(iteration, param)
    for root, slot in plan.snapshots.items():
        slot.write(iteration, root)


# Restoring, in the reverse pass


def restore(frame: Recomputation, unit: Node, plan: SavingPlan, planner: Planner, iteration: Operand) -> None:
    """Give `frame`, in which the unit's body runs again, what was kept."""
    frame.left_out |= plan.left_out
    for param, slot in plan.scalars:
        frame.bind(param, slot.read(iteration))
    for read, slot in plan.reads.items():
        frame.taped[read] = slot.read(iteration)
    for node, slot in plan.results.items():
        frame.kept[node] = slot.read(iteration)
    bases: dict[Value, SymbolicArray] = {}
    for root, slot in plan.snapshots.items():
        operand = slot.read(iteration)
        assert isinstance(operand, Value)
        kept = SymbolicArray(operand, "F" if slot.turned else "C")
        bases[root] = duplicate(kept) if root in plan.private else kept
    for root, operand in plan.bases.items():
        assert isinstance(operand, Value)
        assert isinstance(operand.type, Array)
        kept = SymbolicArray(operand, operand.type.layout)
        bases[root] = duplicate(kept) if root in plan.private else kept
    for root, base in bases.items():
        frame.bind(root, base.operand())
    for value in planner.captured():
        root = planner.storage.memory_root(value)
        if root in bases and value is not root:
            frame.bind(value, frame.view(bases[root], planner.storage.memory_chain(value)).operand())
    for param in planner.state:
        if param not in bases and is_array(param):
            frame.missing[param] = (unit, UNKEPT)
    for root, reason in plan.missing.items():
        frame.missing[root] = (unit, reason)
