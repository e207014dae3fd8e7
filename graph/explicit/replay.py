"""Replay: the steps that a run needs, made again for the arrays that it is fed.

While the graph was built ranks and sizes were guessed where they weren't declared. Here every value that
comes from outside has its real type, so the nodes are those that a trace of the same program would make.
Names and marks are the recorded ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.dims import Size
from ..ir.literals import literal
from ..ir.nodes import Block, Graph, Guard, Node, Operand, Value, walk
from ..ir.rewrite import Substitution, symbols_in
from ..ir.types import Array, numpy_scalar
from ..ops.facts import is_ending
from ..symbolic.arrays import SymbolicArray
from ..symbolic.numpy_elementwise import copy
from ..symbolic.numpy_meaning import NUMPY
from ..symbolic.symbols import Symbol, SymbolicScalar
from ..trace.build import Builder, Relations, building
from ..trace.naming import unique_name
from .guessing import EXAMPLE
from .needed import needed_only
from .outside import GUESSED_RANK, plain_name, symbol_of
from .selection import Fetched
from .steps import GRADIENTS, Mark, Past, Step, mapped, picked
from .symbol import Dimension, GraphSymbol
from .variable import Variable


@dataclass(frozen=True, slots=True)
class FedValue:
    """A value from outside: its dtype, the sizes it has now, its layout, and sizes that it always has."""

    dtype: np.dtype
    shape: tuple[int, ...]
    declared: tuple[int | None, ...] | None
    layout: str = "C"
    writeable: bool = True


Subject = GraphSymbol | Variable
"""What a parameter stands for: a symbol that is fed or constant, or a variable's value before the run."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """The graph of one run.

    `subjects` say what its parameters are; it returns the values of the fetched symbols and variables, then
    the new ones of `updates`. `missing` are placeholders that would have to be fed.
    """

    graph: Graph
    subjects: tuple[Subject, ...]
    updates: tuple[Variable, ...]
    missing: tuple[GraphSymbol, ...] = ()


def replay(
    steps: Sequence[Step], fetches: Sequence[Fetched], fed: Mapping[GraphSymbol, FedValue], name: str = "plan"
) -> Replayed:
    """The graph that computes `fetches` by `steps`.

    Args:
        steps: in the order of the program.
        fetches: symbols, sizes and variables whose values are returned.
        fed: what is known of each value that is fed.
        name: of the graph.

    Raises:
        TraceError: a step doesn't work for such values, as NumPy will say when it runs them.
    """
    known = Relations()
    while True:
        builder = known.begin(rules=NUMPY)
        with building(builder):
            attempt = _Replay(builder, fed)
            try:
                attempt.run(steps, fetches)
            except Exception:
                if builder.equal == known.equal:
                    raise  # else two names for one size may be to blame, and the next attempt has only one
        if not known.learn(builder):
            return attempt.collected(name)


@dataclass
class _Replay:
    builder: Builder
    fed: Mapping[GraphSymbol, FedValue]
    values: dict[GraphSymbol, Any] = field(default_factory=dict)
    current: dict[Variable, Any] = field(default_factory=dict)
    past: dict[Variable, list[Any]] = field(default_factory=dict)
    updates: dict[Variable, Any] = field(default_factory=dict)
    params: dict[Value, Subject] = field(default_factory=dict)
    constants: dict[Value, Any] = field(default_factory=dict)
    missing: list[GraphSymbol] = field(default_factory=list)
    replaced: dict[Value, Operand] = field(default_factory=dict)

    def run(self, steps: Sequence[Step], fetches: Sequence[Fetched]) -> None:
        """Make the nodes of `steps` and the return of `fetches`."""
        differentiated = any(step.kind == GRADIENTS for step in steps)
        for step in steps:
            if step.source is None:
                self._step(step, differentiated)
        results = [self.value_of(fetch) for fetch in fetches] + list(self.updates.values())
        operands = tuple(_operand(result) for result in results)
        text = ", ".join(f"{{{k}}}" for k in range(len(operands))) or "None"
        self.builder.emit("return", operands, (), {"text": f"({text})" if len(operands) > 1 else text})

    def _step(self, step: Step, differentiated: bool) -> None:
        marks = _RecordedMarks(step)
        self.builder.node_hook, self.builder.locate = marks, lambda: step.loc
        self.builder.suggest = lambda: step.target
        look = self._history if step.kind == GRADIENTS else self.value_of
        result = step.call(*mapped(step.args, look), **mapped(dict(step.kwargs), look))
        step.check_count(result)
        for symbol in step.outputs:
            found = picked(result, symbol.path) if symbol.path is not None else marks.result(symbol)
            if symbol in self.fed:
                self.values[symbol] = self._fed_instead(found, symbol, marks.made())
            else:
                self.values[symbol] = found
        self.builder.node_hook = None
        if step.assigns is not None:
            self.updates[step.assigns] = result
            self._set(step.assigns, self._stand_in(None, result) if differentiated else result)

    def _set(self, variable: Variable, value: Any) -> None:
        self.current[variable] = value
        self.past.setdefault(variable, []).append(value)

    def _history(self, leaf: Any) -> Any:
        """For gradients a variable is every value that it had: what was computed may have read any."""
        if not isinstance(leaf, Variable):
            return self.value_of(leaf)
        now = self.value_of(leaf)
        past = self.past[leaf]
        return now if len(past) == 1 else Past(tuple(past))

    def _fed_instead(self, computed: Any, symbol: GraphSymbol, made: set[Value]) -> Any:
        """The fed value of a symbol whose step is run all the same, for its other results or for gradients.

        What has read the computed value inside of the step, or reads it in the reverse pass, gets the fed
        one.
        """
        given = self._from_outside(symbol)
        if isinstance(computed, SymbolicArray) and isinstance(given, SymbolicArray):
            for ours, theirs in zip(given.shape_sizes, computed.shape_sizes, strict=False):
                self._unite(ours, theirs)
            if computed.type.layout == "C" != given.type.layout:
                given = copy(given, "C")
        value = computed.operand() if isinstance(computed, Symbol) else None
        if isinstance(value, Value) and value in made:
            self.replaced[value] = given.operand()
        return self._stand_in(computed, given)

    def _unite(self, fed: Size, computed: Size) -> None:
        """Two sizes of one axis: that of what isn't fed, and only guessed, follows that of what is."""
        fed, computed = self.builder.settle(fed), self.builder.settle(computed)
        names = dims.symbols(computed)
        guessed = {v.name for v, s in self.params.items() if any(s is missing for missing in self.missing)}
        if fed != computed and len(names) == 1:
            (name,) = names
            if computed == dims.symbol(name) and self.builder.sizes[name][0].name in guessed:
                known = self.builder.equal
                self.builder.equal = {k: dims.substitute(v, {name: fed}) for k, v in known.items()}
                self.builder.equal[name] = fed
                return
        self.builder.same_size(fed, computed)

    def _stand_in(self, computed: Any, given: Any) -> Any:
        """A symbol with the value of `given`, through which gradients go on to `computed`."""
        if not isinstance(given, Symbol):
            return given
        operands = (_operand(computed), given.operand())
        return symbol_of(self.builder.one("stand_in", operands, given.type))

    def value_of(self, leaf: Any) -> Any:
        """What stands for an argument of a step."""
        if isinstance(leaf, Dimension):
            return self.value_of(leaf.symbol).shape[leaf.axis]
        if isinstance(leaf, Variable):
            if leaf not in self.current:
                self._set(leaf, self._before(leaf))
            return self.current[leaf]
        if not isinstance(leaf, GraphSymbol):
            return leaf
        if leaf.step.variable is not None:
            return self.value_of(leaf.step.variable)
        if leaf not in self.values:
            self.values[leaf] = self._from_outside(leaf)
        return self.values[leaf]

    def _before(self, variable: Variable) -> Any:
        """The value that a variable has before the run."""
        symbol = variable.op.outputs[0]
        if symbol in self.fed:
            return self._from_outside(symbol)
        return self._parameter(
            variable, symbol.op.name, FedValue(variable.dtype, variable.sizes, variable.sizes)
        )

    def _from_outside(self, symbol: GraphSymbol) -> Any:
        given = self.fed.get(symbol)
        if given is not None:
            return self._parameter(symbol, symbol.op.name, given)
        source = symbol.step.source
        assert source is not None
        if source.value is not None:
            found = FedValue(source.dtype, source.value.shape, source.value.shape)
            made = self._parameter(symbol, symbol.op.name, found)
            if not found.shape:
                self.constants[made.operand()] = source.value
            return made
        self.missing.append(symbol)
        sizes = source.shape if source.shape is not None else (None,) * GUESSED_RANK
        guess = tuple(EXAMPLE if size is None else size for size in sizes)
        return self._parameter(symbol, symbol.op.name, FedValue(np.dtype(source.dtype), guess, source.shape))

    def _parameter(self, subject: Subject, name: str, given: FedValue) -> Any:
        builder = self.builder
        label = builder.fresh(plain_name(name))
        builder.params.add(label)
        if not given.shape:
            kind = numpy_scalar(given.dtype)
            value = Value(label, kind)
            self.params[value] = subject
            return SymbolicScalar(value, kind)
        declared = given.declared if given.declared is not None else (None,) * len(given.shape)
        symbols = {k: builder.size_name() for k, size in enumerate(declared) if size is None}
        sizes: list[Size] = []
        for axis, size in enumerate(declared):
            sizes.append(builder.settle(dims.symbol(symbols[axis])) if size is None else size)
        value = Value(label, Array(given.dtype, tuple(sizes), given.layout, given.writeable))
        for axis, symbol in symbols.items():
            builder.sizes[symbol] = (value, axis)
            builder.hints[symbol] = given.shape[axis]
        self.params[value] = subject
        return SymbolicArray(value, given.layout if given.layout != "A" else None)

    def collected(self, name: str) -> Replayed:
        """The graph, without parameters that nothing reads; numbers that are constant stand in it."""
        block = Block((), tuple(self.builder.blocks[0]))
        values: dict[Value, Operand] = {value: literal(number) for value, number in self.constants.items()}
        values |= {node.results[0]: node.operands[1] for node in walk(block) if node.op == "stand_in"}
        values |= self.replaced
        kept = Block((), tuple(node for node in block.nodes if node.op != "stand_in"))
        graph = Graph(name, tuple(self.params), Substitution(values).block(kept), self.builder.sizes)
        if values.keys() - self.constants.keys():
            graph = needed_only(graph)
        params = self._needed_params(graph)
        missing = tuple(symbol for symbol in self.missing if any(symbol is s for s in params.values()))
        sizes = {
            name: found
            for name, found in graph.sizes.items()
            if found[0] in params or found[0].name not in self.builder.params
        }
        guards = tuple(dict.fromkeys(g for g in self.builder.guards if _symbols_of(g) <= set(sizes)))
        graph = Graph(name, tuple(params), graph.body, sizes, guards)
        return Replayed(graph, tuple(params.values()), tuple(self.updates), missing)

    def _needed_params(self, graph: Graph) -> dict[Value, Subject]:
        """The parameters that nodes read, or whose sizes they or other parameters mention."""
        used: set[Any] = {o for node in walk(graph.body) for o in node.operands}
        symbols = {name for node in walk(graph.body) for name in symbols_in(node)}
        for value in self.params:
            if value in used and isinstance(value.type, Array):
                symbols |= {name for size in value.type.shape for name in dims.symbols(size)}
        used |= {graph.sizes[name][0] for name in symbols if name in graph.sizes}
        return {v: s for v, s in self.params.items() if v in used and v not in self.constants}


def _symbols_of(guard: Guard) -> set[str]:
    sides = (side for side in (guard.left, guard.right) if not isinstance(side, str))
    return {name for side in sides for name in dims.symbols(side)}


def _operand(value: Any) -> Operand:
    return value.operand() if isinstance(value, Symbol) else literal(value)


class _RecordedMarks:
    """Gives the nodes of a step, made again, the attributes that they got when it was recorded.

    They come in the same order, unless ranks weren't known then: a node without a record gets the marks of
    the last one of its op, or of the step's.
    """

    def __init__(self, step: Step) -> None:
        self.step = step
        self.next = 0
        self.results: dict[int, tuple[Value, ...]] = {}
        self.all: list[tuple[Value, ...]] = []

    def __call__(self, node: Node) -> dict[str, Any]:
        if is_ending(node):
            return {}
        self.all.append(node.results)
        marks = self.step.marks
        place = next((k for k in range(self.next, len(marks)) if marks[k].op == node.op), None)
        if place is not None:
            self.next = place + 1
            self.results[place] = node.results
            return dict(marks[place].attrs)
        near = next((mark for mark in reversed(marks) if mark.op == node.op), None) or self._whole()
        found = {key: value for key, value in near.attrs.items() if key != "name"}
        if "name" not in node.attrs:
            found["name"] = unique_name(f"{near.attrs.get('name', self.step.kind)}/{node.op}")
        return found

    def made(self) -> set[Value]:
        """The results of all nodes of the step."""
        return {value for values in self.all for value in values}

    def _whole(self) -> Mark:
        marks = self.step.marks
        return marks[-1] if marks else Mark(self.step.kind, {})

    def result(self, symbol: GraphSymbol) -> Any:
        """The symbol of the trace for the result of a node inside of the step; None if it isn't made now."""
        assert symbol.place is not None
        place, number = symbol.place
        found = self.results.get(place)
        if found is None:
            return None
        return symbol_of(found[number])
