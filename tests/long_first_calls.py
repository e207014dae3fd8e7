"""First calls of very long functions, each in a process of its own: seconds, memory, the answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROGRAM = """
import json, re, time
import numpy as np
import jitscope as js
import long

def megabytes(which):
    return int(re.search(rf"{which}:\\s+(\\d+) kB", open("/proc/self/status").read())[1]) / 1e3

@js.function
def small(x):
    return x + 1

small(np.ones(3))  # what is imported once
decorated = js.function(long.f)
before, began = megabytes("VmRSS"), time.process_time()
found = [decorated(*arguments) for arguments in long.arguments()]
seconds, more = time.process_time() - began, megabytes("VmHWM") - before
for one, arguments in zip(found, long.arguments(), strict=True):
    np.testing.assert_allclose(one, long.f(*arguments), rtol=1e-10)
(made,) = decorated.specializations
reasons = [item.reason for item in (*made.report.left, *made.report.notes)]
reasons += [made.plain_reason] if made.plain_reason else []
print(json.dumps({"seconds": seconds, "megabytes": more, "clusters": len(made.clusters), "reasons": reasons}))
"""


@dataclass
class Measured:
    """What first calls took: seconds of a core, megabytes; how many kernels, and why the rest is plain."""

    seconds: float
    megabytes: float
    clusters: int
    reasons: list[str]


def measured(text: str, arguments: str, folder: Path, timeout: float = 250) -> Measured:
    """Call the function `f` of a text with each of the arguments, without `JITSCOPE_CHECK`, beside plain `f`.

    `arguments` is the text of a list of tuples. Fails unless the answers are the same and all calls have one
    specialisation.
    """
    made = f"\n\ndef arguments():\n    return {arguments}\n"
    (folder / "long.py").write_text(f"import numpy as np\n\n\n{text}{made}")
    (folder / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "JITSCOPE_CACHE_DIR": str(folder / "cache"), "JITSCOPE_CHECK": "0"}
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = Measured(**json.loads(done.stdout))
    print(f"\n{found.seconds:.1f} s of a core, {found.megabytes:.0f} MB more, {found.clusters} kernels")
    return found


def branches(count: int) -> str:
    """Branches, one after the other, which ask for sums."""
    body = "".join(f"    if x.sum() > {k}: y = y + {k}\n" for k in range(count))
    return f"def f(x):\n    y = x * 1\n{body}    return y\n"


def loops(count: int) -> str:
    """Loops, one after the other, that add up elements and change them little by little."""
    bodies = (
        "s += x[i] * {k}.5",
        "x[i] = x[i] * 0.5 + y[i] * 0.{k}25",
        "if x[i] > 0.{k}: s += x[i]\n        else: s -= y[i]",
    )
    body = "".join(
        f"    for i in range(len(x)):\n        {bodies[k % 3].format(k=k % 7)}\n" for k in range(count)
    )
    return f"def f(x, y, v):\n    s = v[1]\n    x = x * 1.0\n{body}    return x * 2 + s\n"


def statements(count: int) -> str:
    """Statements on arrays, each of which uses others; what they make stays small, and counts in the sum."""
    lines = (
        "x = x * 0.5 + a",
        "y = np.sin(x) * 0.5 + y * 0.{k}25",
        "s = s + y * {k}.5",
        "x = y - a * 0.25",
        "y = np.maximum(x, y * 0.5)",
        "s = s - x * 0.{k}75",
        "a = x * 0.1 + v",
    )
    body = "".join(f"    {lines[k % 7].format(k=k % 9)}\n" for k in range(count))
    return f"def f(x, y, v):\n    a = s = v * 1.0\n{body}    return x + y + s\n"
