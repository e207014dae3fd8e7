"""What can't be staged is found before anything is changed, so that the reason names the user's own line."""

from __future__ import annotations

from typing import Any

import gast

from ..analysis.activity import local_names
from .context import Context

Node = Any

STATEMENTS = {
    "Try": "it has a `try` statement",
    "TryStar": "it has a `try` statement with `except*`",
    "ClassDef": "it defines a class",
    "Import": "it has an `import` statement",
    "ImportFrom": "it has an `import` statement",
    "Global": "it assigns to globals with `global`",
    "Nonlocal": "it assigns to the variables of an enclosing function with `nonlocal`",
    "Yield": "it is or contains a generator",
    "YieldFrom": "it is or contains a generator",
    "Await": "it is or contains a coroutine",
    "AsyncFunctionDef": "it is or contains a coroutine",
    "AsyncFor": "it is or contains a coroutine",
    "AsyncWith": "it is or contains a coroutine",
    "Match": "it has a `match` statement",
    "TypeAlias": "it has a `type` statement",
    "TemplateStr": "it has a template string",
    "Interpolation": "it has a template string",
}
# Functions that look at the frame that calls them: in staged code they would see another one.
FRAME_READERS = {"super", "locals", "globals", "eval", "exec", "vars", "dir", "__class__", "__import__"}


def check(function: Node, context: Context) -> Node:
    """Raise Unsupported for the first construct that has no staged form."""
    _Check(context).visit(function)
    return function


class _Check(gast.NodeVisitor):
    def __init__(self, context: Context) -> None:
        self.context = context
        self.locals: list[set[str]] = []

    def visit(self, node: Node) -> None:
        reason = STATEMENTS.get(type(node).__name__)
        if reason is not None:
            raise self.context.unsupported(reason, node)
        super().visit(node)

    def visit_FunctionDef(self, node: Node) -> None:
        if node.type_params:
            raise self.context.unsupported("it has type parameters", node)
        self.visit_Lambda(node)

    def visit_Lambda(self, node: Node) -> None:
        self.locals.append(set(local_names(node)))
        self.generic_visit(node)
        self.locals.pop()

    def visit_Name(self, node: Node) -> None:
        if node.id in FRAME_READERS and not any(node.id in names for names in self.locals):
            raise self.context.unsupported(f"it uses `{node.id}`, which looks at the frame it runs in", node)
        self.generic_visit(node)

    def visit_Raise(self, node: Node) -> None:
        if node.exc is None:
            raise self.context.unsupported("it raises an exception again with a bare `raise`", node)
        self.generic_visit(node)

    def visit_Delete(self, node: Node) -> None:
        if any(isinstance(target, gast.Attribute) for target in gast.walk(node) if _deleted(target)):
            raise self.context.unsupported("it deletes an attribute", node)
        self.generic_visit(node)

    def visit_comprehension(self, node: Node) -> None:
        if node.is_async:
            raise self.context.unsupported("it is or contains a coroutine", node.target)
        self.generic_visit(node)


def _deleted(node: Node) -> bool:
    return isinstance(getattr(node, "ctx", None), gast.Del)
