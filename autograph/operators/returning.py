"""`return` out of a block: of the decorated function, or of a helper that was traced in place."""

from __future__ import annotations

import collections
from typing import Any

from ...graph.ir.literals import literal
from ...graph.ir.types import Scalar
from ...graph.ops.facts import OWN_ROWS
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.symbols import Symbol, SymbolicUnion, template, unwrap_union
from ...graph.trace.build import TraceError, current
from ...graph.trace.template import Template
from ..array_lists import ArrayList, GrowingArrays
from ..either_items import EitherItems, Pair, is_of_numpys
from ..growing_lists import GrowingList
from ..growing_rows import GrowingRows
from ..held_items import HeldItems
from ..number_dicts import NumberDict
from ..number_lists import PYTHONS, NumberList, TupleRows, refuse
from ..once import Once
from ..placed_rows import PlacedRows
from ..records import TracedRecord
from ..tracer import OpenFunction, Reference, TracedDict, TracedList, tracer
from .state import encode, materialise


def leave_function(value: object) -> None:
    """End the open block with a return of the innermost function."""
    frame = tracer().frame
    if frame.trial is not None:
        frame.trial.give_up()  # it needs a region of its own
    elif frame.top:
        emit_return(value)
    else:
        return_from_region(frame, value)


def return_from_region(frame: OpenFunction, value: object) -> None:
    """A return of a helper in a region: first only noted, then as what all its returns have in common."""
    if frame.carried is not None:
        value = frame.carried.out(value)
    frame.returns.append(value)
    operands = [] if frame.spec is None else encode(value, frame.spec)
    current().emit("return", operands, (), {"text": ", ".join(f"{{{k}}}" for k in range(len(operands)))})


def emit_return(value: object) -> None:
    """The `return` of the graph: leaves, and the text of the structure around them."""
    under = template()
    seen: set[object] = set()
    source = _structure(under, value, seen)
    if handed := [_handed(under, made, seen) for made in tracer().handed.values()]:
        source = f"({source}, {', '.join(handed)})"
    current().emit("return", under.operands, (), {"text": source})


def _handed(under: Template, made: HeldItems | NumberList, seen: set[object]) -> str:
    """What a list or dict of the caller's gets."""
    if isinstance(made, HeldItems):
        entries = [f"{under.write(k)}: {_structure(under, v, seen)}" for k, v in made.assigned().items()]
        return "{{" + ", ".join(entries) + "}}"
    return new_list_text(under, made)


def _once(container: object) -> None:
    """The same list twice in one result has to be one object."""
    if isinstance(container, (TracedList, TracedDict)):
        materialise(container)
    raise TraceError("a list that is returned twice")


def _numbers(under: Any, value: NumberList, seen: set[object]) -> str:
    """The user's list itself, which has the numbers by then; else a new one, which has to be one object."""
    if value.path is not None and value.tag is None:
        return under.write(Reference(tracer(), value.path, value.given))
    several = isinstance(value, (GrowingRows, PlacedRows))
    array = None if several else value.held.operand()
    known = array.name if array is not None and not isinstance(value, GrowingList) else id(value)
    others = seen & {_LIST, _MERGED}
    if value.part or known in seen or (others and (value.merged or _MERGED in others)):
        refuse("a list that is returned in two places, or may be")
    seen |= {known, _MERGED if value.merged else _LIST}
    made = new_list_text(under, value)
    if value.path is None:
        return made
    given = under.write(Reference(tracer(), value.path, value.given))
    return f"({given} if {under.slot(value.tag)} else {made})"


def new_list_text(under: Template, value: NumberList) -> str:
    """A new list of the items as they are now."""
    if isinstance(value, (ArrayList, GrowingArrays)):
        return f"{OWN_ROWS}({under.slot(value.array.operand())})"
    if isinstance(value, GrowingRows):
        if value.form.is_even:
            return f"listed_rows({', '.join(under.slot(column.operand()) for column in value.columns())})"
        return value.form.made(_columns(under, value))
    if isinstance(value, PlacedRows):
        kind = PYTHONS[value.all_rows.dtype.kind]
        return f"in_places({_column(under, value.all_rows, kind)}, {under.slot(value.order.operand())})"
    if isinstance(value, EitherItems):
        called, more = _of_two_types(value.pair, "listed")
        return f"{called}({under.slot(value.held.operand())}{more})"
    made = _column(under, value.array, value.kind)
    return f"list(map(tuple, {made}))" if isinstance(value, TupleRows) else made


def _table(under: Template, value: NumberDict) -> str:
    """The dict or set of a table. In which order a set goes that has lost keys, only Python knows."""
    if value.site in tracer().knowledge.shrinking:
        value.give_up()
    keys = new_list_text(under, value.table.keys)
    if value.table.values is None:
        return f"set({keys})"
    pairs = f"zip({keys}, {new_list_text(under, value.table.values)})"
    if value.made.name is None:
        return f"dict({pairs})"
    if value.python_type is collections.Counter:
        return f"{under.write(value.made.name)}(dict({pairs}))"
    return f"{under.write(value.made.name)}({type(value.made.default).__name__}, {pairs})"


def _columns(under: Template, rows: GrowingRows) -> list[str]:
    """The lists of the columns of a list of rows."""
    flags, pairs, made = rows.flags(), rows.form.pairs(), []
    for k, (column, kind) in enumerate(zip(rows.columns(), rows.form.kinds, strict=False)):
        if k in flags:
            called, more = _of_two_types(pairs[k], "items")
            buffers = f"{under.slot(column.operand())}, {under.slot(flags[k].operand())}"
            made.append(f"{called}({buffers}{more})")
        else:
            made.append(_column(under, column, kind))
    return made


def _of_two_types(pair: Pair, made: str) -> tuple[str, str]:
    """The function that makes a list of numbers of two types, and what else it is given."""
    if is_of_numpys(pair):
        return f"either_{made}", ""
    kind = "or_none" if pair[0] is None else "mixed"
    return f"{kind}_{made}", "" if pair[1].is_python else ", True"


def _column(under: Any, array: SymbolicArray, kind: Scalar) -> str:
    """The list of an array's items, which are of this type."""
    slot, floats = under.slot(array.operand()), array.dtype.kind in "fc"
    if kind.is_python:
        return f"listed({slot})" if floats else f"{slot}.tolist()"
    return f"scalars({slot})" if floats else f"list({slot})"


_LIST, _MERGED = "a list", "a variable that is one of several lists"


def _structure(under: Any, value: Any, seen: set[object] | None = None) -> str:
    seen = set() if seen is None else seen
    value = unwrap_union(value)
    if isinstance(value, (TracedList, TracedDict)) and value.path is not None:
        return under.write(Reference(tracer(), value.path, value.given))
    if isinstance(value, (list, dict)):
        if id(value) in seen:
            _once(value)
        seen.add(id(value))
    if type(value) is tuple:
        items = [_structure(under, item, seen) for item in value]
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    if isinstance(value, list):
        return f"[{', '.join(_structure(under, item, seen) for item in value)}]"
    if isinstance(value, dict):
        entries = [f"{under.write(k)}: {_structure(under, v, seen)}" for k, v in value.items()]
        return "{{" + ", ".join(entries) + "}}"
    if isinstance(value, TracedRecord):
        if id(value) in seen and not value.is_tuple:
            raise TraceError("an object that is returned in two places")
        seen.add(id(value))
        return under.write(value.made(lambda inner, field: _structure(inner, field, seen)))
    if isinstance(value, Once):
        raise TraceError("an iterator that is returned", "return a list of its items")
    if isinstance(value, NumberList):
        return _numbers(under, value, seen)
    if isinstance(value, NumberDict):
        if id(value) in seen:
            value.give_up()
        seen.add(id(value))
        return _table(under, value)
    if isinstance(value, SymbolicUnion):
        value = value.as_object()
    if not isinstance(value, Symbol):
        known = literal(value)
        if isinstance(known.type, Scalar):
            return under.slot(known)
    return under.write(value)
