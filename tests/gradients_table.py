"""docs/gradients.md: what has a derivative, what has none, and why; from the registry and the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from rule_cases import ELSEWHERE

from jitscope.graph.gradients.numpy_rules import RULES
from jitscope.graph.ops import OPS, lookup
from jitscope.graph.ops.define import DRAWING, NotDifferentiable, OpDef
from jitscope.graph.symbolic.numpy_functions import HANDLERS, WRITES
from jitscope.graph.trace.template import function_name

HEAD = """# Gradients of operations and NumPy functions

Written by `pytest tests/gradients/test_docs.py --update-golden` from the records of the operations and from
the rules of NumPy's functions; each is compared with finite differences in `tests/gradients`.

- Where elements share an extreme (`maximum`, `minimum`, `clip`, `max`, `min`) they share its gradient
  equally, as in JAX; Python's own `max` and `min` give it to the number that they pick.
- `abs` has the gradient 0 at 0, `sqrt` infinity, norms and `std` 0 where they are 0; a power of 0 stays 0
  whatever its exponent.
- Complex numbers: the gradient of a real result is dL/dRe + i dL/dIm, so that `z - rate * gradient` descends,
  as in TensorFlow (JAX gives the conjugate). A holomorphic function hands on the gradient times the conjugate
  of its derivative; to a real operand goes the real part.
- What works on integers and truth values has no gradient, and nothing flows through it.
- Through anything that is not listed here no gradient can be taken: an error says so, with its line.
"""


def table() -> str:
    """The text of docs/gradients.md."""
    parts = [HEAD, "\n## Operations\n", "| operation | gradient |", "|---|---|"]
    parts += [f"| `{op.name}` | {_of_operation(op)} |" for op in OPS.values() if op.kind != DRAWING]
    parts += [f"| `draw.*` | {_of_operation(OPS['drawn'])} |"]
    parts += [
        "\n## NumPy functions that run as they are\n",
        "By rules of their own:\n",
        _listed(_with_rule()),
    ]
    parts += ["\nNothing flows through these:\n", "| function | reason |", "|---|---|"]
    parts += [f"| `{function_name(f)}` | {rule.reason} |" for f, rule in _without()]
    parts += [
        "\n## NumPy functions that become operations\n",
        "Their gradients follow:\n",
        _listed(_composed()),
    ]
    return "\n".join(parts) + "\n"


def _of_operation(op: OpDef) -> str:
    if isinstance(op.gradient, NotDifferentiable):
        return f"none: {op.gradient.reason}"
    if op.name == "python":
        return "an error: it is any Python code"
    if op.name in ("drawn", "drawn_into"):
        return "none: the numbers are constants of the run; an error where what is drawn depends on x"
    if op.name in ELSEWHERE and op.gradient is None:
        return "by its meaning (memory and control flow)"
    return "yes" if op.gradient is not None else "an error"


def _listed(functions: Iterator[Any]) -> str:
    names = sorted({_shown(function) for function in functions})
    return ", ".join(f"`{name}`" for name in names) + "."


def _shown(function: Callable[..., Any]) -> str:
    """The function's name; operators and methods as they are written."""
    signs = {"iadd": "a += b", "isub": "a -= b", "imul": "a *= b", "itruediv": "a /= b", "ipow": "a **= b"}
    signs |= {"imod": "a %= b", "getitem": "a[indices]", "setitem": "a[indices] = b"}
    name = getattr(function, "__name__", "")
    if getattr(function, "__module__", "") == "_operator":
        return signs[name]
    if getattr(np.ndarray, name, None) is function:
        return f"a.{name}()"
    return function_name(function)


def _with_rule() -> Iterator[Any]:
    inner = "jitscope"
    return (
        f
        for f, rule in RULES.items()
        if not isinstance(rule, NotDifferentiable)
        and not (getattr(f, "__module__", None) or "").startswith(inner)
    )


def _without() -> list[tuple[Any, NotDifferentiable]]:
    found = [(f, rule) for f, rule in RULES.items() if isinstance(rule, NotDifferentiable)]
    return sorted(found, key=lambda item: function_name(item[0]))


def _composed() -> Iterator[Any]:
    others = (np.ndim, np.shape, np.size, np.isclose, np.unique, *WRITES)
    known = RULES
    return (f for f in HANDLERS if f not in known and lookup(f) is None and f not in others)
