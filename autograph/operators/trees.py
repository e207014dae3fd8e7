"""Containers of numbers: taken apart into leaves, and put together again around other leaves.

Tuples, lists, dicts, named tuples and dataclasses may be nested. What holds no number (None, text, functions)
stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...graph.gradients import WrongType
from ...graph.ir.literals import is_number
from ...graph.ir.nodes import Block, walk
from ...graph.ir.types import Array, Scalar
from ...graph.symbolic.arith import type_of
from ...graph.symbolic.symbols import (
    UNBOUND,
    Symbol,
    SymbolicObject,
    SymbolicUnion,
    payload,
    python_expression,
    unwrap_union,
)
from ...graph.trace.build import TraceError, current
from ..own_names import stands_for_another
from ..records import TracedRecord, field_names, field_path, is_named_tuple, is_record, read_field
from ..traced import Path
from ..tracer import Reference, TracedDict, TracedList, tracer
from .copies import stands_for


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number or array: which one."""

    place: int


@dataclass(frozen=True, slots=True)
class Constant:
    """What holds no number; `number` is True for ints and bools, which have no gradient."""

    value: Any
    number: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """A tuple or list."""

    items: tuple[Tree, ...]
    source: Any


@dataclass(frozen=True, slots=True)
class Entries:
    """A dict."""

    items: dict[Any, Tree]
    source: Any


@dataclass(frozen=True, slots=True)
class Fields:
    """A record, like the one of the user's that `source` stands for."""

    items: dict[str, Tree]
    source: Any


Tree = Leaf | Constant | Branch | Entries | Fields


@dataclass
class Leaves:
    """The floating-point numbers and arrays of some containers, in order.

    With `strict`, ints and bools are an error; else they are left where they are.

    Attributes:
        symbols: the leaves.
        labels: what to call them in messages: ``params['w'][0]``.
        paths: where those stand that are read through a record or another object of the user's.
        wholes: those objects.
        inside: containers that are read through them, and where they stand.
    """

    strict: bool = True
    what: str = "gradients are taken"
    symbols: list[Any] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    paths: list[Path | None] = field(default_factory=list)
    wholes: list[Reference] = field(default_factory=list)
    inside: list[tuple[Path, Tree]] = field(default_factory=list)

    def tree(self, value: Any, name: str) -> Tree:
        """`value` taken apart; `name` is what the user calls it."""
        value = unwrap_union(value)
        if isinstance(value, Reference):
            return self._reference(value, name)
        if isinstance(value, TracedRecord):
            fields = {key: self.tree(item, f"{name}.{key}") for key, item in value.fields.items()}
            return Fields(fields, value)
        if type(value) is tuple or isinstance(value, list):
            return Branch(tuple(self.tree(item, f"{name}[{k}]") for k, item in enumerate(value)), value)
        if isinstance(value, dict):
            return Entries({key: self.tree(item, f"{name}[{key!r}]") for key, item in value.items()}, value)
        return self._single(value, name, None)

    def _single(self, value: Any, name: str, path: Path | None) -> Tree:
        if isinstance(value, SymbolicUnion):
            value = _number_of(value, name)
        if isinstance(value, SymbolicObject):
            raise TraceError(f"{name} is a Python object, whose numbers can't be followed")
        if not isinstance(value, Symbol) and not is_number(value):
            if not callable(value) and (stands_for_another(value) or _gives_items(value)):
                raise TraceError(f"the numbers of {name} are kept in a way that derivatives can't follow")
            return Constant(value)
        kind = type_of(value)
        assert isinstance(kind, Scalar | Array)
        if kind.dtype.kind not in "fc":
            if self.strict:
                raise WrongType(f"{name} is {_shown(kind)}, but {self.what} for floating-point numbers only")
            return Constant(value, number=True)
        self.symbols.append(value)
        self.labels.append(name)
        self.paths.append(path)
        return Leaf(len(self.symbols) - 1)

    def _reference(self, reference: Reference, name: str) -> Tree:
        """An object of the user's: a record, or a container that had to stay a real object."""
        found, path = reference.value, reference.path
        if is_record(found):
            self.wholes.append(reference)
            parts = {
                key: self._part(read_field(reference, key), f"{name}.{key}", field_path(reference, key))
                for key in field_names(found)
            }
            return Fields(parts, reference)
        if type(found) in (list, dict):
            if _may_have_changed(path):
                raise TraceError(f"{name} is a {type(found).__name__} that may have been changed before")
            self.wholes.append(reference)
            tracer().static(path, found, "keys" if type(found) is dict else "len")
            items = found.items() if isinstance(found, dict) else enumerate(found)
            inside = {
                key: self._part(
                    tracer().wrap((*path, ("item", key)), item), f"{name}[{key!r}]", (*path, ("item", key))
                )
                for key, item in items
            }
            if isinstance(found, dict):
                return Entries(inside, reference)
            return Branch(tuple(inside.values()), reference)
        if callable(found) or not self.strict:
            return Constant(reference)
        raise WrongType(f"{name} is {_foreign(found)}, which holds no numbers that could be followed")

    def _part(self, value: Any, name: str, path: Path) -> Tree:
        if isinstance(value, (Symbol, int, float, complex)) and not isinstance(value, SymbolicObject):
            return self._single(unwrap_union(value), name, path)
        found = self.tree(value, name)
        if isinstance(found, Branch | Entries) and not isinstance(found.source, Reference):
            self.inside.append((path, found))
        return found


def _may_have_changed(path: Path) -> bool:
    """Whether Python code has had the object at `path` as a whole: items are read when a call begins."""
    known = tracer().values.get(path)
    nodes = (node for block in current().blocks for node in walk(Block((), tuple(block))))
    return known is not None and any(known in n.operands and not n.attrs.get("harmless") for n in nodes)


def _gives_items(value: object) -> bool:
    """Whether it is an iterator, or a view of a dict, in which there may be numbers."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes))


def _number_of(value: SymbolicUnion, name: str) -> Any:
    """A variable that is an int on some paths and a float on others is a float to its gradient."""
    if isinstance(value.first, Scalar) or value.first is UNBOUND:
        return payload(value)
    raise TraceError(f"{name} is {value.first} on some paths and a number on others")


def _shown(kind: Scalar | Array) -> str:
    if isinstance(kind, Array):
        return f"an array of {kind.dtype.name}"
    return _article(str(kind))


def _foreign(value: Any) -> str:
    """What is no number of a kind that jitscope knows."""
    if isinstance(value, np.ndarray) and type(value) is np.ndarray:
        native = "" if value.dtype.isnative else " in foreign byte order"
        return f"an array of {value.dtype.name}{native}"
    if isinstance(value, np.generic):
        return f"a number of type {value.dtype.name}"
    return _article(type(value).__name__)


def named_type(value: Any) -> str:
    """What a value is: ``a dict``."""
    return _article(type(value.value if isinstance(value, Reference) else value).__name__)


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0].lower() in "aeiou" else f"a {noun}"


def standing_for(tree: Tree, leaves: Sequence[Any]) -> Any:
    """`rebuilt`, where who gets it must not be able to tell it from what `tree` was taken of.

    Raises:
        TraceError: outside of all that is differentiated, where the object itself is to be had.
    """
    if is_object(tree) and not tracer().differentiating:
        raise TraceError("a list, dict or object goes through a derivative's rule as the very object")
    return rebuilt(tree, leaves, made=stands_for)


def is_object(tree: Tree) -> bool:
    """Whether there is something in it that can be told from an equal one."""
    if isinstance(tree, Branch):
        return type(tree.source) is not tuple or any(map(is_object, tree.items))
    return isinstance(tree, Entries | Fields)


def rebuilt(
    tree: Tree,
    leaves: Sequence[Any],
    constant: Callable[[Constant], Any] | None = None,
    made: Callable[[Any, Any], None] = lambda source, container: None,
) -> Any:
    """The containers of `tree` around other leaves; `constant` says what stands for the rest.

    `made` hears of each new container, and of what it is like.
    """

    def of(part: Tree) -> object:
        return rebuilt(part, leaves, constant, made)

    if isinstance(tree, Leaf):
        return leaves[tree.place]
    if isinstance(tree, Constant):
        return tree.value if constant is None else constant(tree)
    if isinstance(tree, Branch) and type(tree.source) is tuple:
        return tuple(map(of, tree.items))
    if isinstance(tree, Branch):
        container = _traced(TracedList(map(of, tree.items)))
    elif isinstance(tree, Entries):
        container = _traced(TracedDict({k: of(item) for k, item in tree.items.items()}))
    else:
        fields = {k: of(item) for k, item in tree.items.items()}
        source = tree.source
        is_tuple = source.is_tuple if isinstance(source, TracedRecord) else is_named_tuple(source.value)
        container = TracedRecord(source, fields, is_tuple)
    made(tree.source, container)
    return container


def has_leaves(tree: Tree) -> bool:
    """Whether there is a number in the containers."""
    if isinstance(tree, Branch):
        return any(map(has_leaves, tree.items))
    if isinstance(tree, Entries | Fields):
        return any(map(has_leaves, tree.items.values()))
    return isinstance(tree, Leaf)


def _traced(container: Any) -> Any:
    """A container that the trace makes here; an object of the run where it has to be one."""
    builder = current()
    container.block = builder.blocks[-1]
    container.site = ("derivative", type(container).__name__, builder.locate(), builder.depth)
    if container.site in tracer().knowledge.materialised:
        plain = dict(container) if isinstance(container, dict) else list(container)
        return python_expression(lambda t: t.write(plain))
    return container


def given_again(tree: Tree, leaves: Sequence[Any]) -> Any:
    """The same containers around other leaves, as arguments; objects of the user's are views (`seen`)."""
    if isinstance(tree, Leaf):
        return leaves[tree.place]
    if isinstance(tree, Constant):
        return tree.value
    if isinstance(tree, Fields):
        if isinstance(tree.source, Reference):
            return tracer().views[tree.source.found_at]
        fields = {k: given_again(item, leaves) for k, item in tree.items.items()}
        record = TracedRecord(tree.source, fields, tree.source.is_tuple)
        stands_for(tree.source, record)
        return record
    if isinstance(tree.source, Reference):
        return tracer().views[tree.source.found_at]
    if isinstance(tree, Entries):
        copied: Any = TracedDict({k: given_again(item, leaves) for k, item in tree.items.items()})
    else:
        items = [given_again(item, leaves) for item in tree.items]
        if type(tree.source) is tuple:
            return tuple(items)
        copied = TracedList(items)
    for name in ("site", "block", "path"):
        setattr(copied, name, getattr(tree.source, name, None))
    stands_for(tree.source, copied)
    return copied
