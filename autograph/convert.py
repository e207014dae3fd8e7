"""A plain function → its syntax tree → the converters, in order → staged Python.

The staged function reads like the user's, with syntax that a trace must see replaced by calls of operators
(`ag`). Each node keeps the position of the user's code that it stands for, and is compiled under the user's
file name: tracebacks show the user's lines.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any

import gast

from ..graph.trace.running import line_of
from .analysis.facts import find_facts
from .converters import (
    asserts,
    assignments,
    attributes,
    augmented,
    calls,
    chosen,
    comparisons,
    comprehensions,
    conditional,
    dead_code,
    deletes,
    displays,
    fors,
    fstrings,
    ifs,
    imports,
    jumps,
    logical,
    nonlocals,
    outermost,
    private_names,
    raises,
    scopes,
    subscripts,
    supported,
    tries,
    undefined,
    walrus,
    whiles,
    withs,
)
from .converters.context import Context, Node
from .source import GENERATOR, Source, Unsupported, find_source, is_plain_function
from .unparse import staged_text, to_ast

__all__ = ["CONVERTERS", "Staged", "Unsupported", "convert"]


def look_up_facts(function: Node, context: Context) -> Node:
    """Find out about names while the control flow is still Python's; changes nothing."""
    context.facts = find_facts(function)
    return function


CONVERTERS: tuple[Callable[[Node, Context], Node], ...] = (
    supported.check,  # before anything is changed, so that reasons speak of the user's code
    nonlocals.convert,
    imports.convert,
    private_names.convert,
    outermost.convert,
    withs.convert,
    tries.convert,
    walrus.convert,
    dead_code.convert,
    look_up_facts,  # from here on names are settled
    undefined.convert,
    jumps.convert,  # while it can be seen which loop or function a jump leaves
    ifs.convert,
    whiles.convert,
    fors.convert,
    comprehensions.convert,  # control flow is done; what follows replaces single statements and expressions
    asserts.convert,
    raises.convert,
    assignments.convert,
    chosen.convert,
    augmented.convert,
    deletes.convert,
    conditional.convert,
    logical.convert,
    comparisons.convert,
    fstrings.convert,
    displays.convert,
    subscripts.convert,
    attributes.convert,
    calls.convert,  # after all that makes no calls of the user's, only operators
    scopes.convert,
)


@dataclass(frozen=True)
class Staged:
    """A converted function: `text` to read, `instantiate` to run it."""

    name: str
    text: str
    filename: str
    firstlineno: int
    source: str
    operators: str
    """The name under which the staged code knows the operators."""
    slice: str
    """The name under which it knows `slice`."""
    code: CodeType = field(repr=False, compare=False)
    qualname: str = ""
    defined_as: str = ""

    def instantiate(self, namespace: dict[str, Any], operators: ModuleType | Any) -> FunctionType:
        """The staged function; its global and free names are looked up in `namespace`, by `__getitem__`."""
        namespace[self.operators] = operators
        namespace[self.slice] = builtins.slice
        made: dict[str, Any] = {}
        # Locals of their own: the function's name must not hide a global of the user's.
        exec(self.code, namespace, made)
        function: FunctionType = made[self.defined_as]
        function.__name__, function.__qualname__ = self.name, self.qualname
        return function


def convert(fn: FunctionType) -> Staged:
    """Convert a plain Python function; raises Unsupported for one that must run plain."""
    code = fn.__code__
    if not is_plain_function(fn):
        where = line_of(code.co_filename, code.co_firstlineno)
        raise Unsupported("it is a generator or a coroutine", where, GENERATOR)
    source = find_source(fn)
    try:
        return _convert(fn, source)
    except (RecursionError, MemoryError, SyntaxError):
        # CPython's own limits: expressions and blocks nested too deep.
        reason = "its expressions or blocks are nested too deep"
        raise Unsupported(reason, line_of(source.filename, source.firstlineno)) from None
    except Unsupported:
        raise
    except Exception as error:
        # A fault of ours must cost the speed of the function, never its answer.
        reason = f"its conversion failed ({type(error).__name__}: {error}); please report this"
        raise Unsupported(reason, line_of(source.filename, source.firstlineno)) from error


def _convert(fn: FunctionType, source: Source) -> Staged:
    tree = gast.ast_to_gast(source.tree)
    free = frozenset(fn.__code__.co_freevars)
    context = Context(source.filename, _names(tree) | free, _class_of(fn), free)
    for converter in CONVERTERS:
        tree = converter(tree, context)
    function = ast.fix_missing_locations(to_ast(tree))
    assert isinstance(function, ast.FunctionDef)
    code = compile(ast.Module([function], []), source.filename, "exec", dont_inherit=True)
    return Staged(
        name=fn.__name__,
        text=staged_text(function, source.lines, source.filename),
        filename=source.filename,
        firstlineno=source.firstlineno,
        source=source.text,
        operators=context.operators,
        slice=context.slice,
        code=code,
        qualname=fn.__qualname__,
        defined_as=function.name,
    )


def _names(tree: Node) -> set[str]:
    """Every name that the function mentions."""
    fields = [getattr(node, key, None) for node in gast.walk(tree) for key in ("id", "name")]
    return {name for name in fields if isinstance(name, str)}


def _class_of(fn: FunctionType) -> str:
    """The class that the function was defined in, if any."""
    owner = fn.__qualname__.rpartition(".")[0].rpartition(".")[2]
    return "" if owner == "<locals>" else owner
