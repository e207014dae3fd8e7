"""What an entry function is made of: where its inputs are, and what must hold. Kept on disk as JSON."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from ..autograph.strides import order_of
from ..autograph.told import ordered_bases
from ..autograph.traced import Input, Path, Traced
from ..graph.ir import dims
from ..graph.ir.nodes import Graph, Guard, Node, Value
from ..graph.ir.types import INT, OBJECT, Array, Scalar, Type
from .class_reads import text_of
from .digest import code_digest, describe
from .module_reads import module_reads
from .paths import follow, names_in, path_text, read_name, underlying
from .signature import type_of, type_text


@dataclass(frozen=True)
class DriverArgument:
    """One argument of the driver: where it is found and the type that it must have."""

    path: Path
    name: str
    type: Type
    kind: str = ""
    """For objects: the name of their Python type."""

    @property
    def is_list(self) -> bool:
        """Whether it is the array of a list that was taken over."""
        return self.path[-1][0] == "list"

    @property
    def is_cell(self) -> bool:
        """Whether it is the array of an attribute that was taken over."""
        return self.path[-1][0] == "cell"

    @property
    def is_taken(self) -> bool:
        """Whether nobody else has the array."""
        return self.is_list or self.is_cell


@dataclass(frozen=True)
class Fixed:
    """A value that must be the same again; `shown` describes it (None: only in this process)."""

    path: Path
    how: str
    shown: str | None


@dataclass(frozen=True)
class Code:
    """A Python function that was traced into, with the digest of its code."""

    path: Path
    digest: str


@dataclass(frozen=True)
class Recipe:
    """All that is needed to bind a call to a driver. Names that start with ``_js_`` are our own.

    `conditions` are Python expressions over the names in `sizes` (slot, axis) and `numbers` (slot); `bounds`
    are the largest magnitudes of int slots; `writes` are the slots that the driver writes to.
    """

    parameters: tuple[str, ...]
    slots: tuple[DriverArgument, ...]
    fixed: tuple[Fixed, ...] = ()
    code: tuple[Code, ...] = ()
    conditions: tuple[str, ...] = ()
    sizes: tuple[tuple[str, int, int], ...] = ()
    numbers: tuple[tuple[str, int], ...] = ()
    bounds: tuple[tuple[int, int], ...] = ()
    writes: tuple[int, ...] = ()
    restartable: bool = True
    lists: bool = False
    """Lists of numbers are arrays in it."""
    recursive: bool = False
    """It would be restartable but for calls of itself."""
    undoable: bool = False
    """Compiled code that can't go on has only written arrays and drawn numbers, which is undone."""
    streams: tuple[int, ...] = ()
    """The slots of generators that numbers are drawn from."""
    prints: bool = False
    """What it prints, and that only, is left out where it starts again."""
    early: tuple[str, ...] = ()
    """The kernels that run before anything is done that can't be done twice, where it isn't restartable."""

    handled: tuple[str, ...] = ()
    """The names of the exceptions that handlers of the function itself take."""
    handed: tuple[Path, ...] = ()
    """The caller's lists that change their length: the driver gives their items behind the result."""

    @property
    def enters(self) -> bool:
        """Whether the driver may run code of the user's; the methods of a generator are NumPy's."""
        return any(slot.type is OBJECT and k not in self.streams for k, slot in enumerate(self.slots))

    @property
    def is_recursion(self) -> bool:
        """Whether compiled functions call themselves in it."""
        return any(slot.path[0][0] == "room" for slot in self.slots)

    @property
    def portable(self) -> bool:
        """Whether another process can check all of it."""
        known = all(item.shown is not None for item in self.fixed) and all(item.digest for item in self.code)
        return known and all(map(_portable, self.paths()))

    def paths(self) -> list[Path]:
        """Every path that is read or checked."""
        slots, fixed, code = self.slots, self.fixed, self.code
        paths = [slot.path for slot in slots] + [item.path for item in fixed] + [item.path for item in code]
        return [*paths, *self.handed]

    def taken_from(self, path: Path) -> int | None:
        """The slot with the items of the list at a path; None if it was not taken over."""
        return next((k for k, slot in enumerate(self.slots) if slot.is_list and slot.path[:-1] == path), None)


def _effects(graph: Graph) -> tuple[set[Node], set[str], bool, bool]:
    """The nodes whose work can't be done twice; whether kernels may meet a number too large; if it prints.

    Between them are the parameters that random numbers are drawn from by nodes that are not among the first:
    the state of a generator can be put back.
    """
    from ..graph.analysis.effects import done_once, drawn_from, may_deoptimise, prints, taken_back

    names = {stream.name for stream in drawn_from(graph).values() if stream in graph.params}
    return done_once(graph) - taken_back(graph), names, may_deoptimise(graph), bool(prints(graph))


def recipe_of(
    traced: Traced,
    graph: Graph,
    parameters: tuple[str, ...],
    function: FunctionType,
    arguments: Mapping[str, Any],
) -> Recipe:
    """The recipe of `graph`, made by a trace of `function` with `arguments`."""
    slots = tuple(_slot(item, function, arguments) for item in traced.inputs)
    index = {slot.name: k for k, slot in enumerate(slots)}
    conditions, sizes, numbers = conditions_of(graph, index)
    statics = _statics(traced, function)
    objects = (slot for slot in slots if slot.type is OBJECT)
    itself = {s.name for s in objects if _is_made_of(follow(s.path, function, arguments), function)}
    effects, streams, may_stop, has_prints = _effects(graph)
    own = {node for node in effects if _calls(node, itself)}
    written = [slots[index[name]] for name in traced.writes]
    harmful, lists = [slot for slot in written if not slot.is_taken], bool(traced.extra.get("lists"))
    return Recipe(
        parameters=parameters,
        slots=slots,
        fixed=tuple(
            Fixed(path, how, static_text(how, follow(path, function, arguments))) for path, how in statics
        ),
        code=tuple(
            Code(item.path, code_digest(underlying(item.function).__code__))
            for item in traced.helpers
            if item.path
        ),
        conditions=conditions,
        sizes=sizes,
        numbers=numbers,
        bounds=_bounds(graph.guards, slots),
        writes=tuple(sorted({index[slot.name] for slot in written if isinstance(slot.type, Array)})),
        restartable=not harmful and not effects and not streams,
        lists=lists,
        recursive=bool(effects) and not harmful and effects <= own and not streams,
        undoable=(may_stop or lists) and not effects and bool(harmful or streams) and _are_arrays(harmful),
        streams=tuple(sorted(index[name] for name in streams)),
        prints=has_prints,
        handled=traced.extra.get("handled", ()),
        handed=traced.extra.get("handed", ()),
    )


def _slot(item: Input, function: FunctionType, arguments: Mapping[str, Any]) -> DriverArgument:
    kind = _kind(follow(item.path, function, arguments)) if item.type is OBJECT else ""
    return DriverArgument(item.path, item.name, item.type, kind)


def _statics(traced: Traced, function: FunctionType) -> list[tuple[Path, str]]:
    """What must be the same again, and how."""
    statics = [(item.path, item.how) for item in traced.statics]
    statics += [(path, "is") for path in _builtins_read(traced, function) if (path, "is") not in statics]
    return statics + [(path, "held") for path in module_reads(traced, function)]


def _are_arrays(slots: list[DriverArgument]) -> bool:
    return all(isinstance(slot.type, Array) for slot in slots)


def _is_made_of(value: Any, function: FunctionType) -> bool:
    """Whether `value` is `function`, or what it has been decorated to."""
    return type(value) is FunctionType and getattr(value, "python_function", value) is function


def _calls(node: Node, names: set[str]) -> bool:
    """Whether the node is a call of one of `names`, and nothing else."""
    first = node.operands[0] if node.operands else None
    text = node.attrs.get("text", "")
    return isinstance(first, Value) and first.name in names and str(text).startswith("{0}(")


def _builtins_read(traced: Traced, function: FunctionType) -> Iterator[Path]:
    """Paths of the builtins that the traced functions name, whose values the trace took for granted.

    A global of that name may appear later; one that is there already, as ``from builtins import max`` makes
    it, may change, or hold another value in another process.
    """
    helpers: dict[Path, Any] = {item.path: item.function for item in traced.helpers}
    for path, found in {(): function, **helpers}.items():
        inner = underlying(found)
        for name in sorted(names_in(inner.__code__).union(inner.__code__.co_freevars)):
            if hasattr(builtins, name) and _value_of(inner, name) is getattr(builtins, name):
                yield (*path, ("name", name))


def _value_of(function: FunctionType, name: str) -> Any:
    """What `function` reads as `name`; the function itself, which is no builtin, while a cell is empty."""
    try:
        return read_name(function, name)
    except NameError:
        return function


def static_text(how: str, value: Any) -> str | None:
    """`value` as far as a static of kind `how` looks at it; None when only this process can tell."""
    if how == "type":
        return _kind(value)
    if how == "lookup":
        return text_of(value)
    if how == "len":
        return f"{_kind(value)} {len(value)}"
    if how == "keys":
        keys = describe(list(value))
        return None if keys is None else f"{_kind(value)} {keys}"
    if how == "order":
        return order_of(value)
    if how == "held":
        return describe(value) or f"{_kind(value)} {getattr(value, '__name__', '')}"
    return describe(value)


def holds(recipe: Recipe, function: FunctionType, arguments: Mapping[str, Any]) -> str:
    """Why a recipe from disk doesn't fit this process; empty if it does."""
    try:
        for item in (each for each in recipe.fixed if each.how in ("type", "lookup")):  # before it is read
            if static_text(item.how, follow(item.path, function, arguments)) != item.shown:
                return f"{path_text(item.path)} has another type"
        for slot in recipe.slots:
            value = follow(slot.path, function, arguments)
            found = (
                _kind(value) == slot.kind
                if slot.type is OBJECT
                else type_text(type_of(value)) == type_text(slot.type)
            )
            if not found:
                return f"{path_text(slot.path)} has another type"
        for item in recipe.fixed:
            if static_text(item.how, follow(item.path, function, arguments)) != item.shown:
                return f"{path_text(item.path)} is another value"
        for helper in recipe.code:
            if code_digest(underlying(follow(helper.path, function, arguments)).__code__) != helper.digest:
                return f"the code of {path_text(helper.path)} has changed"
    except Exception as error:
        return f"a value that it reads is missing ({error})"
    return ""


def _kind(value: Any) -> str:
    """The class of a value by name, with the bases that `isinstance` goes by, and the places of fields."""
    kind = type(value)
    bases = ", ".join(map(_name_of, ordered_bases(kind)[1:-1]))
    fields = inspect.getattr_static(kind, "_fields", "") if issubclass(kind, tuple) else ""
    return f"{_name_of(kind)}{f'({bases})' if bases else ''}{fields or ''}"


def _name_of(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def conditions_of(
    graph: Graph, index: Mapping[str, int]
) -> tuple[tuple[str, ...], tuple[tuple[str, int, int], ...], tuple[tuple[str, int], ...]]:
    """The size guards as text over short names, and what the names stand for."""
    names: dict[str, str] = {}
    sizes: list[tuple[str, int, int]] = []
    numbers: list[tuple[str, int]] = []
    conditions: list[str] = []
    for guard in graph.guards:
        if guard.kind == "int64":
            continue
        sign = {"equal": "==", "unequal": "!=", "at_most": "<="}.get(guard.kind)
        if sign is None or isinstance(guard.left, str):
            raise ValueError(f"guard {guard.kind!r} is not known to the entry function")
        for symbol in sorted(dims.symbols(guard.left) | dims.symbols(guard.right)):
            if symbol in names:
                continue
            names[symbol] = f"_js_n{len(names)}"
            if symbol in graph.sizes:
                value, axis = graph.sizes[symbol]
                sizes.append((names[symbol], index[value.name], axis))
            else:
                numbers.append((names[symbol], index[symbol]))
        condition = f"{dims.text(guard.left, names)} {sign} {dims.text(guard.right, names)}"
        for name in ("max", "min"):
            condition = condition.replace(f"{name}(", f"_js_{name}(")
        if condition not in conditions:
            conditions.append(condition)
    return tuple(conditions), tuple(sizes), tuple(numbers)


def _bounds(guards: tuple[Guard, ...], slots: tuple[DriverArgument, ...]) -> tuple[tuple[int, int], ...]:
    """The magnitude that each int may have: below 2**47 if sizes and indices are made of it, else 64 bits."""
    small = {guard.left for guard in guards if guard.kind == "int64"}
    return tuple(
        (k, (1 << 47) - 1 if slot.name in small else (1 << 63) - 1)
        for k, slot in enumerate(slots)
        if slot.type == INT
    )


def to_json(recipe: Recipe) -> dict[str, Any]:
    """The recipe in the types of JSON; its paths must be portable."""
    return {
        "parameters": list(recipe.parameters),
        "slots": [[_path_to_json(s.path), s.name, _type_to_json(s.type), s.kind] for s in recipe.slots],
        "fixed": [[_path_to_json(f.path), f.how, f.shown] for f in recipe.fixed],
        "code": [[_path_to_json(c.path), c.digest] for c in recipe.code],
        "conditions": list(recipe.conditions),
        "sizes": [list(item) for item in recipe.sizes],
        "numbers": [list(item) for item in recipe.numbers],
        "bounds": [list(item) for item in recipe.bounds],
        "writes": list(recipe.writes),
        "restartable": recipe.restartable,
        "recursive": recipe.recursive,
        "undoable": recipe.undoable,
        "streams": list(recipe.streams),
        "lists": recipe.lists,
        "prints": recipe.prints,
        "early": list(recipe.early),
        "handled": list(recipe.handled),
        "handed": [_path_to_json(path) for path in recipe.handed],
    }


def from_json(data: Mapping[str, Any]) -> Recipe:
    """The inverse of `to_json`."""
    return Recipe(
        parameters=tuple(data["parameters"]),
        slots=tuple(
            DriverArgument(_path_from_json(p), name, _type_from_json(t), kind)
            for p, name, t, kind in data["slots"]
        ),
        fixed=tuple(Fixed(_path_from_json(p), how, text) for p, how, text in data["fixed"]),
        code=tuple(Code(_path_from_json(p), text) for p, text in data["code"]),
        conditions=tuple(data["conditions"]),
        sizes=tuple((name, slot, axis) for name, slot, axis in data["sizes"]),
        numbers=tuple((name, slot) for name, slot in data["numbers"]),
        bounds=tuple((slot, bound) for slot, bound in data["bounds"]),
        writes=tuple(data["writes"]),
        restartable=data["restartable"],
        recursive=data["recursive"],
        undoable=data["undoable"],
        streams=tuple(data["streams"]),
        lists=data["lists"],
        prints=data["prints"],
        early=tuple(data["early"]),
        handled=tuple(data["handled"]),
        handed=tuple(map(_path_from_json, data["handed"])),
    )


def _portable(path: Path) -> bool:
    return all(type(name) in (str, int) for _, *names in path for name in names)


def _path_to_json(path: Path) -> list[list[Any]]:
    return [list(step) for step in path]


def _path_from_json(data: list[list[Any]]) -> Path:
    return tuple((kind, name) for kind, name in data)


def _type_to_json(type_: Type) -> list[Any] | str | None:
    """Without sizes: an entry function checks them by conditions."""
    if isinstance(type_, Array):
        return [type_.dtype.str, type_.ndim, type_.layout, type_.writeable]
    return type_.kind if isinstance(type_, Scalar) else None


def _type_from_json(data: list[Any] | str | None) -> Type:
    if isinstance(data, list):
        dtype, ndim, layout, writeable = data
        return Array(np.dtype(dtype), (0,) * ndim, layout, writeable)
    return OBJECT if data is None else Scalar(data)
