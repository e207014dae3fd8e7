"""Adjoints: what has been found so far of the derivative for each value, at one point of the reverse pass.

A scalar's adjoint is a symbol. An array's is kept for its root: nothing yet, an array that nobody changes, or
a *buffer* of our own, into which contributions to views are added by the same views on the buffer. In a
region, adjoints of outer arrays are buffers made before the region; those of outer scalars are collected as
differences, which leave the region as results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..analysis.effects import is_array
from ..ir import dims
from ..ir.axes import Span
from ..ir.nodes import Node, Operand, Value
from ..ir.types import Array, Type
from ..symbolic.arrays import SymbolicArray
from ..symbolic.indexing import assign
from ..symbolic.symbols import size_symbol
from .arrays import contiguous
from .context import adjoint_name
from .contributions import added, fitted_to
from .errors import NoGradient
from .frame import Recomputation
from .slots import allocate


@dataclass(slots=True)
class AdjointBuffer:
    """The adjoint of one root: `owned` arrays may be changed in place; `buffer` says that they have been.

    Of an array without axes it may be a number, until somebody needs memory of it.
    `parts` are contributions to views that wait until the adjoint is needed, each with the node that made it:
    together they take fewer loops over memory.
    """

    array: Any = None
    owned: bool = False
    buffer: bool = False
    parts: list[tuple[Sequence[Node], Any, Node | None]] = field(default_factory=list)


class Adjoints:
    """The adjoints of what is defined in one frame, and differences for outer scalars."""

    def __init__(self, frame: Recomputation, parent: Adjoints | None = None) -> None:
        self.frame = frame
        self.parent = parent
        self.scalars: dict[Value, Any] = {}
        self.arrays: dict[Value, AdjointBuffer] = {}

    def _is_mine(self, value: Value) -> bool:
        return self.parent is None or value in self.frame.own

    def _home(self, root: Value) -> Adjoints:
        """Where the adjoint of an array is kept."""
        here: Adjoints = self
        while not here._is_mine(root):
            assert here.parent is not None
            here = here.parent
        return here

    def outer_scalars(self) -> dict[Value, Any]:
        """The differences found for scalars of outer frames."""
        return {value: found for value, found in self.scalars.items() if not self._is_mine(value)}

    # Reading

    def has(self, value: Value) -> bool:
        """Whether anything has been found for `value`."""
        if not is_array(value):
            return value in self.scalars
        root = self.frame.context.storage.root(value)
        return root in self._home(root).arrays

    def has_overlapping(self, value: Value) -> bool:
        """Whether anything has been found for an array that may share memory with `value`."""
        overlap = self.frame.context.storage.overlap
        if any(overlap(root, value) for root in self.arrays):
            return True
        return self.parent is not None and self.parent.has_overlapping(value)

    def of(self, value: Value) -> Any:
        """The adjoint of `value` as it is now, None for zero. Don't keep it: buffers change."""
        if not is_array(value):
            return self.scalars.get(value)
        storage = self.frame.context.storage
        root = storage.root(value)
        home = self._home(root)
        if root not in home.arrays:
            return None
        home.gather(root)
        array = home.arrays[root].array
        if root is value:
            return array
        array = array if isinstance(array, SymbolicArray) else home.buffer(root)
        return self.frame.view(array, storage.chain(value))

    def take(self, value: Value) -> Any:
        """The adjoint of a value where it was defined: nobody needs it afterwards."""
        if not is_array(value):
            return self.scalars.pop(value, None)
        self.gather(value)
        held = self.arrays.pop(value, None)
        return None if held is None else held.array

    def take_held(self, root: Value) -> AdjointBuffer | None:
        """As `take`, with the right to change it where that is ours; always an array, also without axes."""
        self.gather(root)
        if root in self.arrays and not isinstance(self.arrays[root].array, SymbolicArray):
            self.buffer(root)
        return self.arrays.pop(root, None)

    def gather(self, root: Value) -> None:
        """Put together what waits."""
        if root in self.arrays and self.arrays[root].parts:
            self.buffer(root)

    # Adding

    def add(self, operand: Operand, contribution: Any, owned: bool = False) -> None:
        """Add `contribution` to the adjoint of `operand`; `owned` arrays are nobody else's."""
        if not isinstance(operand, Value) or contribution is None:
            return
        fitted = fitted_to(self._type_of(operand), contribution)
        owned = owned and fitted is contribution
        if not is_array(operand):
            known = self.scalars.get(operand)
            self.scalars[operand] = fitted if known is None else added(known, fitted)
            return
        storage = self.frame.context.storage
        root, chain = storage.root(operand), storage.chain(operand)
        if chain and (back := self._turned_back(chain, fitted)) is not None:
            self.add_whole(root, back, False)
        elif chain and self._home(root) is self:
            part = (chain, fitted, self.frame.context.node)
            self.arrays.setdefault(root, AdjointBuffer()).parts.append(part)
        elif chain:
            target = self.frame.view(self.buffer(root), chain)
            target += fitted
        else:
            self.add_whole(root, fitted, owned)

    def add_whole(self, root: Value, contribution: Any, owned: bool) -> None:
        """Add to the adjoint of a whole root."""
        home = self._home(root)
        held = home.arrays.get(root)
        if home is not self or (held is not None and held.buffer):
            target = self.buffer(root)
            target += contribution
        elif held is None or held.array is None:
            home.arrays[root] = AdjointBuffer(contribution, owned, False, [] if held is None else held.parts)
        else:
            home.arrays[root] = AdjointBuffer(added(held.array, contribution), True, False, held.parts)

    def put(self, root: Value, held: AdjointBuffer) -> None:
        """`held` becomes the adjoint of a root that has none, or is added to it."""
        home = self._home(root)
        if home is self and root not in self.arrays:
            self.arrays[root] = held
        else:
            self.add_whole(root, held.array, held.owned)

    def _type_of(self, value: Value) -> Type:
        type_: Type = self.frame.type(value.type)
        return type_

    def _turned_back(self, chain: Sequence[Node], contribution: Any) -> Any:
        """A contribution to a view that shows every element once, as one to the array itself."""
        for node in reversed(chain):
            if not isinstance(contribution, SymbolicArray):
                return None
            contribution = self._turned(node, contribution)
            if contribution is None:
                return None
        return contribution

    def _turned(self, node: Node, contribution: SymbolicArray) -> Any:
        source = node.operands[0]
        assert isinstance(source.type, Array)
        if node.op == "reshape":
            shape = self.frame.type(source.type).shape
            return contiguous(contribution).reshape(tuple(size_symbol(size) for size in shape))
        axes = node.attrs["axes"]
        sizes = source.type.shape
        result = node.results[0].type
        assert isinstance(result, Array)
        for axis, size in zip(axes, sizes, strict=True):
            if not isinstance(axis, Span) or not axis.covers(size, result.shape):
                return None
        if len(sizes) < result.ndim:
            kept = sorted(axis.target for axis in axes)
            contribution = contribution[tuple(slice(None) if k in kept else 0 for k in range(result.ndim))]
            order = [kept.index(axis.target) for axis in axes]
        else:
            order = [axis.target for axis in axes]
        return contribution.transpose(tuple(order)) if order != sorted(order) else contribution

    # Buffers

    def buffer(self, root: Value) -> SymbolicArray:
        """The adjoint of a root as an array of our own, in which elements may be changed."""
        home = self._home(root)
        held = home.arrays.get(root, AdjointBuffer())
        with home.frame.opened():
            array = held.array
            if array is None:
                array = home.zeros(root)
            elif not isinstance(array, SymbolicArray):  # of an array without axes it is a number
                number, array = array, home.zeros(root)
                assign(array, number)
            elif not held.owned or not array.type.writeable or array.type.layout != self._layout(root):
                turned = self._layout(root) == "F"
                array = contiguous(array.T, always=True).T if turned else contiguous(array, always=True)
            home.arrays[root] = AdjointBuffer(array, True, True)
            for chain, part, node in held.parts:
                with home.frame.context.back(node):
                    target = home.frame.view(array, chain)
                    target += part
        assert isinstance(array, SymbolicArray)
        return array

    def _layout(self, root: Value) -> str:
        """The layout of a root's adjoint: reshaped views of the root have to be views of that, too."""
        type_ = self._type_of(root)
        assert isinstance(type_, Array)
        return "F" if type_.layout == "F" and type_.ndim > 1 else "C"

    def zeros(self, root: Value) -> SymbolicArray:
        """Zeros in the shape of a root, with its strides' order."""
        type_ = self._type_of(root)
        assert isinstance(type_, Array)
        self._check_sizes(type_)
        name = adjoint_name(root)
        if self._layout(root) == "F":
            turned: SymbolicArray = allocate("zeros", type_.shape[::-1], type_.dtype, name).T
            return turned
        return allocate("zeros", type_.shape, type_.dtype, name)

    def _check_sizes(self, type_: Array) -> None:
        """Sizes that were measured inside of a loop aren't known in the reverse pass through it.

        Raises:
            NoGradient: an array's size is measured on a value of a region that has been left.
        """
        context = self.frame.context
        builder = context.builder
        symbols = [symbol for size in type_.shape for symbol in dims.symbols(size)]
        for source, _ in (builder.sizes[symbol] for symbol in symbols if symbol in builder.sizes):
            if source.name in builder.params or context.node is None:
                continue
            if not any(source in node.results for block in builder.blocks for node in block):
                raise NoGradient(context.node, "the size of an array changes in it, and is not kept")
