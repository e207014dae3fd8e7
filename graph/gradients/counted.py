"""The reverse pass through loops that only count iterations themselves: `while`, and those with `break`.

It counts them in the forward pass. In the reverse pass it runs a second time, as a `for` of so many
iterations that keeps what its reverse pass needs, on copies of the memory that it writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.literals import literal
from ..ir.nodes import Node
from ..ir.types import INT
from .adjoints import Adjoints
from .branches import seed, taken
from .frame import Recomputation
from .saving import Planner, restore

if TYPE_CHECKING:
    from .sweep import Sweep


def prepare_counted(frame: Recomputation, node: Node) -> None:
    """Count the iterations, and keep the memory that the loop overwrites."""
    planner = Planner(frame, node, node.regions)
    plan = planner.plan(1)
    count = frame.context.builder.value(INT, "count")
    frame.plans[node] = planner, plan, count
    frame.put(node, frame.context.exits.with_count(node.attrs["loop"], count))


def reverse_counted(sweep: Sweep, node: Node) -> None:
    """Run the loop again with the number of iterations known, and go back through that."""
    frame, adjoints = sweep.frame, sweep.adjoints
    if node not in frame.plans:
        prepare_counted(frame, node)
    planner, plan, count = frame.plans[node]
    (region,) = node.regions
    again = Recomputation(frame.context, region.nodes[:-1], frame.context.builder.blocks[-1], frame)
    again.bind(region.params[0], frame.operand(count))
    restore(again, node, plan, planner, literal(0))
    found = Adjoints(again, adjoints)
    again.run()
    for result, target in zip(node.results, region.ending.operands, strict=True):
        seed(found, target, taken(adjoints, result))
    sweep.inner(again, found).run()
    for value, difference in found.outer_scalars().items():
        adjoints.add(value, difference)
