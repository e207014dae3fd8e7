"""Loops of numbers whose tape grows run in strips: as many iterations as there are places, then it grows.

An array that gets its variable anew in each iteration is counted as used, and as no longer used, each time,
which takes longer than a few operations on numbers. Strip-mining: Wolfe, High Performance Compilers for
Parallel Computing (1996), section 9.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..analysis.around import body_of
from ..analysis.effects import effects_of, is_opaque
from ..analysis.flow import endings_of
from ..ir import dims
from ..ir.nodes import Block, Graph, Literal, Node, Operand, Value, walk
from ..ir.rewrite import Substitution, ValuesByName, map_nodes, with_body
from ..ir.types import BOOL, INT, Array, Type
from ..ops.facts import falls_through, grows, is_break, is_compiled_loop, is_jump, is_loop, is_tested
from .options import Options

_FARTHEST, _LONGEST_STEP = 2**31, 2**10
"""Where a range may begin and how far it may step, so that no strip ends beyond 64 bits."""


def strip_mine(graph: Graph, options: Options) -> Graph:
    """Let arrays that grow in each iteration of a loop of numbers grow between strips of iterations.

    Before::

        graph f(%x: int, %k: i64[16]) sizes m=k.1[0], n=k.2[0], l=k.4[0], o=k.3[0] {
          %c: int, %k.3: i64[o] = while(0, %k) (%c.1: int, %k.1: i64[m]) {
            %t0: bool = py.lt(%c.1, %x) {loop=('int', 'int')}
            yield %t0
          } (%c.2: int, %k.2: i64[n]) {
            %k.4: i64[l] = grow(%k.2, %c.2)
            store(%k.4, %c.2, %c.2) {check=(False,)}
            %c.3: int = py.add(%c.2, 1) {loop=('int', 'int'), safe=True}
            yield %c.3, %k.4
          }
          return %c, %k.3 {text='({0}, {1})'}
        }

    After::

        graph f(%x: int, %k: i64[16]) sizes m=k.1[0], n=k.2[0], l=k.4[0], o=k.3[0] {
          %full.4: bool, %c: int, %k.3: i64[o] = while(True, 0, %k) (%full.1: bool, %c.4: int, %k.1: i64[m]) {
            yield %full.1
          } (%full.2: bool, %c.5: int, %k.2: i64[n]) {
            %k.4: i64[l] = grow(%k.2, %c.5)
            %room.1: int = size() {size=l, text='l'}
            %c.6: int = while(%c.5) (%c.1: int) {
              %t0: bool = py.lt(%c.1, %x) {loop=('int', 'int')}
              %t1: bool = py.lt(%c.1, %room.1) {loop=('int', 'int')}
              %t2: bool = py.select(%t0, %t1, False) {loop=('bool', 'bool', 'bool')}
              yield %t2
            } (%c.2: int) {
              store(%k.4, %c.2, %c.2) {check=(False,)}
              %c.3: int = py.add(%c.2, 1) {loop=('int', 'int'), safe=True}
              yield %c.3
            }
            %full.3: bool = py.ge(%c.6, %room.1) {loop=('int', 'int')}
            yield %full.3, %c.6, %k.4
          }
          return %c, %k.3 {text='({0}, {1})'}
        }
    """
    names = ValuesByName.of(graph)
    return with_body(graph, map_nodes(graph.body, lambda node: _stripped(node, names)))


def _stripped(node: Node, names: ValuesByName) -> Node:
    if not is_compiled_loop(node) or not _is_of_numbers(node):
        return node
    growing = [inner for inner in body_of(node).nodes if grows(inner)]
    loop = _Strips(node, growing, names) if growing else None
    return loop.outer() if loop is not None and loop.fits() else node


def _is_of_numbers(loop: Node) -> bool:
    """Whether iterations work on numbers alone, and its tests may be asked once more."""
    inner = [n for region in loop.regions for n in walk(region)]
    arrays = (v for n in inner if not grows(n) for v in n.results if isinstance(v.type, Array))
    tests = walk(loop.regions[0]) if is_tested(loop) else ()
    once = any(is_opaque(n) or effects_of(n).writes for n in tests)
    return not any(map(is_loop, inner)) and next(arrays, None) is None and not once


class _Strips:
    """One loop, and the loop around it that it gets."""

    def __init__(self, loop: Node, growing: Sequence[Node], names: ValuesByName) -> None:
        self.loop, self.growing, self.names = loop, growing, names
        self.body = body_of(loop)
        self.endings = list(endings_of(self.body))
        self.state = self.body.params[len(self.body.params) - len(loop.results) :]
        slots: dict[Operand, int] = {value: k for k, value in enumerate(self.state)}
        self.tapes = [slots.get(node.operands[0], -1) for node in growing]
        self.others = [k for k in range(len(self.state)) if k not in self.tapes]
        self.count = slots.get(growing[0].operands[1], -1)
        self.made = 0
        self.leaves = any(map(is_jump, self.endings))

    def fits(self) -> bool:
        """Whether it is what gradients make: arrays that grow for one count, and are handed on."""
        together = all(node.operands[1] is self.growing[0].operands[1] for node in self.growing)
        handed = all(
            ending.operands[k] is node.results[0]
            for ending in self.endings
            for k, node in zip(self.tapes, self.growing, strict=True)
        )
        known = -1 not in (self.count, *self.tapes) and falls_through(self.body)
        fixed = is_tested(self.loop) or self._steps_near()
        return together and handed and known and fixed and self._only_grow()

    def _only_grow(self) -> bool:
        """Whether nobody sees the arrays as they were before they grew: a `return` may hand one on."""
        before = {self.state[k] for k in self.tapes}
        if is_tested(self.loop):
            before.update(self.loop.regions[0].params[k] for k in self.tapes)
        inner = (n for region in self.loop.regions for n in walk(region) if n not in self.growing)
        return before.isdisjoint(operand for node in inner for operand in node.operands)

    def _steps_near(self) -> bool:
        start, _, step = self.loop.operands[:3]
        known = isinstance(start, Literal) and isinstance(step, Literal)
        return known and abs(start.value) <= _FARTHEST and abs(step.value) <= _LONGEST_STEP  # type: ignore[union-attr]

    def outer(self) -> Node:
        """The loop over strips: grow, go on as far as there are places, ask whether that was all."""
        loop = self.loop
        asked = self._params(loop.regions[0].params if is_tested(loop) else (), self.state)
        params = self._params(self.state, self.state)
        state = params[len(params) - len(self.state) :]
        place = Substitution({self.state[self.count]: state[self.count]})
        growing = [place.node(node) for node in self.growing]
        length = growing[0].results[0].type.shape[0]  # type: ignore[union-attr]
        room = self._node("size", (), INT, "room", size=length, text=dims.text(length))
        starts = params[1 : len(params) - len(self.state)]
        strip = self._strip([state[k] for k in self.others], starts, state[self.count], room.results[0])
        inner = strip[-1]
        found = dict(zip(self.others, inner.results, strict=False))
        after = list(self._asking(inner, found[self.count], room.results[0]))
        found.update(zip(self.tapes, (node.results[0] for node in growing), strict=True))
        handed = (
            after[-1].results[0],
            *inner.operands[1:2][: len(starts)],
            *map(found.__getitem__, sorted(found)),
        )
        test = Block(asked, (Node("yield", asked[:1], loc=loop.loc),))
        nodes = (*growing, room, *strip, *after, Node("yield", handed, loc=loop.loc))
        initial = loop.operands[len(loop.operands) - len(self.state) :]
        operands = (Literal(True, BOOL), *loop.operands[: len(starts)], *initial)
        results = (*(self._new(v.name, v.type) for v in params[: 1 + len(starts)]), *loop.results)
        return Node("while", operands, results, loop.attrs, (test, Block(params, nodes)), loop.loc)

    def _params(self, own: Sequence[Value], state: Sequence[Value]) -> tuple[Value, ...]:
        """Parameters of the loop over strips: the arrays that grow are the loop's own, if it has such."""
        starts = () if is_tested(self.loop) else (self._new("start", INT),)
        kept = {k: own[k] for k in self.tapes if own}
        return (
            self._new("full", BOOL),
            *starts,
            *(kept.get(k) or self._new(v.name, v.type) for k, v in enumerate(state)),
        )

    def _strip(
        self, state: Sequence[Value], starts: Sequence[Value], count: Value, room: Value
    ) -> list[Node]:
        """The loop, which ends where there is no more room."""
        loop, taken = self.loop, set(self.growing)
        carried = [*(self.loop.results[k] for k in self.others)]
        results = [self._new(v.name, v.type) for v in carried]
        initial: list[Operand] = list(state)
        extra: tuple[Value, ...] = ()
        if self.leaves:
            initial.append(Literal(False, BOOL))
            results.append(self._new("left", BOOL))
            extra = (self._new("left", BOOL),)
        nodes = [node for node in map_nodes(self.body, self._handing).nodes if node not in taken]
        head = self.body.params[: len(self.body.params) - len(self.state)]
        body = Block((*head, *(self.state[k] for k in self.others), *extra), tuple(nodes))
        if is_tested(loop):
            again = Node(
                "while", tuple(initial), tuple(results), loop.attrs, (self._test(room, extra), body), loop.loc
            )
            return [again]
        before = self._end(starts[0], count, room)
        bounds = (starts[0], before[-1].results[0], loop.operands[2])
        return [*before, Node("for", (*bounds, *initial), tuple(results), loop.attrs, (body,), loop.loc)]

    def _handing(self, node: Node) -> Node:
        """An ending of the strip, which hands on no tape, and says whether the loop is left."""
        if node not in self.endings:
            return node
        left = (Literal(is_break(node), BOOL),) if self.leaves else ()
        operands = (*(node.operands[k] for k in self.others), *left)
        return Node(node.op, operands, (), node.attrs, (), node.loc)

    def _test(self, room: Value, extra: Sequence[Value]) -> Block:
        test = self.loop.regions[0]
        fits = self._node("py.lt", (test.params[self.count], room), BOOL, "t", loop=("int", "int"))
        both = (test.ending.operands[0], fits.results[0], Literal(False, BOOL))
        goes_on = self._node("py.select", both, BOOL, "t", loop=("bool", "bool", "bool"))
        params = (*(test.params[k] for k in self.others), *(self._new(v.name, v.type) for v in extra))
        ending = Node("yield", goes_on.results, loc=self.loop.loc)
        return Block(params, (*test.nodes[:-1], fits, goes_on, ending))

    def _end(self, start: Value, count: Value, room: Value) -> list[Node]:
        """Where a strip ends: after as many steps as there are places, or where the range does."""
        ints = ("int", "int")
        places = self._node("py.sub", (room, count), INT, "t", loop=ints, safe=True)
        stretch = self._node("py.mul", (places.results[0], self._step()), INT, "t", loop=ints, safe=True)
        before = [places] if self._step().value == 1 else [places, stretch]
        way = before[-1].results[0]
        far = self._node("py.add", (start, way), INT, "t", loop=ints, safe=True)
        nearer = "py.min" if self._step().value > 0 else "py.max"
        end = self._node(nearer, (far.results[0], self.loop.operands[1]), INT, "end", loop=ints)
        return [*before, far, end]

    def _step(self) -> Literal:
        step = self.loop.operands[2]
        assert isinstance(step, Literal)
        return step

    def _asking(self, inner: Node, count: Value, room: Value) -> Iterator[Node]:
        """Whether the loop goes on after a strip."""
        if is_tested(self.loop):
            full = self._node("py.ge", (count, room), BOOL, "full", loop=("int", "int"))
        else:
            beyond = "py.lt" if self._step().value > 0 else "py.gt"
            ends = (inner.operands[1], self.loop.operands[1])
            full = self._node(beyond, ends, BOOL, "full", loop=("int", "int"))
        yield full
        if self.leaves:
            given = (inner.results[-1], Literal(False, BOOL), full.results[0])
            yield self._node("py.select", given, BOOL, "full", loop=("bool", "bool", "bool"))

    def _new(self, name: str, type_: Type) -> Value:
        value = Value(self._temporary() if name == "t" else self.names.fresh(name), type_)
        self.names.values[value.name] = value
        return value

    def _temporary(self) -> str:
        """The name of a value that is written where it is used."""
        self.made += 1
        while f"t{self.made}" in self.names.values:
            self.made += 1
        return f"t{self.made}"

    def _node(self, op: str, operands: tuple[Operand, ...], type_: Type, name: str, **attrs: object) -> Node:
        return Node(op, operands, (self._new(name, type_),), attrs, (), self.loop.loc)
