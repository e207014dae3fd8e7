"""How first calls grow with the length of a function, in time and memory; each in a process of its own.

python benchmarks/compile_growth.py [kind count]

Without arguments everything is measured and the table is printed; with them that one program, right here.
Times are the processor's: a machine that does other things as well has no others.
"""

from __future__ import annotations

import importlib.util
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

COUNTS = {"statements": (100, 300, 1000, 3000, 10000), "branches": (10, 100, 1000), "loops": (10, 100, 500)}
HEAD = "import numpy as np\n\n\ndef f(x, y, a):\n    s = 0.0\n"
LINES = (
    "x = x * 1.5 + a",
    "y = np.sin(x) + y",
    "x = y - a * 0.25",
    "y = np.maximum(x, y)",
    "a = x * 0.1 + y",
)


def statement(number: int) -> str:
    """A statement on arrays."""
    return f"    {LINES[number % 5]}\n"


def branch(number: int) -> str:
    """A branch whose arms work on arrays."""
    test = f"    if a[{number % 5}] > {number % 7}.0:\n"
    return f"{test}        x = x + {number % 3}.5\n    else:\n        x = x * 0.5\n"


def loop(number: int) -> str:
    """A loop over an array."""
    return f"    for i in range(len(x)):\n        s += x[i] * {number % 3}.5\n"


PIECES: dict[str, Callable[[int], str]] = {"statements": statement, "branches": branch, "loops": loop}


def program(kind: str, count: int, folder: str) -> Any:
    """The function of so many pieces."""
    path = Path(folder) / "long.py"
    path.write_text(HEAD + "".join(map(PIECES[kind], range(count))) + "    return x + y + a + s\n")
    spec = importlib.util.spec_from_file_location("long", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


def measure(kind: str, count: int) -> str:
    """A row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["JITSCOPE_CACHE_DIR"] = folder
        import jitscope as js

        function = program(kind, count, folder)
        args = (np.arange(5.0), np.ones(5), np.full(5, 0.1))
        expected = function(*args)
        decorated = js.function(function)
        start = time.process_time()
        found = decorated(*args)
        took = time.process_time() - start
        np.testing.assert_allclose(found, expected, rtol=1e-9)
        (made,) = decorated.specializations
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    left = made.plain_reason or (f"{len(made.report.left)} reasons" if made.report.left else "")
    return f"| {count:,} {kind} | {took:.1f} s | {memory:.0f} MB | {len(made.clusters)} | {left[:60]} |"


def main() -> None:
    """Print the table."""
    if len(sys.argv) == 3:
        print(measure(sys.argv[1], int(sys.argv[2])))
        return
    print("| program | first call | peak memory | kernels | left plain |\n|---|---|---|---|---|")
    for kind, counts in COUNTS.items():
        for count in counts:
            command = [sys.executable, __file__, kind, str(count)]
            answer = subprocess.run(command, capture_output=True, text=True, check=True)
            print(answer.stdout.strip(), flush=True)


if __name__ == "__main__":
    main()
