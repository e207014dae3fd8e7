"""Fetches: symbols, operations, variables and their names, in any nest of containers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from copy import copy
from typing import Any

from ..graph.explicit.graph import Graph
from ..graph.explicit.operation import Operation
from ..graph.explicit.selection import Fetch, Fetched
from ..graph.explicit.shape import Shape, UnknownShape
from ..graph.explicit.symbol import Dimension, GraphSymbol
from ..graph.explicit.variable import Variable

Rebuild = Callable[[Any], Any]
"""From what an entry function returns (one value, or a tuple of several) to what the user gets."""


def key_of(fetches: Any) -> Any:
    """What tells two structures of fetches apart, hashable."""
    kind = type(fetches)
    if kind is GraphSymbol or kind is Operation or kind is str or kind is Variable:
        return fetches
    if kind is list or kind is tuple:
        return (kind, *map(key_of, fetches))
    if kind is Dimension:
        return (kind, fetches.symbol, fetches.axis)
    if kind is int:  # of a shape
        return fetches
    if isinstance(fetches, dict):
        return (kind, tuple(fetches), tuple(map(key_of, fetches.values())))
    if isinstance(fetches, tuple | list):
        return (kind, *map(key_of, fetches))
    if dataclasses.is_dataclass(fetches) and not isinstance(fetches, type):
        return (kind, *(key_of(getattr(fetches, item.name)) for item in dataclasses.fields(fetches)))
    return (kind, id(fetches))


@dataclasses.dataclass
class Fetches:
    """A structure of fetches.

    Attributes:
        structure: what the user fetches.
        elements: every symbol, operation and variable in it, once.
        values: those that have a value.
    """

    structure: Any
    elements: list[Fetch]
    values: list[Fetched]

    @classmethod
    def of(cls, structure: Any, graph: Graph) -> Fetches:
        """The fetches of a run.

        Raises:
            TypeError: something in `structure` can't be fetched.
            ValueError: it belongs to another graph, or there is nothing of that name.
        """
        elements: dict[int, Fetch] = {}
        found = _mapped(structure, lambda leaf: _element(leaf, graph, elements))
        values = [item for item in elements.values() if not isinstance(item, Operation)]
        return cls(found, list(elements.values()), values)

    def rebuild(self) -> Rebuild | None:
        """Puts the values into the structure; None where the only value is what the user gets."""
        structure, place = self.structure, {id(item): k for k, item in enumerate(self.values)}
        single = len(self.values) == 1
        if single and structure is self.values[0]:
            return None
        flat = type(structure) in (list, tuple) and [place.get(id(item)) for item in structure]
        if flat and not single and flat == list(range(len(self.values))):
            return list if type(structure) is list else _same
        if flat and all(isinstance(item, GraphSymbol | Operation | Variable) for item in structure):
            return _flat(type(structure), flat, single)

        def build(results: Any) -> Any:
            values = (results,) if single else () if results is None else results

            def value(leaf: Any) -> Any:
                if isinstance(leaf, int):  # a size of a shape that is known
                    return leaf
                return None if isinstance(leaf, Operation) else values[place[id(leaf)]]

            return _mapped(structure, value)

        return build


def _element(leaf: Any, graph: Graph, elements: dict[int, Fetch]) -> Fetch:
    try:
        found: Fetch = graph.as_graph_element(leaf)
    except KeyError as error:
        raise ValueError(f"{leaf!r} can't be fetched: {error.args[0]}") from None
    except TypeError:
        if isinstance(leaf, UnknownShape):
            raise TypeError(
                "a shape can't be fetched if the number of axes isn't known: fetch single sizes"
            ) from None
        raise TypeError(
            f"{leaf!r} can't be fetched: it is no symbol, operation, variable or name of one, nor a list,"
            " tuple, dict, named tuple or data class of them"
        ) from None
    if isinstance(found, Dimension):  # another object each time that a shape is asked for
        found = next((known for known in elements.values() if _is_same_size(known, found)), found)
    if isinstance(found, GraphSymbol) and found.step.variable is not None:
        found = found.step.variable
    elements[id(found)] = found
    return found


def _is_same_size(known: Fetch, size: Dimension) -> bool:
    return isinstance(known, Dimension) and known.symbol is size.symbol and known.axis == size.axis


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """The structure with its leaves replaced; an error tells what can't be fetched."""
    kind: Any = type(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind(*(_mapped(item, change) for item in value))
    if kind is Shape:
        return tuple(item if isinstance(item, int) else _mapped(item, change) for item in value)
    if isinstance(value, (list, tuple)):
        return kind(_mapped(item, change) for item in value)
    if isinstance(value, dict):
        return _mapped_dict(value, change)
    if dataclasses.is_dataclass(value) and not isinstance(value, (type, GraphSymbol, Operation)):
        made = copy(value)
        for item in dataclasses.fields(
            value
        ):  # as they are: also if it is frozen, or made by its own `__init__`
            object.__setattr__(made, item.name, _mapped(getattr(value, item.name), change))
        return made
    return change(value)


def _mapped_dict(value: dict[Any, Any], change: Callable[[Any], Any]) -> Any:
    kind: Any = type(value)
    items = [(name, _mapped(item, change)) for name, item in value.items()]
    if kind is dict:
        return dict(items)
    copied = value.copy()  # keeps what a defaultdict or an OrderedDict is besides
    copied.update(items)
    return copied


def _flat(kind: Any, places: list[int | None], single: bool) -> Rebuild:
    """For a list or tuple of values and operations, which is what training steps fetch."""

    def build(results: Any) -> Any:
        values = (results,) if single else results or ()
        return kind([None if place is None else values[place] for place in places])

    return build


def _same(results: Any) -> Any:
    return results
