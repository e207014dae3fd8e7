"""Early exits as data: what returns, breaks and `else` of loops mean, without leaving a region in the middle.

`without_returns` makes nodes that can stand where the old ones stood: calls are put in line, a `return` in a
loop is a `break` with a flag, and the `else` of a loop is an `if` after it.

    call { if(c) { return a } { yield }        if(c) { yield a } { rest; yield b }
           rest; return b }              ->

`leaving_at_the_end` goes on to loops that the reverse pass goes through: every iteration comes to the end of
the body, where a flag tells whether it was the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..analysis.around import body_of, else_of
from ..analysis.effects import writes
from ..analysis.flow import endings_of
from ..ir.axes import Span
from ..ir.literals import literal
from ..ir.nodes import Block, Literal, Node, Operand, Value, walk
from ..ir.rewrite import with_regions
from ..ir.types import BOOL, OBJECT, Array, Scalar, Type
from ..ops.facts import (
    falls_through,
    is_branch,
    is_break,
    is_call,
    is_compiled_loop,
    is_counted,
    is_gradient_rule,
    is_iterated,
    is_loop,
    is_return,
    is_tested,
    is_yield,
)
from ..trace.build import Builder
from ..trace.template import dtype_text
from .checkpoints import in_growing_segments, in_segments
from .endings import endings, iteration_of, leaves_by, with_endings
from .errors import NoGradient

Outs = tuple[list[Node], tuple[Operand, ...]]
Side = tuple[list[Node], tuple[Operand, ...] | None]
"""The nodes of a region and what leaves it; None where it raises, or ends something further out."""


@dataclass(frozen=True, slots=True)
class ExitTarget:
    """Where exits go: the endings that go there, and what leaves with each (with nodes that make it)."""

    kinds: tuple[str, ...]
    results: tuple[Value, ...]
    outs: Callable[[Node], Outs]


class ExitRewriter:
    """Rewrites nodes of one graph."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.calls: list[tuple[Value, ...]] = []  # the results of the calls that are open

    # Forward: no calls, returns and else

    def without_returns(self, node: Node) -> list[Node]:
        """Nodes that do what `node` does; itself where nothing has to change."""
        if is_call(node):
            return self._call(node)
        if is_loop(node) and not is_iterated(node):
            return self._loop(node)
        if node.regions and not is_gradient_rule(node):
            return [with_regions(node, tuple(self._block(region) for region in node.regions))]
        return [node]

    def _block(self, block: Block) -> Block:
        nodes = [new for node in block.nodes for new in self.without_returns(node)]
        same = len(nodes) == len(block.nodes) and all(a is b for a, b in zip(nodes, block.nodes, strict=True))
        return block if same else Block(block.params, tuple(nodes))

    def _call(self, node: Node) -> list[Node]:
        self.calls.append(node.results)
        region = self._block(node.regions[0])
        self.calls.pop()
        target = ExitTarget(("return",), node.results, lambda ending: ([], ending.operands))
        nodes, outs = self.flat(list(region.nodes), target)
        if outs is None:
            return nodes
        return [*nodes, *(alias(result, out) for result, out in zip(node.results, outs, strict=True))]

    def _loop(self, node: Node) -> list[Node]:
        regions = tuple(self._block(region) for region in node.regions)
        node = with_regions(node, regions)
        if is_tested(node) and any(writes(inner) for inner in walk(node.regions[0])):
            node = self._tested_inside(node)
        after: list[Node] = []
        if else_of(node) is not None:
            node, after = self._without_else(node)
        # Outside of calls a `return` ends the function that is traced: nothing that follows it has run.
        before: list[Node] = []
        if self.calls and any(endings(body_of(node), "return")):
            before, node, check = self._without_return(node)
            after = [check, *after]
        return [*before, *self._split(node), *after]

    def _split(self, node: Node) -> list[Node]:
        """The loop in segments, if `checkpoint` was asked for."""
        if not node.attrs.get("checkpoint") or not _has_constant_step(node):
            return [node]
        if is_counted(node) and not _jumps(body_of(node)):
            return in_segments(self.builder, node)
        node = self._counting_itself(node) if is_counted(node) else self._tested_inside(node)
        return in_growing_segments(self.builder, with_regions(node, (node.regions[0], self._flat_body(node))))

    def _counting_itself(self, node: Node) -> Node:
        """``while True: if i >= stop: break; body; i += step``."""
        body, (start, stop, step) = body_of(node), node.operands[:3]
        assert isinstance(step, Literal)
        index, following = body.params[0], self.builder.like(body.params[0])
        goes_on = self.builder.value(BOOL)
        ints = {"loop": ("int", "int")}
        ask = Node("py.lt" if step.value > 0 else "py.gt", (index, stop), (goes_on,), ints, (), node.loc)
        count = {**ints, "text": "{0} + {1}", "safe": True}
        add = Node("py.add", (index, step), (following,), count, (), node.loc)
        new = with_endings(
            body,
            lambda e: Node(e.op, (following, *e.operands), attrs=e.attrs, loc=e.loc),
            ("yield", "break", "continue"),
        )
        leave = Block((), (Node("break", body.params, loc=node.loc),))
        check = Node("if", (goes_on,), (), {"names": ()}, (_nothing(node), leave), node.loc)
        inside = Block(body.params, (ask, check, add, *new.nodes))
        asked = Block(
            tuple(map(self.builder.like, body.params)), (Node("yield", (literal(True),), loc=node.loc),)
        )
        results = (self.builder.like(index), *node.results)
        return Node("while", (start, *node.operands[3:]), results, node.attrs, (asked, inside), node.loc)

    def _tested_inside(self, node: Node) -> Node:
        """``while True: if not test: break; body``: the test writes."""
        test, body = node.regions[:2]
        params = tuple(self.builder.like(param) for param in test.params)
        asked = Block(params, (Node("yield", (literal(True),), loc=node.loc),))
        known = tuple(alias(new, old) for new, old in zip(test.params, body.params, strict=True))
        leave = Block((), (Node("break", body.params, loc=node.loc),))
        empty = Block((), (Node("yield", loc=node.loc),))
        condition = test.ending.operands[0]
        check = Node("if", (condition,), (), {"names": ()}, (empty, leave), node.loc)
        inside = Block(body.params, (*known, *test.nodes[:-1], check, *body.nodes))
        return Node(
            node.op, node.operands, node.results, node.attrs, (asked, inside, *node.regions[2:]), node.loc
        )

    def _without_else(self, node: Node) -> tuple[Node, list[Node]]:
        """A flag that says that the loop was left by `break`, and an `if` on it afterwards."""
        orelse = else_of(node)
        assert orelse is not None
        finished, final = (
            self.builder.value(BOOL, "finished"),
            [self.builder.like(result) for result in node.results],
        )
        more = lambda kind: (literal(kind != "break"),)  # noqa: E731
        loop = self._extended(node, [literal(True)], [finished], more, tuple(final))
        known = [alias(param, value) for param, value in zip(orelse.params, final, strict=True)]
        otherwise = Block((), (*known, *orelse.nodes))
        skip = Block((), (Node("yield", tuple(final), loc=node.loc),))
        if not falls_through(orelse):
            check = Node("if", (finished,), (), {"names": ()}, (otherwise, _nothing(node)), node.loc)
            return loop, [check, *(alias(r, v) for r, v in zip(node.results, final, strict=True))]
        names = node.attrs.get("names", ())
        return loop, [Node("if", (finished,), node.results, {"names": names}, (otherwise, skip), node.loc)]

    def _without_return(self, node: Node) -> tuple[list[Node], Node, Node]:
        """A flag that says that a `return` was met, and what was returned, as state of the loop."""
        before: list[Node] = []
        initial: list[Operand] = [literal(False)]
        initial += [self.dummy(before, value.type) for value in self.calls[-1]]
        results = [
            self.builder.value(BOOL, "returned"),
            *(self.builder.like(value) for value in self.calls[-1]),
        ]
        loop = self._extended(node, initial, results, None, node.results)
        answer = Node("return", tuple(results[1:]), attrs={"text": ""}, loc=node.loc)
        check = Node("if", (results[0],), (), {"names": ()}, (Block((), (answer,)), _nothing(node)), node.loc)
        return before, loop, check

    def _extended(
        self,
        node: Node,
        initial: Sequence[Operand],
        results: Sequence[Value],
        more: Callable[[str], tuple[Operand, ...]] | None,
        own: tuple[Value, ...],
    ) -> Node:
        """`node` with more state; without `more` the state is set by `return`, which becomes `break`."""
        body = body_of(node)
        params = [self.builder.like(value) for value in results]
        state = body.params[len(body.params) - len(node.results) :]

        def leave(ending: Node) -> Node:
            if is_return(ending):
                return Node("break", (*state, literal(True), *ending.operands), loc=ending.loc)
            extra = more(ending.op) if more is not None else tuple(params)
            return Node(ending.op, (*ending.operands, *extra), attrs=ending.attrs, loc=ending.loc)

        kinds = (
            ("break", "continue", "yield") if more is not None else ("break", "continue", "yield", "return")
        )
        new = with_endings(Block((*body.params, *params), body.nodes), leave, kinds)
        regions = [new]
        if is_tested(node):
            test = node.regions[0]
            regions.insert(
                0, Block((*test.params, *(self.builder.like(value) for value in results)), test.nodes)
            )
        if more is None and (orelse := else_of(node)) is not None:
            regions.append(orelse)
        attrs = {**node.attrs, "orelse": False}
        return Node(node.op, (*node.operands, *initial), (*own, *results), attrs, tuple(regions), node.loc)

    # One way out of a straight line

    def flat(self, nodes: list[Node], target: ExitTarget) -> Side:
        """`nodes` (with their ending) without exits to `target`, and what leaves at the end."""
        done: list[Node] = []
        for place, node in enumerate(nodes):
            if place == len(nodes) - 1:
                if node.op not in (*target.kinds, "yield"):
                    return [*done, node], None
                more, outs = target.outs(node)
                return [*done, *more], outs
            if not leaves_by(node, target.kinds):
                done.append(node)
                continue
            if not is_branch(node):
                raise NoGradient(node, "it is left by a `return`, and there is no reverse pass through it")
            new, final = self._branched(node, nodes[place + 1 :], target)
            return [*done, *new], final
        raise AssertionError("a block without an ending")

    def _branched(self, node: Node, rest: list[Node], target: ExitTarget) -> Side:
        """What follows an `if` that may leave belongs to where it doesn't."""
        ends = [falls_through(region) for region in node.regions]
        partly = [any(leaves_by(n, target.kinds) for n in region.nodes[:-1]) for region in node.regions]
        goes_on = [k for k in (0, 1) if ends[k]]
        if len(goes_on) == 1 and not partly[goes_on[0]]:
            return self._nested(node, goes_on[0], rest, target)
        if not goes_on:
            return self._joined(node, [self.flat(list(r.nodes), target) for r in node.regions], target)
        return self._flagged(node, rest, target)

    def _nested(self, node: Node, live: int, rest: list[Node], target: ExitTarget) -> Side:
        region = node.regions[live]
        known = [alias(r, o) for r, o in zip(node.results, region.ending.operands, strict=True)]
        sides = [self.flat(list(r.nodes), target) for r in node.regions if r is not region]
        sides.insert(live, self.flat([*region.nodes[:-1], *known, *rest], target))
        return self._joined(node, sides, target)

    def _joined(self, node: Node, sides: Sequence[Side], target: ExitTarget) -> Side:
        if all(outs is None for _, outs in sides):
            return [_branch(node, sides, ())], None
        results = tuple(self.builder.like(value) for value in target.results)
        return _merged(node, sides, results), results

    def _flagged(self, node: Node, rest: list[Node], target: ExitTarget) -> Side:
        """Both branches may go on and one may leave: a flag tells, and what leaves is there or is a dummy."""
        left = self.builder.value(BOOL, "left")
        outs = tuple(self.builder.like(value) for value in target.results)

        def leave(ending: Node) -> Outs:
            if is_yield(ending):
                made: list[Node] = []
                return made, (literal(False), *(self.dummy(made, v.type) for v in outs), *ending.operands)
            more, found = target.outs(ending)
            more = list(more)
            return more, (literal(True), *found, *(self.dummy(more, v.type) for v in node.results))

        inner = ExitTarget(target.kinds, (left, *outs, *node.results), leave)
        sides = [self.flat(list(region.nodes), inner) for region in node.regions]
        flagged = _merged(node, sides, inner.results)
        after, final = self.flat(rest, target)
        question = Node("if", (left,), (), {"names": ()}, (), node.loc)
        joined, results = self._joined(question, [([], outs), (after, final)], target)
        return [*flagged, *joined], results

    # For the reverse pass: iterations that come to their end

    def leaving_at_the_end(self, node: Node) -> Node:
        """`node` with loops that are left after whole iterations only; itself where all are."""
        if not node.regions or is_gradient_rule(node):
            return node
        regions = tuple(
            Block(r.params, tuple(self.leaving_at_the_end(n) for n in r.nodes)) if _has_loops(r) else r
            for r in node.regions
        )
        inner = with_regions(node, regions)
        if not is_compiled_loop(inner) or not _jumps(body_of(inner)):
            return inner
        body = self._flat_body(inner)
        return with_regions(inner, tuple(body if r is body_of(inner) else r for r in inner.regions))

    def _flat_body(self, loop: Node) -> Block:
        """The body in one line, and `break` as the question at its end whether it was met."""
        body = body_of(loop)
        state = tuple(self.builder.like(result) for result in loop.results)
        if "break" not in {ending.op for ending in endings_of(body)}:
            nodes, outs = self.flat(
                list(body.nodes), ExitTarget(("continue",), state, lambda e: ([], e.operands))
            )
            return body if outs is None else Block(body.params, (*nodes, Node("yield", outs, loc=loop.loc)))
        left = self.builder.value(BOOL, "left")

        def outs_of(ending: Node) -> Outs:
            return [], (literal(is_break(ending)), *ending.operands)

        target = ExitTarget(("break", "continue"), (left, *state), outs_of)
        nodes, outs = self.flat(list(body.nodes), target)
        if outs is None:
            return body
        leave = Block((), (Node("break", outs[1:], loc=loop.loc),))
        check = Node("if", outs[:1], (), {"names": ()}, (leave, _nothing(loop)), loop.loc)
        return Block(body.params, (*nodes, check, Node("yield", outs[1:], loc=loop.loc)))

    # Values

    def dummy(self, nodes: list[Node], type_: Type) -> Operand:
        """Something of `type_` that nobody looks at."""
        if isinstance(type_, Scalar):
            zero: Any = type_.dtype.type(0)
            return Literal(zero.item() if type_.is_python else zero, type_)
        if not isinstance(type_, Array):
            return Literal(None, OBJECT)
        shape = (0,) * type_.ndim
        value = self.builder.value(Array(type_.dtype, shape, "C"), None)
        attrs = {"text": f"np.empty({shape!r}, dtype={dtype_text(type_.dtype)})"}
        nodes.append(Node("empty", (), (value,), attrs))
        return value


def alias(result: Value, operand: Operand) -> Node:
    """A node that only gives `operand` another name."""
    if isinstance(result.type, Array):
        axes = tuple(map(Span, range(result.type.ndim)))
        return Node(
            "view", (operand,), (result,), {"axes": axes, "check": (), "text": "{0}[...]", "alias": "flow"}
        )
    if not isinstance(result.type, Scalar):
        return Node("python", (operand,), (result,), {"text": "{0}", "harmless": True, "alias": "flow"})
    op, name = ("py.pos", result.type.kind) if result.type.is_python else ("positive", result.type.dtype.name)
    return Node(op, (operand,), (result,), {"loop": (name,), "text": "{0}", "alias": "flow"})


def _merged(node: Node, sides: Sequence[Side], results: tuple[Value, ...]) -> list[Node]:
    """The branches of `node` anew; what follows a branch that raises stands behind it, as in a trace."""
    live = [(nodes, outs) for nodes, outs in sides if outs is not None]
    if len(live) != 1:
        return [_branch(node, sides, results)]
    ((nodes, outs),) = live
    check = _branch(node, [side if side[1] is None else ([], ()) for side in sides], ())
    return [check, *nodes, *(alias(result, out) for result, out in zip(results, outs, strict=True))]


def _branch(node: Node, sides: Sequence[Side], results: tuple[Value, ...]) -> Node:
    regions = tuple(_side(nodes, outs, node) for nodes, outs in sides)
    return Node("if", node.operands, results, {**node.attrs, "names": ()}, regions, node.loc)


def _side(nodes: list[Node], outs: tuple[Operand, ...] | None, node: Node) -> Block:
    """A branch: it ends with what leaves it, or as it did."""
    return Block((), tuple(nodes) if outs is None else (*nodes, Node("yield", outs, loc=node.loc)))


def _nothing(node: Node) -> Block:
    return Block((), (Node("yield", loc=node.loc),))


def _has_constant_step(loop: Node) -> bool:
    return is_tested(loop) or (is_counted(loop) and isinstance(loop.operands[2], Literal))


def _jumps(body: Block) -> bool:
    """Whether iterations end before the end of the body."""
    jumps = ("break", "continue")
    return not falls_through(body) or any(leaves_by(node, jumps) for node in iteration_of(body))


def _has_loops(block: Block) -> bool:
    return any(is_loop(node) for node in walk(block))
