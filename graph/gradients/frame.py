"""A frame: a straight line of forward nodes in an open block, and what they are called there.

At the top the forward nodes are there already. In a region of the reverse sweep (a branch, an iteration of a
loop) they are run again: `copy` makes them anew in the open block, with new names, with what was saved in
place of what can't be read again, and without what must not be done twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ..analysis.effects import effects_of, is_array, is_opaque, raises, writes
from ..ir.nodes import Block, Literal, Node, Operand, Value
from ..ir.rewrite import Substitution
from ..ir.types import INT, Array, Type
from ..ops.facts import is_branch, is_check, is_ending, is_load, is_loop, is_plain_view, is_python, is_raise
from ..symbolic.arrays import SymbolicArray, symbol_for
from ..symbolic.indexing import view_layout
from .arrays import duplicate
from .context import GradientCall, stem
from .errors import NoGradient
from .slots import allocate
from .storage import running

TWICE = "its result is needed again in the reverse pass, and it can't be run twice"
UNKEPT = "it is not kept"


class Missing(Exception):
    """A value that isn't there in the reverse pass is asked for: why."""

    def __init__(self, node: Node, reason: str = TWICE) -> None:
        super().__init__(node)
        self.node, self.reason = node, reason


class Recomputation:
    """The forward nodes of one block, as they stand in the open block `block`.

    Attributes:
        nodes: the nodes, as the forward computation has them.
        block: the open block in which they are, or in which they are made again.
        subst: what their values are called here; what it doesn't know is called as it is.
        taped: reads (node, operand) whose values were saved, and where they are here.
        kept: nodes whose results were saved, and where those are here.
        left_out: writes that aren't done again, because all that reads them was saved.
        own: the values that are defined here.
        at: where each node stands here.
        gaps: where nodes would stand that aren't run again: after which node, None for the beginning.
        first: the nodes have not run before.
    """

    def __init__(
        self,
        context: GradientCall,
        nodes: Sequence[Node],
        block: list[Node],
        parent: Recomputation | None = None,
    ) -> None:
        self.context = context
        self.nodes = list(nodes)
        self.block = block
        self.parent = parent
        self.subst: Substitution = (
            Substitution(dict(parent.subst.values), dict(parent.subst.symbols)) if parent else Substitution()
        )
        self.taped: dict[tuple[Node, int], Operand] = dict(parent.taped) if parent else {}
        self.kept: dict[Node, Operand] = dict(parent.kept) if parent else {}
        self.left_out: set[Node] = set(parent.left_out) if parent else set()
        self.missing: dict[Value, tuple[Node, str]] = dict(parent.missing) if parent else {}
        self.own: set[Value] = {value for node in nodes for value in node.results}
        self.at: dict[Node, Node] = {}
        self.gaps: dict[Node, Node | None] = {}
        self.plans: dict[Node, Any] = {}
        self.first = False
        self._loops = 0
        self.homes: dict[Node, list[Node]] = {}
        self._order = {node: k for k, node in enumerate(self.nodes)}
        self._saved: dict[tuple[Node, Value], SymbolicArray] = {}
        self._written: list[tuple[int, tuple[Value, ...]]] | None = None

    # Names

    def operand(self, operand: Operand) -> Operand:
        """What `operand` is called here."""
        found = self.subst.operand(operand)
        if isinstance(operand, Value) and operand in self.missing:
            raise Missing(*self.missing[operand])
        return found

    def type(self, type_: Type) -> Any:
        """`type_` with the sizes of here."""
        return self.subst.type(type_)

    def bind(self, value: Value, here: Operand) -> None:
        """`value` is called `here` from now on."""
        self.subst.values[value] = here
        self.missing.pop(value, None)
        if value.type == INT:
            self.subst.symbols[value.name] = here.value if isinstance(here, Literal) else here.name

    def symbol(self, operand: Operand) -> Any:
        """The symbol of a value as it is here; the plain number of a constant."""
        here = self.operand(operand)
        if isinstance(here, Literal):
            return here.value
        if isinstance(operand, Value) and is_array(operand):
            order = (
                self.context.storage.order(operand)
                if here is operand or self._is_alike(operand, here)
                else "C"
            )
            return SymbolicArray(here, order)
        return symbol_for(here)

    def _is_alike(self, value: Value, here: Value) -> bool:
        assert isinstance(value.type, Array)
        assert isinstance(here.type, Array)
        return value.type.layout == here.type.layout

    # Where nodes go

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Nodes go to the end of this frame's block, also while regions inside of it are open."""
        blocks = self.context.builder.blocks
        if blocks[-1] is self.block:
            yield
            return
        blocks.append(self.block)
        try:
            yield
        finally:
            blocks.pop()

    @contextmanager
    def beside(self, node: Node, after: bool = False) -> Iterator[None]:
        """Nodes go before `node` (or after it); to the end of the block while it isn't there yet."""
        here = self.at.get(node)
        if here is None and node not in self.gaps:
            with self.opened():
                yield
            return
        made: list[Node] = []
        builder = self.context.builder
        builder.blocks.append(made)
        try:
            yield
        finally:
            builder.blocks.pop()
        home = builder.edit(self.homes.get(node, self.block))
        if here is None:
            before = self.gaps[node]
            place = 0 if before is None else home.index(before) + 1
        else:
            place = home.index(here) + after
        home[place:place] = made

    def exchange(self, node: Node, new: Node) -> None:
        """`new` stands in the place of `node`."""
        home = self.context.builder.edit(self.homes.get(node, self.block))
        old = self.at[node]
        home[home.index(old)] = new
        self.at[node] = new
        self.gaps.update((kept, new) for kept, before in self.gaps.items() if before is old)

    # The forward computation again

    def run(self) -> None:
        """Compute all nodes again, in this frame; those with regions keep what their reverse pass needs."""
        prepare = self.context.prepare
        for node in self.nodes:
            if node.op in prepare and node in self.context.activity.nodes:
                self._try(lambda: prepare[node.op](self, node), node)  # noqa: B023
            else:
                self.copy(node)

    def put(self, node: Node, new: Node) -> None:
        """`new`, which does what `node` does and keeps something, in the place of `node`."""
        if node in self.at:
            self.exchange(node, new)
            return
        self.copy(new)
        if new in self.at:
            self.at[node] = self.at[new]

    def _try(self, action: Callable[[], None], node: Node) -> None:
        try:
            action()
        except Missing as missing:
            if self.written(node) or (node.regions and node in self.context.activity.nodes):
                raise NoGradient(missing.node, missing.reason) from None
            self.missing.update(dict.fromkeys(node.results, (missing.node, missing.reason)))

    def copy(self, node: Node) -> None:
        """Compute `node` again, at the end of the open block."""
        if is_ending(node):
            return
        if node in self.left_out:
            self._pass(node)
        elif is_load(node) and (node, 0) in self.taped:
            self.bind(node.results[0], self.taped[node, 0])
            self._pass(node)
        elif node in self.kept:
            self._keep(node)
            self._pass(node)
        else:
            self._try(lambda: self._copied(node), node)
            if node not in self.at:
                self._pass(node)

    def _pass(self, node: Node) -> None:
        """`node` isn't run again: what it read may be asked for where it would stand."""
        block = self.context.builder.blocks[-1]
        if block is self.block:
            self.gaps[node] = block[-1] if block else None

    def _keep(self, node: Node) -> None:
        """Use the result that was kept: itself, or a copy where something is written to it."""
        (result,) = node.results
        here = self.kept[node]
        if isinstance(here, Value) and isinstance(here.type, Array):
            overlap = self.context.storage.overlap
            if any(overlap(w, result) for _, written in self._writes() for w in written):
                here = duplicate(SymbolicArray(here, here.type.layout)).operand()
        self.bind(result, here)

    def _copied(self, node: Node) -> None:
        if not self.first and (is_python(node) or is_raise(node) or is_check(node) or is_opaque(node)):
            if self.written(node) or (is_branch(node) and not writes_anything(node)):
                raise Missing(node)
            self.missing.update(dict.fromkeys(node.results, (node, TWICE)))
            return
        live = None if self.first else self._only_way(node)
        if live is not None:
            for inner in live.nodes:
                self.copy(inner)
            return
        builder = self.context.builder
        state = len(node.operands) - len(node.results) if is_loop(node) else len(node.operands)
        operands = [
            self.taped[node, k]
            if (node, k) in self.taped
            else (self.operand(operand) if k < state else self._handed_on(operand))
            for k, operand in enumerate(node.operands)
        ]
        with self.context.back(node):
            self._loops += is_loop(node)
            regions = [self.region(region) for region in node.regions]
            self._loops -= is_loop(node)
            types = [self._new_type(result) for result in node.results]
            names = [stem(result.name) for result in node.results]
            results = builder.emit(node.op, operands, types, self.attrs(node), regions, names)
        for old, new in zip(node.results, results, strict=True):
            self.bind(old, new)
            self._measure(old, new)
        self.at[node] = builder.blocks[-1][-1]

    def _handed_on(self, operand: Operand) -> Operand:
        """What a loop begins or ends with: any array in place of one that nobody looks at."""
        try:
            return self.operand(operand)
        except Missing as missing:
            if missing.reason != UNKEPT or not isinstance(operand.type, Array):
                raise
            return allocate("empty", (0,) * operand.type.ndim, operand.type.dtype, None).operand()

    def _only_way(self, node: Node) -> Block | None:
        """The region that has run when only one of an `if` comes to its end."""
        if not is_branch(node):
            return None
        stays = ("yield", "break", "continue") if self._loops else ("yield",)
        going_on = [region for region in node.regions if region.ending.op in stays]
        return going_on[0] if len(going_on) == 1 else None

    def region(self, block: Block) -> Block:
        """`block` computed again as a region."""
        builder = self.context.builder
        params = []
        for param in block.params:
            new = builder.value(self._new_type(param), stem(param.name))
            self.bind(param, new)
            self._measure(param, new)
            params.append(new)
        with builder.region() as nodes:
            for inner in block.nodes:
                self.copy(inner)
            ending = block.ending
            with self.context.back(ending):
                builder.emit(ending.op, [self._handed_on(o) for o in ending.operands], (), self.attrs(ending))
        return Block(tuple(params), tuple(nodes))

    def attrs(self, node: Node) -> Mapping[str, Any]:
        """The attributes of `node` here; what didn't fail the first time doesn't fail now."""
        attrs = {k: v for k, v in self.subst.attrs(node).items() if not k.startswith(("_Jit", "_Device"))}
        if self.first:
            return attrs
        if node.op == "numpy":
            attrs["raises"] = False
        elif raises(node):
            attrs["safe"] = True
        return attrs

    def _new_type(self, value: Value) -> Type:
        """The type of `value` where it is made again; sizes that are measured on it get new symbols."""
        for symbol, _ in self.context.sizes_of.get(value, ()):
            new = self.context.builder.fresh(stem(symbol) or "n")
            hints = self.context.builder.hints
            if symbol in hints:
                hints[new] = hints[symbol]
            self.subst.symbols[symbol] = new
        return self.subst.type(value.type)

    def _measure(self, old: Value, new: Value) -> None:
        for symbol, axis in self.context.sizes_of.get(old, ()):
            name = self.subst.symbols[symbol]
            assert isinstance(name, str)
            self.context.builder.sizes[name] = (new, axis)

    # What nodes read

    def content(self, node: Node, k: int) -> Any:
        """Operand `k` of `node` as it was when the node ran."""
        operand = node.operands[k]
        if (node, k) in self.taped:
            return symbol_for(self.taped[node, k])
        if not isinstance(operand, Value) or not is_array(operand):
            return self._found(operand)
        storage = self.context.storage
        changed = any(storage.overlap(w, operand) for w in storage.writes(node))
        if changed or self.is_written_after(node, operand):
            return self._save(node, operand, after=False)
        return self._found(operand)

    def outcome(self, node: Node, k: int) -> Any:
        """Result `k` of `node` as it was when the node had run."""
        result = node.results[k]
        if is_array(result) and self.is_written_after(node, result):
            return self._save(node, result, after=True)
        return self._found(result)

    def _found(self, operand: Operand) -> Any:
        try:
            return self.symbol(operand)
        except Missing as missing:
            raise NoGradient(missing.node, missing.reason) from None

    def is_written_after(self, node: Node, value: Value) -> bool:
        """Whether the memory of `value` may be written between `node` and the end of the forward nodes."""
        if self.homes.get(node, self.block) is not self.block:
            return True  # a loop is open around us: what follows in it isn't known yet
        overlap = self.context.storage.overlap
        after = self._order.get(node, -1)
        return any(k > after and any(overlap(w, value) for w in ws) for k, ws in self._writes())

    def _writes(self) -> list[tuple[int, tuple[Value, ...]]]:
        if self._written is None:
            may_write = self.context.storage.writes
            found = [(k, self._written_by(node, may_write)) for k, node in enumerate(self.nodes)]
            self._written = [(k, values) for k, values in found if values]
        return self._written

    def written(self, node: Node) -> tuple[Value, ...]:
        """The arrays that `node` really writes here, its regions included."""
        return self._written_by(node, writes)

    def _written_by(self, node: Node, by: Callable[[Node], tuple[Value, ...]]) -> tuple[Value, ...]:
        inner = (n for n in (node, *running(node)) if n not in self.left_out)
        return tuple(dict.fromkeys(v for n in inner for v in by(n)))

    def _save(self, node: Node, value: Value, after: bool) -> SymbolicArray:
        """A copy of `value`, made where it still had its content."""
        key = (node, value)
        if key not in self._saved:
            with self.beside(node, after), self.context.forward(node):
                self._saved[key] = duplicate(self.symbol(value))
        return self._saved[key]

    # Views

    def view(self, base: SymbolicArray, chain: Sequence[Node]) -> SymbolicArray:
        """The views of `chain` on another base of the same shape."""
        for node in chain:
            type_ = self.type(node.results[0].type)
            order: str | None = "C"
            attrs = self.attrs(node)
            if is_plain_view(node):
                layout, order = view_layout(base, list(attrs["axes"]), type_.shape)
                type_ = replace(type_, layout=layout, writeable=True)
            operands = (base.operand(), *(self.operand(o) for o in node.operands[1:]))
            value = self.context.builder.emit(node.op, operands, (type_,), attrs)[0]
            base = SymbolicArray(value, order)
        return base


def writes_anything(node: Node) -> bool:
    """Whether `node` or a node inside writes memory."""
    return bool(effects_of(node).writes)
