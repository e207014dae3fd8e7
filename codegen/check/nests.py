"""Do fused nests do what the nests did that they were made of?

Both run on small sizes with symbols for numbers: an element holds the expression that was written to it. Then
every element that somebody may still read must hold the same expression, whatever was merged, forwarded,
dropped or put into the memory of something else. (Translation validation: Pnueli, Siegel and Singerman 1998.)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ...graph.ir.dims import Size, Sym, symbols
from ...graph.ir.nodes import Guard
from ..accesses import Overlap, accesses, names_in
from ..nest import (
    Expr,
    Fail,
    Index,
    Let,
    Load,
    Loop,
    Routine,
    Stmt,
    Storage,
    Store,
    Text,
    statements,
    storages_in,
)
from .sizes import SIZE, sizes_that_hold

PLACE = 2
"""What a number is that is no size, as that of an iteration: a window that begins there lies in the array."""

LARGEST = 6
"""So many iterations of a loop are run, and all of them where there seems to be a fault: a loop that goes
backwards begins at the other end."""
MOST_STEPS = 30_000
_SUM = "{0} + {1}"
_FUNCTIONS = {function.__name__: function for function in (max, min)}

OUTSIDE = ("place outside",)
Place = tuple[int, ...]


class _TooManySteps(Exception):
    """The nests would take too many steps to be run here."""


def difference(
    before: list[Stmt],
    after: list[Stmt],
    unread: Callable[[Storage], bool],
    overlap: Overlap,
    guards: Sequence[Guard] = (),
) -> str | None:
    """What `after` does otherwise than `before`, in words; None if nothing that anybody may read.

    Arrays that may be the same memory are taken to be apart, and to be the same. Sizes are one number:
    where `guards` say otherwise, and there seems to be a fault, they are such numbers.
    """
    negative = next(_negative(after), None)
    if negative is not None:
        return f"an element of {negative.storage.name} is picked by a negative number"
    storages = storages_in([*before, *after])
    for names in ({}, *_same_memory(storages, overlap)):
        if _difference(before, after, unread, _Setting(names, LARGEST, {})) is not None:
            all_of_it = _Setting(names, sys.maxsize, sizes_in_guards(guards))
            if (found := _difference(before, after, unread, all_of_it)) is not None:
                return found
    return None


def sizes_in_guards(guards: Sequence[Guard]) -> dict[str, int]:
    """What sizes are where they can't all be one number; empty if they can, or if nothing fits."""
    found = sizes_that_hold((), {}, guards) or {}
    return {} if set(found.values()) <= {SIZE} else found


def _negative(body: list[Stmt]) -> Iterator[Load | Store]:
    """Elements with an index that counts from the end: nests have none."""
    for access in accesses(body).all():
        if any(isinstance(index, int) and index < 0 for index in access.index):
            yield access


def _same_memory(storages: Sequence[Storage], overlap: Overlap) -> Iterator[dict[Storage, Storage]]:
    """For arrays that may be one, which they are then: so often that any two that may be one are, once.

    One array may be one with each of two others that are apart: with a swap after the other, say.
    """
    pairs = [pair for pair in combinations(storages, 2) if pair[0].type.ndim == pair[1].type.ndim]
    left = [pair for pair in pairs if overlap(*pair)]
    may_be_one = set(map(frozenset, left))
    while left:
        groups = [list(left[0])]
        for storage in storages:
            if storage not in groups[0]:
                joined = (g for g in groups if all(frozenset((storage, one)) in may_be_one for one in g))
                if (group := next(joined, None)) is None:
                    groups.append([storage])
                else:
                    group.append(storage)
        names = {storage: group[0] for group in groups for storage in group}
        left = [(one, other) for one, other in left if names[one] is not names[other]]
        yield names


@dataclass(frozen=True)
class _Setting:
    """Which arrays are one, how many iterations of a loop are run, and what sizes are that aren't `SIZE`."""

    names: dict[Storage, Storage]
    largest: int
    sizes: Mapping[str, int]


def _difference(
    before: list[Stmt], after: list[Stmt], unread: Callable[[Storage], bool], numbers: _Setting
) -> str | None:
    terms = _Terms()
    first, second = _SymbolicRun(terms, numbers), _SymbolicRun(terms, numbers)
    try:
        first.run(before)
        second.run(after)
    except _TooManySteps:
        return None
    read = {first.known_as(s): s for s in storages_in([*before, *after]) if not unread(s)}
    for storage, place in dict.fromkeys((*first.written, *second.written)):
        if storage in read:
            expected, found = first.element(storage, place), second.element(storage, place)
            if terms.differ(expected, found):
                said = f"{terms.text(found)} instead of {terms.text(expected)}"
                return f"{read[storage].name}{list(place)} is {said}"
    for name in first.scalars.keys() & second.scalars.keys():
        if terms.differ(first.scalars[name], second.scalars[name]):
            said = f"{terms.text(second.scalars[name])} instead of {terms.text(first.scalars[name])}"
            return f"{name} is {said}"
    alike = len(first.failures) == len(second.failures)
    if alike and not any(map(terms.differ, first.failures, second.failures)):
        return None
    return "something is raised at another point"


class _Terms:
    """Expressions by number: equal ones have equal numbers."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._parts: list[tuple[Any, ...]] = []
        self._unknown: set[int] = set()
        """Those that look outside of an array, where the numbers that sizes have here lead."""

    def of(self, *parts: Any, made_of: Iterable[int | None] = ()) -> int:
        """The number of an expression that has these parts, some of which are expressions."""
        if parts not in self._numbers:
            number = self._numbers[parts] = len(self._parts)
            self._parts.append(parts)
            if parts == OUTSIDE or not self._unknown.isdisjoint(made_of):
                self._unknown.add(number)
        return self._numbers[parts]

    def differ(self, one: int, other: int) -> bool:
        """Whether two expressions are known not to be the same."""
        return one != other and one not in self._unknown and other not in self._unknown

    def text(self, number: int, depth: int = 3) -> str:
        """The expression, as far as it can be shown on a line."""
        kind, *parts = self._parts[number]
        if kind == "old":
            return f"{parts[0].name}{list(parts[1])} as it was"
        if kind == "apply":
            arguments = [self.text(part, depth - 1) if depth else "..." for part in parts[1]]
            return str(parts[0]).format(*(f"({a})" if " " in a else a for a in arguments))
        return str(parts[0]) if kind in ("text", "index") else f"an element of a {kind}"


class _SymbolicRun:
    """What is in memory and in variables while nests run."""

    def __init__(self, terms: _Terms, numbers: _Setting) -> None:
        self._terms, self._names, self._largest = terms, numbers.names, numbers.largest
        self._given = numbers.sizes
        self._steps = 0
        self._unset: set[str] = set()
        self._sizes: dict[str, int] = {}
        """The numbers of loop indices."""
        self.scalars: dict[str, int] = {}
        self.written: dict[tuple[Storage, Place], int] = {}
        self.failures: list[int] = []
        self._extents: set[str] = set()

    def run(self, body: list[Stmt]) -> None:
        """Run all of the nests; sizes that they compute are other ones before."""
        lets = (statement for statement in statements(body) if isinstance(statement, Let))
        self._unset = {symbol for let in lets for symbol in let.symbols}
        extents = [loop.extent for loop in statements(body) if isinstance(loop, Loop)]
        shapes = [size for storage in storages_in(body) for size in storage.type.shape]
        self._extents = {name for size in (*extents, *shapes) for name in symbols(size)}
        self.body(body)

    def known_as(self, storage: Storage) -> Storage:
        """The array that stands for this memory."""
        return self._names.get(storage, storage)

    def element(self, storage: Storage, place: Place) -> int:
        """What an element holds; before its first write, what it held before the nests.

        The numbers that sizes have here may lead out of an array; nothing is said of what is there.
        """
        storage = self.known_as(storage)
        if not self._is_inside(storage, place):
            return self._terms.of(*OUTSIDE)
        found = self.written.get((storage, place))
        return self._terms.of("old", storage, place) if found is None else found

    def _is_inside(self, storage: Storage, place: Place) -> bool:
        return all(0 <= i < size for i, size in zip(place, self._shape(storage), strict=True))

    def _shape(self, storage: Storage) -> list[int]:
        """The sizes of an array: those before the nests."""
        unset, self._unset = self._unset, set()
        sizes = [self.size(size) for size in storage.type.shape]
        self._unset = unset
        return sizes

    # Statements

    def body(self, body: list[Stmt]) -> None:
        """Run statements."""
        for statement in body:
            self._steps += 1
            if self._steps > MOST_STEPS:
                raise _TooManySteps
            if isinstance(statement, Loop):
                for number in range(min(self.size(statement.extent), self._largest)):
                    self._sizes[statement.index] = number
                    self.body(statement.body)
            elif isinstance(statement, Let):
                self.scalars[statement.name] = self._value(statement.value)
                self._unset -= statement.symbols
            elif isinstance(statement, Store):
                place = tuple(self.size(index) for index in statement.index)
                value, storage = self._value(statement.value), self.known_as(statement.storage)
                if self._is_inside(storage, place):
                    self.written[storage, place] = value
            elif isinstance(statement, Fail):
                self.failures.append(self._text(statement.condition))
            else:
                self._routine(statement)

    def _routine(self, routine: Routine) -> None:
        given = tuple(self._part(load) for load in routine.given)
        places, _ = self._places(routine.target)
        target = self.known_as(routine.target.storage)
        found = {}
        for number, place in enumerate(places):
            element = self._terms.of(routine.function[1], given, number, made_of=given)
            if routine.add:
                element = self._apply(_SUM, (self.element(target, place), element))
            found[target, place] = element
        self.written.update(found)

    # Expressions

    def _value(self, expr: Expr) -> int:
        if isinstance(expr, Text):
            return self._text(expr.text)
        if isinstance(expr, Index):
            return self._terms.of("index", self.size(expr.size))
        if isinstance(expr, Load):
            if expr.view or None in expr.index:
                return self._part(expr)
            return self.element(expr.storage, tuple(self.size(i) for i in expr.index if i is not None))
        return self._apply(expr.template, tuple(self._value(argument) for argument in expr.arguments))

    def _apply(self, template: str, arguments: tuple[int, ...]) -> int:
        arguments = tuple(sorted(arguments)) if template == _SUM else arguments
        return self._terms.of("apply", template, arguments, made_of=arguments)

    def _text(self, text: str) -> int:
        if text in self.scalars:
            return self.scalars[text]
        named = tuple(self.scalars.get(name) for name in names_in(text))
        return self._terms.of("text", text, named, made_of=named)

    def _part(self, load: Load) -> int:
        places, shape = self._places(load)
        elements = tuple(self.element(load.storage, place) for place in places)
        return self._terms.of("part", elements, shape, made_of=elements)

    def _places(self, load: Load) -> tuple[list[Place], tuple[int, ...]]:
        """The elements of a part of an array, in order, and its shape."""
        sizes = [min(size, self._largest) for size in self._shape(load.storage)]
        whole = np.empty(sizes, dtype=object)
        for place in np.ndindex(*sizes):
            whole[place] = place
        picked = [
            None if i is None else self.size(i) % max(n, 1) for i, n in zip(load.index, sizes, strict=True)
        ]
        if not load.view:
            part = whole[tuple(slice(None) if i is None else i for i in picked)]
        else:
            text = load.view.format("whole", *(i for i in picked if i is not None))
            part = eval(text, _FUNCTIONS, _Variables(whole=whole))  # our own text
        return list(part.reshape(-1)), part.shape

    # Sizes

    def size(self, size: Size) -> int:
        """The number that a size is here."""
        if isinstance(size, int):
            return size
        return size.const + sum(factor * self._atom(atom) for atom, factor in size.terms)

    def _atom(self, atom: Any) -> int:
        if isinstance(atom, Sym):
            return max(self.symbol(atom.name), atom.low or 0)
        left, right = self.size(atom.left), self.size(atom.right)
        if atom.function == "//":
            return left // (right or 1)
        return {"max": max, "min": min}[atom.function](left, right) if atom.function != "*" else left * right

    def symbol(self, name: str) -> int:
        """The number that a symbol is here."""
        usual = self._given.get(name, SIZE if name in self._extents else PLACE)
        return self._sizes.get(name, usual) + (name in self._unset)


class _Variables(dict[str, Any]):
    """The variables in the text of a slice; its functions are globals."""

    def __missing__(self, name: str) -> int:
        if name in _FUNCTIONS:
            raise KeyError(name)
        return SIZE
