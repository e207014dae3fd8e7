"""Loops under `js.checkpoint`: in segments, so that the reverse pass keeps few of their states.

    for i in range(n):      ->      s = int(sqrt(n)) + 1
        body                        for k in range((n + s - 1) // s):
                                        for i in range(k * s, min(k * s + s, n)):
                                            body

A loop that doesn't know how often it will run begins with segments of one iteration, of two, of three:

    while test:             ->      k = 0
        body                        while not left:
                                        k += 1
                                        for _ in range(k):
                                            left = not test
                                            if left: break
                                            body

The reverse pass through the outer loop keeps what its iterations begin with, and runs one segment at a time
again, which keeps what its own iterations need: about two square roots of n states instead of n.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from ..analysis.around import body_of
from ..ir.nodes import Block, Literal, Node, Operand
from ..ir.types import BOOL, FLOAT, INT
from ..symbolic.scalar_methods import convert
from ..symbolic.symbols import SymbolicScalar
from ..trace.build import Builder
from .endings import exit_of, iteration_of

Number = SymbolicScalar | int

_KNOWN: dict[str, tuple[Callable[[int, int], int], str]] = {
    "add": (operator.add, "{0} + {1}"),
    "sub": (operator.sub, "{0} - {1}"),
    "mul": (operator.mul, "{0} * {1}"),
    "floordiv": (operator.floordiv, "{0} // {1}"),
    "max": (max, "max({0}, {1})"),
    "min": (min, "min({0}, {1})"),
}


def in_segments(builder: Builder, loop: Node) -> list[Node]:
    """Nodes that do what the `for` does, in segments."""
    start, stop, step = (_number(operand) for operand in loop.operands[:3])
    assert isinstance(step, int)
    forward, stride = step > 0, abs(step)
    compute = _Computer(builder)
    segment = builder.value(INT, "segment")
    state = [builder.like(param) for param in body_of(loop).params[1:]]
    with builder.region() as before:
        span = compute("sub", *((stop, start) if forward else (start, stop)))
        iterations = compute("max", compute("floordiv", compute("add", span, stride - 1), stride), 0)
        length = compute.root(iterations)
        count = compute("floordiv", compute("sub", compute("add", iterations, length), 1), length)
    with builder.region() as inside:
        width = compute("mul", length, step)
        low = compute("add", start, compute("mul", SymbolicScalar(segment, INT), width))
        high = compute("min" if forward else "max", compute("add", low, width), stop)
    attrs = {**loop.attrs, "checkpoint": False}
    results = tuple(builder.like(result) for result in loop.results)
    bounds = (_operand(low), _operand(high), loop.operands[2])
    inner = Node("for", (*bounds, *state), results, attrs, loop.regions, loop.loc)
    outer = Block((segment, *state), (*inside, inner, Node("yield", results, loc=loop.loc)))
    operands = (Literal(0, INT), _operand(count), Literal(1, INT), *loop.operands[3:])
    return [*before, Node("for", operands, loop.results, attrs, (outer,), loop.loc)]


def in_growing_segments(builder: Builder, loop: Node) -> list[Node]:
    """Nodes that do what the ``while True:`` does, which is left at the end of an iteration, in segments."""
    body = body_of(loop)
    check, ending = exit_of(body), body.ending
    if check is None:
        return [loop]  # each iteration ends the function, or the loop has no end
    state = [builder.like(param) for param in body.params]
    left = [builder.value(BOOL, "left") for _ in range(4)]
    ended, going_on = (check.operands[0], *ending.operands), Node("yield", loc=loop.loc)
    leave = Block((), (Node("break", ended, loc=loop.loc),))
    ask = Node("if", check.operands, (), {"names": ()}, (leave, Block((), (going_on,))), loop.loc)
    again = (*iteration_of(body), ask, Node("yield", ended, loc=loop.loc))
    index, segment, length = (builder.value(INT, name) for name in ("iteration", "segment", "length"))
    attrs = {**loop.attrs, "checkpoint": False, "orelse": False}
    results = (left[0], *(builder.like(result) for result in loop.results))
    inner = Node(
        "for",
        (Literal(0, INT), length, Literal(1, INT), left[1], *state),
        results,
        attrs,
        (Block((index, builder.value(BOOL, "left"), *body.params), again),),
        loop.loc,
    )
    count = {"loop": ("int", "int"), "text": "{0} + {1}", "safe": True}
    longer = Node("py.add", (segment, Literal(1, INT)), (length,), count, (), loop.loc)
    handed = Node("yield", (results[0], length, *results[1:]), loc=loop.loc)
    outer = Block((left[1], segment, *state), (longer, inner, handed))
    more = builder.value(BOOL)
    question = Node("py.not", (left[2],), (more,), {"loop": ("bool",), "text": "not {0}"}, (), loop.loc)
    test = Block(
        (left[2], builder.value(INT, "segment"), *(builder.like(param) for param in body.params)),
        (question, Node("yield", (more,), loc=loop.loc)),
    )
    operands = (Literal(False, BOOL), Literal(0, INT), *loop.operands)
    final = (left[3], builder.value(INT, "segment"), *loop.results)
    return [Node("while", operands, final, attrs, (test, outer), loop.loc)]


def _number(operand: Operand) -> Number:
    return int(operand.value) if isinstance(operand, Literal) else SymbolicScalar(operand, INT)


def _operand(number: Number) -> Operand:
    return Literal(number, INT) if isinstance(number, int) else number.operand()


class _Computer:
    """Arithmetic on ints that stay small: in the open block, or now where they are known."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def __call__(self, name: str, left: Number, right: Number) -> Number:
        function, text = _KNOWN[name]
        if isinstance(left, int) and isinstance(right, int):
            return function(left, right)
        attrs = {"loop": ("int", "int"), "text": text, "safe": True}
        value = self.builder.one(f"py.{name}", (_operand(left), _operand(right)), INT, **attrs)
        return SymbolicScalar(value, INT)

    def root(self, iterations: Number) -> Number:
        """The length of a segment: about the square root, at least 1."""
        if isinstance(iterations, int):
            return int(iterations**0.5) + 1
        attrs = {"loop": ("float",), "text": "math.sqrt({0})", "safe": True}
        value = self.builder.one("math.sqrt", (convert(iterations, FLOAT).operand(),), FLOAT, **attrs)
        whole: Number = convert(SymbolicScalar(value, FLOAT), INT)
        return self("add", whole, 1)
