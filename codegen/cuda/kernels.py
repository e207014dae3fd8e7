"""The kernels of a cluster on a GPU: their texts, and the statements of the host that launch them.

The iterations of the outer loops of a nest are numbered; thread after thread takes the next ones (a
grid-stride loop), so that any number of threads does. Sums and the like over all iterations are joined in a
fixed order: in each thread, in the block by halves in shared memory, then the blocks' parts by a second
kernel of one block.
"""

from __future__ import annotations

import ast
import builtins
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...graph.ir.nodes import Block, Literal, Node, Value, walk
from ...graph.ops.facts import is_store
from ..accesses import Overlap
from ..control import EndingTargets
from ..elements import conversions_in
from ..expressions import assignment, fill, slots
from ..nest import Join, Let, Loop, Routine, Stmt, Store, statements
from ..printing import Printer
from ..writer import Writer
from .parallel import accumulators, side_by_side

if TYPE_CHECKING:
    from ..kernel import Lowering

LAUNCHING = "cuda.launching"
MEMORY = "cuda.memory"
_KNOWN = frozenset(("np", "cuda", "THREADS", *vars(builtins)))


class _Kernel:
    """One kernel: subclasses print its body."""

    def __init__(self, kernel: Lowering, title: str) -> None:
        self.kernel = kernel
        self.name = kernel.names.fresh(f"{kernel.name}_{title}")
        self.out = Writer(1)

    def finish(self, launch: str, extra: tuple[str, ...] = (), name: str = "") -> None:
        """Add the kernel to the module, and its launch to the host function."""
        name = name or self.name
        self.kernel.imports |= conversions_in(self.out.lines)
        arrays, scalars = self._parameters(extra)
        parameters = ", ".join((*arrays, *extra, *scalars))
        head = Writer()
        self.kernel.imports.add((LAUNCHING, "gpu_kernel"))
        head.line("@gpu_kernel")
        head.line(f"def {name}({parameters}):")
        self.kernel.helpers.append((*head.lines, *self.out.lines))
        arguments = [f"gpu.{way}({array})" for array, way in arrays.items()] + [*extra, *scalars]
        self.kernel.out.line(f"{name}[{launch}]({', '.join(arguments)})")
        if "THREADS" in launch:
            self.kernel.imports.add((MEMORY, "THREADS"))

    def _parameters(self, extra: tuple[str, ...]) -> tuple[dict[str, str], list[str]]:
        """The arrays that the body touches, each with how, and the numbers that it reads."""
        tree = ast.parse(textwrap.dedent("\n".join(self.out.lines)))
        found = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        own = {node.id for node in found if isinstance(node.ctx, ast.Store)} | _KNOWN | set(extra)
        own |= {name for _, name in self.kernel.target.imports(self.kernel.imports)}
        own |= {name for _, name in self.kernel.imports}
        elements = [node for node in ast.walk(tree) if isinstance(node, ast.Subscript)]
        arrays: dict[str, str] = {}
        for node in sorted(elements, key=_place):
            if isinstance(node.value, ast.Name) and node.value.id not in own:
                way = "read" if isinstance(node.ctx, ast.Load) else "write"
                arrays[node.value.id] = max(way, arrays.get(node.value.id, ""))
        scalars = dict.fromkeys(n.id for n in sorted(found, key=_place) if n.id not in own | arrays.keys())
        return arrays, list(scalars)

    def places(self, extents: list[str]) -> str:
        """A variable of the host that holds the number of iterations; extents are not negative."""
        name = _shared_name(self.kernel, "places")
        self.kernel.out.line(f"{name} = {fill(' * '.join(f'{{{k}}}' for k in range(len(extents))), extents)}")
        self.kernel.imports.add((MEMORY, "blocks"))
        return name

    def iterations(self, indices: list[str], extents: list[str], places: str, sources: Iterable[str]) -> None:
        """The head of the loop over iterations, and the indices of the nest in each."""
        source = [*sources, *[""] * len(indices)]
        if len(indices) == 1:
            self.out.line(f"for {indices[0]} in range(cuda.grid(1), {places}, cuda.gridsize(1)):", source[0])
            return
        place = _shared_name(self.kernel, "place")
        self.out.line(f"for {place} in range(cuda.grid(1), {places}, cuda.gridsize(1)):")
        with self.out.indented():
            for number, index in enumerate(indices):
                inner = extents[number + 1 :]
                text = place
                if inner:
                    below = fill(" * ".join(f"{{{k}}}" for k in range(len(inner))), inner)
                    text = fill("{0} // {1}", [place, below])
                if number:
                    text = fill("{0} % {1}", [text, extents[number]])
                self.out.line(f"{index} = {text}", source[number])


class SingleKernel(_Kernel):
    """Elements outside of any loop, by one thread."""

    def __init__(self, kernel: Lowering, body: list[Stmt]) -> None:
        super().__init__(kernel, "single")
        self.body = body

    def print(self) -> None:
        """Print the kernel and its launch."""
        with self.kernel.writing(self.out):
            Printer(self.kernel).print(self.body)
        self.finish("1, 1")


class NestKernel(_Kernel):
    """A nest of array operations."""

    def __init__(self, kernel: Lowering, loop: Loop, starts: dict[str, Let], overlap: Overlap) -> None:
        self.found = accumulators(loop)
        self.starts = starts
        super().__init__(kernel, next(iter(self.found), "") or _title(loop))
        if any(isinstance(statement, Routine) for statement in statements(loop.body)):
            raise NotImplementedError("products in a loop on a GPU")
        self.loops = side_by_side(loop, overlap)
        if not self.loops:
            raise NotImplementedError("the iterations of a nest meet in one element")

    def print(self) -> None:
        """Print the kernel, its launch, and what the host does with its results."""
        kernel, host = self.kernel, Printer(self.kernel)
        extents = [loop.extent for loop in self.loops]
        whole = [host.size(size) for size in extents] if len(extents) > 1 else [host.extent(extents[0])]
        places = whole[0] if len(whole) == 1 and whole[0].isidentifier() else self.places(whole)
        kernel.imports.add((MEMORY, "blocks"))
        with kernel.writing(self.out):
            for name in self.found:
                self._start(name)
            inner = Printer(kernel)
            indices = [kernel.loop_name(depth) for depth in range(len(self.loops))]
            self.iterations(indices, [inner.extent(size) for size in extents], places, ())
            inner.loops = {loop.index: name for loop, name in zip(self.loops, indices, strict=True)}
            with self.out.indented():
                inner.print(self.loops[-1].body)
            parts = self._parts()
            self._tree(parts)
        if not self.found:
            self.finish(f"blocks({places}), THREADS")
            return
        self._reduce(parts, places)

    def _start(self, name: str) -> None:
        start = self.starts[name]
        Printer(self.kernel).print([Let(name, start.value)])

    def _parts(self) -> dict[str, str]:
        return {name: self.kernel.names.fresh(f"{name}_parts") for name in self.found}

    def _tree(self, parts: dict[str, str]) -> None:
        """Join what the threads of a block have found, by halves; the block's part is the result."""
        if not parts:
            return
        out = self.out
        thread, half = _shared_name(self.kernel, "thread"), _shared_name(self.kernel, "half")
        shared = {name: _shared_name(self.kernel, f"{name}_shared") for name in parts}
        out.comment("what the threads of the block have found, by halves")
        out.line(f"{thread} = cuda.threadIdx.x")
        for name, join in self.found.items():
            out.line(f"{shared[name]} = cuda.shared.array(THREADS, {_dtype(join.dtype)})")
            out.line(f"{shared[name]}[{thread}] = {name}")
        out.line("cuda.syncthreads()")
        out.line(f"{half} = THREADS // 2")
        out.line(f"while {half} > 0:")
        with out.indented():
            out.line(f"if {thread} < {half}:")
            with out.indented():
                for name, join in self.found.items():
                    self._join(join, f"{shared[name]}[{thread}]", f"{shared[name]}[{thread} + {half}]")
            out.line("cuda.syncthreads()")
            out.line(f"{half} //= 2")
        out.line(f"if {thread} == 0:")
        with out.indented():
            for name, part in parts.items():
                out.line(f"{part}[cuda.blockIdx.x] = {shared[name]}[0]")

    def _join(self, join: Join, left: str, right: str) -> None:
        """``left = left and right joined``, both read once."""
        found = Counter(slots(join.template))
        other = right
        if found[1] > 1:
            other = _shared_name(self.kernel, "other")
            self.out.line(f"{other} = {right}")
        mine = left
        if found[0] > 1 and not left.isidentifier():
            mine = _shared_name(self.kernel, "mine")
            self.out.line(f"{mine} = {left}")
        self.out.line(assignment(left, fill(self.kernel.called(join.template), [mine, other])))

    def _reduce(self, parts: dict[str, str], places: str) -> None:
        """The host's side of a reduction: memory for the parts of blocks, both kernels, the numbers."""
        kernel, count = self.kernel, _shared_name(self.kernel, "count")
        kernel.out.line(f"{count} = blocks({places})")
        for name, part in parts.items():
            kernel.out.line(f"{part} = gpu.scratch({count}, {_dtype(self.found[name].dtype)})")
        self.finish(f"{count}, THREADS", tuple(parts.values()))
        self.out = Writer(1)
        with kernel.writing(self.out):
            for name in self.found:
                self._start(name)
            place = _shared_name(kernel, "place")
            self.out.line(f"for {place} in range(cuda.threadIdx.x, {count}, THREADS):")
            with self.out.indented():
                for name, join in self.found.items():
                    self._join(join, name, f"{parts[name]}[{place}]")
            self._tree(parts)
        self.finish("1, THREADS", tuple(parts.values()), f"{self.name}_joined")
        for name, part in parts.items():
            kernel.out.line(f"{name} = gpu.item({part})")


class LoopKernel(_Kernel):
    """`for` loops of the user's whose iterations run side by side."""

    def __init__(self, kernel: Lowering, loops: list[Node]) -> None:
        super().__init__(kernel, _stored(loops[-1]))
        self.loops = loops

    def print(self) -> None:
        """Print the kernel and its launch."""
        kernel = self.kernel
        extents = [self._extent(loop) for loop in self.loops]
        places = self.places([fill("max({0}, 0)", [extent]) for extent in extents])
        indices = [kernel.names[loop.regions[0].params[0]] for loop in self.loops]
        with kernel.writing(self.out):
            self.iterations(indices, extents, places, (loop.loc.text for loop in self.loops))
            with self.out.indented():
                for index, loop in zip(indices, self.loops, strict=True):
                    if not _is_zero(loop):
                        self.out.line(f"{index} += {kernel.operand(loop.operands[0])}")
                for loop, inner in zip(self.loops, [*self.loops[1:], None], strict=True):
                    kernel.bound(loop.regions[0].params)
                    kernel.flow.block(Block((), tuple(_before(loop, inner))), EndingTargets())
                    kernel.pause(loop)
                if not self.out.lines[-1].startswith(" " * 8):
                    self.out.line("pass")
            kernel.left(self.out.depth)
        self.finish(f"blocks({places}), THREADS")

    def _extent(self, loop: Node) -> str:
        start, stop = (self.kernel.operand(operand) for operand in loop.operands[:2])
        return stop if _is_zero(loop) else fill("{0} - {1}", [stop, start])


def _is_zero(loop: Node) -> bool:
    start = loop.operands[0]
    return isinstance(start, Literal) and start.value == 0


def _before(loop: Node, inner: Node | None) -> Iterator[Node]:
    """The nodes of an iteration before the inner loop, or all of them but the ending."""
    for node in loop.regions[0].nodes[:-1]:
        if node is inner:
            return
        yield node


def _shared_name(kernel: Lowering, name: str) -> str:
    """A variable that all kernels of a cluster use under one name."""
    known = kernel.shared_names
    if name not in known:
        known[name] = kernel.names.fresh(name)
    return known[name]


def _title(loop: Loop) -> str:
    """What a nest is called: the last array that it writes."""
    stored = [s.storage.name for s in statements(loop.body) if isinstance(s, Store)]
    return stored[-1] if stored else "nothing"


def _stored(loop: Node) -> str:
    stored = [n.operands[0] for n in walk(loop.regions[0]) if is_store(n)]
    return stored[-1].name.partition(".")[0] if stored and isinstance(stored[-1], Value) else "nothing"


def _place(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _dtype(dtype: np.dtype) -> str:
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"
