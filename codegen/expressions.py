"""Python expressions as text: templates with slots, precedence, and spacing as `ruff format` writes it."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

_SLOT = re.compile(r"\{\{|\}\}|\{(\d+)\}")
_LOWEST, _TERNARY, _OR, _AND, _NOT, _COMPARE = range(6)
_BITOR, _BITXOR, _BITAND, _SHIFT, _SUM, _PRODUCT, _UNARY, _POWER, _ATOM = range(6, 15)

_BINARY = {
    ast.BitOr: ("|", _BITOR),
    ast.BitXor: ("^", _BITXOR),
    ast.BitAnd: ("&", _BITAND),
    ast.LShift: ("<<", _SHIFT),
    ast.RShift: (">>", _SHIFT),
    ast.Add: ("+", _SUM),
    ast.Sub: ("-", _SUM),
    ast.Mult: ("*", _PRODUCT),
    ast.Div: ("/", _PRODUCT),
    ast.FloorDiv: ("//", _PRODUCT),
    ast.Mod: ("%", _PRODUCT),
    ast.MatMult: ("@", _PRODUCT),
}
_COMPARISONS = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_UNARY_SIGNS = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}


def slots(template: str) -> list[int]:
    """The slot numbers of a template, in the order in which they are written."""
    return [int(number) for number in _SLOT.findall(template) if number]


@lru_cache(maxsize=512)
def parse(template: str) -> ast.expr:
    """The tree of a template's expression; slot ``{k}`` is the name ``_slot_k``."""
    return ast.parse(_named(template), mode="eval").body


@lru_cache(maxsize=512)
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _named(template: str) -> str:
    return _SLOT.sub(lambda match: f"_slot_{match[1]}" if match[1] else match[0][0], template)


def fill(template: str, arguments: Sequence[str]) -> str:
    """The template with arguments (expression texts) in its slots, with the parentheses that are needed."""
    known = {f"_slot_{number}": _parsed(text) for number, text in enumerate(arguments)}
    return render(parse(template), known)


def is_expression(template: str) -> bool:
    """True when the template is one expression that this module can write."""
    try:
        parse(template)
    except SyntaxError:
        return False
    return True


def assignment(target: str, text: str) -> str:
    """``target = text`` for a number, with ``+=`` and the like where the text begins with the target."""
    tree = _parsed(text) if text.startswith(f"{target} ") else None
    if isinstance(tree, ast.BinOp) and not isinstance(tree.op, (ast.Pow, ast.MatMult)):
        if render(tree.left) == target:
            return f"{target} {_BINARY[type(tree.op)][0]}= {render(tree.right)}"
    return f"{target} = {text}"


def is_atom(text: str) -> bool:
    """True for a text that needs no parentheses as an operand."""
    return isinstance(_parsed(text), (ast.Name, ast.Call, ast.Constant, ast.Subscript, ast.Attribute))


def fill_statement(template: str, arguments: Sequence[str]) -> str:
    """Like `fill` for a statement: an assignment, an expression, ``del`` and the like."""
    (statement,) = ast.parse(_named(template)).body
    known = {f"_slot_{number}": _parsed(text) for number, text in enumerate(arguments)}
    if isinstance(statement, ast.Expr):
        return render(statement.value, known)
    if isinstance(statement, ast.Assign):
        parts = [render(part, known) for part in (*statement.targets, statement.value)]
        return " = ".join(parts)
    if isinstance(statement, ast.AugAssign):
        sign = "**" if isinstance(statement.op, ast.Pow) else _BINARY[type(statement.op)][0]
        target = known.get(getattr(statement.target, "id", ""), statement.target)
        whole = "" if isinstance(target, (ast.Name, ast.Subscript)) else "[...]"  # a call, or `a.T`
        return f"{render(statement.target, known)}{whole} {sign}= {render(statement.value, known)}"
    return ast.unparse(_Substitute(known).visit(statement))


def render(tree: ast.expr, known: Mapping[str, ast.expr] | None = None) -> str:
    """The text of an expression; names in `known` stand for other expressions."""
    return _ExpressionPrinter(known or {}).text(tree, _LOWEST)


class _Substitute(ast.NodeTransformer):
    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.known.get(node.id, node)


class _ExpressionPrinter:
    """Writes a tree; `text` puts parentheses around what binds weaker than its place."""

    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = known

    def text(self, node: ast.expr, place: int) -> str:
        if isinstance(node, ast.Name) and node.id in self.known:
            return _ExpressionPrinter({}).text(self.known[node.id], place)
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            return f"({self._other(node)})" if place > _LOWEST else self._other(node)
        written, strength = method(node)
        return f"({written})" if strength < place else written

    def _other(self, node: ast.expr) -> str:
        return ast.unparse(_Substitute(self.known).visit(ast.parse(ast.unparse(node), mode="eval")).body)

    def _name(self, node: ast.Name) -> tuple[str, int]:
        return node.id, _ATOM

    def _constant(self, node: ast.Constant) -> tuple[str, int]:
        value = node.value
        if isinstance(value, (str, bytes)):
            return quoted(value), _ATOM
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            # ``5.real`` is no expression, so a number is weaker than an attribute's object.
            return ("1e309" if value == float("inf") else number_text(value)), _POWER + 0
        if isinstance(value, complex):
            return number_text(value), _ATOM
        return ("..." if value is Ellipsis else repr(value)), _ATOM

    def _binop(self, node: ast.BinOp) -> tuple[str, int]:
        if isinstance(node.op, ast.Pow):
            left, right = self.text(node.left, _ATOM), self.text(node.right, _UNARY)
            if isinstance(self._resolved(node.left), ast.Constant) and left.startswith("("):
                left = left[1:-1]
            tight = self._simple(node.left) and self._simple(node.right) and left[0] != "("
            return (f"{left}**{right}" if tight else f"{left} ** {right}"), _POWER
        sign, strength = _BINARY[type(node.op)]
        return f"{self.text(node.left, strength)} {sign} {self.text(node.right, strength + 1)}", strength

    def _resolved(self, node: ast.expr) -> ast.expr:
        return self.known.get(node.id, node) if isinstance(node, ast.Name) else node

    def _simple(self, node: ast.expr) -> bool:
        """Operands around which ``**`` and the colon of a slice stand without spaces."""
        node = self._resolved(node)
        if isinstance(node, ast.UnaryOp):
            return not isinstance(node.op, ast.Not) and self._simple(node.operand)
        if isinstance(node, ast.Attribute):
            return self._simple(node.value)
        if isinstance(node, ast.Constant):
            return not isinstance(node.value, complex)
        return isinstance(node, ast.Name)

    def _unaryop(self, node: ast.UnaryOp) -> tuple[str, int]:
        if isinstance(node.op, ast.Not):
            return f"not {self.text(node.operand, _NOT)}", _NOT
        return f"{_UNARY_SIGNS[type(node.op)]}{self.text(node.operand, _UNARY)}", _UNARY

    def _boolop(self, node: ast.BoolOp) -> tuple[str, int]:
        strength, word = (_AND, " and ") if isinstance(node.op, ast.And) else (_OR, " or ")
        return word.join(self.text(value, strength + 1) for value in node.values), strength

    def _compare(self, node: ast.Compare) -> tuple[str, int]:
        written = self.text(node.left, _COMPARE + 1)
        for sign, right in zip(node.ops, node.comparators, strict=True):
            written += f" {_COMPARISONS[type(sign)]} {self.text(right, _COMPARE + 1)}"
        return written, _COMPARE

    def _ifexp(self, node: ast.IfExp) -> tuple[str, int]:
        body, test = self.text(node.body, _TERNARY + 1), self.text(node.test, _TERNARY + 1)
        return f"{body} if {test} else {self.text(node.orelse, _TERNARY)}", _TERNARY

    def _call(self, node: ast.Call) -> tuple[str, int]:
        parts = [self.text(argument, _LOWEST) for argument in node.args]
        for keyword in node.keywords:
            value = self.text(keyword.value, _LOWEST)
            parts.append(f"{keyword.arg}={value}" if keyword.arg else f"**{value}")
        return f"{self.text(node.func, _ATOM)}({', '.join(parts)})", _ATOM

    def _attribute(self, node: ast.Attribute) -> tuple[str, int]:
        return f"{self.text(node.value, _ATOM)}.{node.attr}", _ATOM

    def _starred(self, node: ast.Starred) -> tuple[str, int]:
        return f"*{self.text(node.value, _BITOR)}", _LOWEST

    def _subscript(self, node: ast.Subscript) -> tuple[str, int]:
        index = self._resolved(node.slice)
        if isinstance(index, ast.Tuple) and index.elts:
            inside = ", ".join(self.text(item, _LOWEST) for item in index.elts)
            inside += "," if len(index.elts) == 1 else ""
        else:
            inside = self.text(index, _LOWEST)
        return f"{self.text(node.value, _ATOM)}[{inside}]", _ATOM

    def _slice(self, node: ast.Slice) -> tuple[str, int]:
        bounds = [part for part in (node.lower, node.upper, node.step) if part is not None]
        space = "" if all(self._simple(part) for part in bounds) else " "
        written = f"{self.text(node.lower, _LOWEST)}{space}" if node.lower is not None else ""
        written += ":" if node.upper is None else f":{space}{self.text(node.upper, _LOWEST)}"
        if node.step is not None:
            written += f"{space if node.upper is not None else ''}:{space}{self.text(node.step, _LOWEST)}"
        return written, _ATOM

    def _tuple(self, node: ast.Tuple) -> tuple[str, int]:
        items = [self.text(item, _LOWEST) for item in node.elts]
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})", _ATOM

    def _list(self, node: ast.List) -> tuple[str, int]:
        return f"[{', '.join(self.text(item, _LOWEST) for item in node.elts)}]", _ATOM

    def _dict(self, node: ast.Dict) -> tuple[str, int]:
        parts = []
        for key, value in zip(node.keys, node.values, strict=True):
            written = self.text(value, _LOWEST)
            parts.append(f"**{written}" if key is None else f"{self.text(key, _LOWEST)}: {written}")
        return f"{{{', '.join(parts)}}}", _ATOM


def number_text(value: complex) -> str:
    """A number as formatters write it: ``1e300``."""
    return repr(value).replace("e+", "e")


def quoted(value: str | bytes) -> str:
    """A string literal with double quotes where that needs no more escapes."""
    written = repr(value)
    start = 1 if written[0] == "b" else 0
    if written[start] == "'" and '"' not in written and "\\'" not in written:
        return f'{written[:start]}"{written[start + 1 : -1]}"'
    return written
