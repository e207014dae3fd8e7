"""The recorder: makes the operations of one call on symbols of an explicit graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.nodes import Literal, Node, Operand, Value
from ..ir.types import OBJECT, Array, Type
from ..ops.facts import is_ending
from ..symbolic.examples import LIMIT, example
from ..symbolic.records import SymbolicRecord
from ..symbolic.symbols import Symbol, SymbolicObject
from ..trace.attempt import Attempt
from ..trace.build import TraceError, building
from ..trace.called import op_name
from ..trace.devices import DEVICE, device_attributes
from ..trace.naming import check_name, unique_name
from ..trace.running import place_of
from ..trace.scopes import scope_attributes
from ..trace.template import NoText
from .operation import Operation
from .outside import parameter, symbol_of
from .places import users_frame
from .steps import GRADIENTS, InputStep, Mark, Step, mapped, parts, rebuilt
from .symbol import Dimension, GraphSymbol, Recordable
from .values import as_constant

if TYPE_CHECKING:
    from .graph import Graph

OWN_KINDS = frozenset("Identity PlaceholderWithDefault Assign AssignAdd AssignSub".split())
"""What NumPy has no operation for: results get one of this kind, whatever has computed them."""

_FITTING = frozenset("matmul dot concatenate stack vstack hstack reshape".split())


class Recorder:
    """The making of one step: names and marks for the nodes that it makes, symbols for their results."""

    def __init__(self, graph: Graph, kind: str, name: str | None) -> None:
        self.graph = graph
        self.kind = kind
        self.asked = name or None
        if name:
            check_name(name, "an operation")
        self.failed = False
        self.marks: list[Mark] = []
        self.made: list[tuple[Value, ...]] = []
        self.guesses: set[Value] = set()

    # Arguments.

    def lifted(self, value: Any) -> Any:
        """An argument as it is kept: arrays as constants of the graph."""
        if isinstance(value, Recordable):
            if value.graph is not self.graph:
                raise ValueError(f"{value!r} is of another graph than the rest of {self.kind!r}")
            return value
        if isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
            kept = as_constant(value)
            return source(self.graph, "Const", InputStep(kept.dtype, kept.shape, kept), None)
        return value

    def inner(self, value: Any) -> Any:
        """What stands for an argument on the builder."""
        if isinstance(value, Dimension):
            return self.inner(value.symbol).shape[value.axis]
        return value.inner if isinstance(value, Recordable) else value

    # Running.

    def run(self, step: Step, unknown: Callable[[Any], Any] | None) -> Any:
        """Make the operations of `step`; its result with symbols of the graph."""
        builder = self.graph.builder
        inputs = list(step.inputs())
        vague = any(getattr(leaf, "rank_unknown", False) for leaf in inputs)
        trial, block = Attempt(builder), builder.blocks[0]
        before = len(block)
        builder.node_hook, builder.locate = self.hook, lambda: step.loc
        builder.suggest = lambda: step.target
        try:
            result = self._called(step, inputs, vague, unknown)
            step.count = len(result) if isinstance(result, (tuple, list, SymbolicRecord)) else None
            self._check_fit(step, inputs, block[before:])
            self.graph.steps.append(step)
            step.marks = self.marks
            return self._wrapped(step, result, block[before:], vague)
        except BaseException as error:
            trial.take_back()
            self._forget(step)
            if isinstance(error, NoText):
                raise TypeError(
                    f"{step.kind} can't stand in a graph: {error}. An operation takes symbols, arrays,"
                    " numbers and NumPy's own functions"
                ) from error
            if isinstance(error, TraceError):
                raise ValueError(str(error)) from error
            raise
        finally:
            builder.forget_guesses()
            builder.node_hook = None

    def _forget(self, step: Step) -> None:
        """Nothing is left of a step that has failed."""
        graph = self.graph
        if step in graph.steps:
            graph.steps.remove(step)
        for name in [name for name, operation in graph.operations.items() if operation.step is step]:
            del graph.operations[name]

    def _called(self, step: Step, inputs: list[Any], vague: bool, unknown: Any) -> Any:
        objects = any(isinstance(getattr(leaf, "inner", None), SymbolicObject) for leaf in inputs)
        if vague and objects:
            return self._guessed(inputs, unknown)
        if not vague:
            return self._on_builder(step)
        with Attempt(self.graph.builder) as trial:
            try:
                result = self._on_builder(step)
            except Exception:
                if self.failed:  # a callable of the user's, which must be heard
                    raise
                trial.give_up()
            if result is None or any(isinstance(leaf, SymbolicObject) for _, leaf in parts(result)):
                trial.give_up()
            return result
        self.marks.clear()
        self.made.clear()
        return self._guessed(inputs, unknown)

    def _on_builder(self, step: Step) -> Any:
        return step.call(*mapped(step.args, self.inner), **mapped(dict(step.kwargs), self.inner))

    def _guessed(self, inputs: list[Any], unknown: Callable[[Any], Any] | None) -> Any:
        """One node for an operation of which nothing is known but its name."""
        operands = tuple(leaf.inner.operand() for leaf in inputs)

        def make() -> SymbolicObject:
            builder = self.graph.builder
            result = builder.value(OBJECT, builder.suggest())
            attrs = self.hook(Node(self.kind, operands, (result,)))
            # For passes it is a call that nobody knows; users see it by the name of what they called.
            shown = {"text": f"{self.kind}(...)", "harmless": True, **attrs}
            builder.blocks[-1].append(Node("python", operands, (result,), shown, (), builder.locate()))
            self.guesses.add(result)
            return SymbolicObject(result)

        return make() if unknown is None else unknown(make)

    def _check_fit(self, step: Step, inputs: list[Any], nodes: list[Node]) -> None:
        """Raise NumPy's error for shapes that are known and can't fit."""
        if not any(node.op in ("python", "numpy") for node in nodes) or not _fits_by_shape(step):
            return
        types = [leaf.inner.type for leaf in inputs]
        if not all(_is_small(type_) for type_ in types):
            return
        with building(self.graph.builder):
            args, kwargs = mapped(step.args, self._example), mapped(dict(step.kwargs), self._example)
        with np.errstate(all="ignore"):
            step.call(*args, **kwargs)

    def _example(self, value: Any) -> Any:
        return example(self.inner(value)) if isinstance(value, Recordable) else value

    def hook(self, node: Node) -> dict[str, Any]:
        """The attributes of a new node: its name, its marks and its device."""
        if is_ending(node):
            return {}
        found: dict[str, Any] = {}
        if "name" not in node.attrs:
            found["name"] = unique_name(self._name_for(node))
        found |= self._marked(node, found.get("name", ""))
        self.marks.append(Mark(node.op, found))
        self.made.append(node.results)
        return found

    def _maker_of(self, value: Value) -> str:
        """The name of the operation that has made a value."""
        if value in self.graph.symbols:
            return self.graph.symbols[value].op.name
        for mark, results in zip(self.marks, self.made, strict=False):
            if value in results:
                return str(mark.attrs.get("name", value.name))
        return value.name

    def _name_for(self, node: Node) -> str:
        """What a node is called: as the user asks, if it is what the step is about."""
        kind = self._kind_of(node)
        if self.asked is None or kind != self.kind:
            return kind
        name, self.asked = self.asked, None
        return name

    def _kind_of(self, node: Node) -> str:
        """The type of a node's operation: NumPy's name, or the step's where NumPy has nothing like it."""
        is_own = node.attrs.get("alias") and self.kind in OWN_KINDS
        if is_own or self.guesses.intersection(node.results):
            return self.kind
        name = op_name(node)
        return self.kind if name in ("numpy", "python") and self.kind != GRADIENTS else name

    def _marked(self, node: Node, name: str) -> dict[str, Any]:
        """The attributes that the open scopes and devices give to a node."""
        self.failed = True
        placed = {} if is_ending(node) else device_attributes()
        inputs = tuple(self._maker_of(o) for o in node.operands if isinstance(o, Value))
        shown = replace(node, op=self._kind_of(node))
        found = {**placed, **scope_attributes(shown, name, placed.get(DEVICE, ""), inputs)}
        self.failed = False
        return found

    # Results.

    def _wrapped(self, step: Step, result: Any, nodes: list[Node], vague: bool) -> Any:
        symbols: dict[Value, GraphSymbol] = {}
        places = {v: (k, n) for k, values in enumerate(self.made) for n, v in enumerate(values)}
        for node in nodes:
            if is_ending(node):
                continue
            kind = self._kind_of(node)
            operation = self.operation(step, kind, self._inputs(node.operands), node)
            outputs = tuple(
                GraphSymbol(operation, n, symbol_of(v), step, None, places[v], vague)
                for n, v in enumerate(node.results)
            )
            operation.outputs = outputs
            symbols.update(zip(node.results, outputs, strict=True))
            self.graph.symbols.update(symbols)

        def wrap(path: tuple[Any, ...], leaf: Any) -> Any:
            if not isinstance(leaf, Symbol):
                if vague and isinstance(leaf, (int, float)):
                    raise ValueError(
                        f"the result of {step.kind} depends on the number of axes, which isn't known"
                        " while the graph is built: give the placeholder a shape"
                    )
                return leaf
            known = symbols.get(_value_of(leaf))  # type: ignore[arg-type]
            named = self.asked is not None or step.kind in OWN_KINDS
            if known is not None and known.op.type == step.kind:
                named = False
            if known is None or known.path is not None or named:
                known = self._identity(step, leaf, vague)
            known.path = path
            known.inner = leaf
            return known

        return rebuilt(result, wrap)

    def _identity(self, step: Step, leaf: Any, vague: bool) -> GraphSymbol:
        """A symbol for a result that no node has made: an argument, a size, or one with a name of its own."""
        value = _value_of(leaf)
        kind = step.kind if step.kind in OWN_KINDS else "Size" if value is None else "Identity"
        operation = self.operation(step, kind, () if value is None else self._inputs((value,)))
        symbol = GraphSymbol(operation, 0, leaf, step, None, None, vague)
        operation.outputs = (symbol,)
        return symbol

    def _inputs(self, operands: tuple[Operand, ...]) -> tuple[GraphSymbol, ...]:
        found = (self.graph.symbols.get(o) for o in operands if not isinstance(o, Literal))
        return tuple(symbol for symbol in found if symbol is not None)

    def operation(
        self, step: Step, kind: str, inputs: tuple[GraphSymbol, ...], node: Node | None = None
    ) -> Operation:
        """The operation of a node, or one that stands for no node."""
        if node is None:
            asked, self.asked = self.asked, None
            name = unique_name(asked or kind)
            attrs = self._marked(Node(kind, tuple(s.inner.operand() for s in inputs)), name)
        else:
            name, attrs = node.attrs.get("name", kind), dict(node.attrs)
            if name in self.graph.operations:  # nodes that use the attribute for something else
                name = unique_name(node.op)
        found = Operation(self.graph, name, kind, attrs, step, inputs)
        self.graph.operations[name] = found
        return found


def source(graph: Graph, kind: str, given: InputStep, name: str | None) -> GraphSymbol:
    """A placeholder or a constant, as a step and a symbol."""
    recorder = Recorder(graph, kind, name)
    step = Step(len(graph.steps), kind, _no_call, source=given, loc=place_of(users_frame()))
    graph.steps.append(step)
    operation = recorder.operation(step, kind, ())
    inner = parameter(graph, operation.name, given)
    symbol = GraphSymbol(operation, 0, inner, step, (), rank_unknown=given.shape is None)
    operation.outputs = (symbol,)
    graph.symbols[inner.operand()] = symbol
    return symbol


def _no_call(*_: Any) -> Any:
    raise AssertionError("a placeholder computes nothing")


def _value_of(leaf: Symbol) -> Value | None:
    """The value of a symbol of the trace, without making a node for a size."""
    value = getattr(leaf, "_value", None)
    return value if isinstance(value, Value) else None


def _fits_by_shape(step: Step) -> bool:
    return (
        isinstance(step.call, np.ufunc)
        or step.kind in _FITTING
        or hasattr(np, step.kind)
        and isinstance(getattr(np, step.kind), np.ufunc)
    )


def _is_small(type_: Type) -> bool:
    if not isinstance(type_, Array):
        return type_ != OBJECT
    known = [size for size in type_.shape if isinstance(size, int)]
    return len(known) == len(type_.shape) and int(np.prod(known)) <= LIMIT
