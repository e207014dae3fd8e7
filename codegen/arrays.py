"""Array operations of a kernel as loop nests.

Results of elementwise operations that are read once stay *delayed*: an expression in the index symbols
``@0``, ``@1``, which is written into the nest of its reader. Views are index arithmetic on other arrays.
A delayed expression is materialised before anything may write what it reads.
"""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..graph.analysis.effects import Aliases, raises
from ..graph.ir import dims
from ..graph.ir.axes import Pick
from ..graph.ir.dims import Size
from ..graph.ir.nodes import Literal, Node, Operand, Value
from ..graph.ir.types import Array, Scalar
from ..graph.ops import OPS
from ..graph.ops.facts import grows, is_plain_view, is_recursion, is_write
from .elements import (
    cast,
    imports_of,
    literal_as,
    loop_dtypes,
    machine_dtype,
    natural,
    template_of,
    template_text,
)
from .nest import (
    EITHER,
    Apply,
    Counter,
    Expr,
    Fail,
    Let,
    Load,
    Loop,
    Stmt,
    Storage,
    Store,
    Text,
    at,
    axis,
    count,
    loads,
    templates,
)

LONGEST = 60
"""So many operations may stand in one expression."""


@dataclass(slots=True)
class AccessMap:
    """An array as index arithmetic on memory: the index of its element ``[@0, @1, ...]`` there."""

    storage: Storage
    index: tuple[Size, ...]


@dataclass(slots=True)
class Deferred:
    """An array that is not in memory: its element ``[@0, @1, ...]``, and where it was computed."""

    value: Value
    expr: Expr
    node: Node


@dataclass(slots=True)
class LoweringContext:
    """What array lowering asks of the kernel around it."""

    scalar: Callable[[Operand], str]
    wrapped: Callable[[Node, Operand, Size, int, bool], str]
    storage: Callable[[Value, str], Storage]
    inside: Callable[[Node, int, Size, int], None]
    temporary: Callable[[Array], Storage]
    uses: Mapping[Value, int]
    readers: Mapping[Value, list[Node]]
    aliases: Aliases
    sizes: Mapping[str, Size]
    canon: Callable[[Size], Size]
    fresh: Callable[[str], str]
    imports: set[tuple[str, str]] = field(default_factory=set)


class Arrays:
    """Turns the array nodes of straight-line code into nests on `tape`."""

    def __init__(self, context: LoweringContext) -> None:
        self.context = context
        self.tape: list[Stmt] = []
        self.counter = Counter()
        self._looks: dict[Value, AccessMap] = {}
        self.delayed: dict[Value, Deferred] = {}
        self.held: list[Expr] = []
        """Expressions of the node at hand: no longer delayed, and not on the tape yet."""
        self._times: Counts[Value] = Counts()
        self.long: set[str] = set()
        """The templates of operations that take long."""

    # Reading ----------------------------------------------------------------------------------------------

    def look(self, value: Value) -> AccessMap:
        """Where an array is in memory; a delayed one is put there now."""
        if value in self.delayed:
            self.materialise(value)
        found = self._looks.get(value)
        if found is None:
            assert isinstance(value.type, Array)
            found = self._looks[value] = whole(self.context.storage(value, ""))
        return found

    def rebind(self, value: Value, look: AccessMap) -> None:
        """`value` is looked at in this way from now on."""
        self._looks[value] = look

    def element(self, operand: Operand, shape: tuple[Size, ...]) -> Expr:
        """The element ``[@0, @1, ...]`` of an operand that is broadcast to `shape`."""
        if not isinstance(operand, Value) or not isinstance(operand.type, Array):
            return Text(self.context.scalar(operand))
        indices = {}
        offset = len(shape) - operand.type.ndim
        canon = self.context.canon
        for number, size in enumerate(operand.type.shape):
            stretched = number + offset < 0 or (canon(size) == 1 and canon(shape[number + offset]) != 1)
            indices[f"@{number}"] = 0 if stretched else axis(number + offset)
        if operand in self.delayed and not self._repeats(operand, indices, shape):
            return at(self._taken(operand), indices)
        found = self.look(operand)
        return Load(found.storage, tuple(dims.substitute(i, indices) for i in found.index))

    def _repeats(self, value: Value, indices: Mapping[str, Size], shape: tuple[Size, ...]) -> bool:
        """True when an outer loop would compute anew, in each iteration, what takes long."""
        kept = [k for k in range(len(shape)) if axis(k) in indices.values()]
        outer = range(max(kept, default=0))
        if all(k in kept or self.context.canon(shape[k]) == 1 for k in outer):
            return False
        return self.takes_long(self.delayed[value].expr)

    def takes_long(self, expr: Expr) -> bool:
        """Whether an operation in it does, so that several lanes had better compute it."""
        return any(text in self.long for text in templates(expr))

    def _taken(self, value: Value) -> Expr:
        """The expression of a delayed array, which is forgotten with its last use."""
        self._times[value] += 1
        found = self.delayed[value]
        self.held.append(found.expr)
        if self._times[value] >= self.context.uses[value]:
            del self.delayed[value]
        return found.expr

    # Elementwise ------------------------------------------------------------------------------------------

    def elementwise(self, node: Node) -> None:
        """A ufunc, `where`, `clip` or `cast` with an array result."""
        (result,) = node.results
        assert isinstance(result.type, Array)
        template, loop = template_of(node), loop_dtypes(node)
        expr: Expr
        arguments: list[Expr] = []
        for operand, dtype in zip(node.operands, loop, strict=False):
            if isinstance(operand, Literal):
                arguments.append(Text(literal_as(operand, dtype)))
                continue
            read = self.element(operand, result.type.shape)
            arguments.append(converted(read, machine_dtype(operand.type), dtype))
        if node.op == "clip":  # in two steps: its one text would write every operand many times
            # Of 0.0 and -0.0 the second counts: the bound where bounds vary along a line, else the element.
            bounds = [bound.type.shape for bound in node.operands[1:] if isinstance(bound.type, Array)]
            order = -1 if any(shape and shape[-1] != 1 for shape in bounds) else 1
            raised = self._step("maximum", loop, *(arguments[1], arguments[0])[::order])
            expr = self._step("minimum", loop, *(arguments[2], raised)[::order])
        else:
            if self._check_elements(node, arguments, result.type.shape):
                template = OPS[node.op].text_for([dtype.name for dtype in loop], True) or template
            self.context.imports.update(imports_of(node, template))
            if OPS[node.op].expensive:
                self.long.add(template)
            expr = Apply(template, tuple(arguments)) if template != "{0}" else arguments[0]
        wanted = machine_dtype(result.type)
        if natural(node, template, loop) != wanted:
            expr = converted(expr, None if template != "{0}" else loop[0], wanted)
        self.delay(result, expr, node)

    def _check_elements(self, node: Node, arguments: list[Expr], shape: tuple[Size, ...]) -> bool:
        """Raise if an element would: NumPy does before what it computes is written to the array it is for."""
        if (refused := OPS[node.op].not_negative) is None or not raises(node):
            return False
        number, message = refused
        operand = node.operands[number]
        if isinstance(operand, Literal):
            if operand.value >= 0:
                return False
        elif isinstance(operand.type, Array) and not isinstance(arguments[number], Load):
            arguments[number] = self._kept_apart(arguments[number], loop_dtypes(node)[number], shape)
        name = self.context.fresh("found")
        symbols, loops = self.loops(shape)
        either = Apply("{0} | ({1} < 0)", (Text(name), at(arguments[number], symbols)))
        fail = Fail(name, f'raise ValueError("{message}")', node.loc.text)
        update = Let(name, either, join=EITHER)
        self.put([Let(name, Text("False")), *nested(loops, [update], node.loc.text), fail])
        return True

    def _step(self, name: str, loop: list[np.dtype], *arguments: Expr) -> Expr:
        """One element of another op."""
        template = template_text(name, loop)
        self.context.imports.update(OPS[name].imports_for(template))
        return Apply(template, arguments)

    def delay(self, result: Value, expr: Expr, node: Node) -> None:
        """Keep `expr` until it is read; put it into memory now if it is read more than once or written.

        Long ones are put there, too, and become scalars when nests are fused: nobody could read an expression
        of a hundred operations, and what walks through it has an end.
        """
        self.delayed[result] = Deferred(result, expr, node)
        operations = count(expr)
        if not self._only_read(result) or operations > (LONGEST if self.context.uses[result] < 2 else 0):
            self.materialise(result)

    def _only_read(self, value: Value) -> bool:
        return all(self._reads(node, value) for node in self.context.readers.get(value, ()))

    def _reads(self, node: Node, value: Value) -> bool:
        if is_plain_view(node):
            return self._only_read(node.results[0])
        if is_write(node):
            return node.operands[0] is not value
        moves = ("yield", "break", "continue", "return", "reshape")
        return not (node.regions or grows(node) or is_recursion(node) or node.op in moves)

    def materialise(self, value: Value, storage: Storage | None = None) -> None:
        """Write a delayed array to memory."""
        held_back = self.delayed.pop(value)
        self.held.append(held_back.expr)
        assert isinstance(value.type, Array)
        target = storage or self.context.storage(value, "local")
        self.rebind(value, whole(target))
        self.write(whole(target), value.type.shape, held_back.expr, held_back.node.loc.text)

    def force(self, written: Value | None = None) -> None:
        """Materialise what may read the memory of `written` (None: everything that is delayed)."""
        for value, held_back in list(self.delayed.items()):
            if value not in self.delayed:
                continue
            if written is None or self._reads_memory(held_back.expr, written):
                self.materialise(value)

    def holds_back(self, storage: Storage) -> bool:
        """True when an expression that isn't on the tape still has to read the storage, by whatever name."""
        waiting = [*(delayed.expr for delayed in self.delayed.values()), *self.held]
        return any(self.share(load.storage, storage) for expr in waiting for load in loads(expr))

    def _reads_memory(self, expr: Expr, written: Value) -> bool:
        return any(self.overlap(load.storage, written) for load in loads(expr))

    def share(self, left: Storage, right: Storage) -> bool:
        """True unless two storages are proved to be different memory."""
        if left is right:
            return True
        if left.value is None or right.value is None:
            return False
        return self.context.aliases.may_overlap(left.value, right.value)

    def overlap(self, storage: Storage, value: Value) -> bool:
        """True unless the two are proved to be different memory."""
        if storage.value is None:
            found = self._looks.get(value)
            return found is not None and found.storage is storage
        return self.context.aliases.may_overlap(storage.value, value)

    # Writing ----------------------------------------------------------------------------------------------

    def write(self, target: AccessMap, shape: tuple[Size, ...], expr: Expr, source: str) -> None:
        """A nest that stores `expr` to every element of `target`."""
        symbols, loops = self.loops(shape)
        index = tuple(dims.substitute(i, symbols) for i in target.index)
        body: list[Stmt] = [Store(target.storage, index, at(expr, symbols), source)]
        order = list(range(len(shape)))
        if target.storage.type.layout == "F" and _follows(target):
            order.reverse()
        self.put(nested([loops[k] for k in order], body, source))

    def loops(self, shape: tuple[Size, ...]) -> tuple[dict[str, Size], list[tuple[str, Size]]]:
        """New loop indices for a shape, and what each axis symbol is then (0 where there is one element)."""
        symbols: dict[str, Size] = {}
        loops: list[tuple[str, Size]] = []
        for number, given in enumerate(shape):
            size = self.context.canon(given)
            name = self.counter.index()
            symbols[f"@{number}"] = 0 if size == 1 else dims.symbol(name)
            loops.append((name, size))
        return symbols, loops

    def assign(self, node: Node) -> None:
        """``target[...] = value``, as if the value were evaluated fully first."""
        target_value, source = node.operands
        assert isinstance(target_value, Value)
        assert isinstance(target_value.type, Array)
        shape, dtype = target_value.type.shape, target_value.type.dtype
        target = self.look(target_value)
        if isinstance(source, Literal):
            expr: Expr = Text(literal_as(source, dtype))
        else:
            expr = self.element(source, shape)
            if isinstance(source.type, Array) and self._tangled(expr, target, target_value):
                expr = self._kept_apart(expr, source.type.dtype, shape)
        if expr == Load(target.storage, target.index) and machine_dtype(source.type) == dtype:
            return  # ``a[i] += x`` ends with a write of the view to itself
        self.force(target_value)
        self.write(target, shape, self._converted(expr, source, dtype), node.loc.text)

    def _converted(self, expr: Expr, source: Operand, dtype: np.dtype) -> Expr:
        return expr if isinstance(source, Literal) else converted(expr, machine_dtype(source.type), dtype)

    def _tangled(self, expr: Expr, target: AccessMap, target_value: Value) -> bool:
        """True when an element may be read after it was written."""
        for load in loads(expr):
            same = load.storage is target.storage and load.index == target.index
            if not same and self.overlap(load.storage, target_value):
                return True
        return False

    def _kept_apart(self, expr: Expr, dtype: np.dtype, shape: tuple[Size, ...]) -> Expr:
        temporary = self.context.temporary(Array(dtype, shape))
        self.write(whole(temporary), shape, expr, "")
        return Load(temporary, tuple(axis(k) for k in range(len(shape))))

    def copy(self, node: Node) -> None:
        """``a.copy()``."""
        (result,) = node.results
        (source,) = node.operands[:1]
        assert isinstance(result.type, Array)
        expr = self.element(source, result.type.shape)
        if self._only_read(result):
            self.delay(result, expr, node)
            return
        storage = self.context.storage(result, "new")
        self.rebind(result, whole(storage))
        self.write(whole(storage), result.type.shape, expr, node.loc.text)

    def filled(self, node: Node, ready: bool) -> None:
        """``zeros``, ``ones``, ``full``, ``empty``; `ready` when the driver hands over an array like that."""
        (result,) = node.results
        assert isinstance(result.type, Array)
        delays = not ready and node.op != "empty" and self._only_read(result)
        if not delays:
            storage = self.context.storage(result, "new")
            self.rebind(result, whole(storage))
        if ready or node.op == "empty":
            return
        dtype = result.type.dtype
        if node.op == "full":
            fill = node.operands[0]
            if isinstance(fill, Literal):
                text: Expr = Text(literal_as(fill, dtype))
            else:
                text = converted(Text(self.context.scalar(fill)), machine_dtype(fill.type), dtype)
        else:
            text = Text(literal_as(Literal(int(node.op == "ones"), Scalar("int")), dtype))
        if delays:
            self.delay(result, text, node)
        else:
            self.write(whole(storage), result.type.shape, text, node.loc.text)

    # Views ------------------------------------------------------------------------------------------------

    def view(self, node: Node) -> None:
        """Slices, transposes and the like: index arithmetic."""
        source, (result,) = node.operands[0], node.results
        assert isinstance(source, Value)
        assert isinstance(source.type, Array)
        indices: dict[str, Size] = {}
        checks = node.attrs.get("check", ())
        for number, item in enumerate(node.attrs["axes"]):
            if isinstance(item, Pick):
                check = bool(checks[item.index]) if item.index < len(checks) else True
                size = source.type.shape[number]
                indices[f"@{number}"] = self._index(node, node.operands[1 + item.index], size, number, check)
            else:
                indices[f"@{number}"] = dims.add(item.start, dims.scale(axis(item.target), item.step))
        if source in self.delayed and self._only_read(result):
            self.delay(result, at(self._taken(source), indices), node)
            return
        found = self.look(source)
        self._looks[result] = AccessMap(
            found.storage, tuple(dims.substitute(i, indices) for i in found.index)
        )

    def _index(self, node: Node, operand: Operand, size: Size, number: int, check: bool) -> Size:
        """The index that picks one element of an axis, known to be inside it."""
        if isinstance(operand, Literal):
            place = int(operand.value)
            known = dims.lower(size)
            if place >= 0 and (known is not None and known > place or not check):
                return place
            if place < 0 and (known is not None and known >= -place or not check):
                return dims.add(size, place)
            if not isinstance(size, int):
                self.context.inside(node, place, size, number)
                return place if place >= 0 else dims.add(size, place)
        elif not check:
            return self.context.sizes.get(operand.name, dims.symbol(operand.name))
        return dims.symbol(self.context.wrapped(node, operand, size, number, check))

    # Leaving ----------------------------------------------------------------------------------------------

    def put(self, statements: list[Stmt]) -> None:
        """Put statements on the tape: on the one of now, as what they are made of may have been printed."""
        self.tape.extend(statements)

    def take(self) -> list[Stmt]:
        """The nests so far, which are printed now."""
        tape, self.tape = self.tape, []
        return tape


def whole(storage: Storage) -> AccessMap:
    """All of an array."""
    return AccessMap(storage, tuple(axis(k) for k in range(storage.type.ndim)))


def is_whole(look: AccessMap) -> bool:
    """True when a look is the array itself."""
    return look.index == tuple(axis(k) for k in range(look.storage.type.ndim))


def nested(loops: list[tuple[str, Size]], body: list[Stmt], source: str) -> list[Stmt]:
    """`body` inside loops, the first outermost; axes of one element need none."""
    for name, size in reversed(loops):
        if size != 1:
            body = [Loop(name, size, body, source)]
    return body


def converted(expr: Expr, source: np.dtype | None, target: np.dtype) -> Expr:
    """`expr` of dtype `source` (None: unknown) as `target`."""
    if source == target:
        return expr
    return Apply(cast("{0}", source, target), (expr,))


def _follows(look: AccessMap) -> bool:
    return is_whole(look)
