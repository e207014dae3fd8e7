"""Random graphs with scopes, effects, loops, branches and gradients.

A program is the text of a function that makes a graph when it is called with symbols; ``print(source(7))``
shows graph 7. Loops, branches and opaque calls are made by the functions of this module.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from jitscope.graph.gradients import gradients  # noqa: F401, what programs call
from jitscope.graph.ir import dims
from jitscope.graph.ir.nodes import Block, Graph, Node, Value
from jitscope.graph.ir.rewrite import map_nodes, with_attrs
from jitscope.graph.ir.types import INT, OBJECT, Array, numpy_scalar
from jitscope.graph.symbolic.arith import truth
from jitscope.graph.symbolic.arrays import SymbolicArray, symbol_for
from jitscope.graph.symbolic.numpy_meaning import NUMPY
from jitscope.graph.symbolic.symbols import Symbol, SymbolicScalar
from jitscope.graph.trace.build import Builder, building, current
from jitscope.graph.trace.marks import marks_of
from jitscope.graph.trace.scopes import jit_scope  # noqa: F401

FLOAT64 = np.dtype("float64")
PARAMS = ("x", "y", "s", "k", "tell", "touch")

ARRAYS = ("np.sin({a})", "{a} * {b} + 0.5", "np.exp(-({a} * {a}))", "{a} - {s}", "np.maximum({a}, {b})")
LEFT = ("np.cumsum({a})", "np.sort({a})", "np.roll({a}, 1)")
VIEWS = ("{a}[::-1]", "{a}[:]")
NUMBERS = ("{a}.sum()", "{a}.max()", "{a}[{k}]", "{s} * 0.5 + {t}", "np.cos({s})")
WRITES = ("{a}[{k}] = {s}", "increase({a}, {b})", "increase({a}, 0.5)", "{a}[...] = {b}", "{a}[::-1] = {b}")
OPAQUE = ("opaque(tell, {s})", "opaque(tell, {a})", "opaque(touch, {a})")
SCOPES = ("", "", "True", "False", "False", "sums", "some", "lambda node_def: 'mul' in node_def.op")


# What programs call


def sums(node_def: Any) -> bool:
    return node_def.op in ("sum", "add", "for", "multiply")


def some(node_def: Any) -> bool:
    return len(node_def.op + node_def.name) % 3 > 0


def opaque(function: Symbol, argument: Symbol) -> None:
    """Call something unknown, which may print and write to the array that it gets."""
    current().emit("python", (function.operand(), argument.operand()), (), {"text": "{0}({1})"})


def increase(array: Any, by: Any) -> None:
    """Add in place."""
    array += by


def leave_if(condition: Any, *values: Symbol) -> None:
    """Return early."""
    tag = truth(condition).operand()
    builder = current()
    with builder.region() as leaving:
        builder.emit("return", [v.operand() for v in values], (), {"text": "({0}, {1})"})
    current().emit("if", (tag,), (), {"names": ()}, (Block((), tuple(leaving)), Block((), (Node("yield"),))))


def _own(value: Symbol) -> Any:
    """A value that may be state: all arrays of state are contiguous."""
    return value.copy() if isinstance(value, SymbolicArray) and value.type.layout != "C" else value


def _traced(body: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Node, ...]:
    builder = current()
    with builder.region() as nodes:
        builder.emit("yield", [_own(value).operand() for value in body(*arguments)])
    return tuple(nodes)


def branch(
    condition: Any, then: Callable[..., Any], other: Callable[..., Any], *state: Any
) -> tuple[Any, ...]:
    """``if condition: state = then(state) else: state = other(state)``."""
    tag, builder = truth(condition).operand(), current()
    regions = tuple(Block((), _traced(body, state)) for body in (then, other))
    types = [_own(value).type for value in state]
    results = tuple(builder.value(type_, "merged") for type_ in types)
    builder.append(Node("if", (tag,), results, {"names": ()}, regions))
    return tuple(map(symbol_for, results))


def loop(count: Symbol, body: Callable[..., Any], *state: Any) -> tuple[Any, ...]:
    """``for i in range(count): state = body(*state)``."""
    builder = current()
    state = tuple(map(_own, state))
    index = builder.value(INT, "i")
    params = [builder.value(value.type, "state") for value in state]
    region = Block((index, *params), _traced(body, tuple(map(symbol_for, params))))
    results = tuple(builder.value(value.type, "after") for value in state)
    bounds = (SymbolicScalar(None, INT, 0), count, SymbolicScalar(None, INT, 1))
    operands = tuple(value.operand() for value in (*bounds, *state))
    builder.append(Node("for", operands, results, {"names": ("i",), "orelse": False}, (region,)))
    return tuple(map(symbol_for, results))


# Writing programs


@dataclass
class Program:
    """The text of a function that is being written; names that are visible where it is written."""

    rng: random.Random
    arrays: list[str] = field(default_factory=lambda: ["x", "y"])
    numbers: list[str] = field(default_factory=lambda: ["s"])
    lines: list[str] = field(default_factory=list)
    count: int = 0

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def fresh(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def fill(self, form: str, first: str = "") -> str:
        """A form with variables in its places."""
        a, b = self.rng.choices(self.arrays, k=2)
        s, t = self.rng.choices(self.numbers, k=2)
        return form.format(a=first or a, b=b, s=s, t=t, k=self.rng.choice(("0", "2", "-1", "k - 1", "k + 1")))

    def block(self, depth: int, size: int) -> None:
        """Some statements; at least one."""
        for _ in range(self.rng.randint(1, size)):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        kinds = (
            ["array"] * 6 + ["number"] * 3 + ["left", "view", "write", "write", "opaque", "scope", "scope"]
        )
        if depth < 4:
            kinds += ["scope", "loop", "branch"]
        if depth == 1:
            kinds += ["gradient", "gradient", "exit"]
        getattr(self, self.rng.choice(kinds))(depth)

    def assign(self, depth: int, known: list[str], text: str) -> None:
        name = self.fresh("v" if known is self.arrays else "n")
        self.line(depth, f"{name} = {text}")
        known.append(name)

    def array(self, depth: int) -> None:
        self.assign(depth, self.arrays, self.fill(self.rng.choice(ARRAYS)))

    def left(self, depth: int) -> None:
        self.assign(depth, self.arrays, self.fill(self.rng.choice(LEFT)))

    def view(self, depth: int) -> None:
        self.assign(depth, self.arrays, self.fill(self.rng.choice(VIEWS)))

    def number(self, depth: int) -> None:
        self.assign(depth, self.numbers, self.fill(self.rng.choice(NUMBERS)))

    def write(self, depth: int) -> None:
        self.line(depth, self.fill(self.rng.choice(WRITES)))

    def opaque(self, depth: int) -> None:
        self.line(depth, self.fill(self.rng.choice(OPAQUE)))

    def exit(self, depth: int) -> None:
        self.line(depth, self.fill("leave_if({s} > 20.0, {a}, {s})"))

    def scope(self, depth: int) -> None:
        arguments = ", ".join(part for part in (self.rng.choice(SCOPES), self.apart()) if part)
        self.line(depth, f"with jit_scope({arguments}):")
        self.block(depth + 1, 4)

    def body(self, depth: int, state: list[str]) -> str:
        """A function of the state, which sees all around it."""
        name, outside = self.fresh("body"), (list(self.arrays), list(self.numbers))
        self.line(depth, f"def {name}({', '.join(state)}):")
        self.block(depth + 1, 3)
        array, number = self.rng.choice(self.arrays), self.rng.choice(self.numbers)
        self.line(depth + 1, f"return {array}, {number}")
        self.arrays, self.numbers = outside
        return name

    def loop(self, depth: int) -> None:
        state = [self.rng.choice(self.arrays), self.rng.choice(self.numbers)]
        self.merged(depth, f"loop(k, {self.body(depth, state)}, {', '.join(state)})")

    def branch(self, depth: int) -> None:
        state = [self.rng.choice(self.arrays), self.rng.choice(self.numbers)]
        bodies = f"{self.body(depth, state)}, {self.body(depth, state)}"
        self.merged(depth, self.fill("branch({s} > 0.3, ") + f"{bodies}, {', '.join(state)})")

    def merged(self, depth: int, text: str) -> None:
        array, number = self.fresh("v"), self.fresh("n")
        self.line(depth, f"{array}, {number} = {text}")
        self.arrays.append(array)
        self.numbers.append(number)

    def gradient(self, depth: int) -> None:
        """An operation that is compiled, perhaps, and its gradients."""
        x, y = self.rng.choice(self.arrays), self.rng.choice([*self.arrays[2:], *self.numbers[1:], "x"])
        if self.rng.random() < 0.7:
            y, made = self.fresh("v"), self.fill(self.rng.choice(ARRAYS[:3]), x)
            self.line(depth, f"with jit_scope({self.rng.choice(('True', 'True', 'some'))}, {self.apart()}):")
            self.line(depth + 1, f"{y} = {made}")
            self.arrays.append(y)
        for name in self.rng.choices(("g", "h", "outer/g"), k=self.rng.randint(1, 2)):
            text = f'gradients([{y}], [{x}], name="{name}", unconnected_gradients="zero")'
            self.line(depth, f"({self.fresh('v')},) = {text}")
            self.arrays.append(f"v{self.count}")

    def apart(self) -> str:
        return f"separate_compiled_gradients={self.rng.random() < 0.6}"


def source(seed: int, size: int = 8) -> str:
    """The text of graph number `seed`."""
    program = Program(random.Random(seed))
    program.block(1, size)
    program.statement(1)
    array, number = program.rng.choice(program.arrays), program.rng.choice(program.numbers)
    program.line(1, f"return {array}, {program.arrays[-1]}, {number}")
    return "\n".join([f"def program({', '.join(PARAMS)}):", *program.lines]) + "\n"


def build(text: str) -> Graph:
    """The graph that a program makes; every node has a name."""
    names = dict(globals())
    exec(text, names)
    builder = Builder(node_hook=marks_of, rules=NUMPY)
    shape = (dims.symbol("n"),)
    types = (Array(FLOAT64, shape), Array(FLOAT64, shape), numpy_scalar(FLOAT64), INT, OBJECT, OBJECT)
    params = tuple(Value(builder.fresh(name), type_) for name, type_ in zip(PARAMS, types, strict=True))
    builder.params |= {*PARAMS}
    builder.sizes["n"], builder.hints["n"], builder.hints["k"] = (params[0], 0), 5, 3
    with building(builder):
        results = names["program"](*map(symbol_for, params))
        builder.emit("return", [value.operand() for value in results], (), {"text": "({0}, {1}, {2})"})
    numbers = count()
    body = map_nodes(
        Block((), tuple(builder.blocks[0])), lambda node: with_attrs(node, name=f"node{next(numbers)}")
    )
    return Graph("program", params, body, builder.sizes, tuple(builder.guards))
