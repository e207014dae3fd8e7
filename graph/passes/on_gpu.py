"""What a GPU can run: array operations without exceptions, and loops whose iterations don't meet.

Scalars, sizes and control flow around them are the host's work wherever their arrays are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..analysis.around import else_of
from ..analysis.effects import Aliases, is_array, leaves, raises
from ..ir.nodes import Block, Literal, Node, Operand, Value, walk
from ..ir.types import Array
from ..ops import OPS
from ..ops.define import CONTROL, ELEMENTWISE, MATH, PRODUCT, PYTHON, REDUCTION
from ..ops.facts import (
    is_break,
    is_cast,
    is_cluster,
    is_counted,
    is_element,
    is_gradient_rule,
    is_look,
    is_loop,
    is_store,
)
from .compilable import loop_of, why_not
from .options import Options

CONVERSIONS = tuple(f"np_{kind}{width}" for kind in ("int", "uint") for width in (8, 16, 32, 64))
"""The functions that make an int of a float (`codegen.npcasts`)."""

_NAMED = frozenset(
    "ceil complex_multiply complex_square floor fmax fmin larger maximum minimum np_floordiv np_mod rint"
    " smaller trunc".split()
)
FUNCTIONS = frozenset(op.name for op in OPS.values() if op.gpu) | _NAMED.union(CONVERSIONS)
"""The functions in texts of operations that have a twin of the same name in `codegen.cuda.functions`."""

_CALLED = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\(")
_BUILTIN = frozenset(("abs", "int", "float", "complex"))


def is_host_work(node: Node) -> bool:
    """True for what is done on the host although its arrays are on the GPU: control flow, scalars, sizes."""
    op = OPS.get(node.op)
    if op is None or is_cluster(node) or is_gradient_rule(node):
        return False
    return op.kind == CONTROL or (op.kind in (PYTHON, MATH, ELEMENTWISE) and not has_arrays(node))


def has_arrays(node: Node) -> bool:
    """Whether `node` takes or makes arrays."""
    return any(is_array(v) for v in (*node.operands, *node.results))


def why_not_on_gpu(node: Node, options: Options, aliases: Aliases) -> str | None:
    """The reason why `node` can't be part of a GPU's kernels, in the user's words; None if it can."""
    if is_counted(node):
        return why_not(node, options) or why_not_parallel(node, aliases)
    if is_host_work(node):
        return "the host does it"
    return why_not(node, options) or _array_reason(node)


def _array_reason(node: Node) -> str | None:
    op = OPS[node.op]
    if op.kind in (ELEMENTWISE, REDUCTION):
        return _text_reason(node)
    if op.kind == PRODUCT:
        return _product_reason(node)
    if op.on_gpu or is_look(node):
        return None
    if is_element(node):
        return "a single element is the host's work"
    return f"{node.op} has no form for the GPU"


def _text_reason(node: Node) -> str | None:
    """A kernel can't raise, and calls only what the GPU has."""
    op = OPS[node.op]
    if op.fold is not None and op.fold.finds_place and not isinstance(node.results[0].type, Array):
        return f"{node.op} of a whole array has no form for the GPU"
    if op.kind == REDUCTION:
        return None
    if has_arrays(node) and not isinstance(node.results[0].type, Array):
        return "one number is the host's work"
    if is_cast(node):
        return None
    loop = loop_of(node)
    text = op.text_for(loop, bool(node.attrs.get("safe")))
    unknown = sorted(set(_CALLED.findall(text or "")) - FUNCTIONS - _BUILTIN)
    if unknown or raises(node):
        return f"{node.op} of {', '.join(loop)} has no form for the GPU"
    return None


def _product_reason(node: Node) -> str | None:
    """The kernel of products takes matrices, and a matrix with a vector."""
    axes = [operand.type.ndim for operand in node.operands if isinstance(operand.type, Array)]
    if node.op != "matmul" or max(axes) != 2:
        return f"the GPU multiplies matrices, not arrays of {' and '.join(map(str, axes))} axes"
    if loop_of(node)[0] == "bool":
        return "the GPU multiplies no matrices of booleans"
    return None


# Loops ------------------------------------------------------------------------------------------------------


def why_not_parallel(loop: Node, aliases: Aliases) -> str | None:
    """The reason why the iterations of a `for` can't run side by side; None if they can.

    They can where nothing is handed from iteration to iteration, nothing raises, and what an iteration writes
    is at an index of its own, as is all that it reads of that array.
    """
    if loop.results or leaves(loop) or _breaks(loop.regions[0]):
        return "its iterations depend on each other"
    step, index = loop.operands[2], loop.regions[0].params[0]
    if not (isinstance(step, Literal) and step.value == 1):
        return "its steps are not 1"
    if len(loop.regions) > 1:
        return "it has an else"
    inner = list(walk(loop.regions[0]))
    for node in inner:
        if reason := _iteration_reason(node):
            return f"line {node.loc.line}: {reason}"
    written = [node for node in inner if is_store(node)]
    for store in written:
        places = _places(store, index)
        for other in (node for node in inner if is_element(node)):
            if not _apart(store, other, places, aliases):
                return f"its iterations may meet in one element of {_array(store).name}"
    return None


def _breaks(block: Block) -> bool:
    """Whether a `break` leaves the loop whose body the block belongs to."""
    for node in block.nodes:
        inner = [else_of(node)] if is_loop(node) else node.regions
        if is_break(node) or any(_breaks(region) for region in inner if region is not None):
            return True
    return False


def _iteration_reason(node: Node) -> str | None:
    """What keeps a node from being part of an iteration."""
    if any(is_array(result) for result in node.results):
        return f"{node.op} makes an array in every iteration"
    if node.op in ("if", "for", "while", "yield", "break", "continue"):
        return "its steps are not known" if is_counted(node) and raises(node) else None
    if node.op in ("raise", "check_bound", "return", "call") or raises(node):
        return f"{node.op} may raise"
    op = OPS[node.op]
    if node.op in ("size", "load", "store"):
        return None
    if op.kind not in (PYTHON, MATH, ELEMENTWISE) or any(is_array(operand) for operand in node.operands):
        return f"{node.op} in a loop has no form for the GPU"
    return _text_reason(node)


def _array(node: Node) -> Value:
    array = node.operands[0]
    assert isinstance(array, Value)
    return array


def _indices(node: Node) -> tuple[Operand, ...]:
    return node.operands[2:] if is_store(node) else node.operands[1:]


def _places(store: Node, index: Value) -> list[int]:
    """The axes in which a store's index is that of the loop."""
    return [k for k, operand in enumerate(_indices(store)) if operand is index]


def _apart(store: Node, other: Node, places: list[int], aliases: Aliases) -> bool:
    """True when the two meet in one element only within one iteration."""
    if not aliases.may_overlap(_array(store), _array(other)):
        return True
    if _array(store) is not _array(other):
        return False
    return any(_indices(other)[k] is _indices(store)[k] for k in places)


def side_by_side(loop: Node, aliases: Aliases) -> Iterator[Node]:
    """The loops of a nest whose iterations can all run side by side: the given one and those in it.

    Between two of them there may be scalars, which each iteration of the inner one then computes for itself.
    """
    yield loop
    *before, ending = loop.regions[0].nodes
    inner = before[-1] if before else ending
    if not is_counted(inner) or ending.operands or not _is_inner(loop.regions[0], inner, before[:-1]):
        return
    if why_not_parallel(inner, aliases) is None:
        yield from side_by_side(inner, aliases)


def _is_inner(block: Block, inner: Node, before: list[Node]) -> bool:
    """True when the bounds of `inner` are the same in all iterations, and nothing else is done there."""
    made = {*block.params, *(result for node in before for result in node.results)}
    if any(is_element(node) or node.regions for node in before):
        return False
    return not any(operand in made for operand in inner.operands[:3])
