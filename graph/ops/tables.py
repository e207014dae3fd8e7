"""Hash tables of ints, or of tuples of them: where a key stands among others, in their order.

A table is an array of places and one of keys, of which the first so many are in use; keys that are tuples
have an array for each of their numbers. At the place of a key's hash, or behind it, stands one more than the
key's number; 0 stands where there is none. (Linear probing and multiplicative hashing, and keys that go
without leaving gaps: Knuth, The Art of Computer Programming, vol. 3, 2nd ed., pp. 516, 526 and 533.)
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir.nodes import Node
from .define import ALL, BUT_FIRST, FIRST, MEMORY, NOTHING, STRUCTURAL, VIEW, NotDifferentiable, define
from .derivatives import INTEGERS

MOST_NUMBERS = 16
"""A key has no more numbers than that."""


def _call(function: str, numbers: int = 0) -> Callable[[Node], str]:
    """How the call is written that gets the places, the keys, and so many numbers of keys; or a key."""

    def text(node: Node) -> str:
        slots = [f"{{{k}}}" for k in range(len(node.operands))]
        width = len(slots) - 1 - numbers if numbers else len(slots) // 2
        keys, rest = slots[1 : 1 + width], slots[1 + width :]
        given = (slots[0], _one(keys), *(rest if numbers else [_one(rest)]))
        return f"{function}({', '.join(given)})"

    return text


def _one(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


RECORDS = (
    define(
        "find",
        MEMORY,
        "The number of a key in a table, -1 if it isn't there.",
        gradient=INTEGERS,
        scalar=STRUCTURAL,
        effect=("reads",),
        reads=ALL,
        operands=(3, 1 + 2 * MOST_NUMBERS),
        written=_call("number_of"),
    ),
    define(
        "enter",
        MEMORY,
        "Note the place of the key of this number, which wasn't there.",
        gradient=NotDifferentiable("it gives nothing"),
        scalar=STRUCTURAL,
        effect=("reads", "writes"),
        reads=BUT_FIRST,
        writes=FIRST,
        operands=(3, 2 + MOST_NUMBERS),
        written=_call("enter", numbers=1),
    ),
    define(
        "leave",
        MEMORY,
        "Forget the place of the key of this number; the last key gets its number.",
        gradient=NotDifferentiable("it gives nothing"),
        scalar=STRUCTURAL,
        effect=("reads", "writes"),
        reads=BUT_FIRST,
        writes=FIRST,
        operands=(4, 3 + MOST_NUMBERS),
        written=_call("leave", numbers=2),
    ),
    define(
        "rehash",
        VIEW,
        "The places themselves, or twice as many of the same keys where half of them are taken.",
        gradient=NotDifferentiable("places of keys are ints"),
        scalar=STRUCTURAL,
        effect=("reads",),
        reads=ALL,
        operands=(3, 2 + MOST_NUMBERS),
        work=NOTHING,
        written=_call("with_places", numbers=1),
    ),
)
