"""The report on a plan of a session: what is compiled, what runs as NumPy, and why."""

from __future__ import annotations

import re

from ..graph.ir import Loc, Node
from .plan import Plan

_OPERAND = re.compile(r"\{\d+\}")


def explain_plan(plan: Plan) -> str:
    """The report: the operations of each cluster, the others each with the reason."""
    from ..graph.passes import reasons

    lines = [f"{plan.wanted.title} (jit_level={plan.wanted.jit_level})"]
    clusters = plan.clusters
    lines += [f"  {name}: {', '.join(names)}" for name, names in clusters.items()]
    if not clusters:
        lines.append("  nothing is compiled")
    left = [*reasons(plan.graph, plan.wanted.pass_options()), *plan.module.failed]
    if left:
        lines.append("  runs as NumPy:")
        shown = [
            f"    {_label(node)}: {_OPERAND.sub('...', reason)}{_place(node.loc)}" for node, reason in left
        ]
        lines += dict.fromkeys(shown)
    origin = "from the disk cache" if plan.from_disk else "made in this process"
    lines.append(f"  module: {plan.path} ({origin})")
    return "\n".join(lines) + "\n"


def _said(reason: str) -> str:
    return _OPERAND.sub("...", reason)


def _label(node: Node) -> str:
    return str(node.attrs.get("name", node.op))


def _place(loc: Loc) -> str:
    return f" (line {loc.line})" if loc.line else ""
