"""Plans: what a session runs for some fetches and arrays of some kinds, made once and kept.

A plan is the graph of the steps that are needed, replayed for the arrays, run through the ordinary passes and
written as a module: a driver that runs each operation as NumPy, and the compiled clusters that it calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..graph.explicit.replay import FedValue, Replayed, replay
from ..graph.explicit.selection import Fetched
from ..graph.explicit.steps import Step
from ..graph.explicit.symbol import GraphSymbol
from ..graph.ir.nodes import Block, Graph, Node, walk
from ..graph.ops.facts import clusters_of
from ..graph.trace.marks import MARKS
from . import cache, devices
from .artefact import Artefact, Keep, check_forced, generated, new_artefact, stored_artefact, timed, versions
from .config import config, note
from .digest import digest, environment
from .dump import Observer
from .feeds import missing_feed
from .report import is_certain
from .timeline import Phase

if TYPE_CHECKING:
    from ..codegen.generate import Header
    from ..codegen.module import Module
    from ..graph.passes import Options, Watch


@dataclass(frozen=True)
class PlanRequest:
    """A call of a session that wants a plan.

    Attributes:
        steps: the recorded calls that are needed.
        fetches: the symbols, sizes and variables whose values are wanted.
        given: what is known of each value that is fed.
        jit_level: ``"on"``, ``"off"``, or ``"none"``: nothing is compiled, whatever the scopes say.
        soft: whether the CPU stands in for devices that aren't there.
    """

    steps: Sequence[Step]
    fetches: Sequence[Fetched]
    given: Mapping[GraphSymbol, FedValue]
    jit_level: str = "off"
    soft: bool = False

    def pass_options(self) -> Options:
        """What the passes are told."""
        from ..graph.passes import Options

        level = "on" if self.jit_level == "on" else "off"
        return Options(level, devices.list_devices, self.soft, config.min_cluster_size, config.check)

    @property
    def title(self) -> str:
        """The fetches and feeds, for the log and for the module's first lines."""
        names = ", ".join(fetch.name for fetch in self.fetches) or "operations"
        return f"{names} of {self.signature or 'no feeds'}"

    @property
    def signature(self) -> str:
        """The feeds with their types: ``x: float32[:,:]``."""
        return ", ".join(f"{symbol.op.name}: {_given_text(given)}" for symbol, given in self.given.items())


@dataclass(eq=False)
class Plan:
    """A plan that can run. `graph` has been through the passes."""

    wanted: PlanRequest
    replayed: Replayed
    graph: Graph
    module: Module
    artefact: Artefact
    timed_driver: Callable[..., Any] | None = None
    functions: dict[str, Callable[..., Any]] = field(default_factory=dict)

    @property
    def clusters(self) -> dict[str, list[str]]:
        """The names of the operations in each compiled cluster."""
        return {
            name: [str(inner.attrs["name"]) for inner in walk(node.regions[0]) if "name" in inner.attrs]
            for name, node in self.cluster_nodes.items()
        }

    @property
    def cluster_nodes(self) -> dict[str, Node]:
        """The node of each compiled cluster."""
        failed = {node for node, _ in self.module.failed}
        nodes = (node for node in clusters_of(self.graph) if node not in failed)
        return dict(zip(self.module.clusters, nodes, strict=True))

    def timed(self) -> Callable[..., Any]:
        """The driver with a bar on the timeline for each operation and cluster."""
        from ..codegen.generate import generate_timed

        if self.timed_driver is None:
            drawn = generate_timed(self.graph, header_of(self.wanted))
            self.timed_driver = timed(drawn, self.artefact.loaded, (), "plan")
        return self.timed_driver


def make(wanted: PlanRequest) -> Plan:
    """A new plan.

    Raises:
        InvalidArgumentError: a placeholder that is needed isn't fed.
        TraceError: a step doesn't work for what is fed.
        PlacementError: an operation can't run where it was asked to.
    """
    observer = Observer("session", f"session: {wanted.title}")
    replayed, graph = stage(wanted, observer)
    if replayed.missing:
        raise missing_feed(replayed.missing[0])
    module = generate_module(wanted, graph)
    observer.module(module.text)
    check_forced(module)
    return Plan(wanted, replayed, graph, module, _artefact(wanted, graph, module))


def stage(wanted: PlanRequest, watch: Watch | None = None, guess: bool = False) -> tuple[Replayed, Graph]:
    """The graph as replayed, and after the passes, of which `watch` hears.

    Where placeholders aren't fed there are no passes, unless `guess` says that ranks may be guessed.
    """
    from ..graph.passes import run_passes

    note("trace", f"session: {wanted.title}")
    config.counters.add("traces")
    with Phase("trace", wanted.title):
        replayed = replay(wanted.steps, wanted.fetches, wanted.given)
    if replayed.missing and not guess:
        return replayed, replayed.graph
    graph = replayed.graph
    if wanted.jit_level == "none":
        graph = replace(graph, body=_unmarked(graph.body))
    return replayed, run_passes(graph, wanted.pass_options(), watch)


def _unmarked(block: Block) -> Block:
    """A block whose nodes carry no marks of scopes and devices."""
    return Block(block.params, tuple(_without_marks(node) for node in block.nodes))


def _without_marks(node: Node) -> Node:
    attrs = {key: value for key, value in node.attrs.items() if key not in MARKS}
    return replace(node, attrs=attrs, regions=tuple(_unmarked(region) for region in node.regions))


def generate_module(wanted: PlanRequest, graph: Graph) -> Module:
    """The text of the module."""
    return generated(graph, header_of(wanted), wanted.title)


def header_of(wanted: PlanRequest) -> Header:
    """What the module says about itself."""
    from ..codegen.generate import Header

    first = next((step.loc for step in wanted.steps if step.loc.line), None)
    return Header(
        function="plan",
        filename=re.split(r"[\\/]", first.filename)[-1] if first else "",
        line=first.line if first else 0,
        source="",
        signature=wanted.signature,
        options=f"fetches {', '.join(fetch.name for fetch in wanted.fetches)} jit_level={wanted.jit_level}",
        versions=versions(),
        key="",
    )


def _artefact(wanted: PlanRequest, graph: Graph, module: Module) -> Artefact:
    """The module in this process, with machine code from disk where it is there."""
    made_of = "\n".join(f"{key} {value}" for key, value in sorted(environment().items()))
    key = digest(f"{made_of}\n{module.text}", 8)
    keep = Keep("plan", key if module.clusters else "")
    name, title = f"jitscope_plan_{key}", f"session: {wanted.title}"
    certain = all(is_certain(graph, node) for node in clusters_of(graph))
    stored = next(cache.find(keep.name, key), None) if keep.key else None
    if stored is not None:
        try:
            return stored_artefact(stored, module.clusters, module.driver, name, title, certain).ready(
                certain
            )
        except Exception as error:
            note("cache", f"{stored.folder} is not used: {type(error).__name__}: {error}")
    return new_artefact(module, name, title, keep, {}, certain).ready(certain)


def _given_text(given: FedValue) -> str:
    if not given.shape:
        return given.dtype.name
    layout = "" if given.layout == "C" else f":{given.layout}"
    return f"{given.dtype.name}[{','.join(':' * len(given.shape))}]{layout}{'' if given.writeable else ':ro'}"
