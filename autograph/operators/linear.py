"""A function traced and ready for the reverse pass: what its derivatives are taken of, and for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...graph.gradients import WrongType, gradients
from ...graph.ir.nodes import Node, Operand
from ...graph.ir.types import Array, Object, Scalar
from ...graph.symbolic import numpy_functions
from ...graph.symbolic.arith import type_of
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.scalar_methods import convert, to_numpy
from ...graph.symbolic.symbols import Symbol, SymbolicObject, SymbolicScalar
from ...graph.trace.build import TraceError, current
from ..records import known_items, read_field
from ..tracer import Reference, tracer
from ..transforms import Transform
from .copies import Copy, handed_back
from .own_values import own_values
from .trees import Branch, Constant, Entries, Fields, Leaf, Leaves, Tree, named_type, rebuilt


@dataclass(eq=False)
class TransformedCall:
    """One call that is to be transformed: what it runs, with which arguments, and what they are called.

    `fresh`: the arguments may be read from elsewhere, so that derivatives need values of their own.
    """

    run: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    names: tuple[str, ...]
    fresh: bool = True

    def name(self, place: int) -> str:
        """What the user calls the positional argument at `place`."""
        return f"argument {self.names[place]!r}" if place < len(self.names) else f"argument {place}"

    def __call__(self, *args: Any) -> Any:
        return self.run(*args, **self.kwargs)


@dataclass(eq=False)
class Linear:
    """The result of a call, and the leaves of the arguments that are differentiated for."""

    result: Any
    trees: list[Tree]
    leaves: Leaves
    xs: list[Any]
    copies: list[Copy]

    def shown(self, *parts: object) -> Iterator[object]:
        """Parts of the result, as the caller gets them: with the caller's own lists and dicts in them."""
        return (handed_back(part, self.copies) for part in parts)

    def gradients(self, ys: Sequence[Any], seeds: Sequence[Any] | None = None) -> list[Any]:
        """The gradients of `ys` for every leaf, each of its leaf's type."""
        pairs = [(y, None if seeds is None else seeds[k]) for k, y in enumerate(ys) if isinstance(y, Symbol)]
        if not self.xs or not pairs:
            return [zero(x) for x in self.xs]
        given = None if seeds is None else [seed for _, seed in pairs]
        found = gradients([y for y, _ in pairs], self.xs, given, unconnected_gradients="zero")
        return [typed(g, x) for g, x in zip(found, self.xs, strict=True)]

    def structure(self, found: Sequence[Any], single: bool) -> Any:
        """Gradients in the structure of the arguments; ints and bools, where they are let in, have None."""
        parts = tuple(rebuilt(tree, found, no_gradient) for tree in self.trees)
        return parts[0] if single else parts


def no_gradient(constant: Constant) -> Any:
    """What stands in gradients for what has none."""
    return None if constant.number else constant.value


def linear(call: TransformedCall, places: Sequence[int], strict: bool) -> Linear:
    """Trace the call with values of its own for the leaves of the arguments at `places`."""
    leaves = Leaves(strict)
    trees = {place: leaves.tree(call.args[place], call.name(place)) for place in dict.fromkeys(places)}
    for place, tree in trees.items():
        if strict and isinstance(tree, Constant) and tree.value is not None:
            raise WrongType(f"{call.name(place)} is {named_type(tree.value)}, which holds no numbers")
    tracer().differentiating += 1
    try:
        own = own_values(call, call.args, tuple(trees), list(trees.values()), leaves, call.fresh)
    finally:
        tracer().differentiating -= 1
    return Linear(own.result, [trees[place] for place in places], leaves, own.xs, own.copies)


def chosen(transform: Transform, call: TransformedCall) -> tuple[int, ...]:
    """The positional arguments that are differentiated for."""
    count = len(call.args)
    for place in transform.numbers:
        if place >= count:
            raise WrongType(
                f"{transform.kind}: argnums={place}, but the call has {count} positional arguments"
            )
    return transform.numbers


def parted(result: Any, has_aux: bool) -> tuple[Any, Any]:
    """The value and what came with it."""
    if not has_aux:
        return result, None
    if type(result) is not tuple or len(result) != 2:
        raise WrongType("with has_aux=True the function returns a pair: (value, aux)")
    return result[0], result[1]


def _made_by_python(result: SymbolicObject, name: str) -> TraceError:
    """What is called `name` comes from Python code, where derivatives can't be followed."""
    node = _origin(result.operand())
    text = "" if node is None else node.attrs.get("text", "")
    where = f"code that runs in Python ({_SLOT.sub('_', text)})" if text else "code that runs in Python"
    if text == "[]":
        where = "a list that is filled in a loop (write into an array instead, or make the loop shorter)"
    loc = None if node is None else node.loc
    return TraceError(f"{name} comes from {where}, which can't be followed", loc=loc)


_SLOT = re.compile(r"\{\d+\}")


def _origin(value: Operand) -> Node | None:
    """The first of the opaque operations that `value` was made by."""
    made = {result: node for block in current().blocks for node in block for result in node.results}
    node = made.get(value)  # type: ignore[arg-type]
    while node is not None:
        before = [made[o] for o in node.operands if o in made and isinstance(o.type, Object)]
        if not before:
            return node
        node = before[0]
    return None


def results(value: Any, strict: bool = True) -> tuple[Tree, list[Any]]:
    """The numbers and arrays of a result, which are differentiated."""
    leaves = Leaves(strict, what="gradients are defined")
    return leaves.tree(value, "its result"), leaves.symbols


def scalar_result(value: Any, kind: str) -> Any:
    """The one real number that a gradient is taken of."""
    if isinstance(value, SymbolicObject):
        raise _made_by_python(value, "its result")
    tree, symbols = results(value)
    wanted = f"{kind} is defined for functions with a real scalar result, this one returns"
    if not isinstance(tree, Leaf):
        raise WrongType(f"{wanted} {_noun(value)}")
    type_ = type_of(symbols[0])
    assert isinstance(type_, Scalar | Array)
    if isinstance(type_, Array) and type_.ndim:
        axes = f"{type_.ndim} dimension{'s' if type_.ndim > 1 else ''}"
        raise WrongType(f"{wanted} an array of {axes}; js.jacobian differentiates arrays")
    if type_.dtype.kind == "c":
        raise WrongType(f"{wanted} a complex number; take its real part, or abs(...) ** 2")
    return symbols[0]


def _noun(value: Any) -> str:
    kind = next((k for k in (tuple, list, dict) if isinstance(value, k)), type(value))
    return "None" if value is None else f"a {kind.__name__}"


def seeds_for(tree: Tree, leaves: Sequence[Any], given: Any, name: str) -> list[Any]:
    """The numbers of `given`, which has the structure of `tree`: one for each leaf, of its shape.

    Raises:
        WrongType: `given` has another structure, or something in it another shape.
    """
    found: list[Any] = [None] * len(leaves)
    match_leaves(tree, leaves, given, name, found)
    return found


def match_leaves(tree: Tree, leaves: Sequence[Any], given: Any, name: str, found: list[Any]) -> None:
    """Put the parts of `given` that stand where the leaves of `tree` do into `found`; None is zeros."""
    if isinstance(tree, Leaf):
        found[tree.place] = seed(leaves[tree.place], given, name)
    elif given is None and isinstance(tree, Branch | Entries | Fields):
        for part in tree.items if isinstance(tree, Branch) else tree.items.values():
            match_leaves(part, leaves, None, name, found)
    elif isinstance(tree, Branch):
        items = known_items(given) if isinstance(given, Symbol) else given
        if not isinstance(items, (tuple, list)) or len(items) != len(tree.items):
            raise WrongType(f"{name} is no {_noun(tree.source)[2:]} of {len(tree.items)}")
        for k, (part, item) in enumerate(zip(tree.items, items, strict=True)):
            match_leaves(part, leaves, item, f"{name}[{k}]", found)
    elif isinstance(tree, Entries):
        if not isinstance(given, dict) or given.keys() != tree.items.keys():
            raise WrongType(f"{name} is no dict with the keys {list(tree.items)}")
        for key, part in tree.items.items():
            match_leaves(part, leaves, given[key], f"{name}[{key!r}]", found)
    elif isinstance(tree, Fields):
        for key, part in tree.items.items():
            item = read_field(given, key) if isinstance(given, Reference) else getattr(given, key)
            match_leaves(part, leaves, item, f"{name}.{key}", found)
    elif given is not None and given is not tree.value and _is_foreign(tree.value):
        raise WrongType(f"{name} has numbers that can't be followed: hand None for {named_type(tree.value)}")


def _is_foreign(value: object) -> bool:
    """Whether it is an object of the user's, in which there may be numbers."""
    return isinstance(value, Reference) and not callable(value.value)


def seed(leaf: Any, given: Any, name: str) -> Any:
    """`given` as a cotangent or tangent of `leaf`; None is zero."""
    if given is None:
        return zero(leaf)
    wanted, type_ = type_of(leaf), type_of(given)
    assert isinstance(wanted, Scalar | Array)
    if isinstance(given, SymbolicObject):
        raise _made_by_python(given, name)
    if not isinstance(type_, Scalar | Array):
        raise WrongType(f"{name} is no number or array")
    shape = leaf.shape_sizes if isinstance(leaf, SymbolicArray) else ()
    own = given.shape_sizes if isinstance(given, SymbolicArray) else ()
    same = len(shape) == len(own) and all(current().same_size(a, b) for a, b in zip(shape, own, strict=True))
    if not same:
        raise WrongType(f"{name} has another shape than what it stands beside ({type_}, {wanted})")
    if type_.dtype.kind == "c" and wanted.dtype.kind != "c":
        raise WrongType(f"{name} is complex, what it stands beside is real")
    if isinstance(given, SymbolicArray) and given.dtype != wanted.dtype:
        return given.astype(wanted.dtype)
    return given


def zeros(shape: tuple[Any, ...], dtype: np.dtype) -> Any:
    """A new array; NumPy itself doesn't see that a shape is symbolic."""
    return numpy_functions.call(np.zeros, (shape, dtype), {})


def zero(x: Any) -> Any:
    """Nothing, of the type of `x`."""
    type_ = type_of(x)
    if isinstance(type_, Array):
        return zeros(x.shape, type_.dtype)
    assert isinstance(type_, Scalar)
    nothing = type_.dtype.type(0)
    return nothing.item() if type_.is_python else nothing


def typed(gradient: Any, x: Any) -> Any:
    """A gradient as a value of its leaf's own type: the gradient of a Python float is a Python float."""
    wanted, found = type_of(x), type_of(gradient)
    if isinstance(wanted, Array):
        return gradient if isinstance(found, Array) else numpy_functions.call(np.asarray, (gradient,), {})
    if found == wanted:
        return gradient
    assert isinstance(wanted, Scalar)
    if not isinstance(gradient, Symbol):
        number = wanted.dtype.type(gradient)
        return number.item() if wanted.is_python else number
    assert isinstance(gradient, SymbolicScalar)
    return convert(gradient, wanted) if wanted.is_python else to_numpy(gradient, wanted.dtype)
