"""The reverse pass through `if`: the same question again, and in each branch the branch's own reverse pass.

An `if` and those that ask its question again carry the same mark, `QUESTION`: the verifier of kernels knows
by it that they take the same branch.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..analysis.effects import is_array
from ..ir.literals import literal
from ..ir.nodes import QUESTION, Block, Node, Operand, Value
from ..ir.rewrite import map_nodes, with_attrs
from ..ir.types import Scalar, numpy_scalar
from ..ops.facts import falls_through, is_branch
from ..symbolic.arith import operand
from ..symbolic.symbols import SymbolicScalar
from .adjoints import AdjointBuffer, Adjoints
from .context import adjoint_name
from .frame import Recomputation
from .saving import Planner, SavingPlan, keeping, restore

if TYPE_CHECKING:
    from .sweep import Sweep


class Question:
    """Stands for the condition of one `if`; each is another one."""


def with_questions(nodes: list[Node]) -> list[Node]:
    """`nodes` with a mark on each `if` that has none."""
    return list(map_nodes(Block((), tuple(nodes)), _with_question).nodes)


def _with_question(node: Node) -> Node:
    if not is_branch(node) or QUESTION in node.attrs:
        return node
    return with_attrs(node, **{QUESTION: Question()})


def prepare_if(frame: Recomputation, node: Node) -> None:
    """Keep what the reverse pass will need of the branches."""
    if _leaves(node):
        return
    planner = Planner(frame, node, node.regions)
    plan = planner.plan(1)
    frame.plans[node] = planner, plan
    now = frame.at.get(node, node)
    new = keeping(frame, now, plan, literal(0), now.regions)
    frame.put(node, new)


def _leaves(node: Node) -> bool:
    """Whether one branch never comes to its end; the other is empty then (`exits`)."""
    leaves = [not falls_through(region) for region in node.regions]
    if sum(leaves) == 1:
        stays = node.regions[leaves.index(False)]
        inside = (*node.results, *stays.nodes[:-1])
        assert not inside, "what follows a branch that raises is inside of an if"
    return any(leaves)


def reverse_if(sweep: Sweep, node: Node) -> None:
    """Run the needed part of the branch again, and go back through it."""
    frame, adjoints = sweep.frame, sweep.adjoints
    if _leaves(node):
        return
    if node not in frame.plans:
        prepare_if(frame, node)
    planner, plan = frame.plans[node]
    condition = frame.operand(node.operands[0])
    cotangents = [taken(adjoints, result) for result in node.results]
    made = [_branch(sweep, node, region, planner, plan, cotangents) for region in node.regions]
    outer = list(dict.fromkeys(value for _, found in made for value in found))
    if not outer and not any(nodes for nodes, _ in made):
        return
    builder = frame.context.builder
    for nodes, found in made:
        builder.blocks.append(nodes)
        builder.emit("yield", [_difference(value, found) for value in outer])
        builder.blocks.pop()
    types = [_scalar(value) for value in outer]
    regions = [Block((), tuple(nodes)) for nodes, _ in made]
    names = tuple(adjoint_name(value) or "d" for value in outer)
    attrs: dict[str, Any] = {"names": names}
    if QUESTION in node.attrs:
        attrs[QUESTION] = node.attrs[QUESTION]
    results = builder.emit("if", (condition,), types, attrs, regions, names)
    for value, result in zip(outer, results, strict=True):
        adjoints.add(value, SymbolicScalar(result, _scalar(value)))


def taken(adjoints: Adjoints, result: Value) -> Any:
    """The adjoint of a result where it was made: a number, or what is held for an array."""
    if is_array(result):
        return adjoints.take_held(adjoints.frame.context.storage.root(result))
    return adjoints.take(result)


def _branch(
    sweep: Sweep, node: Node, region: Block, planner: Planner, plan: SavingPlan, cotangents: list[Any]
) -> tuple[list[Node], dict[Value, Any]]:
    """The reverse pass through one branch: its nodes, and what they find for scalars of outside."""
    frame = sweep.frame
    with frame.context.builder.region() as nodes:
        inner = Recomputation(frame.context, region.nodes[:-1], nodes, frame)
        restore(inner, node, plan, planner, literal(0))
        found = Adjoints(inner, sweep.adjoints)
        inner.run()
        for target, cotangent in zip(region.ending.operands, cotangents, strict=True):
            seed(found, target, cotangent)
        sweep.inner(inner, found).run()
    return nodes, found.outer_scalars()


def seed(adjoints: Adjoints, target: Operand, cotangent: Any) -> None:
    """The adjoint of what left a region goes to where it came from."""
    if cotangent is None or not isinstance(target, Value):
        return
    storage = adjoints.frame.context.storage
    if not isinstance(cotangent, AdjointBuffer):
        adjoints.add(target, cotangent)
    elif storage.root(target) is target:
        adjoints.put(target, replace(cotangent, parts=[]))  # other branches get it, too
    else:
        adjoints.add(target, cotangent.array)


def _scalar(value: Value) -> Scalar:
    """The type of a scalar's adjoint."""
    assert isinstance(value.type, Scalar)
    return numpy_scalar(value.type.dtype)


def zero_of(value: Value) -> Any:
    """The adjoint that a scalar begins with."""
    assert isinstance(value.type, Scalar)
    return value.type.dtype.type(0)


def _difference(value: Value, found: dict[Value, Any]) -> Operand:
    given = found.get(value)
    return operand(zero_of(value) if given is None else given)
