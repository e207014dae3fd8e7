"""Which loops of a nest run side by side, one iteration or more to a thread."""

from __future__ import annotations

from collections.abc import Iterator

from ..accesses import Accesses, Overlap, accesses, names_in, same_iteration
from ..nest import Join, Let, Loop, Stmt, Store, statements, texts


def perfect(loop: Loop) -> Iterator[Loop]:
    """The loops of a nest that have nothing but each other inside, outermost first."""
    yield loop
    if len(loop.body) == 1 and isinstance(loop.body[0], Loop):
        yield from perfect(loop.body[0])


def accumulators(loop: Loop) -> dict[str, Join]:
    """The scalars that go from iteration to iteration, each with how its parts are joined.

    Raises:
        NotImplementedError: one of them has no such form.
    """
    found: dict[str, Join] = {}
    for name in dict.fromkeys(_carried(loop.body, set())):
        updates = [s for s in statements(loop.body) if isinstance(s, Let) and s.name == name]
        joins = {update.join for update in updates}
        others = [s for s in statements(loop.body) if isinstance(s, (Let, Store)) and s not in updates]
        read = any(name in names_in(text) for s in others for text in texts(s.value))
        join = joins.pop() if len(joins) == 1 else None
        if updates and (join is None or read):
            raise NotImplementedError(f"{name} goes from iteration to iteration")
        if join is not None:
            found[name] = join
    return found


def _carried(body: list[Stmt], known: set[str]) -> Iterator[str]:
    """The scalars that are read before they are set in an iteration: those of outside, and accumulators."""
    known = set(known)
    for statement in body:
        if isinstance(statement, Loop):
            yield from _carried(statement.body, known)
            continue
        if isinstance(statement, (Let, Store)):
            for text in texts(statement.value):
                yield from (name for name in names_in(text) if name not in known)
        if isinstance(statement, Let):
            known.add(statement.name)


def side_by_side(loop: Loop, overlap: Overlap) -> list[Loop]:
    """The loops of a nest whose iterations can all run side by side, outermost first."""
    found: list[Loop] = []
    for each in perfect(loop):
        if not _apart(each, accesses(each.body), overlap):
            break
        found.append(each)
    return found


def _apart(loop: Loop, inner: Accesses, overlap: Overlap) -> bool:
    """True when no iteration of the loop touches an element that another one writes."""
    return all(
        same_iteration(store, other, loop.index)
        for store in inner.written
        for other in inner.all()
        if overlap(store.storage, other.storage)
    )
