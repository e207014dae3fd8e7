"""Subscripts, attributes and augmented assignment."""

from __future__ import annotations

import functools
import inspect
import operator
import types
from collections.abc import Callable
from typing import Any

from ...graph.analysis.effects import effects_of
from ...graph.ir.types import OBJECT
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.indexing import assign
from ...graph.symbolic.masks import chosen, is_mask, stays_its_kind
from ...graph.symbolic.numpy_indices import is_index_trick
from ...graph.symbolic.numpy_products import multiply_in_place
from ...graph.symbolic.records import SymbolicRecord
from ...graph.symbolic.symbols import (
    BINARY,
    Symbol,
    SymbolicObject,
    SymbolicScalar,
    SymbolicUnion,
    array_or_object,
    python_expression,
    python_statement,
    template,
    unwrap_union,
)
from ...graph.trace.attempt import Restart
from ...graph.trace.build import TraceError, builder_here, current, rules
from ...graph.trace.template import index_text
from ..attempt import attempt
from ..certain import certain
from ..chosen_texts import ChosenText
from ..growing_lists import GrowingList
from ..made_objects import MadeObject
from ..number_deques import NumberDeque
from ..number_dicts import NumberDict
from ..number_lists import NumberList, as_numpy, refuse
from ..once import Once, use_up
from ..own_names import meant
from ..records import known_items
from ..tracer import Reference, TracedDict, TracedList, tracer
from . import deques, number_dicts
from .callers_lists import changes
from .cells import stands_plainly, store_in_cell
from .control import if_exp
from .growing import grow_from, may_be_assigned, put
from .held_attributes import assign_held
from .iterables import Sequence, StaticIndexNeeded, SymbolicRange
from .list_methods import delete_item, extend
from .own_errors import CONSTANTS, NUMBERS_AND_NONE, depends, known_here
from .state import materialise

_INDEX = "take its items one by one, by their indices"

NAMES = {text: name for name, (text, _) in BINARY.items()}

_INPLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "/=": operator.itruediv,
    "//=": operator.ifloordiv,
    "%=": operator.imod,
    "**=": operator.ipow,
    "<<=": operator.ilshift,
    ">>=": operator.irshift,
    "&=": operator.iand,
    "|=": operator.ior,
    "^=": operator.ixor,
    "@=": operator.imatmul,
}


def getitem(container: Any, index: Any) -> Any:
    """``container[index]``."""
    container, index = unwrap_union(container), unwrap_union(index)
    tracer().check_no_sorting(container)
    if isinstance(container, SymbolicUnion):
        return container[index]
    index = _with_arrays(container, index)
    number_dicts.wanted(container, index)
    if isinstance(container, Symbol):
        return container[index]  # type: ignore[index]
    if isinstance(container, NumberList):
        return container.item(index)
    if isinstance(container, NumberDict):
        return number_dicts.item(container, index)
    if isinstance(container, NumberDeque):
        return deques.item(container, index)
    if isinstance(container, Once):
        raise TraceError("an iterator has no items by number")
    if isinstance(container, SymbolicRange):
        return container[index]
    if is_index_trick(container) and builder_here() is not None:
        return rules().function(container, (index,), {})
    if type(container) in NUMBERS_AND_NONE:
        return known_here(operator.getitem, container, index)
    if (
        isinstance(index, ChosenText)
        and isinstance(container, TracedDict)
        and index.options <= container.keys()
    ):
        return _of_text(container, index, sorted(index.options, key=str))
    if depends(index):
        if isinstance(index, SymbolicScalar) and isinstance(container, (tuple, list)):
            raise StaticIndexNeeded(
                "a Python container indexed by a value that is known only at run time", container
            )
        if isinstance(container, (TracedList, TracedDict)):
            materialise(container)
        return python_expression(lambda t: f"{t.write(container)}[{index_text(t, index)}]")
    return known_here(operator.getitem, container, index)


def _of_text(container: TracedDict, key: ChosenText, texts: list[str | None]) -> object:
    """What a dict has for a text that is one of these."""
    first, *others = texts
    if not others:
        return container[first]
    return if_exp(key == first, lambda: container[first], lambda: _of_text(container, key, others))


def _with_arrays(container: object, index: object) -> object:
    """An index without None in it, and of lists of ints or truths the arrays that NumPy makes of them."""
    if not isinstance(container, (SymbolicArray, NumberList)):
        return index
    if type(index) is tuple:
        return tuple(_with_arrays(container, part) for part in index)
    if isinstance(index, NumberList) and isinstance(container, SymbolicArray):
        is_plain = type(index) in (NumberList, GrowingList) and index.array.dtype.kind in "bi"
        return as_numpy(index) if is_plain else index
    return certain(index)


def setitem(container: Any, index: Any, value: Any) -> None:
    """``container[index] = value``."""
    container, index = unwrap_union(container), unwrap_union(index)
    tracer().check_no_sorting(container)
    if isinstance(container, SymbolicUnion):
        container = array_or_object(container)
    number_dicts.wanted(container, index, (value,), guessed=False)
    if isinstance(container, SymbolicObject):
        python_statement(lambda t: f"{t.write(container)}[{index_text(t, index)}] = {t.write(value)}")
        return
    index = _with_arrays(container, index)
    if isinstance(container, Symbol):
        container[index] = value  # type: ignore[index]
        return
    if isinstance(container, NumberList):
        put(container, index, value)
        return
    if isinstance(container, NumberDict):
        number_dicts.put(container, index, value)
        return
    if isinstance(container, TracedList):
        changes(container.path, container.given, "__setitem__", index, value)
    if not _is_variable(container, index):
        mutating(container)
    if depends(index) and isinstance(container, (TracedList, TracedDict)):
        materialise(container)
    known_here(operator.setitem, container, index, value)


def _is_variable(container: object, index: object) -> bool:
    """Whether an item that is assigned is one, so that the container itself needs no change here."""
    if not isinstance(container, (TracedList, TracedDict)):
        return False
    return (container.path is not None or changes_inside(container)) and may_be_assigned(container, index)


def delitem(container: Any, index: Any) -> None:
    """``del container[index]``."""
    tracer().check_no_sorting(container)
    number_dicts.wanted(container, index)
    if isinstance(container, Symbol):
        python_statement(lambda t: f"del {t.write(container)}[{index_text(t, index)}]")
        return
    if isinstance(container, NumberList):
        delete_item(container, index)
        return
    if isinstance(container, NumberDict):
        number_dicts.delete(container, index)
        return
    if isinstance(container, TracedList):
        changes(container.path, container.given, "__delitem__", index)
    if changes_inside(container) and isinstance(container, TracedList) and tracer().takes_lists():
        grow_from(container.site, *container)
    mutating(container)
    known_here(operator.delitem, container, index)


def changes_inside(container: object) -> bool:
    """Whether what changes here was made outside of the block that is traced."""
    return isinstance(container, (TracedList, TracedDict)) and not current().is_open(container.block)


def mutating(container: object) -> None:
    """A list or dict is about to change while tracing: only where that happens exactly once per call."""
    if isinstance(container, (TracedList, TracedDict)):
        inside = changes_inside(container)
        if inside and container.path is None and tracer().differentiating:
            # As an object of the run its items would be out of sight; unrolled loops leave it a list.
            raise StaticIndexNeeded("a list or dict that changes in a loop or branch", container)
        if inside or container.path is not None:
            materialise(container)


def update_item(container: Any, index: Any, sign: str, value: Callable[[], Any]) -> None:
    """``container[index] <sign> value``."""
    index = _with_arrays(container, index)
    if isinstance(container, SymbolicArray) and container.type.writeable and is_mask(container, index):
        with attempt() as trial:
            if _update_masked(container, index, NAMES[sign[:-1]], value):
                return
            trial.give_up()
    old = getitem(container, index)
    new = augment(sign, old, value())
    traced = isinstance(container, (TracedList, TracedDict)) and not depends(index)
    if new is old and traced and container[index] is old:
        return  # changed in place: the list or dict holds what it held
    setitem(container, index, new)


def _update_masked(array: SymbolicArray, mask: SymbolicArray, name: str, value: Callable[[], Any]) -> bool:
    """``array[mask] <op>= number`` where all elements may be computed, and `value` changes nothing."""
    nodes = current().blocks[-1]
    before = len(nodes)
    number = value()
    if not all(effects_of(node).droppable for node in nodes[before:]) or nodes is not current().blocks[-1]:
        return False
    if not stays_its_kind(array, name, number):
        return False
    assign(array, chosen(array, mask, BINARY[name][1](array, number)))
    return True


def augment(sign: str, target: object, value: object) -> Any:
    """``target <sign> value``: in place for arrays and lists."""
    if isinstance(target, (TracedList, TracedDict)):
        if isinstance(target, TracedList) and sign == "+=" and not isinstance(value, Symbol):
            changes(target.path, target.given, "extend", value)
        mutating(target)
        if isinstance(value, Symbol):
            materialise(target)
        return known_here(_INPLACE[sign], target, value)
    if isinstance(target, NumberList):
        if sign != "+=" or isinstance(value, Symbol):  # which NumPy would add to each item
            refuse("a list that changes by an operator with something else than a list")
        extend(target, value)
        return target
    if isinstance(target, MadeObject):
        return target.in_place(NAMES[sign[:-1]], value)
    if isinstance(target, SymbolicUnion) and isinstance(target.payload, SymbolicArray):
        target = array_or_object(target)
    if isinstance(target, SymbolicArray):
        if sign == "@=":
            return multiply_in_place(target, value)
        return _INPLACE[sign](target, value)
    if isinstance(target, SymbolicObject):
        return _object_augment(sign, target, value)
    if target is None and isinstance(value, Symbol):
        return _object_augment(sign, target, value)
    if type(target) in CONSTANTS and not isinstance(value, Symbol):
        return known_here(_INPLACE[sign], target, value)
    return BINARY[NAMES[sign[:-1]]][1](target, value)


def _object_augment(sign: str, target: SymbolicObject | None, value: object) -> SymbolicObject:
    """In place on an object: the driver's `operator.iadd` and so on."""
    name = _INPLACE[sign].__name__
    return python_expression(lambda t: f"operator.{name}({t.write(target)}, {t.write(value)})")


def attribute(owner: object, name: str) -> object:
    """``owner.name``, which symbols may have something else under."""
    return known_here(meant, owner, name)


def setattr_(owner: object, name: str, value: object) -> None:
    """``owner.name = value``."""
    if isinstance(owner, MadeObject):
        owner.check_setting(name)
        setitem(owner.fields, name, value)
        return
    if isinstance(owner, Reference):
        found = inspect.getattr_static(type(owner.value), name, None)
        if hasattr(type(found), "__set__") and not isinstance(found, types.MemberDescriptorType):
            tracer().opaque_call()  # a property's setter runs the user's code
        if isinstance(owner.value, types.ModuleType):
            tracer().opaque_call()  # the attribute is a global of the functions there
        if store_in_cell(owner, name, value) or assign_held(owner, name, value):
            return
    if isinstance(owner, SymbolicObject):
        site = ("attribute", name)  # of whatever object: another path may lead to the same one
        known = tracer().knowledge.materialised
        if site not in known:
            known.add(site)
            raise Restart
        python_statement(lambda t: f"{t.write(owner)}.{name} = {t.write(value)}")
        return
    if type(owner) in CONSTANTS:
        known_here(setattr, owner, name, value)
    raise TraceError(
        f"an assignment to the attribute '{name}' of a {type(owner).__name__}",
        "return the value, and assign it where this function is called",
    )


def update_attr(owner: object, name: str, sign: str, value: Callable[[], Any]) -> None:
    """``owner.name <sign> value``."""
    old = attribute(owner, name)
    new = augment(sign, old, value())
    if new is old and isinstance(old, (SymbolicArray, NumberList)) and isinstance(owner, Reference):
        if stands_plainly(owner.value, name):
            return  # changed in place: the object has what it had
    setattr_(owner, name, new)


def unpack(value: Any, count: int) -> tuple[Any, ...]:
    """``a, b = value``."""
    if isinstance(value, Sequence):
        use_up(value)
    value = unwrap_union(value)
    if isinstance(value, SymbolicUnion):
        value = array_or_object(value)
    if (known := known_items(value)) is not None:
        value = known
    if isinstance(value, SymbolicArray):
        if not value.ndim or not current().known(value.shape_sizes[0], count):
            if not value.ndim or value.shape_sizes[0] != count:
                return _unpack_object(value, count)
        return tuple(value[k] for k in range(count))
    if isinstance(value, Symbol) and not isinstance(value, SymbolicRecord):
        return _unpack_object(value, count)
    if isinstance(value, NumberList):
        if not current().known(value.held.shape_sizes[0], count):
            refuse("unpacking a list of another length")
        return tuple(value.item(k) for k in range(count))
    if isinstance(value, Sequence):
        if value.static_length() != count:
            raise TraceError("unpacking something of a length that is known only at run time", _INDEX)
        return tuple(value.at(k) for k in range(count))
    return tuple(_taken_apart(value, _targets(0, count)))


@functools.cache
def _taking_apart(targets: str) -> Callable[[object], list[object]]:
    """A function that takes a value apart as an assignment to `targets` does, with Python's own errors."""
    found: dict[str, Any] = {}
    exec(f"def taken_apart(value):\n    [{targets}] = value\n    return [{targets.replace('*', '')}]", found)
    function: Callable[[object], list[object]] = found["taken_apart"]
    return function


def _targets(first: int, count: int) -> list[str]:
    return [f"item_{k}" for k in range(first, first + count)]


def _taken_apart(value: object, targets: list[str]) -> list[object]:
    """The values of `targets`. Python's errors tell the length of exact lists only."""
    exact = list(value) if isinstance(value, TracedList) else value
    return known_here(_taking_apart(", ".join(targets)), exact)


def _unpack_object(value: Symbol, count: int, star: int | None = None) -> tuple[Any, ...]:
    """`count` objects, of which the one at `star` is the list of what the others leave."""
    under = template()
    source = under.write(value)
    attrs = {"text": source, "unpacks": count, **({} if star is None else {"star": star})}
    results = current().emit("python", under.operands, (OBJECT,) * count, attrs)
    return tuple(SymbolicObject(result) for result in results)


def unpack_star(value: Any, before: int, after: int) -> tuple[Any, ...]:
    """``a, *b, c = value``."""
    value = unwrap_union(value)
    if isinstance(value, SymbolicUnion):
        value = array_or_object(value)
    if isinstance(value, Symbol) and (known := known_items(value)) is not None:
        value = known
    if isinstance(value, Sequence):
        raise TraceError("starred unpacking of a value that is known only at run time", _INDEX)
    if isinstance(value, Symbol) and not isinstance(value, SymbolicRecord):
        return _unpack_object(value, before + 1 + after, before)
    items = _taken_apart(value, [*_targets(0, before), "*rest", *_targets(before, after)])
    rest = items[before]
    assert isinstance(rest, list)
    middle = TracedList(rest)
    middle.block, middle.site = current().blocks[-1], ("star", current().locate().line)
    return (*items[:before], middle, *items[before + 1 :])
