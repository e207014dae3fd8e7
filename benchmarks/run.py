"""Measure everything, print the table and write it to RESULTS.md beside this file.

python benchmarks/run.py [steady] [overhead] [shapes] [first] [warm] [gradients] [recurrent] [tutorial]

With names, only those are measured and nothing is written.
"""

from __future__ import annotations

import datetime
import os
import platform
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "RESULTS.md"
PARTS = ("steady", "overhead", "shapes", "first", "warm", "gradients", "recurrent", "tutorial")


def processor() -> str:
    """The model's name where the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def table(rows: list) -> str:
    """Rows as a Markdown table."""
    lines = ["| what | jitscope | other | ratio | target | met |", "|---|---|---|---|---|---|"]
    for row in rows:
        met = "" if not row.target else "yes" if row.met else "**no**"
        lines.append(f"| {row.what} | {row.ours} | {row.other} | {row.ratio} | {row.target} | {met} |")
    return "\n".join(lines)


def heading() -> str:
    """Where and with what this was measured."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("jitscope", "numpy", "numba", "llvmlite"))
    return (
        f"Measured on {datetime.date.today()} with Python {platform.python_version()}, {packages}\n"
        f"on {processor()}, {os.cpu_count()} cores, {platform.system()}.\n"
    )


def measure(wanted: list[str]) -> str:
    """The table of the wanted parts."""
    import gradients as g
    import measure as m
    import recurrent as r
    import tutorial as t

    parts = {
        "steady": m.steady_calls,
        "overhead": m.call_overhead,
        "shapes": m.twenty_shapes,
        "first": m.first_calls,
        "warm": m.warm_starts,
        "gradients": lambda: g.gradient_costs() + g.gradient_memory(),
        "recurrent": r.recurrent,
        "tutorial": lambda: t.tutorial_steps() + t.timeline_costs(),
    }
    rows = []
    for part in wanted:
        print(f"measuring: {part}", file=sys.stderr)
        rows += parts[part]()
    return table(rows)


def main() -> None:
    wanted = sys.argv[1:] or list(PARTS)
    if set(wanted) - set(PARTS):
        raise SystemExit(__doc__)
    # Compiled code of earlier runs must not answer for this one.
    with tempfile.TemporaryDirectory() as cache:
        os.environ["JITSCOPE_CACHE_DIR"] = cache
        found = measure(wanted)
    print(f"{heading()}\n{found}")
    if wanted == list(PARTS):
        RESULTS.write_text(f"{EXPLANATION}\n{heading()}\n{found}\n{kept()}")


def kept() -> str:
    """What compile_growth.py has measured, which takes minutes and is measured by itself."""
    _, title, rest = RESULTS.read_text().partition("\n## First calls of long functions")
    return title + rest


EXPLANATION = """\
# Measured

Written by `make bench`. All ratios of a row come from one run in which the rivals took turns.
Calls in a running process: the fastest of several turns. First calls: each in a fresh process,
the fastest of three. Second processes: the median of seven. "x" says how many times faster
jitscope is; a ratio without it says how many times longer it takes.

Numba is given the same source wherever it accepts it; for softmax, which it refuses
(`max(axis=)`, `keepdims`), a loop over rows. In the rows on second processes it is given what a
person would write by hand, with `cache=True`.
"""


if __name__ == "__main__":
    main()
