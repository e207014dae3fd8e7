"""The reverse pass through loops: from the last iteration to the first, each run again, then gone back.

The loop itself keeps what an iteration begins with, and what memory no longer tells (`saving.py`). The loop
back carries the adjoints of the state, and sums for scalars of outside; adjoints of outer arrays are changed
in place. A loop that knows only afterwards how often it ran has a tape that grows (`growing_tapes.py`).

    for i in range(n):            for i in range(n):             for i in range(n - 1, -1, -1):
        x = f(x)             ->       kept[i] = x           +        x = kept[i]
                                      x = f(x)                       dx = ... dx ...
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..analysis.around import body_of
from ..analysis.effects import is_array, is_nothing, writes
from ..ir import dims
from ..ir.dims import Size
from ..ir.nodes import Block, Literal, Node, Operand, Value, walk
from ..ir.types import INT, Array, Type, numpy_scalar
from ..ops.facts import falls_through, is_counted, is_ending, is_size
from ..symbolic.arith import operand
from ..symbolic.arrays import SymbolicArray
from ..symbolic.symbols import SymbolicScalar
from .activity import is_floating
from .adjoints import AdjointBuffer, Adjoints
from .arrays import contiguous
from .branches import seed, taken, zero_of
from .context import adjoint_name, stem
from .endings import exit_of, iteration_of
from .errors import NoGradient
from .frame import Recomputation
from .growing_tapes import FIRST_LENGTH, keep_growing
from .saving import Planner, SavingPlan, keep_state, keeping, restore
from .slots import allocate, as_size, size_operand
from .storage import running

if TYPE_CHECKING:
    from .sweep import Sweep


@dataclass(frozen=True, slots=True)
class Range:
    """The bounds of a loop in a frame, and how many iterations it makes."""

    start: Size
    stop: Size
    step: int

    @property
    def iterations(self) -> Size:
        """How many iterations there are."""
        low, high = (self.start, self.stop) if self.step > 0 else (self.stop, self.start)
        span = dims.maximum(dims.sub(high, low), 0)
        width = abs(self.step)
        return dims.floordiv(dims.add(span, width - 1), width) if width > 1 else span


def range_of(frame: Recomputation, loop: Node) -> Range:
    """The bounds of `loop`, as `frame` calls them."""
    start, stop, step = loop.operands[:3]
    if not isinstance(step, Literal):
        raise NoGradient(loop, "the step of its range is known only at run time", "use a constant step")
    return Range(_bound(frame, start), _bound(frame, stop), int(step.value))


def _bound(frame: Recomputation, bound: Operand) -> Size:
    definition = frame.context.storage.definition.get(bound) if isinstance(bound, Value) else None
    if definition is not None and is_size(definition):
        return frame.subst.size(definition.attrs["size"])
    return as_size(frame.operand(bound))


@dataclass(frozen=True, slots=True)
class PreparedLoop:
    """What a loop keeps, where, and which iterations have run."""

    planner: Planner
    plan: SavingPlan
    bounds: Range


def state_of(loop: Node) -> tuple[Value, ...]:
    """The parameters of the body that are the loop's state."""
    params = body_of(loop).params
    return params[len(params) - len(loop.results) :]


def prepare_loop(frame: Recomputation, node: Node) -> None:
    """Keep, iteration by iteration, what the reverse pass will need."""
    body = body_of(node)
    if not falls_through(body):
        _pass_by(frame, node)
        return
    if is_counted(node) and exit_of(body) is None:
        _prepare_range(frame, node)
        return
    planner = Planner(frame, node, (body,), state_of(node))
    plan = planner.plan(FIRST_LENGTH)
    given = range_of(frame, node) if is_counted(node) else Range(0, 0, 1)
    plan, count = keep_growing(frame, node, _with_whole_state(frame, node, node, plan), plan)
    stop = dims.add(given.start, dims.scale(as_size(count), given.step))
    frame.plans[node] = PreparedLoop(planner, plan, Range(given.start, stop, given.step))


def initial_of(loop: Node) -> tuple[Operand, ...]:
    """What the loop's state begins with."""
    return loop.operands[len(loop.operands) - len(loop.results) :]


def _pass_by(frame: Recomputation, node: Node) -> None:
    """A loop of which no iteration comes to its end had none, where anything follows it."""
    if node not in frame.at:
        for result, initial in zip(node.results, initial_of(node), strict=True):
            frame.bind(result, frame.operand(initial))


def _prepare_range(frame: Recomputation, node: Node) -> None:
    """Keep what is needed in buffers with a place for each number of the range."""
    body = body_of(node)
    builder, bounds = frame.context.builder, range_of(frame, node)
    planner = Planner(frame, node, node.regions, state_of(node))
    plan = planner.plan(bounds.iterations)
    frame.plans[node] = PreparedLoop(planner, plan, bounds)
    index = body.params[0]
    with builder.region() as head, frame.context.forward(node):
        iteration = _iteration(frame, node, dims.symbol(index.name, None), index, bounds)
        keep_state(plan, iteration)
    now = frame.at.get(node, node)
    new = _with_whole_state(frame, node, keeping(frame, now, plan, iteration, now.regions), plan)
    kept = body_of(new)
    frame.put(node, _with_body(new, Block(kept.params, (*head, *kept.nodes))))


def _with_whole_state(frame: Recomputation, node: Node, loop: Node, plan: SavingPlan) -> Node:
    """`loop`, beginning with arrays as large as those that are kept, also where a name has none yet.

    A name that is unbound before the loop stands for an array without elements there, which nobody may read.
    """
    operands, count = list(loop.operands), len(loop.results)
    for place, param in zip(range(len(operands) - count, len(operands)), state_of(node), strict=True):
        if param not in plan.snapshots or not is_nothing(operands[place]):
            continue
        assert isinstance(param.type, Array)
        with frame.beside(node), frame.context.forward(node):
            shape = [frame.subst.size(size) for size in param.type.shape]
            operands[place] = allocate("zeros", shape, param.type.dtype, stem(param.name)).operand()
    return Node(loop.op, tuple(operands), loop.results, loop.attrs, loop.regions, loop.loc)


def _with_body(loop: Node, body: Block) -> Node:
    return Node(loop.op, loop.operands, loop.results, loop.attrs, (body, *loop.regions[1:]), loop.loc)


def _iteration(frame: Recomputation, node: Node, index: Size, value: Value, bounds: Range) -> Operand:
    """The number of the iteration with this index, in terms of the loop as it stands."""
    start = node.operands[0]
    first = as_size(start) if isinstance(start, Literal) else _own_size(frame, start)
    if first == 0 and bounds.step == 1:
        return value
    distance = dims.sub(index, first) if bounds.step > 0 else dims.sub(first, index)
    return size_operand(dims.floordiv(distance, abs(bounds.step)))


def _own_size(frame: Recomputation, start: Operand) -> Size:
    definition = frame.context.storage.definition.get(start) if isinstance(start, Value) else None
    return definition.attrs["size"] if definition is not None and is_size(definition) else as_size(start)


def reverse_loop(sweep: Sweep, node: Node) -> None:
    """Make the loop back."""
    frame = sweep.frame
    if not falls_through(body_of(node)):
        for result, initial in zip(node.results, initial_of(node), strict=True):
            seed(sweep.adjoints, initial, taken(sweep.adjoints, result))
        return
    if node not in frame.plans:
        prepare_loop(frame, node)
    _Back(sweep, node).run()


class _Back:
    """The loop that goes back through one loop."""

    def __init__(self, sweep: Sweep, node: Node) -> None:
        self.sweep, self.node = sweep, node
        self.frame, self.adjoints = sweep.frame, sweep.adjoints
        self.context = self.frame.context
        self.body = body_of(node)
        self.state = state_of(node)
        self.index = self.body.params[0] if is_counted(node) else None
        self.initial = initial_of(node)
        self.prepared: PreparedLoop = self.frame.plans[node]
        self.places = [k for k, param in enumerate(self.state) if self._is_active(k, param)]
        self.outer = self._outer_scalars()

    def _is_active(self, place: int, param: Value) -> bool:
        activity = self.context.activity
        return is_floating(param) and (
            activity.is_active(param) or self.adjoints.has(self.node.results[place])
        )

    def _outer_scalars(self) -> list[Value]:
        """Numbers of outside for which the iterations may find something."""
        inside = self.prepared.planner.inside
        used = (o for n in walk(self.body) for o in n.operands)
        return list(
            dict.fromkeys(
                o
                for o in used
                if isinstance(o, Value)
                and o not in inside
                and not is_array(o)
                and self.context.activity.is_active(o)
            )
        )

    def _taken_and_given(self) -> set[Value]:
        """Outer arrays whose adjoints iterations add to and take away: what one adds, the next one takes."""
        activity, root = self.context.activity, self.context.storage.root
        given: set[Value] = set()
        taken: set[Value] = set()
        for node in running(self.node):
            targets = writes(node) if node in activity.nodes else ()
            taken.update(root(target) for target in targets)
            wanted = activity.wanted(node)
            arrays = [o for o in node.operands if is_array(o) and o not in targets]
            given.update(root(o) for o in arrays if is_ending(node) or wanted[node.operands.index(o)])
        return {value for value in given & taken if value not in self.prepared.planner.inside}

    def run(self) -> None:
        """Emit the loop, and hand on what it finds."""
        builder = self.context.builder
        for root in self._taken_and_given():
            self.adjoints.buffer(root)
        initial = [self._initial(place) for place in self.places]
        sums = [operand(zero_of(value)) for value in self.outer]
        bounds = self.prepared.bounds
        ends, index = self._bounds(bounds)
        params = [self._param(o.type, self.state[p]) for o, p in zip(initial, self.places, strict=True)]
        totals = [builder.value(o.type, adjoint_name(v)) for o, v in zip(sums, self.outer, strict=True)]
        with builder.region() as nodes:
            found, nothing = self._iteration(bounds, index, params)
            if not nothing:
                carried = [self._carried(found, place) for place in self.places]
                carried += [self._total(found, v, t) for v, t in zip(self.outer, totals, strict=True)]
                builder.emit("yield", carried)
        block = Block((index, *params, *totals), tuple(nodes))
        attrs = {"names": tuple(v.name for v in block.params), "orelse": False}
        types = [v.type for v in (*params, *totals)]
        names = [adjoint_name(v) for v in (*(self.state[place] for place in self.places), *self.outer)]
        results = builder.emit("for", (*ends, *initial, *sums), types, attrs, (block,), names)
        for place, result in zip(self.places, results, strict=False):
            self._hand_on(self.initial[place], result)
        for value, result in zip(self.outer, results[len(self.places) :], strict=True):
            self.adjoints.add(value, SymbolicScalar(result, result.type))  # type: ignore[arg-type]

    def _bounds(self, bounds: Range) -> tuple[list[Operand], Value]:
        """The range of the loop back, and its index: the loop's own where that counts by one."""
        name = "iteration" if self.index is None else self.index.name.split(".")[0]
        if abs(bounds.step) == 1:
            ends = [dims.sub(bounds.stop, bounds.step), dims.sub(bounds.start, bounds.step)]
            step = -bounds.step
        else:
            ends, step, name = [dims.sub(bounds.iterations, 1), -1], -1, "iteration"
        operands = [size_operand(size) for size in (*ends, step)]
        return operands, self.context.builder.value(INT, name)

    def _initial(self, place: int) -> Operand:
        """The adjoint of one result, from where the loop back begins."""
        result = self.node.results[place]
        if not is_array(result):
            found = self.adjoints.take(result)
            return operand(zero_of(result) if found is None else found)
        root = self.context.storage.root(result)
        held = self.adjoints.take_held(root)
        return self._own(held, root, self.adjoints)

    def _own(self, held: AdjointBuffer | None, root: Value, adjoints: Adjoints) -> Operand:
        """An adjoint as an array in C order that is ours to change."""
        if held is None:
            return contiguous(adjoints.zeros(root)).operand()
        assert isinstance(held.array, SymbolicArray)
        return contiguous(held.array, always=not held.owned).operand()

    def _param(self, type_: Type, param: Value) -> Value:
        return self.context.builder.value(type_, adjoint_name(param))

    def _iteration(self, bounds: Range, index: Value, params: list[Value]) -> tuple[Adjoints, bool]:
        """One iteration: run again, then gone back through."""
        block = self.context.builder.blocks[-1]
        frame = Recomputation(self.context, iteration_of(self.body), block, self.frame)
        frame.own.update(self.body.params)
        here = dims.symbol(index.name, None)
        if abs(bounds.step) == 1:
            self._bind(frame, index)
            distance = dims.sub(here, bounds.start) if bounds.step > 0 else dims.sub(bounds.start, here)
            iteration = index if distance == here else size_operand(distance)
        else:
            iteration = index
            value = dims.add(bounds.start, dims.scale(here, bounds.step))
            self._bind(frame, size_operand(value))
        restore(frame, self.node, self.prepared.plan, self.prepared.planner, iteration)
        found = Adjoints(frame, self.adjoints)
        frame.run()
        for place, param in zip(self.places, params, strict=True):
            target = self.body.ending.operands[place]
            if is_array(param):
                seed(found, target, AdjointBuffer(SymbolicArray(param), True))
            else:
                seed(found, target, SymbolicScalar(param, param.type))  # type: ignore[arg-type]
        self.sweep.inner(frame, found).run()
        return found, False

    def _bind(self, frame: Recomputation, index: Operand) -> None:
        if self.index is not None:
            frame.bind(self.index, index)

    def _carried(self, found: Adjoints, place: int) -> Operand:
        """What the iteration before begins its reverse pass with."""
        param = self.state[place]
        if not is_array(param):
            adjoint = found.take(param)
            return operand(zero_of(param) if adjoint is None else adjoint)
        return self._own(found.take_held(param), param, found)

    def _total(self, found: Adjoints, value: Value, total: Value) -> Operand:
        more = found.take(value)
        if more is None:
            return total
        kind = numpy_scalar(total.type.dtype)  # type: ignore[union-attr]
        return operand(SymbolicScalar(total, kind) + more)

    def _hand_on(self, initial: Operand, result: Value) -> None:
        if not isinstance(initial, Value):
            return
        if isinstance(result.type, Array):
            self.adjoints.add(initial, SymbolicArray(result), owned=True)
        else:
            self.adjoints.add(initial, SymbolicScalar(result, result.type))  # type: ignore[arg-type]
