"""Sizes in a kernel: where their values come from, and how they are written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..graph.ir import dims
from ..graph.ir.dims import Size
from ..graph.ir.nodes import Value
from ..graph.ir.types import Array
from . import texts
from .canon import Canon
from .names import base_name
from .writer import Writer

if TYPE_CHECKING:
    from .kernel import Lowering


class Symbols:
    """The variables of size symbols; those that no array at hand gives are arguments (`extra`)."""

    def __init__(self, kernel: Lowering) -> None:
        self._kernel = kernel
        self._variables: dict[str, str] = {}
        self.canon = Canon(kernel.graph)
        self.extra: list[str] = []

    def __getitem__(self, symbol: str) -> str:
        return self._variables[symbol]

    def define(self, symbol: str, variable: str) -> None:
        """`variable` holds the value of `symbol`."""
        self._variables[symbol] = variable

    def variable(self, name: str) -> str | None:
        """The variable of a size symbol or of an int of the graph."""
        kernel = self._kernel
        if name in self._variables:
            return self._variables[name]
        if name in kernel.graph.sizes and (same := self.canon(dims.symbol(name))) != dims.symbol(name):
            return dims.wrapped(same, self.text(same))
        if name in kernel.graph.sizes:
            self._variables[name] = kernel.names.fresh(re.sub(r"\W", "_", name))
            array, _ = kernel.graph.sizes[name]
            if array not in kernel.inputs and array not in kernel.inner:
                self.extra.append(name)
            return self._variables[name]
        value = kernel.known.values.get(name)
        if value is None:
            return None
        if value in kernel.inlined:
            return f"({kernel.scalars.operand(value)})"
        if value not in kernel.names:
            self._variables[name] = kernel.names.fresh(base_name(name))
            self.extra.append(name)
            return self._variables[name]
        return kernel.names[value]

    def text(self, size: Size) -> str:
        """A size as an expression of the kernel."""
        return dims.text(self.canon(size), texts.Variables(self.variable))

    def lines(self) -> list[str]:
        """The statements that read sizes from the kernel's arguments."""
        kernel = self._kernel
        writer = Writer(1)
        for array in kernel.inputs:
            axes = {
                k: self._variables[s]
                for s, (a, k) in kernel.graph.sizes.items()
                if a is array and s in self._variables
            }
            if isinstance(array.type, Array) and axes:
                if len(axes) == array.type.ndim > 1:
                    targets = ", ".join(axes[k] for k in range(len(axes)))
                    writer.line(f"{targets} = {kernel.names[array]}.shape")
                else:
                    for k, variable in sorted(axes.items()):
                        writer.line(f"{variable} = {kernel.names[array]}.shape[{k}]")
        return writer.lines

    def bound(self, values: tuple[Value, ...]) -> None:
        """Sizes that are known only from an array made here."""
        kernel = self._kernel
        for symbol, (array, number) in kernel.graph.sizes.items():
            if array in values and symbol in kernel.reading.mentioned:
                if symbol not in self._variables:
                    self._variables[symbol] = kernel.names.fresh(re.sub(r"\W", "_", symbol))
                kernel.arrays.force()
                kernel.flush()
                array_text = kernel.scalars.operand(array)
                kernel.out.line(f"{self._variables[symbol]} = {array_text}.shape[{number}]")
