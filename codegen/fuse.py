"""Fusion of loop nests: share loops, keep elements in scalars, shrink what is left of temporaries.

`fuse` works on the statements between two points of control flow. Loops of one extent become one where every
element is then still written before it is read; elements that are read in the iteration that wrote them
become scalars; a temporary of which one row is alive at a time becomes a row, or the array that is made of
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial

from ..graph.ir import dims
from ..graph.ir.dims import Size
from .accesses import Accesses, Hidden, Overlap, accesses, commute, has_other_names, may_share, names_in
from .accumulate import accumulated
from .nest import (
    Expr,
    Let,
    Load,
    Loop,
    Routine,
    Stmt,
    Storage,
    Store,
    Text,
    expressions,
    loads,
    statements,
    substituted,
    target_of,
    templates,
    texts,
    with_values,
    written,
)
from .reuse import reused


@dataclass(frozen=True, slots=True)
class FusionFacts:
    """Which storages overlap, are read no more, hold nothing, are unseen after an exception; equal sizes.

    `long` are the templates of operations that take long. `fresh` makes names, `scalar_for` that of a scalar
    for the elements of an array that goes.
    """

    overlap: Overlap
    dead: Callable[[Storage], bool]
    blank: Callable[[Storage], bool]
    hidden: Hidden
    fresh: Callable[[str], str]
    scalar_for: Callable[[Storage], str]
    canon: Callable[[Size], Size]
    long: Collection[str] = ()


def fuse(tape: list[Stmt], facts: FusionFacts) -> list[Stmt]:
    """The tape with its nests merged and its temporaries made small."""
    tape = accumulated(tape, facts.dead, partial(_apart, facts=facts), facts.overlap, facts.canon)
    body = _merged(tape, facts)
    body = _contracted(body, _Counts.of(body), facts)
    body = _read(reused(body, facts.dead, facts.blank, facts.overlap), facts)
    return _settled(_without_copies(body), facts)


def fuse_side_by_side(tape: list[Stmt], facts: FusionFacts) -> list[Stmt]:
    """The tape with its nests merged and elements in scalars, where iterations run side by side.

    An element is then read by the iteration that wrote it or in another nest, which is what may share a loop
    anyway; memory that iterations would use one after another is left alone.
    """
    body = _merged(tape, facts)
    counts = _Counts.of(body)
    body = [replace(s, body=_contracted(s.body, counts, facts)) if isinstance(s, Loop) else s for s in body]
    return _without_copies(body)


class _Exchanges:
    """Which statements may change places: found out once for each pair, as statements stay what they are."""

    def __init__(self, facts: FusionFacts) -> None:
        self.facts = facts
        self._known: dict[tuple[int, int], bool] = {}
        self._alive: dict[int, Stmt] = {}
        self._accesses: dict[int, Accesses] = {}

    def may(self, first: Stmt, second: Stmt) -> bool:
        """Whether the two may run in either order."""
        key = id(first), id(second)
        if key not in self._known:
            self._known[key] = _apart(first, second, self.facts)
            self._alive |= {key[0]: first, key[1]: second}
        return self._known[key]

    def accesses(self, loop: Loop) -> Accesses:
        """What the body of `loop` reads and writes."""
        if id(loop) not in self._accesses:
            self._alive[id(loop)] = loop
            self._accesses[id(loop)] = accesses(loop.body)
        return self._accesses[id(loop)]

    def writes(self, loop: Stmt, storages: set[Storage]) -> bool:
        """Whether `loop` writes one of the arrays."""
        assert isinstance(loop, Loop)
        return any(access.storage in storages for access in self.accesses(loop).written)

    def joined(self, loop: Loop, first: Loop, second: Loop) -> Loop:
        """Remember of `loop`, made of two, what is known of those."""
        self._alive[id(loop)] = loop
        self._accesses[id(loop)] = self.accesses(first).with_more(self.accesses(second))
        return loop


def _merged(body: list[Stmt], facts: FusionFacts) -> list[Stmt]:
    """Loops of one extent share one loop, on every level."""
    out: list[Stmt] = []
    exchanges = _Exchanges(facts)
    for statement in body:
        if not isinstance(statement, Loop) or not _joined(out, statement, exchanges):
            out.append(statement)
    return [replace(s, body=_merged(s.body, facts)) if isinstance(s, Loop) else s for s in out]


def _joined(out: list[Stmt], loop: Loop, exchanges: _Exchanges) -> bool:
    """Put the body of `loop` into an earlier loop of `out`, if what stands between allows it.

    Best into the loop that writes what this one reads, else into the nearest.
    """
    places = [k for k, s in enumerate(out) if isinstance(s, Loop) and s.extent == loop.extent][::-1]
    read = {load.storage for expr in expressions(loop.body) for load in loads(expr)}
    writers = [k for k in places if exchanges.writes(out[k], read)]
    for place in (*writers, *(k for k in places if k not in writers)):
        earlier = out[place]
        assert isinstance(earlier, Loop)
        between = out[place + 1 :]
        before = _moved_up(earlier, between, loop, exchanges)
        if before is None or _is_one_by_one(earlier, loop, exchanges.facts.long):
            continue
        inner = substituted(loop.body, {loop.index: dims.symbol(earlier.index)})
        moved = Loop(earlier.index, loop.extent, inner)
        one, two = exchanges.accesses(earlier), exchanges.accesses(moved)
        if may_share(earlier, moved, one, two, exchanges.facts.overlap):
            after = [s for s in between if not _is_among(s, before)]
            both = exchanges.joined(replace(earlier, body=earlier.body + inner), earlier, moved)
            out[place:] = [*before, both, *after]
            return True
    return False


def _is_one_by_one(one: Loop, other: Loop, long: Collection[str]) -> bool:
    """Whether one loop has to go on one by one, and the other computes what several lanes had better do."""
    serial = [_is_recurrence(one.body), _is_recurrence(other.body)]
    if serial[0] == serial[1]:
        return False
    free = other if serial[0] else one
    return any(text in long for expr in expressions(free.body) for text in templates(expr))


def _is_recurrence(body: list[Stmt]) -> bool:
    """Whether a variable is made of what it was in the iteration before."""
    made: set[str] = set()
    for statement in body:
        if isinstance(statement, Let):
            before = statement.name in texts(statement.value) and statement.name not in made
            if before and statement.join is None:
                return True
            made.add(statement.name)
    return False


def _moved_up(earlier: Loop, between: list[Stmt], loop: Loop, exchanges: _Exchanges) -> list[Stmt] | None:
    """The statements between two loops that must go in front of both; None where that can't be."""
    up: list[Stmt] = []
    for number, statement in enumerate(between):
        if exchanges.may(statement, loop):
            continue
        passed = (s for s in between[:number] if not _is_among(s, up))
        if not exchanges.may(earlier, statement) or not all(exchanges.may(s, statement) for s in passed):
            return None
        up.append(statement)
    return up


def _is_among(statement: Stmt, others: list[Stmt]) -> bool:
    return any(statement is other for other in others)


# Scalars for elements ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Counts:
    """How many statements of a whole tape write each array, and how many elements of it they read."""

    stores: Counter[Storage]
    loads: Counter[Storage]

    @classmethod
    def of(cls, body: list[Stmt]) -> _Counts:
        """Those of `body`."""
        targets = (target_of(statement) for statement in statements(body))
        return cls(
            Counter(target for target in targets if target is not None),
            Counter(load.storage for expr in expressions(body) for load in loads(expr)),
        )


def _contracted(body: list[Stmt], whole: _Counts, facts: FusionFacts) -> list[Stmt]:
    """Elements that are read where they were written come from a scalar."""
    body = [replace(s, body=_contracted(s.body, whole, facts)) if isinstance(s, Loop) else s for s in body]
    number = 0
    while number < len(body):
        statement = body[number]
        rest = body[number + 1 :]
        if isinstance(statement, Store) and whole.stores[statement.storage] == 1:
            inside = _reads(rest, statement)
            # What is written under another name isn't counted.
            if inside and not has_other_names(statement.storage, whole.stores, facts.overlap):
                body[number:] = _forwarded(statement, rest, inside, whole, facts)
        number += 1
    return body


def _reads(body: list[Stmt], store: Store) -> int:
    return sum(_reading(expr, store) for expr in expressions(body))


def _reading(expr: Expr, store: Store) -> int:
    return sum(1 for load in loads(expr) if load.storage is store.storage and load.index == store.index)


def _forwarded(store: Store, rest: list[Stmt], inside: int, whole: _Counts, facts: FusionFacts) -> list[Stmt]:
    gone = whole.loads[store.storage] == inside and facts.dead(store.storage)
    if isinstance(store.value, Text) and _keeps_its_meaning(store.value, rest):
        name, first = store.value.text, []
    else:
        name = facts.scalar_for(store.storage) if gone else facts.fresh(f"{store.storage.name}_new")
        first = [Let(name, store.value, store.source)]
    # In the tape as it was, the statements are replaced one by one: `whole` must see the same loops.
    kept = [] if gone else [replace(store, value=Text(name))]
    return [*first, *kept, *_with_text(rest, store, name)]


def _keeps_its_meaning(text: Text, body: list[Stmt]) -> bool:
    """Whether `body` assigns no variable of a text, which would stand for something else from there on."""
    assigned = {statement.name for statement in statements(body) if isinstance(statement, Let)}
    return assigned.isdisjoint(names_in(text.text))


def _with_text(body: list[Stmt], store: Store, name: str) -> list[Stmt]:
    """`body` with the scalar `name` in place of the element that `store` writes."""

    def named(expr: Expr) -> Expr | None:
        same = isinstance(expr, Load) and expr.storage is store.storage and expr.index == store.index
        return Text(name) if same else None

    return with_values(body, named)


def _read(body: list[Stmt], facts: FusionFacts) -> list[Stmt]:
    """`body` without writes to temporaries that nobody reads."""
    read = {load.storage for expr in expressions(body) for load in loads(expr)}
    kept = {s.target.storage for s in statements(body) if isinstance(s, Routine) and s.raises}
    kept |= read
    needless = {storage for storage in written(body) if storage not in kept and facts.dead(storage)}
    return _without(body, needless) if needless else body


def _without(body: list[Stmt], storages: set[Storage]) -> list[Stmt]:
    out: list[Stmt] = []
    for statement in body:
        if isinstance(statement, Loop):
            inner = _without(statement.body, storages)
            out += [replace(statement, body=inner)] if inner else []
        elif target_of(statement) not in storages:
            out.append(statement)
    return out


# Tidying ----------------------------------------------------------------------------------------------


def _without_copies(body: list[Stmt]) -> list[Stmt]:
    """Names that were made for what is used twice go where that is a scalar already."""
    body = [replace(s, body=_without_copies(s.body)) if isinstance(s, Loop) else s for s in body]
    for number, statement in enumerate(body):
        if isinstance(statement, Let) and statement.handy and isinstance(statement.value, Text):
            old, new = Text(statement.name), statement.value
            if not _keeps_its_meaning(new, body[number + 1 :]):
                continue
            rest = with_values(body[number + 1 :], lambda expr: new if expr == old else None)  # noqa: B023
            return _without_copies([*body[:number], *rest])
    return body


def _settled(body: list[Stmt], facts: FusionFacts) -> list[Stmt]:
    """Stores go behind the reads of their iteration: LLVM does not vectorise a read that follows a write."""
    body = [replace(s, body=_settled(s.body, facts)) if isinstance(s, Loop) else s for s in body]
    out: list[Stmt] = []
    for statement in body:
        if isinstance(statement, Store) and any(isinstance(s, Store) for s in out):
            first, statement = _read_first(statement, facts)
            if first is not None and _earliest(out, first, facts) < len(out):
                out.insert(_earliest(out, first, facts), first)
            elif first is not None:
                statement = replace(statement, value=first.value)
        out.insert(_earliest(out, statement, facts) if isinstance(statement, Let) else len(out), statement)
    return out


def _read_first(store: Store, facts: FusionFacts) -> tuple[Let | None, Store]:
    """What a store reads in a scalar, and the store of that."""
    if not any(True for _ in loads(store.value)):
        return None, store
    first = Let(facts.fresh("t"), store.value, store.source)
    return first, replace(store, value=Text(first.name))


def _earliest(out: list[Stmt], statement: Let, facts: FusionFacts) -> int:
    """The place before the stores at the end of `out` that have nothing to do with `statement`."""
    place = len(out)
    while place and isinstance(out[place - 1], Store) and _apart(out[place - 1], statement, facts):
        place -= 1
    return place


def _apart(first: Stmt, second: Stmt, facts: FusionFacts) -> bool:
    return commute(first, second, facts.overlap, facts.hidden)
