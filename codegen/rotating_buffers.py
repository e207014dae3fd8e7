"""Arrays that a loop makes anew in each iteration and hands on to the next: a few buffers take turns.

    for t in range(n):                     h_buffer = np.empty(...)
        h = np.tanh(h @ w)        →        h_buffer_1 = np.empty(...)
                                           turn = 0
                                           for t in range(n):
                                               turn = 1 - turn
                                               h_1 = h_buffer_1 if turn else h_buffer
                                               ...                       # writes h_1, reads h
                                               h = h_1

An array that is handed on once is dead at the end of the next iteration, so two buffers do; each time that it
is handed on further takes one more. They belong to one run of the loop, and none of them is what the loop
begins with. Where the array, or what it is handed on as, may be kept in other ways, each iteration allocates.
(To swap two variables would do as well, but LLVM doesn't vectorise loops over arrays that change places.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..graph.analysis.around import body_of
from ..graph.analysis.flow import endings_of
from ..graph.analysis.memory import Memory
from ..graph.ir import dims
from ..graph.ir.nodes import Node, Value, walk
from ..graph.ir.rewrite import defined_by
from ..graph.ir.types import Array
from ..graph.ops import OPS
from ..graph.ops.define import CREATION, ELEMENTWISE, PRODUCT, REDUCTION, ROUTINE
from ..graph.ops.facts import is_compiled_loop, is_counted, is_ending, is_view
from .names import base_name

if TYPE_CHECKING:
    from .kernel import Lowering

_MAKERS = (ELEMENTWISE, REDUCTION, PRODUCT, ROUTINE, CREATION)
_MOST = 4


@dataclass(frozen=True, slots=True)
class RotatingBuffer:
    """An array whose buffers take turns: its variable, theirs, and the one that says whose turn it is."""

    value: Value
    name: str
    buffers: tuple[str, ...]
    counter: str

    def count_on(self) -> str:
        """The statement that gives the turn to the next one."""
        count = len(self.buffers)
        following = f"1 - {self.counter}" if count == 2 else f"({self.counter} + 1) % {count}"
        return f"{self.counter} = {following}"

    def choose(self) -> str:
        """The statement that takes the buffer whose turn it is."""
        first, *others = self.buffers
        text = first
        for number, buffer in enumerate(others, 1):
            test = self.counter if len(others) == 1 else f"{self.counter} == {number}"
            text = f"{buffer} if {test} else {text}"
        return f"{self.name} = {text}"


class RotatingBuffers:
    """Finds the arrays of a kernel whose buffers take turns."""

    def __init__(self, kernel: Lowering, memory: Memory) -> None:
        self._kernel = kernel
        self._memory = memory
        self._found: dict[Node, list[RotatingBuffer]] = {}
        self._of: dict[Value, RotatingBuffer] = {}
        self._bodies: dict[tuple[Value, ...], Node] = {}

    def before(self, loop: Node) -> list[RotatingBuffer]:
        """What must be allocated before `loop`."""
        if not is_compiled_loop(loop):
            return []
        if loop not in self._found:
            counters: dict[int, str] = {}
            self._found[loop] = [self._turns(*found, counters) for found in self._search(loop)]
            self._of.update((turns.value, turns) for turns in self._found[loop])
            self._bodies[body_of(loop).params] = loop
        return self._found[loop]

    def inside(self, params: tuple[Value, ...]) -> list[RotatingBuffer]:
        """What takes turns at the beginning of the body with these parameters."""
        loop = self._bodies.get(params) if params else None
        return self._found[loop] if loop is not None else []

    def of(self, value: Value) -> str | None:
        """The variable that `value` is written to, if its buffers take turns."""
        turns = self._of.get(value)
        return turns.name if turns is not None else None

    def _turns(self, value: Value, count: int, counters: dict[int, str]) -> RotatingBuffer:
        fresh, base = self._kernel.names.fresh, base_name(value.name)
        if count not in counters:
            counters[count] = fresh("turn")
        name = fresh(base)
        return RotatingBuffer(
            value, name, tuple(fresh(f"{base}_buffer") for _ in range(count)), counters[count]
        )

    def _search(self, loop: Node) -> Iterator[tuple[Value, int]]:
        """The arrays of one loop whose buffers take turns, and how many each needs."""
        work = _RotatingLoop(loop, self._kernel, self._memory)
        for node in body_of(loop).nodes:
            made = node.op in OPS and OPS[node.op].kind in _MAKERS and not node.regions
            if made and len(node.results) == 1 and isinstance(node.results[0].type, Array):
                count = work.buffers(node.results[0])
                if count is not None and work.knows_size(node.results[0].type):
                    yield node.results[0], count


class _RotatingLoop:
    """One loop, by what is handed from iteration to iteration."""

    def __init__(self, loop: Node, kernel: Lowering, memory: Memory) -> None:
        self.loop, self.kernel, self.memory = loop, kernel, memory
        self.endings = set(endings_of(body_of(loop)))
        skip = 1 if is_counted(loop) else 0
        self.params = [region.params[skip if region is body_of(loop) else 0 :] for region in loop.regions]
        self.inner = {v for region in loop.regions for v in region.params}
        self.inner |= {v for region in loop.regions for node in walk(region) for v in defined_by(node)}

    def knows_size(self, type_: Array) -> bool:
        """True when the size is known before the loop."""
        for symbol in (s for size in type_.shape for s in dims.symbols(size)):
            source = self.kernel.graph.sizes.get(symbol)
            value = source[0] if source is not None else self.kernel.known.values.get(symbol)
            if value is None or value in self.inner:
                return False
        return True

    def buffers(self, value: Value) -> int | None:
        """How many buffers the array needs; None where it may be kept, or isn't handed on at all."""
        slots = self._handed_on(value)
        if not slots:
            return None
        assert isinstance(value.type, Array)
        if value.type.ndim == 0 or (value.type.layout != "C" and value.type.ndim > 1):
            return None
        lives = [self._lives(slot, ()) for slot in slots]
        longest = None if None in lives else 1 + max(life for life in lives if life is not None)
        return longest if longest is not None and longest <= _MOST else None

    def _lives(self, slot: int, seen: tuple[int, ...]) -> int | None:
        """For how many more iterations an array lives that is handed on in this place."""
        if slot in seen:
            return None
        longest = 1
        for params in self.params:
            following = self._handed_on(params[slot]) if slot < len(params) else []
            if following is None:
                return None
            for other in following:
                life = self._lives(other, (*seen, slot))
                if life is None:
                    return None
                longest = max(longest, 1 + life)
        return longest

    def _handed_on(self, value: Value) -> list[int] | None:
        """Where the iteration's endings hand the array on; None where it may be kept elsewhere."""
        slots: list[int] = []
        for reader in self.kernel.reading.readers.get(value, ()):
            if reader in self.endings:
                slots += [k for k, operand in enumerate(reader.operands) if operand is value]
                continue
            is_look = is_view(reader)
            if is_ending(reader) or reader.regions or (is_look and self.memory.outlives(reader.results[0])):
                return None
        return slots
