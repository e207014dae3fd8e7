"""Scalar work of a kernel: expressions, elements of arrays, indices."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..graph.ir import dims
from ..graph.ir.dims import Size
from ..graph.ir.nodes import Literal, Node, Operand, Value
from ..graph.ir.types import Array, Scalar
from ..graph.ops.facts import is_load, is_size
from . import texts
from .accesses import accesses
from .arrays import AccessMap
from .check.places import miscounted
from .control import LONGEST_HEAD
from .elements import element, imports_of, literal_as, machine_dtype, template_of
from .expressions import fill, is_atom
from .names import base_name
from .nest import Fail
from .writer import INDENT, WIDTH

if TYPE_CHECKING:
    from .kernel import Lowering

_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class _AtLeast:
    """What a check has found out about a size."""

    size: Size
    least: int


class Scalars:
    """Writes scalar nodes as expressions."""

    def __init__(self, kernel: Lowering) -> None:
        self._kernel = kernel
        self._parts: dict[Value, str] = {}
        self._places: list[tuple[int, object, str]] = []

    def left(self, depth: int) -> None:
        """A block one level deeper has come to its end, and what was computed there is gone."""
        self._places = [place for place in self._places if place[0] <= depth]

    def operand(self, operand: Operand) -> str:
        """The text of an operand."""
        if isinstance(operand, Literal):
            return literal_as(
                operand, operand.type.dtype if isinstance(operand.type, Scalar) else np.dtype(float)
            )
        node = self._kernel.inlined.get(operand)
        if node is not None:
            return self._parts.get(operand) or self.expression(node)
        if isinstance(operand.type, Array):
            return self._kernel.storages.variable(operand)
        return self._kernel.names[operand]

    def condition(self, operand: Operand) -> str:
        """The text of a condition, spread over statements before it where it is too long."""
        node = self._kernel.inlined.get(operand) if isinstance(operand, Value) else None
        return self.operand(operand) if node is None else self.fitted(node, LONGEST_HEAD)

    def expression(self, node: Node) -> str:
        """The text of a scalar node."""
        if is_size(node):
            return self._kernel.symbols.text(node.attrs["size"])
        if is_load(node):
            return self._load(node)
        template, arguments = element(node, self._argument)
        if node.op == "py.select" and machine_dtype(node.results[0].type).kind == "b":
            if arguments[2] == "False":
                return fill("{0} and {1}", arguments)
            if arguments[1] == "True":
                return fill("{0} or {2}", arguments)
        self._kernel.imports.update(imports_of(node, template_of(node)))
        return fill(self._kernel.called(template), arguments)

    def spread(self, node: Node, room: int) -> None:
        """Give the operands of a long expression variables of their own, in the order of evaluation."""
        for operand in node.operands:
            inner = self._kernel.inlined.get(operand) if isinstance(operand, Value) else None
            if inner is None or is_size(inner) or operand in self._parts:
                continue
            assert isinstance(operand, Value)
            text = self.expression(inner)
            if len(text) > room:
                self.spread(inner, room)
                text = self.expression(inner)
            name = self._kernel.names.fresh(base_name(operand.name))
            self._kernel.out.line(f"{name} = {text}", node.loc.text)
            self._parts[operand] = name

    def fitted(self, node: Node, taken: int) -> str:
        """The text of a node's expression, spread over several statements where it is too long."""
        text = self.expression(node)
        room = WIDTH - len(INDENT) * self._kernel.out.depth - taken
        if len(text) > room:
            self.spread(node, room)
            text = self.expression(node)
        return text

    def _argument(self, operand: Operand, dtype: np.dtype) -> tuple[str, bool]:
        if isinstance(operand, Literal):
            return literal_as(operand, dtype), True
        if isinstance(operand.type, Array):  # of no dimension
            return self.subscript(self._kernel.cluster, operand, ()), False
        return self.operand(operand), False

    def _load(self, node: Node) -> str:
        target = node.operands[0]
        assert isinstance(target, Value)
        return f"{self.subscript(node, target, node.operands[1:])}"

    def subscript(self, node: Node, array: Value, indices: tuple[Operand, ...]) -> str:
        """``array[i, j]``, also where `array` is a view that is no variable."""
        assert isinstance(array.type, Array)
        look = self._kernel.arrays.look(array)
        self._kernel.storages.seen(look.storage)
        checks = node.attrs.get("check", ())
        known: dict[str, Size] = {}
        plain: list[str] = []
        checked: set[int] = set()
        for k in range(array.type.ndim):
            check = bool(checks[k]) if k < len(checks) else True
            size = array.type.shape[k]
            plain.append(self._place(indices[k], size, k, check))
            known[f"@{k}"] = dims.symbol(f"${k}")
            if (constant := self._constant(indices[k], size, check)) is not None:
                known[f"@{k}"] = constant if constant >= 0 else dims.add(size, constant)
            elif check:
                checked.add(k)
        place = self._element(array, look, plain, known, checked)
        if self._kernel.check:
            self._verify(place, array, look)
        return place

    def _element(
        self, array: Value, look: AccessMap, plain: list[str], known: dict[str, Size], checked: set[int]
    ) -> str:
        if self._kernel.storages.is_all(array):
            return f"{look.storage.name}[{', '.join(plain) or '()'}]"
        names = {f"${k}": text if is_atom(text) else f"({text})" for k, text in enumerate(plain)}
        variables = texts.Variables(lambda s: names.get(s) or self._kernel.symbols.variable(s))
        inside = [dims.text(dims.substitute(i, known), variables) for i in look.index]
        inside = _in_order(inside, [plain[k] for k in sorted(checked)])
        return f"{look.storage.name}[{', '.join(inside) or '()'}]"

    def _verify(self, place: str, array: Value, look: AccessMap) -> None:
        assert isinstance(array.type, Array)
        wrong = miscounted(
            place, look.index, look.storage.type.shape, array.type.shape, self._kernel.symbols.canon
        )
        if wrong is not None:
            raise self._kernel.fault(wrong)

    def _constant(self, operand: Operand, size: Size, check: bool) -> int | None:
        """A constant index that is known to be inside its axis; a negative one counts from the end."""
        if not isinstance(operand, Literal):
            return None
        place, low = int(operand.value), dims.lower(self._kernel.symbols.canon(size))
        return place if not check or (low is not None and -low <= place < low) else None

    def _place(self, operand: Operand, size: Size, number: int, check: bool) -> str:
        """An index for the whole axis: inside it, or a constant that Numba counts from the end."""
        if (constant := self._constant(operand, size, check)) is not None:
            return str(constant)
        if not check:
            return self.operand(operand)
        self._kernel.imports.add(("bounds", "wrapped_index"))
        return f"wrapped_index({self.operand(operand)}, {number}, {self._kernel.symbols.text(size)})"

    def proved(self, size: Size, least: int) -> bool:
        """True when a check before this one has found `size` to be `least`; this is the one if not."""
        kernel = self._kernel
        size = kernel.symbols.canon(size)
        for depth, known, _ in self._places:
            if depth <= kernel.out.depth and isinstance(known, _AtLeast):
                if known.size == size and known.least >= least:
                    return True
        self._places.append((kernel.out.depth, _AtLeast(size, least), ""))
        return False

    def inside(self, node: Node, place: int, size: Size, number: int) -> None:
        """Check a constant index before the nests that use it."""
        kernel = self._kernel
        least = place + 1 if place >= 0 else -place
        if self.proved(size, least):
            return
        text = kernel.symbols.text(size)
        raising, imports = kernel.target.out_of_bounds(place, number, text)
        kernel.imports.update(imports)
        kernel.arrays.put([Fail(fill("{0} < {1}", [text, str(least)]), raising, node.loc.text)])

    def wrapped(self, node: Node, operand: Operand, size: Size, number: int, check: bool) -> str:
        """A variable that holds an index inside its axis; gives the size symbol that stands for it."""
        key = (operand if isinstance(operand, Value) else operand.value, size, number)
        for depth, known, symbol in self._places:
            if known == key and depth <= self._kernel.out.depth:
                return symbol
        symbol = f"{node.results[0].name}.at{number}"
        name = self._kernel.names.fresh(f"k{number}")
        self._kernel.symbols.define(symbol, name)
        self._places.append((self._kernel.out.depth, key, symbol))
        text = self._place(operand, size, number, check)
        if not self._comes_first(text):
            self._kernel.flush()
        self._kernel.out.line(f"{name} = {text}", node.loc.text)
        return symbol

    def _comes_first(self, text: str) -> bool:
        """True when nobody notices that an index is checked before the nests on the tape run."""
        tape = accesses(self._kernel.arrays.tape)
        if tape.fails or tape.shows(self._kernel.storages.hidden):
            return False
        return "[" not in text and not tape.scalars_written & set(_NAME.findall(text))


def _in_order(inside: list[str], checks: list[str]) -> list[str]:
    """The indices of a variable, in which each check of an index stands, and is made in its turn.

    A view may have axes that the variable lacks, or its axes in another order.
    """
    if not inside:
        return [f"((), {', '.join(checks)})[0]"] if checks else []
    text = ", ".join(inside)
    missing = [check for check in checks if check not in text]
    places = [len(text) if check in missing else text.index(check) for check in checks]
    if places == sorted(places):
        return [*inside[:-1], " + ".join([inside[-1], *(f"0 * {check}" for check in missing)])]
    return [" + ".join([*(f"0 * {check}" for check in checks), inside[0]]), *inside[1:]]
