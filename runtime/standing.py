"""Calls from a line of the user's: for what looks at its caller, as `warnings` and `logging` do.

A driver stands in a generated module. What it calls through a function of `standing_at` finds the user's
function, file, line and globals above itself, as it does in plain Python.
"""

from __future__ import annotations

import ast
from types import FunctionType

from .inner_code import inner_code

_TEXT = "def standing(call, /, *args, **kwargs):\n    return call(*args, **kwargs)\n"


def standing_at(function: FunctionType, line: int) -> FunctionType:
    """A function that calls its first argument with the others, at a line of `function`."""
    code = function.__code__
    tree = ast.parse(_TEXT)
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = line  # type: ignore[attr-defined]
    module = compile(tree, code.co_filename, "exec")
    own = inner_code(module)
    return FunctionType(own.replace(co_name=code.co_name), function.__globals__, function.__name__)
