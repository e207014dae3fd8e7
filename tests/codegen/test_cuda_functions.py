"""The functions that kernel texts call have twins for GPUs, or it is known that they have none."""

from __future__ import annotations

import ast
from pathlib import Path

from jitscope.graph.ops import OPS
from jitscope.graph.ops.define import ELEMENTWISE
from jitscope.graph.ops.from_c import C_NAMES
from jitscope.graph.passes.on_gpu import FUNCTIONS

TWINS = Path(__file__).resolve().parent.parent.parent / "codegen" / "cuda" / "functions.py"
OF_COMPLEX = {*C_NAMES, "absolute", "divide", "power", "reciprocal"}
WITHOUT = {"np_fmod", "np_lshift", "np_rshift", "np_power_int", "np_power_checked", "number_absolute"}
WITHOUT |= {"logaddexp", "logaddexp2", *(f"complex_{name}" for name in OF_COMPLEX)}
"""No form yet: shifts by the width or more, remainders that are no floats, powers that may raise, logarithms
of sums, and what of complex numbers isn't a product."""


def test_the_list_of_functions_is_that_of_the_twins() -> None:
    defined = [node for node in ast.parse(TWINS.read_text()).body if isinstance(node, ast.FunctionDef)]
    own = {node.name for node in defined if not node.name.startswith("_")}
    named = {op.name for op in OPS.values() if op.gpu}
    assert not own & named
    assert own | named == FUNCTIONS


def test_every_elementwise_function_has_a_twin_or_a_reason() -> None:
    called = {name for op in OPS.values() if op.kind == ELEMENTWISE for _, name in op.imports}
    assert called - FUNCTIONS == WITHOUT
