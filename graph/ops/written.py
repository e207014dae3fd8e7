"""The form in which people write a node, where its record says it: what runs where nothing is compiled.

Nodes that were written in another form carry that as `attrs["text"]`; views and what makes arrays need the
sizes of the place where they are printed, so that their forms are made there (`codegen/texts.py`).
"""

from __future__ import annotations

from ..ir.nodes import Node
from ..ir.types import Array, Scalar
from . import OPS
from .define import ELEMENTWISE, MATH, PYTHON, REDUCTION


def written(node: Node) -> str | None:
    """The form of the node with ``{0}``, ``{1}`` for its operands; None where its record doesn't say it."""
    op = OPS.get(node.op)
    if op is None:
        return None
    if op.written:
        return op.written if isinstance(op.written, str) else op.written(node)
    slots = ", ".join(f"{{{k}}}" for k in range(len(node.operands)))
    if op.kind == PYTHON and node.op != "size":
        return f"{node.op.removeprefix('py.')}({slots})"
    if op.kind == MATH:
        return f"{node.op}({slots})"
    if op.kind == REDUCTION:
        axis = node.attrs.get("axis")
        arguments = "" if axis is None else f", axis={axis[0] if len(axis) == 1 else axis}"
        return f"np.{node.op}({{0}}{arguments}{', keepdims=True' if node.attrs.get('keepdims') else ''})"
    if node.op in ("load", "store"):
        return _element(node)
    if node.op == "cast":
        dtype = dtype_text(node)
        return f"{{0}}.astype({dtype})" if isinstance(node.operands[0].type, Array) else f"{dtype}({{0}})"
    return f"np.{node.op}({slots})" if op.kind == ELEMENTWISE else None


def _element(node: Node) -> str:
    first, target = 1 if node.op == "load" else 2, node.operands[0].type
    count = target.ndim if isinstance(target, Array) else 0
    index = ", ".join(f"{{{k}}}" for k in range(first, first + count)) or "()"
    return f"{{0}}[{index}]" if node.op == "load" else f"{{0}}[{index}] = {{1}}"


def dtype_text(node: Node) -> str:
    """NumPy's name of the dtype of the first result."""
    result = node.results[0].type
    if not isinstance(result, (Array, Scalar)):
        return "object"
    return f"np.{result.dtype.name}" if result.dtype.kind != "b" else "np.bool_"
