"""The graph: SSA values and nodes, with structured regions for control flow.

Memory model: an array value is a *reference*, as in Python. Views share memory with their source, ``assign``
and ``store`` write through them, and nodes that touch memory keep their order unless a pass proves that they
may not overlap (`effects.py`). Only scalars are pure SSA values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .dims import Size
from .types import Type

ENDINGS = ("yield", "break", "continue", "return", "raise")


@dataclass(frozen=True, slots=True)
class Loc:
    """A place in the user's source: a line, and the columns of an expression or statement in it.

    Columns are characters of `text`, the whole line; `end` is 0 where what stands there ends in a later line
    or isn't known.
    """

    filename: str
    line: int
    function: str = ""
    text: str = ""
    column: int = 0
    end: int = 0

    @property
    def source(self) -> str:
        """What the user wrote at this place, if it is known and stands in one line."""
        return self.text[self.column : self.end]


NOWHERE = Loc("", 0)

QUESTION = "_question"
"""The attribute by which nodes that ask the same in one iteration are known; no text shows it."""


PART_OF = "_part_of"
"""The attribute of a node that makes the result of a NumPy function which several nodes compute: its name."""


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """The result of a node or a parameter of a block; `name` is unique in its graph (``u``, ``u.1``)."""

    name: str
    type: Type

    def __repr__(self) -> str:
        return f"%{self.name}: {self.type}"


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A constant operand: a Python or NumPy number, a string, None, or a dtype."""

    value: Any
    type: Type

    def __repr__(self) -> str:
        return repr(self.value)


Operand = Value | Literal


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One operation applied. `op` names its `OpDef`; `attrs` are static; `regions` are its bodies."""

    op: str
    operands: tuple[Operand, ...] = ()
    results: tuple[Value, ...] = ()
    attrs: Mapping[str, Any] = field(default_factory=dict)
    regions: tuple[Block, ...] = ()
    loc: Loc = NOWHERE


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A straight line of nodes; the last one is its ending (`ENDINGS`)."""

    params: tuple[Value, ...]
    nodes: tuple[Node, ...]

    @property
    def ending(self) -> Node:
        return self.nodes[-1]


@dataclass(frozen=True, slots=True)
class Guard:
    """An assumption on the arguments that the driver tests on entry: ``left == right`` for dims, by text.

    kind ``equal``: two sizes are equal; ``unequal``: they are not; ``at_most``: the first is not larger than
    the second; ``int64``: the int parameter `left` lies within (-2**47, 2**47), so that sizes and indices of
    which it is a part can't leave 64 bits.
    """

    kind: str
    left: Size | str
    right: Size = 0


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """A traced function. `sizes` says where each size symbol comes from: (array value, axis)."""

    name: str
    params: tuple[Value, ...]
    body: Block
    sizes: Mapping[str, tuple[Value, int]] = field(default_factory=dict)
    guards: tuple[Guard, ...] = ()
    constants: Mapping[str, Any] = field(default_factory=dict)


def walk(block: Block) -> Iterator[Node]:
    """Every node of `block` and of the regions inside, in program order (a node before its regions)."""
    for node in block.nodes:
        yield node
        for region in node.regions:
            yield from walk(region)


def value_operands(node: Node) -> Iterator[Value]:
    """The operands of `node` that are values."""
    return (operand for operand in node.operands if isinstance(operand, Value))
