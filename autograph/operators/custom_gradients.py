"""What users say about gradients themselves: `custom_gradient`, `stop_gradient`, `checkpoint`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...graph.analysis.effects import Aliases, writes
from ...graph.gradients import WrongType, is_floating
from ...graph.ir.literals import literal
from ...graph.ir.nodes import Block, Node, Operand, Value, walk
from ...graph.ir.rewrite import defined_by
from ...graph.symbolic.alias import alias
from ...graph.symbolic.arith import operand
from ...graph.symbolic.arrays import SymbolicArray, symbol_for
from ...graph.symbolic.symbols import Symbol
from ...graph.trace.build import TraceError, current
from ..tracer import in_trace, tracer
from ..transforms import Transform
from .copies import handed_back
from .exits import Leave
from .growing import kept
from .linear import TransformedCall, match_leaves, seed, typed, zero
from .own_values import graph_so_far, lent
from .trees import Branch, Constant, Entries, Leaf, Leaves, Tree, standing_for


def stop_gradient(value: Any) -> Any:
    """`value`, as a constant to all derivatives."""
    leaves = Leaves(strict=False)
    tree = leaves.tree(value, "the argument of stop_gradient")
    stopped = [alias(x, stop_gradient=True) if isinstance(x, Symbol) else x for x in leaves.symbols]
    return standing_for(tree, stopped) if leaves.symbols else value


def checkpointed(transform: Transform, call: TransformedCall) -> Any:
    """The call itself; loops that it makes keep few of their states for the reverse pass."""
    attributes = current().attributes
    before = attributes.get("checkpoint", False)
    attributes["checkpoint"] = True
    try:
        return call(*call.args)
    finally:
        attributes["checkpoint"] = before


def custom_gradient(transform: Transform, call: TransformedCall) -> Any:
    """The value of the call; its gradients are what the function that came with it says."""
    given = Leaves(strict=False)
    trees = [given.tree(arg, call.name(k)) for k, arg in enumerate(call.args)]
    builder, start = current(), len(current().blocks[-1])
    own = lent(call, trees, given, call.args)
    if type(own.result) is not tuple or len(own.result) != 2:
        raise WrongType("a function with a custom gradient returns a pair: (value, gradient function)")
    value, rule = own.result
    value = handed_back(value, own.copies)
    leaves = Leaves(strict=False)
    tree = leaves.tree(value, "its result")
    if not leaves.symbols:
        return value
    ys, xs = [operand(y) for y in leaves.symbols], [operand(x) for x in given.symbols]
    others = _read_elsewhere(builder.blocks[-1][start:], ys, [x.operand() for x in own.xs])
    params = [builder.value(y.type, f"bar{k or ''}") for k, y in enumerate(ys)]
    with builder.region() as nodes, kept() as check_lists:
        try:
            answers = call_here(rule, *map(symbol_for, params))
            check_lists()
        except Leave:  # it raises, whatever it is given
            nodes[:] = [
                Node("if", (literal(True),), (), {}, (Block((), tuple(nodes)), _NOTHING), nodes[-1].loc)
            ]
            answers = tuple(None for _ in trees)
        _check_writes(nodes, params)
        builder.emit("yield", _operands(answers, trees, given))
    outputs = builder.emit(
        "custom_gradient",
        (*ys, *xs, *others),
        [y.type for y in ys],
        {"outputs": len(ys), "others": len(others)},
        (Block(tuple(params), tuple(nodes)),),
    )
    return standing_for(
        tree, [_same_kind(new, old) for new, old in zip(outputs, leaves.symbols, strict=True)]
    )


def _check_writes(nodes: Sequence[Node], params: Sequence[Value]) -> None:
    """The rule runs in the reverse pass, where others still read what was there before it."""
    block = Block(tuple(params), tuple(nodes))
    touched = [value for node in walk(block) for value in writes(node)]
    if touched:
        own = {*params, *(value for node in walk(block) for value in defined_by(node))}
        aliases = Aliases(graph_so_far())
        if any(not aliases.roots(value) <= own for value in touched):
            raise TraceError("a gradient function writes to an array that it didn't make")


_NOTHING = Block((), (Node("yield"),))


def _read_elsewhere(nodes: Sequence[Node], ys: Sequence[Operand], own: Sequence[Operand]) -> list[Value]:
    """What the numbers `ys`, made by `nodes`, depend on beside the arguments, which are `own` there.

    The rule doesn't speak of that: to differentiate for it would give a wrong gradient, silently.
    """
    made = {value for node in walk(Block((), tuple(nodes))) for value in defined_by(node)}
    needed, found = set(ys), dict.fromkeys(value for value in ys if value not in made)
    for node in reversed(nodes):
        if any(result in own for result in node.results):
            continue
        if not (node.regions or writes(node) or needed.intersection(node.results)):
            continue
        for inner in walk(Block((), (node,))):
            needed.update(inner.operands)
            found.update(dict.fromkeys(value for value in inner.operands if value not in made))
    return [value for value in found if isinstance(value, Value) and is_floating(value)]


def call_here(function: Any, *args: Any) -> Any:
    """A call of traced code, or a plain one where nothing is converted."""
    return tracer().operators.call(function, *args) if in_trace() else function(*args)


def _same_kind(value: Value, model: Any) -> Any:
    return symbol_for(value, order=model.order) if isinstance(model, SymbolicArray) else symbol_for(value)


def _operands(answers: Any, trees: list[Tree], given: Leaves) -> list[Operand]:
    """What a gradient function returned: a gradient for each argument, or for each number in them."""
    xs, names = given.symbols, [f"the gradient of {label}" for label in given.labels]
    if isinstance(answers, (tuple, list)) and len(answers) == len(trees):
        found: list[Any] = [None] * len(xs)
        for k, (tree, answer) in enumerate(zip(trees, answers, strict=True)):
            match_leaves(tree, xs, answer, f"gradient {k} of the gradient function", found)
    elif len(trees) == 1 and _fits(trees[0], answers):
        found = [None] * len(xs)
        match_leaves(trees[0], xs, answers, "the gradient of the gradient function", found)
    else:
        found = _flat(answers)
        if len(found) != len(xs):
            raise WrongType(f"the gradient function returns {len(found)} gradients for {len(xs)} arguments")
        found = [seed(x, g, name) for x, g, name in zip(xs, found, names, strict=True)]
    return [operand(zero(x) if g is None else typed(g, x)) for x, g in zip(xs, found, strict=True)]


def _fits(tree: Tree, answer: object) -> bool:
    """Whether the one argument's gradient is in the argument's own structure."""
    if answer is None or isinstance(tree, Leaf | Constant):
        return not isinstance(answer, (tuple, list, dict))
    if isinstance(tree, Branch):
        items = answer if isinstance(answer, (tuple, list)) else ()
        return len(items) == len(tree.items) and all(map(_fits, tree.items, items))
    if isinstance(tree, Entries):
        if not isinstance(answer, dict) or answer.keys() != tree.items.keys():
            return False
        return all(_fits(item, answer[key]) for key, item in tree.items.items())
    return not isinstance(answer, (tuple, list, dict))


def _flat(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in _flat(item)]
    if isinstance(value, dict):
        raise WrongType("the gradient function returns a dict, but its argument has no such keys")
    return [value]
