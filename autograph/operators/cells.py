"""Attributes of objects that hold numbers and are assigned: cells of memory, which loops and branches share.

``self.count += 1`` stores into an array of one element, which is taken over from the object when the call
begins, and put back when all is done. As with lists of numbers, only staged code may look at it in between.
What kinds of numbers a cell holds is found out by the trace, which starts again when it comes upon another.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import NoReturn

import numpy as np

from ...graph.ir.nodes import Literal, Node, Operand, Value
from ...graph.ir.types import BOOL, Array, Scalar
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.scalar_methods import convert
from ...graph.symbolic.symbols import SymbolicScalar
from ...graph.trace.attempt import Restart
from ...graph.trace.build import current
from ..cell_data import KINDS, NUMBER, TAG, standing, stores_plainly
from ..traced import label
from ..tracer import OpenFunction, Reference, tracer
from .specs import NumberType, Spec, StaticType, UnionType
from .state import decode, describe, encode, fits, join, widen


class Cell:
    """An attribute's number, in an array; another array says which of two kinds it is of."""

    def __init__(self, spec: Spec, arrays: list[SymbolicArray]) -> None:
        self.spec = spec
        self.arrays = arrays
        self.last: tuple[object, list[Node], OpenFunction, int] | None = None
        """What was loaded last, where nothing has been stored since: in which block, function and loop."""

    def load(self, name: str) -> object:
        """What the attribute is now: the same symbol again if nothing can have been stored in between."""
        frame, blocks = tracer().frame, current().blocks
        if self.last is not None:
            found, block, function, loops = self.last
            if function is frame and loops == len(frame.loops) and any(one is block for one in blocks):
                return found
        found = decode(self.spec, self._loaded(), name)
        self.last = found, blocks[-1], frame, len(frame.loops)
        return found

    def _loaded(self) -> Iterator[Value]:
        for array, kind in zip(self.arrays, _kinds(self.spec), strict=True):
            found = convert(array[0], kind).operand()
            assert isinstance(found, Value)
            yield found

    def store(self, value: object) -> None:
        """Assign a value that fits."""
        self.last = None
        for array, operand in zip(self.arrays, encode(value, self.spec), strict=True):
            array[0] = _symbol(operand)


def _symbol(operand: Operand) -> object:
    if isinstance(operand, Literal):
        return operand.value
    assert isinstance(operand.type, Scalar)
    return SymbolicScalar(operand, operand.type)


def _kinds(spec: Spec) -> list[Scalar]:
    if isinstance(spec, UnionType):
        return [BOOL, *_kinds(spec.payload)]
    assert isinstance(spec, NumberType)
    return [spec.kind]


def _form(spec: Spec) -> str:
    """The form of `cell_data` for what a cell holds; empty if it can't."""
    if isinstance(spec, NumberType):
        return spec.kind.kind if spec.kind.kind in KINDS else ""
    if not isinstance(spec, UnionType) or not (second := _form(spec.payload)):
        return ""
    if spec.first is None:
        return f"None|{second}"
    first = spec.first.kind if isinstance(spec.first, Scalar) else ""
    return f"{first}|{second}" if first in KINDS else ""


def may_be_cell(owner: Reference, name: str) -> bool:
    """Whether an attribute that is assigned may be a cell: it stands in an object of a plain class."""
    if not tracer().may_take_over() or not stands_plainly(owner.value, name):
        return False
    held = describe(standing(owner.value, name))
    return _key(owner, name) not in tracer().knowledge.no_cells and (_is_none(held) or bool(_form(held)))


def stands_plainly(owner: object, name: str) -> bool:
    """Whether it stands in the object itself, and an assignment does no more than to exchange it."""
    kind = type(owner)
    if issubclass(kind, (type, types.ModuleType)) or not stores_plainly(kind, name):
        return False
    try:
        standing(owner, name)
    except LookupError:
        return False
    return True


def _is_none(spec: Spec) -> bool:
    return isinstance(spec, StaticType) and spec.value is None


def is_cell(owner: Reference, name: str) -> bool:
    """Whether this attribute of objects of this class is assigned somewhere, as a cell."""
    return _key(owner, name) in tracer().knowledge.cells and tracer().may_take_over()


def read_cell(owner: Reference, name: str) -> tuple[object, ...]:
    """``owner.name``, if that is a cell."""
    return (_cell(owner, name).load(name),) if is_cell(owner, name) else ()


def store_in_cell(owner: Reference, name: str, value: object) -> bool:
    """``owner.name = value``, if the attribute is a cell or can become one."""
    spec = describe(value)
    if is_cell(owner, name):
        cell = _cell(owner, name)
        if not fits(spec, cell.spec):
            _widen(owner, name, join(cell.spec, spec))
        cell.store(value)
        return True
    if may_be_cell(owner, name):
        wide = widen(join(describe(standing(owner.value, name)), spec))
        if _form(wide):
            _widen(owner, name, wide)
    return False


def _key(owner: Reference, name: str) -> tuple[type, str]:
    return type(owner.value), name


def _cell(owner: Reference, name: str) -> Cell:
    """The cell of an attribute: each object of the class has one."""
    here, path = tracer(), (*owner.path, ("attr", name))
    if path in here.cells:
        return here.cells[path]
    if not may_be_cell(owner, name) or here.cell_owners.get(id(owner.value), owner.path) != owner.path:
        _give_up(owner, name)
    spec, held = here.knowledge.cells[_key(owner, name)], describe(standing(owner.value, name))
    if not fits(held, spec):
        _widen(owner, name, join(spec, held))
    here.static(owner.path, owner.value, "type")
    here.numbers = True
    here.cell_owners[id(owner.value)] = owner.path
    here.cells[path] = Cell(spec, [_taken(owner, name, part, kind) for part, kind in _parts(spec)])
    return here.cells[path]


def _taken(owner: Reference, name: str, step: str, kind: Scalar) -> SymbolicArray:
    """The array of a part of an attribute, which the driver gets."""
    type_ = Array(np.dtype(kind.dtype), (1,), "C", True)
    path = (*owner.path, ("cell", f"{name}:{step}"))
    return SymbolicArray(tracer().input(path, type_, label((*owner.path, ("attr", name)))), "C")


def _parts(spec: Spec) -> list[tuple[str, Scalar]]:
    """What the arrays of a cell are taken over by, after the attribute's name, and their kinds."""
    parts = (TAG, NUMBER) if isinstance(spec, UnionType) else (NUMBER,)
    return [(f"{_form(spec)}:{part}", kind) for part, kind in zip(parts, _kinds(spec), strict=True)]


def _widen(owner: Reference, name: str, spec: Spec) -> NoReturn:
    """Start again with cells that hold this."""
    if not _form(wide := widen(spec)):
        _give_up(owner, name)
    tracer().knowledge.cells[_key(owner, name)] = wide
    raise Restart


def _give_up(owner: Reference, name: str) -> NoReturn:
    """Start again without cells for this attribute."""
    known, key = tracer().knowledge, _key(owner, name)
    known.cells.pop(key, None)
    known.no_cells.add(key)
    raise Restart
