"""Plans: what a session runs for some fetches and arrays of some kinds, made once and kept.

A plan is the graph of the steps that are needed, replayed for the arrays, run through the ordinary passes and
written as a module: a driver that runs each operation as NumPy, and the compiled clusters that it calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..graph.explicit.replay import FedValue, Replayed, replay
from ..graph.explicit.selection import Fetched
from ..graph.explicit.steps import Step
from ..graph.explicit.symbol import GraphSymbol
from ..graph.ir.nodes import Block, Graph, Node, walk
from ..graph.ops.facts import is_cluster
from . import cache, devices, timeline
from .compile import check_forced
from .config import config, note
from .digest import digest, environment
from .dump import Observer
from .feeds import missing_feed
from .load import Loaded, call_directly, load, move
from .new_module import load_new
from .originals import pin
from .report import is_certain
from .timeline import Phase, each_kernel

if TYPE_CHECKING:
    from ..codegen.generate import Header, Module
    from ..graph.passes import Options, Watch

MARKS = ("_JitCompile", "_JitScope", "_JitSeparateCompiledGradients", "_Device")


@dataclass(frozen=True)
class Wanted:
    """What a plan is for.

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
        return Options(level, devices.list_devices, self.soft, config.min_cluster_size)

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

    wanted: Wanted
    replayed: Replayed
    graph: Graph
    module: Module
    loaded: Loaded
    driver: Callable[..., Any]
    path: str = ""
    from_disk: bool = False
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
        nodes = (node for node in _clusters(self.graph.body) if node not in failed)
        return dict(zip(self.module.clusters, nodes, strict=True))

    def timed(self) -> Callable[..., Any]:
        """The driver with a bar on the timeline for each operation and cluster."""
        if self.timed_driver is None:
            self.timed_driver = _timed_driver(self)
        return self.timed_driver


def make(wanted: Wanted) -> Plan:
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
    return _loaded(wanted, replayed, graph, module)


def stage(wanted: Wanted, watch: Watch | None = None, guess: bool = False) -> tuple[Replayed, Graph]:
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


def generate_module(wanted: Wanted, graph: Graph) -> Module:
    """The text of the module."""
    from ..codegen.generate import generate

    with Phase("generate", wanted.title):
        return generate(graph, header_of(wanted), config.check)


def header_of(wanted: Wanted) -> Header:
    """What the module says about itself."""
    from ..codegen.generate import Header

    first = next((step.loc for step in wanted.steps if step.loc.line), None)
    versions = ", ".join(f"{name} {environment()[name].split()[0]}" for name in ("python", "numpy"))
    return Header(
        function="plan",
        filename=re.split(r"[\\/]", first.filename)[-1] if first else "",
        line=first.line if first else 0,
        source="",
        signature=wanted.signature,
        options=f"fetches {', '.join(fetch.name for fetch in wanted.fetches)} jit_level={wanted.jit_level}",
        versions=versions,
        key="",
    )


def _loaded(wanted: Wanted, replayed: Replayed, graph: Graph, module: Module) -> Plan:
    """Import the module, with machine code from disk where it is there."""
    made_of = "\n".join(f"{key} {value}" for key, value in sorted(environment().items()))
    key = digest(f"{made_of}\n{module.text}", 8)
    stored = next(cache.find("plan", key), None) if module.clusters else None
    if stored is not None:
        try:
            text, path = stored.text(), str(stored.module_path)
            with Phase("load", wanted.title), each_kernel(module.clusters):
                loaded = load(path, text, f"jitscope_plan_{key}", module.clusters)
            config.counters.add("loads")
            stored.used()
            return _finished(Plan(wanted, replayed, graph, module, loaded, _no_driver, path, from_disk=True))
        except Exception as error:
            note("cache", f"{stored.folder} is not used: {type(error).__name__}: {error}")
    draft = cache.Draft.start() if module.clusters else cache.Draft(None)
    try:
        loaded, place = load_new(draft, module, "plan.py", f"jitscope_plan_{key}", f"session: {wanted.title}")
        folder = draft.publish("plan", key, "0", {"module": "plan.py", "driver": module.driver})
    except BaseException:
        draft.drop()
        raise
    where = str(folder / "plan.py") if folder else place
    move(loaded.module, place, where)
    return _finished(Plan(wanted, replayed, graph, module, loaded, _no_driver, where))


def _finished(plan: Plan) -> Plan:
    """Bind the driver; machine code is called directly where every array's layout is certain."""
    clusters = list(_clusters(plan.graph.body))
    plan.driver = getattr(plan.loaded.module, plan.module.driver)
    if all(is_certain(plan.graph, node) for node in clusters):
        call_directly(plan.loaded)
    pin(vars(plan.loaded.module))
    return plan


def _no_driver(*_: Any) -> Any:
    raise AssertionError("the module isn't loaded yet")


def _clusters(block: Block) -> Iterator[Node]:
    """The clusters in the order in which the module numbers them."""
    for node in block.nodes:
        if is_cluster(node):
            yield node
            continue
        for region in node.regions:
            yield from _clusters(region)


def _timed_driver(plan: Plan) -> Callable[..., Any]:
    from ..codegen.generate import generate_timed
    from ..codegen.sites import DONE, NOW

    made = generate_timed(plan.graph, header_of(plan.wanted))
    told = timeline.teller([timeline.bar_of(site) for site in made.sites])
    space = {**vars(plan.loaded.module), NOW: timeline.now, DONE: told}
    exec(compile(made.text, "<jitscope timed plan>", "exec"), space)
    pin(space)
    driver: Callable[..., Any] = space[made.module.driver]
    return driver


def _given_text(given: FedValue) -> str:
    if not given.shape:
        return given.dtype.name
    layout = "" if given.layout == "C" else f":{given.layout}"
    return f"{given.dtype.name}[{','.join(':' * len(given.shape))}]{layout}{'' if given.writeable else ':ro'}"
