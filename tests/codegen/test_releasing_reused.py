"""Arrays of kernels that raise: each is let go of once, on every way out."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np
import jitscope as js

def refilled(n, m):
    u = []
    for k in range(n):
        if u:
            u.pop()
        u.append(1 // (k - m))
    return u

def refilled_with_floats(n, m):
    u = [1.0]
    for k in range(n):
        c = 2.0
        if len(u) > 1:
            c = u.pop()
        u.append(c / (k - m))
    return u

def beyond_64_bits(n, m):
    u = []
    for k in range(n):
        if len(u) > 0:
            u.pop()
        u.append(k + 2**62 * (k // m))
    return u

def a_view_in_use(a, n, m):
    x = a
    for k in range(n):
        row = x[k % 4]
        if k % 3 == 0:
            x = x * 2.0
        row[0] = 1 // (k - m)
    return x

def called(f, *args):
    try:
        return repr(f(*args))
    except ZeroDivisionError as error:
        return str(error)

for f, args in (
    (refilled, (30, 9)), (refilled_with_floats, (30, 9)), (beyond_64_bits, (30, 9)),
    (lambda n, m: a_view_in_use(np.ones((4, 5)), n, m), (30, 9)),
):
    fast = js.function(f)
    for _ in range(60):
        assert called(fast, *args) == called(f, *args)
        kept = [np.empty(size) for size in range(1, 30)]
print("fine")
"""


@pytest.mark.parametrize("loader", ["auto", "numba"])
def test_memory_is_whole_after_exceptions(loader, tmp_path):
    """In a process of its own, as a fault ends it."""
    environment = {
        **os.environ,
        "JITSCOPE_CACHE_DIR": str(tmp_path),
        "JITSCOPE_LOADER": loader,
        "MALLOC_CHECK_": "3",
    }
    (tmp_path / "program.py").write_text(PROGRAM)
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, str(tmp_path / "program.py")], env=environment, capture_output=True, text=True
        )
        assert done.stdout == "fine\n", done.stderr[-2000:]
