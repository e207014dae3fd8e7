"""Which temporaries are written inside the expression that uses them, in the source's order of evaluation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping

from ..graph.ir.nodes import Block, Node, Value
from ..graph.ops.facts import hands_on, is_branch, is_counted, is_size, is_tested, is_unit, is_yield
from ..graph.ops.written import written
from .expressions import slots

TextOf = Callable[[Node], str | None]
OrderOf = Callable[[Node, "str | None"], list[int]]
DEEPEST = 10
"""So many expressions may stand inside of one another; nobody reads more, and Python's parser has an end."""

_CONDITIONAL = re.compile(r"\b(if|and|or|for|lambda)\b")


def is_temporary(value: Value) -> bool:
    """Named by the tracer, not by the user."""
    return re.fullmatch(r"t\d+", value.name) is not None


def find_inlined(
    block: Block, uses: Mapping[Value, int], text_of: TextOf, pure: Callable[[Node], bool], order_of: OrderOf
) -> dict[Value, Node]:
    """The values of `block` and its regions that need no variable, each with its node.

    `text_of` gives the template of a node that is an expression, else None. Pure nodes move freely in their
    block; others keep their order: they become operands only where Python would evaluate them in turn.
    `order_of` gives the operands of a node that may hold expressions, in the order of evaluation. Sizes are
    always written where they are used.
    """
    found: dict[Value, Node] = {}
    _scan(block, uses, text_of, pure, order_of, found)
    return found


def _scan(
    block: Block,
    uses: Mapping[Value, int],
    text_of: TextOf,
    pure: Callable[[Node], bool],
    order_of: OrderOf,
    found: dict[Value, Node],
    is_test: bool = False,
) -> None:
    waiting: list[Value] = []
    free: dict[Value, Node] = {}
    made: dict[Value, Node] = {}
    for node in block.nodes:
        if is_size(node):
            found[node.results[0]] = node
            continue
        template = text_of(node)
        order = [0] if is_test and is_yield(node) else _order(node, template, order_of)
        written = Counter(order)
        ordered = [v for k in order if isinstance(v := node.operands[k], Value) and v in waiting]
        for k in order:
            value = node.operands[k]
            if isinstance(value, Value) and value in free and written[k] == 1:
                found[value] = free.pop(value)
        strict = template is not None and _CONDITIONAL.search(template) is not None
        if ordered and not strict and max(written.values()) == 1 and waiting[-len(ordered) :] == ordered:
            del waiting[-len(ordered) :]
            found.update((value, made[value]) for value in ordered)
        else:
            for operand in node.operands:
                if operand in waiting:
                    del waiting[: waiting.index(operand) + 1]
        candidate = len(node.results) == 1 and template is not None and uses.get(node.results[0], 0) == 1
        if candidate and is_temporary(node.results[0]) and _depth(node, found) < DEEPEST:
            made[node.results[0]] = node
            moves = pure(node) and all(o not in found or o in free or pure(found[o]) for o in _values(node))
            if moves and not any(_impure(o, found, pure) for o in _values(node)):
                free[node.results[0]] = node
            else:
                waiting.append(node.results[0])
        elif not pure(node) or template is None or any(_impure(o, found, pure) for o in _values(node)):
            waiting.clear()  # what it does, or an expression in it, is done here
        for number, region in enumerate(node.regions):
            if not is_unit(node):
                _scan(region, uses, text_of, pure, order_of, found, is_test=is_tested(node) and number == 0)


def _values(node: Node) -> list[Value]:
    return [operand for operand in node.operands if isinstance(operand, Value)]


def _depth(node: Node, found: Mapping[Value, Node]) -> int:
    """How many expressions stand inside of one another in that of `node`, counted up to `DEEPEST`."""
    depth, level = 0, [node]
    while level and depth < DEEPEST:
        level = [inner for n in level for v in _values(n) if (inner := found.get(v)) is not None]
        level = [n for n in level if not is_size(n)]
        depth += 1
    return depth


def _impure(value: Value, found: Mapping[Value, Node], pure: Callable[[Node], bool]) -> bool:
    node = found.get(value)
    return node is not None and (not pure(node) or any(_impure(v, found, pure) for v in _values(node)))


def _order(node: Node, template: str | None, order_of: OrderOf) -> list[int]:
    """The operands that may hold expressions, in the order of evaluation."""
    if is_branch(node):
        return [0]
    if is_counted(node):
        return [0, 1, 2]
    if hands_on(node):
        return []
    return order_of(node, template)


def order_in_text(node: Node, template: str | None) -> list[int]:
    """The order of evaluation where a node is printed by its text."""
    text = template if template is not None else node.attrs.get("text", written(node))
    return slots(text) if isinstance(text, str) else []
