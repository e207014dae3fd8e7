"""One cluster as one Numba function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import zip_longest

import numpy as np

from ..graph.analysis.effects import Aliases
from ..graph.analysis.memory import Memory
from ..graph.ir import dims
from ..graph.ir.nodes import Block, Graph, Literal, Node, Operand, Value, walk
from ..graph.ir.rewrite import ValuesByName, defined_by, used_by
from ..graph.ir.shown import unbound_message
from ..graph.ir.types import Array, Object, Scalar, Type
from ..graph.ops import OPS
from ..graph.ops.define import PRODUCT, REDUCTION, ROUTINE
from ..graph.ops.facts import (
    MADE_OF_NUMBERS,
    grows,
    is_assign,
    is_call,
    is_copy,
    is_enter,
    is_find,
    is_plain_view,
    is_recursion,
    is_recursive,
    is_return,
    is_solution,
    is_store,
    is_yield,
    prints_numbers,
)
from ..graph.ops.written import written
from ..graph.passes.on_gpu import CONVERSIONS
from ..graph.trace.devices import device_of
from . import texts
from .accesses import has_other_names, names_in
from .arrays import Arrays, LoweringContext
from .buffer_assignment import BufferAssignment
from .calls import Argument, Buffer, Kernel, as_given, of_layout
from .check.names import of_two_kinds, unbound
from .check.nests import difference
from .control import EndingTargets, FlowPrinter
from .elements import cast, conversions_in, literal_as, machine_dtype
from .expressions import assignment, fill
from .faults import KernelFault
from .fuse import FusionFacts
from .in_place import in_place
from .inline import find_inlined
from .literals import literal
from .matmul import multiply, order, solve
from .names import Names, base_name
from .nest import Let, Stmt, Storage, Text, sizes_in, statements, storages_in
from .polling import Polling, strip_length
from .promises import are_apart
from .reading import Reading, assigned_first, is_pure, order_of, scalar_template
from .reductions import reduce_node
from .scalars import Scalars
from .signature import given_type, same_held
from .symbols import Symbols
from .target import CPU, Target
from .writer import INDENT, WIDTH, Writer

SIZES = "/*sizes*/"
"""In a function's call of itself: the sizes that it is given, which are known when all of it is printed."""


def lower_cluster(
    graph: Graph, cluster: Node, name: str, aliases: Aliases, target: Target = CPU, check: bool = False
) -> Kernel:
    """The text of one kernel, and how the driver calls it; with `check` it is verified."""
    return Lowering(graph, cluster, name, aliases, target, check).kernel()


class Lowering:
    """Prints the body of a cluster; scalars as Python statements, array operations as nests."""

    def __init__(
        self,
        graph: Graph,
        cluster: Node,
        name: str,
        aliases: Aliases,
        target: Target,
        check: bool,
        is_helper: bool = False,
        is_repeated: bool = False,
        itself: tuple[Value, ...] | None = None,
    ) -> None:
        self.target = target
        self.check = check
        self.is_helper = is_helper
        self.itself = itself
        """What a function that calls itself reads from around it, and hands on to itself."""
        self.helpers: list[tuple[str, ...]] = []
        self.graph = graph
        self.cluster = cluster
        self.name = name
        self.known = ValuesByName.of(graph)
        self.region = in_place(cluster.regions[0], graph)
        self.inputs = tuple(operand for operand in cluster.operands if isinstance(operand, Value))
        self.out = Writer(1)
        self.imports: set[tuple[str, str]] = set()
        for node in walk(self.region):
            self.known.values.update((value.name, value) for value in defined_by(node))
        self.reading = Reading(graph, self.region, self.known)
        self.polling = Polling(graph, self.region, self.known, is_repeated)
        self.inner = self.reading.inner
        self.inlined = find_inlined(self.region, self.reading.uses, scalar_template, is_pure, order_of)
        self.storages = BufferAssignment(
            self, aliases, Memory(self.region, self.reading.readers, self.inlined)
        )
        self._held_back = set(self.inlined)
        block = Block((*self.inputs, *self.storages.hoisted), self.region.nodes)
        self.names = Names(block, self._printed_reads, self._taken(), same_held, assigned_first)
        self.symbols = Symbols(self)
        self.scalars = Scalars(self)
        self.operand = self.scalars.operand
        self.condition = self.scalars.condition
        self._loop_names: list[str] = []
        self.shared_names: dict[str, str] = {}
        self.inside = False
        """Whether a function of its own is printed that this one launches."""
        self.flow = FlowPrinter(self.out, self.names, self)
        self.arrays = self._new_arrays(aliases)

    def _new_arrays(self, aliases: Aliases) -> Arrays:
        return Arrays(
            LoweringContext(
                scalar=self.operand,
                wrapped=self.scalars.wrapped,
                inside=self.scalars.inside,
                storage=self.storages.storage,
                temporary=self.storages.temporary,
                uses=self.reading.uses,
                readers=self.reading.readers,
                aliases=aliases,
                sizes=self.reading.sizes,
                canon=self.symbols.canon,
                fresh=self.names.fresh,
                imports=self.imports,
            )
        )

    def _taken(self) -> set[str]:
        """Names that the module needs for itself."""
        imported = {name for node in walk(self.region) for _, name in _imports(node)}
        ours = (
            "wrapped_index",
            "no_overlap",
            "in_one_piece",
            "of_any_layout",
            "look_for_signals",
            "strips",
            "grown",
            *"number_of enter leave rehashed".split(),
            *CONVERSIONS,
        )
        return {self.name, *ours, *self.target.reserved, *imported}

    def _printed_reads(self, node: Node) -> Iterator[Value]:
        """The values whose variables are read where `node` is printed, or where its delayed result is."""
        yield from self.storages.early(node)
        for value in (*self.reading.read_by(node), *self.polling.read_by(node)):
            yield from self.reading.reached(value, self._held_back)
        if is_recursion(node):
            yield from self.itself or ()

    # The whole function -----------------------------------------------------------------------------------

    def kernel(self) -> Kernel:
        """Print everything."""
        ending = self.region.ending
        if self.itself is not None:
            self.imports.add(("interrupts", "look_in_recursion"))
            self.out.line("look_in_recursion()")
        if is_yield(ending):
            self.flow.block(Block((), self.region.nodes[:-1]), EndingTargets())
            self.pause(ending)
            returned, returns = self._returned(ending)
            if returned:
                self.out.line(f"return {', '.join(returned)}")
        else:
            self.flow.block(self.region, EndingTargets())
            returns = list(self.cluster.results)
        arguments: list[Argument] = [*self.inputs, *self.storages.buffers(), *self.symbols.extra]
        if any(isinstance(value.type, Object) for value in self.inputs):
            self.imports.update((("generators", "address_of"), ("generators", "locked")))
        promise = []
        aliases = self.arrays.context.aliases
        if self.target.vectorises and not self.is_helper and are_apart(arguments, self.region, aliases):
            self.imports.add(("overlap", "no_overlap"))
            promise.append(f"{INDENT}no_overlap()")
        sizes = "".join(f", {self.symbols[a]}" for a in self.symbols.extra)
        lines = [line.replace(SIZES, sizes) for line in self.out.lines]
        text = [*self._head(arguments), *promise, *self.symbols.lines(), *lines]
        if len(text) == len(self._head(arguments)):
            text.append("    pass")
        self.imports |= conversions_in(text)
        if self.check and (what := unbound(text) or of_two_kinds(text)) is not None:
            raise KernelFault(self.name, what, "\n".join(text))
        return Kernel(
            self.name,
            tuple(text),
            tuple(arguments),
            tuple(returns),
            frozenset(self.target.imports(self.imports)),
            self.target,
            tuple(self.helpers),
            device_of(self.cluster) if self.target.first else "",
        )

    def _returned(self, ending: Node) -> tuple[list[str], list[Value]]:
        """What the kernel returns: not the buffers, which the driver has already."""
        texts_, results = [], []
        for operand, result in zip(ending.operands, self.cluster.results, strict=True):
            if isinstance(operand, Value) and self.storages.is_result(operand, result):
                continue
            texts_.append(self.operand(operand))
            results.append(result)
        return texts_, results

    def _head(self, arguments: list[Argument]) -> list[str]:
        types: list[Type] = []
        names = [*self.target.first]
        for argument in arguments:
            if isinstance(argument, Value):
                types.append(given_type(argument.type, argument in self.graph.params))
                names.append(self.names[argument])
            elif isinstance(argument, Buffer):
                types.append(given_type(argument.type, False))
                names.append(argument.name)
            else:
                types.append(Scalar("int"))
                names.append(self.symbols[argument])
        return self.target.head(self.name, names, types, self.is_helper)

    # Leaf -------------------------------------------------------------------------------------------------

    def reads(self, value: Value) -> bool:
        """Whether anything reads `value`."""
        return self.reading.uses[value] > 0

    def statement(self, node: Node) -> None:
        """Print a node without control flow, or put it on the tape."""
        if node.results and node.results[0] in self.inlined:
            return
        self.storages.at(node)
        op = OPS[node.op]
        has_array = any(isinstance(v.type, Array) for v in node.results)
        if is_call(node):
            self._call(node)
        elif is_recursion(node):
            self._call_itself(node)
        elif is_plain_view(node):
            self.arrays.view(node)
        elif node.op in ("copy", "reshape", "assign") or grows(node) or op.kind == "creation":
            self._memory(node)
        elif op.kind == REDUCTION:
            reduce_node(self, node)
        elif op.kind == PRODUCT:
            multiply(self, node)
        elif op.kind == ROUTINE:
            (solve if is_solution(node) else order)(self, node)
        elif is_store(node):
            self._store(node)
        elif is_enter(node) or is_find(node):
            self._table(node)
        elif has_array:
            self.arrays.elementwise(node)
        elif node.op == "check_bound":
            self._at_hand(node)
            self._check_bound(node)
        elif prints_numbers(node):
            self._at_hand(node)
            self._print_made(node)
        elif self.arrays.tape and is_pure(node) and not any(self._arrays_of(node)):
            name = self.names[node.results[0]]
            if (text := self.scalars.expression(node)) != name:
                self.arrays.put([Let(name, Text(text), node.loc.text)])
        else:
            self._at_hand(node)
            name = self.names[node.results[0]]
            if (text := self.scalars.fitted(node, len(name) + 3)) != name:
                only_asks = node.attrs.get("asks") and not self.reads(node.results[0])
                self.out.line(text if only_asks else assignment(name, text), node.loc.text)
        self.storages.processed(node)
        self.arrays.held.clear()
        self.bound(node.results)

    def _arrays_of(self, node: Node) -> Iterator[Value]:
        """The arrays whose elements the expression of a scalar node reads."""
        for operand in node.operands:
            if isinstance(operand, Value) and isinstance(operand.type, Array):
                yield operand
            elif isinstance(operand, Value) and operand in self.inlined:
                yield from self._arrays_of(self.inlined[operand])

    def _at_hand(self, node: Node) -> None:
        """Print what must be in memory before the expression of `node`."""
        for array in self._arrays_of(node):
            self.arrays.look(array)
        self.flush()

    def _call(self, node: Node) -> None:
        """A helper with early returns is a function of its own."""
        self.arrays.force()
        self.flush()
        region = node.regions[0]
        outer = sorted(used_by(replace(node, operands=()), self.known), key=lambda value: value.name)
        inputs = (*region.params, *outer)
        made = Node("cluster", inputs, node.results, {}, (Block((), region.nodes),), node.loc)
        name = self.names.fresh(f"{self.name}_{base_name(str(node.attrs.get('name', 'helper')))}")
        repeated = node in self.polling.repeated
        aliases = self.arrays.context.aliases
        itself = tuple(outer) if is_recursive(node) else None
        helper = Lowering(self.graph, made, name, aliases, self.target, self.check, True, repeated, itself)
        kernel = helper.kernel()
        self.helpers += [*kernel.helpers, kernel.text]
        self.imports |= kernel.imports
        arguments = self._given((*node.operands, *outer), region.params)
        arguments += [str(self.symbols.variable(symbol)) for symbol in helper.symbols.extra]
        targets = ", ".join(self.names[value] for value in node.results)
        call = f"{name}({', '.join(arguments)})"
        self.out.line(f"{targets} = {call}" if targets else call, node.loc.text)

    def _call_itself(self, node: Node) -> None:
        """The function that is printed calls itself."""
        assert self.itself is not None
        self.arrays.force()
        self.flush()
        given = self._given((*node.operands[node.attrs["arrays"] :], *self.itself), self.cluster.operands)
        targets = ", ".join(self.names[value] for value in node.results)
        call = f"{self.name}({', '.join(given)}{SIZES})"
        self.out.line(f"{targets} = {call}" if targets else call, node.loc.text)

    def _given(self, operands: Sequence[Operand], params: Sequence[Operand]) -> list[str]:
        """What a function gets."""
        return list(map(as_given, operands, self._in_layouts(operands, params)))

    def _in_layouts(self, operands: Sequence[Operand], values: Sequence[Operand]) -> list[str]:
        """Operands, of which arrays are as the first of them are got or returned."""
        return [of_layout(self.operand(o), v, self.imports) for o, v in zip_longest(operands, values)]

    def _memory(self, node: Node) -> None:
        if is_assign(node):
            self.arrays.assign(node)
        elif is_copy(node):
            self.arrays.copy(node)
        elif node.op == "reshape":
            self.storages.reshape(node)
        elif grows(node):
            self.storages.grow(node)
        elif node.op in ("zeros", "ones", "full", "empty"):
            self.arrays.filled(node, self.storages.ready(node))
        else:
            raise NotImplementedError(f"{node.op} in kernels")

    def _store(self, node: Node) -> None:
        target, value = node.operands[:2]
        assert isinstance(target, Value)
        assert isinstance(target.type, Array)
        self.arrays.force(target)
        self._at_hand(node)
        text = self._stored(value, target.type.dtype)
        place = self.scalars.subscript(node, target, node.operands[2:])
        if len(place) + len(text) + 3 > (room := WIDTH - len(INDENT) * self.out.depth):
            self.scalars.spread(node, room)
            text = self._stored(value, target.type.dtype)
            place = self.scalars.subscript(node, target, node.operands[2:])
        self.out.line(assignment(place, text), node.loc.text)

    def _table(self, node: Node) -> None:
        """A key is looked up in a table, or noted there: all of it is in memory."""
        for array in self._arrays_of(node):
            self.arrays.force(array)
        self._at_hand(node)
        form = str(written(node))
        self.imports.add(("tables", form.partition("(")[0]))
        text = form.format(*map(self.operand, node.operands))
        self.out.line(assignment(self.names[node.results[0]], text) if node.results else text, node.loc.text)

    def _stored(self, value: Operand, dtype: np.dtype) -> str:
        """A number as it is handed to a store, which converts it."""
        if isinstance(value, Literal):
            return literal_as(value, dtype)
        text, given = self.operand(value), machine_dtype(value.type)
        if given.kind == "f" and dtype.kind in "iu":
            return cast(text, given, dtype)
        return fill("{0} != 0", [text]) if dtype.kind == "b" and given.kind != "b" else text

    def _check_bound(self, node: Node) -> None:
        tag = fill("not {0}", [self.operand(node.operands[0])])
        self.out.line(f"if {tag}:", node.loc.text)
        with self.out.indented():
            message = unbound_message(node.attrs["name"])
            self.out.line(f'raise UnboundLocalError("{message}")')

    def leave(self, node: Node) -> None:
        """Print ``raise``, or the ``return`` of a helper."""
        if is_return(node):
            results = () if self.itself is None else self.cluster.results
            self.out.line(f"return {', '.join(self._in_layouts(node.operands, results))}".rstrip())
            return
        if MADE_OF_NUMBERS in node.attrs:
            self._raise_made(node)
            return
        message = node.attrs["message"]
        written = literal(message) if message or message == 0 else ""
        self.out.line(f"raise {node.attrs['exception']}({written})", node.loc.text)

    def _raise_made(self, node: Node) -> None:
        """An exception that Python makes of the numbers in its message."""
        self.out.line(f"raise_made({self._made_of_numbers(node)})", node.loc.text)
        self.out.line("raise SystemError")  # never reached
        self.imports.add(("raising", "raise_made"))

    def _print_made(self, node: Node) -> None:
        """Text that Python makes of numbers, and prints."""
        self.out.line(f"print_made({self._made_of_numbers(node)})", node.loc.text)
        self.imports.add(("raising", "print_made"))

    def _made_of_numbers(self, node: Node) -> str:
        """What Python does with numbers, as the text of a lambda, and the numbers."""
        names = [f"a{k}" if k else "a" for k in range(len(node.operands))]
        values = [texts.rewrapped(name, o.type) for name, o in zip(names, node.operands, strict=True)]  # type: ignore[arg-type]
        head = f"lambda {', '.join(names)}".rstrip()
        made = f"{head}: {fill(node.attrs['text'].removeprefix('raise '), values)}"
        text = literal(made.encode("ascii", "backslashreplace").decode())
        given = ", ".join(map(self.operand, node.operands))
        return f"{text}, ({given}{',' if len(names) == 1 else ''})"

    def left(self, depth: int) -> None:
        """A block deeper than `depth` has come to its end: what only it has computed is gone."""
        self.scalars.left(depth)
        self.storages.left(depth)

    def called(self, template: str) -> str:
        """A kernel text with the functions of the target."""
        text, imports = self.target.called(template)
        self.imports.update(imports)
        return text

    @contextmanager
    def writing(self, out: Writer) -> Iterator[None]:
        """What is printed meanwhile goes to `out`."""
        before = self.out
        self.out = self.flow.out = out
        self.inside = True
        try:
            yield
        finally:
            self.out = self.flow.out = before
            self.inside = False

    def took(self, node: Node) -> bool:
        """Whether the target has printed a node with control flow in a form of its own."""
        return self.target.took(self, node)

    def each_time(self, node: Node) -> str:
        """How a loop that may last looks for signals at the start of an iteration."""
        if not self.target.interruptible or node not in self.polling.looks:
            return ""
        return self.look(self.symbols.text(self.polling.looks[node]))

    def strips(self, node: Node, items: str) -> tuple[str, str, str] | None:
        """How a loop that walks along an array looks for signals: between its strips."""
        if not self.target.interruptible or node not in self.polling.strips:
            return None
        self.imports.add(("strips", "strips"))
        strip, count = self.names.fresh("strip"), self.polling.strips[node]
        work = f"len({strip})" if count == 1 else f"{count} * len({strip})"
        return strip, f"strips({items}, {strip_length(count)})", self.look(work)

    def always(self) -> str:
        """A variable, so that the loop has a second exit.

        Numba takes the block that leaves ``while True`` for one that runs exactly once after all before it: a
        variable that is assigned there, and later in the loop, keeps its first value in all iterations.
        """
        going = self.names.fresh("going")
        self.out.line(f"{going} = True")
        return going

    def look(self, work: str) -> str:
        """The statement that looks for signals after so much work."""
        self.imports.add(("interrupts", "look_for_signals"))
        return f"look_for_signals({texts.bare(work)})"

    def pause(self, node: Node) -> None:
        """Control flow comes next: print everything before it."""
        self.storages.at(node)
        self.arrays.force()
        self.flush()
        if self.target.vectorises:
            self.storages.prepare(node)

    def bound(self, values: tuple[Value, ...]) -> None:
        """Values that have just got their variables: results, or the parameters of a block."""
        self.symbols.bound(values)
        self.storages.take_turns(values)

    def flush(self) -> None:
        """Print the nests on the tape."""
        tape = self.arrays.take()
        if not tape:
            return
        facts = FusionFacts(
            self.arrays.share,
            self._dead_after(tape),
            self.storages.blank,
            self.storages.hidden,
            self.names.fresh,
            self.storages.scalar_for,
            self.symbols.canon,
            self.arrays.long,
        )
        self._mark_sizes(tape)
        body = self.target.fused(tape, facts)
        if self.check:
            what = difference(tape, body, self._is_unread, self.arrays.share, self.graph.guards)
            if what is not None:
                raise self.fault(what)
        made = {statement.name for statement in body if isinstance(statement, Let)}
        for storage in storages_in(body):
            if not self.storages.sized_by(storage, made):
                self.storages.seen(storage)
        self.target.print(self, body, facts)
        self.storages.see_written(storages_in(tape))
        self.storages.printed()

    def see(self, body: list[Stmt]) -> None:
        """These statements are about to be printed: what they store to has to be there."""
        for storage in storages_in(body):
            self.storages.seen(storage)

    def _mark_sizes(self, tape: list[Stmt]) -> None:
        """Tell the variables on the tape which sizes are written with them: those must come later."""
        lets = [statement for statement in statements(tape) if isinstance(statement, Let)]
        if not lets:
            return
        written: dict[str, set[str]] = {}
        for symbol in {s for size in sizes_in(tape) for s in dims.symbols(size)}:
            if not symbol.startswith("%") and symbol not in self.graph.sizes:
                for name in names_in(self.symbols.variable(symbol) or ""):
                    written.setdefault(name, set()).add(symbol)
        for statement in lets:
            statement.symbols = frozenset(written.get(statement.name, ()))

    def fault(self, what: str) -> KernelFault:
        """The error that says what is wrong with the kernel as far as it is printed."""
        return KernelFault(self.name, what, "\n".join(self.out.lines))

    def _is_unread(self, storage: Storage) -> bool:
        return not self.storages.needed_later(storage) and not self.arrays.holds_back(storage)

    def _dead(self, storage: Storage) -> bool:
        return self.storages.dead(storage) and not self.arrays.holds_back(storage)

    def _dead_after(self, tape: list[Stmt]) -> Callable[[Storage], bool]:
        """Which storages nobody reads later, nor on the tape under another name."""
        mentioned = storages_in(tape)

        @cache
        def dead(storage: Storage) -> bool:
            return self._dead(storage) and not has_other_names(storage, mentioned, self.arrays.share)

        return dead

    def loop_name(self, depth: int) -> str:
        """The name of the index of nests at a depth."""
        while len(self._loop_names) <= depth:
            self._loop_names.append(self.names.fresh("ijkmnpqr"[len(self._loop_names)]))
        return self._loop_names[depth]

    def filled_text(self, node: Node, arguments: list[str]) -> str:
        """The NumPy form of a node."""
        return fill(texts.text_of(node, self.symbols.variable), arguments)


_REDUCING = tuple(("vecmath", name) for name in ("larger", "smaller", "maximum", "minimum", "pairwise_sum"))


def _imports(node: Node) -> tuple[tuple[str, str], ...]:
    """What the text of `node` may import: names that no variable may have."""
    op = OPS.get(node.op)
    if op is not None and op.kind == REDUCTION:
        return (*op.imports, *_REDUCING)
    if op is not None and op.kind == PRODUCT:
        return tuple(("products", name) for name in ("matmul", "matmul_add", "dot"))
    if op is not None and op.kind == ROUTINE:
        return ((op.module, op.name),)
    return op.imports if op is not None else ()
