"""What can't be staged is found before anything is changed, so that the reason names the user's own line."""

from __future__ import annotations

from typing import Any

import gast

from ..analysis.activity import local_names
from ..source import GENERATOR, HAS_TRY
from .context import Context
from .nonlocals import may_be_boxed
from .tries import may_be_followed

Node = Any

_MOVE = "write it outside of the function"
_RETURN = "take the old value as an argument and return the new one"
STATEMENTS = {
    "Try": HAS_TRY,
    "TryStar": (f"{HAS_TRY[0]} with `except*`", HAS_TRY[1]),
    "ClassDef": ("it defines a class", _MOVE),
    "Global": ("it assigns to globals with `global`", _RETURN),
    "Nonlocal": ("it assigns to the variables of an enclosing function with `nonlocal`", _RETURN),
    "Yield": ("it is or contains a generator", GENERATOR),
    "YieldFrom": ("it is or contains a generator", GENERATOR),
    "Await": ("it is or contains a coroutine", GENERATOR),
    "AsyncFunctionDef": ("it is or contains a coroutine", GENERATOR),
    "AsyncFor": ("it is or contains a coroutine", GENERATOR),
    "AsyncWith": ("it is or contains a coroutine", GENERATOR),
    "Match": ("it has a `match` statement", "write it with `if` and `elif`"),
    "TypeAlias": ("it has a `type` statement", _MOVE),
    "TemplateStr": ("it has a template string", _MOVE),
    "Interpolation": ("it has a template string", _MOVE),
}
# Functions that look at the frame that calls them: in staged code they would see another one.
FRAME_READERS = {"super", "locals", "globals", "eval", "exec", "vars", "dir", "__class__", "__import__"}


def check(function: Node, context: Context) -> Node:
    """Raise Unsupported for the first construct that has no staged form."""
    _Check(context, function).visit(function)
    return function


class _Check(gast.NodeVisitor):
    def __init__(self, context: Context, function: Node) -> None:
        self.context, self.function = context, function
        self.locals: list[set[str]] = []

    def visit(self, node: Node) -> None:
        found = STATEMENTS.get(type(node).__name__)
        if found is not None and not self._has_staged_form(node):
            reason, attempt = found
            raise self.context.unsupported(reason, node, attempt)
        super().visit(node)

    def _has_staged_form(self, node: Node) -> bool:
        if isinstance(node, gast.Nonlocal):
            return may_be_boxed(self.function, node)
        if isinstance(node, gast.Global):
            return not (self._own() | self.context.free).intersection(node.names)
        return isinstance(node, gast.Try) and may_be_followed(node, self._own())

    def _own(self) -> set[str]:
        return set().union(*self.locals)

    def visit_ImportFrom(self, node: Node) -> None:
        if node.level or any(alias.name == "*" for alias in node.names):
            raise self.context.unsupported("it has a relative `import`", node, _MOVE)

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
