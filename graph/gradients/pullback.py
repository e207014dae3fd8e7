"""What a gradient rule sees of the node that it differentiates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from ..ir.nodes import Node
from . import words


class Lazy(Sequence[Any]):
    """Symbols that are made when they are first asked for: what no rule looks at, nobody has to keep."""

    def __init__(self, count: int, make: Callable[[int], Any]) -> None:
        self._count, self._make = count, make
        self._made: dict[int, Any] = {}

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(self._count))]
        place = range(self._count)[index]
        if place not in self._made:
            self._made[place] = self._make(place)
        return self._made[place]

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(self._count))


@dataclass(frozen=True, slots=True)
class ReverseNode:
    """A node of the forward computation on its reverse pass.

    A rule (`OpDef.gradient`) takes one of these and returns a contribution per operand, in plain NumPy on
    symbols: ``lambda p: (p.cotangents[0] * p.outputs[0],)`` is that of ``exp``. A contribution may be None
    (zero), of the result's broadcast shape (it is summed down to the operand's), of a smaller shape that
    broadcasts to the operand's, or of another dtype (it is cast, a complex one to its real part for a real
    operand). For complex numbers a cotangent is dL/dRe + i dL/dIm of the real result L.

    Attributes:
        node: the forward node.
        inputs: per operand the symbol with the value it had when the node ran, or the plain constant.
        outputs: per result the symbol with its value.
        cotangents: per result its adjoint, None where that is zero.
        active: per operand, whether a contribution is of use.
        types: per operand its type, with the sizes of where the rule runs; arrays need not be kept for it.
        by_function: the rule of the NumPy function that the node calls, by which alone it can be told.
    """

    node: Node
    inputs: Sequence[Any]
    outputs: Sequence[Any]
    cotangents: Sequence[Any]
    active: tuple[bool, ...]
    types: Sequence[Any] = ()
    by_function: Callable[[ReverseNode], Sequence[Any]] | None = None

    @property
    def attrs(self) -> Mapping[str, Any]:
        """The node's attributes."""
        return self.node.attrs

    @property
    def words(self) -> ModuleType:
        """NumPy's functions where symbols need another form of them."""
        return words

    def wants(self, operand: int) -> bool:
        """Whether a contribution to this operand is of use."""
        return self.active[operand]
