"""Control flow, endings, clusters, and what only the driver runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..ir.nodes import Literal
from .define import (
    ALL,
    CONTROL,
    FIRST,
    NOTHING,
    OPAQUE,
    STRUCTURAL,
    Control,
    NotDifferentiable,
    OpDef,
    define,
)


def _control(
    name: str, doc: str, control: Control, compiled: bool = True, raises: bool = False, **fields: Any
) -> OpDef:
    scalar, effect = STRUCTURAL if compiled else None, ("raises",) if raises else ("pure",)
    return define(name, CONTROL, doc, control=control, **{"scalar": scalar, "effect": effect, **fields})


def _may_stand_still(loop: Any) -> bool:
    """A step that isn't known may be 0, which `range` refuses."""
    step = loop.operands[2]
    return not (isinstance(step, Literal) and step.value)


def _is_harmful(node: Any) -> bool:
    return not node.attrs.get("harmless")


_LOOP = Control(("body", "else"), repeats=True)
_STATE = Control(ends=True, carries_state=True)
_END = Control(ends=True)


def _by_function(pullback: Any) -> Sequence[Any]:
    """The rule of the NumPy function that a node calls."""
    found: Sequence[Any] = pullback.by_function(pullback)
    return found


RECORDS: tuple[OpDef, ...] = (
    _control(
        "if", "One of two regions runs.", Control(("then", "else"), head=1), operands=(1, 1), asks_truth=True
    ),
    _control(
        "for",
        "A region for each number of a range.",
        replace(_LOOP, head=3, index=1),
        raises=True,
        raises_if=_may_stand_still,
    ),
    _control(
        "for_each",
        "A region for each item of an iterable.",
        replace(_LOOP, head=1, index=1),
        compiled=False,
        effect=("opaque", "raises"),
    ),
    _control(
        "while",
        "A region as long as a test holds.",
        replace(_LOOP, regions=("test", "body", "else")),
        raises=True,
    ),
    _control("call", "A helper's body; `return` ends it.", Control(("body",), is_unit=True)),
    _control("cluster", "A region that is compiled as one unit.", Control(("body",), is_unit=True)),
    _control(
        "custom_gradient",
        "Its first operands; the region is their gradient rule.",
        Control(("rule",)),
        compiled=False,
    ),
    _control("yield", "End of a region: its values.", _STATE),
    _control("break", "End of the loop: its state.", _STATE),
    _control("continue", "End of an iteration: the loop's state.", _STATE),
    _control("return", "End of the function or of a call's region.", _END),
    _control("raise", "An exception.", _END, raises=True),
    define(
        "print",
        CONTROL,
        "Text on the standard output, of numbers.",
        gradient=NotDifferentiable("it gives nothing"),
        scalar=STRUCTURAL,
        effect=("opaque", "raises"),
        work=NOTHING,
    ),
    define(
        "check_bound",
        CONTROL,
        "UnboundLocalError unless the name is bound.",
        scalar=STRUCTURAL,
        effect=("raises",),
        operands=(1, 1),
        work=NOTHING,
    ),
    define(
        "recur",
        CONTROL,
        "The function whose body it stands in calls itself.",
        gradient=NotDifferentiable("gradients put calls of a function in line, of itself as well"),
        scalar=STRUCTURAL,
        effect=("raises",),
        work=NOTHING,
    ),
    define("pick", CONTROL, "A number of one of two kinds.", operands=(2, 2), work=NOTHING),
    define(
        "numpy",
        OPAQUE,
        "A call of NumPy that runs as it is.",
        effect=("reads", "raises"),
        reads=ALL,
        raises_if=lambda node: bool(node.attrs.get("raises", True)),
        gradient=_by_function,
    ),
    define(
        "numpy_write",
        OPAQUE,
        "A write by NumPy that runs as it is.",
        effect=("reads", "writes", "raises"),
        reads=ALL,
        writes=FIRST,
        gradient=_by_function,
    ),
    define(
        "drawn",
        OPAQUE,
        "Numbers that a random number generator gives, whose state changes.",
        effect=("reads", "opaque", "raises"),
        reads=ALL,
    ),
    define(
        "drawn_into",
        OPAQUE,
        "Numbers that a random number generator writes over all of an array.",
        effect=("reads", "writes", "opaque", "raises"),
        reads=ALL,
        writes=FIRST,
    ),
    define("python", OPAQUE, "Arbitrary Python.", effect=("opaque", "raises"), raises_if=_is_harmful),
)
