"""Functions of one name from two modules, where kernels of a GPU and of the CPU stand in one module."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..graph.ir.nodes import Node
from .calls import Kernel

PREFIX = "gpu_"


def told_apart(kernels: Mapping[Node, Kernel]) -> dict[Node, Kernel]:
    """The kernels of a module: a GPU's ``sin`` is ``gpu_sin`` where another kernel calls the CPU's."""
    on_cpu = [kernel for kernel in kernels.values() if not kernel.device]
    here = {name: module for kernel in on_cpu for module, name in kernel.imports}
    return {node: _renamed(kernel, here) if kernel.device else kernel for node, kernel in kernels.items()}


def _renamed(kernel: Kernel, here: Mapping[str, str]) -> Kernel:
    shared = {(module, name) for module, name in kernel.imports if here.get(name, module) != module}
    if not shared:
        return kernel
    called = re.compile(rf"(?<![\w.])({'|'.join(sorted(name for _, name in shared))})(?=\()")

    def told(lines: Iterable[str]) -> tuple[str, ...]:
        parts = [line.partition("# ") for line in lines]  # the user's line stands in the comment
        return tuple(called.sub(rf"{PREFIX}\1", code) + mark + comment for code, mark, comment in parts)

    imports = {(module, f"{name} as {PREFIX}{name}") for module, name in shared}
    return replace(
        kernel,
        text=told(kernel.text),
        helpers=tuple(map(told, kernel.helpers)),
        imports=(kernel.imports - shared) | imports,
    )
