"""The reverse pass through nodes that touch memory: a read adds to an adjoint, a write takes one away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..analysis.effects import is_array
from ..ir.nodes import Node, Operand, Value
from ..ir.types import Array, numpy_scalar
from ..symbolic.arith import operand
from ..symbolic.arrays import SymbolicArray
from ..symbolic.indexing import assign
from ..symbolic.operators import binary
from ..symbolic.symbols import SymbolicScalar
from ..trace.build import current
from ..trace.called import Call
from .adjoints import Adjoints
from .arrays import contiguous
from .contributions import fitted_to
from .errors import NoGradient
from .frame import Recomputation
from .numpy_rules import numpy_rule
from .pullback import Lazy, ReverseNode

Rule = Callable[[Recomputation, Adjoints, Node], None]


def _view(frame: Recomputation, adjoints: Adjoints, node: Node) -> None:
    """A view has its source's adjoint, but for those that are kept apart."""
    (result,) = node.results
    if frame.context.storage.root(result) is not result:
        return
    held = adjoints.take(result)
    if held is None or not frame.context.activity.wanted(node)[0]:
        return
    adjoints.add(node.operands[0], held)


def _grow(frame: Recomputation, adjoints: Adjoints, node: Node) -> None:
    """The places that there were have the derivatives that they have now; the others get none."""
    held = adjoints.take_held(node.results[0])
    (array, _) = node.operands
    if held is not None and isinstance(array, Value) and frame.context.activity.wanted(node)[0]:
        adjoints.put(array, held)


def _load(frame: Recomputation, adjoints: Adjoints, node: Node) -> None:
    cotangent = adjoints.take(node.results[0])
    if cotangent is None or not frame.context.activity.wanted(node)[0]:
        return
    array, indices = node.operands[0], _indices(node, 1)
    assert isinstance(array, Value)
    target = _shadow(adjoints, array)
    at = [frame.operand(index) for index in indices]
    known = load(target, at, node)
    store(target, binary("add", known, cotangent), at, node)


def _store(frame: Recomputation, adjoints: Adjoints, node: Node) -> None:
    array, value = node.operands[:2]
    assert isinstance(array, Value)
    if not adjoints.has(array):
        return
    target = _shadow(adjoints, array)
    at = [frame.operand(index) for index in _indices(node, 2)]
    moved = load(target, at, node) if frame.context.activity.wanted(node)[1] else None
    store(target, target.dtype.type(0), at, node)
    adjoints.add(value, moved)


def _assign(frame: Recomputation, adjoints: Adjoints, node: Node) -> None:
    array, value = node.operands
    assert isinstance(array, Value)
    if not adjoints.has(array) or _is_same_place(frame, array, value):
        return
    storage = frame.context.storage
    whole = storage.root(array) is array and array in adjoints.arrays
    if whole:
        held = adjoints.take_held(array)
        assert held is not None
        if frame.context.activity.wanted(node)[1]:
            adjoints.add(value, held.array, held.owned)
        return
    target = _shadow(adjoints, array)
    moved = contiguous(target, always=True) if frame.context.activity.wanted(node)[1] else None
    target[...] = target.dtype.type(0)
    adjoints.add(value, moved, True)


def _is_same_place(frame: Recomputation, array: Value, value: Operand) -> bool:
    """``a[1:] = a[1:]``, which is how Python ends ``a[1:] += b``."""
    storage = frame.context.storage
    if not isinstance(value, Value) or not is_array(value) or storage.root(array) is not storage.root(value):
        return False
    one, other = storage.chain(array), storage.chain(value)
    return len(one) == len(other) and all(_same_view(a, b) for a, b in zip(one, other, strict=True))


def _same_view(one: Node, other: Node) -> bool:
    return one is other or (
        one.op == other.op
        and one.attrs.get("axes") == other.attrs.get("axes")
        and one.results[0].type == other.results[0].type
        and all(_same(a, b) for a, b in zip(one.operands[1:], other.operands[1:], strict=True))
    )


def _same(one: Operand, other: Operand) -> bool:
    if one is other:
        return True
    return not isinstance(one, Value) and not isinstance(other, Value) and bool(one.value == other.value)


def _copy(frame: Recomputation, adjoints: Adjoints, node: Node) -> None:
    held = adjoints.take_held(node.results[0])
    if held is not None and frame.context.activity.wanted(node)[0]:
        adjoints.add(node.operands[0], held.array, held.owned)


def _full(frame: Recomputation, adjoints: Adjoints, node: Node) -> None:
    cotangent = adjoints.take(node.results[0])
    if cotangent is not None and frame.context.activity.wanted(node)[0]:
        adjoints.add(node.operands[0], cotangent.sum())


def _nothing(frame: Recomputation, adjoints: Adjoints, node: Node) -> None:
    for result in node.results:
        adjoints.take(result)


def _numpy_write(frame: Recomputation, adjoints: Adjoints, node: Node) -> None:
    """The rule works on the adjoint's own memory, and leaves there what it was before the write."""
    array, wanted = node.operands[0], frame.context.activity.wanted(node)
    assert isinstance(array, Value)
    if not adjoints.has(array):
        return

    def content(k: int) -> Any:
        value = frame.content(node, k)
        return contiguous(value) if isinstance(value, SymbolicArray) and value.ndim > 1 else value

    inputs = Lazy(len(node.operands), content)
    types = Lazy(len(node.operands), lambda k: frame.type(node.operands[k].type))
    memory = _shadow(adjoints, array)
    _check_parts(frame, node)
    contributions = numpy_rule(ReverseNode(node, inputs, (), [memory], wanted, types))
    if contributions[0] is not None:  # the array was an operand, too: ``a += a``
        assign(memory, memory + fitted_to(types[0], contributions[0]))
    for written, contribution in zip(node.operands[1:], contributions[1:], strict=True):
        adjoints.add(written, contribution)


def _check_parts(frame: Recomputation, node: Node) -> None:
    """What NumPy writes part by part reads parts that it has written, where they are in one memory.

    Raises:
        NoGradient: they may be.
    """
    called: Call | None = node.attrs.get("_call")
    if called is None or called.function not in (np.concatenate, np.stack):
        return
    array, *others = node.operands
    assert isinstance(array, Value)
    overlap = frame.context.storage.overlap
    if any(is_array(other) and overlap(array, other) for other in others):
        reason = "it writes to what it reads, one part after the other"
        raise NoGradient(node, reason, "leave out=, and assign what it gives")


def _drawn_into(frame: Recomputation, adjoints: Adjoints, node: Node) -> None:
    """What the array held is lost; random numbers are constants of the run."""
    array, wanted = node.operands[0], frame.context.activity.wanted(node)
    assert isinstance(array, Value)
    if not adjoints.has(array):
        return
    if any(wanted[1:]):
        raise NoGradient(node, "what it draws depends on what is differentiated for")
    target = _shadow(adjoints, array)
    target[...] = target.dtype.type(0)


def _indices(node: Node, first: int) -> tuple[Operand, ...]:
    """The indices of a load or store (operands after them are the text's)."""
    array = node.operands[0].type
    assert isinstance(array, Array)
    return node.operands[first : first + array.ndim]


def _shadow(adjoints: Adjoints, array: Value) -> SymbolicArray:
    """The adjoint of `array` as memory to work on."""
    storage = adjoints.frame.context.storage
    root = storage.root(array)
    buffer = adjoints.buffer(root)
    return buffer if root is array else adjoints.frame.view(buffer, storage.chain(array))


def load(array: SymbolicArray, at: list[Operand], like: Node) -> Any:
    """``array[at]``; the indices are in range, as they were for the node `like`."""
    kind = numpy_scalar(array.dtype)
    operands = (array.operand(), *at)
    text = f"{{0}}{_subscript(len(at), 1)}"
    value = current().one("load", operands, kind, text=text, **_checks(like))
    return SymbolicScalar(value, kind)


def store(array: SymbolicArray, value: Any, at: list[Operand], like: Node) -> None:
    """``array[at] = value``."""
    text = f"{{0}}{_subscript(len(at), 2)} = {{1}}"
    current().emit("store", (array.operand(), operand(value), *at), (), {"text": text, **_checks(like)})


def _subscript(count: int, first: int) -> str:
    """Indices that are the operands from `first`; an array without axes has none."""
    return f"[{', '.join(f'{{{k + first}}}' for k in range(count)) or '()'}]"


def _checks(like: Node) -> dict[str, Any]:
    check = like.attrs.get("check", ())
    return {"check": check, "safe": True} if any(check) else {"check": check}


MEMORY_RULES: dict[str, Rule] = {
    "view": _view,
    "reshape": _view,
    "grow": _grow,
    "load": _load,
    "store": _store,
    "assign": _assign,
    "copy": _copy,
    "full": _full,
    "numpy_write": _numpy_write,
    "drawn_into": _drawn_into,
    **dict.fromkeys(("empty", "zeros", "ones", "arange", "linspace", "eye"), _nothing),
}
