"""The uncompiled text of nodes: as the user wrote them, or NumPy's spelling where the tracer made them up."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ..graph.ir import dims
from ..graph.ir.axes import Pick
from ..graph.ir.nodes import Literal, Node
from ..graph.ir.shown import STRING
from ..graph.ir.types import Array, Scalar
from ..graph.ops.facts import is_plain_view, is_size
from ..graph.ops.written import dtype_text, written
from .expressions import is_expression
from .literals import literal, numpy_literal

_SYMBOL = re.compile(STRING + r"|((?<![\w.\"'])[A-Za-z_]\w*(?:\.\d+)?(?![\w(\"'=]))")
"""A word that may be a size symbol; in a string it is the user's own."""
_LAMBDA, _WORD = re.compile(r"\blambda\b([^:]*)"), re.compile(r"[A-Za-z_]\w*")
_CAUSE = re.compile(rf"((?:{STRING}|[^\"'])*?) from (.*)")


def text_of(node: Node, symbols: Callable[[str], str | None]) -> str:
    """The template of a node's uncompiled form; `symbols` gives the variables of size symbols."""
    if is_size(node):
        return dims.text(node.attrs["size"], Variables(symbols))
    text = node.attrs.get("text")
    if text is None and (text := written(node)) is None:
        return _made_up(node, symbols)  # which has variables, that may be called as symbols elsewhere are
    own = _parameters(text)

    def named(match: re.Match[str]) -> str:
        return (match[1] and match[1] not in own and symbols(match[1])) or match[0]

    return _SYMBOL.sub(named, text)


def _parameters(text: str) -> set[str]:
    """The names of the parameters of lambdas, which are no size symbols whatever these are called."""
    heads = _LAMBDA.findall(text) if "lambda" in text else ()
    return {name for head in heads for name in _WORD.findall(head)}


def mentioned(node: Node) -> set[str]:
    """The names that the text of a node has besides its operands: size symbols among them."""
    if is_size(node):
        return dims.symbols(node.attrs["size"])
    text = node.attrs.get("text") or ""
    return set(_SYMBOL.findall(text)) - {""} - _parameters(text)


class Variables(dict[str, str]):
    """Variables by size symbol, asked for one at a time."""

    def __init__(self, symbols: Callable[[str], str | None]) -> None:
        super().__init__()
        self._symbols = symbols

    def get(self, key: str, default: str = "") -> str:  # type: ignore[override]
        return self._symbols(key) or default

    def __bool__(self) -> bool:
        return True


def expression_of(node: Node, symbols: Callable[[str], str | None]) -> str | None:
    """The template of a node that is one expression with one result, else None."""
    if node.regions or len(node.results) != 1 or node.op == "check_bound":
        return None
    text = text_of(node, symbols)
    return text if is_expression(text) else None


def _made_up(node: Node, symbols: Callable[[str], str | None]) -> str:
    if is_plain_view(node):
        return _view(node, symbols)
    if node.op == "reshape":
        return f"{{0}}.reshape({_shape(node, symbols)})"
    if node.op in ("empty", "zeros", "ones", "full"):
        fill = ", {0}" if node.op == "full" else ""
        return f"np.{node.op}({_shape(node, symbols)}{fill}, dtype={dtype_text(node)})"
    return f"np.{node.op}({', '.join(f'{{{k}}}' for k in range(len(node.operands)))})"


def _shape(node: Node, symbols: Callable[[str], str | None]) -> str:
    result = node.results[0].type
    assert isinstance(result, Array)
    return shape_text(result, Variables(symbols))


def shape_text(array: Array, variables: Mapping[str, str]) -> str:
    """The shape of an array type as a tuple, or as its one size."""
    sizes = [bare(dims.text(size, variables)) for size in array.shape]
    return sizes[0] if len(sizes) == 1 else f"({', '.join(sizes)})"


def bare(text: str) -> str:
    """An expression without parentheses around all of it."""
    level = 0
    for place, char in enumerate(text):
        level += (char == "(") - (char == ")")
        if level == 0:
            return text[1:-1] if place and place == len(text) - 1 and text[0] == "(" else text
    return text


def _view(node: Node, symbols: Callable[[str], str | None]) -> str:
    """Subscripts, a transposition and new axes that make a view."""
    result = node.results[0].type
    assert isinstance(result, Array)
    items: list[str] = []
    ranges: list[int] = []
    turned: list[str] = []
    for axis in node.attrs["axes"]:
        if isinstance(axis, Pick):
            items.append(f"{{{1 + axis.index}}}")
            continue
        ranges.append(axis.target)
        items.append(_slice(axis.start, result.shape[axis.target], axis.step, Variables(symbols)))
        turned.append("::-1" if axis.step < 0 else ":")
    text = "{0}" if all(item == ":" for item in items) else f"{{0}}[{', '.join(items)}]"
    if "::-1" in turned:
        text += f"[{', '.join(turned)}]"
    if len(set(ranges)) < len(ranges):
        return "np.diagonal({0})"
    order = [ranges.index(target) for target in sorted(ranges)]
    if order != sorted(order):
        text += f".transpose({', '.join(map(str, order))})"
    if new := [k for k in range(result.ndim) if k not in ranges]:
        text += f"[{', '.join('None' if k in new else ':' for k in range(result.ndim))}]"
        if any(result.shape[k] != 1 for k in new):
            text = f"np.broadcast_to({text}, {shape_text(result, Variables(symbols))})"
    return text


def _slice(start: dims.Size, length: dims.Size, step: int, variables: Mapping[str, str]) -> str:
    """The slice of `length` elements from `start`; for negative steps the same elements turned round."""
    if step < 0:
        start, step = dims.add(start, dims.scale(dims.sub(length, 1), step)), -step
    last = dims.add(start, dims.scale(dims.sub(length, 1), step))
    first = "" if start == 0 else dims.text(start, variables)
    return f"{first}:{dims.text(dims.add(last, 1), variables)}" + ("" if step == 1 else f":{step}")


def cause_of(template: str) -> tuple[str, str]:
    """What is raised, and from what, of ``ValueError({0}) from {1}``."""
    found = _CAUSE.fullmatch(template)
    return (found[1], found[2]) if found else (template, "")


def rewrapped(text: str, kind: Scalar) -> str:
    """A number that came out of compiled code, as the scalar that NumPy would have given."""
    return text if kind.is_python else f"np.{kind.kind}({text})"


def constant_text(operand: Literal) -> str:
    """A constant in the driver."""
    if isinstance(operand.type, Scalar) and not operand.type.is_python:
        value = operand.value
        return numpy_literal(value.item() if hasattr(value, "item") else value, operand.type.dtype)
    return literal(operand.value)
