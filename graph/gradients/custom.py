"""The reverse pass through `custom_gradient`: its region, which was traced with the function, runs here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..analysis.effects import is_array
from ..ir.literals import literal
from ..ir.nodes import Node, Operand, Value
from ..ir.types import Scalar
from ..symbolic.arith import operand
from ..symbolic.scalar_methods import convert
from ..symbolic.symbols import SymbolicScalar
from .adjoints import Adjoints
from .arrays import contiguous
from .branches import taken, zero_of
from .context import called
from .contributions import fitted_to
from .errors import NoGradient
from .frame import Recomputation
from .saving import Planner, restore

if TYPE_CHECKING:
    from .sweep import Sweep


def prepare_custom(frame: Recomputation, node: Node) -> None:
    """Keep what the rule looks at and later nodes overwrite."""
    planner = Planner(frame, node, node.regions)
    frame.plans[node] = planner, planner.plan(1)
    if node not in frame.at:
        frame.copy(node)


def reverse_custom(sweep: Sweep, node: Node) -> None:
    """Run the user's rule on the cotangents."""
    frame, adjoints = sweep.frame, sweep.adjoints
    held = [taken(adjoints, result) for result in node.results]
    wanted = frame.context.activity.wanted(node)[node.attrs["outputs"] :]
    if all(one is None for one in held) or not any(wanted):
        return
    wanted = _of_arguments(frame, node, wanted)
    if node not in frame.plans:
        prepare_custom(frame, node)
    region = node.regions[0]
    rule = Recomputation(frame.context, region.nodes[:-1], frame.context.builder.blocks[-1], frame)
    rule.first = True
    for param, result, one in zip(region.params, node.results, held, strict=True):
        rule.bind(param, _cotangent(adjoints, result, one))
    planner, plan = frame.plans[node]
    restore(rule, node, plan, planner, literal(0))
    for inner in region.nodes[:-1]:
        rule.copy(inner)
    given = node.operands[node.attrs["outputs"] : len(node.operands) - node.attrs.get("others", 0)]
    for source, found, wants in zip(given, region.ending.operands, wanted, strict=True):
        if wants:
            adjoints.add(source, rule.symbol(found))


def _of_arguments(frame: Recomputation, node: Node, wanted: tuple[bool, ...]) -> tuple[bool, ...]:
    """Which of the arguments are active; nothing else that the value was made of may be."""
    count = len(wanted) - node.attrs.get("others", 0)
    others = node.operands[len(node.operands) - node.attrs.get("others", 0) :]
    for active, value in zip(wanted[count:], others, strict=True):
        if active and isinstance(value, Value):
            name = called(frame.context.storage.known_as(value))
            raise NoGradient(
                node,
                f"it reads {name} from outside of its arguments, of which its gradient function knows"
                " nothing",
                "make it an argument, or hand it js.stop_gradient of it",
            )
    return wanted[:count]


def _cotangent(adjoints: Adjoints, result: Value, one: Any) -> Operand:
    """A cotangent as the rule's parameter: of the result's type."""
    if is_array(result):
        array = adjoints.zeros(result) if one is None else one.array
        return contiguous(array).operand()
    assert isinstance(result.type, Scalar)
    value = fitted_to(result.type, zero_of(result) if one is None else one)
    if result.type.is_python:
        value = convert(value, result.type) if isinstance(value, SymbolicScalar) else value.item()
    return operand(value)
