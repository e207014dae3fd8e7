"""Runs the programs on the GPU at hand, in several processes, and prints what came of each.

Functions like ``exp`` are not rounded as NumPy's are: values may differ by a few units in the last place.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import gpu_simulated
from gpu_programs import CASES

PROCESSES = 8
DOUBLE, SINGLE = 4e-15, 2e-6
"""How far functions and sums on a GPU may be from NumPy's, relatively."""


def run(name: str) -> dict[str, Any]:
    """One program, plain and on the GPU, two calls each."""
    began = time.perf_counter()
    try:
        if name == "session":
            found = gpu_simulated.session()
        else:
            least = SINGLE if "single" in name or "two_dtypes" in name else DOUBLE
            case = CASES[name]
            found = gpu_simulated.run(replace(case, rtol=max(case.rtol, least)))
    except Exception:
        found = {"difference": traceback.format_exc()}
    return {"name": name, "seconds": round(time.perf_counter() - began, 2), **found}


def wrong(found: dict[str, Any]) -> str:
    """What is wrong with a program's outcome, empty if nothing is."""
    if found["difference"] or found["name"] == "session":
        return found["difference"]
    if found["plain"]:
        return f"plain: {found['plain']}"
    least = CASES[found["name"]].kernels
    right = found["kernels"] >= least if least else found["kernels"] == 0
    return "" if right else f"{found['kernels']} kernels"


def main() -> int:
    """Run the programs that are named, or all of them, those in other processes."""
    if names := sys.argv[1:]:
        for name in names:
            print(json.dumps(run(name)), flush=True)
        return 0
    names = [*CASES, "session"]

    def some(first: int) -> str:
        command = [sys.executable, __file__, *names[first::PROCESSES]]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.stdout + (json.dumps({"name": "?", "difference": done.stderr}) if done.returncode else "")

    with ThreadPoolExecutor(PROCESSES) as pool:
        found = [json.loads(line) for out in pool.map(some, range(PROCESSES)) for line in out.splitlines()]
    bad = [f for f in found if wrong(f)]
    for each in sorted(found, key=lambda f: f["name"]):
        print(f"{each['name']:32} {each.get('seconds', 0.0):7.2f} s  {each.get('kernels', '-')!s:>3} kernels")
    for each in bad:
        print(f"\n=== {each['name']}: {wrong(each)}\n{each.get('text', '')}")
    print(f"{len(found)} programs, {len(bad)} wrong")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
