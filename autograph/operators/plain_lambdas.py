"""Lambdas that Python's own functions call: ``sorted(pairs, key=lambda p: p[1])``.

Nobody traces what `sorted` does with a key. The driver hands it the lambda as the user wrote it; what that
reads of the function around it are parameters with defaults, which keep the values that the names have now.
Only functions that have done with the lambda when they return get one: others may call it later.
"""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import heapq
import math
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ...graph.symbolic.symbols import UNBOUND, SymbolicUnion
from ...graph.trace.build import TraceError
from ...graph.trace.template import Phrase, Template
from ..namespace import Namespace
from ..outlining.uses import free_names
from ..source import lambda_in
from .exits import Undefined

_END_WITH_CALL: tuple[Any, ...] = (sorted, min, max, functools.reduce, heapq.nsmallest, heapq.nlargest)


_MODULES: dict[str, object] = {"np": np, "math": math}
"""What generated modules have by these names, too."""
_LOOK_AROUND = frozenset("eval exec locals globals vars dir super".split())


def ends_with_call(function: object) -> bool:
    """Whether a function calls what it is given only until it returns."""
    return any(function is known for known in _END_WITH_CALL)


def written_lambda(value: types.FunctionType, real: Callable[[object], object]) -> Phrase:
    """A staged lambda as an expression of the driver; `real` makes Python's own objects of what it reads.

    Raises:
        TraceError: it is no lambda, or stands where its text can't be found or moved.
    """
    space = value.__globals__
    found = lambda_in(space.function, value.__code__) if isinstance(space, Namespace) else None
    if found is None or not _can_move(found):
        raise TraceError("a function made inside is given to a function that nobody knows")
    names = [name for name in sorted(free_names(found)) if not _is_builtin(value, name)]
    values = {name: _value_of(value, name) for name in names}
    read = {name: real(held) for name, held in values.items() if _MODULES.get(name) is not held}
    return Phrase(lambda under: _text(found, read, under))


def _can_move(found: ast.Lambda) -> bool:
    """Whether its text means the same elsewhere: it neither suspends nor speaks of names of a class."""
    names = {each.id for each in ast.walk(found) if isinstance(each, ast.Name)}
    if any(isinstance(each, (ast.Await, ast.Yield, ast.YieldFrom)) for each in ast.walk(found)):
        return False
    defaults = found.args.defaults or any(found.args.kw_defaults)
    private = any(name.startswith("__") for name in names | _attributes(found))
    return not defaults and not private and names.isdisjoint(_LOOK_AROUND)


def _attributes(found: ast.Lambda) -> set[str]:
    return {each.attr for each in ast.walk(found) if isinstance(each, ast.Attribute)}


def _is_builtin(value: types.FunctionType, name: str) -> bool:
    space: Any = value.__globals__
    return (
        name not in value.__code__.co_freevars
        and name not in space.function.__globals__
        and hasattr(builtins, name)
    )


def _value_of(value: types.FunctionType, name: str) -> object:
    if name in value.__code__.co_freevars:
        cell = (value.__closure__ or ())[value.__code__.co_freevars.index(name)]
        try:
            found = cell.cell_contents
        except ValueError:
            found = UNBOUND
        unbound = isinstance(found, SymbolicUnion) and found.first is UNBOUND
        if found is UNBOUND or isinstance(found, Undefined) or unbound:
            raise TraceError(f"'{name}' may be unbound in a function made inside")
        return found
    try:
        return value.__globals__[name]
    except KeyError:
        raise TraceError(f"'{name}' is not bound yet") from None


def _text(found: ast.Lambda, read: dict[str, object], under: Template) -> str:
    """The source text: what it reads follows its parameters."""
    changed = copy.deepcopy(found)
    changed.args.kwonlyargs += [ast.arg(name) for name in read]
    changed.args.kw_defaults += [ast.Name(f"_{number}_default") for number in range(len(read))]
    text = ast.unparse(changed).replace("{", "{{").replace("}", "}}")
    for number, value in enumerate(read.values()):
        text = text.replace(f"_{number}_default", under.write(value), 1)
    return text
