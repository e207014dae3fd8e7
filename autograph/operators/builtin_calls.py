"""Python's builtin functions on symbols; NotImplemented sends a call to the driver."""

from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...graph.ir import dims
from ...graph.ir.dims import Size
from ...graph.ir.literals import is_number, literal
from ...graph.ir.types import BOOL, COMPLEX, FLOAT, INT, Array, Scalar
from ...graph.ops.python_scalars import MOST_DIGITS
from ...graph.symbolic.arith import truth, type_of
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.operators import binary, made_of_sizes, unary
from ...graph.symbolic.scalar_methods import convert
from ...graph.symbolic.symbols import (
    Symbol,
    SymbolicObject,
    SymbolicScalar,
    SymbolicUnion,
    as_dim,
    payload,
    size_symbol,
)
from ...graph.trace.build import TraceError, current
from ..attempt import attempt
from ..growing_lists import GrowingList
from ..made_objects import MadeObject
from ..number_dicts import HeldTable, NumberDict
from ..number_lists import NumberList
from ..once import Found, KnownItems, Once
from ..records import known_items
from ..texts import Character
from ..tracer import TracedDict, TracedList, tracer
from .class_checks import is_instance
from .containers import Generator, itself, new_dict, new_list, new_set, numbers_of, table_of
from .control import if_exp
from .folds import (
    better,
    by_python,
    first_of,
    fold_by_key,
    fold_extreme,
    fold_quantifier,
    fold_reduce,
    fold_sum,
    folded,
    items_of,
    lazily,
    require,
)
from .heaps import HEAPS
from .iterables import (
    Columns,
    Enumerated,
    Reversed,
    Sequence,
    Spread,
    Zipped,
    nested_sequence,
    range_of,
    sequence_of,
)
from .iterations import ITERATIONS, numbered
from .list_order import in_order
from .number_dicts import copied_dict
from .own_errors import depends

UNROLLED = 16
"""any and all of a generator over up to this many known items are written out."""


def _len(value: Any) -> Any:
    if isinstance(value, SymbolicUnion) and isinstance(value.payload, SymbolicArray):
        value = payload(value)
    if isinstance(value, SymbolicArray):
        return value.length()
    if isinstance(value, Once):
        raise TraceError("len() of an iterator")
    if isinstance(value, Sequence):
        return value.length()
    if isinstance(value, (NumberList, HeldTable)):
        tracer().check_no_sorting(value)
        return value.length()
    if (items := known_items(value)) is not None:
        return len(items)
    if isinstance(value, Symbol):
        return NotImplemented
    return len(value)


def _range(*args: Any) -> Any:
    args = tuple(payload(a) if isinstance(a, SymbolicUnion) else a for a in args)
    if any(isinstance(a, SymbolicObject) for a in args):
        return NotImplemented
    if not any(isinstance(a, Symbol) for a in args):
        return range(*args)
    start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
    return range_of(start, stop, step)


def _abs(value: Any) -> Any:
    return unary("abs", value) if isinstance(value, Symbol) else abs(value)


def _conversion(kind: Scalar, plain: Callable[..., Any]) -> Callable[..., Any]:
    def convert_to(*args: object, **kwargs: object) -> Any:
        if len(args) != 1 or kwargs:
            return plain(*args, **kwargs) if not any(isinstance(a, Symbol) for a in args) else NotImplemented
        value = args[0]
        if isinstance(value, SymbolicUnion):
            if not isinstance(value.payload.type, Scalar) or not isinstance(value.first, Scalar):
                return NotImplemented
            value = value.payload
        if isinstance(value, SymbolicArray) and value.ndim == 0:
            value = value[()]
        if isinstance(value, SymbolicScalar):
            if value.type.dtype.kind == "c" and kind != COMPLEX and kind != BOOL:
                raise TraceError(f"{kind}() of a complex number")
            return convert(value, kind)
        return NotImplemented if isinstance(value, Symbol) else plain(value)

    return convert_to


def _complex(*parts: object) -> Any:
    kinds = [type_of(part) for part in parts]
    real = all(isinstance(kind, Scalar) and kind.dtype.kind in "bif" for kind in kinds)
    if len(parts) != 2 or not real or not any(isinstance(part, Symbol) for part in parts):
        return _conversion(COMPLEX, complex)(*parts)
    operands = tuple(part.operand() if isinstance(part, Symbol) else literal(part) for part in parts)
    node = current().one(
        "py.complex_of_parts", operands, COMPLEX, loop=("float", "float"), text="complex({0}, {1})"
    )
    return SymbolicScalar(node, COMPLEX)


def _bool(value: object = False) -> Any:
    found = truth(value.length() if isinstance(value, (NumberList, HeldTable)) else value)
    return NotImplemented if isinstance(found, SymbolicObject) else found


def _extreme(name: str) -> Callable[..., Any]:
    plain = getattr(builtins, name)

    def meaning(*args: Any, **kwargs: Any) -> Any:
        if kwargs and (list(kwargs) != ["key"] or kwargs["key"] is not None):
            return _extreme_by_key(name, args, kwargs)
        items = args
        if len(args) == 1:
            staged = items_of(args[0]) if isinstance(args[0], (Generator, Symbol, Sequence)) else None
            if staged is not None:
                found = fold_extreme(name, staged, _pick)
                if found is not NotImplemented or not isinstance(args[0], Generator):
                    return found
            given = by_python(name, args[0]) if isinstance(args[0], Generator) else args[0]
            if isinstance(given, NumberList):
                return meaning(sequence_of(given))
            if isinstance(given, Symbol) and isinstance(args[0], Generator):
                return given
            if isinstance(given, (Symbol, Sequence)):
                return NotImplemented
            items = tuple(given)
        if any(isinstance(i, SymbolicObject) for i in items):
            return NotImplemented
        if not any(isinstance(item, Symbol) for item in items):
            return plain(items)
        return functools.reduce(lambda best, item: _pick(name, best, item), items)

    return meaning


def _extreme_by_key(name: str, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
    """``min(items, key=key)``; what can't be followed, a `default` too, is Python's."""
    if list(kwargs) != ["key"]:
        return NotImplemented
    items, key = (args[0], kwargs["key"]) if len(args) == 1 else (args, kwargs["key"])
    staged = items_of(items) if isinstance(items, (Generator, Symbol, Sequence)) else None
    if staged is not None:
        found = fold_by_key(name, staged, key)
        if found is not NotImplemented or not isinstance(items, Generator):
            return found
    if isinstance(items, Generator):
        items = items.as_list()
        if isinstance(items, NumberList) and (staged := items_of(sequence_of(items))) is not None:
            return fold_by_key(name, staged, key)
        if not isinstance(items, list):
            raise TraceError(f"{name}() of a generator, with a key", "make a list of it first")
    if not isinstance(items, (list, tuple)) or not items:
        return NotImplemented
    with attempt() as trial:
        pairs = [(tracer().operators.call(key, item), item) for item in items]
        symbols = [found for found, _ in pairs if isinstance(found, Symbol)]
        if len(symbols) > UNROLLED or any(isinstance(found, SymbolicObject) for found in symbols):
            trial.give_up()
        return functools.reduce(functools.partial(better, name), pairs)[1]
    return NotImplemented


def _size(value: object) -> Size | None:
    """The affine form of a Python int that is made of sizes of arrays."""
    size = None if isinstance(value, np.integer) else as_dim(value)
    return size if size is not None and made_of_sizes(size) else None


def _pick(name: str, best: object, item: object) -> Any:
    """min keeps the first of equals: the new one wins only if it compares strictly."""
    one, other = _size(best), _size(item)
    if one is not None and other is not None:
        return size_symbol(dims.minimum(one, other) if name == "min" else dims.maximum(one, other))
    kinds = type_of(best), type_of(item)
    if (
        kinds[0] == kinds[1]
        and isinstance(kinds[0], Scalar)
        and kinds[0].is_python
        and kinds[0] in (INT, FLOAT)
    ):
        operands = tuple(v.operand() if isinstance(v, Symbol) else literal(v) for v in (best, item))
        node = current().one(
            f"py.{name}", operands, kinds[0], loop=(kinds[0].kind,) * 2, text=f"{name}({{0}}, {{1}})"
        )
        return SymbolicScalar(node, kinds[0])
    better = binary("lt" if name == "min" else "gt", item, best)
    return if_exp(better, lambda: item, lambda: best)


def _sum(iterable: Any, start: Any = 0) -> Any:
    """Items are added from left to right, as Python does."""
    staged = items_of(iterable) if isinstance(iterable, (Generator, Symbol, Sequence)) else None
    if staged is not None:
        found = fold_sum(staged, start)
        if found is not NotImplemented:
            return found
    given = by_python("sum", iterable, start) if isinstance(iterable, Generator) else iterable
    if isinstance(given, NumberList):
        return _sum(sequence_of(given), start)
    if isinstance(given, Symbol) and isinstance(iterable, Generator):
        return given
    if isinstance(given, (Symbol, Sequence)):
        return NotImplemented
    items = list(given)
    if not any(isinstance(item, Symbol) for item in (*items, start)):
        return sum(items, start)
    return functools.reduce(operator.add, items, start)


def _quantifier(name: str) -> Callable[..., Any]:
    plain = getattr(builtins, name)

    def meaning(iterable: Any) -> Any:
        staged = items_of(iterable) if isinstance(iterable, (Generator, Symbol, Sequence)) else None
        if staged is not None:
            found = fold_quantifier(name, staged)
            if found is not NotImplemented:
                return found
        if isinstance(iterable, Generator) and _is_short(iterable):
            return lazily(name, [functools.partial(iterable.element, item) for item in iterable.iterable])
        if isinstance(iterable, Generator) and staged is None:
            found = fold_quantifier(name, folded(iterable))
            if found is not NotImplemented:
                return found
        given = by_python(name, iterable) if isinstance(iterable, Generator) else iterable
        if isinstance(given, Symbol) and isinstance(iterable, Generator):
            return given
        if isinstance(given, (Symbol, Sequence)):
            return NotImplemented
        items = list(given)
        if not any(isinstance(item, Symbol) for item in items):
            return plain(items)
        return lazily(name, [functools.partial(itself, item) for item in items])

    return meaning


def _is_short(generator: Generator) -> bool:
    """Whether a generator runs over a few items that are known while tracing."""
    items = generator.iterable
    return generator.is_direct and isinstance(items, (list, tuple)) and len(items) <= UNROLLED


def _round(number: Any, ndigits: Any = None) -> Any:
    if isinstance(number, SymbolicScalar) and ndigits is None and number.type in (INT, BOOL):
        return convert(number, INT)
    if isinstance(number, SymbolicScalar) and ndigits is None and number.type in (FLOAT, Scalar("float64")):
        node = current().one("py.round", (number.operand(),), INT, loop=("float",), text="round({0})")
        return SymbolicScalar(node, INT)
    if isinstance(number, SymbolicScalar) and type(ndigits) is int and 0 <= ndigits <= MOST_DIGITS:
        return _rounded_to(number, ndigits)
    return (
        NotImplemented
        if isinstance(number, Symbol) or isinstance(ndigits, Symbol)
        else round(number, ndigits)
    )


def _rounded_to(number: SymbolicScalar, digits: int) -> object:
    """``round(number, digits)``; a float of NumPy's rounds as arrays do."""
    if number.type in (INT, BOOL):
        return convert(number, INT)
    if number.type == FLOAT:
        operands = (number.operand(), literal(digits))
        node = current().one("py.round_to", operands, FLOAT, loop=("float", "int"))
        return SymbolicScalar(node, FLOAT)
    if number.type in (Scalar("float64"), Scalar("float32")):
        return tracer().operators.call(np.round, number, digits)
    return NotImplemented


def _enumerate(iterable: Any, start: Any = 0) -> Any:
    sequence = sequence_of(iterable)
    start = int(start) if isinstance(start, bool) else start
    if sequence is not None and type_of(start) != INT:
        return NotImplemented
    if sequence is not None:
        return Enumerated(sequence, start).made()
    if isinstance(iterable, Generator):
        return numbered(iterable, start)
    if isinstance(iterable, Symbol) or isinstance(start, Symbol):
        return NotImplemented
    return KnownItems(enumerate(iterable, start)).of(iterable).made()


def _zip(*iterables: object, strict: bool = False) -> Any:
    if len(iterables) == 1 and isinstance(iterables[0], Spread):
        return Columns(iterables[0].numbers).made()
    if not any(isinstance(i, (Symbol, Sequence)) for i in iterables):
        return KnownItems(zip(*iterables, strict=strict)).of(*iterables).made()
    parts = [nested_sequence(i) for i in iterables]
    if any(part is None for part in parts) or (strict and not _are_as_long(parts)):
        return NotImplemented
    return Zipped(tuple(part for part in parts if part is not None)).made()


def _are_as_long(parts: list[Sequence | None]) -> bool:
    """Whether all have as many items, by proof or by a guard on the example."""
    lengths = [as_dim(part.length()) for part in parts if part is not None]
    first, *others = lengths
    return first is not None and all(
        other is not None and (other == first or current().same_size(first, other)) for other in others
    )


def _reversed(value: Any) -> Any:
    sequence = sequence_of(value)
    if sequence is not None:
        return Reversed(sequence).made()
    return NotImplemented if isinstance(value, Symbol) else KnownItems(reversed(value)).of(value).made()


def _next(iterator: object, *default: object) -> object:
    """``next(generator)``, which nothing may ask for more."""
    if not isinstance(iterator, Generator) or len(default) > 1:
        return NotImplemented
    return first_of(iterator, *default)


def _divmod(x: Any, y: Any) -> Any:
    if isinstance(x, Symbol) or isinstance(y, Symbol):
        if isinstance(type_of(x), Array) or isinstance(type_of(y), Array):
            return NotImplemented
        if not isinstance(y, (int, float)) or y == 0:
            if (told := _divided_by_zero(x, y)) is None:
                return NotImplemented
            require(binary("ne", y, 0), told, "ZeroDivisionError")
        return (binary("floordiv", x, y), binary("mod", x, y))
    return divmod(x, y)


def _divided_by_zero(x: object, y: object) -> str | None:
    """What `divmod` of two of Python's numbers says if the second is 0, which is not what ``//`` says."""
    kinds = type_of(x), type_of(y)
    pythons = [kind for kind in kinds if isinstance(kind, Scalar) and kind.is_python and kind != COMPLEX]
    if len(pythons) < 2:
        return None
    zero, one = (kind.dtype.type(k).item() for k, kind in enumerate(reversed(pythons)))
    try:
        divmod(one, zero)
    except ZeroDivisionError as error:
        return str(error)
    return None


def _pow(base: Any, exp: Any, mod: Any = None) -> Any:
    if not any(isinstance(v, Symbol) for v in (base, exp, mod)):
        return pow(base, exp, mod)
    return binary("pow", base, exp) if mod is None else NotImplemented


def few(numbers: NumberList) -> int | None:
    """How many items a short list has, where its length doesn't change; a guard holds it to that."""
    if isinstance(numbers, GrowingList):
        return None
    size = numbers.held.shape_sizes[0]
    count = current().hint(size)
    return count if count is not None and count <= UNROLLED and current().known(size, count) else None


def _tuple(value: Any = ()) -> Any:
    if isinstance(value, Generator):
        value = value.as_list()
    if isinstance(value, Sequence) and value.static_length() is not None:
        return tuple(value.at(k) for k in range(value.static_length() or 0))
    if isinstance(value, NumberList) and (count := few(value)) is not None:
        return tuple(value.item(k) for k in range(count))
    return NotImplemented if isinstance(value, (Symbol, Sequence)) else tuple(value)


def _map(function: object, *iterables: object) -> Any:
    """A generator of the calls, each made when its turn comes."""
    call = tracer().operators.call
    if not all(map(_is_followed, iterables)):
        return NotImplemented
    if len(iterables) == 1:
        return Generator(iterables[0], lambda item: call(function, item)).made()
    return Generator(_zip(*iterables), lambda items: call(function, *items)).made()


def _is_followed(iterable: object) -> bool:
    """Whether what goes through it is staged, or known while tracing."""
    return nested_sequence(iterable) is not None


def _filter(function: object, iterable: object) -> Any:
    """A generator of the items of which `function` is true, or that are true."""
    call = tracer().operators.call
    if not _is_followed(iterable):
        return NotImplemented
    keep = itself if function is None else lambda item: call(function, item)
    return Generator(iterable, itself, keep).made()


def _reduce(function: Any, iterable: Any, *initial: Any) -> Any:
    """From left to right, with the first item where no initial value is given."""
    call = tracer().operators.call
    staged = items_of(iterable) if isinstance(iterable, (Generator, Symbol, Sequence)) else None
    if staged is not None:
        return fold_reduce(staged, lambda total, item: call(function, total, item), *initial)
    if isinstance(iterable, (Symbol, Generator)):
        return NotImplemented
    return functools.reduce(lambda total, item: call(function, total, item), list(iterable), *initial)


def _list(value: object = ()) -> Any:
    if isinstance(value, Generator):
        return value.as_list()
    if isinstance(value, NumberDict):
        value = value.in_order()
    if isinstance(value, NumberList):
        return value.copy()
    found = _tuple(value)
    if found is not NotImplemented:
        return new_list(list(found), current().locate().line)
    made = numbers_of(value) if isinstance(value, Sequence) else None
    return NotImplemented if made is None else made


def _set(*args: object) -> object:
    if not args:
        return new_set([], current().locate().line)
    if len(args) != 1 or isinstance(args[0], NumberDict):  # whose room a set begins with
        return NotImplemented
    made = table_of(args[0])
    return NotImplemented if made is None else made


def _dict(*args: object, **kwargs: object) -> object:
    if len(args) == 1 and isinstance(args[0], NumberDict) and not kwargs:
        return copied_dict(args[0])
    if args and kwargs:
        return NotImplemented
    if args:
        pairs: Any = args[0] if len(args) == 1 and isinstance(args[0], Found) else [None]
        if not all(type(pair) is tuple and len(pair) == 2 and not depends(pair[0]) for pair in pairs):
            return NotImplemented
        kwargs = dict(pairs)
    return new_dict(kwargs, current().locate().line)


def _sorted(items: object, *, key: object = None, reverse: object = False) -> object:
    if isinstance(items, NumberDict):
        if key is not None and items.table.values is None:
            return NotImplemented  # in which order a set gives those that are equal
        items = items.table.keys if key is None else sequence_of(items)
    if not isinstance(items, (NumberList, Sequence)) or type(reverse) is not bool:
        return NotImplemented
    made = in_order(items, key, reverse)
    return NotImplemented if made is None else made


def _type(value: object) -> Any:
    if isinstance(value, SymbolicArray):
        return np.ndarray
    if isinstance(value, SymbolicScalar):
        kind = value.type
        return {"bool": bool, "int": int, "float": float, "complex": complex}.get(kind.kind, kind.dtype.type)
    if isinstance(value, (NumberList, HeldTable, Character)):
        return value.python_type
    if isinstance(value, (Symbol, Sequence, Once, MadeObject)):
        return NotImplemented
    return next((kind for kind in (list, dict) if isinstance(value, _OURS[kind])), type(value))


_OURS = {list: TracedList, dict: TracedDict}
"""What stands for Python's containers while tracing."""


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """A pure builtin: called now on constants, in the driver on anything else."""

    def meaning(*args: object, **kwargs: object) -> Any:
        if all(is_number(a) or type(a) in (str, bytes, type(None)) for a in (*args, *kwargs.values())):
            return function(*args, **kwargs)
        return NotImplemented

    return meaning


def _ord(value: object) -> object:
    return value.ordinal() if isinstance(value, Character) else _plain(ord)(value)


def _print(*args: object, **kwargs: object) -> Any:
    return NotImplemented


NOT_THROUGH = (len, isinstance, type, print, bool, slice, hash, repr, str)
"""What doesn't go through an iterator that it is given."""
OVER_ITEMS = (min, max, sum, any, all, enumerate, zip, reversed, map, filter, functools.reduce)
"""What goes through the items of a list."""
OF_MODULES = {**HEAPS, **ITERATIONS}
"""Functions of Python's own modules, which go by the names that the user gave them."""
BUILTINS: dict[Any, Callable[..., Any]] = {
    len: _len,
    range: _range,
    abs: _abs,
    int: _conversion(INT, int),
    float: _conversion(FLOAT, float),
    complex: _complex,
    bool: _bool,
    min: _extreme("min"),
    max: _extreme("max"),
    sum: _sum,
    any: _quantifier("any"),
    all: _quantifier("all"),
    round: _round,
    enumerate: _enumerate,
    zip: _zip,
    reversed: _reversed,
    next: _next,
    sorted: _sorted,
    map: _map,
    filter: _filter,
    functools.reduce: _reduce,
    isinstance: is_instance,
    divmod: _divmod,
    pow: _pow,
    tuple: _tuple,
    list: _list,
    set: _set,
    dict: _dict,
    type: _type,
    print: _print,
    str: _plain(str),
    repr: _plain(repr),
    chr: _plain(chr),
    ord: _ord,
    hash: _plain(hash),
    slice: slice,
    **OF_MODULES,
}
