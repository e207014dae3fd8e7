"""Hash tables of ints: where a key stands among others, in the order in which they came.

A table is an array of keys, of which the first so many are in use, and an array of places: at the place of a
key's hash, or behind it, stands one more than its number; 0 stands where there is none. (Linear probing and
multiplicative hashing, and keys that go without leaving gaps: Knuth, The Art of Computer Programming, vol. 3,
2nd ed., pp. 516, 526 and 533.)
"""

from __future__ import annotations

from .define import ALL, BUT_FIRST, FIRST, MEMORY, NOTHING, STRUCTURAL, VIEW, NotDifferentiable, define
from .derivatives import INTEGERS

RECORDS = (
    define(
        "find",
        MEMORY,
        "The number of a key in a table, -1 if it isn't there.",
        gradient=INTEGERS,
        scalar=STRUCTURAL,
        effect=("reads",),
        reads=ALL,
        operands=(3, 3),
        written="number_of({0}, {1}, {2})",
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
        operands=(3, 3),
        written="enter({0}, {1}, {2})",
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
        operands=(4, 4),
        written="leave({0}, {1}, {2}, {3})",
    ),
    define(
        "rehash",
        VIEW,
        "The places themselves, or twice as many of the same keys where half of them are taken.",
        gradient=NotDifferentiable("places of keys are ints"),
        scalar=STRUCTURAL,
        effect=("reads",),
        reads=ALL,
        operands=(3, 3),
        work=NOTHING,
        written="with_places({0}, {1}, {2})",
    ),
)
