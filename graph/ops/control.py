"""Control flow, endings, clusters, and what only the driver runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .define import CONTROL, OPAQUE, STRUCTURAL, OpDef, define


def _control(name: str, doc: str, compiled: bool = True, effect: tuple[str, ...] = ("pure",)) -> OpDef:
    return define(name, CONTROL, doc, scalar=STRUCTURAL if compiled else None, effect=effect)


def _by_function(pullback: Any) -> Sequence[Any]:
    """The rule of the NumPy function that a node calls."""
    found: Sequence[Any] = pullback.by_function(pullback)
    return found


RECORDS: tuple[OpDef, ...] = (
    _control("if", "One of two regions runs."),
    _control("for", "A region for each number of a range.", effect=("raises",)),
    _control("for_each", "A region for each item of an iterable.", compiled=False, effect=("opaque",)),
    _control("while", "A region as long as a test holds."),
    _control("call", "A helper's body; `return` ends it."),
    _control("cluster", "A region that is compiled as one unit."),
    _control("custom_gradient", "Its first operands; the region is their gradient rule.", compiled=False),
    _control("yield", "End of a region: its values."),
    _control("break", "End of the loop: its state."),
    _control("continue", "End of a trip: the loop's state."),
    _control("return", "End of the function or of a call's region."),
    _control("raise", "An exception.", effect=("raises",)),
    _control("check_bound", "UnboundLocalError unless the name is bound.", effect=("raises",)),
    _control("pick", "A number of one of two kinds.", compiled=False),
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
