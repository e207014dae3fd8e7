"""Control flow, endings, clusters, and what only the driver runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .define import CONTROL, OPAQUE, STRUCTURAL, Control, OpDef, define


def _control(
    name: str, doc: str, control: Control, compiled: bool = True, effect: tuple[str, ...] = ("pure",)
) -> OpDef:
    scalar = STRUCTURAL if compiled else None
    return define(name, CONTROL, doc, scalar=scalar, effect=effect, control=control)


_LOOP = Control(("body", "else"), repeats=True)
_STATE = Control(ends=True, carries_state=True)
_END = Control(ends=True)


def _by_function(pullback: Any) -> Sequence[Any]:
    """The rule of the NumPy function that a node calls."""
    found: Sequence[Any] = pullback.by_function(pullback)
    return found


RECORDS: tuple[OpDef, ...] = (
    _control("if", "One of two regions runs.", Control(("then", "else"), head=1)),
    _control(
        "for", "A region for each number of a range.", replace(_LOOP, head=3, index=1), effect=("raises",)
    ),
    _control(
        "for_each",
        "A region for each item of an iterable.",
        replace(_LOOP, head=1, index=1),
        compiled=False,
        effect=("opaque",),
    ),
    _control("while", "A region as long as a test holds.", replace(_LOOP, regions=("test", "body", "else"))),
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
    _control("raise", "An exception.", _END, effect=("raises",)),
    define(
        "check_bound",
        CONTROL,
        "UnboundLocalError unless the name is bound.",
        scalar=STRUCTURAL,
        effect=("raises",),
    ),
    define("pick", CONTROL, "A number of one of two kinds."),
    define(
        "numpy",
        OPAQUE,
        "A call of NumPy that runs as it is.",
        effect=("reads", "raises"),
        gradient=_by_function,
    ),
    define(
        "numpy_write",
        OPAQUE,
        "A write by NumPy that runs as it is.",
        effect=("reads", "writes", "raises"),
        gradient=_by_function,
    ),
    define("python", OPAQUE, "Arbitrary Python.", effect=("opaque",)),
)
