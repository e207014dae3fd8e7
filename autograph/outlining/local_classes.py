"""Variables that may hold something of a class that the function itself defines.

Each call makes another class: a loop that gets such an object would be traced anew at each call.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from .uses import NONE, Names


def of_local_classes(tree: ast.AST) -> Names:
    """The classes that are defined in a function, and the names of what is made with them."""
    nodes = list(ast.walk(tree))
    found = frozenset(node.name for node in nodes if isinstance(node, ast.ClassDef))
    before = NONE
    given = [each for node in nodes for each in _given(node, tree)] if found else []
    while found != before:
        before = found
        found = found.union(*(names for values, names in given if _names(values) & found))
    return found


def _given(node: ast.AST, tree: ast.AST) -> Iterator[tuple[Iterable[ast.AST], Names]]:
    """Names, and the expressions that they get something of."""
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield [node.value] if node.value else [], _names(targets)
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield [node.iter], _names([node.target])
    elif isinstance(node, ast.withitem):
        yield [node.context_expr], _names([node.optional_vars] if node.optional_vars else [])
    elif isinstance(node, ast.FunctionDef) and node is not tree:
        yield node.body, frozenset({node.name})
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield node.args, _names([node.func.value])


def _names(nodes: Iterable[ast.AST]) -> Names:
    return frozenset(each.id for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name))
