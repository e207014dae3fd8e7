"""What becomes of a call: compiled, NumPy's own code with known types, or any Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

import jitscope as js
from jitscope.graph.ops import OPS
from jitscope.graph.ops.define import CONTROL, MATH, NUMBERS, PYTHON

from .inputs import DTYPES, sample
from .programs import arguments_of, function_of

COMPILED, KNOWN, OPAQUE, PLAIN = "compiled", "NumPy, types known", "opaque", "plain"
ORDER = (COMPILED, KNOWN, OPAQUE, PLAIN)

_NODE = re.compile(r"^ *(?:%[^=]*= )?(\w+)\(")


def verdict_of(call: str, number: int, dtype: str) -> str:
    """What becomes of a call in a `jit_scope`, alone or in a loop, with arguments of one dtype."""
    alone = _verdict(call, number, dtype, False)
    return alone if alone == COMPILED else best([alone, _verdict(call, number, dtype, True)])


def _verdict(call: str, number: int, dtype: str, loops: bool) -> str:
    values = sample(np.random.default_rng(number), dtype, (3, 4))
    given = [values[name] for name in arguments_of(call)]
    decorated = js.function(function_of(call, number, "js.jit_scope()", loops))
    try:
        text = js.to_code(decorated, *given, stage="graph")
    except Exception:  # noqa: BLE001 (NumPy refuses the call, or the compiler does)
        return PLAIN
    return verdict_of_graph(text)


def verdict_of_graph(text: str) -> str:
    """The verdict that the operations outside of clusters give, from a graph's text."""
    operations = set(_outside(text))
    if "python" in operations:
        return OPAQUE
    return KNOWN if any(_computes(name) for name in operations) else COMPILED


def _outside(text: str) -> Iterator[str]:
    cluster = -1
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if cluster >= 0:
            cluster = -1 if indent == cluster and line.lstrip().startswith("}") else cluster
        elif found := _NODE.match(line):
            cluster = indent if found[1] == "cluster" else -1
            yield found[1]


def _computes(name: str) -> bool:
    """Whether an operation is left to NumPy, and isn't too little work for a call of compiled code."""
    op = OPS.get(name)
    return op is not None and op.work == NUMBERS and op.kind not in (CONTROL, PYTHON, MATH)


def best(verdicts: list[str]) -> str:
    """The first verdict in the order of `ORDER`."""
    return min(verdicts, key=ORDER.index)


def runs(call: str, dtype: str, number: int) -> bool:
    """Whether NumPy takes the call."""
    values: dict[str, Any] = {"np": np, **sample(np.random.default_rng(number), dtype, (3, 4))}
    try:
        exec(compile(call, "<call>", "exec"), values)
    except Exception:  # noqa: BLE001 (any refusal)
        return False
    return True


def dtypes_of(call: str, number: int) -> list[str]:
    """The dtypes for which NumPy takes a call."""
    with np.errstate(all="ignore"):
        return [dtype for dtype in DTYPES if runs(call, dtype, number)]
