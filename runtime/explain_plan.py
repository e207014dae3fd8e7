"""The report on a plan of a session: what is compiled, what runs as NumPy, and why."""

from __future__ import annotations

from collections.abc import Iterator

from ..graph.ir.nodes import Node, walk
from ..graph.trace.devices import DISPLACED, device_of
from .explain import ranges, where_compiled, wrapped
from .plan import Plan
from .report import who_asked


def explain_plan(plan: Plan) -> str:
    """The report: the operations of each cluster with its scopes and device, the others with the reason."""
    from ..graph.passes import reasons

    lines = [f"{plan.wanted.title} (jit_level={plan.wanted.jit_level})", *_clusters(plan)]
    left = [*reasons(plan.graph, plan.wanted.pass_options()), *plan.module.failed]
    lines += _section("runs as NumPy", [(node, reason + who_asked(node)) for node, reason in left])
    displaced = [(n, n.attrs[DISPLACED]) for n in walk(plan.graph.body) if DISPLACED in n.attrs]
    lines += _section("notes", [*displaced, *plan.module.displaced])
    origin = "from the disk cache" if plan.artefact.from_disk else "made in this process"
    lines.append(f"  module: {plan.artefact.path} ({origin})")
    return "\n".join(lines) + "\n"


def _clusters(plan: Plan) -> Iterator[str]:
    names = plan.clusters
    for name, node in plan.cluster_nodes.items():
        scopes = {inner.attrs.get("_JitScope") for inner in walk(node.regions[0])}
        yield f"  {name}: {where_compiled(device_of(node), scopes)}"
        yield from wrapped(f"    {', '.join(names[name])}")
    if not names:
        yield "  nothing is compiled"


def _section(title: str, items: list[tuple[Node, str]]) -> list[str]:
    """Each reason once, with the operations that it is about."""
    nodes: dict[str, list[Node]] = {}
    for node, reason in items:
        nodes.setdefault(reason, []).append(node)
    out = [f"  {title}:"] if nodes else []
    for reason, found in nodes.items():
        names = ", ".join(dict.fromkeys(str(node.attrs.get("name", node.op)) for node in found))
        lines = sorted({node.loc.line for node in found if node.loc.line})
        out += wrapped(f"    {names}: {reason}" + (f" ({ranges(lines)})" if lines else ""))
    return out
