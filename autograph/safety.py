"""Which objects can run code of the user's when something is done with them.

Only such code can rebind a global or an attribute that the traced function has read. Numbers, text, arrays,
containers of these and the standard library's own objects can't.
"""

from __future__ import annotations

import ast
import collections
import functools
import operator
import re
import sys
import types
from typing import Any

import numpy as np

from .told import told

_PLAIN = (type(None), bool, int, float, complex, str, bytes, range, slice, type(Ellipsis), np.dtype)
_CONTAINERS = (
    list,
    tuple,
    set,
    frozenset,
    dict,
    collections.deque,
    collections.Counter,
    collections.OrderedDict,
)
_CARRIERS = (functools.partial, functools.partialmethod, types.MethodType, types.SimpleNamespace, map, filter)
_LIMIT = 4096


def is_safe(value: Any, depth: int = 4) -> bool:
    """True when no operation on `value` can run code of the user's."""
    if type(value) in _PLAIN or isinstance(value, np.generic):
        return True
    if type(value) is np.ndarray:
        return value.dtype.kind != "O"
    if type(value) in _CONTAINERS:
        return _are_safe(value, depth)
    if isinstance(value, BaseException):
        return _are_safe(value.args, depth)
    if isinstance(value, _CARRIERS) or type(value) is collections.defaultdict:
        return False
    if isinstance(value, types.ModuleType):
        return True
    owner = told(value, "__self__")
    if (
        isinstance(value, types.BuiltinFunctionType)
        and owner is not None
        and not isinstance(owner, types.ModuleType)
    ):
        return is_safe(owner, depth - 1)
    named = value if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)) else type(value)
    module = told(named, "__module__") or ""
    root = module.split(".")[0]
    return root in ("builtins", "numpy", "scipy") or root in sys.stdlib_module_names - {"__main__"}


def is_immutable(value: object) -> bool:
    """True for numbers, text and the like: what works in place gives a new one."""
    return type(value) in _PLAIN or isinstance(value, np.generic)


def is_function(value: object) -> bool:
    """Whether it is a module, a class or a function, which has no object bound to it."""
    if isinstance(value, types.BuiltinFunctionType):
        return value.__self__ is None or isinstance(value.__self__, types.ModuleType)
    return isinstance(value, (type, types.ModuleType, types.FunctionType, np.ufunc))


_OPERATORS = (ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.IfExp, ast.Name, ast.Constant, ast.Tuple)
_DISPLAYS = (ast.List, ast.Dict, ast.Set)
_MADE_OF = (*_OPERATORS, *_DISPLAYS, ast.Expression, ast.unaryop, ast.operator, ast.boolop, ast.expr_context)


_KEYS = ("abs", "float", "int", "len", "str")
_LISTED = ("either_listed", "in_places", "listed", "listed_rows", "mixed_listed", "or_none_listed", "scalars")
"""Functions that make lists of arrays."""
_FUNCTIONS = frozenset(
    "abs ascii bin bool chr complex float hash hex int len oct ord repr round str type".split()
) | frozenset(_LISTED)
_METHODS = frozenset(
    "as_integer_ratio bit_count bit_length capitalize casefold center conjugate endswith format isalnum"
    " isalpha isdigit is_integer islower isspace isupper item ljust lower lstrip rjust"
    " rsplit rstrip split splitlines startswith strip swapcase to_bytes tolist upper zfill".split()
)
_CHOICES = ("complex", "format", "int", "max", "min", "round", "str", *_LISTED)
"""Functions and methods, Python's and those of arrays, that only look at a value; those that do at more."""
_GO_THROUGH = frozenset(f.__name__ for f in (all, any, frozenset, max, min, set, sorted, sum, tuple))
"""Functions that only look at a container, but use up an iterator."""


@functools.lru_cache(1024)
def only_computes(text: str) -> bool:
    """Whether the template is of operators and the like: of safe operands, it only gives a value."""
    nodes = parts_of(text)
    return bool(nodes) and all(isinstance(node, _MADE_OF) or _only_looks(node) for node in nodes)


@functools.lru_cache(1024)
def gives_immutable(text: str) -> bool:
    """Whether what the template gives is immutable where its operands are."""
    makers = (*_DISPLAYS, ast.Attribute)
    computes = only_computes(text) and not any(isinstance(node, makers) for node in parts_of(text))
    return computes or works_in_place(text)


def works_in_place(text: str) -> bool:
    """Whether the template is of an operator that changes its first operand where that can be changed."""
    called = re.fullmatch(r"operator\.(i\w+)\(\{0\}, (.*)\)", text)
    return called is not None and hasattr(operator, f"__{called[1]}__") and only_computes(called[2])


def parts_of(text: str) -> list[ast.AST]:
    """The nodes of a template of an expression, without those of lambdas; none if it isn't one."""
    try:
        source = re.sub(r"\{\d+\}", "operand", text).replace("{{", "{").replace("}}", "}")
        found: list[ast.AST] = [ast.parse(source, mode="eval")]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    for node in found:
        if not isinstance(node, ast.Lambda):
            found += ast.iter_child_nodes(node)
    return found


def _only_looks(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        called = node.func
        if not isinstance(called, ast.Name):
            return isinstance(called, ast.Attribute) and not node.keywords
        if len(node.args) == 1 and called.id in _GO_THROUGH:
            return _is_new_list(node.args[0]) and all(map(_is_key, node.keywords))
        if node.keywords:
            return False
        return called.id in (_FUNCTIONS if len(node.args) == 1 else _CHOICES)
    if isinstance(node, ast.Attribute):
        return node.attr in _METHODS
    return _is_comparison(node) or isinstance(node, (ast.keyword, ast.Lambda))


def _is_key(node: ast.keyword) -> bool:
    """Whether an argument by name is a constant, or a function that only computes with the items."""
    if not isinstance(node.value, ast.Lambda):
        is_pure = isinstance(node.value, ast.Name) and node.value.id in _KEYS
        return is_pure or isinstance(node.value, ast.Constant)
    inner = ast.walk(node.value.body)
    return all(isinstance(each, (*_MADE_OF, ast.Subscript)) or _only_looks(each) for each in inner)


def _is_new_list(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        called = node.func
        return called.id in _LISTED if isinstance(called, ast.Name) else _name(called) == "tolist"
    return isinstance(node, (ast.List, ast.Tuple))


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else ""


def _is_comparison(node: ast.AST) -> bool:
    """Of values, which leaves them as they are; ``in`` uses up an iterator."""
    if isinstance(node, ast.Compare):
        return not any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops)
    return isinstance(node, ast.cmpop)


def _are_safe(value: Any, depth: int) -> bool:
    if depth <= 0 or len(value) > _LIMIT:
        return False
    items = [*value.keys(), *value.values()] if isinstance(value, dict) else value
    return all(is_safe(item, depth - 1) for item in items)
