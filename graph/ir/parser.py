"""Text back to a graph: the inverse of `printer.py`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import dims
from .axes import Pick, Span
from .dims import Size
from .literals import literal
from .nodes import ENDINGS, NOWHERE, Block, Graph, Guard, Literal, Loc, Node, Operand, Value
from .shown import STRING
from .types import OBJECT, Array, Scalar, Type

_NAME = r"[^\W\d]\w*(?:\.\d\w*)*"
_NAMED = rf"{STRING}|[^\s#(){{}}'\"]+"
_LINE = re.compile(rf"^\s*(?P<code>(?:{STRING}|[^'\"])*?)\s*(?:  # (?P<file>{_NAMED}):(?P<line>\d+))?$")
_WORD = re.compile(rf"{STRING}|({_NAME})")
_DOT = "__dot__"


class ParseError(ValueError):
    """The text is no graph; the message has the line."""


def parse_graph(text: str) -> Graph:
    """The graph that `print_graph` printed as `text`."""
    lines = [line for line in text.split("\n") if line.strip()]
    return _Parser(lines).graph()


def parse_type(text: str) -> Type:
    """A type as printed."""
    text = text.strip()
    if text == "object":
        return OBJECT
    match = re.fullmatch(r"([a-zA-Z]+\d*)\[(.*)\](?::([CFA]))?(:ro)?", text)
    if not match:
        return Scalar(text.removeprefix("np."))
    name, sizes, layout, read_only = match.groups()
    shape = tuple(parse_size(size) for size in _split(sizes))
    return Array(_dtype(name), shape, layout or "C", not read_only)


def _dtype(name: str) -> np.dtype:
    if name == "bool":
        return np.dtype(bool)
    kind, bits = name[0], int(name[1:])
    return np.dtype(f"U{bits // 32}" if kind == "U" else f"{kind}{bits // 8}")


def parse_size(text: str) -> Size:
    """A size as printed."""
    size = _constant(_expression(text))
    if not isinstance(size, int | dims.Dim):
        raise ParseError(f"no size: {text}")
    return size


def _expression(text: str) -> ast.expr:
    """Python's tree of `text`, in which the dots of names like ``n.1`` are written as letters."""
    safe = _WORD.sub(lambda match: match[0].replace(".", _DOT) if match[1] else match[0], text.strip())
    try:
        return ast.parse(safe, mode="eval").body
    except SyntaxError as error:
        raise ParseError(f"not understood: {text}") from error


_NUMBERS = {"nan": float("nan"), "inf": float("inf")}


def _constant(node: ast.expr) -> Any:
    """The constant or size that an expression stands for; names are size symbols."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Tuple):
        return tuple(_constant(item) for item in node.elts)
    if isinstance(node, ast.Name):
        name = node.id.replace(_DOT, ".")
        return _NUMBERS[name] if name in _NUMBERS else dims.symbol(name)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _constant(node.operand)
        return dims.scale(value, -1) if isinstance(value, dims.Dim) else -value
    if isinstance(node, ast.BinOp):
        return _arithmetic(node)
    if isinstance(node, ast.Call):
        return _called(node)
    if isinstance(node, ast.List | ast.Dict | ast.Set):
        return ast.literal_eval(node)
    raise ParseError(f"not understood: {ast.unparse(node)}")


def _arithmetic(node: ast.BinOp) -> Any:
    left, right = _constant(node.left), _constant(node.right)
    if isinstance(node.op, ast.FloorDiv):
        if isinstance(right, int):
            return dims.floordiv(left, right)
        return dims.Dim(((dims.Term("//", left, right), 1),))
    table = {ast.Add: dims.add, ast.Sub: dims.sub, ast.Mult: dims.mul}
    return table[type(node.op)](left, right)


def _called(node: ast.Call) -> Any:
    args = [_constant(arg) for arg in node.args]
    if isinstance(node.func, ast.Attribute):
        return getattr(np, node.func.attr)(*args)
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in ("max", "min"):
        return (dims.maximum if name == "max" else dims.minimum)(*args)
    if name in ("any", "above"):
        symbol = args[0].terms[0][0]
        return dims.symbol(symbol.name, None if name == "any" else args[1])
    if name == "complex":
        return complex(*args)
    if name == "dtype":
        return np.dtype(args[0])
    if name in ("pick", "span"):
        return Pick(*args) if name == "pick" else Span(*args)
    if name == "type":
        return parse_type(args[0])
    raise ParseError(f"not understood: {ast.unparse(node)}")


def _name(text: str) -> str:
    """A name as `name_text` prints it."""
    return str(ast.literal_eval(text)) if text[0] in "'\"" else text


def _outside(text: str) -> Iterator[tuple[int, str]]:
    """The characters that stand in no string, with their places."""
    end = 0
    for string in re.finditer(STRING, text):
        yield from enumerate(text[end : string.start()], end)
        end = string.end()
    yield from enumerate(text[end:], end)


def _split(text: str, separator: str = ",") -> list[str]:
    """`text` cut at separators that stand in no bracket or string."""
    parts, depth, start = [], 0, 0
    for k, char in _outside(text):
        depth += (char in "([{") - (char in ")]}")
        if char == separator and not depth:
            parts.append(text[start:k])
            start = k + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def _bracket(text: str) -> tuple[str, str]:
    """(inside, rest) of a text that begins with an opening bracket."""
    depth = 0
    for k, char in _outside(text):
        depth += (char in "([{") - (char in ")]}")
        if not depth:
            return text[1:k], text[k + 1 :]
    raise ParseError(f"a bracket isn't closed: {text}")


def _until_attrs(text: str) -> tuple[str, str]:
    """(operands, attributes) of an ending, whose operands stand in no bracket."""
    depth = 0
    for k, char in _outside(text):
        depth += (char in "([") - (char in ")]")
        if not depth and char in "{@":
            return text[:k], text[k:]
    return text, ""


class _Parser:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = 0
        self.values: dict[str, Value] = {}

    def graph(self) -> Graph:
        match = re.match(rf"graph ({_NAMED})", self.lines[0])
        if not match:
            raise ParseError(f"no graph: {self.lines[0]}")
        inside, rest = _bracket(self.lines[0][match.end() :])
        params = self.define(inside)
        head = re.fullmatch(r"\s*(?:sizes (?P<sizes>.*?))?\s*(?:guards (?P<guards>.*?))?\s*\{", rest)
        if head is None:
            raise ParseError(f"not understood: {rest}")
        self.at = 1
        body, _, _ = self.block(())
        sizes = dict(self.size(text) for text in _split(head["sizes"] or ""))
        guards = tuple(self.guard(text) for text in _split(head["guards"] or ""))
        return Graph(_name(match[1]), params, body, sizes, guards)

    def size(self, text: str) -> tuple[str, tuple[Value, int]]:
        match = re.fullmatch(rf"({_NAME})=({_NAME})\[(\d+)\]", text)
        if not match:
            raise ParseError(f"no size: {text}")
        return match[1], (self.values[match[2]], int(match[3]))

    def guard(self, text: str) -> Guard:
        kind, _, rest = text.partition("(")
        left, right = _split(rest[:-1])
        return Guard(kind, left if kind == "int64" else parse_size(left), parse_size(right))

    def define(self, text: str) -> tuple[Value, ...]:
        """Values from ``%a: int, %b: f64[n]``."""
        found = []
        for part in _split(text):
            name, _, type_ = part.partition(":")
            value = Value(name.strip().removeprefix("%"), parse_type(type_))
            self.values[value.name] = value
            found.append(value)
        return tuple(found)

    def block(self, params: tuple[Value, ...]) -> tuple[Block, str, Loc]:
        """A block up to its closing brace, and what follows the brace on that line."""
        nodes: list[Node] = []
        while self.at < len(self.lines):
            code, loc = self.line()
            if code.startswith("}"):
                return Block(params, tuple(nodes)), code[1:].strip(), loc
            nodes.append(self.node(code, loc))
        raise ParseError("a region isn't closed")

    def line(self) -> tuple[str, Loc]:
        match = _LINE.match(self.lines[self.at])
        self.at += 1
        assert match
        return match["code"], Loc(_name(match["file"]), int(match["line"])) if match["file"] else NOWHERE

    def node(self, code: str, loc: Loc) -> Node:
        if ending := re.match(rf"({'|'.join(ENDINGS)})\b", code):
            inside, rest = _until_attrs(code[ending.end() :])
            operands = tuple(self.operand(text) for text in _split(inside))
            return Node(ending[1], operands, (), self.attrs(rest)[1], (), loc)
        match = re.match(rf"((?:%{_NAME}: .*?)? = )?([a-z_A-Z][\w.]*)(?=\()", code)
        if match is None:
            raise ParseError(f"line {self.at}: no node: {code}")
        inside, rest = _bracket(code[match.end() :])
        operands = tuple(self.operand(text) for text in _split(inside))
        rest, attrs = self.attrs(rest.strip())
        regions = []
        while rest:
            params: tuple[Value, ...] = ()
            if rest.startswith("("):
                names, rest = _bracket(rest)
                params = self.define(names)
            if rest.strip() != "{":
                raise ParseError(f"line {self.at}: not understood: {rest}")
            region, rest, _ = self.block(params)
            regions.append(region)
        results = self.define(match[1].removesuffix(" = ")) if match[1] else ()
        return Node(match[2], operands, results, attrs, tuple(regions), loc)

    def operand(self, text: str) -> Operand:
        if text.startswith("%"):
            if text[1:] not in self.values:
                raise ParseError(f"line {self.at}: {text} isn't defined")
            return self.values[text[1:]]
        value = _constant(_expression(text))
        return Literal(value, OBJECT) if isinstance(value, dims.Dim) else literal(value)

    def attrs(self, text: str) -> tuple[str, dict[str, Any]]:
        found: dict[str, Any] = {}
        if text.startswith("@"):
            match = re.match(_NAMED, text[1:])
            assert match
            found["_JitScope"], text = _name(match[0]), text[1 + match.end() :]
        text = text.strip()
        if text.startswith("{") and text != "{":
            inside, text = _bracket(text)
            for part in _split(inside):
                key, _, value = part.partition("=")
                found[key] = _constant(_expression(value))
        return text.strip(), found
