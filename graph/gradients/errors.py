"""What can't be differentiated, in the user's words."""

from __future__ import annotations

from ..ir.nodes import Node
from ..ir.shown import printable_lines
from ..ops.facts import is_uncompiled

REMEDY = "put stop_gradient around what needs no gradient, or custom_gradient around the function"


class GradientError(Exception):
    """Base of the errors of differentiation; a trace hands them to the user as they are."""

    def __init__(self, message: str) -> None:
        super().__init__(printable_lines(message))


class NotFloating(GradientError, TypeError):
    """Gradients of, or with respect to, something that is no floating-point number or array."""


class WrongType(GradientError, TypeError):
    """An argument or a result that has no gradient: the user's mistake, told as it is."""


class WrongValue(GradientError, ValueError):
    """Arguments that don't fit one another: the user's mistake, told as it is."""


class NoGradient(GradientError, LookupError):
    """A node between xs and ys can't be differentiated: which, where, why, and what to do."""

    def __init__(self, node: Node, reason: str, remedy: str = REMEDY) -> None:
        where = f"{node.loc.filename}:{node.loc.line}" if node.loc.line else "the graph"
        shown = node.attrs.get("text") if is_uncompiled(node) else None
        label = node.loc.source or (f"{node.op} ({shown})" if shown else node.op)
        super().__init__(f"{label} at {where}: {reason}; {remedy}")
        self.node, self.label, self.reason, self.remedy = node, label, reason, remedy
