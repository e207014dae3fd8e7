"""Loop nests as Python text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..graph import dims
from ..graph.dims import Size, Term
from . import texts
from .expressions import fill
from .nest import Apply, Expr, Fail, Index, Let, Load, Loop, Stmt, Store, Text
from .writer import INDENT, WIDTH

if TYPE_CHECKING:
    from .kernel import Lowering


class Printer:
    """Prints nests into a kernel."""

    def __init__(self, kernel: Lowering) -> None:
        self.kernel = kernel
        self.out = kernel.out
        self._loops: dict[str, str] = {}

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
            else:
                self._fail(statement)

    def _fail(self, statement: Fail) -> None:
        self.out.line(f"if {statement.condition}:")
        with self.out.indented():
            self.out.line(f"raise {statement.exception}", statement.source)

    def _loop(self, loop: Loop) -> None:
        name = self.kernel.loop_name(len(self._loops))
        self._loops[loop.index] = name
        self.out.line(f"for {name} in range({self._extent(loop.extent)}):")
        with self.out.indented():
            self.print(loop.body)
        del self._loops[loop.index]

    def _extent(self, size: Size) -> str:
        """A range needs no ``max(..., 0)``."""
        if not isinstance(size, int) and len(size.terms) == 1 and not size.const:
            atom, coefficient = size.terms[0]
            if isinstance(atom, Term) and atom.op == "max" and atom.right == 0 and coefficient == 1:
                return self.size(atom.left)
        return self.size(size)

    def size(self, size: Size) -> str:
        """A size or index."""
        variable = self.kernel.symbols.variable
        return dims.text(size, texts.Variables(lambda s: self._loops.get(s) or variable(s)))

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
            or not dims.symbols(size) & set(self._loops)
        ):
            return text
        return f"np.uint64({text})"

    def _assign(self, target: str, value: Expr, source: str) -> None:
        text = self._written(value)
        room = WIDTH - len(INDENT) * self.out.depth - len(target) - 3
        if len(text) > room and isinstance(value, Apply):
            value = self._shorter(value, room)
            text = self._written(value)
        self.out.line(f"{target} = {text}", source)

    def _shorter(self, value: Apply, room: int) -> Expr:
        """Parts of a long expression in variables of their own."""
        while len(self._written(value)) > room:
            longest = max(value.arguments, key=lambda a: len(self._written(a)))
            if not isinstance(longest, Apply):
                break
            name = self.kernel.names.fresh("part")
            self._assign(name, longest, "")
            value = Apply(value.template, tuple(Text(name) if a is longest else a for a in value.arguments))
        return value

    def _written(self, expr: Expr) -> str:
        if isinstance(expr, Text):
            return expr.text
        if isinstance(expr, Index):
            return self.size(expr.size)
        if isinstance(expr, Load):
            return self._place(expr.storage.name, expr.index)
        template, arguments = expr.template, list(expr.arguments)
        written = [self._written(argument) for argument in arguments]
        for number, text in enumerate(written):
            many = len(re.findall(rf"\{{{number}\}}", template)) > 1
            if many and not re.fullmatch(r"[\w.]+", text) and not isinstance(arguments[number], Load):
                name = self.kernel.names.fresh("part")
                self._assign(name, arguments[number], "")
                written[number] = name
        return fill(template, written)
