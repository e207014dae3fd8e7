"""The driver: an ordinary Python function that calls the kernels and runs the rest as it was written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext

from ..graph.analysis.effects import is_array
from ..graph.ir import dims
from ..graph.ir.nodes import Block, Graph, Literal, Node, Operand, Value, walk
from ..graph.ir.rewrite import ValuesByName, defined_by, used_by
from ..graph.ir.shown import unbound_message
from ..graph.ir.types import Array, Scalar
from ..graph.ops import OPS
from ..graph.ops.define import CONTROL, MATH, PYTHON, VIEW
from ..graph.ops.facts import is_call, is_closure, is_cluster, is_copy, is_raise, is_return, is_size, is_unit
from ..graph.ops.written import written
from ..graph.trace.quiet import QUIET
from . import sites, texts
from .calls import Buffer, Kernel, dtype_constant, is_default, order_of
from .check.variables import overwritten
from .control import LONGEST_HEAD, EndingTargets, FlowPrinter
from .cuda.residence import Residence
from .expressions import fill, fill_statement, quoted
from .inline import find_inlined, order_in_text
from .names import Names, base_name
from .printed import printed_nodes, printed_operands, printed_sizes
from .sites import Bars
from .writer import INDENT, WIDTH, Writer

_NOTHING = re.compile(r"return None(?=$|  #)")


class Driver:
    """Prints one Python function: the graph's, or that of a `call` region."""

    def __init__(
        self,
        graph: Graph,
        block: Block,
        kernels: Mapping[Node, Kernel],
        taken: set[str],
        bars: Bars | None = None,
        functions: dict[str, tuple[str, Node]] | None = None,
    ) -> None:
        self.graph = graph
        self.bars = bars
        self.block = block
        self.kernels = kernels
        self.known = ValuesByName.of(graph)
        self.helpers: list[list[str]] = []
        self._inner: list[Driver] = []
        self._taken = taken
        self._functions = {} if functions is None else functions
        """Who calls each helper of the module, and where: one name is one function."""
        self._uses = Counter(value for node in printed_nodes(block) for value in self._reads(node))
        self.gpu = Residence(graph, printed_nodes(block), kernels)
        self._is_quiet = any(QUIET in node.attrs for node in printed_nodes(block))
        self._state: tuple[str, tuple[int, ...], int] = ("", (), -1)
        """The `np.errstate` that stands last, the blocks around it, and the line after what is inside."""
        text_of = self._free_template if bars is None else self._untimed
        self._inlined = find_inlined(block, self._uses, text_of, _is_free, order_in_text)
        self.names = Names(block, self._printed_reads, taken, first=self._allocated)
        self._needed: list[str] = []
        self._symbols: dict[str, str] = {}
        self._part_names: dict[Value, str] = {}
        self._buffers: dict[tuple[Node, str], str] = {}

    def lines(self, name: str) -> list[str]:
        """The text of the function."""
        self._name = name
        self._print(name)  # finds out which size symbols are needed
        self._symbols = {symbol: self.names.fresh(_plain(symbol)) for symbol in self._needed}
        self.helpers.clear()
        self._inner.clear()
        return self._print(name)

    def overwritten(self) -> str | None:
        """For the verifier: a variable that holds another value than the one that is read, if any."""
        own = overwritten(self.block, self.names.given, self._printed_reads, self._allocated, self._inlined)
        return own or next((what for inner in self._inner if (what := inner.overwritten())), None)

    def _print(self, name: str) -> list[str]:
        self.out, self._state = Writer(), ("", (), -1)
        self._parts: dict[Value, str] = {}
        self.flow = FlowPrinter(self.out, self.names, self)
        self.out.line(f"def {name}({', '.join(self.names[param] for param in self.block.params)}):")
        with self.out.indented():
            self._sizes(self.block.params)
            if self.gpu:
                self.out.line(f"with on_gpu({self.gpu.number}) as gpu:")
            with self.out.indented() if self.gpu else nullcontext():
                self.flow.block(self.block, EndingTargets())
                if self.out.lines[-1].endswith(":"):
                    self.out.line("pass")
        return _without_last_return(self.out.lines)

    # What is read -----------------------------------------------------------------------------------------

    def _reads(self, node: Node) -> list[Value]:
        if is_unit(node):
            return list(self._needed_by(node))
        symbols = texts.mentioned(node)
        if not node.attrs.get("text") and written(node) is None:
            symbols |= {s for size in printed_sizes(node) for s in dims.symbols(size)}
        behind = [
            v
            for s in sorted(symbols)
            if s not in self.graph.sizes and (v := self.known.values.get(s)) is not None
        ]
        behind += [self.graph.sizes[s][0] for s in sorted(symbols) if s in self.graph.sizes]
        behind = [value for value in behind if value not in node.results]
        return list(printed_operands(node)) + behind

    def _needed_by(self, node: Node) -> set[Value]:
        """The outer values of a kernel or helper, also those that kernels are given as sizes of arrays."""
        found = used_by(node, self.known)
        own: set[Value] = set()
        for inner in (node, *(n for region in node.regions for n in walk(region))):
            own.update(defined_by(inner))
            kernel = self.kernels.get(inner)
            symbols = [a for a in kernel.arguments if isinstance(a, str)] if kernel is not None else []
            found |= {value for s in symbols if (value := self.known.behind(s)) is not None}
        return found - own

    def _printed_reads(self, node: Node) -> Iterator[Value]:
        """The values whose variables are read where `node` is printed."""
        for value in self._reads(node):
            if value in self._inlined:
                yield from self._printed_reads(self._inlined[value])
            else:
                yield value

    def _allocated(self, node: Node) -> list[Value]:
        """The results that exist before a kernel is called."""
        kernel = self.kernels.get(node)
        return [b.result for b in kernel.buffers if b.result is not None] if kernel else []

    def _template(self, node: Node) -> str | None:
        return None if self.gpu.touches(node) else texts.expression_of(node, lambda symbol: None)

    def _untimed(self, node: Node) -> str | None:
        """The template of a node that needs no statement of its own, as one with a bar does."""
        return None if sites.has_site(node) else self._free_template(node)

    def _free_template(self, node: Node) -> str | None:
        """The template of a node that may be printed where it is used, in any state of errors."""
        return None if self._is_quiet and _may_warn(node) else self._template(node)

    # Leaf -------------------------------------------------------------------------------------------------

    def reads(self, value: Value) -> bool:
        """Whether anything reads `value`."""
        return self._uses[value] > 0

    def bound(self, values: tuple[Value, ...]) -> None:
        """Read the sizes that are needed from arrays that have just been bound."""
        self._sizes(values)

    def left(self, depth: int) -> None:
        """The driver keeps nothing between blocks."""

    def pause(self, node: Node) -> None:
        """Nothing is held back in the driver, but on the GPU may be what `node` looks at."""
        self._look_around(node)

    def each_time(self, node: Node) -> str:
        """CPython itself looks for signals in the driver's loops."""
        return ""

    def strips(self, node: Node, items: str) -> None:
        """They need no strips."""

    def always(self) -> str:
        """CPython needs no more than that."""
        return "True"

    def took(self, node: Node) -> bool:
        """The driver has no control flow of its own."""
        return False

    def _look_around(self, node: Node) -> None:
        for line in self.gpu.lines(node, self._holders) if self.gpu else ():
            self.out.line(line)

    def _holders(self, value: Value) -> Iterator[str]:
        """The variable of an array; those of its operands where it has none, being a view."""
        node = self._inlined.get(value)
        if node is None:
            yield self.names[value]
            return
        for operand in node.operands:
            if isinstance(operand, Value) and is_array(operand):
                yield from self._holders(operand)

    def operand(self, operand: Operand) -> str:
        """The text of an operand: a variable, a constant, or the expression of a temporary."""
        if isinstance(operand, Literal):
            return texts.constant_text(operand)
        node = self._inlined.get(operand)
        if node is None:
            return self.names[operand]
        return self._parts.get(operand) or self._expression(node)

    def condition(self, operand: Operand) -> str:
        """The text of a condition, spread over statements before it where it is too long."""
        node = self._inlined.get(operand) if isinstance(operand, Value) else None
        return self.operand(operand) if node is None else self._fitted(node, LONGEST_HEAD)

    def statement(self, node: Node) -> None:
        """Print a node without control flow."""
        if node.results and node.results[0] in self._inlined:
            return
        self._look_around(node)
        with self._timed(node), self._in_state(node):
            if is_cluster(node):
                self._call_kernel(node)
            elif is_call(node):
                self._call_helper(node)
            elif node.op == "check_bound":
                self._check_bound(node)
            else:
                self._plain(node)
        self._sizes(node.results)

    @contextmanager
    def _timed(self, node: Node) -> Iterator[None]:
        """In a driver with bars, put the clock before and after the statements of `node`."""
        first = len(self.out.lines)
        yield
        if self.bars is None or len(self.out.lines) == first or not sites.has_site(node):
            return
        indent = INDENT * self.out.depth
        self.out.lines.insert(first, f"{indent}{sites.START} = {sites.NOW}()")
        kernel = self.kernels.get(node)
        if kernel is not None and kernel.device:
            self.out.lines.append(f"{indent}cuda.synchronize()")  # a launch returns before its kernels end
        number = self.bars.number(node, kernel)
        self.out.lines.append(f"{indent}{sites.DONE}({number}, {sites.START})")

    @contextmanager
    def _in_state(self, node: Node) -> Iterator[None]:
        """Inside of the `np.errstate` in which NumPy computes `node`, together with what stands before."""
        ignored = node.attrs.get(QUIET)
        if ignored is None or not _may_warn(node):
            yield
            return
        out, first = self.out, len(self.out.lines)
        if self._state != (ignored, out.path, first):
            out.line(f"with np.errstate({ignored}):")
        start, path = len(out.lines), out.path
        with out.indented():
            yield
        if len(out.lines) == start:
            del out.lines[first:]
        self._state = (ignored, path, len(out.lines))

    def _plain(self, node: Node) -> None:
        if len(node.results) == 1 and self._template(node) is not None:
            text = self._fitted(node, len(self.names[node.results[0]]) + 3)
        else:
            arguments = [self.operand(operand) for operand in node.operands]
            form = self.gpu.form_of(node) or texts.text_of(node, self.symbol)
            text = fill_statement(form, arguments)
        wanted = any(self._uses[result] for result in node.results)
        names = [self.names[result] for result in node.results] if wanted else []
        if count := node.attrs.get("unpacks", 0):  # which may raise, whoever reads what comes out
            names = names or ["_"] * count
            if (star := node.attrs.get("star")) is not None:
                names[star] = f"*{names[star]}"
        targets = f"({names[0]},)" if count == 1 else ", ".join(names)
        if targets == text:
            return
        self.out.line(f"{targets} = {text}" if targets else text, node.loc.text)

    def _expression(self, node: Node) -> str:
        arguments = [self.operand(operand) for operand in node.operands]
        template = texts.text_of(node, self.symbol)
        if is_copy(node) and "text" not in node.attrs:
            template = "{0}.copy()"
        return fill(template, arguments)

    def _spread(self, node: Node, room: int) -> None:
        """Give the operands of a long expression variables of their own, in the order of evaluation."""
        for operand in node.operands:
            inner = self._inlined.get(operand) if isinstance(operand, Value) else None
            if inner is None or is_size(inner) or operand in self._parts:
                continue
            assert isinstance(operand, Value)
            text = self._expression(inner)
            if len(text) > room:
                self._spread(inner, room)
                text = self._expression(inner)
            name = self._part_names.setdefault(operand, "") or self.names.fresh(base_name(operand.name))
            self._part_names[operand] = name
            self.out.line(f"{name} = {text}", node.loc.text)
            self._parts[operand] = name

    def _fitted(self, node: Node, taken: int) -> str:
        """The text of a node's expression, spread over several statements where it is too long."""
        text = self._expression(node)
        room = WIDTH - len(INDENT) * self.out.depth - taken
        if len(text) > room:
            self._spread(node, room)
            text = self._expression(node)
        return text

    def leave(self, node: Node) -> None:
        """Print a ``return`` or ``raise``."""
        if cases := node.attrs.get("cases"):
            self._leave_by_number(node, cases)
            return
        template = node.attrs.get("text")
        if not template:  # that of a helper that returns nothing is empty
            template = ", ".join(f"{{{k}}}" for k in range(len(node.operands))) or "None"
        template = template.removeprefix("raise ")
        template, cause = texts.cause_of(template) if is_raise(node) else (template, "")
        text = fill(template, [self.operand(operand) for operand in node.operands])
        if len(text) > (room := WIDTH - len(INDENT) * self.out.depth - 8):
            self._spread(node, room)
            text = fill(template, [self.operand(operand) for operand in node.operands])
        if cause:
            text += f" from {fill(cause, [self.operand(operand) for operand in node.operands])}"
        if is_return(node) and text.startswith("(") and _is_tuple(template):
            text = text[1:-1] if not text.endswith(",)") else text
        if is_return(node) and self.out.folded(text):
            return
        self.out.line(f"{node.op} {text}", node.loc.text)

    def _leave_by_number(self, node: Node, cases: Sequence[str]) -> None:
        """Print a ``return`` of one of several texts: the one whose number the first operand is."""
        number, *_ = operands = [self.operand(operand) for operand in node.operands]
        for k, case in enumerate(cases):
            text = fill(case, operands)
            returned = f"return {texts.bare(text) if _is_tuple(text) and not text.endswith(',)') else text}"
            if k == len(cases) - 1:
                self.out.line(returned, node.loc.text)
                return
            self.out.line(f"if {number} == {k}:")
            with self.out.indented():
                self.out.line(returned)

    def _check_bound(self, node: Node) -> None:
        message = unbound_message(node.attrs["name"])
        tag = fill("not {0}", [self.operand(node.operands[0])])
        self.out.line(f"if {tag}:")
        with self.out.indented():
            self.out.line(f"raise UnboundLocalError({quoted(message)})", node.loc.text)

    # Kernels and helpers ------------------------------------------------------------------------------------

    def _call_kernel(self, node: Node) -> None:
        kernel = self.kernels[node]
        arguments, made = ["gpu"] if kernel.device else [], {}
        for argument in kernel.arguments:
            if isinstance(argument, Buffer):
                key = (node, argument.name)
                if argument.result is None and key not in self._buffers:
                    self._buffers[key] = self.names.fresh(argument.name)
                name = self.names[argument.result] if argument.result else self._buffers[key]
                made[argument] = name
                self.out.line(f"{name} = {self._allocation(argument, kernel)}")
                arguments.append(name)
            elif isinstance(argument, Value):
                text = self.operand(argument)
                arguments.append(f"address_of({text})" if argument in kernel.generators else text)
            else:
                arguments.append(self.symbol(argument) or argument)
        call = f"{kernel.name}({', '.join(arguments)})"
        if kernel.generators:
            self.out.line(f"with locked({', '.join(map(self.operand, kernel.generators))}):")
        with self.out.indented() if kernel.generators else nullcontext():
            self._launch(call, kernel)
        if kernel.device and node in self.gpu.uncovered:
            self.out.line("gpu.give()")

    def _launch(self, call: str, kernel: Kernel) -> None:
        """The call of a kernel, and Python's or NumPy's types for the numbers that it returns."""
        targets = ", ".join(self.names[value] for value in kernel.returns)
        if len(kernel.returns) == 1 and isinstance(kind := kernel.returns[0].type, Scalar):
            self.out.line(f"{targets} = {texts.rewrapped(call, kind)}")
            return
        self.out.line(f"{targets} = {call}" if targets else call)
        for value in kernel.returns:
            if isinstance(value.type, Scalar) and not value.type.is_python:
                self.out.line(f"{self.names[value]} = {texts.rewrapped(self.names[value], value.type)}")

    def _allocation(self, buffer: Buffer, kernel: Kernel) -> str:
        shape = texts.shape_text(buffer.type, texts.Variables(self.symbol))
        default = is_default(buffer.type.dtype)
        order = ', order="F"' if order_of(buffer.type) == "F" else ""
        if kernel.device:
            dtype = "" if default else f", np.{_dtype_name(buffer.type)}"
            local = ", local=True" if self.gpu.is_local(buffer) else ""
            return f"gpu.{buffer.fill}({shape}{dtype}{order}{local})"
        dtype = "" if default else f", {dtype_constant(buffer.type.dtype)}"
        return f"np.{buffer.fill}({shape}{dtype}{order})"

    def _call_helper(self, node: Node) -> None:
        """A `call` region is a Python function of its own: its returns end only itself."""
        inputs = tuple(sorted(self._needed_by(node), key=lambda value: value.name))
        key = (node, "")
        if key not in self._buffers:
            self._buffers[key] = self._helper_name(node)
        name = self._buffers[key]
        region = node.regions[0]
        body = Block((*inputs, *region.params), region.nodes)
        taken = self._taken | {name}
        helper = Driver(self.graph, body, self.kernels, taken, self.bars, self._functions)
        self.helpers.append(helper.lines(name))
        self._inner.append(helper)
        self.helpers.extend(helper.helpers)
        arguments = [self.operand(operand) for operand in (*inputs, *node.operands[: len(region.params)])]
        targets = ", ".join(self.names[value] for value in node.results)
        if is_closure(node):
            # A Python function of the region's parameters, which keeps the rest; it runs when it is called.
            given = [self._parameter_of(node, helper.names[param]) for param in region.params]
            call = f"{name}({', '.join([*arguments, *given])})"
            self.out.line(f"{targets} = lambda {', '.join(given)}: {call}", node.loc.text)
            return
        call = f"{name}({', '.join(arguments)})"
        self.out.line(f"{targets} = {call}" if targets else call, node.loc.text)

    def _helper_name(self, node: Node) -> str:
        """A name for the function of a `call` that no helper of another function has: ``f_a_b``."""
        wanted = f"{self._name}_{base_name(str(node.attrs.get('name', 'helper')))}"
        caller = self._name, node
        name = self.names.fresh(wanted)
        while self._functions.setdefault(name, caller) != caller:
            name = self.names.fresh(wanted)
        return name

    def _parameter_of(self, node: Node, name: str) -> str:
        """A name for the parameter of a closure that is no variable of the driver."""
        key = (node, name)
        if key not in self._buffers:
            self._buffers[key] = self.names.fresh(name)
        return self._buffers[key]

    # Sizes --------------------------------------------------------------------------------------------------

    def symbol(self, name: str) -> str | None:
        """The variable of a size symbol, or None if it is no symbol."""
        if name in self.graph.sizes:
            if name not in self._needed:
                self._needed.append(name)
            return self._symbols.get(name, _plain(name))
        value = self.known.values.get(name)
        if value is None or value not in self.names:
            return None
        return self.names[value] if value not in self._inlined else f"({self.operand(value)})"

    def _sizes(self, values: tuple[Value, ...]) -> None:
        """Read the sizes that are needed from arrays that have just been bound."""
        for value in values:
            axes = {axis: symbol for symbol, (array, axis) in self.graph.sizes.items() if array is value}
            wanted = {axis: self._symbols[s] for axis, s in axes.items() if s in self._symbols}
            if not wanted:
                continue
            assert isinstance(value.type, Array) or not wanted
            ndim = value.type.ndim if isinstance(value.type, Array) else 0
            if len(wanted) == ndim and ndim > 1:
                targets = ", ".join(wanted[axis] for axis in range(ndim))
                self.out.line(f"{targets} = {self.names[value]}.shape")
                continue
            for axis, variable in sorted(wanted.items()):
                self.out.line(f"{variable} = {self.names[value]}.shape[{axis}]")


def _without_last_return(lines: list[str]) -> list[str]:
    """The lines of a function; ``return None`` says nothing where nothing else is returned."""
    returns = [line.strip() for line in lines if line.lstrip().startswith("return ")]
    if any(not _NOTHING.match(text) for text in returns):
        return lines
    if lines[-1].startswith(f"{INDENT}return None"):
        lines = lines[:-1] if not lines[-2].endswith(":") else [*lines[:-1], f"{INDENT}pass"]
    return [_NOTHING.sub("return", line) if line.lstrip().startswith("return") else line for line in lines]


def _may_warn(node: Node) -> bool:
    """NumPy may have something to say of the numbers that it meets there."""
    op = OPS.get(node.op)
    return op is None or op.kind not in (CONTROL, VIEW, PYTHON, MATH)


def _is_free(node: Node) -> bool:
    """It may be printed where it is used, once more than it stands."""
    return is_size(node) or node.op in ("py.float", "py.not", "py.select") or bool(OPS[node.op].negation)


def _plain(symbol: str) -> str:
    return "".join(char if char.isalnum() else "_" for char in symbol)


def _dtype_name(array: Array) -> str:
    return "bool_" if array.dtype.kind == "b" else array.dtype.name


def _is_tuple(template: str) -> bool:
    return texts.bare(template) != template and "," in template
