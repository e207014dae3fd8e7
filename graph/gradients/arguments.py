"""What the rules of NumPy's functions are given: arguments that the graph computes, alone or in lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir import dims
from ..ir.dims import Size
from ..ir.nodes import Value
from ..ir.types import Array, Type
from ..symbolic.arith import type_of
from ..symbolic.symbols import as_dim, size_symbol
from .contributions import fitted_to
from .gathers import made
from .pullback import ReverseNode


class Refused(Exception):
    """A rule doesn't know this form of the call; the message says which."""


@dataclass(frozen=True)
class Given:
    """An argument that the graph computes."""

    pullback: ReverseNode
    number: int

    @property
    def value(self) -> Any:
        """Its symbol; it is kept for the reverse pass."""
        return self.pullback.inputs[self.number]

    @property
    def wanted(self) -> bool:
        """Whether its contribution is of use."""
        return self.pullback.wants(self.number)

    @property
    def type(self) -> Type:
        """Its type, with the sizes of the reverse pass; an array need not be kept for it."""
        found: Type = self.pullback.types[self.number]
        return found

    @property
    def shape(self) -> tuple[Any, ...]:
        """Its sizes."""
        return tuple(map(size_symbol, self.type.shape)) if isinstance(self.type, Array) else ()

    @property
    def size(self) -> Any:
        """How many elements it has."""
        return size_symbol(dims.product(self.type.shape if isinstance(self.type, Array) else ()))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def dtype(self) -> Any:
        return self.type.dtype  # type: ignore[union-attr]

    def collect(self, contribution: Any, found: list[Any]) -> None:
        """Put the contribution into its place; an operand may have several."""
        if isinstance(self.pullback.node.operands[self.number], Value) and self.wanted:
            known = found[self.number]
            found[self.number] = contribution if known is None else known + contribution


@dataclass(frozen=True)
class Listed(Given):
    """An array that NumPy makes of a list of numbers and arrays, or of a constant."""

    items: Any

    @property
    def value(self) -> Any:
        plain = value_of(self.items)
        return made(np.array, plain) if isinstance(plain, (list, tuple)) else plain

    @property
    def wanted(self) -> bool:
        return any(isinstance(leaf, Given) and leaf.wanted for leaf in leaves(self.items))

    @property
    def type(self) -> Type:
        shape: list[Size] = []
        item = self.items
        while isinstance(item, (list, tuple)):
            shape.append(len(item))
            item = item[0] if item else 0.0
        if isinstance(item, Given):
            shape += [dim for size in item.shape if (dim := as_dim(size)) is not None]
        dtypes = [_dtype(leaf) for leaf in leaves(self.items)]
        dtype = np.result_type(*dtypes) if dtypes else np.dtype(float)
        return Array(dtype, tuple(shape), "C") if shape else type_of(self.items)

    def collect(self, contribution: Any, found: list[Any]) -> None:
        if self.wanted:
            self._share(self.items, fitted_to(self.type, contribution), found)

    def _share(self, item: Any, part: Any, found: list[Any]) -> None:
        if isinstance(item, Given):
            item.collect(part, found)
        elif isinstance(item, (list, tuple)):
            for k, inner in enumerate(item):
                self._share(inner, part[k], found)


def leaves(items: object) -> Iterator[Any]:
    """What an argument is, or holds in containers, lists of numbers made to arrays included."""
    if isinstance(items, Listed):
        items = items.items
    if isinstance(items, slice):
        items = (items.start, items.stop, items.step)
    if isinstance(items, (list, tuple, Mapping)):
        for item in items.values() if isinstance(items, Mapping) else items:
            yield from leaves(item)
    else:
        yield items


def _dtype(leaf: Any) -> np.dtype:
    return np.dtype(leaf.dtype) if isinstance(leaf, Given) else np.asarray(leaf).dtype


def as_given(pullback: ReverseNode, argument: Any) -> Given:
    """An argument that stands for an array, however it was written."""
    return argument if isinstance(argument, Given) else Listed(pullback, -1, argument)


def wanted(argument: Any) -> bool:
    """Whether a contribution to `argument` is of use."""
    return isinstance(argument, Given) and argument.wanted


def value_of(argument: Any) -> Any:
    """An argument, or what it holds, as symbols and constants."""
    if isinstance(argument, Given):
        return argument.value
    if isinstance(argument, (list, tuple)):
        return type(argument)(value_of(item) for item in argument)
    if isinstance(argument, slice):
        return slice(value_of(argument.start), value_of(argument.stop), value_of(argument.step))
    return argument


def collect(argument: Any, contribution: Any, found: list[Any]) -> None:
    """Put the contributions to what `argument` holds into their places."""
    if contribution is None:
        return
    if isinstance(argument, Given):
        argument.collect(contribution, found)
    elif isinstance(argument, (list, tuple)) and isinstance(contribution, (list, tuple)):
        for item, part in zip(argument, contribution, strict=True):
            collect(item, part, found)
    elif isinstance(argument, (list, tuple)):
        for k, item in enumerate(argument):
            collect(item, contribution[k], found)
