"""Which nodes can be compiled, and in the user's words why the others can't."""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.effects import leaves, writes
from ..ir.nodes import Literal, Node, Operand, walk
from ..ir.types import Array, Object, Scalar, Type
from ..ops import OPS
from ..ops.define import ELEMENTWISE, MATH, OPAQUE, PYTHON, REDUCTION, OpDef
from ..ops.facts import (
    MADE_OF_NUMBERS,
    draws,
    is_ending,
    is_iterated,
    is_python,
    is_raise,
    is_recursion,
    is_recursive,
    prints_numbers,
)
from ..trace.devices import CPU, GPU, device_of, is_on_gpu, kind_of
from ..trace.scopes import is_gradient_scope
from ..trace.template import shown
from .options import Options

_DTYPES = frozenset(
    ["bool", "float32", "float64", "complex64", "complex128"]
    + [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
)
UNKNOWN = "it works on a value whose type is known only at run time"
UNKNOWN_ITEMS = "what it loops over is known only at run time"
OF_TWO_TYPES = "its value is of one of two types"
OFF = "jit_level is off and it stands in no jit_scope"
ENDS = "it ends a loop or the function that isn't compiled as a whole"
PLAIN, PART = "it is plain Python", "a part of it can't be compiled"
_WITH_TEXT = (ELEMENTWISE, PYTHON, MATH, REDUCTION)


def why_not(node: Node, options: Options) -> str | None:
    """The reason why `node` can't be compiled, or None: all of it can, regions included."""
    left_out: str | None = node.attrs.get("_left_out")
    if _calls_around(node):
        return "it is a part of a function that calls itself"
    return left_out or _forbidden(node, options) or _own_reason(node) or _inner_reason(node, options)


@dataclass(frozen=True, slots=True)
class ClusterKey:
    """Where a node is compiled: nodes with different homes never share a cluster.

    `group` is None for a node that may be compiled with those of any group.
    """

    device: str = ""
    group: str | None = None


def cluster_key(node: Node, options: Options) -> ClusterKey | None:
    """The home of a node and of all in its regions; None if they have several."""
    homes = {_own_home(node, options)}
    for region in node.regions:
        homes |= {_own_home(inner, options) for inner in walk(region) if not is_ending(inner)}
    devices = {home.device for home in homes}
    groups = {home.group for home in homes if home.group is not None}
    if len(devices) > 1 or len(groups) > 1:
        return None
    return ClusterKey(devices.pop(), groups.pop() if groups else None)


def _own_home(node: Node, options: Options) -> ClusterKey:
    """With the level off, root scopes are groups; gradients that are compiled apart always are."""
    scope = node.attrs.get("_JitScope")
    if options.jit_level == "off" or is_gradient_scope(scope):
        return ClusterKey(device_of(node), scope)
    forward = node.attrs.get("_JitSeparateCompiledGradients") is True
    return ClusterKey(device_of(node), "forward" if forward else None)


def is_alone(node: Node, options: Options) -> bool:
    """True for what runs on a GPU without being marked for compilation: one kernel per operation."""
    marked = node.attrs.get("_JitCompile")
    return is_on_gpu(node) and (marked is False or (options.jit_level == "off" and marked is not True))


def _forbidden(node: Node, options: Options) -> str | None:
    marked, kind = node.attrs.get("_JitCompile"), kind_of(node)
    if marked is False and kind != GPU:
        return "its scope says compile_ops=False"
    asked = marked is True or kind != CPU or is_ending(node)
    if options.jit_level == "off" and not asked:
        return OFF
    return None


def _calls_around(node: Node) -> bool:
    """Whether in it a function calls itself whose body it is a part of."""
    inner = (n for region in node.regions for n in region.nodes)
    return is_recursion(node) or (not is_recursive(node) and any(map(_calls_around, inner)))


def _own_reason(node: Node) -> str | None:
    op = OPS.get(node.op)
    if op is None:
        return f"{node.op} is no operation of the compiler"
    if op.scalar is None:
        return _uncompiled_reason(node)
    loop = loop_of(node)
    if op.kind in _WITH_TEXT and op.text_for(loop) is None:
        return f"{node.op} has no compiled form for {', '.join(loop) or 'these operands'}"
    if not is_on_gpu(node) and (reason := _order_reason(node, op)):
        return reason
    if is_on_gpu(node) and prints_numbers(node):
        return "a kernel on a GPU can't print"
    constant = "exception" in node.attrs and "message" in node.attrs
    if is_raise(node) and not constant and not node.attrs.get(MADE_OF_NUMBERS):
        return "the exception's message is known only at run time"
    for operand in node.operands[draws(node) :]:  # a generator is handed over by its address
        if reason := _operand_reason(operand):
            return reason
    for result in node.results:
        if reason := _type_reason(result.type):
            return reason
    for target in writes(node):
        if isinstance(target.type, Array) and not target.type.writeable:
            return f"{target.name} is read-only"
    return None


def _order_reason(node: Node, op: OpDef) -> str | None:
    """Sums of floats have NumPy's bits only in NumPy's order, which it makes up from the strides."""
    if op.backwards and loop_of(node)[0] in op.backwards:
        strided = any(isinstance(o.type, Array) and o.type.layout == "A" for o in node.operands)
        known = not strided or node.attrs.get("ascends")
        return None if known else f"in which way NumPy computes this {node.op} depends on the strides"
    if node.op not in ("sum", "prod"):
        return None
    type_ = node.operands[0].type
    if not isinstance(type_, Array) or type_.ndim < 2 or type_.dtype.kind not in "fc":
        return None
    by_rows = type_.layout == "F" or (type_.dtype.kind == "c" and node.attrs.get("axis") is not None)
    if type_.layout == "A" or (by_rows and node.op == "prod"):
        return f"in which order NumPy computes this {node.op} depends on the strides"
    return None


def loop_of(node: Node) -> tuple[str, ...]:
    """The dtypes in which `node` works: its operands' own where it doesn't say."""
    if "loop" in node.attrs:
        return tuple(node.attrs["loop"])
    return tuple(o.type.dtype.name for o in node.operands if not isinstance(o.type, Object))


def _uncompiled_reason(node: Node) -> str:
    text = node.loc.source or shown(node.attrs.get("text", ""))
    if is_python(node):
        return f"{PLAIN}: {text}"
    if OPS[node.op].kind == OPAQUE:
        return f"{text} has no compiled form here"
    if is_iterated(node):
        return UNKNOWN_ITEMS
    if node.op == "pick":
        return OF_TWO_TYPES
    return f"{node.op} has no compiled form"


def _operand_reason(operand: Operand) -> str | None:
    if isinstance(operand, Literal):
        if isinstance(operand.type, Object):
            return f"the constant {operand.value!r} is no number"
        if isinstance(operand.value, int) and not -(2**63) <= operand.value < 2**64:
            return f"the constant {operand.value} doesn't fit 64 bits"
    return _type_reason(operand.type)


def _type_reason(type_: Type) -> str | None:
    if isinstance(type_, Object):
        return UNKNOWN
    name = type_.dtype.name
    if name not in _DTYPES or not (isinstance(type_, Scalar) or type_.dtype.isnative):
        return f"numbers of dtype {type_.dtype} aren't compiled"
    return None


def _inner_reason(node: Node, options: Options) -> str | None:
    if leaves(node):
        return ENDS
    if node.regions and cluster_key(node, options) is None:
        return "parts of it stand in different scopes or on different devices"
    for inner in (n for region in node.regions for n in walk(region)):
        reason = _forbidden(inner, options) or _own_reason(inner)
        for param in (p for region in inner.regions for p in region.params):
            reason = reason or _type_reason(param.type)
        if reason:
            return f"{PART} (line {inner.loc.line}): {reason}"
    for param in (p for region in node.regions for p in region.params):
        if reason := _type_reason(param.type):
            return reason
    return None
