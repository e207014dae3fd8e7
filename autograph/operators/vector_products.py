"""`vjp` and `jvp`: the products of a function's Jacobian with a vector, from the left and from the right.

The product from the right is taken by going back twice: ``vjp(u)`` is linear in `u`, and its own derivative
in the direction of the tangents is the product wanted. Nothing of the value of `u` is left in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...graph.analysis.effects import Aliases
from ...graph.gradients import WrongType, gradients
from ...graph.ir.literals import literal
from ...graph.ir.nodes import Block, Node, Value, walk
from ...graph.ir.rewrite import Substitution, defined_by
from ...graph.ir.types import OBJECT, Array
from ...graph.symbolic.alias import alias
from ...graph.symbolic.arrays import SymbolicArray, symbol_for
from ...graph.symbolic.symbols import Symbol, SymbolicObject
from ...graph.trace.build import TraceError, current
from ..transforms import Transform
from .linear import (
    Linear,
    TransformedCall,
    chosen,
    linear,
    no_gradient,
    parted,
    results,
    seeds_for,
    typed,
    zero,
)
from .own_values import arrays_in, graph_so_far, written
from .returning import emit_return
from .trees import Tree, rebuilt

PULLBACK = "pullback"


@dataclass(eq=False)
class StagedPullback:
    """What `vjp` returns inside of a trace: from a cotangent of the result to those of the arguments."""

    linear: Linear
    tree: Tree
    ys: list[Any]

    def __call__(self, cotangent: Any) -> Any:
        seeds = seeds_for(self.tree, self.ys, cotangent, "the cotangent")
        return self.linear.structure(self.linear.gradients(self.ys, seeds), single=False)


def vjp(transform: Transform, call: TransformedCall) -> Any:
    """``value, pullback`` or ``value, pullback, aux``."""
    found = linear(call, chosen(transform, call), strict=False)
    value, aux = parted(found.result, transform.has_aux)
    tree, ys = results(value, strict=False)
    value, aux = found.shown(value, aux)
    if not call.fresh:
        pullback: Any = _closed(found, ys, (value, aux))
    else:  # the caller may write to the result before the pullback is called
        pullback = StagedPullback(found, tree, [y.copy() if isinstance(y, SymbolicArray) else y for y in ys])
    return (value, pullback, aux) if transform.has_aux else (value, pullback)


def _closed(found: Linear, ys: list[Any], shown: Any) -> SymbolicObject:
    """The pullback as an object of the run: a Python function of the cotangents of `ys`, one by one."""
    builder = current()
    types = [literal(y).type if not isinstance(y, Symbol) else y.type for y in ys]
    params = [builder.value(_own_layout(type_), f"bar{k or ''}") for k, type_ in enumerate(types)]
    with builder.region() as nodes:
        emit_return(found.structure(found.gradients(ys, list(map(symbol_for, params))), single=False))
    nodes = _kept(nodes, params, shown)
    (result,) = builder.emit(
        "call",
        (),
        (OBJECT,),
        {"name": PULLBACK, "closure": True},
        (Block(tuple(params), tuple(nodes)),),
        (PULLBACK,),
    )
    return SymbolicObject(result)


def _own_layout(type_: Any) -> Any:
    return Array(type_.dtype, type_.shape, "C") if isinstance(type_, Array) else type_


def _kept(nodes: list[Node], params: list[Value], shown: Any) -> list[Node]:
    """The nodes of the pullback, with copies of what somebody else could write to until it is called."""
    builder = current()
    block = Block((), tuple(nodes))
    made = {*params, *(value for node in walk(block) for value in defined_by(node))}
    used = dict.fromkeys(o for node in walk(block) for o in node.operands if isinstance(o, Value))
    arrays = [value for value in used if value not in made and isinstance(value.type, Array)]
    aliases = Aliases(graph_so_far(arrays))
    given = {root for value in _arrays(shown) for root in aliases.roots(value)}
    replaced = Substitution()
    for value in arrays:
        if not aliases.is_local(value) or aliases.roots(value) & given:
            replaced.values[value] = builder.one("copy", (value,), value.type, text='{0}.copy(order="K")')
    return [replaced.node(node) for node in nodes]


def _arrays(value: Any) -> list[Value]:
    """The arrays that a result shows to the caller."""
    if isinstance(value, (tuple, list)):
        return [array for item in value for array in _arrays(item)]
    if isinstance(value, dict):
        return [array for item in value.values() for array in _arrays(item)]
    return [value.operand()] if isinstance(value, SymbolicArray) else []


def jvp(transform: Transform, call: TransformedCall) -> Any:
    """``value, tangent``; the tangents of the arguments are the call's last argument."""
    *primals, tangents = call.args
    call = TransformedCall(call.run, tuple(primals), call.kwargs, call.names, call.fresh)
    places = range(transform.bound, len(primals))
    builder, start = current(), len(current().blocks[-1])
    found = linear(call, places, strict=False)
    if written(builder.blocks[-1][start:], arrays_in(tangents)):
        raise TraceError("it writes to an array that shares memory with a tangent", "copy the tangent")
    value, aux = parted(found.result, transform.has_aux)
    tree, ys = results(value, strict=False)
    names = [f"the tangent of {call.name(k)}" for k in places]
    if not isinstance(tangents, (tuple, list)) or len(tangents) != len(names):
        raise WrongType(f"jvp: the tangents are a tuple of {len(names)}, one for each argument")
    seeds: list[Any] = [None] * len(found.xs)
    for part, given, name in zip(found.trees, tangents, names, strict=True):
        for k, seed in enumerate(seeds_for(part, found.xs, given, name)):
            seeds[k] = seed if seeds[k] is None else seeds[k]
    tangent = rebuilt(tree, _forward(found, ys, seeds), no_gradient)
    value, aux = found.shown(value, aux)
    return (value, tangent, aux) if transform.has_aux else (value, tangent)


def _forward(found: Linear, ys: list[Any], seeds: list[Any]) -> list[Any]:
    """The derivatives of `ys` in the direction of `seeds`."""
    moving = [y for y in ys if isinstance(y, Symbol)]
    us = [_variable(y) for y in moving]
    back = gradients(moving, found.xs, us) if moving and found.xs else []
    pairs = [(g, s) for g, s in zip(back, seeds, strict=False) if isinstance(g, Symbol)]
    again = gradients([g for g, _ in pairs], us, [s for _, s in pairs]) if pairs else [None] * len(us)
    by_result = dict(zip(map(id, moving), again, strict=True))
    answers = [by_result.get(id(y)) for y in ys]
    return [zero(y) if a is None else typed(a, y) for a, y in zip(answers, ys, strict=True)]


def _variable(y: Any) -> Any:
    """Something of the type of `y` that can be differentiated for; nobody needs its value."""
    nothing = zero(y)
    return nothing if isinstance(nothing, Symbol) else alias(nothing)
