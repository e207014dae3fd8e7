"""`Step`: one call of the user's that made operations, kept so that a session can make them again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..ir.nodes import NOWHERE, Loc
from ..symbolic.records import SymbolicRecord
from .shape import Shape
from .symbol import Dimension, GraphSymbol, Recordable

if TYPE_CHECKING:
    from .graph import Graph
    from .variable import Variable


GRADIENTS = "gradients"
"""The kind of the steps that differentiate others."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A node that a step made: its op, and the attributes that it got by name, scopes and devices."""

    op: str
    attrs: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Past:
    """The values that a variable had in a run, one after another."""

    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class InputStep:
    """A step that computes nothing: a placeholder or a variable (`value` is None), or a constant."""

    dtype: Any
    shape: tuple[int | None, ...] | None
    value: Any = None


@dataclass(eq=False, slots=True)
class Step:
    """A recorded call. `call` takes what `args` and `kwargs` stand for: symbols of a trace, or real arrays.

    `variable` is what the step declares, `assigns` the variable that takes its result; `after` are steps that
    run whenever this one does; `count` is how many values the result has, if it is a sequence of some.
    """

    index: int
    kind: str
    call: Callable[..., Any]
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    source: InputStep | None = None
    variable: Variable | None = None
    assigns: Variable | None = None
    after: tuple[Step, ...] = ()
    marks: list[Mark] = field(default_factory=list)
    outputs: list[GraphSymbol] = field(default_factory=list)
    loc: Loc = NOWHERE
    target: str | None = None
    count: int | None = None

    def check_count(self, result: Any) -> None:
        """Raise ValueError if `result` has more or fewer parts than were seen while the graph was built."""
        if self.count is not None and len(result) != self.count:
            raise ValueError(
                f"{self.kind} gives {len(result)} values for what is fed, and gave {self.count} while the"
                " graph was built, when the number of axes wasn't known: give the placeholder a shape"
            )

    def inputs(self) -> Iterator[Recordable]:
        """The symbols and variables that it reads, sizes as the symbols that have them."""
        for leaf in leaves((self.args, dict(self.kwargs))):
            yield leaf.symbol if isinstance(leaf, Dimension) else leaf

    def __repr__(self) -> str:
        return f"<step {self.index}: {self.kind}>"


def leaves(value: Any) -> Iterator[Recordable]:
    """The symbols and variables in an argument; other objects are asked for nothing, not even a class."""
    kind = type(value)
    if issubclass(kind, Recordable):
        yield value
    elif issubclass(kind, (tuple, list)):
        for item in value:
            yield from leaves(item)
    elif issubclass(kind, dict):
        for item in value.values():
            yield from leaves(item)
    elif kind is slice:
        for item in (value.start, value.stop, value.step):
            yield from leaves(item)


def graph_of(*values: Any) -> Graph | None:
    """The explicit graph that symbols in `values` belong to, if there are any."""
    found = next(leaves(list(values)), None)
    return None if found is None else found.graph


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """An argument with `change` applied to all that is no container."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(mapped(item, change) for item in value))
    if isinstance(value, (tuple, list)) and type(value) in (tuple, list, Shape):
        kind = list if type(value) is list else tuple
        return kind(mapped(item, change) for item in value)
    if type(value) is dict:
        return {key: mapped(item, change) for key, item in value.items()}
    if type(value) is slice:
        return slice(*(mapped(item, change) for item in (value.start, value.stop, value.step)))
    return change(value)


def picked(result: Any, path: tuple[Any, ...]) -> Any:
    """The part of a result at `path`."""
    for key in path:
        result = result[key]
    return result


def parts(result: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every leaf of a result with its path."""
    if isinstance(result, (tuple, list, SymbolicRecord)):
        for key, item in enumerate(result):
            yield from parts(item, (*path, key))
    elif isinstance(result, dict):
        for name, item in result.items():
            yield from parts(item, (*path, name))
    else:
        yield path, result


def rebuilt(result: Any, change: Callable[[tuple[Any, ...], Any], Any], path: tuple[Any, ...] = ()) -> Any:
    """The result with each leaf replaced by ``change(path, leaf)``."""
    if isinstance(result, SymbolicRecord):
        return result.kind(*(rebuilt(item, change, (*path, k)) for k, item in enumerate(result)))
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*(rebuilt(item, change, (*path, k)) for k, item in enumerate(result)))
    if isinstance(result, (tuple, list)):
        return type(result)(rebuilt(item, change, (*path, k)) for k, item in enumerate(result))
    if isinstance(result, dict):
        return {name: rebuilt(item, change, (*path, name)) for name, item in result.items()}
    return change(path, result)
