"""Temporaries that live in the memory of what is made of them, element by element."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..graph.ir import dims
from ..graph.ir.dims import Size
from .accesses import Overlap, has_other_names
from .nest import (
    Apply,
    Expr,
    Let,
    Load,
    Loop,
    Routine,
    Stmt,
    Storage,
    Store,
    expressions,
    loads,
    storages_in,
    stores,
    with_arrays,
    written,
)

Asks = Callable[[Storage], bool]


def reused(body: list[Stmt], dead: Asks, blank: Asks, overlap: Overlap) -> list[Stmt]:
    """`body` with dead temporaries in the arrays that are made of them.

    Nobody may read what either of the two held before (`blank`), or the temporary afterwards (`dead`).

    Before::

        for i: t[i] = exp(x[i])
        for i: z[i] = t[i] * y[n - i]

    After::

        for i: z[i] = exp(x[i])
        for i: z[i] = z[i] * y[n - i]
    """
    free = [s for s in written(body) if blank(s) and not _continues(body, s)]
    for temporary in filter(dead, free):
        heir = _heir(body, temporary, free, overlap)
        if heir is not None:
            return reused(_renamed(body, temporary, heir), dead, blank, overlap)
    return body


def _continues(body: list[Stmt], temporary: Storage) -> bool:
    """True when what stood in the storage before may be read: the first access is no write."""
    for statement in body:
        if isinstance(statement, Loop):
            if any(_accesses(statement.body, temporary)):
                return _continues(statement.body, temporary)
        elif next(_reads(statement, temporary), None) is not None:
            return True
        elif any(_accesses([statement], temporary)):
            return False
    return False


def _heir(body: list[Stmt], temporary: Storage, free: list[Storage], overlap: Overlap) -> Storage | None:
    """A free array whose elements are written where those of the temporary are read for the last time."""
    top = next((s for s in reversed(body) if any(_accesses([s], temporary))), None)
    if top is None:
        return None
    loops, block, place = _last_read([top], temporary)
    if place < 0:
        return None
    for statement in block[place:]:
        if not isinstance(statement, Store) or statement.storage not in free:
            continue
        heir = statement.storage
        if not _fits(heir, temporary) or has_other_names(heir, storages_in(body), overlap):
            continue
        if _written_after(top, statement, temporary):
            continue
        alone = stores(body, statement.storage) == 1 and _covers(statement.index, loops)
        if alone and all(_in_time(*access, statement.index) for access in _accesses([top], temporary)):
            return statement.storage
    return None


def _written_after(top: Stmt, statement: Stmt, storage: Storage) -> bool:
    """Whether the array is written once more behind `statement`, though nobody reads it."""
    leaves = list(_leaves([top]))
    place = next(k for k, leaf in enumerate(leaves) if leaf is statement)
    return storage in written(leaves[place + 1 :])


def _leaves(body: list[Stmt]) -> Iterator[Stmt]:
    for statement in body:
        if isinstance(statement, Loop):
            yield from _leaves(statement.body)
        else:
            yield statement


def _accesses(
    body: list[Stmt], storage: Storage, loops: tuple[str, ...] = ()
) -> Iterator[tuple[Load | Store, tuple[str, ...]]]:
    """Every read and write of the array, with the indices of the loops around it."""
    for statement in body:
        if isinstance(statement, Loop):
            yield from _accesses(statement.body, storage, (*loops, statement.index))
            continue
        if isinstance(statement, Routine) and statement.target.storage is storage:
            yield statement.target, loops
        elif isinstance(statement, Store) and statement.storage is storage:
            yield statement, loops
        yield from ((load, loops) for load in _reads(statement, storage))


def _in_time(access: Load | Store, loops: tuple[str, ...], index: tuple[Size, ...]) -> bool:
    """True when each iteration of the loops around both accesses only what it overwrites itself."""
    pairs = zip(access.index, index, strict=True)
    return all(mine == other for mine, other in pairs if dims.symbols(other) & set(loops))


def _reads(statement: Stmt, storage: Storage) -> Iterator[Load]:
    for expr in expressions([statement]):
        yield from (load for load in loads(expr) if load.storage is storage)


def _last_read(block: list[Stmt], storage: Storage) -> tuple[list[Loop], list[Stmt], int]:
    """The loops around the last statement that reads the array, its block, and its place there (-1: none)."""
    for place in reversed(range(len(block))):
        statement = block[place]
        if isinstance(statement, Loop):
            loops, inner, found = _last_read(statement.body, storage)
            if found >= 0:
                return [statement, *loops], inner, found
        elif next(_reads(statement, storage), None) is not None:
            return [], block, place
    return [], block, -1


def _covers(index: tuple[Size, ...], loops: list[Loop]) -> bool:
    """True when each iteration of the loops has an element of its own."""
    symbols = {symbol for size in index for symbol in dims.symbols(size)}
    return all(loop.index in symbols for loop in loops)


def _fits(new: Storage, old: Storage) -> bool:
    """True when the memory of `new` is like that of `old`."""
    same = new.type.dtype == old.type.dtype and new.type.shape == old.type.shape
    return new is not old and same and new.type.layout == old.type.layout


def _renamed(body: list[Stmt], old: Storage, new: Storage) -> list[Stmt]:
    out: list[Stmt] = []
    for statement in body:
        if isinstance(statement, Loop):
            out.append(replace(statement, body=_renamed(statement.body, old, new)))
        elif isinstance(statement, Store):
            storage = new if statement.storage is old else statement.storage
            out.append(replace(statement, storage=storage, value=_moved(statement.value, old, new)))
        elif isinstance(statement, Let):
            out.append(replace(statement, value=_moved(statement.value, old, new)))
        elif isinstance(statement, Routine):
            out.append(with_arrays(statement, lambda load: _moved(load, old, new)))
        else:
            out.append(statement)
    return out


def _moved(expr: Expr, old: Storage, new: Storage) -> Expr:
    if isinstance(expr, Load) and expr.storage is old:
        return replace(expr, storage=new)
    if isinstance(expr, Apply):
        return Apply(expr.template, tuple(_moved(argument, old, new) for argument in expr.arguments))
    return expr
