"""A cluster node around some nodes: what goes in, what comes out, and views that the driver makes again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice

from ..analysis.effects import effects_of
from ..ir import dims
from ..ir.axes import Span
from ..ir.nodes import Block, Node, Value, walk
from ..ir.rewrite import Substitution, ValuesByName, used_by
from ..ir.types import Array, Scalar
from ..ops.facts import is_element_view, is_look
from ..trace.devices import DEVICE, device_of
from .identity import Identities, made_in


def is_int(value: Value) -> bool:
    """Whether sizes may name it."""
    return isinstance(value.type, Scalar) and value.type.dtype.kind == "i"


@dataclass(slots=True)
class Outline:
    """Makes the clusters of a graph; `replaced` is what stands for values that come out of clusters."""

    names: ValuesByName
    identities: Identities
    replaced: Substitution = field(default_factory=Substitution)
    count: int = 0
    order: dict[str, int] = field(default_factory=dict)
    """Where each name stands among all that were ever defined."""

    def cluster(self, inside: list[Node], is_used: Callable[[Value], bool]) -> list[Node]:
        """The cluster of the nodes `inside`, and views that the driver needs too, made again of what it has.

        `is_used` tells whether somebody outside uses a value.
        """
        merged = self._merged_views(inside)
        used = [result for node in inside for result in node.results if is_used(result)]
        inside = [self.replaced.node(node) for node in inside]
        made = [result for node in inside for result in node.results]
        wanted = {self.replaced.operand(value) for value in used}
        views = self._views_again(inside, wanted)
        inner = self._inner(made)
        wanted |= _sizing(made, wanted, inner)
        outputs = [value for value in made if value in wanted]
        results = self._results(outputs, inner)
        inputs = self._inputs(inside)
        loc = next((n.loc for n in inside if n.op not in ("size", "view")), inside[0].loc)
        body = Block((), (*inside, Node("yield", tuple(outputs), loc=loc)))
        whole = Node("cluster", inputs, results, self._attrs(inside), (body,), loc)
        anew = [self._anew(v) for k, v in enumerate(made) if k in merged and v in outputs]
        return [whole, *anew, *(self._copy(view) for view in views)]

    def _attrs(self, inside: list[Node]) -> dict[str, object]:
        """The name of the next cluster; the scope and the device of its nodes, where they have one."""
        name = f"cluster_{self.count}"
        self.count += 1
        nodes = (n for node in inside for n in (node, *(m for region in node.regions for m in walk(region))))
        scopes = {n.attrs["_JitScope"] for n in nodes if "_JitScope" in n.attrs}
        device = device_of(inside[0])
        placed = {DEVICE: device} if device else {}
        return {"name": name, "scope": scopes.pop() if len(scopes) == 1 else None, **placed}

    def _merged_views(self, inside: list[Node]) -> set[int]:
        """Which of the results of `inside` are views that a branch or loop in it has made."""
        results = [result for node in inside for result in node.results]
        made = {*results, *(value for node in inside for value in made_in(node))}
        return {k for k, value in enumerate(results) if self.identities.is_merged_view(value, made)}

    def _anew(self, value: Value) -> Node:
        """A look at an array that came out of compiled code, as an object of its own."""
        given = self.replaced.operand(value)
        assert isinstance(given, Value)
        assert isinstance(given.type, Array)
        fresh = Value(self.names.fresh(given.name), given.type)
        self.names.values[fresh.name] = fresh
        self.replaced.values[given] = fresh
        axes = tuple(map(Span, range(given.type.ndim)))
        return Node("view", (given,), (fresh,), {"axes": axes, "check": (), "text": "{0}[...]"})

    def _views_again(self, inside: list[Node], wanted: set) -> list[Node]:
        """Views that are wanted outside: taken out of `wanted`, what they look at put in."""
        again: list[Node] = []
        for node in reversed(inside):
            again_alike = is_element_view(node) or not effects_of(node).raises
            if is_look(node) and node.results[0] in wanted and again_alike:
                wanted.discard(node.results[0])
                wanted |= used_by(node, self.names)
                again.append(node)
        return again[::-1]

    def _inner(self, made: list[Value]) -> dict[str, Value]:
        """The values made inside that sizes speak of, by the names of these sizes."""
        own = {value.name: value for value in made}
        ints = {name: value for name, value in own.items() if is_int(value)}
        arrays = {s: own[array.name] for s, (array, _) in self.names.sizes.items() if array.name in own}
        return {**ints, **arrays}

    def _results(self, outputs: list[Value], inner: dict[str, Value]) -> tuple[Value, ...]:
        """A new value for each output, which stands in its place from here on; new sizes too."""
        results = []
        hidden = {name for name, value in inner.items() if value not in outputs}
        for value in outputs:
            fresh = Value(self.names.fresh(value.name), self.replaced.type(value.type))
            self.names.values[fresh.name] = fresh
            self.replaced.values[value] = fresh
            if is_int(value):
                self.replaced.symbols[value.name] = fresh.name
            if isinstance(value.type, Array):
                fresh = self._own_sizes(value, fresh, hidden)
            results.append(fresh)
        return tuple(results)

    def _own_sizes(self, value: Value, fresh: Value, hidden: set[str]) -> Value:
        """Sizes that are known only from the array itself, or from ints inside, get new symbols outside."""
        assert isinstance(fresh.type, Array)
        own = {s: axis for s, (array, axis) in self.names.sizes.items() if array.name == value.name}
        for axis, size in enumerate(fresh.type.shape):
            if (symbol := dims.symbol_of(size)) in hidden and symbol is not None:
                own.setdefault(symbol, axis)
        if not own:
            return fresh
        for name, axis in own.items():
            new = self.names.fresh(name)
            self.replaced.symbols[name] = new
            self.names.sizes[new] = (fresh, axis)
        typed = Value(fresh.name, self.replaced.type(value.type))
        for name, (array, axis) in list(self.names.sizes.items()):
            if array.name == fresh.name:
                self.names.sizes[name] = (typed, axis)
        self.names.values[typed.name] = typed
        self.replaced.values[value] = typed
        return typed

    def _inputs(self, inside: list[Node]) -> tuple[Value, ...]:
        made = {result for node in inside for result in node.results}
        used = {v for node in inside for v in used_by(node, self.names)} - made
        for name in islice(self.names.values, len(self.order), None):
            self.order[name] = len(self.order)
        return tuple(sorted(used, key=lambda value: self.order[value.name]))

    def _copy(self, view: Node) -> Node:
        """A view made a second time, in the driver."""
        (result,) = view.results
        fresh = Value(self.names.fresh(result.name), self.replaced.type(result.type))
        self.names.values[fresh.name] = fresh
        again = self.replaced.node(view)
        self.replaced.values[result] = fresh
        return Node(view.op, again.operands, (fresh,), again.attrs, (), view.loc)


def _sizing(made: list[Value], wanted: set, inner: dict[str, Value]) -> set[Value]:
    """What of `inner` says how large arrays are that come out, where no axis shows it."""
    shown: set[str] = set()
    mentioned: set[str] = set()
    for array in made:
        if array in wanted and isinstance(array.type, Array):
            shown |= {name for size in array.type.shape if (name := dims.symbol_of(size)) is not None}
            mentioned |= {name for size in array.type.shape for name in dims.symbols(size)}
    return {inner[name] for name in mentioned - shown if name in inner}
