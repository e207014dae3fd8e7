"""What was looked up before in the same block and can't have changed: ends of slices, counts of masks."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

import numpy as np

from ...graph.analysis.effects import effects_of
from ...graph.ir import dims
from ...graph.ir.axes import spans
from ...graph.ir.dims import Size
from ...graph.ir.nodes import Node, Value, walk
from ...graph.ir.types import INT, Array
from ...graph.ops.facts import is_look, is_plain_view, is_view
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.numpy_elementwise import copy
from ...graph.symbolic.symbols import SymbolicScalar, as_dim
from ...graph.trace.build import current, rules

Key = tuple[Hashable, ...]


def load_key(array: SymbolicArray, index: object) -> Key | None:
    """What stands for ``array[index]``, an int that is worth to be remembered."""
    if array.ndim != 1 or array.dtype.kind not in "iu":
        return None
    if isinstance(index, SymbolicScalar) and index.dim is None:
        return ("load", array.operand(), index.operand())
    place = as_dim(index)
    return None if place is None else ("load", array.operand(), place)


def unchanged(key: Key, array: SymbolicArray) -> Value | None:
    """The value that was remembered for `key`, if nothing has written to `array` since."""
    builder = current()
    if (value := builder.recall(key)) is None or (since := builder.made_since(key)) is None:
        return None
    if any(_may_write(node, array.operand()) for node in since):
        return None
    builder.looked_at(key)
    return value


def _may_write(node: Node, array: object) -> bool:
    effects = effects_of(node)
    if effects.opaque or not isinstance(array, Value):
        return True
    return bool(effects.writes) and not all(_apart(target, array) for target in effects.writes)


def _apart(one: Value, other: Value) -> bool:
    """Whether two arrays are known to be different memory: parameters, and what was made here."""
    params = current().params
    if one.name in params and other.name in params:
        return one is not other
    made = dict(_definitions())
    first, second = _root(one, made), _root(other, made)
    if first is not None and second is not None:
        return first is not second
    if first is None and second is None:
        return False
    known, unknown = (first, other) if first is not None else (second, one)
    return known in made and _is_new_to(known, unknown, made)


def _is_new_to(known: Value, unknown: Value, made: Mapping[Value, Node]) -> bool:
    """Whether an array that was made here is another one than one of which nobody knows where it is from.

    What is made in the innermost block was not there when the blocks around it began. And an array keeps its
    dtype, unless something looks at its memory as another's.
    """
    if _source(unknown, made) not in made and any(node is made[known] for node in current().blocks[-1]):
        return True
    if not isinstance(known.type, Array) or not isinstance(unknown.type, Array):
        return False
    own, looks = known.type.dtype, [v.type for v, node in made.items() if node.attrs.get("aliases")]
    return unknown.type.dtype != own and all(look.dtype == own for look in looks if isinstance(look, Array))


def _root(value: Value, made: Mapping[Value, Node]) -> Value | None:
    """The parameter or the new array that `value` looks at; None where that isn't known."""
    value = _source(value, made)
    node = made.get(value)
    if node is None:
        return value if value.name in current().params else None
    return None if node.regions or node.attrs.get("aliases") or effects_of(node).opaque else value


def _source(value: Value, made: Mapping[Value, Node]) -> Value:
    """What `value` looks at, through views."""
    while (node := made.get(value)) is not None and (is_view(node) or is_look(node)):
        source = node.operands[0]
        if not isinstance(source, Value):
            return value
        value = source
    return value


def _definitions() -> Iterator[tuple[Value, Node]]:
    for block in current().blocks:
        for node in block:
            for inner in (node, *(n for region in node.regions for n in walk(region))):
                yield from ((result, inner) for result in inner.results)


def row_distance(array: SymbolicArray) -> Size | None:
    """How many elements apart the rows of a part of a C-ordered matrix lie; None for any other array."""
    value = array.operand()
    node = dict(_definitions()).get(value) if isinstance(value, Value) else None
    if node is None or not is_plain_view(node) or not isinstance(source := node.operands[0].type, Array):
        return None
    parts = spans(node.attrs["axes"])
    steps = [(part.target, part.step) for part in parts]
    return source.shape[1] if source.layout == "C" and steps == [(0, 1), (1, 1)] else None


def counted(mask: SymbolicArray) -> SymbolicScalar:
    """How many truths are in `mask`."""
    value = _count(mask)
    return SymbolicScalar(value, INT, dims.symbol(value.name))


def count_of(mask: SymbolicArray) -> Size:
    """The same as a size."""
    return dims.symbol(_count(mask).name)


def _count(mask: SymbolicArray) -> Value:
    """Counted once as long as the mask stays."""
    key = ("count", mask.operand())
    if (known := unchanged(key, mask)) is not None:
        return known
    count = rules().function(np.count_nonzero, (mask,), {})
    value = current().one("py.int", (count.operand(),), INT, loop=(count.type.kind,), text="int({0})")
    current().remember(key, value)
    return value


def own(array: SymbolicArray, target: SymbolicArray) -> SymbolicArray:
    """The array, or a copy where a write to `target` may change it: NumPy has read all before it writes."""
    one, other = array.operand(), target.operand()
    known = isinstance(one, Value) and isinstance(other, Value) and _apart(one, other)
    return array if known else copy(array)
