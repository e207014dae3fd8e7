"""Values of their own: the same number or memory under a name that nothing else refers to.

Inside of a trace ``js.grad(h)(x)`` must not see what `h` reads of `x` in other ways, so `h` gets another
value for it. The node that makes it changes nothing (`attrs["alias"]`) and is dropped by the first pass;
with ``attrs["stop_gradient"]`` no gradient passes it either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ...graph.analysis.effects import Aliases, writes
from ...graph.gradients import WrongType
from ...graph.ir.nodes import Block, Graph, Node, Value, walk
from ...graph.ir.rewrite import defined_by
from ...graph.ir.types import Array
from ...graph.symbolic.alias import alias
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.symbols import Symbol
from ...graph.trace.budget import FOLLOWED
from ...graph.trace.build import TraceError, current
from ..attempt import attempt
from ..records import TracedRecord
from ..traced import Path
from ..tracer import Reference, tracer
from .copies import Copy, check_not_kept, check_unchanged
from .trees import Leaves, Tree, given_again, has_leaves


@dataclass(frozen=True, slots=True)
class Own:
    """What a call gave that had values of its own for the leaves of its arguments."""

    result: Any
    xs: list[Any]
    copies: list[Copy]
    """The containers that stood for those of its arguments."""


def own_values(
    run: Any, args: Sequence[Any], places: Sequence[int], trees: list[Tree], leaves: Leaves, fresh: bool
) -> Own:
    """Trace ``run(args)`` with values of its own for the leaves.

    Without `fresh`, nothing but the call refers to the leaves: what is written to them is written to theirs.
    """
    builder, start = current(), len(current().blocks[-1])
    if not fresh:
        for symbol, label in zip(leaves.symbols, leaves.labels, strict=True):
            if not isinstance(symbol, Symbol):
                raise WrongType(f"{label} is static: it is part of the program, and has no gradient")
    with attempt() as trial:
        xs = [s if not fresh and _is_alias(s) else alias(s) for s in leaves.symbols]
        result, copies = _lent(run, args, places, trees, leaves, xs)
        _refuse_wholes(builder.blocks[-1][start:], leaves)
        if fresh and written(builder.blocks[-1][start:], xs):
            trial.give_up()
        check_not_kept(copies, [result])
        return Own(result, xs, copies)
    # The memory is written to: differentiate for a copy, and hand the outcome over at the end.
    xs = [alias(s.copy() if isinstance(s, SymbolicArray) else s) for s in leaves.symbols]
    begun = len(builder.blocks[-1])
    result, copies = _lent(run, args, places, trees, leaves, xs)
    check_not_kept(copies, [result])
    touched = written(builder.blocks[-1][start:], xs)
    pairs = [(s, x) for s, x in zip(leaves.symbols, xs, strict=True) if isinstance(x, SymbolicArray)]
    changed = [symbol for symbol, copied in pairs if copied.operand() in touched]
    outer = [symbol for symbol, _ in pairs]
    if written(builder.blocks[-1][begun:], outer):  # where their copies don't hear of it
        raise TraceError(_ANOTHER_NAME)
    _refuse_other_names(builder.blocks[-1][begun:], result, changed, outer)
    for symbol, copied in pairs:
        if copied.operand() in touched:
            symbol[...] = copied
    return Own(result, xs, copies)


_ANOTHER_NAME = "an array that is differentiated for and written to has another name, too"


def _refuse_other_names(
    nodes: Sequence[Node], result: object, changed: Sequence[SymbolicArray], outer: Sequence[SymbolicArray]
) -> None:
    """The copies of `changed` are written to, so nothing else may have been in the memory of these arrays."""
    if not changed:
        return
    asked = {operand for node in walk(Block((), tuple(nodes))) for operand in node.operands}
    read = {o for o in asked if isinstance(o, Value) and isinstance(o.type, Array)}
    read |= {array.operand() for array in arrays_in(result)}
    values = [symbol.operand() for symbol in outer]
    aliases = Aliases(graph_so_far(read | set(values)))
    for symbol in changed:
        roots = aliases.roots(symbol.operand())
        others = [value for value in values if aliases.roots(value) & roots]
        if len(others) > 1 or any(aliases.roots(value) & roots for value in read):
            raise TraceError(_ANOTHER_NAME)


def arrays_in(value: object) -> Iterator[SymbolicArray]:
    """The arrays in tuples, lists, dicts and records of the trace's."""
    if isinstance(value, SymbolicArray):
        yield value
    elif isinstance(value, TracedRecord):
        yield from arrays_in(value.fields)
    elif isinstance(value, (tuple, list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from arrays_in(item)


def lent(run: Any, trees: list[Tree], leaves: Leaves, args: Sequence[Any]) -> Own:
    """Trace ``run(*args)`` with other names for the leaves; memory stays shared."""
    xs = [alias(s) if isinstance(s, Symbol) else s for s in leaves.symbols]
    places = [place for place, tree in enumerate(trees) if has_leaves(tree)]
    result, copies = _lent(run, args, places, [trees[place] for place in places], leaves, xs)
    return Own(result, [x for x in xs if isinstance(x, Symbol)], copies)


def _is_alias(symbol: Symbol) -> bool:
    """Whether an outer transform has made `symbol` a value of its own already."""
    value = symbol.operand()
    made = (node for block in current().blocks for node in block if value in node.results)
    return any(node.attrs.get("alias") for node in made)


def _lent(
    run: Any, args: Sequence[Any], places: Sequence[int], trees: list[Tree], leaves: Leaves, xs: list[Any]
) -> tuple[Any, list[Copy]]:
    """Run with `xs` in the places of the leaves, in containers and in records of the user's.

    Returns:
        The result, and the containers that stood for others meanwhile.
    """
    given, known = list(args), tracer().copies
    start = len(known)
    paths = [path for path in leaves.paths if path is not None]
    if len(set(paths)) < len(paths):
        raise TraceError("an object that is differentiated for is there twice")
    try:
        with _views_of(leaves.wholes) as others:
            for place, tree in zip(places, trees, strict=True):
                given[place] = given_again(tree, xs)
            others |= {path: x for path, x in zip(leaves.paths, xs, strict=True) if path is not None}
            others |= {path: given_again(tree, xs) for path, tree in leaves.inside}
            with _found_at(others):
                result = run(*given)
        check_unchanged(known[start:])
        return result, known[start:]
    finally:
        del known[start:]


def _refuse_wholes(nodes: Sequence[Node], leaves: Leaves) -> None:
    """What Python does with a record or list as a whole can't be followed to the numbers in it."""
    if not leaves.wholes:
        return
    known = tracer().values
    wholes = {known[whole.path] for whole in leaves.wholes if whole.path in known}
    found = [
        (operand.name, node)
        for node in walk(Block((), tuple(nodes)))
        for operand in node.operands
        if isinstance(operand, Value) and operand in wholes and not node.attrs.get("harmless")
    ]
    if found:
        raise _used_as_whole(*next((use for use in found if _changes(use[1])), found[0]))


_CHANGES = re.compile(
    r"del |operator\.i|\{0\}(\[.*\] = |\.(append|extend|insert|pop|clear|update|setdefault|sort)\()"
)


def _changes(node: Node) -> bool:
    """Whether the text of a node says that it changes a list or dict."""
    return _CHANGES.match(str(node.attrs.get("text", ""))) is not None


def _used_as_whole(name: str, node: Node) -> TraceError:
    """A container of what is differentiated for goes where derivatives can't follow."""
    if _changes(node):
        what = f"it changes '{name}', for which gradients are taken (make a new list or dict instead)"
    else:
        what = f"'{name}' is used as a whole by code that runs in Python"
        what += f" (lists and dicts of more than {FOLLOWED} items always are)"
    return TraceError(what, loc=node.loc)


@contextmanager
def _views_of(wholes: Sequence[Reference]) -> Iterator[dict[Path, Any]]:
    """While the function is traced, it has objects of its own in the place of these, and nobody else has."""
    views = tracer().views
    own = {whole.path: Reference(tracer(), whole.path, whole.value) for whole in wholes}
    before = {path: views.get(path) for path in own}
    views.update(own)
    try:
        yield dict(own)
    finally:
        for path, view in before.items():
            if view is None:
                del views[path]
            else:
                views[path] = view


@contextmanager
def _found_at(replaced: dict[Path, Any]) -> Iterator[None]:
    """While the function is traced, this is what stands at these paths."""
    wrapped = tracer().wrapped
    before = {path: wrapped[path] for path in replaced if path in wrapped}
    wrapped.update(replaced)
    try:
        yield
    finally:
        for path in replaced:
            del wrapped[path]
        wrapped.update(before)


def written(nodes: Sequence[Node], symbols: Iterable[object]) -> set[Value]:
    """Which of the arrays `symbols` are in memory that `nodes`, the last ones so far, write to."""
    arrays = {symbol.operand() for symbol in symbols if isinstance(symbol, SymbolicArray)}
    touched = [value for node in walk(Block((), tuple(nodes))) for value in writes(node)]
    if not arrays or not touched:
        return set()
    aliases = Aliases(graph_so_far(arrays))
    roots = {root for value in touched for root in aliases.roots(value)}
    return {array for array in arrays if aliases.roots(array) & roots}


def graph_so_far(extra: Iterable[Value] = ()) -> Graph:
    """What has been traced up to here, as if it were a function of all that the open blocks are given."""
    body = Block((), tuple(node for block in current().blocks for node in block))
    made = {value for node in walk(body) for value in defined_by(node)}
    used = {o for node in walk(body) for o in node.operands if isinstance(o, Value)}
    params = sorted((used | set(extra)) - made, key=lambda value: value.name)
    return Graph("", tuple(params), body)
