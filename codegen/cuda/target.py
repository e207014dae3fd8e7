"""Clusters as numba-cuda: a host function that launches one kernel for each nest.

    def cluster_0(gpu, x, y):                                  # runs on the host
        n0 = x.shape[0]
        cluster_0_y[blocks(n0), THREADS](gpu.read(x), gpu.write(y), n0)

    @gpu_kernel
    def cluster_0_y(x, y, n0):                                 # runs once in each thread
        for i in range(cuda.grid(1), n0, cuda.gridsize(1)):
            y[i] = exp(x[i]) * 2.0

Between nests the host computes scalars, checks what may raise, and gets the results of whole reductions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...graph.ir.nodes import Node
from ...graph.ir.types import Type
from ...graph.ops.define import Fold
from ...graph.ops.facts import is_counted
from ...graph.passes.on_gpu import FUNCTIONS as ON_GPU
from ...graph.passes.on_gpu import side_by_side, why_not_parallel
from ...graph.trace.devices import is_on_gpu
from ..fuse import FusionFacts, fuse_side_by_side
from ..namesakes import PREFIX
from ..nest import Let, Loop, Stmt, Store, loads
from ..printing import Printer
from ..target import Import, Target
from .kernels import LoopKernel, NestKernel, SingleKernel
from .parallel import accumulators

if TYPE_CHECKING:
    from ..kernel import Lowering

FUNCTIONS = "cuda.functions"
LAUNCHING = "cuda.launching"
MEMORY = "cuda.memory"
_TWINS = {LAUNCHING: LAUNCHING, MEMORY: MEMORY, "products": "cuda.products"}
_NUMPY_ONLY = re.compile(r"\bnp\.(floor|ceil|trunc|rint)\(")


class Cuda(Target):
    """One GPU, by numba-cuda."""

    compiler = "cuda"
    names = frozenset(("cuda", "gpu", "on_gpu", "gpu_kernel"))
    needs = ((MEMORY, "on_gpu"),)
    first = ("gpu",)
    reserved = (
        *("gpu", "cuda", "gpu_kernel", "THREADS", "blocks", "matmul"),
        *(name for function in sorted(ON_GPU) for name in (function, PREFIX + function)),
    )
    zeros = False
    numpy_order = False
    vectorises = False
    interruptible = False

    def takes(self, cluster: Node) -> bool:
        """Whether its device is a GPU."""
        return is_on_gpu(cluster)

    def accumulator(self, dtype: np.dtype, fold: Fold) -> np.dtype:
        """Single precision is summed in double: pairing, which keeps NumPy's sums exact, isn't done here."""
        if fold.widens and dtype.kind in "fc":
            return np.result_type(dtype, np.float64)
        return dtype

    def index(self, text: str) -> str:
        """Nothing is gained by unsigned indices."""
        return text

    def called(self, template: str) -> tuple[str, Iterable[Import]]:
        """Numba has no scalar ``np.floor`` on a GPU."""
        found = set(_NUMPY_ONLY.findall(template))
        return _NUMPY_ONLY.sub(r"\1(", template), [(FUNCTIONS, name) for name in sorted(found)]

    def out_of_bounds(self, place: int, axis: int, size: str) -> tuple[str, Iterable[Import]]:
        """The host raises."""
        told = f"index {place} is out of bounds for axis {axis} with size {{{size}}}"
        return f'raise IndexError(f"{told}")', ()

    def imports(self, found: Iterable[Import]) -> Iterable[Import]:
        """Twins of the functions of the CPU."""
        return {(_TWINS.get(module, FUNCTIONS), name) for module, name in found}

    def routine(self, function: str, arguments: str) -> str:
        """The host launches the kernel of a product."""
        return f"{function}(gpu, {arguments})"

    def head(self, name: str, parameters: Sequence[str], types: Sequence[Type], is_helper: bool) -> list[str]:
        """The host function is plain Python."""
        if is_helper:
            raise NotImplementedError("a helper of its own on a GPU")
        return [f"def {name}({', '.join(parameters)}):"]

    def fused(self, tape: list[Stmt], facts: FusionFacts) -> list[Stmt]:
        """The nests of a tape, fused as far as their iterations still run side by side."""
        return fuse_side_by_side(tape, facts)

    def print(self, kernel: Lowering, body: list[Stmt], facts: FusionFacts) -> None:
        """Launch a kernel for each nest; everything else is done here on the host."""
        starts = _starts(body)
        single: list[Stmt] = []
        for statement in body:
            kernel.see([statement])
            if isinstance(statement, Store):
                single.append(statement)
                continue
            if single:
                SingleKernel(kernel, single).print()
                single = []
            if isinstance(statement, Loop):
                NestKernel(kernel, statement, starts, facts.overlap).print()
            elif isinstance(statement, Let) and any(True for _ in loads(statement.value)):
                raise NotImplementedError("a number out of an array")
            elif not (isinstance(statement, Let) and starts.get(statement.name) is statement):
                Printer(kernel).print([statement])
        if single:
            SingleKernel(kernel, single).print()

    def took(self, kernel: Lowering, node: Node) -> bool:
        """Loops whose iterations run side by side are kernels."""
        if kernel.inside:
            return False
        aliases = kernel.arrays.context.aliases
        if not is_counted(node) or (reason := why_not_parallel(node, aliases)):
            raise NotImplementedError(f"{node.op} on a GPU" if not is_counted(node) else reason)
        LoopKernel(kernel, list(side_by_side(node, aliases))).print()
        return True


def _starts(body: list[Stmt]) -> dict[str, Let]:
    """The first values of accumulators, which each thread sets for itself."""
    wanted = {name for s in body if isinstance(s, Loop) for name in accumulators(s)}
    return {s.name: s for s in reversed(body) if isinstance(s, Let) and s.name in wanted}


CUDA = Cuda()
