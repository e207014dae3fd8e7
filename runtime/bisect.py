"""`f.explain(*args, bisect=True)`: which pass, or which kernel, makes an answer wrong.

The graph is run as NumPy after each pass, then with one kernel at a time, and compared with the function.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from ..autograph.traced import Traced
from ..codegen.faults import KernelFault
from ..codegen.unclustered import unclustered
from ..graph.ir.nodes import Graph, Node, walk
from ..graph.ops.facts import clusters_of
from .artefact import Keep, new_artefact
from .compile import Request, generate_module, stage
from .entry import build
from .faults import pass_on
from .levels import Levels
from .recipe import recipe_of
from .specialisation import Specialisation

if TYPE_CHECKING:
    from .function import Function

_ROUNDING = 1e-3
"""How much of a dtype's digits kernels may lose: they fuse, and have functions of their own."""


@dataclass(frozen=True)
class _Outcome:
    """What a call gave back or raised, and what it has written to its arguments."""

    value: object
    error: BaseException | None
    arguments: tuple[object, ...]


def bisected(function: Function, values: tuple[object, ...]) -> str:
    """Say after which step a call of `function` gives another answer than the plain function.

    The function is called once for each step, with copies of `values`: what else it does, it does as often.
    Memory that arguments share is not shared by their copies.
    """
    values = copy.deepcopy(values)
    request = function.request(values)
    graphs: list[tuple[str, Graph]] = []
    _, traced = stage(request, lambda step, graph: graphs.append((step, graph)))
    expected = _outcome(function.plain, values)
    steps = [(name, unclustered(graph, clusters_of(graph)), True) for name, graph in graphs]
    steps += [(name, graph, False) for name, graph in _one_by_one(graphs[-1][1])]
    lines = []
    for name, graph, is_exact in steps:
        try:
            what = _difference(expected, _outcome(_runnable(request, traced, graph), values), is_exact)
        except KernelFault as fault:  # what `JITSCOPE_CHECK=1` finds before anything runs
            what = str(fault)
        if what:
            lines.append(f"  {name}: wrong: {what}")
            break
        lines.append(f"  {name}: right")
    else:
        lines.append("  every step is right by itself, with these arguments")
    return "\n".join([request.title, *lines]) + "\n"


def _one_by_one(graph: Graph) -> Iterator[tuple[str, Graph]]:
    """The graph with one of its clusters compiled, and then with all of them."""
    clusters = clusters_of(graph)
    for number, cluster in enumerate(clusters):
        others = [other for other in clusters if other is not cluster]
        yield f"cluster_{number}, {_lines(cluster)}", unclustered(graph, others)
    if len(clusters) > 1:
        yield "all clusters", graph


def _lines(cluster: Node) -> str:
    numbers = [node.loc.line for node in walk(cluster.regions[0]) if node.loc.line]
    return f"lines {min(numbers)} to {max(numbers)}" if numbers else "no lines"


def _runnable(request: Request, traced: Traced, graph: Graph) -> Callable[..., object]:
    recipe = recipe_of(traced, graph, request.parameters, request.function, request.arguments)
    module = generate_module(request, graph, "")
    name = f"jitscope_bisected_{request.name}"
    artefact = new_artefact(module, name, request.title, Keep(request.name, ""), {}, False)
    bound = Specialisation(request.signature)
    entry = build(recipe, request.function, request.arguments)
    bound.bind(entry, artefact.call, Levels(_no_way), otherwise=_no_way, plain=_no_way, again=pass_on)
    assert bound.entry is not None
    return bound.entry


def _no_way(*_: object) -> NoReturn:
    raise AssertionError("this call is one that runs as plain Python")


def _outcome(call: Callable[..., object], values: tuple[object, ...]) -> _Outcome:
    arguments = copy.deepcopy(values)
    try:
        with np.errstate(all="ignore"):
            return _Outcome(call(*arguments), None, arguments)
    except Exception as error:
        return _Outcome(None, error, arguments)


def _difference(expected: _Outcome, found: _Outcome, is_exact: bool) -> str:
    """What is different, in words; nothing if they agree."""
    if type(found.error) is not type(expected.error):  # kernels leave the words to the plain function
        return f"it raises {found.error!r}, not {expected.error!r}"
    if not _same(expected.value, found.value, is_exact):
        return f"the result is {_short(found.value)}, not {_short(expected.value)}"
    for number, (ours, theirs) in enumerate(zip(found.arguments, expected.arguments, strict=True), start=1):
        if not _same(theirs, ours, is_exact):
            return f"argument {number} is {_short(ours)} afterwards, not {_short(theirs)}"
    return ""


def _same(one: object, other: object, is_exact: bool) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and all(_same(one[key], other[key], is_exact) for key in one)
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(_same(a, b, is_exact) for a, b in pairs)
    if not isinstance(one, (np.ndarray, np.generic, float, complex)):
        return bool(one is other or one == other or not isinstance(one, (int, str, bytes)))
    a, b = np.asarray(one), np.asarray(other)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if is_exact or a.dtype.kind not in "fc":
        return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
    near = np.finfo(a.dtype).eps / _ROUNDING
    return np.allclose(a, b, near, near * float(np.max(np.abs(a), initial=0, where=np.isfinite(a))), True)


def _short(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
