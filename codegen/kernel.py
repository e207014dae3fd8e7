"""One cluster as one Numba function."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np

from ..graph import dims
from ..graph.dims import Size
from ..graph.effects import Aliases
from ..graph.ir import Block, Graph, Literal, Node, Operand, Value, walk
from ..graph.ops import OPS
from ..graph.ops.define import ELEMENTWISE, MATH, PYTHON, REDUCTION
from ..graph.rewrite import Names as GraphNames
from ..graph.rewrite import sizes_in, used_by
from ..graph.types import Array, Scalar, Type
from . import texts
from .arrays import Arrays, Context
from .calls import Argument, Buffer, Kernel
from .canon import Canon
from .control import Exits, Flow
from .elements import element, imports_of, literal_as, template_of
from .expressions import fill, slots
from .fuse import Facts, fuse
from .inline import find_inlined
from .literals import literal
from .names import Names, base_name
from .nest import Let, Storage, Text, storages_in
from .printing import Printer
from .reductions import reduce_node
from .signature import signature
from .storages import Storages
from .writer import INDENT, WIDTH, Writer

_SCALAR_KINDS = (PYTHON, MATH, ELEMENTWISE)


def lower_cluster(graph: Graph, cluster: Node, name: str, aliases: Aliases) -> Kernel:
    """The text of one kernel, and how the driver calls it."""
    return Lowering(graph, cluster, name, aliases).kernel()


class Lowering:
    """Prints the body of a cluster; scalars as Python statements, array operations as nests."""

    def __init__(
        self, graph: Graph, cluster: Node, name: str, aliases: Aliases, is_helper: bool = False
    ) -> None:
        self.is_helper = is_helper
        self.helpers: list[tuple[str, ...]] = []
        self.graph = graph
        self.cluster = cluster
        self.name = name
        self.known = GraphNames.of(graph)
        self.region = cluster.regions[0]
        self.inputs = tuple(operand for operand in cluster.operands if isinstance(operand, Value))
        self.out = Writer(1)
        self.imports: set[tuple[str, str]] = set()
        self.uses: Counter[Value] = Counter()
        self.readers: dict[Value, list[Node]] = {}
        self.made: dict[Value, Node] = {}
        self.sizes: dict[str, Size] = {}
        self._mentioned: set[str] = set()
        self.inner: set[Value] = set()
        self._index()
        self.storages = Storages(self, aliases)
        block = Block((*self.inputs, *self.storages.hoisted), self.region.nodes)
        self.inlined = find_inlined(self.region, self.uses, self._template, _is_pure, _order)
        taken = {name, *(n for node in walk(self.region) for _, n in _imports(node))}
        self.names = Names(block, self._printed_reads, taken, same_held, self._first)
        self._symbols: dict[str, str] = {}
        self._extra: list[str] = []
        self._loop_names: list[str] = []
        self._parts: dict[Value, str] = {}
        self._part_names: dict[Value, str] = {}
        self._places: list[tuple[int, object, str]] = []
        self._canon = Canon(graph)
        self.flow = Flow(self.out, self.names, self)
        context = Context(
            scalar=self.operand,
            wrapped=self._wrapped,
            storage=self.storages.storage,
            temporary=self.storages.temporary,
            line=self.out.line,
            uses=self.uses,
            readers=self.readers,
            aliases=aliases,
            sizes=self.sizes,
            canon=self._canon,
            imports=self.imports,
        )
        self.arrays = Arrays(context)

    def _index(self) -> None:
        self.inner.update(self.region.params)
        for node in walk(self.region):
            self.inner.update(node.results)
            for region in node.regions:
                self.inner.update(region.params)
            for operand in node.operands:
                if isinstance(operand, Value):
                    self.uses[operand] += 1
                    self.readers.setdefault(operand, []).append(node)
            for result in node.results:
                self.made[result] = node
            if node.op == "size":
                self.sizes[node.results[0].name] = node.attrs["size"]
            for value in self._behind(node):
                self.uses[value] += 1
            self._mentioned.update(s for size in sizes_in(node) for s in dims.symbols(size))

    def _behind(self, node: Node) -> Iterator[Value]:
        """The ints of the graph that the sizes in `node` name."""
        for symbol in sorted({s for size in sizes_in(node) for s in dims.symbols(size)}):
            if symbol not in self.graph.sizes and symbol in self.known.values:
                yield self.known.values[symbol]

    # The whole function -----------------------------------------------------------------------------------

    def kernel(self) -> Kernel:
        """Print everything."""
        ending = self.region.ending
        if ending.op == "yield":
            self.flow.block(Block((), self.region.nodes[:-1]), Exits())
            self.pause(ending)
            returned, returns = self._returned(ending)
            if returned:
                self.out.line(f"return {', '.join(returned)}")
        else:
            self.flow.block(self.region, Exits())
            returns = list(self.cluster.results)
        arguments: list[Argument] = [*self.inputs, *self.storages.buffers(), *self._extra]
        text = [*self._head(arguments), *self._size_lines(), *self.out.lines]
        if len(text) == len(self._head(arguments)):
            text.append("    pass")
        return Kernel(
            self.name,
            tuple(text),
            tuple(arguments),
            tuple(returns),
            frozenset(self.imports),
            tuple(self.helpers),
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
        names = []
        for argument in arguments:
            if isinstance(argument, Value):
                types.append(argument.type)
                names.append(self.names[argument])
            elif isinstance(argument, Buffer):
                types.append(argument.type)
                names.append(argument.name)
            else:
                types.append(Scalar("int"))
                names.append(self._symbols[argument])
        writer = Writer()
        if self.is_helper:
            writer.line('@njit(nogil=True, error_model="numpy")')
        else:
            writer.line(f'@njit("{signature(types)}", nogil=True, error_model="numpy", cache=True)')
        writer.line(f"def {self.name}({', '.join(names)}):")
        return writer.lines

    # Sizes ------------------------------------------------------------------------------------------------

    def symbol(self, name: str) -> str | None:
        """The variable of a size symbol or of an int of the graph."""
        if name in self._symbols:
            return self._symbols[name]
        if name in self.graph.sizes and (same := self._canon(dims.symbol(name))) != dims.symbol(name):
            return self.size_text(same)
        if name in self.graph.sizes:
            self._symbols[name] = self.names.fresh(re.sub(r"\W", "_", name))
            array, _ = self.graph.sizes[name]
            if array not in self.inputs and array not in self.inner:
                self._extra.append(name)
            return self._symbols[name]
        value = self.known.values.get(name)
        if value is None:
            return None
        if value in self.inlined:
            return f"({self.operand(value)})"
        if value not in self.names:
            self._symbols[name] = self.names.fresh(base_name(name))
            self._extra.append(name)
            return self._symbols[name]
        return self.names[value]

    def size_text(self, size: Size) -> str:
        """A size as an expression of the kernel."""
        return dims.text(self._canon(size), texts.Variables(self.symbol))

    def _size_lines(self) -> list[str]:
        writer = Writer(1)
        for array in self.inputs:
            axes = {
                k: self._symbols[s]
                for s, (a, k) in self.graph.sizes.items()
                if a is array and s in self._symbols
            }
            if isinstance(array.type, Array) and axes:
                if len(axes) == array.type.ndim > 1:
                    writer.line(f"{', '.join(axes[k] for k in range(len(axes)))} = {self.names[array]}.shape")
                else:
                    for k, variable in sorted(axes.items()):
                        writer.line(f"{variable} = {self.names[array]}.shape[{k}]")
        return writer.lines

    def bound(self, values: tuple[Value, ...]) -> None:
        """Sizes that are known only from an array made here."""
        for symbol, (array, number) in self.graph.sizes.items():
            if array in values and symbol in self._mentioned:
                if symbol not in self._symbols:
                    self._symbols[symbol] = self.names.fresh(re.sub(r"\W", "_", symbol))
                self.arrays.force()
                self.flush()
                self.out.line(f"{self._symbols[symbol]} = {self.operand(array)}.shape[{number}]")

    # Scalars ----------------------------------------------------------------------------------------------

    def _template(self, node: Node) -> str | None:
        """The text of a scalar node as an expression."""
        if (
            any(isinstance(value.type, Array) for value in node.results)
            or len(node.results) != 1
            or node.regions
        ):
            return None
        if node.op == "size":
            return self.size_text_plain(node)
        if node.op == "load":
            array = node.operands[0].type
            assert isinstance(array, Array)
            return f"{{0}}[{', '.join(f'{{{k + 1}}}' for k in range(array.ndim)) or '()'}]"
        op = OPS.get(node.op)
        if op is None or op.kind not in _SCALAR_KINDS:
            return None
        return template_of(node)

    def size_text_plain(self, node: Node) -> str:
        """The text of a size, with the symbols as they are called in the graph."""
        return "size"

    def _printed_reads(self, node: Node) -> Iterator[Value]:
        """The values whose variables are read where `node` is printed, or where its delayed result is."""
        yield from self.storages.early(node)
        for value in (*self._operands(node), *self._behind(node)):
            yield from self._reached(value)

    def _first(self, node: Node) -> Iterator[Value]:
        """Array results are allocated before the operands are read."""
        return (result for result in node.results if isinstance(result.type, Array) and not node.regions)

    def _operands(self, node: Node) -> Iterator[Value]:
        for operand in node.operands:
            if isinstance(operand, Value):
                yield operand

    def _reached(self, value: Value) -> Iterator[Value]:
        """`value`, and what an expression for it reads if it has no variable of its own."""
        node = self.made.get(value)
        virtual = node is not None and (
            value in self.inlined
            or (isinstance(value.type, Array) and not node.regions and not self.storages.is_new(value))
        )
        if value not in self.inlined:
            yield value
        if virtual and node is not None:
            yield from self._virtual(node)

    def _virtual(self, node: Node) -> Iterator[Value]:
        for value in (*self._operands(node), *self._behind(node)):
            yield from self._reached(value)

    # Leaf -------------------------------------------------------------------------------------------------

    def left(self, depth: int) -> None:
        """A block one level deeper has come to its end, and what was computed there is gone."""
        self._places = [place for place in self._places if place[0] <= depth]

    def reads(self, value: Value) -> bool:
        """Whether anything reads `value`."""
        return self.uses[value] > 0

    def operand(self, operand: Operand) -> str:
        """The text of an operand."""
        if isinstance(operand, Literal):
            return literal_as(
                operand, operand.type.dtype if isinstance(operand.type, Scalar) else np.dtype(float)
            )
        node = self.inlined.get(operand)
        if node is not None:
            return self._parts.get(operand) or self.expression(node)
        if isinstance(operand.type, Array):
            return self.storages.variable(operand)
        return self.names[operand]

    def expression(self, node: Node) -> str:
        """The text of a scalar node."""
        if node.op == "size":
            return self.size_text(node.attrs["size"])
        if node.op == "load":
            return self._load(node)
        template, arguments = element(node, self._argument)
        self.imports.update(imports_of(node, template_of(node)))
        return fill(template, arguments)

    def _spread(self, node: Node, room: int) -> None:
        """Give the operands of a long expression variables of their own, in the order of evaluation."""
        for operand in node.operands:
            inner = self.inlined.get(operand) if isinstance(operand, Value) else None
            if inner is None or inner.op == "size" or operand in self._parts:
                continue
            assert isinstance(operand, Value)
            text = self.expression(inner)
            if len(text) > room:
                self._spread(inner, room)
                text = self.expression(inner)
            name = self._part_names.setdefault(operand, "") or self.names.fresh(base_name(operand.name))
            self._part_names[operand] = name
            self.out.line(f"{name} = {text}", node.loc.text)
            self._parts[operand] = name

    def fitted(self, node: Node, taken: int) -> str:
        """The text of a node's expression, spread over several statements where it is too long."""
        text = self.expression(node)
        room = WIDTH - len(INDENT) * self.out.depth - taken
        if len(text) > room:
            self._spread(node, room)
            text = self.expression(node)
        return text

    def _argument(self, operand: Operand, dtype: np.dtype) -> tuple[str, bool]:
        if isinstance(operand, Literal):
            return literal_as(operand, dtype), True
        if isinstance(operand.type, Array):  # of no dimension
            return self._subscript(self.made.get(operand, self.cluster), operand, ()), False
        return self.operand(operand), False

    def _load(self, node: Node) -> str:
        target = node.operands[0]
        assert isinstance(target, Value)
        return f"{self._subscript(node, target, node.operands[1:])}"

    def _subscript(self, node: Node, array: Value, indices: tuple[Operand, ...]) -> str:
        """``array[i, j]``, also where `array` is a view that is no variable."""
        assert isinstance(array.type, Array)
        look = self.arrays.look(array)
        self.storages.seen(look.storage)
        checks = node.attrs.get("check", ())
        known: dict[str, Size] = {}
        plain: list[str] = []
        direct = look.storage.type.ndim == array.type.ndim and look.index == tuple(
            dims.symbol(f"@{k}") for k in range(array.type.ndim)
        )
        for k in range(array.type.ndim):
            check = bool(checks[k]) if k < len(checks) else True
            text = self._place(indices[k], array.type.shape[k], k, check)
            plain.append(text)
            known[f"@{k}"] = dims.symbol(f"${k}")
        if direct:
            return f"{look.storage.name}[{', '.join(plain) or '()'}]"
        names = {f"${k}": text if re.fullmatch(r"\w+", text) else f"({text})" for k, text in enumerate(plain)}
        variables = texts.Variables(lambda s: names.get(s) or self.symbol(s))
        inside = ", ".join(dims.text(dims.substitute(i, known), variables) for i in look.index)
        return f"{look.storage.name}[{inside or '()'}]"

    def _place(self, operand: Operand, size: Size, number: int, check: bool) -> str:
        """An index, brought into its axis."""
        low = dims.lower(size)
        if isinstance(operand, Literal):
            place = int(operand.value)
            if not check or (low is not None and -low <= place < low):
                return str(place)
        if not check:
            return self.operand(operand)
        self.imports.add(("bounds", "wrapped_index"))
        return f"wrapped_index({self.operand(operand)}, {number}, {self.size_text(size)})"

    def _wrapped(self, node: Node, operand: Operand, size: Size, number: int, check: bool) -> str:
        """A variable that holds an index inside its axis; gives the size symbol that stands for it."""
        key = (operand if isinstance(operand, Value) else operand.value, size, number)
        for depth, known, symbol in self._places:
            if known == key and depth <= self.out.depth:
                return symbol
        symbol = f"{node.results[0].name}.at{number}"
        name = self.names.fresh(f"k{number}")
        self._symbols[symbol] = name
        self._places.append((self.out.depth, key, symbol))
        self.flush()
        self.out.line(f"{name} = {self._place(operand, size, number, check)}", node.loc.text)
        return symbol

    def statement(self, node: Node) -> None:
        """Print a node without control flow, or put it on the tape."""
        self.storages.processed(node)
        if node.results and node.results[0] in self.inlined:
            return
        op = OPS[node.op]
        has_array = any(isinstance(v.type, Array) for v in node.results)
        if node.op == "call":
            self._call(node)
        elif node.op == "view":
            self.arrays.view(node)
        elif node.op in ("copy", "reshape", "assign") or op.kind == "creation":
            self._memory(node)
        elif op.kind == REDUCTION:
            reduce_node(self, node)
        elif node.op == "store":
            self._store(node)
        elif has_array:
            self.arrays.elementwise(node)
        elif node.op == "check_bound":
            self.flush()
            self._check_bound(node)
        elif self.arrays.tape and _is_pure(node):
            name = self.names[node.results[0]]
            self.arrays.tape.append(Let(name, Text(self.expression(node)), node.loc.text))
        else:
            self.flush()
            name = self.names[node.results[0]]
            self.out.line(f"{name} = {self.fitted(node, len(name) + 3)}", node.loc.text)
        self.bound(node.results)

    def _call(self, node: Node) -> None:
        """A helper with early returns is a function of its own."""
        self.arrays.force()
        self.flush()
        region = node.regions[0]
        outer = used_by(node, self.known) - set(node.operands)
        inputs = (*node.operands[: len(region.params)], *sorted(outer, key=lambda value: value.name))
        made = Node("cluster", inputs, node.results, {}, (region,), node.loc)
        name = self.names.fresh(re.sub(r"\W", "_", str(node.attrs.get("name", "helper"))))
        helper = Lowering(self.graph, made, name, self.arrays.context.aliases, is_helper=True)
        kernel = helper.kernel()
        self.helpers += [*kernel.helpers, kernel.text]
        self.imports |= kernel.imports
        arguments = [
            self.operand(a) if isinstance(a, Value) else self.symbol(a) for a in (*inputs, *helper.extra())
        ]
        targets = ", ".join(self.names[value] for value in node.results)
        call = f"{name}({', '.join(str(a) for a in arguments)})"
        self.out.line(f"{targets} = {call}" if targets else call, node.loc.text)

    def extra(self) -> tuple[str, ...]:
        """Size symbols that are arguments of their own."""
        return tuple(self._extra)

    def _memory(self, node: Node) -> None:
        if node.op == "assign":
            self.arrays.assign(node)
        elif node.op == "copy":
            self.arrays.copy(node)
        elif node.op == "reshape":
            self.storages.reshape(node)
        elif node.op in ("zeros", "ones", "full", "empty"):
            self.arrays.filled(node, self.storages.ready(node))
        else:
            raise NotImplementedError(f"{node.op} in kernels")

    def _store(self, node: Node) -> None:
        target, value = node.operands[:2]
        assert isinstance(target, Value) and isinstance(target.type, Array)
        self.arrays.force(target)
        self.flush()
        dtype = target.type.dtype
        text = literal_as(value, dtype) if isinstance(value, Literal) else self.operand(value)
        if isinstance(value.type, Scalar) and dtype.kind == "b" and value.type.dtype.kind != "b":
            text = fill("{0} != 0", [text])
        self.out.line(f"{self._subscript(node, target, node.operands[2:])} = {text}", node.loc.text)

    def _check_bound(self, node: Node) -> None:
        name = node.attrs["name"]
        tag = fill("not {0}", [self.operand(node.operands[0])])
        self.out.line(f"if {tag}:")
        with self.out.indented():
            self.out.line(f'raise UnboundLocalError("{name}")', node.loc.text)

    def leave(self, node: Node) -> None:
        """Print ``raise``, or the ``return`` of a helper."""
        if node.op == "return":
            self.out.line(f"return {', '.join(self.operand(operand) for operand in node.operands)}".rstrip())
            return
        message = node.attrs["message"]
        written = literal(message) if message or message == 0 else ""
        self.out.line(f"raise {node.attrs['exception']}({written})", node.loc.text)

    def pause(self, node: Node) -> None:
        """Control flow comes next: print everything before it."""
        self.arrays.force()
        self.flush()

    def flush(self) -> None:
        """Print the nests on the tape."""
        tape = self.arrays.take()
        if not tape:
            return
        body = fuse(tape, Facts(self._overlap, self.storages.dead, self.storages.hidden, self.names.fresh))
        for storage in storages_in(body):
            self.storages.seen(storage)
        Printer(self).print(body)

    def _overlap(self, left: Storage, right: Storage) -> bool:
        if left is right:
            return True
        if left.value is None or right.value is None:
            return False
        return self.arrays.context.aliases.may_overlap(left.value, right.value)

    def loop_name(self, depth: int) -> str:
        """The name of the index of nests at a depth."""
        while len(self._loop_names) <= depth:
            self._loop_names.append(self.names.fresh("ijklmnpq"[len(self._loop_names)]))
        return self._loop_names[depth]

    def filled_text(self, node: Node, arguments: list[str]) -> str:
        """The NumPy form of a node."""
        return fill(texts.text_of(node, self.symbol), arguments)


def same_held(left: Type, right: Type) -> bool:
    """True when Numba holds values of both types alike."""
    if isinstance(left, Array) and isinstance(right, Array):
        return left.dtype == right.dtype and left.ndim == right.ndim
    return isinstance(left, Scalar) and isinstance(right, Scalar) and left.dtype == right.dtype


def _is_pure(node: Node) -> bool:
    from ..graph.effects import effects_of

    return node.op != "load" and not node.regions and effects_of(node).pure


def _order(node: Node, template: str | None) -> list[int]:
    """The operands of a node that may hold expressions: those of scalar work only."""
    if template is not None:
        return slots(template)
    if node.op == "store":
        return list(range(1, len(node.operands)))
    return [0] if node.op == "check_bound" else []


def _imports(node: Node) -> tuple[tuple[str, str], ...]:
    op = OPS.get(node.op)
    return op.imports if op is not None else ()


__all__ = ["Lowering", "Storage", "lower_cluster"]
