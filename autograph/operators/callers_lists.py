"""Lists of the caller's that change their length: when the trace learns of one, and how it begins with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...graph.ir.nodes import Operand, Value
from ...graph.trace.attempt import Restart
from ...graph.trace.build import current
from ..array_lists import ArrayForm
from ..attempt import attempt
from ..callers_lists import AppendedList, CallersList
from ..growing_lists import GrowingList
from ..growing_rows import RowForm, form_of_list, merged
from ..held_items import HeldItems
from ..list_data import form_of
from ..number_lists import NumberList
from ..traced import Path
from ..tracer import TracedDict, tracer
from .exits import fail
from .growing import form_with, new_growing
from .held_attributes import begin_with_objects
from .iterables import sequence_of

_APPENDS = frozenset(("append", "extend"))
_EXAMPLES: dict[tuple[str, int], Callable[[tuple[object, ...]], tuple[object, ...]]] = {
    ("append", 1): lambda args: args,
    ("insert", 2): lambda args: args[1:],
    ("extend", 1): lambda args: _first_of(args[0]),
    ("pop", 0): lambda args: (),
    ("pop", 1): lambda args: (),
    ("remove", 1): lambda args: (),
    ("clear", 0): lambda args: (),
    ("__setitem__", 2): lambda args: args[1:],
    ("__delitem__", 1): lambda args: (),
}
"""Methods that change a list, by how many arguments they get: what items it gets, for example."""


def changes(path: Path | None, given: object, method: str, *args: object) -> None:
    """``given.method(*args)``, of a list of the caller's: start again, following it, if that can be done."""
    known, examples = tracer().knowledge, _EXAMPLES.get((method, len(args)))
    if path is None or type(given) is not list or path in known.callers or path in known.not_followed:
        return
    if examples is None or not tracer().may_take_over():
        return
    found: list[RowForm | ArrayForm | None] = []
    with attempt() as trial:
        for item in examples(args):
            found.append(form_with(found[-1] if found else None, item))
        trial.give_up()
    if None in found:
        return
    form = found[-1] if found else None
    is_read = method not in _APPENDS
    if method == "pop" and not given and current().depth:
        # Where items are appended further on, the trace starts again and knows it.
        fail(IndexError("pop from empty list"))
    if form is None and not (is_read and given):
        return
    known.callers[path] = CallersList(given, form, is_read)
    raise Restart


def changes_of_object(owner: Operand, method: str, args: Sequence[object]) -> None:
    """The same for what the graph has as an object, which may be a list of the caller's."""
    path = next((path for path, value in tracer().values.items() if value is owner), None)
    if path is not None and isinstance(owner, Value):
        changes(path, tracer().objects.get(owner.name), method, *args)


def _first_of(items: object) -> tuple[object, ...]:
    """An item of what a list is extended by; none if that isn't known."""
    if isinstance(items, (list, tuple)):
        return tuple(items[:1])
    sequence = sequence_of(items)
    return () if sequence is None else (sequence.item(0),)


def begin() -> None:
    """Before anything else: lists of the caller's that change their length, dicts that get other items."""
    here = tracer()
    if not here.may_take_over():
        return
    for path, known in dict(here.knowledge.callers).items():
        made = _begun(path, known)
        if made is None:
            del here.knowledge.callers[path]
            here.knowledge.not_followed.add(path)
            raise Restart
        here.numbers = True
        here.wrapped[path] = made
        here.handed[path] = made.new if isinstance(made, AppendedList) else made
    begin_with_objects()
    for path, given in here.knowledge.callers_dicts.items():
        container = here.wrap(path, given)
        if isinstance(container, TracedDict):
            here.numbers = True
            here.handed[path] = held = HeldItems(container, container.block)
            here.growing.append(held)


def _begun(path: Path, known: CallersList) -> AppendedList | GrowingList | None:
    """The list as staged code sees it; None if it can't be followed."""
    given, form = known.given, known.form
    if not known.is_read or not given:
        if form is None:
            return None
        tracer().static(path, given, "len" if known.is_read else "type")
        made = new_growing(form, path)
        if not known.is_read:
            return AppendedList(made, path, given)
    else:
        first = _taken(path, given)
        if first is None or isinstance(form, ArrayForm):
            return None
        own = form_of_list(first)
        if (both := own if form is None else merged(own, form)) is None:
            return None
        made = new_growing(both, path, first)
    made.path, made.given = path, given
    return made


def _taken(path: Path, given: list[object]) -> NumberList | None:
    """The items, taken over."""
    form = form_of(given)
    if not form or form[-1] == "2":
        return None
    found = tracer().take_over(path, given, form)
    return found if isinstance(found, NumberList) else None
