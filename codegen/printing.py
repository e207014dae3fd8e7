"""Loop nests as Python text."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..graph.ir import dims
from ..graph.ir.dims import Size, Term
from . import texts
from .expressions import assignment, fill, slots
from .nest import Apply, Expr, Fail, Index, Let, Load, Loop, Routine, Stmt, Store, Text
from .polling import work_of_iteration
from .writer import INDENT, WIDTH

if TYPE_CHECKING:
    from .kernel import Lowering

_WORTH_IT = len("part_10 = part_1")
Known = dict[int, tuple[Expr, str]]
"""Texts of expressions by what they are made of: `id` of the expression, which is kept with its text."""


class Printer:
    """Prints nests into a kernel."""

    def __init__(self, kernel: Lowering) -> None:
        self.kernel = kernel
        self.out = kernel.out
        self.loops: dict[str, str] = {}
        """The variables of the loop indices at hand."""

    def print(self, body: list[Stmt]) -> None:
        """Print statements at the writer's depth."""
        for statement in body:
            if isinstance(statement, Loop):
                self._loop(statement)
            elif isinstance(statement, Let):
                self._assign(statement.name, statement.value, statement.source)
            elif isinstance(statement, Store):
                target = self._place(statement.storage.name, statement.index)
                self._assign(target, statement.value, statement.source)
            elif isinstance(statement, Routine):
                arguments = ", ".join(self._written(part) for part in (*statement.given, statement.target))
                module, function = statement.function
                function += "_add" if statement.add else ""
                self.kernel.imports.add((module, function))
                self.out.line(self.kernel.target.routine(function, arguments), statement.source)
            else:
                self._fail(statement)

    def _fail(self, statement: Fail) -> None:
        self.out.line(f"if {statement.condition}:", statement.source)
        with self.out.indented():
            self.out.line(statement.leave)

    def _loop(self, loop: Loop) -> None:
        name = self.kernel.loop_name(len(self.loops))
        self.loops[loop.index] = name
        self.out.line(f"for {name} in range({self._hidden(loop) or texts.bare(self.extent(loop.extent))}):")
        with self.out.indented():
            if self.kernel.target.interruptible:
                self._look(loop)
            self.print(loop.body)
        del self.loops[loop.index]

    def _look(self, loop: Loop) -> None:
        storages = self.kernel.storages
        work = work_of_iteration(loop, storages.hidden)
        if work is not None:
            self.out.line(self.kernel.look(self.size(work)))

    def _hidden(self, loop: Loop) -> str:
        """A short constant extent as that of an array that the loop writes.

        LLVM leaves loops scalar of which it knows that they have fewer than 16 iterations and some to spare:
        exponentials of rows of 10 take six times as long then, sums and products twice.
        """
        size = loop.extent
        if (
            not isinstance(size, int)
            or not 4 < size < 16
            or not size % 4
            or not self.kernel.target.vectorises
        ):
            return ""
        if any(isinstance(statement, Loop) for statement in loop.body):
            return ""
        for statement in loop.body:
            if isinstance(statement, Store) and len(statement.index) == statement.storage.type.ndim:
                for axis, at in enumerate(statement.index):
                    if at == dims.symbol(loop.index) and statement.storage.type.shape[axis] == size:
                        return f"{statement.storage.name}.shape[{axis}]"
        return ""

    def extent(self, size: Size) -> str:
        """A range needs no ``max(..., 0)``."""
        if not isinstance(size, int) and len(size.terms) == 1 and not size.const:
            atom, coefficient = size.terms[0]
            if isinstance(atom, Term) and atom.function == "max" and atom.right == 0 and coefficient == 1:
                return self.size(atom.left)
        return self.size(size)

    def size(self, size: Size) -> str:
        """A size or index."""
        variable = self.kernel.symbols.variable
        return dims.text(size, texts.Variables(lambda s: self.loops.get(s) or variable(s)))

    def _place(self, name: str, index: tuple[Size | None, ...]) -> str:
        rows = [i for i in index if i is not None]
        if len(rows) < len(index):
            base = f"{name}[{', '.join(self._index(i) for i in rows)}]" if rows else name
            return base if len(index) - len(rows) == 1 else f"{base}.reshape(-1)"
        return f"{name}[{', '.join(self._index(i) for i in rows) or '()'}]"

    def _index(self, size: Size) -> str:
        """An index inside its axis; Numba is told where it can't see that it is not negative."""
        text = self.size(size)
        low = dims.lower(size)
        if (
            isinstance(size, int)
            or (low is not None and low >= 0)
            or not dims.symbols(size) & set(self.loops)
        ):
            return text
        return self.kernel.target.index(text)

    def _assign(self, target: str, value: Expr, source: str) -> None:
        room = WIDTH - len(INDENT) * self.out.depth - len(target) - 3
        value = self._shorter(self._bound(value, {}), room)
        text = self._written(value)
        self.out.line(assignment(target, texts.bare(text) if isinstance(value, Index) else text), source)

    def _bound(self, expr: Expr, known: dict[Expr, str]) -> Expr:
        """`expr` with scalars for the operands that its texts write more than once."""
        if not isinstance(expr, Apply):
            return expr
        arguments = [self._bound(argument, known) for argument in expr.arguments]
        written = Counter(slots(expr.template))
        for number, argument in enumerate(arguments):
            if written[number] < 2 or not isinstance(argument, Apply):
                continue
            if argument not in known:
                known[argument] = self.kernel.names.fresh(_part_name(argument.template))
                self._assign(known[argument], argument, "")
            arguments[number] = Text(known[argument])
        return Apply(expr.template, tuple(arguments))

    def _shorter(self, value: Expr, room: int) -> Expr:
        """The longest parts of a long expression that fit on a line, in variables of their own."""
        known: Known = {}
        while len(self._written(value, known)) > room:
            fitting = [part for part in _parts(value) if _WORTH_IT < len(self._written(part, known)) <= room]
            if not fitting:
                break
            longest = max(fitting, key=lambda part: len(self._written(part, known)))
            name = self.kernel.names.fresh("part")
            self.out.line(f"{name} = {self._written(longest, known)}")
            value = _replaced(value, longest, Text(name))
        return value

    def _written(self, expr: Expr, known: Known | None = None) -> str:
        """The text of an expression; those of its parts are looked up in `known`, and kept there."""
        if known is None:
            return self._text(expr, known)
        if id(expr) not in known:
            known[id(expr)] = expr, self._text(expr, known)
        return known[id(expr)][1]

    def _text(self, expr: Expr, known: Known | None) -> str:
        if isinstance(expr, Text):
            return expr.text
        if isinstance(expr, Index):
            return self.size(expr.size)
        if isinstance(expr, Load):
            if expr.view:
                indices = [self._index(i) for i in expr.index if i is not None]
                return expr.view.format(expr.storage.name, *indices)
            return self._place(expr.storage.name, expr.index)
        arguments = [self._written(argument, known) for argument in expr.arguments]
        if known is not None and (long := next((a for a in arguments if len(a) > WIDTH), None)):
            return long  # nobody wants the text of what doesn't fit on a line
        return fill(self.kernel.called(expr.template), arguments)


def _parts(expr: Expr) -> Iterator[Apply]:
    """The operations inside an expression."""
    for argument in expr.arguments if isinstance(expr, Apply) else ():
        if isinstance(argument, Apply):
            yield argument
            yield from _parts(argument)


def _replaced(expr: Expr, old: Expr, new: Expr) -> Expr:
    if expr == old:
        return new
    if not isinstance(expr, Apply):
        return expr
    arguments = tuple(_replaced(argument, old, new) for argument in expr.arguments)
    same = all(map(operator.is_, arguments, expr.arguments))
    return expr if same else Apply(expr.template, arguments)


def _part_name(template: str) -> str:
    """What a scalar is called that holds one operation."""
    if called := re.match(r"(?:\w+\.)*([a-z]\w*)\(", template):
        return f"{called[1]}_part"
    sign = re.fullmatch(r"\{0\} (\S+) \{1\}", template)
    names = {"+": "term", "-": "difference", "*": "product", "/": "ratio"}
    return names.get(sign[1], "term") if sign else "term"
