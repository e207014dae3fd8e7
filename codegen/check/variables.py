"""Does every variable still hold the value that is read from it?

Values share variables where `Liveness`, which walks backwards, says that they are never alive together. Here
the same is asked forwards: what each variable holds is followed along all paths, as constants are in
Wegman and Zadeck, Constant Propagation with Conditional Branches (TOPLAS 1991).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from ...graph.analysis.around import body_of, else_of
from ...graph.ir.nodes import Block, Node, Operand, Value
from ...graph.ops.facts import is_branch, is_break, is_jump, is_loop, is_tested, is_yield

_Held = dict[str, Value | None]
"""The value that each variable holds; None where paths meet that leave different ones in it."""

Name = Callable[[Value], str | None]
Uses = Callable[[Node], Iterable[Value]]


def overwritten(
    block: Block, name_of: Name, uses: Uses, first: Uses, inlined: Collection[Value]
) -> str | None:
    """A value that is read from a variable that holds another one; None if all is well.

    `name_of` gives the variable of a value, None if it has none; `uses` the values that are read where a node
    is printed, `first` the results that it assigns before; `inlined` values are printed where they are read.
    """
    walk = _Forwards(name_of, uses, first, inlined)
    held: _Held = {}
    walk.bind(held, block.params)
    walk.block(block, held)
    return walk.found


class _Exits:
    """What the variables hold at the exits of a loop's body: after its breaks, and where it goes on."""

    def __init__(self, state: Sequence[Value]) -> None:
        self.state = state
        self.broken: list[_Held] = []
        self.again: list[_Held] = []


class _Forwards:
    def __init__(self, name_of: Name, uses: Uses, first: Uses, inlined: Collection[Value]) -> None:
        self._name_of = name_of
        self._uses = uses
        self._first = first
        self._inlined = inlined
        self._loops: list[_Exits] = []
        self._slots: dict[Value, Value] = {}
        """The result of the loop that a parameter of its regions is the state of."""
        self.found: str | None = None

    def bind(self, held: _Held, values: Iterable[Value]) -> None:
        """The variables of these values hold them now."""
        for value in values:
            if (name := self._name_of(value)) is not None:
                held[name] = self._slots.get(value, value)

    def block(self, block: Block, held: _Held | None, results: Sequence[Value] = ()) -> _Held | None:
        """What is held after `block`, whose yield assigns `results`; None if its end is never reached."""
        for node in block.nodes:
            if held is None:
                return None
            held = self._node(node, held, results)
        return held

    def _node(self, node: Node, held: _Held, results: Sequence[Value]) -> _Held | None:
        if node.results and node.results[0] in self._inlined:
            return held
        self.bind(held, self._first(node))
        if not is_loop(node):
            self._read(node, held, self._uses(node))
        if is_yield(node):
            self.bind(held, results)
        elif is_jump(node):
            exits = self._loops[-1]
            self.bind(held, exits.state)
            (exits.broken if is_break(node) else exits.again).append(held)
        if node.op in ("break", "continue", "return", "raise"):
            return None
        if is_branch(node):
            ends = [self.block(region, dict(held), node.results) for region in node.regions]
            return _met(ends)
        if is_loop(node):
            return self._loop(node, held)
        self.bind(held, node.results)
        return held

    def _loop(self, node: Node, held: _Held) -> _Held | None:
        body, orelse = body_of(node), else_of(node)
        head = node.regions[0] if is_tested(node) else None
        indices = body.params[: len(body.params) - len(node.results)]
        for region in node.regions:
            skipped = len(region.params) - len(node.results)
            self._slots.update(zip(region.params[skipped:], node.results, strict=True))
        self._read(node, held, self._uses(node))
        self.bind(held, node.results)
        while True:
            exits = _Exits(node.results)
            left: _Held | None = dict(held)
            if head is not None:
                left = self.block(head, left)
            inside = dict(left or {})
            self.bind(inside, indices)
            self._loops.append(exits)
            ended = self.block(body, inside, node.results)
            self._loops.pop()
            grown = _met([held, ended, *exits.again])
            assert grown is not None
            if grown == held:
                break
            held = grown
        if orelse is not None:
            left = self.block(orelse, left, node.results)
        return _met([left, *exits.broken])

    def _read(self, node: Node, held: _Held, values: Iterable[Value | Operand]) -> None:
        for value in values:
            name = self._name_of(value) if isinstance(value, Value) else None
            if name is None or name not in held or self.found:
                continue
            assert isinstance(value, Value)
            if held[name] is not self._slots.get(value, value):
                self.found = f"{name!r} holds another value where {node.op} reads %{value.name}"


def _met(ends: Iterable[_Held | None]) -> _Held | None:
    """What is held where these paths meet."""
    met: _Held | None = None
    for end in ends:
        if end is None:
            continue
        if met is None:
            met = end
            continue
        names = {**met, **end}
        met = {
            name: met[name] if name in met and name in end and met[name] is end[name] else None
            for name in names
        }
    return met
