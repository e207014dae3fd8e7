"""From the text of a call to a function, plain or decorated, whose arguments are the names that it reads."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from .inputs import sample

NAMES = tuple(sample(np.random.default_rng(0), "float64", (2, 3)))


def arguments_of(call: str) -> tuple[str, ...]:
    """The names of inputs that a call reads, in the order of `NAMES`."""
    read = {node.id for node in ast.walk(ast.parse(call)) if isinstance(node, ast.Name)}
    return tuple(name for name in NAMES if name in read)


_WRITES = re.compile(
    r"[\w.]+\.(at|sort|fill|put|partition|shuffle|resize|setfield|place|putmask|copyto|fill_diagonal"
    r"|put_along_axis)\("
)
"""Calls that give None: a statement."""


def function_of(call: str, number: int, scope: str = "", loops: bool = False) -> Callable[..., Any]:
    """The function ``def f(<inputs>): return <call>``; a statement changes what it was given.

    With `scope`, the call stands in ``with js.jit_scope():``; with `loops`, in a loop that runs twice, where
    more of NumPy's functions are compiled.
    """
    lines = call.split("\n")
    if _is_expression(call):
        lines = [f"return {call}"] if not loops else [f"made = {call}"]
    if loops:
        lines = ["for lap in range(2):", *_indented(lines)]
        lines += ["return made"] if _is_expression(call) else []
    if scope:
        lines = [f"with {scope}:", *_indented(lines)]
    names = ", ".join(arguments_of(call))
    text = "\n".join([f"def f({names}):", *_indented(lines)]) + "\n"
    file = f"<call {number}{' in a scope' if scope else ''}{' in a loop' if loops else ''}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"np": np}
    if scope:
        import jitscope as js

        space["js"] = js
    exec(compile(text, file, "exec"), space)
    made: Callable[..., Any] = space["f"]
    return made


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _is_expression(call: str) -> bool:
    try:
        ast.parse(call, mode="eval")
    except SyntaxError:
        return False
    return not _WRITES.match(call)
