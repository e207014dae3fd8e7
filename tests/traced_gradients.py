"""Gradients of whole functions, traced and run uncompiled, compared with differences of the plain one."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from generated import module_from_text
from numeric_gradients import gradient

from jitscope.autograph.trace import trace
from jitscope.codegen.generate import Header, generate
from jitscope.graph.analysis.verifier import verify
from jitscope.graph.ir.nodes import Graph
from jitscope.graph.passes import drop_aliases, drop_dead, fold, merge_common, simplify
from jitscope.graph.passes.options import Options

WRAPPER = """
from jitscope.autograph.operators.own_values import alias
from jitscope.graph.gradients import gradients

def run({params}):
    {marks}
    value = function({names})
    return value, gradients(value, [{wrt}], unconnected_gradients="zero")
"""


def graph_of(function: Callable[..., Any], args: Sequence[Any], wrt: Sequence[int], folder: Path) -> Graph:
    """The graph of `function` and its gradients with respect to the arguments `wrt`."""
    names = list(inspect.signature(function).parameters)[: len(args)]
    marks = "; ".join(f"{names[k]} = alias({names[k]})" for k in wrt)
    text = WRAPPER.format(
        params=", ".join(names), marks=marks, names=", ".join(names), wrt=", ".join(names[k] for k in wrt)
    )
    run = module_from_text(text, folder).run
    run.__globals__["function"] = function
    return verify(trace(run, dict(zip(names, args, strict=True))).graph)


def gradients_of(
    function: Callable[..., Any],
    args: Sequence[Any],
    wrt: Sequence[int],
    folder: Path,
    passes: bool = True,
    value: bool = True,
) -> list[Any]:
    """The gradients, by the graph's module without clusters; the `value` is compared, too."""
    graph = graph_of(function, args, wrt, folder)
    if passes:
        for step in (drop_aliases, fold, simplify, merge_common, drop_dead):
            graph = verify(step(graph, Options()))
    module = generate(graph, Header("run", "run.py", 1, "", "", "", "", ""))
    scope: dict[str, Any] = {}
    exec(compile(module.text, "module", "exec"), scope)
    scope["np"] = _Poisoned()
    with np.errstate(all="ignore"):
        result, found = scope[module.driver](*inputs(graph, function, args))
    if value:
        plain = function(*copy.deepcopy(list(args)))
        assert type(result) is type(plain)
        np.testing.assert_array_equal(result, plain)
    return list(found)


class _Poisoned:
    """NumPy, whose empty arrays hold what would be noticed."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    @staticmethod
    def empty(shape: Any, dtype: Any = np.float64) -> np.ndarray:
        """An array of NaN, or of a large number."""
        made = np.empty(shape, dtype)
        made.fill(np.nan if made.dtype.kind in "fc" else made.dtype.type(77))
        return made


def inputs(graph: Graph, function: Callable[..., Any], args: Sequence[Any]) -> list[Any]:
    """The values of the graph's parameters: arguments, and what the function reads from its surroundings."""
    names = list(inspect.signature(function).parameters)
    known = dict(zip(names, copy.deepcopy(list(args)), strict=False))
    return [
        known[param.name] if param.name in known else known[param.name.split(".")[0]]
        for param in graph.params
    ]


def check(
    function: Callable[..., Any],
    args: Sequence[Any],
    folder: Path,
    wrt: Sequence[int] | None = None,
    tolerance: float = 2e-8,
) -> None:
    """Gradients with respect to the floating arguments (or `wrt`) are what differences say."""
    chosen = [k for k, a in enumerate(args) if np.asarray(a).dtype.kind == "f"] if wrt is None else list(wrt)
    found = gradients_of(function, args, chosen, folder)
    for k, slope in zip(chosen, found, strict=True):
        assert np.shape(slope) == np.shape(args[k])
        assert np.asarray(slope).dtype == np.asarray(args[k]).dtype
        (expected,) = gradient(function, args, k)
        np.testing.assert_allclose(slope, expected, rtol=tolerance, atol=tolerance, err_msg=f"argument {k}")
