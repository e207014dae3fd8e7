"""Clustered graph to the text of one module: kernels that Numba compiles, and the driver that calls them."""

from __future__ import annotations

import builtins
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ..graph.analysis.effects import Aliases
from ..graph.analysis.first_effects import before_effects
from ..graph.analysis.verifier import GraphError, verify
from ..graph.ir.dims import Dim, symbols
from ..graph.ir.nodes import Block, Graph, Node, Value, walk
from ..graph.ir.rewrite import ValuesByName, symbols_in, used_by
from ..graph.ir.shown import is_name, printable
from ..graph.ir.types import Array
from ..graph.ops.facts import clusters_of, is_cluster, is_unit, is_yield
from ..graph.trace.devices import is_forced
from .calls import DTYPES, Kernel
from .check.kept import unkept
from .check.replay import wrong_result
from .driver import Driver
from .faults import KernelFault
from .kernel import lower_cluster
from .module import Module
from .namesakes import told_apart
from .printed import printed_operands
from .sites import DONE, NOW, START, Bars, Site
from .target import CPU
from .targets import target_of
from .texts import mentioned
from .tidy import tidied
from .unclustered import unclustered
from .writer import Writer, code_of

_PYTHONS = ("cmath", "math", "operator")
_MODULES = ("np", *_PYTHONS, "njit")
"""What modules import by these names; kernels for a GPU need more."""

_CALLED = {
    "lists": frozenset(
        "listed scalars listed_rows own_rows either_listed either_items mixed_listed or_none_listed"
        " mixed_items in_places with_room".split()
    ),
    "tables": frozenset("number_of enter leave with_places".split()),
    "either": frozenset(f"either_{name}" for name in "exact divisor add sub mul floordiv mod pow".split()),
}
"""The functions, by module, that drivers call: nothing of the user's may have their names."""

_OURS = re.compile(r"__|cluster_\d")
"""How names of modules' own begin: ``__file__``, and those of kernels and their helpers."""


@dataclass(frozen=True, slots=True)
class Header:
    """What the module says about itself; `source` is the user's function."""

    function: str
    filename: str
    line: int
    source: str
    signature: str
    options: str
    versions: str
    key: str


@dataclass(frozen=True, slots=True)
class TimedDriver:
    """A driver that tells a timeline what runs when, in place of the driver of `module`, for its kernels."""

    module: Module
    text: str
    sites: tuple[Site, ...]


def generate(graph: Graph, header: Header, check: bool = False) -> Module:
    """The module of a clustered graph: the same graph gives the same bytes.

    Raises:
        KernelFault: with `check`, if a kernel would not do what the graph says.
    """
    if check:
        _check(graph, header)
    graph, kernels, failed = _lowered(graph, check)
    return _module(graph, header, kernels, failed, check)


def _check(graph: Graph, header: Header) -> None:
    try:
        verify(graph)
    except GraphError as error:
        raise KernelFault(header.function, str(error), "") from error
    if (what := unkept(graph.body)) is not None:
        raise KernelFault(header.function, what, "")


def generate_timed(graph: Graph, header: Header) -> TimedDriver:
    """The driver of a clustered graph with a bar for each operation and kernel that it runs.

    Its text is to be run where the kernels, and the names `NOW` and `DONE` of `sites.py`, are at hand.
    """
    graph, kernels, failed = _lowered(graph)
    module, bars = _module(graph, header, kernels, failed), Bars()
    taken = {*_taken(kernels.values()), module.driver, NOW, DONE, START}
    driver = Driver(graph, Block(graph.params, graph.body.nodes), kernels, taken, bars)
    lines = driver.lines(module.driver)
    parts = [*driver.helpers[::-1], lines]
    text = _imports([], parts) + "\n\n\n".join("\n".join(part) for part in parts) + "\n"
    return TimedDriver(module, text, tuple(bars.sites))


def _lowered(
    graph: Graph, check: bool = False
) -> tuple[Graph, dict[Node, Kernel], tuple[tuple[Node, str], ...]]:
    """The graph with its kernels; clusters that have none are taken apart, each with the reason."""
    failed: list[tuple[Node, str]] = []
    while True:
        kernels, faults = _kernels(graph, check)
        if not faults:
            return graph, kernels, tuple(failed)
        if any(node.attrs.get("asks") for cluster in faults for node in walk(cluster.regions[0])):
            raise NotImplementedError("sizes are compared in a kernel that can't be written")
        failed += faults.items()
        graph = unclustered(graph, faults)


def _kernels(graph: Graph, check: bool) -> tuple[dict[Node, Kernel], dict[Node, str]]:
    """The kernels of all clusters, and why some have none."""
    tidy, read = tidied(graph), _read(graph)
    aliases = Aliases(tidy)
    kernels: dict[Node, Kernel] = {}
    faults: dict[Node, str] = {}
    for number, (node, made) in enumerate(zip(clusters_of(graph), clusters_of(tidy), strict=True)):
        try:
            pruned = _pruned(made, read)
            kernels[node] = _kernel(tidy, node, pruned, f"cluster_{number}", aliases, check)
            if check and (what := wrong_result(tidy, pruned, kernels[node])) is not None:
                raise KernelFault(kernels[node].name, what, "\n".join(kernels[node].text))
        except KernelFault:
            raise
        except Exception as error:  # one kernel less is better than none at all
            faults[node] = f"code generation failed: {type(error).__name__}: {error}"
    return kernels, faults


def _kernel(graph: Graph, node: Node, pruned: Node, name: str, aliases: Aliases, check: bool) -> Kernel:
    """The kernel of a cluster, for the CPU if it has none for its own target and needn't."""
    target = target_of(node)
    try:
        return lower_cluster(graph, pruned, name, aliases, target, check)
    except Exception as error:
        if target is CPU or is_forced(node) or isinstance(error, KernelFault):
            raise
        kernel = lower_cluster(graph, pruned, name, aliases, check=check)
        return replace(kernel, displaced=f"runs on the CPU: {type(error).__name__}: {error}")


def _module(
    graph: Graph,
    header: Header,
    kernels: dict[Node, Kernel],
    failed: tuple[tuple[Node, str], ...],
    check: bool = False,
) -> Module:
    kernels = told_apart(kernels)
    taken = _taken(kernels.values())
    name = _driver_name(header.function, taken)
    driver = Driver(graph, Block(graph.params, graph.body.nodes), kernels, {name, *taken})
    lines = driver.lines(name)
    if check and (what := driver.overwritten()) is not None:
        raise KernelFault(name, what, "\n".join(lines))
    parts = [list(part) for kernel in kernels.values() for part in (*kernel.helpers, kernel.text)]
    parts += driver.helpers[::-1] + [lines]
    text = _docstring(header) + _imports(list(kernels.values()), parts)
    text += "\n\n\n".join("\n".join(part) for part in parts) + "\n"
    displaced = tuple((node, kernel.displaced) for node, kernel in kernels.items() if kernel.displaced)
    early = tuple(kernels[node].name for node in before_effects(graph))
    return Module(text, name, tuple(kernel.name for kernel in kernels.values()), failed, displaced, early)


def _driver_name(wanted: str, taken: set[str]) -> str:
    """The user's name, unless the module needs it for itself: kernels call ``max`` and mean Python's."""
    free = wanted not in taken and not hasattr(builtins, wanted) and not _OURS.match(wanted)
    return wanted if is_name(wanted) and free else "driver"


def _taken(kernels: Iterable[Kernel]) -> set[str]:
    """The names that a module has besides its driver's."""
    known = list(kernels)
    taken = {name for kernel in known for _, name in kernel.imports} | {kernel.name for kernel in known}
    return taken.union(
        DTYPES, _MODULES, *_CALLED.values(), {NOW, DONE, START}, *(kernel.target.names for kernel in known)
    )


def _read(graph: Graph) -> set[Value]:
    """The values that somebody reads outside of the cluster that makes them."""
    known = ValuesByName.of(graph)
    sizes = [s for g in graph.guards for s in (g.left, g.right) if isinstance(s, Dim)]
    names = [name for size in sizes for name in symbols(size)]
    found = {known.values[name] for name in names if name in known.values}
    for node in _outside(graph.body):
        if is_unit(node):
            found |= used_by(node, known)
        found.update(printed_operands(node))
        names = [*symbols_in(node), *mentioned(node)]
        found.update(known.values[name] for name in names if name in known.values)
    return found


def _outside(block: Block) -> Iterator[Node]:
    """Everything but what is inside of clusters."""
    for node in block.nodes:
        yield node
        if not is_cluster(node):
            for region in node.regions:
                yield from _outside(region)


def _pruned(cluster: Node, read: set[Value]) -> Node:
    """The cluster without the numbers that nobody reads."""
    (region,) = cluster.regions
    ending = region.ending
    kept = [k for k, v in enumerate(cluster.results) if v in read or isinstance(v.type, Array)]
    if not is_yield(ending) or len(kept) == len(cluster.results):
        return cluster
    last = replace(ending, operands=tuple(ending.operands[k] for k in kept))
    return replace(
        cluster,
        results=tuple(cluster.results[k] for k in kept),
        regions=(Block(region.params, (*region.nodes[:-1], last)),),
    )


def _docstring(header: Header) -> str:
    """What the module is. Names and texts are the user's: nothing in them may end the docstring."""
    out = Writer()
    first, *others = _wrapped(f"{header.function}, {header.filename}:{header.line}.")
    out.raw([f'"""{first}', *others, ""])
    for label, value in (
        ("signature", header.signature),
        ("options", header.options),
        ("versions", header.versions),
        ("key", header.key),
    ):
        if value:
            out.raw(_wrapped(f"{label}: {value}"))
    out.line('"""')
    return "\n".join(line.rstrip() for line in out.lines) + "\n\n"


def _wrapped(text: str) -> list[str]:
    lines = textwrap.wrap(printable(text), 100, subsequent_indent="    ")
    return [line.replace("\\", "\\\\").replace('"""', "'''") for line in lines]


def _natural(name: str) -> list[tuple[str, int]]:
    """The order of names in which ``int8`` comes before ``int64``."""
    return [(text, int(number or 0)) for text, number in re.findall(r"(\D*)(\d*)", name)]


def _imported(module: str, names: set[str]) -> list[str]:
    """The lines that import from one module; formatters give what is renamed a line of its own."""
    renamed = {name for name in names if " as " in name}
    together = ", ".join(sorted(names - renamed, key=_natural))
    return [f"from {module} import {text}" for text in sorted({together, *renamed} - {""}, key=_natural)]


def _imports(kernels: list[Kernel], parts: Iterable[list[str]]) -> str:
    code = "\n".join(code_of(line) for part in parts for line in part)
    names = set(re.findall(r"\w+", code))
    groups: list[list[str]] = [[], [], []]
    wanted: dict[str, set[str]] = {}
    for kernel in kernels:
        for module, name in (*kernel.imports, *kernel.target.needs):
            wanted.setdefault(module, set()).add(name)
    for module, functions in _CALLED.items():
        wanted.setdefault(module, set()).update(names & functions)
    plain = {name for module, name in ((m, n) for m in wanted for n in wanted[m]) if module == "math"}
    groups[0] += [f"import {name}" for name in _PYTHONS if re.search(rf"\b{name}\.", code)]
    if plain:
        groups[0].append(f"from math import {', '.join(sorted(plain))}")
    if "np." in code:
        groups[1].append("import numpy as np")
    numba = {kernel.target.compiler for kernel in kernels} & names
    if numba:
        groups[1].append(f"from numba import {', '.join(sorted(numba))}")
    for module in sorted(module for module in wanted if module != "math" and wanted[module]):
        groups[2] += _imported(f"jitscope.codegen.{module}", wanted[module])
    groups.append([f"{name} = np.dtype({type_})" for name, type_ in DTYPES.items() if name in names])
    text = "\n\n".join("\n".join(group) for group in groups if group)
    return f"{text}\n\n\n" if text else "\n"
