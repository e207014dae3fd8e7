"""Loop nests: what a run of array operations becomes before it is fused and printed.

Indices are sizes (`graph/ir/dims.py`) over loop indices, symbols that begin with ``%``, so two accesses are
of one element when their indices are equal. Reads and writes are exact up to the index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ..graph.ir import dims
from ..graph.ir.dims import Size
from ..graph.ir.nodes import Value
from ..graph.ir.types import Array


@dataclass(slots=True, eq=False)
class Storage:
    """A Numba array variable. `local`: a temporary that nobody sees once the nests at hand are done.

    `value` is an array value of the graph that looks at this memory, None for temporaries of the generator.
    """

    name: str
    type: Array
    value: Value | None = None
    local: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar variable or a constant."""

    text: str


@dataclass(frozen=True, slots=True)
class Index:
    """The value of an index."""

    size: Size


@dataclass(frozen=True, slots=True)
class Load:
    """One element; an index that is None stands for the whole axis (in arguments of functions on arrays).

    `view` is how a part is written, ``{0}`` the array, ``{1}`` ... its indices but None: ``{0}[{1}].T``.
    """

    storage: Storage
    index: tuple[Size | None, ...]
    view: str = ""


@dataclass(frozen=True, slots=True)
class Apply:
    """A kernel text with its operands."""

    template: str
    arguments: tuple[Expr, ...]


Expr = Text | Index | Load | Apply


@dataclass(frozen=True, slots=True)
class Join:
    """How two parts of an accumulator, each from some of the iterations, become one; and its dtype.

    What the accumulator starts with changes nothing when it is joined.
    """

    template: str
    dtype: np.dtype


EITHER = Join("{0} | {1}", np.dtype(bool))
"""Of truths: whether any of them is."""


@dataclass(slots=True)
class Let:
    """Assign a scalar variable. `handy`: a name for what is used twice, needless where that is a scalar.

    `join` is set where the variable is an accumulator whose parts may be computed side by side. `symbols` are
    the sizes that are written with the variable.
    """

    name: str
    value: Expr
    source: str = ""
    handy: bool = False
    join: Join | None = None
    symbols: frozenset[str] = frozenset()


@dataclass(slots=True)
class Store:
    """Write one element."""

    storage: Storage
    index: tuple[Size, ...]
    value: Expr
    source: str = ""


@dataclass(slots=True)
class Fail:
    """Raise if a condition holds: `leave` is the statement that does."""

    condition: str
    leave: str
    source: str = ""


@dataclass(slots=True)
class Loop:
    """``for index in range(extent)``."""

    index: str
    extent: Size
    body: list[Stmt]
    source: str = ""
    comment: str = ""


@dataclass(slots=True)
class Routine:
    """A function of whole arrays: a product of matrices, a sort. It writes, or adds, to `target`.

    Each is all of an array, or the part at its index. `function` is a module that kernels import from, and
    the name there.
    """

    function: tuple[str, str]
    target: Load
    given: tuple[Load, ...]
    source: str = ""
    add: bool = False
    raises: bool = False


MATMUL = ("products", "matmul")
Stmt = Let | Store | Fail | Loop | Routine


@dataclass(slots=True)
class Counter:
    """Makes loop indices and temporaries that are new in one kernel."""

    count: int = field(default=0)

    def index(self) -> str:
        """A new loop index."""
        self.count += 1
        return f"%{self.count:04d}"


def axis(number: int) -> Size:
    """The index along an axis of an array that is not in a nest yet."""
    return dims.symbol(f"@{number}")


def at(expr: Expr, indices: Mapping[str, Size]) -> Expr:
    """`expr` with index symbols replaced."""
    if isinstance(expr, Text):
        return expr
    if isinstance(expr, Index):
        return Index(dims.substitute(expr.size, indices))
    if isinstance(expr, Load):
        index = tuple(None if i is None else dims.substitute(i, indices) for i in expr.index)
        return replace(expr, index=index)
    return Apply(expr.template, tuple(at(argument, indices) for argument in expr.arguments))


def loads(expr: Expr) -> Iterator[Load]:
    """Every element that `expr` reads."""
    if isinstance(expr, Load):
        yield expr
    elif isinstance(expr, Apply):
        for argument in expr.arguments:
            yield from loads(argument)


def texts(expr: Expr) -> Iterator[str]:
    """The variables and constants in `expr`."""
    if isinstance(expr, Text):
        yield expr.text
    elif isinstance(expr, Apply):
        for argument in expr.arguments:
            yield from texts(argument)


def count(expr: Expr) -> int:
    """How many operations `expr` has."""
    return 1 + sum(count(a) for a in expr.arguments) if isinstance(expr, Apply) else 0


def templates(expr: Expr) -> Iterator[str]:
    """The texts of the operations of `expr`."""
    if isinstance(expr, Apply):
        yield expr.template
        for argument in expr.arguments:
            yield from templates(argument)


def statements(body: list[Stmt]) -> Iterator[Stmt]:
    """Every statement of a nest, loops before what is in them."""
    for statement in body:
        yield statement
        if isinstance(statement, Loop):
            yield from statements(statement.body)


def expressions(body: list[Stmt]) -> Iterator[Expr]:
    """Every expression of a nest."""
    for statement in statements(body):
        if isinstance(statement, (Let, Store)):
            yield statement.value
        elif isinstance(statement, Routine):
            yield from statement.given


def written(body: list[Stmt]) -> list[Storage]:
    """The arrays that a nest writes."""
    targets = (target_of(statement) for statement in statements(body))
    return list(dict.fromkeys(target for target in targets if target is not None))


def stores(body: list[Stmt], storage: Storage) -> int:
    """How many statements write the array."""
    return sum(1 for statement in statements(body) if target_of(statement) is storage)


def target_of(statement: Stmt) -> Storage | None:
    """The array that one statement writes."""
    if isinstance(statement, Routine):
        return statement.target.storage
    return statement.storage if isinstance(statement, Store) else None


def substituted(body: list[Stmt], indices: Mapping[str, Size]) -> list[Stmt]:
    """A nest with index symbols replaced."""
    made: list[Stmt] = []
    for statement in body:
        if isinstance(statement, Loop):
            inner = substituted(statement.body, indices)
            made.append(replace(statement, extent=dims.substitute(statement.extent, indices), body=inner))
        elif isinstance(statement, Store):
            index = tuple(dims.substitute(i, indices) for i in statement.index)
            made.append(replace(statement, index=index, value=at(statement.value, indices)))
        elif isinstance(statement, Let):
            made.append(replace(statement, value=at(statement.value, indices)))
        elif isinstance(statement, Routine):
            made.append(with_arrays(statement, lambda load: at(load, indices)))
        else:
            made.append(statement)
    return made


def with_values(body: list[Stmt], change: Callable[[Expr], Expr | None]) -> list[Stmt]:
    """`body` with what `change` says in place of expressions; where that is None, their parts are asked."""
    made: list[Stmt] = []
    for statement in body:
        if isinstance(statement, Loop):
            made.append(replace(statement, body=with_values(statement.body, change)))
        elif isinstance(statement, (Let, Store)):
            value = _changed(statement.value, change)
            made.append(statement if value is statement.value else replace(statement, value=value))
        else:
            made.append(statement)
    return made


def _changed(expr: Expr, change: Callable[[Expr], Expr | None]) -> Expr:
    found = change(expr)
    if found is not None or not isinstance(expr, Apply):
        return expr if found is None else found
    arguments = tuple(_changed(argument, change) for argument in expr.arguments)
    same = all(a is b for a, b in zip(arguments, expr.arguments, strict=True))
    return expr if same else replace(expr, arguments=arguments)


def with_arrays(routine: Routine, change: Callable[[Load], Expr]) -> Routine:
    """`routine` with its target and what it is given changed."""
    loads = [change(load) for load in (routine.target, *routine.given)]
    target, *given = (load for load in loads if isinstance(load, Load))
    assert len(given) == len(routine.given)
    return replace(routine, target=target, given=tuple(given))


def sizes_in(body: list[Stmt]) -> Iterator[Size]:
    """The extents and indices of a nest."""
    for statement in statements(body):
        if isinstance(statement, Loop):
            yield statement.extent
            continue
        if isinstance(statement, Store):
            yield from statement.index
        elif isinstance(statement, Routine):
            yield from (index for index in statement.target.index if index is not None)
    for expr in expressions(body):
        yield from indices(expr)


def indices(expr: Expr) -> Iterator[Size]:
    """The indices in `expr`."""
    if isinstance(expr, Load):
        yield from (index for index in expr.index if index is not None)
    elif isinstance(expr, Index):
        yield expr.size
    elif isinstance(expr, Apply):
        for argument in expr.arguments:
            yield from indices(argument)


def storages_in(body: list[Stmt]) -> list[Storage]:
    """The arrays of a nest, in the order of their first use."""
    found: dict[Storage, None] = {}
    for statement in statements(body):
        if isinstance(statement, (Let, Store)):
            found.update((load.storage, None) for load in loads(statement.value))
        if isinstance(statement, Store):
            found[statement.storage] = None
        elif isinstance(statement, Routine):
            found.update((load.storage, None) for load in (*statement.given, statement.target))
    return list(found)
