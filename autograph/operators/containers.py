"""Lists, dicts, sets, comprehensions, f-strings and `with`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy as np

from ...graph.ir.nodes import Operand
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.numpy_functions import call as numpy_call
from ...graph.symbolic.operators import binary
from ...graph.symbolic.symbols import (
    WRAPPERS,
    Symbol,
    SymbolicObject,
    SymbolicScalar,
    python_call,
    python_expression,
    template,
)
from ...graph.trace.attempt import Attempt
from ...graph.trace.build import TraceError, current
from ...graph.trace.template import Template, constant
from ..array_lists import ArrayForm, array_form, array_room
from ..attempt import attempt
from ..descriptions import Description
from ..growing_rows import RowForm, form_of
from ..made_objects import MadeObject
from ..number_dicts import HeldTable, HowMade, NumberDict
from ..number_lists import NumberList, fill, filled, now, of_items, of_tuples, refuse, room
from ..once import Once, use_up
from ..texts import Character
from ..tracer import Reference, TracedDict, TracedList, place, tracer
from .control import if_stmt
from .exits import STATELESS, nothing
from .growing import BOX, GetState, SetState, State, growing_list, hold, new_growing, nones
from .iterables import Enumerated, Sequence, sequence_of, stays_plain, unrolled
from .number_dicts import example_of, form_of_items, form_of_table, new_number_dict, put
from .own_errors import CONSTANTS, depends, known_here
from .state import materialise


def real_container(value: object) -> Any:
    """A list or dict that goes into the driver must be one object there, not a copy per mention."""
    if isinstance(value, (TracedList, TracedDict)) and not tracer().copying:
        materialise(value)
    if isinstance(value, NumberList):
        refuse("a list that Python's own code gets")
    if isinstance(value, (HeldTable, MadeObject)):
        value.give_up()
    if isinstance(value, Character):
        refuse("a character that Python's own code gets")


def real_range(value: object) -> Operand | None:
    """A range that goes into the driver."""
    if not isinstance(value, Description) or value.made_of is None:
        return None
    return python_call("range", value.made_of, {}).operand()


WRAPPERS.extend((real_container, real_range))


MOST_ITEMS = 64
"""A list display of more items than this is not written out as stores into an array."""


def new_list(items: list[Any], at: int, alone: bool = False) -> Any:
    """A list display: a list of the trace, or an object where it has to live at run time.

    `alone`: the items are lists of numbers that nobody else has.
    """
    return _list_of(items, site_of("list", at), alone)


def new_box(value: object, name: str) -> object:
    """A list of one item, which is a variable of several functions (`converters.nonlocals`)."""
    return _list_of([value], (*site_of(BOX, current().locate().line), name))


def _list_of(items: list[Any], site: tuple[Any, ...], alone: bool = False) -> Any:
    if site in tracer().knowledge.materialised:
        if tracer().takes_lists() and len(items) <= MOST_ITEMS:
            made = growing_list(site, of_items(items, alone), items)
            made = of_tuples(items) if made is None else made
            if made is not None:
                return made
        written: SymbolicObject = python_expression(lambda t: t.write(list(items)))
        tracer().displays[written.operand()] = site, items
        return written
    result = TracedList(items)
    result.site, result.block = site, current().blocks[-1]
    hold(result)
    return result


def repeated(items: TracedList, count: object) -> Any:
    """``items * count``: a list of numbers where `count` is known only at run time, or it is to change."""
    site = site_of("repeated", current().locate().line)
    changes = site in tracer().knowledge.materialised
    if (changes or isinstance(count, SymbolicScalar)) and len(items) == 1 and tracer().takes_lists():
        is_none = items[0] is None
        if (made := filled(0 if is_none else items[0], count)) is not None:
            return nones(site, made) if is_none else growing_list(site, made)
    return _list_of(list(items) * count, site) if isinstance(count, int) else NotImplemented


def new_dict(items: dict[Any, Any], at: int) -> Any:
    """A dict display."""
    site = site_of("dict", at)
    if (form := form_of_table(site)) is not None:
        return new_number_dict(form, site, items, HowMade())
    if site in tracer().knowledge.materialised or any(map(depends, items)):
        written: SymbolicObject = python_expression(lambda t: t.write(items))
        tracer().displays[written.operand()] = site, list(items.items())
        return written
    result = TracedDict(items)
    result.site, result.block = site, current().blocks[-1]
    hold(result)
    return result


def copied(container: TracedList | TracedDict) -> object:
    """``container.copy()``, which may change as one that is written down."""
    line = current().locate().line
    if isinstance(container, TracedDict):
        return new_dict(dict(container), line)
    return _list_of(list(container), site_of("copy", line))


def new_set(items: list[Any], at: int = 0) -> Any:
    """A set display, its items in the order written: a table of ints, or an object of the run."""
    site, is_known = site_of("set", at), not any(map(depends, items))
    if (form := form_of_table(site)) is not None:
        return new_number_dict(form, site, dict.fromkeys(items), HowMade(set))
    known_here(set, items)
    written: SymbolicObject = python_expression(lambda t: _set_text(t, items))
    if not is_known or len(items) < COPIED:
        tracer().displays[written.operand()] = site, list(items)
    return written


COPIED = 3
"""From so many constants on Python copies a set, in an order that adding them one by one doesn't give."""


def _set_text(under: Any, items: Any) -> str:
    return "{{" + ", ".join(under.write(item) for item in items) + "}}" if items else "set()"


def site_of(how: str, line: int) -> tuple[object, ...]:
    """What a list that is made in this line is known by, in the next trace as well."""
    return how, _where(), line, current().locate().column


def _where() -> str:
    return tracer().frame.name


def list_comp(
    iterable: object, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None = None
) -> Any:
    """``[element for item in iterable if condition]``."""
    return collected(use_up(iterable), element, condition)


def collected(iterable: object, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None) -> Any:
    """The list of the elements of what is known to be gone through here."""
    if isinstance(iterable, Generator):
        inner = iterable
        if condition is None and not inner.nested and not inner.carried:
            return collected(inner.iterable, lambda item: element(inner.element(item)), inner.condition)
        return _all_items(over(inner, element, condition))
    items = _items(iterable)
    if items is None:
        return _list_at_run_time(iterable, element, condition)
    result: list[Any] = []
    alone = True
    with attempt() as trial, tracer().spending.unrolling(place()):
        for item in known_here(iter, items):
            tracer().step()
            keep = True if condition is None else condition(item)
            if isinstance(keep, Symbol):
                trial.give_up()
            if keep:
                since = now()
                made = element(item)
                alone = alone and isinstance(made, NumberList) and made.is_alone(since)
                result.append(made)
        return new_list(result, current().locate().line, alone)
    return _list_at_run_time(iterable, element, condition)


def over(
    inner: Generator,
    element: Callable[[Any], Any],
    condition: Callable[[Any], Any] | None = None,
    carried: tuple[HandedOn, ...] = (),
) -> Generator:
    """``(element for item in inner if condition)``, which also hands on what is `carried`."""

    def of_each(item: object) -> Generator:
        found = inner.element(item)
        if inner.nested:
            return over(use_up(found), element, condition)
        return gen_comp([found], element, condition)

    return Generator(inner.iterable, of_each, inner.condition, True, (*inner.carried, *carried)).made()


def _numbers_at_run_time(
    iterable: object, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None
) -> NumberList | None:
    """A list of numbers, or of rows, of one item for each of a sequence; None if it is something else.

    With a condition there is room for all of them, of which the first so many are the list.
    """
    sequence = sequence_of(iterable)
    if sequence is None or not tracer().takes_lists():
        return None
    go_through, found = tracer().operators.go_through, [None]

    def look(item: object) -> None:
        found[0] = element(item)

    with attempt() as trial:
        go_through(sequence, look, *STATELESS)
        trial.give_up()
    if (made := room(sequence.length(), found[0])) is None:
        made = array_room(sequence.length(), found[0])
    if made is None:
        return None
    if condition is not None:
        return _those(sequence, element, condition, made)

    def put(pair: Any) -> None:
        since = now()
        fill(made, pair[0], element(pair[1]), since)

    go_through(Enumerated(sequence), put, *STATELESS)
    return made


def _those(
    sequence: Sequence, element: Callable[[Any], Any], condition: Callable[[Any], Any], made: NumberList
) -> NumberList:
    """The items of `sequence` that meet the condition, at the beginning of `made`."""
    count: list[Any] = [0]

    def get() -> tuple[Any, ...]:
        return (count[0],)

    def put(values: Any) -> None:
        count[0] = values[0]

    def keep(item: object) -> None:
        since = now()
        fill(made, count[0], element(item), since)
        count[0] = binary("add", count[0], 1)

    def look(item: object) -> None:
        if_stmt(condition(item), lambda: keep(item), nothing, get, put, ("count",))

    tracer().operators.go_through(sequence, look, get, put, ("count",))
    kept: NumberList = made.item(slice(None, count[0]))
    return kept


def _items(iterable: Any) -> Iterable[Any] | None:
    """The items while tracing; None where a loop of the run has to find them."""
    sequence = sequence_of(iterable)
    if sequence is not None and tracer().differentiating:
        return unrolled(sequence)
    return None if sequence is not None or isinstance(iterable, Symbol) or stays_plain() else iterable


def _list_at_run_time(
    iterable: object, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None
) -> Any:
    if (sequence := sequence_of(iterable)) is not None and sequence.static_length() == 0:
        return new_list([], current().locate().line)
    made = numbers_of(iterable, element, condition)
    return _grown(Generator(iterable, element, condition)) if made is None else made


def itself(item: object) -> object:
    """The item: what a generator makes of each that hands its items out as they are."""
    return item


def numbers_of(
    iterable: object, element: Callable[[Any], Any] = itself, condition: Callable[[Any], Any] | None = None
) -> NumberList | None:
    """The list of the elements, which may grow, if they are numbers; None if they aren't."""
    made = _numbers_at_run_time(iterable, element, condition)
    return None if made is None else growing_list(site_of("list", current().locate().line), made)


def listed(array: object) -> NumberList | None:
    """``array.tolist()`` of numbers in a row; None where it is something else."""
    if not isinstance(array, SymbolicArray):
        return None
    kind = {"b": np.bool_, "i": np.int64, "u": np.int64, "f": np.float64, "c": np.complex128}
    dtype = array.dtype
    if array.ndim != 1 or dtype.kind not in kind or dtype in (np.uint64, np.longdouble, np.clongdouble):
        return None
    if not tracer().takes_lists():
        return None
    numbers = numpy_call(np.array, (array,), {"dtype": np.dtype(kind[dtype.kind])})
    return growing_list(site_of("list", current().locate().line), NumberList(numbers))


def _grown(generator: Generator) -> object:
    """The list of what a generator makes: one that grows, if all of it is of one form."""
    form = _found_form(generator) if tracer().takes_lists() else None
    made: Any = python_expression(lambda t: "[]") if form is None else new_growing(form)
    _each(generator, made.append if form is not None else lambda item: _append(made, item))
    return made


def _each(generator: Generator, act: Callable[[Any], None]) -> None:
    """Do `act` with each element; those of generators that are elements, one after the other."""
    tracer().operators.go_through(generator, act, *STATELESS)


def list_of_all(
    iterable: object, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None = None
) -> Any:
    """``[e for x in a if condition for y in b]``: `element` makes the generator of all that comes of an x."""
    generator = gen_of_all(iterable, element, condition)
    use_up(generator)
    return generator.as_list()


def gen_of_all(
    iterable: object, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None = None
) -> Generator:
    """A generator expression with several ``for``."""
    made: Generator = Generator(use_up(iterable), element, condition, nested=True).made()
    return made


def _all_items(generator: Generator) -> Any:
    """The list of the elements of generators that are elements."""
    with attempt() as trial, tracer().spending.unrolling(place()):
        result: list[Any] = []
        _gather(generator, result, trial)
        return new_list(result, current().locate().line)
    return _grown(generator)


def _gather(generator: Generator, result: list[Any], trial: Attempt) -> None:
    """Append what is known while tracing; where something isn't, the trial is given up."""
    if (items := _items(generator.iterable)) is None:
        trial.give_up()
    for one in generator.carried:
        one.begin()
    for item in known_here(iter, items):
        tracer().step()
        keep = True if generator.condition is None else generator.condition(item)
        if isinstance(keep, Symbol):
            trial.give_up()
        if keep:
            found = generator.element(item)
            if generator.nested:
                _gather(found, result, trial)
            else:
                result.append(found)


def _found_form(generator: Generator) -> RowForm | ArrayForm | None:
    """The form of what a generator makes; None if it makes several, or other things than numbers in rows."""
    forms: list[RowForm | ArrayForm | None] = []
    with attempt() as trial:
        _each(generator, lambda item: forms.append(form_of(item) or array_form(item)))
        trial.give_up()
    return forms[0] if forms and len(set(forms)) == 1 else None


def _append(found: object, item: object) -> None:
    under = template()
    source = f"{under.write(found)}.append({under.write(item)})"
    current().emit("python", under.operands, (), {"text": source})


def set_comp(
    iterable: object, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None = None
) -> Any:
    """``{element for item in iterable if condition}``."""
    if (made := table_of(iterable, element, None, condition)) is not None:
        return made
    return python_call("set", (list_comp(iterable, element, condition),), {})


_Put = Callable[[Template, Any], str]


def set_of_all(
    iterable: object, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None = None
) -> object:
    """``{e for x in a if condition for y in b}``: each is hashed before the next one is made."""
    generator = gen_of_all(iterable, element, condition)
    if (made := table_of(generator)) is not None:
        return made
    return _filled("set", generator, lambda t, e: f".add({t.write(e)})")


def dict_of_all(
    iterable: object, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None = None
) -> object:
    """``{k: v for x in a if condition for y in b}``: `element` makes the generator of pairs."""
    generator = gen_of_all(iterable, element, condition)
    if (made := table_of(generator, lambda pair: pair[0], lambda pair: pair[1])) is not None:
        return made
    return _filled("dict", generator, lambda t, pair: f"[{t.write(pair[0])}] = {t.write(pair[1])}")


def _filled(kind: str, generator: Generator, put: _Put) -> object:
    """A set or dict of the run, to which each element is put as `put` writes it."""
    use_up(generator)
    made = python_call(kind, (), {})

    def act(item: object) -> None:
        under = template()
        source = f"{under.write(made)}{put(under, item)}"
        current().emit("python", under.operands, (), {"text": source})

    _each(generator, act)
    return made


def dict_comp(
    iterable: object,
    key: Callable[[Any], Any],
    value: Callable[[Any], Any],
    condition: Callable[[Any], Any] | None = None,
) -> Any:
    """``{key: value for item in iterable if condition}``."""
    if (made := table_of(iterable, key, value, condition)) is not None:
        return made
    pairs = list_comp(iterable, lambda item: (key(item), value(item)), condition)
    if isinstance(pairs, list) and not any(depends(k) for k, _ in pairs):
        return new_dict(dict(pairs), current().locate().line)
    return python_call("dict", (pairs,), {})


def table_of(
    iterable: object,
    key: Callable[[Any], Any] = itself,
    value: Callable[[Any], Any] | None = None,
    condition: Callable[[Any], Any] | None = None,
) -> NumberDict | None:
    """The dict, or without values the set, of the ints that come of the items; None if they aren't ints."""
    items = _at_run_time(iterable)
    if items is None or not tracer().takes_lists():
        return None

    def pair(item: object) -> tuple[object, object]:
        return key(item), None if value is None else value(item)

    example = example_of(items, pair)
    form = None if example is None else form_of_items(*example, is_set=value is None)
    if form is None:
        return None
    made = new_number_dict(form, None, {}, HowMade(set if value is None else dict))

    def keep(item: object) -> None:
        found = key(item)
        put(made, found, None if value is None else value(item))

    def each(item: object) -> None:
        if condition is None:
            keep(item)
        else:
            if_stmt(condition(item), lambda: keep(item), nothing, *STATELESS)

    tracer().operators.go_through(items, each, *STATELESS)
    return made


def _at_run_time(iterable: object) -> Sequence | Generator | None:
    """What has items that only the run knows; None for anything else."""
    if isinstance(iterable, Generator):
        return iterable if _at_run_time(iterable.iterable) is not None else None
    sequence = sequence_of(iterable)
    return None if sequence is None or sequence.static_length() is not None else sequence


def gen_comp(
    iterable: object, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None = None
) -> Any:
    """A generator expression, evaluated at once: only builtins that consume all of it may see it."""
    source = use_up(iterable)
    if isinstance(source, Generator):
        return over(source, element, condition)
    return Generator(source, element, condition).made()


class HandedOn:
    """What a generator hands on from one item to the next: its `element` reads and writes the value."""

    def __init__(self, name: str, first: Callable[[], object]) -> None:
        self.name, self.first = name, first
        self.value: object = None

    def begin(self) -> None:
        """The first item comes next."""
        self.value = self.first()

    def beside(self, get_state: GetState, set_state: SetState, names: tuple[str, ...]) -> State:
        """The state of a loop with this one's value, which is the first one here."""
        self.begin()

        def put(values: tuple[object, ...]) -> None:
            set_state(values[:-1])
            self.value = values[-1]

        return lambda: (*get_state(), self.value), put, (*names, self.name)


class Generator(Once):
    """A generator expression that hasn't run yet.

    `nested`: its elements are generators, of whose elements it is.
    """

    def __init__(
        self,
        iterable: Any,
        element: Callable[[Any], Any],
        condition: Callable[[Any], Any] | None = None,
        nested: bool = False,
        carried: tuple[HandedOn, ...] = (),
    ) -> None:
        self.iterable, self.element, self.condition = iterable, element, condition
        self.nested, self.carried = nested, carried

    @property
    def is_direct(self) -> bool:
        """Whether it makes one element of each item."""
        return self.condition is None and not self.nested and not self.carried

    def as_list(self) -> Any:
        """All items, as a list."""
        if self.nested or self.carried:
            return _all_items(self)
        return collected(self.iterable, self.element, self.condition)

    def __iter__(self) -> Iterator[Any]:
        use_up(self)
        found = self.as_list()
        if isinstance(found, Symbol):
            raise TraceError("a generator over values that are known only at run time")
        return iter(found)


def fstring(form: str, *parts: object) -> Any:
    """An f-string, as a format string and its fields."""
    if not any(isinstance(part, (Symbol, list, tuple, dict)) for part in parts):
        return form.format(*parts)
    return python_expression(lambda t: t.call(f"{constant(form)}.format", parts, {}))


def percent(form: Any, values: Any) -> Any:
    """``"%d" % values``."""
    parts = values if type(values) is tuple else (values,)
    if not any(isinstance(part, (Symbol, list, tuple, dict)) for part in parts):
        return form % values
    return python_expression(lambda t: f"{constant(form)} % {t.write(values)}")


@contextmanager
def with_scope(context: Any) -> Iterator[Any]:
    """``with context:``; only jitscope's own scopes may be entered while tracing."""
    if isinstance(context, (Symbol, Reference)):
        raise TraceError(
            "a with statement over an object of the user's", "put the `with` around the call of this function"
        )
    if isinstance(context, CONSTANTS):
        known_here(_enter, context)
    with context as value:
        yield value


def _enter(context: AbstractContextManager[object]) -> None:
    with context:
        pass
