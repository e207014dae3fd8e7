"""Strangers' programs (`tests/strangers/`): plain and decorated times, first calls, coverage, and a summary.

python benchmarks/strangers.py [--floors] [part of a name ...]

With `--floors`, the least coverage of each is written to `tests/strangers/floors.json`.
"""

from __future__ import annotations

import json
import math
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import jitscope as js

TESTS = Path(__file__).resolve().parent.parent / "tests"
FLOORS = TESTS / "strangers" / "floors.json"
STEP, SURE, BUSY = 0.05, 0.95, 0.7
REPEATS, LONG = 9, 1.5
NATURAL = 1e-3
"""Seconds; what takes less plain is left out of the mean."""


@dataclass(frozen=True)
class Row:
    """What was measured of one function, in seconds."""

    name: str
    plain: float
    decorated: float
    first: float
    coverage: float

    @property
    def ratio(self) -> float:
        """How many times as fast it is."""
        return self.plain / self.decorated


def take_turns(
    rivals: tuple[Callable[..., Any], ...], arguments: Callable[[], tuple[Any, ...]]
) -> tuple[float, ...]:
    """The least times of a few calls of each, all with new arguments."""
    least, begin = [math.inf] * len(rivals), time.perf_counter()
    for _ in range(REPEATS):
        for k, call in enumerate(rivals):
            args = arguments()
            start = time.perf_counter()
            call(*args)
            least[k] = min(least[k], time.perf_counter() - start)
        if time.perf_counter() - begin > LONG:
            break
    return tuple(least)


def measure(case: Any) -> Row:
    """One function of the corpus; the calls after the first let trials of lists end."""
    fast: Any = js.function(case.function)
    args = case.natural()
    start = time.perf_counter()
    fast(*args)
    first = time.perf_counter() - start
    for _ in range(4):
        fast(*case.natural())
    plain, decorated = take_turns((case.function, fast), case.natural)
    return Row(case.name, plain, decorated, first, fast.coverage(*case.measured()).share)


def floor(coverage: float) -> float:
    """The least coverage that a test asks for; shares of parts depend on what else the machine does."""
    sure = min(coverage, 1 - STEP) if coverage > SURE else coverage * BUSY
    return round(math.floor(sure / STEP + 1e-9) * STEP, 2)


def shown(row: Row) -> str:
    """A line of the table."""
    return (
        f"{row.name:50} {1e3 * row.plain:9.2f} {1e3 * row.decorated:9.3f} {row.ratio:9.2f} {row.first:8.2f}"
        f" {row.coverage:9.2f}"
    )


def summary(rows: list[Row]) -> str:
    """What all of them come to."""
    covered = sum(row.coverage >= 0.9 for row in rows)
    long = [row for row in rows if row.plain > NATURAL]
    mean = math.exp(sum(math.log(row.ratio) for row in long) / len(long)) if long else math.nan
    slower = sorted((row for row in rows if row.ratio < 0.95), key=lambda row: row.ratio)
    return "\n".join(
        [
            f"coverage >= 0.9: {covered} of {len(rows)} ({covered / len(rows):.0%})",
            f"coverage, mean: {sum(row.coverage for row in rows) / len(rows):.2f}",
            f"geometric mean of ratios, {len(long)} of more than 1 ms: {mean:.2f} x",
            f"first calls together: {sum(row.first for row in rows):.0f} s",
            f"below 0.95 x: {len(slower)}",
            *(f"  {row.ratio:.2f} x  {row.name}" for row in slower),
        ]
    )


def main() -> None:
    sys.path.insert(0, str(TESTS))
    floors = "--floors" in sys.argv
    wanted = [word for word in sys.argv[1:] if word != "--floors"]
    cases = [
        case
        for case in import_module("strangers").CASES
        if not wanted or any(word in case.name for word in wanted)
    ]
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    print(f"{'function':50} {'plain ms':>9} {'ours ms':>9} {'ratio':>9} {'first s':>8} {'coverage':>9}")
    rows = []
    for case in cases:
        rows.append(measure(case))
        print(shown(rows[-1]), flush=True)
    print(summary(rows))
    if floors:
        known = json.loads(FLOORS.read_text()) if FLOORS.exists() else {}
        known.update({row.name: floor(row.coverage) for row in rows})
        FLOORS.write_text(json.dumps(dict(sorted(known.items())), indent=2) + "\n")


if __name__ == "__main__":
    main()
