"""Whether a list may have copies of the arrays that are appended to it: nobody can tell if nobody writes.

A node that is marked as one that `keeps` copies an array into the memory of a list. In Python the list has
the array itself. There is a difference where that is written after it was appended, where an item is, or
where either goes to code that may do so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..ir.nodes import Block, Graph, Node, Value, walk
from ..ops.facts import KEEPS, OWN_ROWS, is_branch, is_return
from .effects import Aliases, gives_away, is_array, is_opaque, writes


def copies_can_be_told(graph: Graph) -> bool:
    """Whether a program can tell that its lists have copies of their arrays."""
    keeping = [node for node in walk(graph.body) if node.attrs.get(KEEPS)]
    if not keeping:
        return False
    aliases = Aliases(graph)
    if any(map(is_opaque, walk(graph.body))):  # which may write into what others can see
        if not all(is_array(node.operands[1]) and aliases.is_local(node.operands[1]) for node in keeping):
            return True
    before = dict(_nodes_before(graph.body, aliases))
    order = dict(_places(graph.body, ()))
    for node in walk(graph.body):
        written = () if node.attrs.get(KEEPS) else writes(node)
        given = [o for o in node.operands if is_array(o)] if gives_away(node) or is_return(node) else []
        listed = [value for value in given if _is_returned_as_list(node, value)]
        for keeper in keeping:
            rows, source = keeper.operands
            assert isinstance(rows, Value)
            assert isinstance(source, Value)
            changed = (value for value in (*written, *given) if value not in listed)
            if any(aliases.may_ever_overlap(value, rows) for value in changed):
                return True
            if any(aliases.may_ever_overlap(value, rows) for value in listed):
                if keeper not in before or not _has_one_owner(keeper, node, keeping, aliases):
                    return True
            root = aliases.root(source) if node in before.get(keeper, ()) else None
            over = _is_over(order[node], order[keeper])
            late = [] if over else [value for value in written if aliases.root(value) is not root]
            late += () if is_return(node) else given
            if any(aliases.may_ever_overlap(value, source) for value in late):
                return True
    return False


def _is_returned_as_list(node: Node, value: Value) -> bool:
    """Whether a return makes a new list of the rows of `value`, and does nothing else with it."""
    slot = f"{{{node.operands.index(value)}}}"
    text = str(node.attrs.get("text", ""))
    return is_return(node) and text.count(slot) == text.count(f"{OWN_ROWS}({slot})")


def _has_one_owner(keeper: Node, ending: Node, keeping: Iterable[Node], aliases: Aliases) -> bool:
    """Whether the array that is kept is new, whole, and neither in another list nor returned by itself."""
    source = keeper.operands[1]
    assert isinstance(source, Value)
    if aliases.source(source) is not None:
        return False
    others = [node.operands[1] for node in keeping if node is not keeper]
    others += [value for value in ending.operands if is_array(value)]
    return not any(aliases.may_ever_overlap(source, other) for other in others if is_array(other))


Place = tuple[tuple[int, int], ...]
"""Where a node stands: its number in the block, after the numbers of the node around it and of its region.

A region that may run several times has the number -1.
"""


def _places(block: Block, around: Place) -> Iterator[tuple[Node, Place]]:
    for k, node in enumerate(block.nodes):
        yield node, (*around, (k, 0))
        for number, region in enumerate(node.regions):
            yield from _places(region, (*around, (k, number if is_branch(node) else -1)))


def _is_over(one: Place, other: Place) -> bool:
    """Whether a node does all that it does before another one does anything."""
    for (k, region), (n, region_of_other) in zip(one, other, strict=False):
        if k != n:
            return k < n
        if region != region_of_other or region < 0:
            return False
    return False


def _nodes_before(block: Block, aliases: Aliases) -> Iterator[tuple[Node, set[Node]]]:
    """For each node that keeps an array which its own block has allocated: the nodes between the two.

    What they write into that array they write before it is in the list.
    """
    made = {value: k for k, node in enumerate(block.nodes) for value in node.results}
    for k, node in enumerate(block.nodes):
        if node.attrs.get(KEEPS) and is_array(source := node.operands[1]):
            root = aliases.root(source)
            if root in made and not aliases.is_merged(root):
                between = block.nodes[made[root] : k]
                yield node, {inner for each in between for inner in (each, *_inside(each))}
        for region in node.regions:
            yield from _nodes_before(region, aliases)


def _inside(node: Node) -> Iterator[Node]:
    for region in node.regions:
        yield from walk(region)
