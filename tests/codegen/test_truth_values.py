"""What truth values become where numbers are expected: compiled, and the same as in Python."""

from __future__ import annotations

import linecache
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import needs_compiler
from same import same

import jitscope as js

EXPRESSIONS = """
float(c); int(c); complex(c).real; complex(c, c).imag; bool(c); abs(c); -c; +c; ~c; round(c); c.real;
np.float64(c); math.sqrt(c); math.exp(c); math.floor(c); math.isnan(c); math.atan2(c, c);
math.copysign(c, c); math.fabs(c); c + c; c * c; c - c; c / (c + 1); c // (c + 1); c % (c + 1); c ** 2;
2.0**c; c & c; c | c; c ^ c; c << 1; c >> 1; min(c, n); max(c, n, 2.5); c == 1; c < n; c and n; c or n;
not c; c if c else 2.0; pow(c, 2); np.int64(c); np.sqrt(c); np.float32(c) + 1; math.hypot(c, 1.0);
math.fmod(c, 2); np.minimum(c, n); np.where(c, 1.0, 2.0); float(np.bool_(c)); int(np.bool_(c));
complex(np.bool_(c)).real; float(not c); complex(not c).real; np.complex128(c).real
"""


def program(truth: str) -> Callable[..., Any]:
    """A function that writes what each expression gives for ``c = truth``."""
    texts = [text.strip() for text in EXPRESSIONS.split(";")]
    body = [f"        out[i, {k}] = {text}" for k, text in enumerate(texts)]
    lines = [
        "def f(a, n, flag):",
        f"    out = np.zeros((len(a), {len(body)}))",
        "    for i in range(len(a)):",
    ]
    names: dict[str, Any] = {"np": np, "math": math}
    text, place = "\n".join([*lines, f"        c = {truth}", *body, "    return out"]), f"<{truth}>"
    linecache.cache[place] = len(text), None, text.splitlines(keepends=True), place
    exec(compile(text, place, "exec"), names)
    found: Callable[..., Any] = names["f"]
    return found


@needs_compiler
@pytest.mark.parametrize("truth", ["n > i", "flag", "bool(a[i] > 1.5)", "0 < n < i + 2", "not (n > i)"])
def test_truth_values_are_numbers(truth: str) -> None:
    f, args = program(truth), (np.arange(4.0) + 0.5, 3, True)
    same(f, *args)
    decorated = js.function(f)
    decorated(*args)
    assert "failed" not in decorated.explain()
    assert decorated.specializations[0].clusters
