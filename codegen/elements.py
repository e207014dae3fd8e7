"""One element of an operation as a Numba expression, with NumPy's promotion where Numba has its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ..graph.ir.nodes import Literal, Node, Operand
from ..graph.ir.types import Object, Scalar, Type
from ..graph.ops import OPS
from ..graph.ops.drawing import STREAM
from ..graph.ops.facts import is_cast
from ..graph.passes.on_gpu import CONVERSIONS
from .literals import held_literal

GENERATOR = np.dtype(STREAM)
_SMALL = ("int8", "int16", "int32", "uint8", "uint16", "uint32")
_CONVERSION = re.compile(rf"\b(?:{'|'.join(CONVERSIONS)})(?=\()")
_PROMOTES = re.compile(r"\{0\} (\+|-|\*|/|<|<=|>|>=|==|!=) \{1\}")


def machine_dtype(type_: Type) -> np.dtype:
    """How compiled code holds a number, an array's element, or (by its address) a generator."""
    return GENERATOR if isinstance(type_, Object) else type_.dtype


def loop_dtypes(node: Node) -> list[np.dtype]:
    """The dtypes in which `node` computes, one per operand."""
    loop = node.attrs.get("loop")
    if loop is None:
        return [machine_dtype(operand.type) for operand in node.operands]
    return [Scalar(name).dtype for name in loop]


def template_of(node: Node) -> str:
    """The kernel text of one element of `node`."""
    if is_cast(node):
        return "{0}"
    text = OPS[node.op].text_for(
        tuple(node.attrs.get("loop", ())) or _kinds(node), bool(node.attrs.get("safe"))
    )
    assert text is not None, f"{node.op} can't be compiled"
    return text


def template_text(name: str, loop: Sequence[np.dtype]) -> str:
    """The kernel text of an op for operands of some dtypes."""
    text = OPS[name].text_for([dtype.name for dtype in loop])
    assert text is not None
    return text


def _kinds(node: Node) -> tuple[str, ...]:
    return tuple(machine_dtype(operand.type).name for operand in node.operands)


def imports_of(node: Node, template: str) -> tuple[tuple[str, str], ...]:
    """What the text of `node` needs."""
    return () if is_cast(node) else OPS[node.op].imports_for(template)


def element(node: Node, render: Callable[[Operand, np.dtype], tuple[str, bool]]) -> tuple[str, list[str]]:
    """The template of one element of `node` and its arguments as texts; `render` gives (text, is literal)."""
    template = template_of(node)
    loop = loop_dtypes(node)
    arguments = []
    implicit = _promoted_by_numba(node, template, loop)
    for operand, dtype in zip(node.operands, loop, strict=False):
        text, done = render(operand, dtype)
        arguments.append(text if done or implicit else cast(text, machine_dtype(operand.type), dtype))
    return after(node, template, loop), arguments


def after(node: Node, template: str, loop: Sequence[np.dtype]) -> str:
    """The template with the cast that brings Numba's result to the dtype that NumPy gives."""
    wanted = machine_dtype(node.results[0].type)
    return cast(template, natural(node, template, loop), wanted)


def natural(node: Node, template: str, loop: Sequence[np.dtype]) -> np.dtype | None:
    """The dtype of the template's value in Numba; None where that had better be cast."""
    wanted = machine_dtype(node.results[0].type)
    if template == "{0}":
        return loop[0]
    if template == "({1} if {0} else {2})":
        return wanted
    if wanted.name in _SMALL or (wanted.name == "uint64" and not _PROMOTES.fullmatch(template)):
        return None
    if wanted == np.float32 and re.search(r"\d", re.sub(r"\{\d\}|float32|\w+\(", "", template)):
        return None
    return wanted


def _promoted_by_numba(node: Node, template: str, loop: Sequence[np.dtype]) -> bool:
    """True when Numba converts the operands to the loop's dtypes by itself."""
    if not _PROMOTES.fullmatch(template) or any(dtype != np.float64 for dtype in loop):
        return False
    kinds = [machine_dtype(operand.type) for operand in node.operands if not isinstance(operand, Literal)]
    if any(dtype.kind not in "iuf" for dtype in kinds):
        return False
    # Numba keeps float32 for float32 with small integers; with a float64 all is float64.
    return (
        np.dtype(np.float64) in kinds or len(kinds) < len(node.operands) and all(d.kind == "f" for d in kinds)
    )


def cast(text: str, source: np.dtype | None, target: np.dtype) -> str:
    """The template or text `text` of dtype `source` (None: unknown) as `target`."""
    if source == target:
        return text
    if target.kind == "b":
        return f"({text}) != 0" if not text.isidentifier() else f"{text} != 0"
    if source is not None and source.kind == "c" and target.kind != "c":
        text = f"({text}).real"
    if source is not None and source.kind in "fc" and target.kind in "iu":
        return f"np_{target.name}({text})"
    return f"np.{target.name}({text})"


def conversions_in(lines: Iterable[str]) -> set[tuple[str, str]]:
    """What the conversions in the lines of a kernel need."""
    return {("npcasts", name) for line in lines for name in _CONVERSION.findall(line)}


def literal_as(operand: Literal, dtype: np.dtype) -> str:
    """A constant in the dtype of a loop."""
    return held_literal(operand.value, dtype)
