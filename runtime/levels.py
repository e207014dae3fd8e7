"""How many calls of one function are open inside of each other: a recursion that Python finishes has to end.

Each level of a recursion takes several frames where it passes by us, and Python counts frames. So whatever
may run code of the user's counts itself in and out, in the generated texts, for 0.04 microseconds::

    _js_open = _js_levels.open
    if _js_open >= 2:
        _js_open = _js_levels.looked(2)
    _js_levels.open = _js_open + 1
    try:
        return _js_plain(n)
    finally:
        _js_levels.open = _js_open

The number is that of all threads, and nobody locks it: it only says when to look at the stack.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from weakref import ref

from ..graph.trace.by_code import once_for_code

PLAIN_LEVELS = 2
"""With so many open plain calls the next one makes the function plain; one call in another is usual."""
COMPILED_LEVELS = 20
"""The same of compiled calls, whose speed would be lost; of Python's 1000 frames they take 60 at most."""

_ENTERS = ("CALL", "ATTR", "METHOD", "WITH", "ITER")


class Levels:
    """The open calls of one function. Where a recursion is deep, `shallow` makes its levels cost less."""

    __slots__ = ("codes", "deep", "open", "shallow")

    def __init__(self, shallow: Callable[[], object]) -> None:
        self.open = 0
        self.deep = False
        self.shallow = shallow
        self.codes: dict[int, ref[CodeType]] = {}

    def watch(self, code: CodeType) -> None:
        """Frames of `code` are levels."""
        codes, number = self.codes, id(code)
        codes[number] = ref(code, lambda _: codes.pop(number, None))

    def looked(self, most: int) -> int:
        """How many calls are open in this thread, below the one that asks."""
        if most == COMPILED_LEVELS:
            most = max(most, sys.getrecursionlimit() // 50)
        codes, count = self.codes, -1
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and count < most:
            count += id(frame.f_code) in codes
            frame = frame.f_back
        if count >= most:
            self.deep = True
            self.shallow()
        return count


@once_for_code
def comes_back(code: CodeType) -> bool:
    """Whether a call of a function with this code may lead to another one of it: it calls what nobody knows.

    Operators do so in methods that stand for them.
    """
    if code.co_name.startswith("__"):
        return True
    names = {instruction.opname for instruction in dis.get_instructions(code)}
    return any(part in name for name in names for part in _ENTERS)
