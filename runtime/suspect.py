"""Specialisations whose compiled code raises where the plain function does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..codegen.faults import DIFFERENT_SIZES
from ..graph.ir.shown import printable
from .config import config, note
from .specialisation import Specialisation

if TYPE_CHECKING:
    from .function import Function

PATIENCE = 3
"""So often compiled code may raise what plain Python does not, before it is given up."""


class Suspect:
    """Hears of calls where compiled code raised and the plain function did not; retires faulty code."""

    def __init__(self, function: Function, specialisation: Specialisation) -> None:
        self.function = function
        self.specialisation = specialisation
        self.faults = 0

    def __call__(self, fault: BaseException, values: tuple[Any, ...]) -> None:
        name = type(fault).__name__
        reason = f"its compiled code raised {name}: {fault}"
        if any(kind.__name__ in self.specialisation.handled for kind in type(fault).__mro__):
            reason = f"an `except` of its own takes what an operation raised: {fault}"
        config.counters.add("fallbacks")
        note("fallback", f"{printable(self.function.called)} started again as plain Python: {reason}")
        differ = str(fault) == DIFFERENT_SIZES
        self.faults += name != "Deoptimise" or differ
        if self.faults >= PATIENCE:
            self.function.retire(self.specialisation, reason, values, differ)
