"""Callables that run while a function is traced, as the plain Python that they are.

A callable `compile_ops` is asked about each operation as it is made. It may print, raise, keep lists: none of
that belongs into the graph. So staged functions are undone, and what the callable reads is recorded: another
value of a global makes another trace.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..graph.ir.nodes import Literal, Operand
from ..graph.symbolic.symbols import Symbol, SymbolicScalar
from ..graph.trace.build import TraceError
from .lookup import lookup
from .namespace import Namespace
from .traced import Helper, Path
from .tracer import Reference, tracer

_SIMPLE = (type(None), bool, int, float, complex, str, bytes)


def plain_callable(value: Any) -> Any:
    """What the user's function would have found in place of `value`: a Python function, a bool, ..."""
    if isinstance(value, Reference):
        return _outer(value)
    if isinstance(value, SymbolicScalar):
        return known_number(value.operand())
    staged = value if isinstance(value, Symbol) else getattr(value, "staged", value)
    if isinstance(staged, types.FunctionType) and isinstance(staged.__globals__, Namespace):
        return _undone(staged, staged.__globals__) or value
    return value


def known_number(number: Operand) -> Any:
    """The number that the function was given; a call with another one gets a trace of its own."""
    if isinstance(number, Literal):
        return number.value
    known = tracer().examples.get(number.name)
    if known is None:
        raise TraceError("the arguments of jit_scope must be known before the function runs")
    path, value = known
    tracer().static(path, value, "equal")
    return value


def _outer(reference: Reference) -> Any:
    """A callable from outside of the function: its code and what it reads must be the same again."""
    found = reference.value
    function = getattr(found, "python_function", found)
    if not isinstance(function, types.FunctionType):
        tracer().static(reference.path, found, "is")
        return found
    tracer().helpers.setdefault(reference.path, Helper(reference.path, found))
    for name in sorted(set(_outer_names(function.__code__))):
        _record_name(function, reference.path, name)
    return function


def _record_name(function: types.FunctionType, prefix: Path, name: str) -> None:
    """Note what a global or free name of `function` means now."""
    try:
        value = lookup(function, name)
    except NameError:
        return
    items = value if type(value) is tuple else (value,)
    simple = all(type(item) in _SIMPLE for item in items)
    tracer().static((*prefix, ("name", name)), value, "equal" if simple else "is")


def _outer_names(code: types.CodeType) -> Iterator[str]:
    """The global and free names that a code object reads, and the functions in it."""
    yield from code.co_freevars
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield str(instruction.argval)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _outer_names(constant)


def _undone(staged: types.FunctionType, namespace: Namespace) -> Callable[..., Any] | None:
    """The user's own form of a function that was written inside of the traced one."""
    outer = namespace.function
    found = [code for code in _inside(outer.__code__) if _same_place(code, staged.__code__)]
    if len(found) != 1:
        return None
    (code,) = found
    own = dict(zip(staged.__code__.co_freevars, staged.__closure__ or (), strict=True))
    theirs = dict(zip(outer.__code__.co_freevars, outer.__closure__ or (), strict=True))
    cells = []
    for name in code.co_freevars:
        cell = own.get(name) or theirs.get(name)
        if cell is None:
            return None
        cells.append(_known_cell(cell))
    read = tuple(name for name in code.co_freevars if name in theirs and name not in own)
    for name in (*read, *(n for n in _outer_names(code) if n not in code.co_freevars)):
        _record_name(outer, namespace.prefix, name)
    defaults = tuple(plain_callable(value) for value in staged.__defaults__ or ())
    made = types.FunctionType(code, outer.__globals__, staged.__name__, defaults, tuple(cells))
    made.__kwdefaults__ = {k: plain_callable(v) for k, v in (staged.__kwdefaults__ or {}).items()}
    return made


def _inside(code: types.CodeType) -> Iterator[types.CodeType]:
    """Every code object in `code`."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _inside(constant)


def _same_place(plain: types.CodeType, staged: types.CodeType) -> bool:
    """True for the code of one definition, which staging leaves at its place."""
    if (plain.co_name, plain.co_firstlineno) != (staged.co_name, staged.co_firstlineno):
        return False
    first, second = _start(plain), _start(staged)
    return first is None or second is None or first == second


def _start(code: types.CodeType) -> tuple[int, int] | None:
    """Line and column of the leftmost expression in `code`; None where Python doesn't keep them."""
    positions: Iterable[Any] = getattr(code, "co_positions", tuple)()
    known = [(line, column) for line, _, column, _ in positions if line is not None and column]
    return min(known, default=None)


def _known_cell(cell: types.CellType) -> types.CellType:
    """A variable of the traced function; one that an input stands for gets the input's value."""
    try:
        found = cell.cell_contents
    except ValueError:
        return cell
    known = plain_callable(found)
    return cell if known is found else types.CellType(known)
