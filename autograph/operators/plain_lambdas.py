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
import types
from collections.abc import Callable
from typing import Any

from ...graph.trace.build import TraceError
from ...graph.trace.template import Phrase, Template
from ..namespace import Namespace
from ..outlining.uses import free_names
from ..source import lambda_in

_END_WITH_CALL: tuple[Any, ...] = (sorted, min, max, functools.reduce, heapq.nsmallest, heapq.nlargest)


def ends_with_call(function: object, method: str) -> bool:
    """Whether a function, or a method of this name, calls what it is given only until it returns."""
    return method == "sort" or any(function is known for known in _END_WITH_CALL)


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
    read = {name: real(_value_of(value, name)) for name in names}
    return Phrase(lambda under: _text(found, read, under))


def _can_move(found: ast.Lambda) -> bool:
    """Whether its text means the same elsewhere: it neither suspends nor speaks of names of a class."""
    names = {each.id for each in ast.walk(found) if isinstance(each, ast.Name)}
    if any(isinstance(each, (ast.Await, ast.Yield, ast.YieldFrom)) for each in ast.walk(found)):
        return False
    defaults = found.args.defaults or any(found.args.kw_defaults)
    return not defaults and not any(name.startswith("__") for name in names | _attributes(found))


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
            return cell.cell_contents
        except ValueError:
            raise TraceError(f"'{name}' is not bound yet") from None
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
