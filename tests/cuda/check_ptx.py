"""Kernels compile to PTX without a GPU, where the extra `[cuda]` is installed: run by `make test-cuda`.

A run on the simulator tells which types each kernel is launched with.
"""

from __future__ import annotations

import re
from inspect import signature
from types import SimpleNamespace
from typing import Any

import numba.cuda.dispatcher as dispatcher
import pytest
from gpu_outcomes import simulated
from gpu_programs import CASES
from numba import cuda, types

from jitscope.codegen.cuda.launching import rounded_twice

COMPUTE_CAPABILITY = (8, 0)
ARRAY = re.compile(r"array\((\w+), (\d+)d, ([CFA])\)")


@pytest.fixture(scope="session")
def outcomes() -> dict[str, dict[str, Any]]:
    """What the programs are on the simulator."""
    return simulated()


@pytest.fixture(autouse=True)
def no_device_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions that kernels call are compiled for the GPU at hand; here for one that is not."""
    device = SimpleNamespace(compute_capability=COMPUTE_CAPABILITY)
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: device)


def type_of(name: str) -> Any:
    """Numba's type from its name; what is on a GPU can be written and may lie anywhere."""
    if found := ARRAY.match(name.replace("readonly ", "").replace("unaligned ", "")):
        return types.Array(type_of(found[1]), int(found[2]), found[3])
    return types.boolean if name in ("bool", "boolean") else getattr(types, name)


def ptx_of(kernel: Any, operands: list[str]) -> str:
    """What NVVM makes of a kernel."""
    arguments = tuple(map(type_of, operands))
    with rounded_twice():
        text, _ = cuda.compile(
            kernel.py_func, arguments, device=False, abi="numba", output="ptx", cc=COMPUTE_CAPABILITY
        )
    return str(text)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.kernels])
def test_kernels_compile_to_ptx(name: str, outcomes: dict[str, dict[str, Any]]) -> None:
    found = outcomes[name]
    assert not found["difference"]
    module: dict[str, Any] = {}
    exec(re.sub(r"cache=True,?\s*", "", found["text"]), module)  # the text has no file
    kernels = [kernel for kernel in found["signatures"] if kernel in module]
    assert len(kernels) == found["kernels"]
    for kernel in kernels:
        assert ".visible .entry" in ptx_of(module[kernel], found["signatures"][kernel])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_product_is_rounded_before_something_is_added(dtype: str) -> None:
    def kernel(x: Any, y: Any) -> None:
        y[0] = x[0] * x[1] + x[2]

    text = ptx_of(SimpleNamespace(py_func=kernel), [f"array({dtype}, 1d, C)"] * 2)
    assert "mul.rn" in text
    assert "fma" not in text


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "complex128"])
def test_the_kernel_of_products_compiles_to_ptx(dtype: str) -> None:
    from jitscope.codegen.cuda.products import tiled

    text = ptx_of(tiled, [f"array({dtype}, 2d, A)"] * 3 + [dtype])
    assert ".visible .entry" in text
    assert "bar.sync" in text


def test_every_function_of_kernels_compiles_to_ptx() -> None:
    from jitscope.codegen.cuda import functions
    from jitscope.graph.passes.on_gpu import FUNCTIONS

    for name in sorted(FUNCTIONS):
        function = getattr(functions, name)
        count = len(signature(function.py_func).parameters)
        operands = ", ".join(f"{operand}[0]" for operand in "xy"[:count])
        text = f"def kernel(x, y, out):\n    out[0] = f({operands})\n"
        space: dict[str, Any] = {"f": function}
        exec(text, space)
        for dtype in ("complex64", "complex128") if name.startswith("complex") else ("float32", "float64"):
            kernel = SimpleNamespace(py_func=space["kernel"])
            assert ".visible .entry" in ptx_of(kernel, [f"array({dtype}, 1d, C)"] * 3), name
