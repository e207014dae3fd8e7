"""Staged code as text: gast → ast → the standard library's printer, the user's lines woven in as comments.

After conversion only `def` and `with` hold statements; all else is one statement a line, which may be wrapped.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

import gast

WIDTH = 110


def to_ast(node: Any) -> ast.AST:
    """A gast tree as a tree of the standard library."""
    return gast.gast_to_ast(node)


def unparse(tree: ast.AST) -> str:
    """The text of any tree; constants read back to the same bits."""
    return ast.unparse(ast.fix_missing_locations(_Constants().visit(tree)))


def staged_text(function: ast.FunctionDef, lines: tuple[str, ...], filename: str) -> str:
    """The text of a staged function: a header with its origin, comments with the user's lines."""
    printed = _Printer(lines)
    body = list(printed.statement(function, ""))
    return "\n".join([f"# {PurePath(filename).name}:{function.lineno}", *body]) + "\n"


class _Constants(ast.NodeTransformer):
    """Numbers that the printer gets wrong become expressions that it gets right."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        value = node.value
        if isinstance(value, bool):
            return node
        if isinstance(value, int):
            return _integer(value)
        if isinstance(value, float):
            return _real(value)
        if isinstance(value, complex):
            if str(value.real) == "0.0" and math.copysign(1.0, value.imag) > 0 and not math.isnan(value.imag):
                return node
            return _call("complex", _real(value.real), _real(value.imag))
        return node


def _integer(value: int) -> ast.expr:
    if value < 0:
        return ast.UnaryOp(ast.USub(), _integer(-value))
    if value.bit_length() > 4000:  # Python refuses to print integers of more than 4300 digits
        return _call("int", ast.Constant(hex(value)), ast.Constant(16))
    return ast.Constant(value)


def _real(value: float) -> ast.expr:
    if math.isnan(value):
        return _call("float", ast.Constant("nan"))
    if math.copysign(1.0, value) < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def _call(name: str, *args: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


class _Printer:
    """Prints statement by statement; each user line is quoted once, where its first statement is."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        self.lines = lines
        self.quoted: set[int] = set()

    def statement(self, node: ast.stmt, indent: str) -> Iterator[str]:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                yield f"{indent}@{ast.unparse(decorator)}"
            yield self.comment(f"{indent}def {node.name}({ast.unparse(node.args)}):", node)
            yield from self.block(node.body, indent + "    ")
        elif isinstance(node, ast.With):
            items = ", ".join(ast.unparse(item) for item in node.items)
            yield self.comment(f"{indent}with {items}:", node)
            yield from self.block(node.body, indent + "    ")
        else:
            yield from self.simple(node, indent)

    def block(self, statements: list[ast.stmt], indent: str) -> Iterator[str]:
        for statement in statements:
            yield from self.statement(statement, indent)

    def simple(self, node: ast.stmt, indent: str) -> Iterator[str]:
        first, *rest = ast.unparse(node).split("\n")
        yield self.comment(indent + first, node)
        # Only strings span lines here, and what is inside a string must stay as it is.
        yield from rest

    def comment(self, line: str, node: ast.stmt) -> str:
        """The line, with the user's line after it unless that says the same."""
        if node.lineno in self.quoted or node.lineno > len(self.lines) or '"""' in line or "'''" in line:
            return line
        self.quoted.add(node.lineno)
        user = self.lines[node.lineno - 1].strip()
        return line if not user or _alike(user, line) else f"{line}  # {user}"


def _alike(user: str, line: str) -> bool:
    text = user.partition("#")[0] if not {"'", '"'} & set(user) else user
    return "".join(text.split()) == "".join(line.split())
