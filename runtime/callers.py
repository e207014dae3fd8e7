"""What the code of a function tells before it is called: whether frames of ours may be between its calls."""

from __future__ import annotations

import dis
import inspect
from itertools import pairwise
from types import CodeType, FunctionType
from typing import Any

from ..graph.trace.by_code import once_for_code
from .paths import names_in, read_name

_FRAMES = frozenset(
    "_getframe _getframemodulename currentframe getouterframes extract_stack print_stack format_stack"
    " walk_stack findCaller".split()
)
_LEVELS = frozenset({"stacklevel", "stack_info"})


@once_for_code
def looks_at_frames(code: CodeType) -> bool:
    """Whether it names what gives it the frames of its callers: ours must not be among them."""
    names = set(code.co_names)
    return bool(names & _FRAMES) or {"inspect", "stack"} <= names


@once_for_code
def looks_at_callers(code: CodeType) -> bool:
    """Whether it names frames, or an argument that tells `warnings` or `logging` how many to go up."""
    named = {name for constant in code.co_consts if type(constant) is tuple for name in constant}
    return looks_at_frames(code) or bool(named & _LEVELS)


def why_always_plain(code: CodeType) -> str:
    """Why a function runs plain whatever it is given; empty if that is not known."""
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return "it is a generator or a coroutine"
    return "it looks at the frames of its callers" if looks_at_frames(code) else ""


def _asks_itself(code: CodeType) -> bool:
    """Whether a method names itself: ``self.depth``."""
    steps = list(dis.get_instructions(code))
    return any(
        attribute.argval == code.co_name and owner.opname.startswith("LOAD_FAST") and not owner.arg
        for owner, attribute in pairwise(steps)
        if attribute.opname in ("LOAD_ATTR", "LOAD_METHOD")
    )


def calls_itself(function: FunctionType, made: Any, depth: int = 3) -> bool:
    """Whether `function` names `made`, or a decorated function that does: a recursion, likely."""
    if _asks_itself(function.__code__):
        return True
    for name in {*names_in(function.__code__), *function.__code__.co_freevars}:
        try:
            value = read_name(function, name)
        except NameError:
            continue
        if value is made:
            return True
        if depth and type(value) is FunctionType:
            inner = value.__dict__.get("python_function", value)
            if type(inner) is FunctionType and inner is not function and calls_itself(inner, made, depth - 1):
                return True
    return False
