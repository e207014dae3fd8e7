"""Functions that look at who calls them, as far as their code tells."""

from __future__ import annotations

import functools
from types import CodeType

_FRAMES = frozenset(
    "_getframe _getframemodulename currentframe getouterframes extract_stack print_stack format_stack walk_stack"
    " findCaller".split()
)
_LEVELS = frozenset({"stacklevel", "stack_info"})


@functools.lru_cache(maxsize=512)
def looks_at_frames(code: CodeType) -> bool:
    """Whether it names what gives it the frames of its callers: ours must not be among them."""
    names = set(code.co_names)
    return bool(names & _FRAMES) or {"inspect", "stack"} <= names


@functools.lru_cache(maxsize=512)
def looks_at_callers(code: CodeType) -> bool:
    """Whether it names frames, or an argument that tells `warnings` or `logging` how many to go up."""
    named = {name for constant in code.co_consts if type(constant) is tuple for name in constant}
    return looks_at_frames(code) or bool(named & _LEVELS)
