"""Checks that can't fail."""

from __future__ import annotations

from ..analysis.around import body_of
from ..analysis.ranges import Ranges, is_int
from ..ir import dims
from ..ir.axes import Pick
from ..ir.dims import Size
from ..ir.nodes import Block, Graph, Literal, Node, Operand, Value
from ..ir.rewrite import with_attrs, with_body, with_nodes, with_regions
from ..ir.types import Array
from ..ops import OPS
from ..ops.facts import falls_through, first_index, is_branch, is_counted, is_loop, is_plain_view, is_tested
from .options import Options


def check_ranges(graph: Graph, options: Options) -> Graph:
    """Mark indices that are proved to be in range, and int arithmetic that can't leave 64 bits.

    Before::

        graph f(%a: f64[n]) sizes n=a[0] {
          %stop: int = size() {size=n - 1}
          for(1, %stop, 1) {names=('i',)} (%i: int) {
            %j: int = py.sub(%i, 1) {loop=('int', 'int')}
            %x: np.float64 = load(%a, %j) {check=(True,)}
            store(%a, %x, %i) {check=(True,)}
            yield
          }
          return
        }

    After::

        graph f(%a: f64[n]) sizes n=a[0] {
          %stop: int = size() {size=n - 1}
          for(1, %stop, 1) {names=('i',)} (%i: int) {
            %j: int = py.sub(%i, 1) {loop=('int', 'int'), safe=True}
            %x: np.float64 = load(%a, %j) {check=(False,)}
            store(%a, %x, %i) {check=(False,)}
            yield
          }
          return
        }
    """
    return with_body(graph, _block(graph.body, Ranges(graph)))


def _block(block: Block, ranges: Ranges) -> Block:
    count = len(ranges.facts)
    nodes = []
    for node in block.nodes:
        nodes.append(_node(node, ranges))
        ranges.facts += _afterwards(node, ranges)
    del ranges.facts[count:]
    return with_nodes(block, nodes)


def _afterwards(node: Node, ranges: Ranges) -> list[Size]:
    """After ``if x: return`` x is false; after ``a[i]`` i was in range."""
    if node.op in ("load", "store", "view"):
        array = node.operands[0].type
        checked = any(node.attrs.get("check", ())) and isinstance(array, Array)
        pairs = _indices(node, array) if checked and isinstance(array, Array) else []
        return [ranges.last(index, size) for index, size in pairs if is_int(index)]
    if not is_branch(node):
        return []
    goes_on = [falls_through(region) for region in node.regions]
    return _condition(node.operands[0], goes_on[0], ranges) if sum(goes_on) == 1 else []


def _node(node: Node, ranges: Ranges) -> Node:
    if is_loop(node):
        ranges.enter_loop(node)
    if node.regions:
        return with_regions(node, tuple(_region(node, region, ranges) for region in node.regions))
    if node.op in ("load", "store", "view"):
        return _checked(node, ranges)
    ranges.learn(node)
    if not node.attrs.get("safe") and _is_safe(node, ranges):
        return with_attrs(node, safe=True)
    return node


def _region(node: Node, region: Block, ranges: Ranges) -> Block:
    count = len(ranges.facts)
    ranges.facts += _facts(node, region, ranges)
    try:
        return _block(region, ranges)
    finally:
        del ranges.facts[count:]


def _facts(node: Node, region: Block, ranges: Ranges) -> list[Size]:
    """What is known where `region` runs, as sizes that are at least 0."""
    if is_branch(node):
        return _condition(node.operands[0], region is node.regions[0], ranges)
    if is_tested(node) and region is body_of(node):
        return _condition(node.regions[0].ending.operands[0], True, ranges)
    if is_counted(node) and region is body_of(node):
        start, stop, step = node.operands[:3]
        if is_int(start) and is_int(stop) and isinstance(step, Literal) and step.value:
            length = dims.sub(ranges.exact(stop), ranges.exact(start))
            return [dims.sub(dims.scale(length, 1 if step.value > 0 else -1), 1)]
    return []


def _condition(operand: Operand, outcome: bool, ranges: Ranges) -> list[Size]:
    """What follows from a condition's being true, or false."""
    node = ranges.flow.definition.get(operand) if isinstance(operand, Value) else None
    if node is None:
        return []
    if node.op == "py.not":
        return _condition(node.operands[0], not outcome, ranges)
    if node.op in ("truth", "py.bool"):
        return _condition(node.operands[0], outcome, ranges)
    if is_branch(node):
        return _both(node, operand, outcome, ranges)
    name = node.op if outcome else OPS[node.op].negation
    if len(node.operands) != 2 or not all(is_int(o) for o in node.operands):
        return []
    left, right = (ranges.exact(o) for o in node.operands)
    more, less = dims.sub(left, right), dims.sub(right, left)
    known = {
        "py.lt": [dims.sub(less, 1)],
        "py.le": [less],
        "py.gt": [dims.sub(more, 1)],
        "py.ge": [more],
        "py.eq": [more, less],
    }
    return known.get(name, [])


def _both(node: Node, operand: Operand, outcome: bool, ranges: Ranges) -> list[Size]:
    """``x and y`` is true, ``x or y`` is false: something follows from both."""
    slot = next(k for k, result in enumerate(node.results) if result is operand)
    if any(not falls_through(region) for region in node.regions):
        return []
    yes, no = (region.ending.operands[slot] for region in node.regions)
    cut, other = (no, yes) if outcome else (yes, no)
    decided = cut is node.operands[0] or (isinstance(cut, Literal) and bool(cut.value) is not outcome)
    if not decided:
        return []
    return _condition(node.operands[0], outcome, ranges) + _condition(other, outcome, ranges)


def _checked(node: Node, ranges: Ranges) -> Node:
    check = node.attrs.get("check", ())
    array = node.operands[0].type
    if not any(check) or not isinstance(array, Array):
        return node
    left = tuple(
        needed and not ranges.in_range(index, size)
        for needed, (index, size) in zip(check, _indices(node, array), strict=True)
    )
    return node if left == tuple(check) else with_attrs(node, check=left)


def _indices(node: Node, array: Array) -> list[tuple[Operand, Size]]:
    """The int operands of a load, store or view that have a check, with the sizes of their axes."""
    first = first_index(node)
    axes = list(range(len(node.attrs["check"])))
    if is_plain_view(node):
        at = {item.index: axis for axis, item in enumerate(node.attrs["axes"]) if isinstance(item, Pick)}
        axes = [at[k] for k in axes]
    return [(node.operands[first + k], array.shape[axis]) for k, axis in enumerate(axes)]


def _is_safe(node: Node, ranges: Ranges) -> bool:
    """True if Python's and the machine's arithmetic agree on all that the operands can be."""
    op = OPS[node.op]
    if op.interval is not None and all(is_int(o) for o in node.operands):
        low, high = op.interval(*(ranges.interval(operand) for operand in node.operands))
        return low >= -(2**63) and high < 2**63
    if op.divides:
        return _is_safe_quotient(node, ranges)
    if op.negation:
        # Python compares an int with a float exactly, the machine as floats.
        ints = [ranges.interval(operand) for operand in node.operands if is_int(operand)]
        return len(ints) == 1 and max(abs(x) for x in ints[0]) <= 2**53
    if node.op == "py.rshift" and all(is_int(o) for o in node.operands):
        low, high = ranges.interval(node.operands[1])
        return low >= 0 and high < 64
    return False


def _is_safe_quotient(node: Node, ranges: Ranges) -> bool:
    divisor = node.operands[1]
    if not all(is_int(o) for o in node.operands):
        return node.op == "py.truediv" and isinstance(divisor, Literal) and bool(divisor.value)
    left, right = (ranges.interval(operand) for operand in node.operands)
    if right[0] <= 0 <= right[1] or left[0] == -(2**63) and right[0] <= -1 <= right[1]:
        return False
    return node.op != "py.truediv" or max(abs(x) for x in (*left, *right)) < 2**53
