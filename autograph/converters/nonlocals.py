"""Variables that functions inside assign with `nonlocal`.

    count = 0                       count = 0
    def visit(k):                   count_box = ag.new_box(count, 'count')
        nonlocal count      →       def visit(k):
        count += 1                      count_box[0] += 1
    visit(3)                        visit(3)
    return count                    return count_box[0]

A list of one item is what both functions see, and a loop or a branch carries it like any other list. So it
goes with a variable that is bound for sure where the first function or generator is made that sees it, and
that assignments alone bind from there on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from ..analysis.activity import CAPTURE, body_of, events, local_names, parameters, written
from .context import Context, assign, constant, load, place, store

Node = Any
_FUNCTIONS = (gast.FunctionDef, gast.Lambda)
_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def convert(function: Node, context: Context) -> Node:
    """Put variables that functions inside assign into boxes; the rest of the declarations assign nothing."""
    for scope, name in dict.fromkeys((owner, name) for _, name, owner in _assigned_outside(function)):
        _box(scope, name, context)
    return _Declarations().visit(function)


def may_be_boxed(function: Node, declared: Node) -> bool:
    """Whether each variable that is assigned because of this `nonlocal` can be in a box."""
    owners = ((owner, name) for each, name, owner in _assigned_outside(function) if each is declared)
    return all(owner is not None and _can_be(owner, name) for owner, name in owners)


def _assigned_outside(scope: Node, around: tuple[Node, ...] = ()) -> Iterator[tuple[Node, str, Node]]:
    """What functions assign outside of themselves: the `nonlocal`, a name, and whose variable it is.

    That is None where it is one of a function around the outermost one.
    """
    assigned = written(body_of(scope))
    for node in _statements(scope):
        for name in node.names:
            if name in assigned:
                yield node, name, next((each for each in reversed(around) if name in _own(each)), None)
    for inner in _in_scope(body_of(scope)):
        if isinstance(inner, _FUNCTIONS):
            yield from _assigned_outside(inner, (*around, scope))


def _own(function: Node) -> set[str]:
    """The function's own variables."""
    return set(local_names(function)).difference(*(node.names for node in _statements(function)))


def _statements(scope: Node) -> list[Node]:
    """The scope's own `nonlocal`."""
    return [node for node in _in_scope(body_of(scope)) if isinstance(node, gast.Nonlocal)]


def _in_scope(nodes: list[Node]) -> Iterator[Node]:
    """All that stands in the scope; of functions inside, themselves."""
    for node in nodes:
        yield node
        if not isinstance(node, _FUNCTIONS):
            yield from _in_scope(list(gast.iter_child_nodes(node)))


def _can_be(scope: Node, name: str) -> bool:
    """Whether the variable is bound where the box is made, and from there on only by assignments."""
    at = _first_mention(scope, name)
    is_bound = name in parameters(scope) or any(_binds(statement, name) for statement in scope.body[:at])
    names = [node for statement in scope.body[at:] for node in _mentions(statement, name)]
    everywhere = [node for statement in scope.body for node in gast.walk(statement)]
    targets = {target for node in everywhere for target in _targets(node)}
    return (
        is_bound
        and all(isinstance(node.ctx, gast.Load) or node in targets for node in names)
        and not any(_binds_otherwise(node, name) for node in everywhere)
    )


def _first_mention(scope: Node, name: str) -> int:
    """The place of the first statement in which something is made that sees the variable later."""
    for at, statement in enumerate(scope.body):
        captured = any(event.kind == CAPTURE and event.name == name for event in events(statement))
        if captured or any(
            isinstance(node, gast.Nonlocal) and name in node.names for node in gast.walk(statement)
        ):
            return at
    return len(scope.body)


def _binds(statement: Node, name: str) -> bool:
    """Whether the variable is bound for sure behind the statement."""
    if isinstance(statement, gast.If):
        return all(any(_binds(each, name) for each in way) for way in (statement.body, statement.orelse))
    return any(target.id == name for target in _targets(statement)) and not isinstance(
        statement, gast.AugAssign
    )


def _targets(node: Node) -> Iterator[Node]:
    """The names that an assignment binds, but for those behind a star."""
    found = node.targets if isinstance(node, gast.Assign) else []
    if isinstance(node, (gast.AugAssign, gast.AnnAssign)) and getattr(node, "value", None) is not None:
        found = [node.target]
    todo = list(found)
    while todo:
        target = todo.pop()
        if isinstance(target, (gast.Tuple, gast.List)):
            todo += target.elts
        elif isinstance(target, gast.Name):
            yield target


def _binds_otherwise(node: Node, name: str) -> bool:
    """Whether it binds or deletes a variable of this name, wherever, in a way that no item can stand for."""
    if isinstance(node, gast.NamedExpr):
        return bool(node.target.id == name)
    if isinstance(node, gast.Delete):
        return any(getattr(target, "id", None) == name for target in node.targets)
    if isinstance(node, gast.alias):
        return name in (node.asname, node.name.split(".")[0])
    named = getattr(node, "name", None)  # of functions and classes, and of what is caught
    return getattr(named, "id", named) == name


def _mentions(node: Node, name: str) -> Iterator[Node]:
    """The names in the scope and inside it that mean its variable."""
    if isinstance(node, gast.Name):
        if node.id == name:
            yield node
    elif isinstance(node, _FUNCTIONS):
        for each in _outside_of(node):
            yield from _mentions(each, name)
        yield from _seen_in(node, name)
    elif isinstance(node, _COMPREHENSIONS):
        yield from _mentions(node.generators[0].iter, name)
        bound = {each.id for generator in node.generators for each in _stored(generator.target)}
        if name not in bound:
            first = node.generators[0].iter
            for each in gast.iter_child_nodes(node):
                parts = gast.iter_child_nodes(each) if isinstance(each, gast.comprehension) else [each]
                for part in parts:
                    if part is not first:
                        yield from _mentions(part, name)
    else:
        for each in gast.iter_child_nodes(node):
            yield from _mentions(each, name)


def _seen_in(function: Node, name: str) -> Iterator[Node]:
    """The names inside of a function that mean a variable of this name outside of it."""
    if name not in _own(function):
        for each in body_of(function):
            yield from _mentions(each, name)


def _outside_of(function: Node) -> list[Node]:
    """What is evaluated where the function is made."""
    decorators = function.decorator_list if isinstance(function, gast.FunctionDef) else []
    return [*decorators, *(each for each in [*function.args.defaults, *function.args.kw_defaults] if each)]


def _stored(target: Node) -> Iterator[Node]:
    return (node for node in gast.walk(target) if isinstance(node, gast.Name))


def _box(scope: Node, name: str, context: Context) -> None:
    """Make the box before the first function that sees the variable, and read and assign its item."""
    at, box = _first_mention(scope, name), context.fresh(f"{name}_box")
    items = _Items(box, {node for statement in scope.body[at:] for node in _mentions(statement, name)})
    made = assign(store(box), context.call("new_box", load(name), constant(name)))
    place(made, scope.body[at])
    scope.body[at:] = [made, *map(items.visit, scope.body[at:])]


class _Declarations(gast.NodeTransformer):
    """Nothing is assigned outside any more: what a function reads there it finds by itself."""

    def visit_Nonlocal(self, node: Node) -> Node:
        nothing = gast.Pass()
        place(nothing, node)
        return nothing

    visit_Global = visit_Nonlocal


class _Items(gast.NodeTransformer):
    """`box[0]` in place of a variable that is in a box."""

    def __init__(self, box: str, names: set[Node]) -> None:
        self.box, self.names = box, names

    def visit_AnnAssign(self, node: Node) -> Node:
        if node.target not in self.names:
            return self.generic_visit(node)
        made = assign(node.target, node.value)
        place(made, node)
        return self.visit(made)

    def visit_Name(self, node: Node) -> Node:
        if node not in self.names:
            return node
        item = gast.Subscript(load(self.box), constant(0), node.ctx)
        place(item, node)
        return item
