"""Is what a reverse pass reads from its tape what the forward pass has kept in that iteration?

A buffer of the tape has a place for each iteration. Where a branch writes it, iterations that took another
branch leave their places as they were; so what is read there may be used in the same branch only.

Conditions of the forward and of the reverse pass are known to be the same by the mark that the reverse pass
takes over with an `if`; without one, only the same value is the same condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...graph.analysis.around import body_of
from ...graph.analysis.effects import effects_of
from ...graph.analysis.flow import endings_of
from ...graph.ir.nodes import QUESTION, Block, Node, Value, value_operands
from ...graph.ops.facts import is_branch, is_cluster, is_ending, is_load, is_loop, is_view, is_write

TAPE = "tape"
"""The attribute of the nodes that allocate buffers of a tape."""

_Path = frozenset[tuple[object, int]]


def unkept(body: Block) -> str | None:
    """A use of what was not kept, in words; None if there is none."""
    found = _TapeUses(body)
    for node in found.paths:
        if node.attrs.get(TAPE):
            (buffer,) = node.results
            if (wrong := found.wrong_use(buffer)) is not None:
                where = f"line {wrong.loc.line}: {wrong.loc.text.strip()}"
                return f"{buffer.name} is read where it may not have been kept ({wrong.op}, {where})"
    return None


@dataclass(slots=True)
class _TapeUses:
    """The nodes of a graph: the branches around each, and who reads what."""

    paths: Mapping[Node, _Path]
    readers: Mapping[Value, list[Node]]
    targets: Mapping[Node, Node]
    """The endings that hand values on to a cluster or to a loop."""

    def __init__(self, body: Block) -> None:
        self.paths = dict(_paths(body, frozenset()))
        readers: dict[Value, list[Node]] = {}
        for node in self.paths:
            for operand in () if is_cluster(node) else value_operands(node):
                readers.setdefault(operand, []).append(node)
        self.readers = readers
        self.targets = {node.regions[0].ending: node for node in self.paths if is_cluster(node)}
        for node in self.paths:
            if is_loop(node):
                self.targets.update(dict.fromkeys(endings_of(body_of(node)), node))

    def wrong_use(self, buffer: Value) -> Node | None:
        """A node that has an effect of what it reads in a place that may be as it was."""
        writers = [self.paths[node] for node in self._writers(buffer)]
        if not writers:
            return None
        needed = frozenset.intersection(*writers)
        return next((n for n in self._effective(buffer) if not needed <= self.paths[n]), None)

    def _writers(self, buffer: Value) -> Iterator[Node]:
        seen, todo = {buffer}, [buffer]
        while todo:
            one = todo.pop()
            for node in self.readers.get(one, ()):
                if is_write(node) and node.operands[0] is one:
                    yield node
                following = node.results if is_view(node) else self._handed_on(node, one)
                todo += [value for value in following if value not in seen]
                seen.update(following)

    def _handed_on(self, node: Node, value: Value) -> list[Value]:
        """What `value` is called in and after a loop that begins with it, or after a node that gets it."""
        target = node if is_loop(node) else self.targets.get(node)
        if target is None:
            return []
        operands = node.operands[len(node.operands) - len(target.results) :]
        names = [target.results]
        if is_loop(target):
            names += [region.params[len(region.params) - len(operands) :] for region in target.regions]
        return [one[k] for k, operand in enumerate(operands) if operand is value for one in names]

    def _effective(self, value: Value) -> Iterator[Node]:
        """The nodes that do something with what they read, themselves or by way of pure ones."""
        seen, todo = {value}, [value]
        while todo:
            one = todo.pop()
            for node in self.readers.get(one, ()):
                if is_write(node) and node.operands[0] is one:
                    continue
                if following := self._handed_on(node, one):
                    todo += [value for value in following if value not in seen]
                    seen.update(following)
                    continue
                passes_on = (
                    is_view(node) or is_load(node) or (not node.regions and effects_of(node).droppable)
                )
                if is_ending(node) or not passes_on:
                    yield node
                    continue
                todo += [result for result in node.results if result not in seen]
                seen.update(node.results)


def _paths(block: Block, path: _Path) -> Iterator[tuple[Node, _Path]]:
    for node in block.nodes:
        yield node, path
        for number, region in enumerate(node.regions):
            branch = {(node.attrs.get(QUESTION, node.operands[0]), number)} if is_branch(node) else set()
            yield from _paths(region, path | branch)
