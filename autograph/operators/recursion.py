"""Recursion: a function that calls itself is a `call` node whose body has `recur` nodes.

    %r: int = call(%room, %n) {name='fib', recursive=True} (%room.1: int, %n.1: int) {
      ...
      %left: int = py.left(%room.1, 1, %stack_end)
      %a: int = recur(%left, %m) {arrays=0, name='fib', written=0}

Its parameters are numbers, arrays and lists of numbers: those that aren't handed on as they are. Functions,
anything else have to be the same in each call, as what a closure reads; they come from around the node. Of
arrays that are parameters only dtype and dimensions are the same in each call. `room` counts the calls for
which Python's stack has room: where it is used up, plain Python runs, and says so as it does. So it does
where the thread's own stack comes to its end, whatever Python's limit is.

A node `recur` begins with the arrays that the call reads or writes, those that it writes first: arrays from
around the body, and its own arguments, which are written if the body writes what it doesn't make.

What the function returns is found by iteration, as the types of loop variables are: at first a call of itself
never returns, then it returns what the other ways out do, until that stays.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import CodeType
from typing import Any, NoReturn

from ...graph.analysis.effects import is_array, writes
from ...graph.ir.literals import is_number, literal
from ...graph.ir.nodes import Block, Node, Operand, Value, walk
from ...graph.ir.rewrite import defined_by
from ...graph.ir.shown import is_name
from ...graph.ir.types import INT, Object, Scalar
from ...graph.ops.facts import is_recursion, is_view
from ...graph.ops.facts import is_recursive as is_recursive_node
from ...graph.passes.compilable import why_not
from ...graph.passes.fold_messages import in_block
from ...graph.passes.options import Options
from ...graph.symbolic.agreement import sizes_may_agree
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.symbols import Symbol, SymbolicScalar, unwrap_union
from ...graph.trace.attempt import Restart
from ...graph.trace.budget import NESTED_RECURSIONS, RECURSION_PASSES
from ...graph.trace.build import TraceError, current
from ..attempt import attempt
from ..number_lists import NumberList
from ..tracer import OpenFunction, Recursion, Reference, tracer
from .exits import fail
from .growing import Carried, items_outside
from .helper_regions import invoke, region, returned
from .iterables import StaticIndexNeeded
from .specs import ArrayType, ListType, NumberType, Spec
from .state import decode, describe, encode, join, make_values, types_of, widen

Staged = Callable[..., object]
Bound = dict[str, Any]
"""The arguments of a call, by name."""
_Arrays = tuple[Operand, ...]
_Param = NumberType | ArrayType | ListType

ROOM, END = (("room", "calls"),), (("room", "end"),)
"""The paths of the number of calls for which Python's stack has room, and of where the thread's own ends."""


def is_open(code: CodeType, times: int = 1) -> bool:
    """Whether the function with this code is being traced, so many times in itself."""
    return sum(frame.code is code for frame in tracer().frames) >= times


def comes_again(code: CodeType, varies: bool) -> bool:
    """Whether a function is called in itself that can't be traced in place again and again.

    With numbers that are known it comes to an end, if the run doesn't decide whether it calls itself.
    """
    frames = [frame for frame in tracer().frames if frame.code is code]
    if not frames or is_recursive(code):
        return False
    return varies or bool(frames[-1].returns) or current().depth > frames[-1].depth


def is_recursive(code: CodeType) -> bool:
    """Whether the function with this code gets a node of its own."""
    return bool(tracer().knowledge.recursive.get(code))


def meet(code: CodeType) -> None:
    """A function is called inside of itself: from the next attempt on it is a node, if it can be."""
    known = tracer().knowledge
    if known.own_functions and not tracer().differentiating and known.recursive.get(code, True):
        known.recursive[code] = True
        raise Restart


def recursive(staged: Staged, name: str, code: CodeType, bound: Bound) -> object:
    """A call of a function that calls itself, inside of it or from outside."""
    frames = [frame for frame in tracer().frames if frame.recursion is not None and frame.code is code]
    for frame in reversed(frames):
        if _is_again(frame.recursion, bound):
            return _call_again(frame, bound, name)
    if len(frames) >= NESTED_RECURSIONS:
        _vary(frames, bound)
        _give_up(code)
    try:
        return _first_call(staged, name, code, bound)
    except StaticIndexNeeded as needed:
        if getattr(needed.container, "site", None) not in {None, *tracer().knowledge.materialised}:
            raise  # the list will be an array
        _give_up(code)
    except TraceError:
        _give_up(code)


def _give_up(code: CodeType) -> NoReturn:
    """Calls of this function stay what they are."""
    tracer().knowledge.recursive[code] = False
    raise Restart


def _vary(frames: list[OpenFunction], bound: Bound) -> None:
    """Arrays that each of these calls has others of are parameters from the next attempt on."""
    code = frames[0].code
    known = tracer().knowledge.varying.get(code, frozenset())
    given = [frame.recursion.given for frame in frames] + [bound]
    pairs = list(itertools.pairwise(given))
    differ = {n for one, other in pairs for n, value in other.items() if _is_another(one[n], value)}
    if differ <= known:
        return
    tracer().knowledge.varying[code] = known | differ
    raise Restart


def _is_another(one: object, other: object) -> bool:
    """Whether both are arrays or lists of numbers, and not the same."""
    alike = any(isinstance(one, kind) and isinstance(other, kind) for kind in (SymbolicArray, NumberList))
    return alike and not _same(one, other)


def _is_again(recursion: Recursion, bound: Bound) -> bool:
    """Whether a call has arguments like those of the function that is being traced."""
    return all(
        _fits(value, recursion.specs[name])
        if name in recursion.specs
        else _same(value, recursion.given[name])
        for name, value in bound.items()
    )


def _fits(value: object, spec: _Param) -> bool:
    found = describe(value)
    if isinstance(spec, NumberType):
        return isinstance(found, NumberType) and found.kind == spec.kind
    return type(found) is type(spec) and type(_of_both(spec, found)) is type(spec)


def _of_both(spec: ArrayType | ListType, found: Spec) -> Spec:
    """What two arrays or lists are; which sizes of one call are those of another, the example isn't asked."""
    if isinstance(spec, ListType) and isinstance(found, ListType):
        spec, found = (
            replace(spec, array=_of_sizes(spec.array, found.array)),
            replace(found, array=_of_sizes(found.array, spec.array)),
        )
    elif isinstance(spec, ArrayType) and isinstance(found, ArrayType):
        spec, found = _of_sizes(spec, found), _of_sizes(found, spec)
    return join(spec, found)


def _of_sizes(array: ArrayType, other: ArrayType) -> ArrayType:
    """The array, of which only those sizes are known that the other one has as well."""
    if len(array.shape) != len(other.shape):
        return array
    sizes = zip(array.shape, other.shape, strict=True)
    return replace(array, shape=tuple(one if one == its else None for one, its in sizes))


def _same(one: object, other: object) -> bool:
    """Whether both are the same object at run time."""
    one, other = unwrap_union(one), unwrap_union(other)
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, Reference) and isinstance(other, Reference):
        return bool(one.path == other.path)
    if isinstance(one, (SymbolicScalar, SymbolicArray)) and isinstance(
        other, (SymbolicScalar, SymbolicArray)
    ):
        return one.operand() is other.operand()
    if is_number(one):
        return literal(one) == literal(other) and one == other
    return type(one) in (str, bytes) and bool(one == other)


def _call_again(frame: OpenFunction, bound: Bound, name: str) -> object:
    """The function's call of itself."""
    builder, frames, recursion = current(), tracer().frames, frame.recursion
    between = frames[frames.index(frame) + 1 :]
    if any(inner.region for inner in between):
        _give_up(frame.code)
    if recursion.spec is None:
        fail(RecursionError("what it returns is not known yet"))
    recursion.handed_on &= {n for n in recursion.specs if _same(bound[n], recursion.params[n])}
    for n, spec in recursion.specs.items():
        if not isinstance(spec, NumberType) and (joined := _of_both(spec, describe(bound[n]))) != spec:
            recursion.specs[n], recursion.settled = joined, False
    given = [operand for n, spec in recursion.specs.items() for operand in encode(bound[n], spec)]
    given += _of_lists(recursion)
    left = _less(recursion.room, len(between) + 1)
    results = make_values(recursion.spec, builder.suggest() or _shown(name))
    builder.append(Node("recur", (left, *given), tuple(results), {"name": name}, (), builder.locate()))
    _forget_loads()
    return recursion.carried.without(decode(recursion.spec, iter(results), name))


def _first_call(staged: Staged, name: str, code: CodeType, bound: Bound) -> object:
    """The function's node, for its call from outside."""
    builder = current()
    recursion = Recursion(bound, _params(code, bound))
    for _ in range(RECURSION_PASSES):
        before, given, recursion.settled = recursion.spec, len(builder.names), True
        with attempt() as trial:
            values, _ = _body(staged, name, code, recursion, False)
            recursion.spec = returned(_with_lists(recursion, values), name, given)
            trial.give_up()
        if not all(isinstance(type_, (Scalar, ArrayType)) for type_ in types_of(recursion.spec)):
            raise TraceError(f"{name} calls itself, and returns neither numbers nor arrays")
        if before is not None and recursion.handed_on:
            recursion.specs = {n: s for n, s in recursion.specs.items() if n not in recursion.handed_on}
        elif recursion.spec == before and recursion.settled:
            break
    else:
        raise TraceError(f"what {name} returns does not settle")
    _, body = _body(staged, name, code, recursion, True)
    room = _room()
    operands = [operand for n, spec in recursion.specs.items() for operand in encode(bound[n], spec)]
    operands += _of_lists(recursion)
    results = make_values(recursion.spec, builder.suggest() or _shown(name))
    attrs = {"name": name, "recursive": True}
    node = Node(
        "call", (room, *operands), tuple(results), attrs, (in_block(_with_arrays(body)),), builder.locate()
    )
    _check(node, name)
    builder.append(node)
    _forget_loads()
    return recursion.carried.without(decode(recursion.spec, iter(results), name))


def _with_lists(recursion: Recursion, values: list[object]) -> list[object]:
    """What the ways out hand on: their values, and the lists that have changed by then at one of them."""
    carried: Carried = recursion.carried
    for place in carried.changed():
        if place not in recursion.lists:
            recursion.lists[place], recursion.settled = tuple(map(_grown, carried.before[place])), False
    return carried.with_values(values, tuple(recursion.lists)) if recursion.lists else values


def _grown(part: object) -> Spec:
    """The type of a part of a list that grows, whatever its size."""
    spec = widen(describe(part))
    return replace(spec, shape=(None,) * len(spec.shape)) if isinstance(spec, ArrayType) else spec


def _of_lists(recursion: Recursion) -> list[Operand]:
    """What a call is given of the lists that it may change."""
    given: list[Operand] = []
    for place, specs in recursion.lists.items():
        for part, spec in zip(recursion.carried.lists[place].state, specs, strict=True):
            given += encode(part, spec)
    return given


def _params(code: CodeType, bound: Bound) -> dict[str, _Param]:
    """The types of the arguments that may be others in each call: numbers, and arrays or lists that were."""
    found: dict[str, _Param] = {}
    varying = tracer().knowledge.varying.get(code, frozenset())
    for name, value in bound.items():
        spec = widen(describe(value)) if _is_scalar(value) or name in varying else None
        if isinstance(spec, (NumberType, ArrayType, ListType)):
            found[name] = spec
    return found


def _forget_loads() -> None:
    """What was loaded of attributes before a call of the function may be another after it."""
    for cell in tracer().cells.values():
        cell.last = None


def _room() -> Value:
    """The room on Python's stack here."""
    frames = tracer().frames
    for place in reversed(range(len(frames))):
        if (around := frames[place].recursion) is not None:
            return _less(around.room, len(frames) - place)
    return tracer().input(ROOM, INT, "room")


def _less(room: Value, calls: int) -> Value:
    end = tracer().input(END, INT, "stack_end")
    return current().one("py.left", (room, literal(calls), end), INT, loop=("int", "int", "int"))


def _shown(name: str) -> str:
    """The function's name, where values may be called so."""
    return name if is_name(name) else "found"


def _is_scalar(value: object) -> bool:
    value = unwrap_union(value)
    return isinstance(value, SymbolicScalar) or (not isinstance(value, Symbol) and is_number(value))


def _body(
    staged: Staged, name: str, code: CodeType, recursion: Recursion, is_last: bool
) -> tuple[list[object], Block]:
    """Trace the function once: what it returns, and its body."""
    builder = current()
    recursion.room = builder.value(INT, "room")
    recursion.handed_on = set(recursion.specs)
    params, values = [recursion.room], dict(recursion.given)
    for name_, spec in recursion.specs.items():
        made = make_values(spec, name_)
        params += made
        values[name_] = recursion.params[name_] = decode(spec, iter(made), name_)
    frame = OpenFunction(name, builder.depth + 1, region=True, code=code, recursion=recursion)
    frame.spec = recursion.spec if is_last else None
    recursion.carried = carried = Carried(tuple(recursion.lists), is_last)
    for place, specs in recursion.lists.items():
        groups = [make_values(spec, f"list_{place}_{k}") for k, spec in enumerate(specs)]
        params += itertools.chain.from_iterable(groups)
        parts = (decode(spec, iter(group), name) for spec, group in zip(specs, groups, strict=True))
        carried.begin(place, tuple(parts))
    with sizes_may_agree(tracer().knowledge.agrees), items_outside():
        values_, nodes = region(lambda: invoke(staged, values), frame, carried)
    return values_, Block(tuple(params), tuple(nodes))


def _with_arrays(body: Block) -> Block:
    """The body, whose calls of itself tell which arrays they read and write."""
    nodes = list(walk(body))
    made = {*body.params, *(value for node in nodes for value in defined_by(node))}
    outer = dict.fromkeys(o for node in nodes for o in node.operands if is_array(o) and o not in made)
    own = {node.results[0] for node in nodes if node.results and not _hands_on(node)}
    views = {node.results[0]: node.operands[0] for node in nodes if is_view(node)}
    targets = (_looked_at(target, views) for node in nodes for target in writes(node))
    written = dict.fromkeys(target for target in targets if target not in own)
    others = any(target not in outer for target in written)  # parameters, or arrays by another name
    if others:
        written = outer
    return _replaced(body, tuple(written), tuple(array for array in outer if array not in written), others)


def _looked_at(value: Value, views: Mapping[Value, Operand]) -> Value:
    """The array that a view looks at, through all views."""
    while is_array(source := views.get(value, value)) and source is not value:
        value = source
    return value


def _hands_on(node: Node) -> bool:
    """Whether arrays that it results in may be there already."""
    return bool(node.regions) or is_view(node) or is_recursion(node)


def _replaced(block: Block, written: _Arrays, read: _Arrays, others: bool) -> Block:
    nodes = []
    for node in block.nodes:
        if is_recursion(node):
            given = tuple(operand for operand in node.operands if is_array(operand))
            write, arrays = (*written, *given) if others else written, (*written, *given, *read)
            attrs = {**node.attrs, "arrays": len(arrays), "written": len(write)}
            node = replace(node, operands=(*arrays, *node.operands), attrs=attrs)
        elif node.regions and not is_recursive_node(node):
            regions = tuple(_replaced(region, written, read, others) for region in node.regions)
            node = replace(node, regions=regions)
        nodes.append(node)
    return Block(block.params, tuple(nodes))


def _check(node: Node, name: str) -> None:
    """All of it has to be compiled: run by the driver it is slower than what it stands for."""
    if (reason := why_not(node, Options())) is not None:
        raise TraceError(f"{name} calls itself, and {reason}")
    if any(isinstance(operand.type, Object) for inner in walk(node.regions[0]) for operand in inner.operands):
        raise TraceError(f"{name} calls itself, and uses objects")
