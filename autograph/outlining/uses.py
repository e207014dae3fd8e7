"""What a statement or an expression does with the names of the function that it stands in."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.GeneratorExp)
"""Scopes whose body may run later, when names have other values."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_AT_ONCE = (ast.ListComp, ast.SetComp, ast.DictComp)
SCOPES = (*LATER, *_AT_ONCE)
Names = frozenset[str]
NONE: Names = frozenset()


@dataclass(frozen=True)
class Uses:
    """The names that are read, surely bound at the end, bound perhaps, and deleted; in no order.

    Reads are taken to come first: what reads a name that it has bound itself counts as reading it.
    """

    read: Names = NONE
    bound: Names = NONE
    perhaps: Names = NONE
    deleted: Names = NONE

    def __or__(self, other: Uses) -> Uses:
        return Uses(
            self.read | other.read,
            self.bound | other.bound,
            self.perhaps | other.perhaps,
            self.deleted | other.deleted,
        )

    @property
    def changed(self) -> Names:
        """Names that may have another value, or none, afterwards."""
        return self.bound | self.perhaps | self.deleted


def uses_of(*nodes: ast.AST | None) -> Uses:
    """What expressions, targets and statements without blocks do; their nested scopes only read."""
    total = Uses()
    for node in nodes:
        if node is not None:
            total |= _uses(node)
    return total


def _uses(node: ast.AST) -> Uses:
    if isinstance(node, SCOPES):
        return _uses_of_scope(node)
    if isinstance(node, ast.Name):
        return _uses_of_name(node)
    if isinstance(node, ast.NamedExpr):  # which `and`, `or` and `if` may leave out
        return uses_of(node.value) | Uses(perhaps=frozenset({node.target.id}))
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        name = frozenset({node.target.id})
        return uses_of(node.value) | Uses(read=name, bound=name)
    if isinstance(node, ast.AnnAssign) and node.value is None and isinstance(node.target, ast.Name):
        return Uses()
    if isinstance(node, ast.ExceptHandler) and node.name:
        name = frozenset({node.name})
        return uses_of(*ast.iter_child_nodes(node)) | Uses(perhaps=name, deleted=name)
    if isinstance(node, ast.alias):
        return Uses(bound=frozenset({(node.asname or node.name).partition(".")[0]}))
    if isinstance(node, (ast.MatchAs, ast.MatchStar, ast.MatchMapping)):
        captured = node.rest if isinstance(node, ast.MatchMapping) else node.name
        own = Uses(bound=frozenset({captured} if captured else ()))
        return uses_of(*ast.iter_child_nodes(node)) | own
    return uses_of(*ast.iter_child_nodes(node))


def _uses_of_name(node: ast.Name) -> Uses:
    name = frozenset({node.id})
    if isinstance(node.ctx, ast.Store):
        return Uses(bound=name)
    return Uses(deleted=name) if isinstance(node.ctx, ast.Del) else Uses(read=name)


def _uses_of_scope(node: ast.AST) -> Uses:
    """A nested scope, seen from outside: it reads what is free in it; `def` and `class` bind their name."""
    named = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    own = frozenset({node.name}) if named else NONE  # type: ignore[attr-defined]
    outer = uses_of(*_evaluated_outside(node))
    inner = Uses(read=free_names(node), perhaps=_bound_from_inside(node))
    return outer | inner | Uses(bound=own)


def _evaluated_outside(node: ast.AST) -> Iterator[ast.AST]:
    """What the scope around evaluates: decorators, defaults, annotations, bases; the first iterable."""
    if isinstance(node, ast.ClassDef):
        yield from [*node.decorator_list, *node.bases, *node.keywords]
    elif isinstance(node, _FUNCTIONS):
        yield from [*node.args.defaults, *(each for each in node.args.kw_defaults if each)]
        if not isinstance(node, ast.Lambda):
            yield from node.decorator_list
            annotated = [*_arguments(node.args)]
            yield from [each.annotation for each in annotated if each.annotation]
            yield from [node.returns] if node.returns else []
    else:
        yield node.generators[0].iter  # type: ignore[attr-defined]


def _arguments(args: ast.arguments) -> list[ast.arg]:
    extra = [each for each in (args.vararg, args.kwarg) if each is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *extra]


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Names:
    """The names of a function's parameters."""
    return frozenset(each.arg for each in _arguments(function.args))


def _bound_from_inside(node: ast.AST) -> Names:
    """What `:=` in a comprehension binds outside of it."""
    if isinstance(node, _FUNCTIONS) or isinstance(node, ast.ClassDef):
        return NONE
    inside = (each for each in ast.walk(node) if isinstance(each, ast.NamedExpr))
    return frozenset(each.target.id for each in inside)


def free_names(node: ast.AST) -> Names:
    """The names that a nested scope reads, or binds with `nonlocal`, in a scope around it or globally."""
    parts = _inside(node)
    used = uses_of(*parts)
    rebound = declared(parts, ast.Nonlocal)
    if isinstance(node, ast.ClassDef):  # which reads a name outside as long as it hasn't bound it
        return used.read | rebound
    if not isinstance(node, _FUNCTIONS):
        return used.read - used.bound | _bound_from_inside(node)
    own = (used.changed | parameters(node)) - rebound
    return used.read - own - declared(parts, ast.Global) | rebound


def _inside(node: ast.AST) -> list[ast.AST]:
    """What is evaluated in a nested scope."""
    if isinstance(node, ast.Lambda):
        return [node.body]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return list(node.body)
    outside = list(_evaluated_outside(node))
    children: list[ast.AST] = []
    for child in ast.iter_child_nodes(node):
        inner = ast.iter_child_nodes(child) if isinstance(child, ast.comprehension) else [child]
        children += [each for each in inner if each not in outside]
    return children


def in_scope(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All that stands in `nodes` and in the same scope; nested scopes themselves, not what is inside."""
    todo = list(nodes)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, SCOPES):
            todo += ast.iter_child_nodes(node)
        else:
            todo += _evaluated_outside(node)


def declared(nodes: Iterable[ast.AST], kind: type[ast.Global] | type[ast.Nonlocal]) -> Names:
    """The names that `global` or `nonlocal` names in this scope."""
    return frozenset(name for node in in_scope(nodes) if isinstance(node, kind) for name in node.names)
