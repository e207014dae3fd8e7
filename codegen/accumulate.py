"""Products that go where they are wanted: into sums, and into the arrays that they are copied to.

    t0 = x @ w                             z = x @ w
    t1 = h @ u                    →        z += h @ u
    for i, j: z = t0 + t1 + b              for i, j: z = z + b

    t = x.T @ d                            total += x.T @ d
    for i, j: total += t          →

A product is finished before it is added, so the numbers are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from ..graph.ir.dims import Size
from ..graph.ir.dims import symbol as size_of
from .nest import (
    MATMUL,
    Apply,
    Expr,
    Load,
    Loop,
    Routine,
    Stmt,
    Storage,
    Store,
    expressions,
    loads,
    statements,
    target_of,
    with_values,
)

Dead = Callable[[Storage], bool]
Commute = Callable[[Stmt, Stmt], bool]
Overlap = Callable[[Storage, Storage], bool]
Canon = Callable[[Size], Size]
_SUM = "{0} + {1}"


def accumulated(tape: list[Stmt], dead: Dead, commute: Commute, overlap: Overlap, canon: Canon) -> list[Stmt]:
    """The tape with products written, or added, to where they end up."""
    work = _Accumulation(dead, commute, overlap, canon)
    while (changed := work.step(tape)) is not None:
        tape = changed
    return tape


class _Accumulation:
    """One product after another; how often each array is read and written is counted once for each tape."""

    def __init__(self, dead: Dead, commute: Commute, overlap: Overlap, canon: Canon) -> None:
        self._dead, self._commute, self._overlap, self._canon = dead, commute, overlap, canon
        self._reads: Counter[Storage] = Counter()
        self._writes: Counter[Storage] = Counter()
        self._sums: dict[Storage, tuple[Load, Load]] = {}

    def step(self, tape: list[Stmt]) -> list[Stmt] | None:
        """The tape with the first product that can be put where it is wanted; None if there is none."""
        routines = [s for s in tape if isinstance(s, Routine) and not s.add]
        if not routines:
            return None
        self._reads = Counter(load.storage for expr in expressions(tape) for load in loads(expr))
        self._writes = Counter(s for statement in statements(tape) if (s := target_of(statement)) is not None)
        self._sums = _sums_of(tape)
        tries = (self.summed(tape, routine) or self.delivered(tape, routine) for routine in routines)
        return next((changed for changed in tries if changed is not None), None)

    def _is_passing(self, storage: Storage) -> bool:
        """True for a whole temporary of numbers that is read in one place."""
        return storage.type.dtype.kind in "fiu" and self._dead(storage) and self._reads[storage] == 1

    def summed(self, tape: list[Stmt], product: Routine) -> list[Stmt] | None:
        """The tape with `product` added to an earlier one, where the two are added anyway."""
        target = product.target
        if product.function != MATMUL or not _is_whole(target) or not self._is_passing(target.storage):
            return None
        if self._writes[target.storage] != 1:
            return None
        pair = self._sums.get(target.storage)
        if pair is None or pair[0].storage is target.storage or pair[0].index != pair[1].index:
            return None
        earlier = pair[0].storage
        if earlier.type.shape != target.storage.type.shape or not self._is_passing(earlier):
            return None
        place = tape.index(product)
        writers = [s for s in tape if isinstance(s, Routine) and s.target.storage is earlier]
        if len(writers) != self._writes[earlier] or not writers or not _is_whole(writers[0].target):
            return None
        if any(writer.function != MATMUL for writer in writers):
            return None
        if not all(tape.index(writer) < place for writer in writers):
            return None
        added = replace(product, target=replace(target, storage=earlier), add=True)
        return _without_sum([added if s is product else s for s in tape], *pair)

    def delivered(self, tape: list[Stmt], routine: Routine) -> list[Stmt] | None:
        """The tape with `routine` written or added to the array that its result is copied or added to."""
        temporary = routine.target.storage
        if not _is_whole(routine.target) or not self._is_passing(temporary):
            return None
        place = tape.index(routine)
        if self._writes[temporary] != 1:
            return None
        for number in range(place + 1, len(tape)):
            found = self._delivery(tape[number], temporary)
            if found is None:
                continue
            storage, add = found
            if add and routine.function != MATMUL:
                return None
            if any(self._overlap(storage, load.storage) for load in routine.given):
                return None
            moved = replace(routine, target=replace(routine.target, storage=storage), add=add)
            if all(self._commute(statement, moved) for statement in tape[place + 1 : number]):
                return [*tape[:place], *tape[place + 1 : number], moved, *tape[number + 1 :]]
            return None
        return None

    def _delivery(self, statement: Stmt, temporary: Storage) -> tuple[Storage, bool] | None:
        """The array that all of the temporary is copied to, or added to, by a nest that does nothing else."""
        index: list[Size] = []
        extents: list[Size] = []
        while isinstance(statement, Loop) and len(statement.body) == 1:
            index.append(size_of(statement.index))
            extents.append(self._canon(statement.extent))
            statement = statement.body[0]
        if not isinstance(statement, Store) or statement.index != tuple(index):
            return None
        storage = statement.storage
        shape = [self._canon(size) for size in storage.type.shape]
        if storage.type.layout != "C" or shape != extents or storage.type.dtype != temporary.type.dtype:
            return None
        mine, given = Load(storage, tuple(index)), Load(temporary, tuple(index))
        if statement.value == given:
            return storage, False
        both = (Apply(_SUM, (mine, given)), Apply(_SUM, (given, mine)))
        return (storage, True) if statement.value in both else None


def _is_whole(target: Load) -> bool:
    return target.view == "{0}"


def _sums_of(tape: list[Stmt]) -> dict[Storage, tuple[Load, Load]]:
    """For each array the first sum of its element and another: (the other one, its own)."""
    found: dict[Storage, tuple[Load, Load]] = {}
    for expr in expressions(tape):
        for one, other in _sums(expr):
            found.setdefault(other.storage, (one, other))
            found.setdefault(one.storage, (other, one))
    return found


def _sums(expr: Expr) -> Iterator[tuple[Load, Load]]:
    if isinstance(expr, Apply):
        one, other = (*expr.arguments, None, None)[:2]
        if expr.template == _SUM and isinstance(one, Load) and isinstance(other, Load):
            yield one, other
        for argument in expr.arguments:
            yield from _sums(argument)


def _without_sum(body: list[Stmt], kept: Load, gone: Load) -> list[Stmt]:
    """`body` with `kept` in place of the sum of the two."""

    def without(expr: Expr) -> Expr | None:
        is_sum = isinstance(expr, Apply) and expr.template == _SUM and set(expr.arguments) == {kept, gone}
        return kept if is_sum else None

    return with_values(body, without)
