"""From a plain function to its generated module, in one process and without the disk cache."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from jitscope.autograph.trace import trace
from jitscope.codegen.generate import Header, generate
from jitscope.codegen.module import Module
from jitscope.graph.passes import run_passes


def header(name: str) -> Header:
    """What the runtime would say about a function."""
    return Header(name, "program.py", 1, "", "(signature)", "options", "versions", "key")


def modules(function: Callable[..., Any], *args: Any, clustered: bool = True) -> tuple[Module, list[str]]:
    """The module of `function` for arguments like these, and the names of the driver's arguments."""
    bound = inspect.signature(function).bind(*args)
    bound.apply_defaults()
    traced = trace(function, dict(bound.arguments))
    graph = run_passes(traced.graph) if clustered else traced.graph
    names = [step[1] for item in traced.inputs for step in item.path[:1]]
    assert all(len(item.path) == 1 for item in traced.inputs), "only arguments as inputs"
    return generate(graph, header(function.__name__)), names


def load(module: Module) -> Callable[..., Any]:
    """The driver of a module; nothing is cached on disk."""
    namespace: dict[str, Any] = {"__name__": "generated"}
    text = module.text.replace(", cache=True", "").replace("    cache=True,\n", "")
    exec(compile(text, "generated", "exec"), namespace)
    return namespace[module.driver]


def run(function: Callable[..., Any], *args: Any, clustered: bool = True) -> Any:
    """What the generated module answers."""
    module, names = modules(function, *args, clustered=clustered)
    given = dict(zip(inspect.signature(function).parameters, args, strict=False))
    return load(module)(*(given[name] for name in names))


def agree(plain: Any, compiled: Any) -> bool:
    """Same types, dtypes, shapes; numbers within the accuracy of the vector math."""
    if type(plain) is not type(compiled):
        return False
    if isinstance(plain, tuple):
        return len(plain) == len(compiled) and all(map(agree, plain, compiled))
    if isinstance(plain, (np.ndarray, np.generic)):
        if plain.dtype != compiled.dtype or plain.shape != compiled.shape:
            return False
        if plain.dtype.kind in "fc":
            rough = plain.dtype in (np.float32, np.complex64)
            tolerance = 3e-7 if rough else 4e-15
            return bool(np.allclose(plain, compiled, rtol=tolerance, atol=0, equal_nan=True))
        return bool(np.array_equal(plain, compiled))
    return bool(plain == compiled)
