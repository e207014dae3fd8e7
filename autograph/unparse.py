"""Staged code as text: gast → ast → the standard library's printer, the user's lines woven in as comments.

After conversion only `def` and `with` hold statements; all else is a statement a line, wrapped if need be.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

import gast

from ..graph.ir.shown import printable

WIDTH = 110


def to_ast(node: Any) -> ast.AST:
    """A gast tree as a tree of the standard library."""
    return gast.gast_to_ast(node)


def unparse(tree: ast.AST) -> str:
    """The text of any tree; constants read back to the same bits."""
    return ast.unparse(ast.fix_missing_locations(_Constants().visit(tree)))


def staged_text(function: ast.FunctionDef, lines: tuple[str, ...], filename: str) -> str:
    """The text of a staged function: a header with its origin, comments with the user's lines."""
    exact = ast.fix_missing_locations(_Constants().visit(function))
    body = list(_Unparser(lines).statement(exact, ""))
    return "\n".join([f"# {printable(PurePath(filename).name)}:{function.lineno}", *body]) + "\n"


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


class _Unparser:
    """Prints statement by statement; each user line is quoted once, where its first statement is."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        self.lines = lines
        self.quoted: set[int] = set()

    def statement(self, node: ast.stmt, indent: str) -> Iterator[str]:
        """The lines of one statement."""
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                yield f"{indent}@{ast.unparse(decorator)}"
            yield from self.quote([f"{indent}def {node.name}({ast.unparse(node.args)}):"], node)
            yield from self.block(node.body, indent + "    ")
        elif isinstance(node, ast.With):
            items = ", ".join(ast.unparse(item) for item in node.items)
            yield from self.quote([f"{indent}with {items}:"], node)
            yield from self.block(node.body, indent + "    ")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield indent + _string(node.value.value)
        else:
            yield from self.quote(list(_simple(node, indent)), node)

    def block(self, statements: list[ast.stmt], indent: str) -> Iterator[str]:
        """The lines of several statements."""
        for statement in statements:
            yield from self.statement(statement, indent)

    def quote(self, lines: list[str], node: ast.stmt) -> list[str]:
        """The lines, with the user's line after or above them unless that says the same."""
        if node.lineno in self.quoted or node.lineno > len(self.lines):
            return lines
        self.quoted.add(node.lineno)
        user = printable(self.lines[node.lineno - 1].strip())
        if not user or _plain(user) == _plain("".join(lines)):
            return lines
        together = f"{lines[0]}  # {user}"
        if len(lines) == 1 and len(together) <= WIDTH:
            return [together]
        indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
        return [f"{indent}# {user}", *lines]


def _simple(node: ast.stmt, indent: str) -> Iterator[str]:
    """A statement without blocks; calls are wrapped where a line gets too long."""
    line = indent + ast.unparse(node)
    value = node.exc if isinstance(node, ast.Raise) else getattr(node, "value", None)
    text = ast.unparse(value) if isinstance(value, ast.expr) else ""
    if len(line) <= WIDTH or not isinstance(value, ast.expr) or not line.endswith(text):
        yield line
    else:
        yield from _wrapped(value, line.removesuffix(text), indent, "")


def _wrapped(node: ast.expr, before: str, indent: str, after: str) -> Iterator[str]:
    """An expression between `before` and `after`; a long call or tuple is spread over several lines."""
    line = f"{before}{ast.unparse(node)}{after}"
    parts: list[tuple[str, ast.expr]] = []
    if isinstance(node, ast.Call):
        parts = [("", each) for each in node.args]
        parts += [(f"{each.arg}=" if each.arg else "**", each.value) for each in node.keywords]
        opened = f"{before}{ast.unparse(node.func)}("
    elif isinstance(node, ast.Tuple) and len(node.elts) > 1:
        parts = [("", each) for each in node.elts]
        opened = f"{before}("
    if len(line) <= WIDTH or not parts:
        yield line
        return
    yield opened
    deeper = indent + "    "
    together = deeper + ", ".join(start + ast.unparse(each) for start, each in parts)
    if len(together) <= WIDTH and isinstance(node, ast.Call):
        yield together
    else:
        for start, each in parts:
            yield from _wrapped(each, deeper + start, deeper, ",")
    yield f"{indent}){after}"


def _string(value: Any) -> str:
    """A string that stands alone, as people write docstrings."""
    text = str(value)
    plain = isinstance(value, str) and "\\" not in text and '"' not in text
    printable = all(character.isprintable() or character == "\n" for character in text)
    return f'"""{text}"""' if plain and printable else ast.unparse(ast.Constant(value))


def _plain(line: str) -> str:
    """A line without what doesn't matter for saying the same."""
    return "".join(line.replace('"', "'").split()).translate(str.maketrans("", "", "()"))
