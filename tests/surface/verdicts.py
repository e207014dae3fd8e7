"""What becomes of a call: compiled, NumPy's own code with known types, or any Python."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import jitscope as js

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
    """The verdict that the operations of a graph's text give."""
    operations = {found[1] for line in text.splitlines() if (found := _NODE.match(line))}
    if "python" in operations:
        return OPAQUE
    return KNOWN if "numpy" in operations else COMPILED


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
