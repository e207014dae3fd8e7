"""Structured control flow as Python statements, for the driver and for kernels alike."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..graph.ir.nodes import Block, Node, Operand, Value
from ..graph.ir.types import OBJECT, Scalar
from ..graph.ops.facts import is_ending, is_yield, leaves_function, merges_state
from .names import Names
from .writer import INDENT, Writer, code_of

LONGEST_HEAD = len("while not ():")
_WORDS = re.compile(r"[A-Za-z_]\w*")


class NodePrinter(Protocol):
    """What differs between the driver and a kernel."""

    def operand(self, operand: Operand) -> str:
        """The text of an operand."""

    def condition(self, operand: Operand) -> str:
        """The text of a condition, short enough for ``while not (...):`` on one line."""

    def statement(self, node: Node) -> None:
        """Print a node without control flow."""

    def leave(self, node: Node) -> None:
        """Print a ``return`` or ``raise``."""

    def pause(self, node: Node) -> None:
        """Control flow comes next: everything before it must have been printed."""

    def took(self, node: Node) -> bool:
        """Whether the leaf prints this control flow itself."""

    def each_time(self, node: Node) -> str:
        """What is printed at the start of each iteration of a loop; may be nothing."""

    def strips(self, node: Node, items: str) -> tuple[str, str, str] | None:
        """The name of a strip, the strips of a loop over `items`, and how each begins; None: it has none."""

    def always(self) -> str:
        """The condition of a loop that only its body ends; what it needs is printed before."""

    def bound(self, values: tuple[Value, ...]) -> None:
        """These values have just got their variables from control flow."""

    def left(self, depth: int) -> None:
        """The writer is back at `depth`: what deeper blocks have computed may be out of date."""

    def reads(self, value: Value) -> bool:
        """Whether anything reads `value`."""


@dataclass(frozen=True, slots=True)
class EndingTargets:
    """The variables that the endings of a block assign: its yield, and the loop around it."""

    results: tuple[Value, ...] = ()
    loop: tuple[Value, ...] = ()


class FlowPrinter:
    """Prints blocks; everything but control flow is left to `leaf`."""

    def __init__(self, out: Writer, names: Names, leaf: NodePrinter) -> None:
        self.out = out
        self.names = names
        self.leaf = leaf

    def block(self, block: Block, exits: EndingTargets) -> None:
        """Print the nodes of `block` and its ending."""
        for node in block.nodes:
            if is_ending(node):
                self._ending(node, exits)
            elif merges_state(node):
                self.leaf.pause(node)
                if not self.leaf.took(node):
                    getattr(self, f"_{node.op}")(node, exits)
                self.leaf.bound(node.results)
            else:
                self.leaf.statement(node)

    def _ending(self, node: Node, exits: EndingTargets) -> None:
        self.leaf.pause(node)
        if leaves_function(node):
            self.leaf.leave(node)
            return
        self._assign(exits.results if is_yield(node) else exits.loop, node.operands, "")
        if not is_yield(node):
            self.out.line(node.op, node.loc.text)

    def _assign(self, targets: Sequence[Value], operands: Sequence[Operand], source: str) -> None:
        """Assign all operands to their variables at once."""
        moves = []
        for target, operand in zip(targets, operands, strict=True):
            if not self.names.needed(target):
                continue
            name, text = self.names[target], self.leaf.operand(operand)
            if name != text:
                moves.append((name, text))
        for line in parallel(moves):
            self.out.line(line, source)

    def _if(self, node: Node, exits: EndingTargets) -> None:
        inner = EndingTargets(node.results, exits.loop)
        condition = self.leaf.condition(node.operands[0])
        source = self.out.remember(node.loc.text)
        then = self._captured(node.regions[0], inner)
        other = self._captured(node.regions[1], inner)
        if not then and not other:
            if node.operands[0].type == OBJECT:  # to ask an object runs code of the user's, or raises
                self.out.line(f"if {condition}:", source)
                self.out.raw([f"{INDENT * (self.out.depth + 1)}pass"])
            return
        if not then:
            then, other, condition = other, [], _negated(condition, node.operands[0])
        self.out.line(f"if {condition}:", source)
        self.out.raw(then)
        if other:
            indent = INDENT * self.out.depth
            if _is_chain(other, indent + INDENT):
                self.out.raw([f"{indent}el{other[0].strip()}", *(line[len(INDENT) :] for line in other[1:])])
            else:
                self.out.raw([f"{indent}else:", *other])

    def _captured(self, block: Block, exits: EndingTargets) -> list[str]:
        start = len(self.out.lines)
        with self.out.indented():
            self.leaf.bound(block.params)
            self.block(block, exits)
        self.leaf.left(self.out.depth)
        lines = self.out.lines[start:]
        del self.out.lines[start:]
        return lines

    def _for(self, node: Node, exits: EndingTargets) -> None:
        start, stop, step = (self.leaf.operand(operand) for operand in node.operands[:3])
        bounds = (
            [stop] if start == "0" and step == "1" else [start, stop] if step == "1" else [start, stop, step]
        )
        self._over(node, f"range({', '.join(bounds)})", node.operands[3:], exits)

    def _for_each(self, node: Node, exits: EndingTargets) -> None:
        self._over(node, self.leaf.operand(node.operands[0]), node.operands[1:], exits)

    def _over(self, node: Node, items: str, initial: Sequence[Operand], exits: EndingTargets) -> None:
        source = self.out.remember(node.loc.text)
        self._assign(node.results, initial, "")
        if (cut := self.leaf.strips(node, items)) is not None:
            strip, all_strips, first = cut
            self.out.line(f"for {strip} in {all_strips}:")
            with self.out.indented():
                self.out.line(first)
                self._iterations(node, strip, source)
        else:
            self._iterations(node, items, source)
        self._else(node.regions[1:], node, exits)

    def _iterations(self, node: Node, items: str, source: str) -> None:
        index = node.regions[0].params[0]
        target = self.names[index] if self.leaf.reads(index) else "_"
        body = self._captured(node.regions[0], EndingTargets(node.results, node.results))
        self.out.line(f"for {target} in {items}:", source)
        self._body(node, body)

    def _body(self, node: Node, lines: list[str]) -> None:
        """The lines of one iteration."""
        with self.out.indented():
            if first := self.leaf.each_time(node):
                self.out.line(first)
            elif not lines:
                self.out.line("pass")
        self.out.raw(lines)

    def _else(self, regions: Sequence[Block], node: Node, exits: EndingTargets) -> None:
        for region in regions:
            if lines := self._captured(region, EndingTargets(node.results, exits.loop)):
                self.out.raw([f"{INDENT * self.out.depth}else:", *lines])

    def _while(self, node: Node, exits: EndingTargets) -> None:
        source = self.out.remember(node.loc.text)
        self._assign(node.results, node.operands, "")
        test, body = node.regions[:2]
        before, condition = self._test(test)
        inside = self._captured(body, EndingTargets(node.results, node.results))
        if not before:
            condition = self.leaf.always() if condition == "True" else condition
            self.out.line(f"while {condition}:", source)
            self._body(node, inside)
            self._else(node.regions[2:], node, exits)
            return
        done = self.names.fresh("exhausted") if len(node.regions) > 2 else ""
        if done:
            self.out.line(f"{done} = False")
        self.out.line(f"while {self.leaf.always()}:", source)
        with self.out.indented():
            self.out.raw(before)
            self.out.line(f"if {_negated(condition, test.ending.operands[0])}:")
            with self.out.indented():
                if done:
                    self.out.line(f"{done} = True")
                self.out.line("break")
        if inside or self.leaf.each_time(node):
            self._body(node, inside)
        if done and (lines := self._captured(node.regions[2], EndingTargets(node.results, exits.loop))):
            self.out.line(f"if {done}:")
            self.out.raw(lines)

    def _test(self, test: Block) -> tuple[list[str], str]:
        start = len(self.out.lines)
        with self.out.indented():
            self.leaf.bound(test.params)
            for node in test.nodes[:-1]:
                if merges_state(node):
                    self.leaf.pause(node)
                    getattr(self, f"_{node.op}")(node, EndingTargets())
                    self.leaf.bound(node.results)
                else:
                    self.leaf.statement(node)
            self.leaf.pause(test.ending)
            condition = self.leaf.condition(test.ending.operands[0])
        self.leaf.left(self.out.depth)
        lines = self.out.lines[start:]
        del self.out.lines[start:]
        return lines, condition


def parallel(moves: Sequence[tuple[str, str]]) -> list[str]:
    """Statements that make all assignments at once: one by one where no later one reads an earlier target."""
    left, lines = list(moves), []
    while left:
        for move in left:
            others = [text for other in left if other is not move for text in _WORDS.findall(other[1])]
            if move[0] not in others:
                lines.append(f"{move[0]} = {move[1]}")
                left.remove(move)
                break
        else:
            targets, values = zip(*left, strict=True)
            return [*lines, f"{', '.join(targets)} = {', '.join(values)}"]
    return lines


def _negated(condition: str, operand: Operand) -> str:
    # An object's != need not be the opposite of its ==, and a sign in a string is none.
    numbers = isinstance(operand.type, Scalar) and code_of(condition) == condition
    if numbers and (opposite := _opposite(condition)) is not None:
        return opposite
    simple = re.fullmatch(r"[\w.]+(\(.*\))?", condition) is not None and condition.count("(") <= 1
    if condition.startswith("not ") and re.fullmatch(r"not [\w.]+", condition):
        return condition[4:]
    return f"not {condition}" if simple else f"not ({condition})"


_OPPOSITES: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
}


def _opposite(condition: str) -> str | None:
    """The condition with the other sign, where all of it is one comparison that has an opposite."""
    found = ast.parse(condition, mode="eval").body
    if not isinstance(found, ast.Compare) or len(found.ops) != 1 or type(found.ops[0]) not in _OPPOSITES:
        return None
    sign, other = _OPPOSITES[type(found.ops[0])]
    start, end = found.left.end_col_offset, found.comparators[0].col_offset
    return condition[:start] + condition[start:end].replace(sign, other) + condition[end:]


def _is_chain(lines: Sequence[str], indent: str) -> bool:
    """True when the lines are one ``if`` statement, which can go on as ``elif``."""
    if not lines[0].startswith(f"{indent}if "):
        return False
    return all(line.startswith((f"{indent} ", f"{indent}elif ", f"{indent}else:")) for line in lines[1:])
