"""Loops that don't know how often they will run, `while` and those with `break`: their tape grows.

    while test:                 kept_x = np.empty((16, n))
        x = f(x)           ->   count = 0
                                while test:
                                    kept_x = grow(kept_x, count)
                                    kept_x[count] = x
                                    count += 1
                                    x = f(x)

Each buffer is state of the loop; its length is measured wherever it is called by another name.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.around import body_of
from ..ir import dims
from ..ir.literals import literal
from ..ir.nodes import Block, Node, Operand, Value
from ..ir.types import INT, Array
from ..ops.facts import is_tested
from .context import GradientCall, stem
from .endings import iteration_of, with_endings
from .frame import Recomputation
from .saving import SavingPlan, keep_state, keeping

FIRST_LENGTH = 16
"""The places that a buffer begins with."""


def keep_growing(
    frame: Recomputation, node: Node, loop: Node, plan: SavingPlan
) -> tuple[SavingPlan, Operand]:
    """Put `loop`, which keeps what is planned and counts its iterations, in the place of `node`.

    Returns the plan with the buffers as they are after the loop, and the number of iterations.
    """
    context, builder, body = frame.context, frame.context.builder, body_of(loop)
    slots = plan.slots()
    count, total = (builder.value(INT, "count") for _ in range(2))
    buffers = [_renamed(context, slot.buffer) for slot in slots]
    with builder.region() as head, context.forward(node):
        grown = [_grown(context, buffer, count) for buffer in buffers]
        inside = plan.at(dict(zip(slots, grown, strict=True)))
        keep_state(inside, count)
    with builder.region() as tail, context.forward(node):
        attrs = {"loop": ("int", "int"), "text": "{0} + {1}", "safe": True}
        more = builder.emit("py.add", (count, literal(1)), (INT,), attrs, names=("count",))[0]
    kept = body_of(keeping(frame, loop, inside, count, (body,)))
    iteration = iteration_of(kept)
    new = with_endings(
        Block((*body.params, count, *buffers), (*head, *iteration, *tail, *kept.nodes[len(iteration) :])),
        lambda e: Node(e.op, (*e.operands, more, *grown), attrs=e.attrs, loc=e.loc),
        ("yield", "break"),
    )
    regions = [new]
    if is_tested(loop):
        test = loop.regions[0]
        params = (builder.value(INT, "count"), *(_renamed(context, buffer) for buffer in buffers))
        regions.insert(0, Block((*test.params, *params), test.nodes))
    after = [_renamed(context, buffer) for buffer in buffers]
    operands = (*loop.operands, literal(0), *(slot.buffer for slot in slots))
    results = (*loop.results, total, *after)
    frame.put(node, replace(loop, operands=operands, results=results, regions=tuple(regions)))
    kept_in = {slot: frame.symbol(buffer).operand() for slot, buffer in zip(slots, after, strict=True)}
    return plan.at(kept_in), frame.operand(total)


def _grown(context: GradientCall, buffer: Value, count: Value) -> Value:
    """The buffer with a place for this iteration."""
    result = _renamed(context, buffer)
    builder = context.builder
    builder.append(Node("grow", (buffer, count), (result,), {}, (), builder.locate()))
    return result


def _renamed(context: GradientCall, buffer: Value) -> Value:
    """A buffer like this one, of a length of its own."""
    assert isinstance(buffer.type, Array)
    builder, name = context.builder, stem(buffer.name)
    length = builder.fresh(f"{name or 'kept'}_length")
    value = builder.value(Array(buffer.type.dtype, (dims.symbol(length), *buffer.type.shape[1:])), name)
    builder.sizes[length] = (value, 0)
    context.sizes_of[value] = [(length, 0)]
    return value
