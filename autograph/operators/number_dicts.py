"""Dicts whose keys are ints of the run, or tuples of them: what is done with them."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any, TypeVar

from ...graph.symbolic.operators import binary
from ...graph.symbolic.symbols import Symbol, SymbolicObject
from ...graph.trace.attempt import Restart
from ...graph.trace.build import current
from ..array_lists import ArrayForm, GrowingArrays
from ..attempt import attempt
from ..growing_rows import RowForm
from ..number_dicts import DictForm, HashTable, HowMade, NumberDict, key_form, parts_of
from ..number_lists import INT
from ..tracer import TracedDict, tracer
from .control import if_exp, if_stmt, raise_
from .exits import STATELESS, nothing
from .growing import empty, form_with
from .iterables import KeyItems, ListItems, Pairs, Sequence

_Found = TypeVar("_Found")
_GUESS = RowForm(None, (INT,))


def new_number_dict(form: DictForm, site: object, items: dict[object, object], how: HowMade) -> NumberDict:
    """A dict or set with these items."""
    values = None if form.value is None else empty(form.value)
    table = HashTable(empty(form.key), values, current().blocks[-1])
    tracer().growing.append(table)
    made = NumberDict(form, site, table, how)
    for key, value in items.items():
        put(made, key, value)
    return made


def wanted(container: object, key: object, values: tuple[object, ...] = (), guessed: bool = True) -> None:
    """A dict or set is asked for a key of the run: where it can be a table, the trace starts again.

    `values` are some that it is to hold, or that are `guessed` to be like these.
    """
    found = _of_trace(container)
    known = tracer().knowledge
    if found is None or (kind := key_form(key)) is None or not tracer().takes_lists():
        return
    site, items, is_set = found
    if any(key_form(one) != kind for one in items):
        return
    if isinstance(container, TracedDict) and not any(isinstance(part, Symbol) for part in parts_of(key)):
        return
    form: RowForm | ArrayForm | None = None
    for value in () if is_set else (*items.values(), *(() if guessed and items else values)):
        if (form := form_with(form, value)) is None:
            return
    known.grown[site] = DictForm(kind, None if is_set else form or _GUESS, guessed and not items)
    raise Restart


def form_of_table(site: object) -> DictForm | None:
    """What a dict or set that is made at `site` has, if it is known to be a table."""
    known = tracer().knowledge
    form = known.grown.get(site)
    wanted_ = isinstance(form, DictForm) and site not in known.materialised and tracer().takes_lists()
    return form if wanted_ else None


def form_of_items(key: object, value: object, *, is_set: bool) -> DictForm | None:
    """The form of a dict or set of items like this one; None if it can't be a table."""
    kind, form = key_form(key), None if is_set else form_with(None, value)
    return None if kind is None or (form is None and not is_set) else DictForm(kind, form)


def _of_trace(container: object) -> tuple[object, dict[object, object], bool] | None:
    """Where a dict or set was made, its items, and whether it is a set; None for anything else."""
    if isinstance(container, TracedDict):
        known = container.path is not None or container.site is None
        made = container.site in tracer().knowledge.materialised
        return None if known or made else (container.site, container, False)
    if isinstance(container, SymbolicObject):
        display = tracer().displays.get(container.operand())
        if display is not None and display[0] not in tracer().knowledge.materialised:
            site, items = display
            if site[0] == "dict":
                return site, dict(items), False  # type: ignore[arg-type]
            if site[0] in (*_CLASSES, "set"):
                return site, dict.fromkeys(items), site[0] == "set"
    return None


def counted(items: Sequence, function: object) -> NumberDict | None:
    """``Counter(items)``; None if they aren't ints."""
    if items.static_length() is not None or not tracer().takes_lists():
        return None
    if (form := form_of_items(example_of(items, lambda item: item), 0, is_set=False)) is None:
        return None
    made = new_number_dict(form, None, {}, HowMade(collections.Counter, function, 0))

    def count(key: object) -> None:
        put(made, key, binary("add", _get(made, key, 0), 1))

    tracer().operators.go_through(items, count, *STATELESS)
    return made


def example_of(items: object, of: Callable[[object], _Found]) -> _Found | None:
    """What comes of an item like the others, if there is one; nothing that is computed for that stays."""
    seen: list[_Found] = []
    with attempt() as trial:
        tracer().operators.go_through(items, lambda item: seen.append(of(item)), *STATELESS)
        trial.give_up()
    return seen[-1] if seen else None


def made_by_class(function: object, plain: type, args: tuple[object, ...], site: object) -> NumberDict | None:
    """``defaultdict(int)`` or ``Counter()`` that is known to be a table; None if it isn't."""
    if (form := form_of_table(site)) is None:
        return None
    default = args[0]() if args else 0  # type: ignore[operator]
    return new_number_dict(form, site, {}, HowMade(plain, function, default))


_CLASSES = {"defaultdict": collections.defaultdict, "Counter": collections.Counter}
"""Classes of dicts that may be tables, without items."""


def may_be_table(plain: object, args: tuple[object, ...], kwargs: dict[str, object]) -> bool:
    """Whether a call makes a dict that may be a table."""
    if kwargs or plain not in _CLASSES.values():
        return False
    return args in ((int,), (float,)) if plain is collections.defaultdict else not args


def put(made: NumberDict, key: object, value: object) -> None:
    """``dict[key] = value``; where other values were expected, the trace starts again."""
    if key_form(key) != made.form.key:
        made.give_up()
    if made.form.value is not None and not made.form.value.holds(value):
        _other_values(made, value)
    number, there = _looked_up(made, key)
    if there is not False and isinstance(made.table.values, GrowingArrays):
        made.give_up()  # where the key is there, the dict has another array from here on
    if_stmt(there, lambda: made.table.put(number, value), lambda: made.table.add(key, value), *STATELESS)


def _looked_up(made: NumberDict, key: object) -> tuple[object, object]:
    """The number of a key, and whether it is there, where that is known."""
    if (number := made.known_number(key)) is not None:
        return number, True
    found = made.find(key)
    known = current().truth_of(found.present.operand().name)
    return found.number, found.present if known is None else known


def _other_values(made: NumberDict, value: object) -> None:
    form = form_with(None if made.form.guessed else made.form.value, value)
    if made.site is None or form is None or (form == made.form.value and not made.form.guessed):
        made.give_up()
    tracer().knowledge.grown[made.site] = DictForm(made.form.key, form)
    raise Restart


def item(made: NumberDict, key: object) -> object:
    """``dict[key]``."""
    default = made.made.default
    if default is None:
        number, there = _looked_up(made, key)
        if_stmt(there, nothing, lambda: _missing(key), *STATELESS)
        return made.table.item(number)
    if made.python_type is collections.Counter:
        return _get(made, key, default)
    return _setdefault(made, key, default)


def _missing(key: object) -> None:
    raise_(nothing, name="KeyError", arguments=(lambda: key,))


def is_key(key: object, container: object) -> object:
    """``key in dict``; `NotImplemented` where Python has to look."""
    if not isinstance(container, NumberDict):
        wanted(container, key)
        return NotImplemented
    return _looked_up(container, key)[1]


def _get(made: NumberDict, key: object, default: object = None) -> object:
    if made.form.guessed and (form := _guess(made, default)) is not None and form != made.form.value:
        tracer().knowledge.grown[made.site] = DictForm(made.form.key, form, guessed=True)
        raise Restart
    number, there = _looked_up(made, key)
    return if_exp(there, lambda: made.table.item(number), lambda: default)


def _guess(made: NumberDict, default: object) -> RowForm | ArrayForm | None:
    """What values may be, of which only what is given for missing keys is known."""
    before = None if made.form.value is _GUESS else made.form.value
    return form_with(before, default)


def _setdefault(made: NumberDict, key: object, default: object = None) -> object:
    """The value of the key, which is there from now on."""
    number, there = _looked_up(made, key)
    box = [made.table.keys.filled if there is False else number]

    def new() -> None:
        box[0] = made.table.keys.filled
        put(made, key, default)

    def get() -> tuple[object, ...]:
        return (box[0],)

    def set_(values: Any) -> None:
        box[0] = values[0]

    if_stmt(there, nothing, new, get, set_, ("number",))
    if all(isinstance(part, Symbol) for part in parts_of(key)):
        made.found[made.asked(key)] = made.noted(box[0])
    return made.table.item(box[0])


def _add(made: NumberDict, key: object) -> None:
    """``set.add(key)``."""
    if key_form(key) != made.form.key:
        made.give_up()
    _, there = _looked_up(made, key)
    if_stmt(there, nothing, lambda: made.table.add(key), *STATELESS)


def _remove(made: NumberDict, key: object) -> None:
    """``set.remove(key)``, and what goes with a key of a dict."""
    number, there = _to_be_removed(made, key)
    if_stmt(there, lambda: made.table.remove(number), lambda: _missing(key), *STATELESS)


def _discard(made: NumberDict, key: object) -> None:
    """``set.discard(key)``."""
    number, there = _to_be_removed(made, key)
    if_stmt(there, lambda: made.table.remove(number), nothing, *STATELESS)


def _to_be_removed(made: NumberDict, key: object) -> tuple[object, object]:
    """The number of a key, and whether it is there. Their order isn't known any more (`returning`)."""
    if key_form(key) != made.form.key or made.site is None or isinstance(made.table.values, GrowingArrays):
        made.give_up()
    shrinking = tracer().knowledge.shrinking
    if made.site not in shrinking:
        shrinking.add(made.site)
        raise Restart
    return _looked_up(made, key)


def _pop(made: NumberDict, key: object) -> object:
    """``dict.pop(key)``."""
    number, there = _to_be_removed(made, key)
    if_stmt(there, nothing, lambda: _missing(key), *STATELESS)
    found = made.table.item(number)
    made.table.remove(number)
    return found


def _pop_or(made: NumberDict, key: object, default: object) -> object:
    """``dict.pop(key, default)``."""
    number, there = _to_be_removed(made, key)
    found = if_exp(there, lambda: made.table.item(number), lambda: default)
    if_stmt(there, lambda: made.table.remove(number), nothing, *STATELESS)
    return found


def delete(made: NumberDict, key: object) -> None:
    """``del dict[key]``."""
    if made.form.value is None:
        made.give_up()
    (_discard if made.python_type is collections.Counter else _remove)(made, key)


def copied_dict(made: NumberDict) -> NumberDict:
    """``dict(made)``."""
    new = new_number_dict(made.form, None, {}, HowMade())
    tracer().operators.go_through(Pairs(made), lambda pair: new.table.add(*pair), *STATELESS)
    return new


def _values(made: NumberDict) -> ListItems:
    made.in_order()  # gives the dict up where there is none
    assert made.table.values is not None
    return ListItems(made.table.values)


_METHODS: dict[tuple[str, int], Callable[..., Any]] = {
    ("get", 1): _get,
    ("get", 2): _get,
    ("setdefault", 2): _setdefault,
    ("pop", 1): _pop,
    ("pop", 2): _pop_or,
    ("keys", 0): KeyItems,
    ("values", 0): _values,
    ("items", 0): Pairs,
}
_OF_SETS: dict[tuple[str, int], Callable[..., Any]] = {
    ("add", 1): _add,
    ("remove", 1): _remove,
    ("discard", 1): _discard,
}
"""By their names and how many arguments they get."""


def dict_method(owner: NumberDict, name: str, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
    """``owner.name(*args)``."""
    methods = _METHODS if owner.form.value is not None else _OF_SETS
    if kwargs or (name, len(args)) not in methods:
        owner.give_up()
    return methods[name, len(args)](owner, *args)
