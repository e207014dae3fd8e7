"""`gradients`: the adjoints of xs for the sum of ys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..analysis.effects import is_array
from ..ir import dims
from ..ir.dims import Size
from ..ir.nodes import Node, Value
from ..ir.types import Array, Scalar
from ..symbolic import numpy_functions
from ..symbolic.arith import type_of
from ..symbolic.arrays import SymbolicArray
from ..symbolic.scalar_methods import convert
from ..symbolic.symbols import Symbol, SymbolicScalar, SymbolicUnion, unwrap_union
from ..trace.build import Builder, current
from ..trace.naming import name_scope
from ..trace.scopes import same_scope
from .activity import Activity, is_floating
from .adjoints import Adjoints
from .arrays import contiguous
from .branches import with_questions
from .conflicts import Conflicts
from .context import GradientCall
from .contributions import fitted_to
from .errors import NotFloating, WrongValue
from .exits import ExitRewriter
from .frame import Recomputation
from .regions import PREPARE
from .storage import MemoryRoots
from .sweep import Sweep
from .trivial_merges import TrivialMerges


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    stop_gradients: Any = None,
    unconnected_gradients: str = "none",
) -> list[Any]:
    """The derivatives of the sum of `ys` with respect to each of `xs`, as nodes of the graph that is built.

    Arrays are references, so an array means what it holds when this is called: an element of `ys` or `xs`
    that was written since is what was written. A name that was given to it (a node with `attrs["alias"]`)
    means what it held then, and only what is computed from this name.

    Args:
        ys: a symbol, or a list of them; each a number or an array of a floating dtype.
        xs: likewise: inputs, or anything computed between them and `ys`.
        grad_ys: weights of `ys`, each of its `ys`' shape; None: ones.
        name: name scope of the operations that are made.
        stop_gradients: symbols that are taken as constants.
        unconnected_gradients: what an x that no y depends on gets: ``"none"`` or ``"zero"``.

    Returns:
        A symbol for each of `xs`, of its dtype and shape (a new array, or a number of x's type).

    Raises:
        NotFloating: an integer, a boolean or an object among `ys` or `xs` (a `TypeError`).
        NoGradient: an operation on the way has no gradient rule (a `LookupError`).
        WrongValue: arguments that don't fit one another (a `ValueError`).
    """
    if unconnected_gradients not in ("none", "zero"):
        raise ValueError(f"unconnected_gradients is 'none' or 'zero', not {unconnected_gradients!r}")
    given = _listed(ys)
    seeds = [None] * len(given) if grad_ys is None else _listed(grad_ys)
    if len(seeds) != len(given):
        raise WrongValue(f"gradients: {len(seeds)} grad_ys for {len(given)} ys")
    pairs = [(_checked(y, "ys"), s) for y, s in zip(given, seeds, strict=True) if not _is_constant(y)]
    for pair in pairs:
        _check_seed(*pair)
    targets, seeds = [y for y, _ in pairs], [seed for _, seed in pairs]
    sources = [_checked(x, "xs") for x in _listed(xs)]
    stops = {value for s in _listed(stop_gradients) if isinstance(value := s.operand(), Value)}
    current().attributes["differentiated"] = True
    with name_scope(name) as scope:
        run = _Run(current(), scope.strip("/"), targets, sources, stops)
        found = run.gradients(seeds)
        if unconnected_gradients == "zero":
            found = [fitted_to(x.type, 0.0) if g is None else g for x, g in zip(sources, found, strict=True)]
        return [g if g is None else _as_given(x, g) for x, g in zip(sources, found, strict=True)]


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _is_constant(value: Any) -> bool:
    """A number that depends on nothing."""
    return isinstance(value, (float, complex, np.inexact)) and not isinstance(value, Symbol)


def _checked(value: Any, role: str) -> Symbol:
    value = unwrap_union(value)
    if (
        isinstance(value, SymbolicUnion)
        and isinstance(value.first, Scalar)
        and isinstance(value.payload, SymbolicScalar)
    ):
        value = value.payload  # a number of one of two kinds: its value is held exactly
    if isinstance(value, (SymbolicArray, SymbolicScalar)) and is_floating(_typed(value)):
        return value
    kind = value.type if isinstance(value, Symbol) else type(value).__name__
    raise NotFloating(
        f"gradients: one of {role} is of type {kind}; only floating-point (or complex) numbers and arrays of"
        " the graph have gradients: convert it with astype or float() before it is used"
    )


def _check_seed(y: Symbol, seed: Any) -> None:
    """What flows back into `y` has to be a number, or of its shape."""
    if seed is None:
        return
    kind, wanted = type_of(seed), y.type
    if not isinstance(kind, Scalar | Array):
        raise NotFloating(f"gradients: one of grad_ys is of type {kind}, which is no number or array")
    assert isinstance(wanted, Scalar | Array)
    if kind.dtype.kind == "c" and wanted.dtype.kind != "c":
        raise WrongValue("gradients: one of grad_ys is complex, the y that it belongs to is real")
    if not isinstance(kind, Array) or not kind.ndim:
        return
    own, other = (wanted.shape if isinstance(wanted, Array) else ()), kind.shape
    if len(own) != len(other) or any(map(_differ, own, other)):
        raise WrongValue(f"gradients: one of grad_ys is of type {kind}, the y that it belongs to of {wanted}")


def _differ(one: Size, other: Size) -> bool:
    """Whether sizes are known to be unlike: what is guessed of those that the run makes doesn't count."""
    builder = current()
    hints = [dims.evaluate(size, builder.hints) for size in (one, other)]
    return builder.guardable(one) and builder.guardable(other) and None not in hints and hints[0] != hints[1]


def _typed(value: Any) -> Value:
    return Value("", value.type)


def _as_given(x: Symbol, gradient: Any) -> Any:
    """The gradient as a number of x's own type, or as an array that is nobody else's."""
    if isinstance(x, SymbolicScalar):
        if x.type.is_python and isinstance(gradient, SymbolicScalar):
            return convert(gradient, x.type)
        return gradient.item() if x.type.is_python and isinstance(gradient, np.generic) else gradient
    return (
        gradient if isinstance(gradient, SymbolicArray) else numpy_functions.call(np.asarray, (gradient,), {})
    )


class _Run:
    """One call: the frame at the top, and when the adjoint of each x is taken."""

    def __init__(
        self, builder: Builder, name: str, targets: list[Symbol], sources: list[Symbol], stops: set[Value]
    ) -> None:
        self.targets = [_value(y) for y in targets]
        self.sources = [_value(x) for x in sources]
        exits = ExitRewriter(builder)
        steady = TrivialMerges(exits)
        blocks = [_in_line(exits, steady, block) for block in builder.blocks]
        apart = {v for v in (*self.sources, *stops) if v is not None and is_array(v)}
        again = [with_questions([exits.leaving_at_the_end(node) for node in block]) for block in blocks]
        self.storage = MemoryRoots(builder, again, apart)
        self.nodes: list[Node] = [node for block in again for node in block]
        activity = Activity(self.storage, {self.storage.root(v) if is_array(v) else v for v in stops})
        self.context = GradientCall(builder, name, self.storage, activity, exits, PREPARE)
        self.frame = Recomputation(self.context, self.nodes, builder.blocks[-1])
        for block, nodes in zip(blocks, again, strict=True):
            self.frame.homes.update((node, block) for node in nodes)
            self.frame.at.update(zip(nodes, block, strict=True))
        self.times = [self._time(x) for x in self.sources]
        keyed: dict[int, list[Value]] = {}
        for x, time in zip(self.sources, self.times, strict=True):
            if x is not None:
                keyed.setdefault(time, []).append(activity.key(x))
        ends = [y for y in self.targets if y is not None]
        activity.run(self.nodes, keyed, ends)
        Conflicts(self.storage, activity).refuse(self.nodes, ends)

    def _time(self, x: Value | None) -> int:
        """How many nodes have run when x got the value that is meant."""
        if x is None:
            return 0
        place = {result: k + 1 for k, node in enumerate(self.nodes) for result in node.results}
        time = place.get(x, 0)
        definition = self.storage.definition.get(x)
        if not is_array(x) or (definition is not None and definition.attrs.get("alias") is True):
            return time
        for k in range(len(self.nodes) - 1, time - 1, -1):
            if any(self.storage.overlap(w, x) for w in self.storage.all_writes(self.nodes[k])):
                return k + 1
        return time

    def gradients(self, seeds: Sequence[Any]) -> list[Any]:
        """The adjoint of each x at its time."""
        adjoints = Adjoints(self.frame)
        for y, seed in zip(self.targets, seeds, strict=True):
            if y is not None and self.context.activity.is_active(y):
                adjoints.add(y, 1.0 if seed is None else seed)
        found: list[Any] = [None] * len(self.sources)

        def take(place: int) -> None:
            for k, (x, time) in enumerate(zip(self.sources, self.times, strict=True)):
                if x is not None and time == place:
                    found[k] = self._taken(adjoints, x)

        Sweep(self.frame, adjoints).run(take)
        return found

    def _taken(self, adjoints: Adjoints, x: Value) -> Any:
        """The adjoint of x as it is now, as an array of its own."""
        adjoint = adjoints.of(x)
        if not isinstance(adjoint, SymbolicArray):
            return adjoint
        held = adjoints.arrays.get(x)
        if held is not None and held.owned:
            held.owned = False  # what comes after changes a copy
            return contiguous(held.array)
        array = adjoint.operand()
        made = (n for block in reversed(self.context.builder.blocks) for n in reversed(block))
        with same_scope(next((node for node in made if array in node.results), None)):
            return contiguous(adjoint, always=True)


def _in_line(exits: ExitRewriter, steady: TrivialMerges, block: list[Node]) -> list[Node]:
    """`block`, with calls and early returns as data, one name for what is one array, marks on questions."""
    nodes = [new for node in block for new in exits.without_returns(node)]
    nodes = with_questions(steady.named(nodes))
    if len(nodes) != len(block) or any(a is not b for a, b in zip(nodes, block, strict=True)):
        exits.builder.edit(block)[:] = nodes
    return block


def _value(symbol: Any) -> Value | None:
    operand = symbol.operand()
    return operand if isinstance(operand, Value) else None
