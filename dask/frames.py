"""What is followed in a graph hands on: values, memory, and the ways in which loops and calls are left."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..graph.ir.nodes import Loc, Node, Value
from .elements import Number
from .places import Place
from .relations import Relation
from .sections import OwnMemory, Picked, Section


@dataclass(frozen=True)
class Result:
    """What is known of one result: its relation to the axis, and its sizes."""

    relation: Relation
    shape: tuple[Place | None, ...]


Known = Number | Section
Memory = dict[OwnMemory, Relation]
Way = tuple[list[Known], Memory]
"""How something is left: the values and the memory that are handed on."""


class NotLocal(Exception):
    """What the graph does can't be done block by block; `why` it is, and `loc` says where."""

    def __init__(self, why: str, loc: Loc) -> None:
        super().__init__(why)
        self.why = why
        self.loc = loc


@dataclass
class Frame:
    """A loop, a call or the function: where jumps go to, and what they hang on.

    Attributes:
        node: the loop or call; None for the function.
        ends: the endings that got there, with what they hand on.
        hangs_on: relations of the conditions under which it has been left early.
        skips: those under which the rest of an iteration is left out.
        along: the index, if the loop goes along the axis.
        touched: memory that its iterations write, but not each at its own place.
        written, read_round: memory that they write, and such that they read beyond an end.
    """

    node: Node | None
    ends: list[tuple[Node, Way]] = field(default_factory=list)
    hangs_on: list[Relation] = field(default_factory=list)
    skips: list[Relation] = field(default_factory=list)
    along: Value | None = None
    touched: set[OwnMemory] = field(default_factory=set)
    written: set[OwnMemory] = field(default_factory=set)
    read_round: set[OwnMemory] = field(default_factory=set)


def has_place(section: Section, node: Node) -> None:
    """Make sure that a block has what is read or written, where only the run says at which place.

    Raises:
        NotLocal: a block is shorter than the whole, and may have no such place.
    """
    picked = [k for k, axis in enumerate(section.axes) if isinstance(axis, Picked) and axis.place is None]
    if any(node.attrs.get("check", ())) and any(map(section.buffer.goes_along, picked)):
        raise NotLocal("it reads or writes at places that only the run says", node.loc)


def sizes_of(known: Known) -> tuple[tuple[Place | None, ...], int | None]:
    """The sizes of an array, or the int that a number is."""
    if isinstance(known, Section):
        return known.shape, None
    return (), known.place.number if known.place else None
