"""Deques of numbers: what is done with them."""

from __future__ import annotations

from collections.abc import Callable

from ...graph.symbolic.elements import load_at, store_at
from ...graph.symbolic.operators import binary
from ...graph.trace.attempt import Restart
from ...graph.trace.build import current
from ..growing_rows import RowForm
from ..number_deques import NumberDeque
from ..tracer import tracer
from .control import if_stmt
from .exits import STATELESS, fail, nothing
from .growing import empty, form_in, form_with
from .iterables import SymbolicRange, sequence_of
from .list_changes import place_of

DEQUE = "deque"
"""How deques are made, in their sites."""
_GONE = 64
"""So many items that are gone may stand before the others, and as many as the others, until these move."""


def made_deque(site: object, items: list[object]) -> NumberDeque | None:
    """``deque(items)`` that is known to be one of numbers; None if it isn't."""
    known = tracer().knowledge
    form = known.grown.get(site)
    if site in known.materialised or not isinstance(form, RowForm) or not tracer().takes_lists():
        return None
    made = NumberDeque(empty(form), site, current().blocks[-1])
    tracer().growing.append(made)
    for item in items:
        _append(made, item)
    return made


def wanted(site: object, items: list[object], method: str, args: tuple[object, ...]) -> None:
    """A method of a deque that is an object of the run is called: where it can be of numbers, start again."""
    if (method, len(args)) not in _METHODS or not tracer().takes_lists():
        return
    known = tracer().knowledge
    form = known.grown.get(site)
    more = args if method == "append" else ()
    if method == "extend" and isinstance(args[0], (list, tuple)):
        more = tuple(args[0])
    for item in (*items, *more):
        if (form := form_with(form, item)) is None:
            return
    if isinstance(form, RowForm) and form.container is not list and site not in known.materialised:
        if form != known.grown.get(site):
            known.grown[site] = form
            raise Restart


def _append(owner: NumberDeque, item: object) -> None:
    """``deque.append(item)``."""
    if not form_in(owner.items).holds(item):
        wanted(owner.site, [], "append", (item,))
        owner.give_up()
    if_stmt(binary("ge", owner.head, _GONE), lambda: _move_if_many(owner), nothing, *STATELESS)
    owner.items.append(item)


def _move_if_many(owner: NumberDeque) -> None:
    many = binary("ge", binary("mul", owner.head, 2), owner.items.filled)
    if_stmt(many, lambda: _move(owner), nothing, *STATELESS)


def _move(owner: NumberDeque) -> None:
    """The items that are left stand at the beginning."""
    *buffers, filled = owner.items.state
    head = owner.head

    def move(k: object) -> None:
        for buffer in buffers:
            store_at(buffer, binary("sub", k, head), load_at(buffer, k))

    tracer().operators.go_through(SymbolicRange(head, filled), move, *STATELESS)
    owner.state = (*buffers, binary("sub", filled, head), 0)


def _popleft(owner: NumberDeque) -> object:
    """``deque.popleft()``."""
    _needs_item(owner)
    found = owner.items.item(owner.head)
    owner.head = binary("add", owner.head, 1)
    return found


def _pop(owner: NumberDeque) -> object:
    """``deque.pop()``."""
    _needs_item(owner)
    return owner.items.pop()


def _needs_item(owner: NumberDeque) -> None:
    is_empty = binary("eq", owner.head, owner.items.filled)
    if_stmt(is_empty, lambda: fail(IndexError("pop from an empty deque")), nothing, *STATELESS)


def _extend(owner: NumberDeque, items: object) -> None:
    """``deque.extend(items)``."""
    if isinstance(items, (list, tuple)):
        for item in items:
            _append(owner, item)
    elif items is not owner and (sequence := sequence_of(items)) is not None:
        tracer().operators.go_through(sequence, lambda item: _append(owner, item), *STATELESS)
    else:
        owner.give_up()


def _clear(owner: NumberDeque) -> None:
    """``deque.clear()``."""
    owner.head = owner.items.filled


_METHODS: dict[tuple[str, int], Callable[..., object]] = {
    ("append", 1): _append,
    ("popleft", 0): _popleft,
    ("pop", 0): _pop,
    ("extend", 1): _extend,
    ("clear", 0): _clear,
}
"""By their names and how many arguments they get."""


def deque_method(
    owner: NumberDeque, name: str, args: tuple[object, ...], kwargs: dict[str, object]
) -> object:
    """``owner.name(*args)``."""
    if kwargs or (name, len(args)) not in _METHODS:
        owner.give_up()
    return _METHODS[name, len(args)](owner, *args)


def item(owner: NumberDeque, index: object) -> object:
    """``owner[index]``."""
    place = place_of(index, owner.length(), IndexError("deque index out of range"))
    return owner.items.item(binary("add", owner.head, place))
