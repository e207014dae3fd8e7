"""The machines that kernels are printed for: what differs between them. This one is Numba on the CPU."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..graph.ir.nodes import Node
from ..graph.ir.types import Type
from ..graph.ops.define import Fold
from .fuse import FusionFacts, fuse
from .nest import Stmt
from .printing import Printer
from .signature import signature
from .writer import Writer

if TYPE_CHECKING:
    from .kernel import Lowering

Import = tuple[str, str]


class Target:
    """Numba on the CPU: one compiled function for each cluster, nests as loops.

    `codegen.cuda.target.Cuda` overrides what is different on a GPU.
    """

    compiler = "njit"
    """What modules import from Numba."""

    names: frozenset[str] = frozenset()
    """Names that modules with kernels for it have besides the kernels'."""

    needs: tuple[Import, ...] = ()
    """What its kernels' driver imports."""

    first: tuple[str, ...] = ()
    """Parameters of a cluster's function before its arguments."""

    reserved: tuple[str, ...] = ()
    """Names that variables can't have."""

    zeros = True
    """Whether the driver may hand over zeros."""

    numpy_order = True
    """Whether numbers are summed in NumPy's order."""

    vectorises = True
    """Whether the compiler vectorises loops, and has to be helped with it."""

    interruptible = True
    """Whether loops can look for signals."""

    def takes(self, cluster: Node) -> bool:
        """Whether it is for this cluster."""
        return True

    def accumulator(self, dtype: np.dtype, fold: Fold) -> np.dtype:
        """In which dtype a reduction accumulates, where NumPy does in `dtype`."""
        return dtype

    def index(self, text: str) -> str:
        """An index that is not negative, though the compiler can't see that."""
        return f"np.uint64({text})"

    def called(self, template: str) -> tuple[str, Iterable[Import]]:
        """A kernel text with the functions that this machine has, and where those come from."""
        return template, ()

    def out_of_bounds(self, place: int, axis: int, size: str) -> tuple[str, Iterable[Import]]:
        """The statement that raises for a constant index outside of its axis."""
        return f"wrapped_index({place}, {axis}, {size})", (("bounds", "wrapped_index"),)

    def imports(self, found: Iterable[Import]) -> Iterable[Import]:
        """Where the functions in kernel texts come from here."""
        return found

    def routine(self, function: str, arguments: str) -> str:
        """The statement that calls a function of whole arrays."""
        return f"{function}({arguments})"

    def head(self, name: str, parameters: Sequence[str], types: Sequence[Type], is_helper: bool) -> list[str]:
        """The first lines of a cluster's function."""
        writer = Writer()
        if is_helper:
            writer.line('@njit(nogil=True, error_model="numpy")')
        else:
            writer.line(f'@njit("{signature(types)}", nogil=True, error_model="numpy", cache=True)')
        writer.line(f"def {name}({', '.join(parameters)}):")
        return writer.lines

    def fused(self, tape: list[Stmt], facts: FusionFacts) -> list[Stmt]:
        """The nests of a tape, fused."""
        return fuse(tape, facts)

    def print(self, kernel: Lowering, body: list[Stmt], facts: FusionFacts) -> None:
        """Print fused nests into the function of a cluster."""
        printer = Printer(kernel)
        for statement in body:
            kernel.see([statement])
            printer.print([statement])

    def took(self, kernel: Lowering, node: Node) -> bool:
        """Print a node with control flow in a form of this machine; False where it has none of its own."""
        return False


CPU = Target()
