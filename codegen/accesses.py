"""What the statements of a nest read and write, and when two of them may change places or share a loop."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, product

from ..graph.ir import dims
from ..graph.ir.dims import Dim, Size
from .nest import (
    Expr,
    Fail,
    Let,
    Load,
    Loop,
    Routine,
    Stmt,
    Storage,
    Store,
    indices,
    loads,
    statements,
    texts,
)

_NAME = re.compile(r"[A-Za-z_]\w*")
Overlap = Callable[[Storage, Storage], bool]
Hidden = Callable[[Storage], bool]


def has_other_names(storage: Storage, among: Iterable[Storage], overlap: Overlap) -> bool:
    """Whether one of the storages may be memory of `storage` under another name."""
    return any(other is not storage and overlap(other, storage) for other in among)


@dataclass(slots=True)
class Accesses:
    """Scalars by name, elements by storage and index; `fails`: something may raise."""

    scalars_read: set[str] = field(default_factory=set)
    scalars_written: set[str] = field(default_factory=set)
    read: list[Load] = field(default_factory=list)
    written: list[Load | Store] = field(default_factory=list)
    fails: bool = False

    def with_more(self, other: Accesses) -> Accesses:
        """These and those of `other`."""
        return Accesses(
            self.scalars_read | other.scalars_read,
            self.scalars_written | other.scalars_written,
            self.read + other.read,
            self.written + other.written,
            self.fails or other.fails,
        )

    def all(self) -> list[Load | Store]:
        """Everything that is read or written."""
        return [*self.read, *self.written]

    def shows(self, hidden: Hidden) -> bool:
        """True when somebody sees after an exception that this has run."""
        return any(not hidden(store.storage) for store in self.written)


def names_in(text: str) -> list[str]:
    """The names in a text of an expression."""
    return _NAME.findall(text)


def accesses(body: list[Stmt]) -> Accesses:
    """Everything that `body` reads and writes."""
    found = Accesses()
    for statement in statements(body):
        if isinstance(statement, (Let, Store)):
            _read(statement.value, found)
        if isinstance(statement, Let):
            found.scalars_written |= {statement.name, *statement.symbols}
        elif isinstance(statement, Store):
            found.written.append(statement)
            _count_symbols(statement.index, found)
        elif isinstance(statement, Routine):
            for load in (statement.target, *statement.given):
                found.scalars_read.update(names_in(load.view))
                _count_symbols(load.index, found)
            found.written.append(statement.target)
            found.read += [*statement.given, *([statement.target] if statement.add else [])]
        elif isinstance(statement, Fail):
            found.fails = True
            found.scalars_read.update(names_in(statement.condition))
        elif isinstance(statement, Loop):
            _count_symbols((statement.extent,), found)
    return found


def _count_symbols(sizes: Iterable[Size | None], found: Accesses) -> None:
    """The variables that sizes are made of, by the names of their symbols."""
    for size in sizes:
        if isinstance(size, Dim):
            found.scalars_read.update(s for s in dims.symbols(size) if not s.startswith("%"))


def _read(expr: Expr, found: Accesses) -> None:
    found.read.extend(loads(expr))
    _count_symbols(indices(expr), found)
    for text in texts(expr):
        found.scalars_read.update(names_in(text))


def commute(first: Stmt, second: Stmt, overlap: Overlap, hidden: Hidden) -> bool:
    """True when the two may run in either order."""
    one, two = accesses([first]), accesses([second])
    if (
        one.scalars_written & (two.scalars_read | two.scalars_written)
        or two.scalars_written & one.scalars_read
    ):
        return False
    if (one.fails and (two.fails or two.shows(hidden))) or (two.fails and one.shows(hidden)):
        return False
    others = two.all()
    pairs = chain(product(one.written, others), product(two.written, one.read))
    met = [(a, b) for a, b in pairs if overlap(a.storage, b.storage)]
    extents = _extents([first, second]) if met else {}
    return all(_apart(a, b, extents) for a, b in met)


def may_share(first: Loop, second: Loop, one: Accesses, two: Accesses, overlap: Overlap) -> bool:
    """True when `second`, whose index is named like that of `first`, may run inside each of its iterations.

    `one` and `two` are what their bodies read and write.
    """
    if (
        one.scalars_written & (two.scalars_read | two.scalars_written)
        or two.scalars_written & one.scalars_read
    ):
        return False
    if one.fails or two.fails:
        return False
    extents = _extents([first, second])
    met = chain(_met(one.written, two.all(), overlap), _met(one.read, two.written, overlap))
    return all(same_iteration(a, b, first.index) or _apart(a, b, extents) for a, b in met)


def _met(
    ours: Sequence[Load | Store], theirs: Sequence[Load | Store], overlap: Overlap
) -> Iterator[tuple[Load | Store, Load | Store]]:
    """The pairs whose arrays overlap; each pair of arrays is asked about once."""
    of_theirs = _by_storage(theirs)
    for mine, group in _by_storage(ours).items():
        for other, others in of_theirs.items():
            if overlap(mine, other):
                yield from product(group, others)


def _by_storage(found: Sequence[Load | Store]) -> dict[Storage, list[Load | Store]]:
    groups: dict[Storage, list[Load | Store]] = {}
    for each in found:
        groups.setdefault(each.storage, []).append(each)
    return groups


def same_iteration(left: Load | Store, right: Load | Store, index: str) -> bool:
    """True when the two meet in one element only in the same iteration of the loop over `index`."""
    if left.storage is not right.storage:
        return False
    return any(
        mine is not None and mine == other and _only(mine, index)
        for mine, other in zip(left.index, right.index, strict=True)
    )


def _extents(body: list[Stmt]) -> dict[str, Size]:
    """The iterations of all loops of a nest, by their indices."""
    return {loop.index: loop.extent for loop in statements(body) if isinstance(loop, Loop)}


def _apart(left: Load | Store, right: Load | Store, extents: Mapping[str, Size]) -> bool:
    """True when the two reach different parts of one array, as neighbouring slices are."""
    if left.storage is not right.storage:
        return False
    for mine, other in zip(left.index, right.index, strict=True):
        one, two = _range(mine, extents), _range(other, extents)
        if one is None or two is None:
            continue
        for low, high in ((one[0], two[1]), (two[0], one[1])):
            gap = dims.lower(dims.sub(low, high))
            if gap is not None and gap > 0:
                return True
    return False


def _range(index: Size | None, extents: Mapping[str, Size]) -> tuple[Size, Size] | None:
    """The smallest and the largest value of an index; None where that isn't known."""
    if index is None or isinstance(index, int):
        return None if index is None else (index, index)
    low: Size = index.const
    high: Size = index.const
    for atom, factor in index.terms:
        extent = extents.get(atom.name) if isinstance(atom, dims.Sym) else None
        if isinstance(atom, dims.Term) and _under(atom) & set(extents):
            return None
        if extent is None:
            fixed = dims.scale(Dim(((atom, 1),)), factor)
            low, high = dims.add(low, fixed), dims.add(high, fixed)
        elif factor > 0:
            high = dims.add(high, dims.scale(dims.sub(extent, 1), factor))
        else:
            low = dims.add(low, dims.scale(dims.sub(extent, 1), factor))
    return low, high


def _only(size: Size, index: str) -> bool:
    """True for an index that takes each value in one iteration over `index`."""
    inner = {symbol for symbol in dims.symbols(size) if symbol.startswith("%")}
    if inner != {index} or isinstance(size, int):
        return False
    return all(isinstance(atom, dims.Sym) or index not in _under(atom) for atom, _ in size.terms)


def _under(term: dims.Term) -> set[str]:
    return dims.symbols(term.left) | dims.symbols(term.right)
