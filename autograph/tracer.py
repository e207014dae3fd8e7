"""The state of one trace: its builder, what it has read, and the loops and functions that are open."""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..graph.ir import dims
from ..graph.ir.causes import Cause
from ..graph.ir.nodes import Guard, Literal, Loc, Node, Operand, Value
from ..graph.ir.overlap import is_writeable
from ..graph.ir.types import BOOL, INT, OBJECT, Array, Scalar, Type
from ..graph.ops.facts import is_python
from ..graph.symbolic.arrays import SymbolicArray
from ..graph.symbolic.symbols import Symbol, SymbolicObject, SymbolicScalar
from ..graph.trace.attempt import Attempt, Restart
from ..graph.trace.budget import FOLLOWED, LEAVES
from ..graph.trace.build import Builder, TraceError, current
from ..graph.trace.marks import Fault, marks_of
from .knowledge import Knowledge
from .known_values import has_more_leaves, is_data, is_numeric, is_transparent
from .list_data import BOUNDS, LONG_TEXT, MIXED, RAGGED, SHORT, TEXT, form_of, taken
from .lookup import lookup
from .number_lists import NumberList, kinds_of_columns, list_for
from .ragged_rows import RaggedRows
from .reached import Operators
from .repeatable import makes_container, marks_for
from .safety import gives_immutable, is_immutable, is_safe
from .spending import Spending
from .strides import order_of
from .told import is_one_of
from .traced import Helper, Input, Path, Static, label

_TEXTS = (str, bytes, type(Ellipsis), type(NotImplemented))


@dataclass(slots=True, eq=False)
class OpenLoop:
    """An open loop: `leave(kind)` ends the current block with the loop's state; not if unrolled."""

    leave: Callable[[str], None]
    unrolled: bool = False
    since: int = 0
    """When its body began, by `number_lists.now`."""
    place: Loc | None = None


@dataclass(slots=True, eq=False)
class Recursion:
    """A function that calls itself, while it is traced (`operators/recursion.py`).

    Attributes:
        given: its arguments in the call from outside.
        specs: the types of those that are its parameters; the others are the same in each call.
        spec: what it returns, once something is known of that.
        params: the values that stand for its parameters in the body that is being traced.
        handed_on: the parameters that the calls seen so far hand on as they are.
        room: the value that stands for the room on Python's stack.
        settled: whether all calls seen so far get what `specs` and `lists` say.
        lists: the types of the parts of the growing lists in `carried`, by place.
        carried: lists that grow in it.
    """

    given: dict[str, Any]
    specs: dict[str, Any]
    spec: Any = None
    params: dict[str, Any] = field(default_factory=dict)
    handed_on: set[str] = field(default_factory=set)
    room: Any = None
    settled: bool = True
    lists: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    carried: Any = None


@dataclass(slots=True, eq=False)
class OpenFunction:
    """An open function of the user's: where its returns go. One out of a block gives up the `trial`."""

    name: str
    depth: int
    top: bool = False
    region: bool = False
    trial: Attempt | None = None
    loops: list[OpenLoop] = field(default_factory=list)
    returns: list[Any] = field(default_factory=list)
    spec: Any = None
    code: Any = None
    recursion: Any = None
    carried: Any = None
    """The lists that grow and that its ways out hand on (`operators.growing.Carried`)."""
    handle: Callable[[type], None] | None = None
    """Of the body of a `try`: leaves it if one of its handlers takes exceptions of this class."""


class TracedList(list):
    """A list whose structure is known while tracing. `site` says where it came from."""

    site: Any = None
    block: list[Node]
    """Where it was made: it changes while tracing only there."""
    path: Path | None = None
    given: Any = None

    def __add__(self, other: Any) -> Any:
        return _made([*self, *other]) if isinstance(other, list) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return _made([*other, *self]) if isinstance(other, list) else NotImplemented

    def __mul__(self, count: Any) -> Any:
        return tracer().operators.repeated(self, count)

    __rmul__ = __mul__

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return _made(found) if isinstance(index, slice) else found


def _made(items: list[Any]) -> Any:
    """A list that an operation on lists makes, which may change as one that is written down."""
    return tracer().operators.new_list(items, current().locate().line)


class TracedDict(dict):
    """A dict whose keys are known while tracing."""

    site: Any = None
    block: list[Node]
    """Where it was made: it changes while tracing only there."""
    path: Path | None = None
    given: Any = None


@dataclass
class Tracer:
    """Everything that one trace collects."""

    builder: Builder
    knowledge: Knowledge
    convert: Callable[[types.FunctionType, Path, Any], types.FunctionType]
    operators: Operators
    frames: list[OpenFunction] = field(default_factory=list)
    inputs: dict[Path, Input] = field(default_factory=dict)
    values: dict[Path, Value] = field(default_factory=dict)
    examples: dict[str, tuple[Path, Any]] = field(default_factory=dict)
    wrapped: dict[Path, Any] = field(default_factory=dict)
    statics: dict[tuple[Path, str], Static] = field(default_factory=dict)
    helpers: dict[Path, Helper] = field(default_factory=dict)
    notes: list[Cause] = field(default_factory=list)
    objects: dict[str, Any] = field(default_factory=dict)
    """What stands for parameters of the graph whose type is not known."""
    made_by: dict[Operand, Node] = field(default_factory=dict)
    """The nodes whose results are objects of the driver."""
    texts: dict[str | None, int] = field(default_factory=dict)
    """The numbers of texts between which a condition chooses."""
    displays: dict[Operand, tuple[tuple[object, ...], list[object]]] = field(default_factory=dict)
    """Where lists that are such objects are written down, and with which items."""
    safe: set[str] = field(default_factory=set)
    immutable: set[str] = field(default_factory=set)
    """The objects of the driver that are numbers or texts, whichever."""
    own: set[str] = field(default_factory=set)
    """The containers that are made in the driver."""
    stable: set[Path] = field(default_factory=set)
    data_read: bool = False
    harmful_call: bool = False
    copying: int = 0
    differentiating: int = 0
    views: dict[Path, Reference] = field(default_factory=dict)  # of what is differentiated for
    copies: list[Any] = field(default_factory=list)
    """Containers that stand for the user's meanwhile (`copies.Copy`)."""
    recursions: int = 0
    generators: dict[Operand, type] = field(default_factory=dict)
    """Objects of the run that are random number generators, of which class."""
    used_up: list[Any] = field(default_factory=list)
    """The iterators that have been gone through (`once`)."""
    sorting: list[Any] = field(default_factory=list)
    """The lists that are sorted just now, by a key of the user's: Python empties them meanwhile."""
    keyed: list[tuple[frozenset[str], frozenset[str]]] = field(default_factory=list)
    """For each such sort the names of the arrays that its keys look at, and of those that hold the list."""
    breaks: int = 0
    """How many `break` were traced so far."""
    growing: list[Any] = field(default_factory=list)
    """The lists that grow, in the order in which they were made (`growing_lists.GrowingList`)."""
    handed: dict[Path, Any] = field(default_factory=dict)
    """The lists that grow for the caller: what comes back with each result, in this order."""
    array_lists: bool = False
    """Some list of arrays is one array of the graph."""
    numbers: bool = False
    """Some list of numbers, or attribute, is an array of the graph."""
    handled: dict[str, None] = field(default_factory=dict)
    """The names of the classes of exceptions that handlers take, in the order in which they were met."""
    cells: dict[Path, Any] = field(default_factory=dict)
    """The attributes that are (`operators.cells.Cell`)."""
    cell_owners: dict[int, Path] = field(default_factory=dict)
    """Where the objects that have them were found, by their identities."""
    programs: dict[Loc, bool] = field(default_factory=dict)
    """Where programs stand for calls of NumPy's functions, and whether each is the faster one by itself."""
    spending: Spending = field(init=False)

    def __post_init__(self) -> None:
        self.spending = Spending(self.knowledge.plain)

    @property
    def frame(self) -> OpenFunction:
        return self.frames[-1]

    def check_no_sorting(self, value: object) -> None:
        """A list that is sorted just now may not be looked at, by the function that gives its keys.

        One that a branch has chosen may be that list, and a row may be that row.
        """
        for one in self.sorting:
            listed: Any = value if hasattr(type(value), "merged") else None  # an object's is asked of the run
            if value is one or (listed is not None and (listed.merged or (listed.part and one.part))):
                raise TraceError("a list that is looked at while it is sorted")

    def open_loops(self) -> int:
        """How many loops stand around what is traced."""
        return sum(len(frame.loops) for frame in self.frames)

    def running_loops(self) -> tuple[OpenLoop, ...]:
        """The loops around what is traced that stay loops."""
        return tuple(loop for frame in self.frames for loop in frame.loops if not loop.unrolled)

    def note(self, cause: Cause) -> None:
        """Keep what is met here for `explain`."""
        self.notes.append(replace(cause, loc=self.builder.locate()))

    def step(self) -> None:
        """Count one step of the trace against its budget."""
        if self.spending.step(bool(self.differentiating)):
            raise Restart

    def static(self, path: Path, value: Any, how: str) -> None:
        """Record that the trace relied on the value at `path`."""
        self.statics.setdefault((path, how), Static(path, value, how))

    def looked_up(self, path: Path, owner: object, *names: str) -> None:
        """The trace went by what the object's class has under these names."""
        for name in names:
            self.static((*path, ("lookup", name)), owner, "lookup")

    def input(self, path: Path, type_: Type, name: str) -> Value:
        """The graph's parameter for what stands at `path`."""
        if path not in self.values:
            label = self.builder.fresh(name)
            value = Value(label, type_)
            self.values[path] = value
            if type_ != OBJECT:
                self.safe.add(label)
            self.inputs[path] = Input(path, label, type_)
            self.builder.params.add(label)
        return self.values[path]

    def on_node(self, node: Node) -> Mapping[str, Any]:
        """Count a node that is made, note what it does, and give it the marks of the scopes around it."""
        self.step()
        self._note_effects(node)
        return {**_marks(node), **marks_for(self, node)}

    def _note_effects(self, node: Node) -> None:
        """Which results are safe, and whether code of the user's has run, after which a trace may restart."""
        if makes_container(node):
            self.own.update(result.name for result in node.results)
        if is_python(node):
            self.made_by.update(dict.fromkeys(node.results, node))
            if all(self.is_safe(operand) for operand in node.operands):
                self.safe.update(result.name for result in node.results)
                self._note_immutable(node)
            elif not node.attrs.get("harmless"):
                self.opaque_call()
        elif node.op == "pick":
            self.safe.update(result.name for result in node.results)
            self.immutable.update(result.name for result in node.results)

    def _note_immutable(self, node: Node) -> None:
        text = str(node.attrs.get("text", ""))
        if gives_immutable(text) and all(map(self.is_immutable, node.operands)):
            self.immutable.update(result.name for result in node.results)

    def is_safe(self, operand: Operand) -> bool:
        """True when nothing that is done with the value runs code of the user's."""
        return isinstance(operand, Literal) or operand.type != OBJECT or operand.name in self.safe

    def is_immutable(self, operand: Operand) -> bool:
        """True for numbers and texts, also where they are objects of the driver."""
        if isinstance(operand, Literal):
            return is_immutable(operand.value)
        return isinstance(operand.type, Scalar) or operand.name in self.immutable

    def wrap(self, path: Path, value: Any) -> Any:
        """What the traced function sees for `value`, found at `path`."""
        if path not in self.wrapped:
            self.wrapped[path] = self._wrap(path, value)
        return self.wrapped[path]

    def _wrap(self, path: Path, value: Any) -> Any:
        if type(value) is str and self._takes_text(path, value):
            return self._wrap_text(path, value)
        if value is None or is_one_of(type(value), _TEXTS):
            self._read_data(path)
            self.static(path, value, "equal")
            return value
        if is_one_of(type(value), (bool, int, float, complex)):
            return self._wrap_number(path, value, Scalar(type(value).__name__))
        if isinstance(value, np.generic) and is_numeric(value.dtype):
            name = value.dtype.name
            return self._wrap_number(path, value, Scalar("bool_" if name == "bool" else name))
        if type(value) is np.ndarray and is_numeric(value.dtype):
            return self._wrap_array(path, value)
        if type(value) is list and (form := self._form_of(path, value)):
            return self.take_over(path, value, form)
        if is_one_of(type(value), (tuple, list, dict)) and has_more_leaves(value, LEAVES):
            return Reference(self, path, value)
        if type(value) is tuple:
            self.static(path, value, "len")
            if self._is_stable(path):
                self.stable.update((*path, ("item", k)) for k in range(len(value)))
            return tuple(self.wrap((*path, ("item", k)), item) for k, item in enumerate(value))
        followed = not (
            self.knowledge.volatile or self.knowledge.shared or path in self.knowledge.materialised
        )
        if is_one_of(type(value), (list, dict)) and followed and len(value) <= FOLLOWED:
            self._read_data(path)
            return self._wrap_container(path, value)
        if is_transparent(value):
            self.static(path, value, "is")
            return value
        return Reference(self, path, value)

    def _wrap_number(self, path: Path, value: Any, kind: Scalar) -> Any:
        if kind == INT and not -(2**47) < value < 2**47:
            return Reference(self, path, value)
        if self.knowledge.exact and kind in (INT, BOOL):
            self.static(path, value, "equal")
            return value
        self._read_data(path)
        name = self.input(path, kind, label(path))
        self.examples[name.name] = (path, value)
        if kind == INT:
            guard = Guard("int64", name.name)
            if not any(g.kind == "int64" and g.left == name.name for g in self.builder.guards):
                self.builder.guards.append(guard)
            self.builder.hints[name.name] = value
            return SymbolicScalar(name, kind, self.builder.given_int(name.name))
        return SymbolicScalar(name, kind)

    def _wrap_array(self, path: Path, value: np.ndarray, least: int = 0) -> Any:
        self._read_data(path)
        layout = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
        symbols = [self.builder.size_name() for _ in value.shape]
        shape = tuple(self.builder.settle(dims.symbol(symbol, least)) for symbol in symbols)
        type_ = Array(value.dtype, shape, layout, is_writeable(value))
        node = self.input(path, type_, label(path))
        for axis, symbol in enumerate(symbols):
            self.builder.sizes[symbol] = (node, axis)
            self.builder.hints[symbol] = value.shape[axis]
            if self.knowledge.exact:
                self.builder.known(dims.symbol(symbol), value.shape[axis])
        if layout != "A":
            return SymbolicArray(node, layout)
        order = order_of(value)
        if value.ndim > 1:  # none is one, too: what is made for it would serve the others
            self.static(path, value, "order")
        return SymbolicArray(node, order or None, ascends=bool(order))

    def takes_lists(self) -> bool:
        """Whether a list of numbers that is met here becomes an array of the graph."""
        if not self.knowledge.lists or self.differentiating:
            return False
        self.numbers = True
        return True

    def may_take_over(self) -> bool:
        """Whether what the user's objects hold may be arrays of the graph meanwhile."""
        known = self.knowledge
        return known.lists and not (known.volatile or known.shared or known.exact or self.differentiating)

    def _form_of(self, path: Path, value: list[Any]) -> str:
        """What a list of the user's holds that may be taken over; empty for one that can be followed."""
        if not self.may_take_over():
            return ""
        short = len(value) <= SHORT and path not in self.knowledge.materialised
        return "" if short and not has_more_leaves(value, 2 * SHORT) else form_of(value)

    def _takes_text(self, path: Path, value: str) -> bool:
        return len(path) == 1 and path[0][0] == "arg" and len(value) >= LONG_TEXT and self.may_take_over()

    def _wrap_text(self, path: Path, value: str) -> NumberList:
        self.numbers = True
        codes = self._wrap_array((*path, ("list", TEXT)), taken(value, TEXT), 1)
        return self.operators.text(codes, path, value)

    def take_over(self, path: Path, value: list[Any], form: str) -> Any:
        """A list of the user's, which has this form, as an array."""
        try:
            data = taken(value, form)
        except LookupError:
            return Reference(self, path, value)
        self.numbers = True
        array = self._wrap_array((*path, ("list", form)), data, 1)
        if ")" in form:
            self.builder.known(array.shape_sizes[-1], data.shape[-1])
        if form[-2] == RAGGED:
            bounds = self._wrap_array((*path, ("list", BOUNDS)), taken(value, BOUNDS), 2)
            return RaggedRows(array, bounds, path, value, kinds_of_columns(form))
        if form[:-1] == MIXED:
            return self.operators.mixed(array, path, value)
        return list_for(form, array, path, value)

    def _wrap_container(self, path: Path, value: Any) -> Any:
        if isinstance(value, dict):
            if not all(type(key) in (str, int, bool, type(None)) for key in value):
                return Reference(self, path, value)
            self.static(path, value, "keys")
            result: Any = TracedDict({k: self.wrap((*path, ("item", k)), v) for k, v in value.items()})
        else:
            self.static(path, value, "len")
            result = TracedList(self.wrap((*path, ("item", k)), item) for k, item in enumerate(value))
        result.site, result.path, result.given = path, path, value
        result.block = current().blocks[0]
        return result

    def _is_stable(self, path: Path) -> bool:
        """Arguments, and items of tuples among them, stay what they are during the call."""
        return (len(path) == 1 and path[0][0] == "arg") or path in self.stable

    def _read_data(self, path: Path) -> None:
        if not self._is_stable(path):
            self.data_read = True
            if self.harmful_call and not self.knowledge.volatile:
                self.knowledge.volatile = True
                raise Restart

    def opaque_call(self) -> None:
        """Code of the user's that isn't traced may rebind globals and attributes that the function reads."""
        self.harmful_call = True
        if self.data_read and not self.knowledge.volatile:
            self.knowledge.volatile = True
            raise Restart

    def read_name(self, function: types.FunctionType, prefix: Path, name: str) -> Any:
        """The value of a global or free variable of the user's function."""
        value = lookup(function, name)
        if getattr(builtins, name, None) is value and name in vars(builtins):
            return value
        path = (*prefix, ("name", name))
        if self.knowledge.volatile and is_data(value) and path not in self.values:
            return self._volatile_name(path, function, name)
        return self.wrap(path, value)

    def _volatile_name(self, path: Path, function: types.FunctionType, name: str) -> Any:
        raise TraceError(
            f"'{name}' comes from outside of the function, and what is called here could change it",
            f"pass '{name}' as an argument",
        )


class Reference(SymbolicObject):
    """An object of the user's that the trace knows by its path; in the graph it is an input of its own."""

    __slots__ = ("tracer", "found_at", "value")

    def __init__(self, tracer: Tracer, path: Path, value: Any) -> None:
        object.__setattr__(self, "tracer", tracer)
        object.__setattr__(self, "found_at", path)
        object.__setattr__(self, "value", value)

    @property
    def path(self) -> Path:
        """Where the object is found."""
        if self.tracer.views.get(self.found_at, self) is not self:
            raise TraceError("an object that is differentiated for is read under another name, too")
        return self.found_at

    def operand(self) -> Operand:
        value = self.tracer.input(self.path, OBJECT, label(self.path))
        self.tracer.objects[value.name] = self.value
        if is_safe(self.value):
            self.tracer.safe.add(value.name)
        if is_immutable(self.value):
            self.tracer.immutable.add(value.name)
        return value

    def rely(self) -> Any:
        """The object itself: where another one stands at this path, the function is traced again."""
        self.tracer.static(self.path, self.value, "is")
        return self.value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__") and name not in ("__func__", "__self__"):
            raise AttributeError(name)
        return self.tracer.operators.read_attribute(self, name)

    def __getitem__(self, index: Any) -> Any:
        items = self.tracer.operators.known_items(self) if type(index) in (int, slice) else None
        return super().__getitem__(index) if items is None else items[index]

    __hash__ = Symbol.__hash__


def relied_on(value: object) -> Any:
    """What a reference stands for, which the trace relies on from now on; other values as they are."""
    return value.rely() if isinstance(value, Reference) else value


def _marks(node: Node) -> Mapping[str, object]:
    try:
        return marks_of(node)
    except RecursionError:  # blocks nested too deep, which is no fault of the scope's
        raise
    except Exception as error:
        raise Fault(error) from error


_TRACER: ContextVar[Tracer | None] = ContextVar("jitscope_tracer", default=None)


def tracer() -> Tracer:
    """The trace that is running in this context."""
    found = _TRACER.get()
    if found is None:
        raise RuntimeError("staged code runs only inside a trace")
    return found


def in_trace() -> bool:
    """Whether a function is traced in this context."""
    return _TRACER.get() is not None


def set_tracer(value: Tracer | None) -> Any:
    """Make `value` the current trace; the token is for `reset_tracer`."""
    return _TRACER.set(value)


def reset_tracer(token: Any) -> None:
    """Undo `set_tracer`."""
    _TRACER.reset(token)


def place() -> Loc:
    """Where the user's code is now."""
    return tracer().builder.locate()
