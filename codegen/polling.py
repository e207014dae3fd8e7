"""Which loops of a kernel look for signals, and how much they say that they have done since the last look.

A loop looks at the start of an iteration: what has been written by then is what the plain function has
written when it is interrupted there. A loop that walks along an array is one that LLVM may vectorise: it
is cut into strips and looks between them (`strips.py`). Where it stands in another loop, what is around a
strip would be noticed, and it does not look: the loop around it counts its iterations as well.

Nests over arrays look in the loop around the innermost ones, if nobody can see what they have written so far.
Those that make one pass over one array need not: memory bounds how long they take, and small ones notice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..graph.analysis.around import body_of
from ..graph.ir import dims
from ..graph.ir.dims import Size
from ..graph.ir.nodes import Block, Graph, Literal, Node, Value, walk
from ..graph.ir.rewrite import ValuesByName, defined_by
from ..graph.ir.types import Array, Scalar
from ..graph.ops import OPS
from ..graph.ops.define import PRODUCT, REDUCTION
from ..graph.ops.facts import is_assign, is_call, is_counted, is_element, is_iterated, is_load, is_loop
from .accesses import accesses
from .canon import Canon
from .elements import machine_dtype
from .nest import Loop, Storage, written

LITTLE = 4096
"""A loop that does no more than this never looks."""

UNKNOWN = 8192
"""What is taken for work whose amount can't be told when an iteration begins."""

SHORT = 32
"""Innermost loops of a nest that do no more than this would notice the counting."""

MOST_SIZES = 3

IN_A_STRIP, LONGEST_STRIP = 1 << 18, 1 << 14
"""Operations in one strip of a loop, and its iterations: what stands around it is not to be noticed."""


@dataclass(frozen=True)
class Work:
    """So many operations on numbers, and nests over so many elements."""

    count: int = 0
    sizes: tuple[Size, ...] = ()

    def __add__(self, other: Work) -> Work:
        return Work(self.count + other.count, tuple(dict.fromkeys((*self.sizes, *other.sizes))))

    def total(self) -> Size:
        """All of it as one number: where there are nests, they are what takes the time."""
        sizes = [size for size in self.sizes if not any(_powers(size) < _powers(o) for o in self.sizes)]
        if not sizes or len(sizes) > MOST_SIZES:
            return UNKNOWN if sizes else max(1, min(self.count, UNKNOWN))
        total: Size = 0
        for size in sizes:
            total = dims.add(total, size)
        return total


class Polling:
    """The loops of one kernel that look for signals: `looks` has the work of an iteration of each.

    Those in `strips` look between strips; it has the operations of an iteration of each.
    """

    def __init__(self, graph: Graph, region: Block, known: ValuesByName, inside: bool) -> None:
        self._graph, self._known, self._canon = graph, known, Canon(graph)
        self.looks: dict[Node, Size] = {}
        self.strips: dict[Node, int] = {}
        self.repeated: set[Node] = set()
        """Calls of helpers in loops."""
        self._read_at: dict[Node, list[Value]] = {}
        self._block(region, inside)

    def read_by(self, node: Node) -> list[Value]:
        """What must be alive where an iteration ends with `node`, for the next look."""
        return self._read_at.get(node, [])

    def _block(self, block: Block, inside: bool) -> Work:
        """The work of a block; `inside` of a loop, or of a helper that is called in one."""
        total = Work()
        for node in block.nodes:
            total += self._node(node, inside)
        return total

    def _node(self, node: Node, inside: bool) -> Work:
        if is_loop(node):
            return self._loop(node, inside)
        if is_call(node):
            before = len(self.looks)
            if inside:
                self.repeated.add(node)
            work = self._block(node.regions[0], inside)
            return work if len(self.looks) == before else work + Work(UNKNOWN)
        total = Work(1)
        for region in node.regions:
            total += self._block(region, inside)
        if (size := _elements(node)) is not None:
            total += Work(size) if isinstance(size, int) else Work(0, (_about(self._canon(size)),))
        return total

    def _loop(self, node: Node, inside: bool) -> Work:
        """Decide whether a loop looks; what it leaves to the loop around it."""
        before = len(self.looks)
        body = Work()
        for region in node.regions:
            body += self._block(region, True)
        own = {value for inner in (node, *_inner(node)) for value in defined_by(inner)} - set(node.results)
        straight = len(self.looks) == before and not body.sizes
        if straight and (iterations := _iterations(node)) is not None and iterations * body.count <= LITTLE:
            return Work(iterations * body.count)
        if straight and (inside or not _in_order(node)) and (extent := _walked(node)) is not None:
            if not inside and _can_be_cut(node):
                self.strips[node] = max(1, body.count)
            return Work(body.count, (_about(self._canon(extent)),))
        self._look(node, body, own)
        return Work(1)

    def _look(self, node: Node, body: Work, own: set[Value]) -> None:
        known = tuple(size for size in body.sizes if self._is_known(size, own))
        total = Work(body.count + UNKNOWN * (len(known) < len(body.sizes)), known).total()
        self.looks[node] = total
        values = [self._known.values.get(s) for s in dims.symbols(total) if s not in self._graph.sizes]
        self._read_at[body_of(node).ending] = [value for value in values if value is not None]

    def _is_known(self, size: Size, own: set[Value]) -> bool:
        """Whether an iteration that begins knows this size: it isn't found in the loop."""
        behind = [self._known.behind(symbol) for symbol in dims.symbols(size)]
        return all(value is not None and value not in own for value in behind)


def strip_length(count: int) -> int:
    """The iterations of a strip, if each does so many operations: a power of two."""
    return 1 << max(1, min(LONGEST_STRIP, IN_A_STRIP // count)).bit_length() - 1


def _computes(loop: Node) -> bool:
    """Whether an iteration takes so long that it doesn't matter how its index is made."""
    return any(OPS[inner.op].expensive for inner in _inner(loop))


def _can_be_cut(loop: Node) -> bool:
    """Whether a loop goes over ints one by one, or works on each: other steps are slower in strips."""
    if not is_counted(loop):
        return False
    *ends, step = loop.operands[:3]
    sized = all(isinstance(end, Literal) or machine_dtype(end.type) == np.int64 for end in ends)
    return sized and isinstance(step, Literal) and (step.value in (1, -1) or _computes(loop))


def work_of_iteration(loop: Loop, is_hidden: Callable[[Storage], bool]) -> Size | None:
    """The work of each iteration of a loop in a nest, if it is to look for signals; None if it is not."""
    inside = [statement for statement in loop.body if isinstance(statement, Loop)]
    if not inside or any(isinstance(s, Loop) for inner in inside for s in inner.body):
        return None
    total = Work(0, tuple(dict.fromkeys(_about(inner.extent) for inner in inside))).total()
    if isinstance(total, int) and total <= SHORT:
        return None
    if all(_is_pass(loop, inner) for inner in inside):
        return None
    return total if all(map(is_hidden, written(loop.body))) else None


def _is_pass(loop: Loop, inner: Loop) -> bool:
    """Whether two loops go over the elements of an array; what only broadcasting makes has no such end."""
    indices = {loop.index, inner.index}
    for access in accesses(inner.body).all():
        if indices <= {
            symbol for index in access.index if index is not None for symbol in dims.symbols(index)
        }:
            return True
    return False


def _about(size: Size) -> Size:
    """A size without what is small beside the rest: ``n`` for ``max(n - 2, 0)``."""
    total: Size = 0
    for atom, factor in () if isinstance(size, int) else size.terms:
        if factor < 0:
            continue
        if isinstance(atom, dims.Sym) or atom.function not in ("*", "max"):
            part: Size = dims.Dim(((atom, 1),))
        elif atom.function == "*":
            part = dims.mul(_about(atom.left), _about(atom.right))
        else:
            part = dims.add(_about(atom.left), 0 if isinstance(atom.right, int) else _about(atom.right))
        total = dims.add(total, dims.scale(part, factor))
    return total or (size if isinstance(size, int) else 1)


def _powers(size: Size) -> Counter[str]:
    """How often each symbol is a factor of a size."""
    found: Counter[str] = Counter()
    for atom, _ in () if isinstance(size, int) else size.terms:
        if isinstance(atom, dims.Sym):
            found |= Counter([atom.name])
        elif atom.function == "*":
            found |= _powers(atom.left) + _powers(atom.right)
        else:
            found |= _powers(atom.left) | _powers(atom.right)
    return found


def _inner(node: Node) -> Iterator[Node]:
    for region in node.regions:
        yield from walk(region)


def _elements(node: Node) -> Size | None:
    """How many elements an operation on arrays goes over."""
    kind = OPS[node.op].kind
    if kind == REDUCTION or is_assign(node):
        return _size(node.operands[0].type)
    if kind == PRODUCT:
        left, right = (operand.type for operand in node.operands)
        columns = right.shape[-1] if isinstance(right, Array) and right.ndim > 1 else 1
        size = _size(left)
        return None if size is None else dims.mul(size, columns)
    if kind == "view" or node.regions:
        return None
    return next((size for result in node.results if (size := _size(result.type)) is not None), None)


def _size(kind: object) -> Size | None:
    return dims.product(kind.shape) if isinstance(kind, Array) else None


def _iterations(node: Node) -> int | None:
    """How often the body of a loop runs, if that is a constant."""
    bounds = [o.value for o in node.operands[:3] if isinstance(o, Literal)]
    if not is_counted(node) or len(bounds) < 3:
        return None
    return len(range(*bounds))


def _in_order(node: Node) -> bool:
    """Whether each iteration waits for the one before: floats are handed on, which LLVM doesn't reorder."""
    return any(isinstance(value.type, Scalar) and value.type.dtype.kind in "fc" for value in node.results)


def _walked(node: Node) -> Size | None:
    """The size of the axis along which all iterations of a loop go; None where there is none."""
    if any(inner.op in ("break", "return") for inner in _inner(node)):
        return None
    if is_iterated(node):
        kind = node.operands[0].type
        return kind.shape[0] if isinstance(kind, Array) else None
    if not is_counted(node):
        return None
    moving: set[object] = {node.regions[0].params[0]}
    for inner in _inner(node):
        if inner.op in ("py.add", "py.sub") and moving & set(inner.operands):
            moving.update(inner.results)
        if is_element(inner) and isinstance(kind := inner.operands[0].type, Array):
            for axis, index in enumerate(inner.operands[1 if is_load(inner) else 2 :]):
                if index in moving:
                    return kind.shape[axis]
    return None
