"""`random.Random`: where its state is, a Mersenne twister that the interpreter keeps inside of the object.

That is ``int index; uint32_t state[624]`` behind the head of the object. The place is looked at once, in an
object of our own; in an interpreter that has it elsewhere nobody draws from the memory.
"""

from __future__ import annotations

import ctypes
import random
from functools import cache

WORDS = 624
SIZE = 4 * (1 + WORDS)
"""The bytes of the index and the state."""
_HEAD = object.__basicsize__


def state_address(generator: random.Random) -> int:
    """Where the index and the words are."""
    return id(generator) + _HEAD


@cache
def is_known() -> bool:
    """Whether the memory of a generator is what its `getstate` says, before and after a draw."""
    made = random.Random(7)
    for _ in range(3):
        _, (*words, index), _ = made.getstate()
        if type(made).__basicsize__ < _HEAD + SIZE:
            return False
        found = memoryview(ctypes.string_at(state_address(made), SIZE)).cast("I")
        if found[0] != index or found[1:].tolist() != words:
            return False
        made.getrandbits(32 * 300)
    return True
