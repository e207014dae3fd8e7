"""Causes: why something can't be compiled, kept where it is found out, told where it matters."""

from __future__ import annotations

from dataclasses import dataclass

from .nodes import NOWHERE, Loc

CAUSES = "_causes"
"""The attribute of nodes that make values of unknown type: the causes, by the user's variable."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A reason in the user's words, what would help, and where it lies, if not at the node that has it."""

    reason: str
    attempt: str = ""
    loc: Loc = NOWHERE
