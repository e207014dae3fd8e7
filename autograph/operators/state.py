"""Variables across branches and loops: how the values of two paths become one, and come back as symbols.

A `Spec` describes a variable at a join. `join` finds the spec that fits two of them; `encode` turns a value
into graph operands of that spec; `decode` makes the symbol again on the other side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ...graph.ir import dims
from ...graph.ir.causes import CAUSES, Cause
from ...graph.ir.dims import Size
from ...graph.ir.literals import is_number, literal
from ...graph.ir.nodes import Literal, Operand, Value
from ...graph.ir.types import BOOL, INT, OBJECT, Array, Scalar, Type
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.symbols import (
    UNBOUND,
    Symbol,
    SymbolicObject,
    SymbolicScalar,
    SymbolicTuple,
    SymbolicUnion,
    second_of,
    template,
    unwrap_union,
)
from ...graph.trace.attempt import Restart
from ...graph.trace.build import TraceError, current
from ..array_lists import ArrayList
from ..chosen_texts import MOST, ChosenText, Options, chosen_text, number_operand
from ..descriptions import parts_of_range
from ..either_items import EitherItems
from ..growing_lists import GrowingList
from ..made_objects import MadeObject
from ..number_lists import NumberList, ScalarItems, TupleRows, refuse
from ..ragged_rows import ReadRow
from ..safety import is_immutable, is_safe
from ..texts import Character, code_of
from ..tracer import TracedDict, TracedList, tracer
from .exits import Undefined
from .growing import as_it_is_now
from .ranges import join_ranges
from .specs import (
    RANGE,
    ArrayType,
    CharacterType,
    ListType,
    MadeType,
    NumberType,
    ObjectType,
    Spec,
    StaticType,
    TextType,
    TupleType,
    UnionType,
)

_OF_THEIR_OWN = (EitherItems, ScalarItems, TupleRows, ReadRow, ArrayList)
"""Lists whose items aren't Python's numbers."""


def describe(value: Any) -> Spec:
    """The spec of one value."""
    value = unwrap_union(value)
    if isinstance(value, Undefined):
        return StaticType(UNBOUND)
    if isinstance(value, SymbolicUnion):
        return UnionType(value.first, describe(value.payload))
    if isinstance(value, SymbolicTuple):
        return _made(value.items) if isinstance(value.items, MadeObject) else describe(value.items)
    if isinstance(value, SymbolicScalar):
        return NumberType(value.type, small=value.type == INT and value.dim is not None)
    if isinstance(value, SymbolicArray):
        return _array_type(value)
    if isinstance(value, Character):
        return CharacterType(value.may_be_empty)
    if isinstance(value, GrowingList):
        value = as_it_is_now(value)
    if isinstance(value, NumberList):
        array = _array_type(value.held)
        tagged = value.tag is not None
        made = type(value) if isinstance(value, _OF_THEIR_OWN) else NumberList
        return ListType(array, value.path, value.given, value.part, tagged, made)
    if isinstance(value, ChosenText):
        return TextType(value.options)
    if isinstance(value, SymbolicObject):
        if value.is_assembled:  # maybe of what is known only in the block that is closed by now
            return ObjectType(False, False)
        operand = value.operand()
        return ObjectType(tracer().is_safe(operand), tracer().is_immutable(operand))
    if is_number(value):
        kind = literal(value).type
        assert isinstance(kind, Scalar)
        if kind == INT and not -(2**63) <= value < 2**63:
            return StaticType(value)
        return NumberType(kind, value)
    if type(value) is tuple and any(isinstance(item, Symbol) or is_number(item) for item in value):
        return TupleType(tuple(map(_item, value)))
    return StaticType(value)


def _item(value: object) -> Spec:
    """The spec of an item of a tuple: it was read when the tuple was made, so it is bound."""
    if isinstance(value, SymbolicUnion) and value.first is UNBOUND:
        value = second_of(value)
    return describe(value)


def _array_type(array: SymbolicArray) -> ArrayType:
    type_ = array.type
    return ArrayType(type_.dtype, array.shape_sizes, type_.layout, type_.writeable, array.order)


def _same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    return type(a) is type(b) and type(a) in (str, bytes, int) and bool(a == b)


def _apart(a: Spec, b: Spec) -> Spec:
    """`a`, by its attributes where it is an object that is made inside, and not `b`, too."""
    if not isinstance(a, StaticType) or not isinstance(a.value, MadeObject):
        return a
    if isinstance(b, StaticType) and b.value is a.value:
        return a
    return _made(a.value)


def _made(value: object) -> TupleType:
    """An object that is made inside, by its attributes."""
    assert isinstance(value, MadeObject)
    made = MadeType(value.kind, tuple(value.fields), value.reference)
    return TupleType(tuple(map(_item, value.fields.values())), made)


def join(a: Spec, b: Spec) -> Spec:
    """The narrowest spec that holds what `a` and `b` hold."""
    a, b = _apart(a, b), _apart(b, a)
    if (joined := join_ranges(a, b)) is not None:
        return joined
    if isinstance(a, CharacterType) or isinstance(b, CharacterType):
        return _join_characters(a, b)
    if isinstance(a, ListType) or isinstance(b, ListType):
        return _join_lists(a, b)
    if isinstance(a, StaticType) and isinstance(b, StaticType):
        if _same(a.value, b.value):
            return a
        if a.value is UNBOUND or b.value is UNBOUND:
            return UnionType(UNBOUND, _thing(a, b))
        return _join_texts(a, b)
    if isinstance(a, TextType) or isinstance(b, TextType):
        if UnionType not in (type(a), type(b)) and not _is_unbound(a) and not _is_unbound(b):
            return _join_texts(a, b)
    for one, other in ((a, b), (b, a)):
        if isinstance(one, UnionType):
            return _join_choice(one, other)
    for one, other in ((a, b), (b, a)):
        if isinstance(one, StaticType):
            return _join_static(one, other)
    if isinstance(a, NumberType) and isinstance(b, NumberType):
        return _join_numbers(a, b)
    if isinstance(a, ArrayType) and isinstance(b, ArrayType):
        return _join_arrays(a, b)
    if isinstance(a, TupleType) and isinstance(b, TupleType) and len(a.items) == len(b.items):
        if a.made == b.made:
            return replace(a, items=tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True)))
    return _thing(a, b)


def _join_characters(a: Spec, b: Spec) -> Spec:
    """A character, also where the other one is written down, or the empty text."""
    empty = False
    for spec in (a, b):
        if isinstance(spec, CharacterType):
            empty |= spec.empty
        elif isinstance(spec, StaticType) and type(spec.value) is str and len(spec.value) <= 1:
            empty |= not spec.value
        else:
            refuse("a variable that is a character of a text and something else")
    return CharacterType(empty)


def _is_unbound(spec: Spec) -> bool:
    return isinstance(spec, StaticType) and spec.value is UNBOUND


def _join_texts(a: Spec, b: Spec) -> Spec:
    """One of the texts of both, if they are texts, and few."""
    one, other = _texts_of(a), _texts_of(b)
    if one and other and len(one | other) <= MOST:
        return TextType(one | other)
    return _thing(a, b)


def _texts_of(spec: Spec) -> Options:
    if isinstance(spec, TextType):
        return spec.options
    if isinstance(spec, StaticType) and (spec.value is None or type(spec.value) is str):
        return frozenset((spec.value,))
    return frozenset()


def _join_lists(a: Spec, b: Spec) -> Spec:
    """Only lists of numbers join; one that the trace knows item by item can become one, too."""
    for one in (a, b):
        if isinstance(one, StaticType) and isinstance(one.value, TracedList):
            materialise(one.value)
    if not isinstance(a, ListType) or not isinstance(b, ListType):
        refuse("a variable that is a list and something else")
    one = a if b.path is None else b
    if a.path != b.path and None not in (a.path, b.path):
        refuse("a variable that is one of two of the caller's lists")
    joined = _join_arrays(a.array, b.array)
    if not isinstance(joined, ArrayType) or a.python_list is not b.python_list:
        refuse("a variable that is one of two lists")
    tagged = a.path != b.path or a.tagged or b.tagged
    return ListType(joined, one.path, one.given, a.part or b.part, tagged, a.python_list)


def _thing(*specs: Spec) -> ObjectType:
    causes = [spec.cause for spec in specs if isinstance(spec, ObjectType)]
    safe, immutable = (all(_is_always(mark, spec) for spec in specs) for mark in ("safe", "immutable"))
    return ObjectType(safe, immutable, next(filter(None, causes), None))


def _is_always(mark: str, spec: Spec) -> bool:
    """Whether all that the variable may be is `mark`: "safe" or "immutable"."""
    if isinstance(spec, ObjectType):
        return spec.safe if mark == "safe" else spec.immutable
    if isinstance(spec, UnionType):
        return _is_always(mark, spec.payload)
    if isinstance(spec, TupleType):
        return all(_is_always(mark, item) for item in spec.items)
    if isinstance(spec, StaticType):
        return spec.value is UNBOUND or (is_safe if mark == "safe" else is_immutable)(spec.value)
    return mark == "safe" or isinstance(spec, (NumberType, TextType, CharacterType))


def _join_static(one: StaticType, other: Spec) -> Spec:
    if one.value is UNBOUND:
        return UnionType(UNBOUND, other if _is_payload(other) else _thing(other))
    if one.value is None and isinstance(other, (NumberType, ArrayType, TupleType)) and _is_payload(other):
        return UnionType(None, other)
    return _thing(one, other)


def _is_payload(spec: Spec) -> bool:
    """Whether a variable can be of this kind or of none: of tuples those whose items are of the graph."""
    if not isinstance(spec, TupleType):
        return not isinstance(spec, (TextType, CharacterType))
    inner = all(not isinstance(item, (ObjectType, ListType)) and _is_payload(item) for item in spec.items)
    return inner and spec.made != RANGE  # a range of nothing has no step


def _join_numbers(a: NumberType, b: NumberType) -> Spec:
    if a.kind == b.kind:
        same = (
            a.constant is not None
            and type(a.constant) is type(b.constant)
            and _bits(a.constant) == _bits(b.constant)
        )
        return a if same else NumberType(a.kind, small=_is_small(a) and _is_small(b))
    for first, second in ((a, b), (b, a)):
        if _converts(first, second.kind):
            return UnionType(first.kind, NumberType(second.kind))
    return _thing(a, b)


def _is_small(spec: NumberType) -> bool:
    return spec.small or (type(spec.constant) is int and abs(spec.constant) < 2**47)


def _bits(value: Any) -> bytes:
    return np.asarray(value).tobytes()


def _converts(first: NumberType, kind: Scalar) -> bool:
    """Whether every value of `first` is held exactly by `kind`'s representation."""
    if first.kind.dtype == kind.dtype:
        return kind.is_python <= first.kind.is_python
    if first.kind == INT and first.constant is None and kind.dtype == np.float64:
        return True  # checked where it happens, unless it is small
    if first.constant is None or kind.dtype.kind == "b":
        return False
    try:
        with np.errstate(all="ignore"):
            held = kind.dtype.type(first.constant)
        back = type(first.constant)(held.item() if kind.dtype.kind != "c" else held.real)
        return bool(held == first.constant) and _bits(back) == _bits(first.constant)  # -0.0 is no int
    except (OverflowError, TypeError, ValueError):
        return False


def _join_arrays(a: ArrayType, b: ArrayType) -> Spec:
    if a.dtype != b.dtype or len(a.shape) != len(b.shape):
        return ObjectType()
    pairs = zip(a.shape, b.shape, strict=True)
    shape = tuple(x if x is not None and y is not None and _same_size(x, y) else None for x, y in pairs)
    layout = a.layout if a.layout == b.layout else "A"
    order = a.order if a.order == b.order else None
    return ArrayType(a.dtype, shape, layout, a.writeable and b.writeable, order)


def _same_size(x: Size, y: Size) -> bool:
    return x == y or current().same_size(x, y)


def _join_choice(choice: UnionType, other: Spec) -> Spec:
    if isinstance(other, StaticType) and other.value is choice.first:
        return choice
    if isinstance(other, NumberType) and isinstance(choice.first, Scalar) and other.kind == choice.first:
        if isinstance(choice.payload, NumberType) and _converts(other, choice.payload.kind):
            return choice
        return _thing(choice, other)
    thing = _thing(choice, other)
    if isinstance(other, UnionType):
        if other.first is not choice.first and other.first != choice.first:
            return UnionType(UNBOUND, thing) if UNBOUND in (other.first, choice.first) else thing
        other = other.payload
    joined = join(choice.payload, other)
    if isinstance(joined, (UnionType, StaticType)) or not _is_payload(joined):
        joined = thing
    if isinstance(joined, ObjectType) and choice.first is not UNBOUND:
        unbound = isinstance(other, StaticType) and other.value is UNBOUND
        return UnionType(UNBOUND, thing) if unbound else thing
    return UnionType(choice.first, joined)


def widen(spec: Spec) -> Spec:
    """A loop variable is not the constant that it starts with."""
    if isinstance(spec, NumberType):
        return NumberType(spec.kind)
    if isinstance(spec, TupleType):
        return replace(spec, items=tuple(widen(item) for item in spec.items))
    return spec


def fits(value_spec: Spec, target: Spec) -> bool:
    """Whether a value of `value_spec` can be encoded as `target`."""
    return widen(join(target, value_spec)) == widen(target)


def outside(specs: list[Spec], names: int) -> list[Spec]:
    """`specs` for what comes behind the blocks that were opened when there were so many names.

    Of a size that hangs on what is defined inside, nothing is known there, also not in the next iteration:
    ``w = x[:i]`` of the last one has as many elements as its own ``i`` says.
    """
    builder = current()
    mentioned = {name for spec in specs for name in _symbols(spec)}
    if not mentioned or not (inner := mentioned & builder.given_since(names)):
        return specs
    inner = {name for name in inner if not builder.guardable(dims.symbol(name))}
    return [_without(spec, inner) for spec in specs] if inner else specs


def _symbols(spec: Spec) -> set[str]:
    """The symbols of sizes in a spec."""
    arrays = [one for one in types_of(spec) if isinstance(one, ArrayType)]
    return {
        name for array in arrays for size in array.shape if size is not None for name in dims.symbols(size)
    }


def _without(spec: Spec, names: set[str]) -> Spec:
    """The spec, in which sizes that hang on these names are not known."""
    if isinstance(spec, ArrayType):
        hidden = (size is None or not names.isdisjoint(dims.symbols(size)) for size in spec.shape)
        shape = tuple(None if hides else size for hides, size in zip(hidden, spec.shape, strict=True))
        return replace(spec, shape=shape)
    if isinstance(spec, UnionType):
        return replace(spec, payload=_without(spec.payload, names))
    if isinstance(spec, TupleType):
        return replace(spec, items=tuple(_without(item, names) for item in spec.items))
    if isinstance(spec, ListType):
        array = _without(spec.array, names)
        assert isinstance(array, ArrayType)
        return replace(spec, array=array)
    return spec


def types_of(spec: Spec) -> list[Type | ArrayType]:
    """What the spec is made of in the graph."""
    if isinstance(spec, StaticType):
        return []
    if isinstance(spec, NumberType):
        return [spec.kind]
    if isinstance(spec, (TextType, CharacterType)):
        return [INT]
    if isinstance(spec, ListType):
        return [BOOL, spec.array] if spec.tagged else [spec.array]
    if isinstance(spec, ArrayType):
        return [spec]
    if isinstance(spec, ObjectType):
        return [OBJECT]
    if isinstance(spec, UnionType):
        return [BOOL, *types_of(spec.payload)]
    return [t for item in spec.items for t in types_of(item)]


def encode(value: Any, spec: Spec) -> list[Operand]:
    """`value` as operands of `spec`, with the conversions emitted in the open block."""
    value = unwrap_union(value)
    if isinstance(spec, StaticType):
        return []
    if isinstance(spec, TupleType):
        items = _items_of(value)
        return [operand for v, s in zip(items, spec.items, strict=True) for operand in encode(v, s)]
    if isinstance(spec, UnionType):
        return _encode_choice(value, spec)
    if isinstance(spec, NumberType):
        return [_number(value, spec.kind)]
    if isinstance(spec, TextType):
        return [number_operand(value)]
    if isinstance(spec, CharacterType):
        return [_number(value.code if isinstance(value, Character) else code_of(value), INT)]
    if isinstance(spec, ArrayType):
        if isinstance(value, SymbolicUnion):
            value = value.payload
        return [value.operand()]
    if isinstance(spec, ListType):
        tag = literal(value.path is not None) if value.tag is None else value.tag
        return [tag, value.held.operand()] if spec.tagged else [value.held.operand()]
    return [as_thing(value, spec.cause)]


def _items_of(value: object) -> tuple[object, ...]:
    """The items of a tuple or object, which may be all that a variable of two kinds can be by now."""
    held = value.payload if isinstance(value, SymbolicUnion) else value
    items: Any = held.items if isinstance(held, SymbolicTuple) else held
    if (parts := parts_of_range(items)) is not None:
        return parts
    return items.as_value() if isinstance(items, MadeObject) else tuple(items)


def _number(value: Any, kind: Scalar) -> Operand:
    if isinstance(value, SymbolicUnion):
        value = value.payload
    if isinstance(value, Symbol):
        operand = value.operand()
        if operand.type == kind:
            return operand
        assert isinstance(operand.type, Scalar)
        op = f"py.{kind.kind}" if kind.is_python else "cast"
        source = operand.type.kind if kind.is_python else operand.type.dtype.name
        return current().one(op, (operand,), kind, loop=(source,), text=_as_kind(kind))
    known = literal(value)
    if known.type == kind:
        return known
    held = kind.dtype.type(value)
    return Literal(held.item() if kind.is_python else held, kind)


def _as_kind(kind: Scalar) -> str:
    return f"{kind.kind}({{0}})" if kind.is_python else f"np.{kind.kind}({{0}})"


def _encode_choice(value: Any, spec: UnionType) -> list[Operand]:
    true, false = literal(True), literal(False)
    if isinstance(value, SymbolicUnion) and value.first == spec.first:
        return [value.tag, *encode(value.payload, spec.payload)]
    found = describe(value)
    is_first = (isinstance(found, StaticType) and (found.value is spec.first)) or (
        isinstance(found, NumberType) and isinstance(spec.first, Scalar) and found.kind == spec.first
    )
    if not is_first:
        return [true, *encode(value, spec.payload)]
    if isinstance(spec.first, Scalar) and isinstance(spec.payload, NumberType):
        return [false, _exact_number(value, spec.payload.kind, found)]
    return [false, *[_dummy(t) for t in types_of(spec.payload)]]


def _exact_number(value: Any, kind: Scalar, found: Spec) -> Operand:
    """An int as a float that holds it exactly: checked, where that isn't certain."""
    converted = _number(value, kind)
    if not isinstance(found, NumberType) or found.kind != INT or found.small or found.constant is not None:
        return converted
    if kind.dtype.kind != "f":
        return converted
    operands = (converted, literal(False))
    return current().one("py.exact", operands, kind, loop=("float", "bool"), text="either_exact({0}, {1})")


def _dummy(type_: Type | ArrayType) -> Operand:
    if isinstance(type_, ArrayType):
        shape = tuple(0 for _ in type_.shape)
        array = Array(type_.dtype, shape, "C")
        name = "bool" if type_.dtype.kind == "b" else f"np.{type_.dtype.name}"
        return current().one("empty", (), array, text=f"np.empty({shape!r}, dtype={name})")
    if isinstance(type_, Scalar):
        zero = type_.dtype.type(0)
        return Literal(zero.item() if type_.is_python else zero, type_)
    return Literal(None, OBJECT)


def as_thing(value: Any, cause: Cause | None = None) -> Operand:
    """`value` as a Python object of the driver, because of `cause`."""
    if isinstance(value, Undefined):
        return Literal(None, OBJECT)
    if isinstance(value, SymbolicUnion):
        return value.as_object().operand()
    if isinstance(value, SymbolicObject):
        return value.operand()
    if value is None or type(value) is str:
        return Literal(value, OBJECT)
    if isinstance(value, (TracedList, TracedDict)):
        materialise(value)
    under = template()
    source = under.write(value)
    told = {CAUSES: {"": cause}} if cause else {}
    return current().one("python", under.operands, OBJECT, text=source, harmless=True, **told)


def materialise(container: Any) -> None:
    """The list or dict has to be a real object of the run: trace again with that known."""
    knowledge = tracer().knowledge
    if container.site is None or container.site in knowledge.materialised:
        raise TraceError(
            "a container that changes in a way that can't be followed", "keep the numbers in an array"
        )
    knowledge.materialised.add(container.site)
    knowledge.shared |= container.path is not None  # another path may lead to the same one
    raise Restart


def make_values(spec: Spec, name: str) -> list[Value]:
    """New graph values of `spec` (parameters of a block, or results)."""
    builder = current()
    values: list[Value] = []
    for type_ in types_of(spec):
        if not isinstance(type_, ArrayType):
            first = {UnionType: "bound", ListType: "given"}.get(type(spec), "")
            label = f"{name}_{first}" if first and not values else name
            values.append(builder.value(type_, label))
            continue
        label = builder.fresh(name)
        fresh = {k: builder.fresh(f"{name}_shape_{k}") for k, size in enumerate(type_.shape) if size is None}
        shape = tuple(dims.symbol(fresh[k]) if size is None else size for k, size in enumerate(type_.shape))
        value = Value(label, Array(type_.dtype, shape, type_.layout, type_.writeable))
        for axis, symbol in fresh.items():
            builder.sizes[symbol] = (value, axis)
        values.append(value)
    return values


def decode(spec: Spec, values: Iterator[Value], name: str) -> Any:
    """The symbol for values of `spec`."""
    if isinstance(spec, StaticType):
        return Undefined(name) if spec.value is UNBOUND else spec.value
    if isinstance(spec, TupleType):
        items = tuple(decode(item, values, name) for item in spec.items)
        if spec.made is None:
            return items
        if spec.made.reference is None:
            return tracer().operators.call(range, *items)
        return MadeObject.of_values(spec.made.reference, dict(zip(spec.made.names, items, strict=True)))
    if isinstance(spec, UnionType):
        tag, payload = next(values), decode(spec.payload, values, name)
        held = SymbolicTuple(payload, name) if isinstance(payload, (tuple, MadeObject)) else payload
        return SymbolicUnion(tag, spec.first, held)
    if isinstance(spec, ListType):
        return _decoded_list(spec, values)
    value = next(values)
    if isinstance(spec, NumberType):
        return SymbolicScalar(value, spec.kind)
    if isinstance(spec, TextType):
        return chosen_text(value, spec.options)
    if isinstance(spec, CharacterType):
        return Character(SymbolicScalar(value, INT), spec.empty)
    if isinstance(spec, ArrayType):
        return SymbolicArray(value, spec.order)
    if isinstance(spec, ObjectType) and spec.safe:
        tracer().safe.add(value.name)
    if isinstance(spec, ObjectType) and spec.immutable:
        tracer().immutable.add(value.name)
    return SymbolicObject(value)


def _decoded_list(spec: ListType, values: Iterator[Value]) -> NumberList:
    tag = next(values) if spec.tagged else None
    array = SymbolicArray(next(values), spec.array.order)
    made = spec.python_list(array, spec.path, spec.given, spec.part, tag)
    made.merged = True
    return made
