"""The memory of a kernel's arrays: given arrays, buffers from the driver, allocations in the kernel."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..graph.analysis.effects import Aliases
from ..graph.analysis.memory import Memory
from ..graph.ir import dims
from ..graph.ir.nodes import Block, Node, Operand, Value, value_operands
from ..graph.ir.types import Array
from ..graph.ops import OPS
from ..graph.ops.define import CREATION
from ..graph.ops.facts import is_compiled_loop, is_diagonal, is_rehash, is_view, is_write
from ..graph.ops.written import written
from . import texts
from .arrays import AccessMap, is_whole, whole
from .calls import Buffer, order_of
from .names import base_name
from .nest import Storage
from .rotating_buffers import RotatingBuffers

if TYPE_CHECKING:
    from .kernel import Lowering


class BufferAssignment:
    """Decides where each new array lives.

    What is allocated once, or is dead when its iteration through a loop ends, is a buffer that the driver
    hands over if its size is known when the kernel is called; the rest is allocated where it stands.
    """

    def __init__(self, kernel: Lowering, aliases: Aliases, memory: Memory) -> None:
        self._kernel = kernel
        self._aliases = aliases
        self._memory = memory
        self._looped: set[Node] = set()
        self._top: set[Node] = set(kernel.region.nodes)
        self._mark(kernel.region, False)
        self._buffers: dict[Storage, Buffer] = {}
        self._waiting: set[Storage] = set()
        self._seen: set[Storage] = set()
        self._begun: set[Storage] = set()
        self._in_use: set[Storage] = set()
        """Memory for the node at hand, which reads it although no statement says so yet."""
        self._named_for_scalars: set[Storage] = set()
        """Arrays that are not printed: scalars have their names."""
        self._views: list[tuple[int, Value, AccessMap]] = []
        """Views that got variables: the depth at which, and how they were looked at before."""
        self._bound_in: dict[Storage, tuple[int, ...]] = {}
        """The blocks in which variables got their arrays."""
        self._grown: tuple[Operand, tuple[int, ...], int] | None = None
        """For what place the last array has grown, and where that is printed."""
        self._first: Node | None = None
        self._last: Node | None = None
        self._is_done = False
        self.rotations = RotatingBuffers(kernel, memory)
        self.hoisted = tuple(
            node.results[0]
            for node in kernel.region.nodes
            if self.is_allocation(node) and self._known(node.results[0])
        )

    def _mark(self, block: Block, looped: bool) -> None:
        for node in block.nodes:
            if looped:
                self._looped.add(node)
            for region in node.regions:
                self._mark(region, looped or is_compiled_loop(node))

    @staticmethod
    def is_allocation(node: Node) -> bool:
        """True for nodes whose result is an array of its own even if nobody writes it."""
        return OPS[node.op].kind == CREATION if node.op in OPS else False

    def early(self, node: Node) -> Iterator[Value]:
        """Results whose variable exists from the kernel's entry."""
        return (result for result in node.results if result in self.hoisted)

    def _known(self, value: Value) -> bool:
        assert isinstance(value.type, Array)
        return not self._kernel.is_helper and all(
            self._outer(s) for size in value.type.shape for s in dims.symbols(size)
        )

    def _outer(self, symbol: str) -> bool:
        """True when a size symbol has its value before the kernel starts."""
        kernel = self._kernel
        source = kernel.graph.sizes.get(symbol)
        value = source[0] if source is not None else kernel.known.values.get(symbol)
        return value is not None and value not in kernel.inner

    # Storages ---------------------------------------------------------------------------------------------

    def storage(self, value: Value, how: str) -> Storage:
        """The memory of `value`: ``new`` for allocations, ``local`` for results that may stay invisible."""
        kernel = self._kernel
        assert isinstance(value.type, Array)
        if not how:
            return Storage(kernel.names[value], value.type, value)
        node = kernel.reading.made[value]
        if turn := self.rotations.of(value):
            storage = self._new(turn, value, how)
            self._seen.add(storage)
            return storage
        once = node not in self._looped or not self._memory.outlives(value)
        type_ = _allocated(value.type)
        if once and self._known(value):
            name = kernel.names[value] if value in self.hoisted else kernel.names.fresh(base_name(value.name))
            storage = self._new(name, value, how)
            result = self._result_of(value) if node in self._top else None
            self._buffers[storage] = Buffer(name, type_, self.fill(node), result)
            return storage
        if how == "new" or not once:
            kernel.flush()
            storage = Storage(kernel.names[value], type_, value)
            self._allocate(storage, node.loc.text)
            return storage
        storage = self._new(kernel.names.fresh(base_name(value.name)), value, how)
        self._waiting.add(storage)
        return storage

    def _new(self, name: str, value: Value, how: str) -> Storage:
        assert isinstance(value.type, Array)
        storage = Storage(name, _allocated(value.type), value, local=how == "local")
        self._begun.add(storage)
        return storage

    def temporary(self, type_: Array) -> Storage:
        """Memory for the generator's own use."""
        storage = Storage(self._kernel.names.fresh("t"), type_, None, local=True)
        self._begun.add(storage)
        self._in_use.add(storage)
        if not self._kernel.is_helper and all(
            self._outer(s) for size in type_.shape for s in dims.symbols(size)
        ):
            self._buffers[storage] = Buffer(storage.name, type_)
        else:
            self._waiting.add(storage)
        return storage

    def _allocate(self, storage: Storage, source: str) -> None:
        kernel = self._kernel
        type_ = storage.type
        turned = type_.layout == "F" and type_.ndim > 1
        if turned:
            type_ = replace(type_, shape=type_.shape[::-1])
        shape = texts.shape_text(type_, texts.Variables(kernel.symbols.variable))
        dtype = "" if type_.dtype == np.float64 else f", {dtype_text(type_.dtype)}"
        kernel.out.line(f"{storage.name} = np.empty({shape}{dtype}){'.T' if turned else ''}", source)
        self._bound_in[storage] = kernel.out.path

    def prepare(self, loop: Node) -> None:
        """Allocate the buffers that take turns in a loop that comes next."""
        found = self.rotations.before(loop)
        for turns in found:
            assert isinstance(turns.value.type, Array)
            for name in turns.buffers:
                self._allocate(Storage(name, turns.value.type), "")
        for counter in dict.fromkeys(turns.counter for turns in found):
            self._kernel.out.line(f"{counter} = 0")

    def take_turns(self, params: tuple[Value, ...]) -> None:
        """The next buffers, at the beginning of the iteration of a loop with these parameters."""
        found = self.rotations.inside(params)
        for line in dict.fromkeys(turns.count_on() for turns in found):
            self._kernel.out.line(line)
        for turns in found:
            self._kernel.out.line(turns.choose())

    def reshape(self, node: Node) -> None:
        """Another shape of the same memory, or of a copy of it."""
        kernel = self._kernel
        source, (result,) = node.operands[0], node.results
        assert isinstance(source, Value)
        assert isinstance(result.type, Array)
        kernel.arrays.look(source)
        kernel.flush()
        shape = texts.shape_text(result.type, texts.Variables(kernel.symbols.variable))
        name = kernel.names[result]
        kernel.out.line(f"{name} = {self.variable(source)}.reshape({shape})", node.loc.text)
        kernel.arrays.rebind(result, whole(Storage(name, result.type, result)))

    def grow(self, node: Node) -> None:
        """More memory with the same content where the array is full; those of one loop are full together."""
        kernel = self._kernel
        (source, *_, place), (result,) = node.operands, node.results
        assert isinstance(source, Value)
        assert isinstance(result.type, Array)
        for operand in value_operands(node):
            if isinstance(operand.type, Array):
                kernel.arrays.look(operand)
        kernel.flush()
        name, out = kernel.names[result], kernel.out
        if (given := self.variable(source)) != name:
            out.line(f"{name} = {given}", node.loc.text)
        kernel.arrays.rebind(result, whole(Storage(name, result.type, result)))
        if is_rehash(node):
            kernel.imports.add(("tables", "rehashed"))
            more = [kernel.operand(operand) for operand in node.operands[1:]]
            form = str(written(node)).replace("with_places", "rehashed")
            out.line(f"if 2 * {more[-1]} >= {name}.shape[0]:", node.loc.text)
            with out.indented():
                out.line(f"{name} = {form.format(name, *more)}")
            return
        kernel.imports.add(("growing", "grown"))
        if self._grown != (place, out.path, len(out.lines)):
            out.line(f"if {kernel.operand(place)} == {name}.shape[0]:", node.loc.text)
        with out.indented():
            out.line(f"{name} = grown({name})")
        self._grown = (place, out.path, len(out.lines))

    def sized_by(self, storage: Storage, names: Collection[str]) -> bool:
        """True when the storage is still to be allocated, and its size depends on one of these variables."""
        if storage not in self._waiting or not names:
            return False
        symbols = {symbol for size in storage.type.shape for symbol in dims.symbols(size)}
        texts_ = [self._kernel.symbols.variable(symbol) or "" for symbol in symbols]
        return any(word in names for text in texts_ for word in re.findall(r"\w+", text))

    def seen(self, storage: Storage) -> None:
        """The storage is about to be printed."""
        if storage in self._named_for_scalars:
            self._rename(storage)
        self._seen.add(storage)
        self._verify(storage)
        if storage in self._waiting:
            self._waiting.discard(storage)
            self._allocate(storage, "")

    def scalar_for(self, storage: Storage) -> str:
        """The name of a scalar that holds elements of an array that nobody reads after the nests at hand.

        It is the array's own, unless that is printed already. A later write to an array that nobody reads
        gives the array another one: a variable of Numba's is a scalar or an array.
        """
        if storage in self._seen:
            return self._kernel.names.fresh(storage.name)
        self._named_for_scalars.add(storage)
        return storage.name

    def _rename(self, storage: Storage) -> None:
        self._named_for_scalars.discard(storage)
        storage.name = self._kernel.names.fresh(storage.name)
        if storage in self._buffers:
            self._buffers[storage] = replace(self._buffers[storage], name=storage.name)

    def see_written(self, storages: Iterable[Storage]) -> None:
        """Allocate what isn't in the nests any more but is written later, maybe in a branch only."""
        for storage in storages:
            if storage in self._waiting and storage.value is not None and self._is_written(storage.value):
                self.seen(storage)

    def _is_written(self, value: Value) -> bool:
        """Whether a node writes a part of the array that `value` is."""
        for node in self._kernel.reading.readers.get(value, ()):
            if is_write(node) and node.operands[0] is value:
                return True
            if is_view(node) and self._is_written(node.results[0]):
                return True
        return False

    # What the memory holds at the nests on the tape -------------------------------------------------------

    def _verify(self, storage: Storage) -> None:
        """A variable that was bound in a block is read only there."""
        path, kernel = self._bound_in.get(storage, ()), self._kernel
        if kernel.check and not kernel.inside and kernel.out.path[: len(path)] != path:
            raise kernel.fault(f"{storage.name} may be unbound, or another array, where a branch reads it")

    def at(self, node: Node) -> None:
        """`node` comes next."""
        self._last, self._is_done = node, False
        self._in_use.clear()
        if not self._kernel.arrays.tape:
            self.printed()

    def printed(self) -> None:
        """The nests on the tape are printed; the next ones begin at the node at hand."""
        self._first = self._last
        self._begun.clear()

    def processed(self, node: Node) -> None:
        """`node` is on the tape or printed."""
        self._last, self._is_done = node, True
        self._in_use.clear()

    def blank(self, storage: Storage) -> bool:
        """True when nothing reads what the storage held before the nests on the tape.

        Nothing does where its array begins on the tape: its buffers are those of arrays that are gone, unless
        the driver hands them over filled.
        """
        if storage in self._begun:
            return storage not in self._buffers or self._buffers[storage].fill == "empty"
        if not storage.local or storage.value is None or self._first is None:
            return False
        return not self._memory.needed_before(self._first, storage.value)

    def dead(self, storage: Storage) -> bool:
        """True when nothing reads the storage after the nests on the tape, also not in the next iteration."""
        return storage.local and not self.needed_later(storage)

    def needed_later(self, storage: Storage) -> bool:
        """Whether what the storage holds after the nests on the tape may be read."""
        if storage.value is None:
            return storage in self._in_use
        if storage in self._buffers and self._buffers[storage].result is not None:
            return True
        assert self._last is not None
        before = not self._is_done and self._memory.needed_before(self._last, storage.value)
        return before or self._memory.needed_after(self._last, storage.value)

    def hidden(self, storage: Storage) -> bool:
        """True when nobody can look at the array if the kernel raises."""
        return storage.value is None or all(root in self._kernel.inner for root in self._roots(storage.value))

    def _roots(self, value: Value) -> frozenset[Value]:
        return self._aliases.roots(value)

    # Results ----------------------------------------------------------------------------------------------

    def _result_of(self, value: Value) -> Value | None:
        for operand, result in zip(
            self._kernel.region.ending.operands, self._kernel.cluster.results, strict=True
        ):
            if operand is value:
                return result
        return None

    def is_result(self, operand: Value, result: Value) -> bool:
        """True when the driver has the array already, because it allocated it."""
        return any(buffer.result is result for buffer in self.buffers())

    def ready(self, node: Node) -> bool:
        """True when the driver hands over the array filled as `node` says."""
        given = ("zeros", "empty") if self._kernel.target.zeros else ("empty",)
        return node in self._top and node.results[0] in self.hoisted and node.op in given

    def fill(self, node: Node) -> str:
        """How the driver makes the array."""
        return "zeros" if node.op == "zeros" and self.ready(node) else "empty"

    def buffers(self) -> list[Buffer]:
        """What the driver must allocate, in the order in which it is first used."""
        return [b for s, b in self._buffers.items() if s in self._seen or b.result is not None]

    def variable(self, value: Value) -> str:
        """A Numba variable that is this array."""
        kernel = self._kernel
        look = kernel.arrays.look(value)
        assert isinstance(value.type, Array)
        if self.is_all(value):
            self.seen(look.storage)
            return look.storage.name
        node = kernel.reading.made[value]
        kernel.flush()
        source = node.operands[0]
        assert isinstance(source, Value)
        arguments = [self.variable(source), *(kernel.operand(operand) for operand in node.operands[1:])]
        bare = Node(node.op, node.operands, node.results, {**node.attrs, "text": None}, (), node.loc)
        text = kernel.filled_text(bare, arguments)
        if is_diagonal(node):
            kernel.imports.add(("layouts", "diagonal_of"))
            text = f"diagonal_of({arguments[0]})"
        if value.type.layout == "C" and value.type.ndim > 1:
            kernel.imports.add(("layouts", "in_one_piece"))
            text = f"in_one_piece({text})"
        kernel.out.line(f"{kernel.names[value]} = {text}", node.loc.text)
        self._views.append((kernel.out.depth, value, look))
        storage = Storage(kernel.names[value], value.type, value)
        self._bound_in[storage] = kernel.out.path
        kernel.arrays.rebind(value, whole(storage))
        return kernel.names[value]

    def is_all(self, value: Value) -> bool:
        """True when the array is all of its storage, not a part that begins where the storage does."""
        look, canon = self._kernel.arrays.look(value), self._kernel.symbols.canon
        assert isinstance(value.type, Array)
        shapes = (tuple(canon(size) for size in type_.shape) for type_ in (look.storage.type, value.type))
        return is_whole(look) and len(set(shapes)) == 1

    def left(self, depth: int) -> None:
        """A block one level deeper has come to its end: the variables that views got there are gone."""
        while self._views and self._views[-1][0] > depth:
            _, value, look = self._views.pop()
            self._kernel.arrays.rebind(value, look)


def dtype_text(dtype: np.dtype) -> str:
    """The dtype as an argument of np.empty."""
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"


def _allocated(type_: Array) -> Array:
    """The type of memory of its own for an array, which may be a view of something that is computed."""
    return replace(type_, layout=order_of(type_), writeable=True)
