"""Two versions of jitscope in turn: how many times faster this checkout is than another one.

python benchmarks/paired.py OTHER_CHECKOUT [--processes 5] [--rounds 120] [case ...]

A process of each version makes a burst of calls, one after the other, again and again; then two new
processes, as where a process has its code and its arrays is worth some percent too. A case is slower if all
three numbers say so: the fastest bursts of each process (median of processes), the fastest burst of all, the
median of bursts that followed each other.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any, cast

import gradients as g
import measure as m
import numpy as np
import recurrent as r
import tutorial as t

import jitscope as js

HERE = Path(__file__).resolve()
BURST = 0.005
"""Seconds that a burst should take, about."""


def cases() -> dict[str, Callable[[], Callable[[], Any]]]:
    """By name: what makes the call."""

    def steady(name: str) -> Callable[[], Any]:
        case = m.CASES[name]
        return partial(js.function(case.plain), *case.arguments())

    def derived(title: str) -> Callable[[], Any]:
        function, args, argnums, _ = g.CASES[title]
        return partial(js.value_and_grad(function, argnums), *args)

    def step() -> Callable[[], Any]:
        xs, ys = r.example.waves()
        return partial(r.example.fast_step, *r.example.weights(), xs, ys, np.float32(0.5))

    made: dict[str, Callable[[], Callable[[], Any]]] = {name: partial(steady, name) for name in m.CASES}
    made |= {f"gradient: {title}": partial(derived, title) for title in g.CASES}
    made["LSTM training step"] = step
    for dtype in (np.float32, np.float64):
        made[f"session: {dtype.__name__}"] = lambda dtype=dtype: t.sessions(dtype)["on"]  # type: ignore[misc]
    return made


def serve(name: str) -> None:
    """Make a burst for each line of the input, and print the seconds of one call."""
    call = cases()[name]()
    call()
    start = time.perf_counter()
    call()
    number = max(1, int(BURST / (time.perf_counter() - start)))
    answers = os.fdopen(os.dup(1), "w")
    print(number, file=answers, flush=True)
    for _ in sys.stdin:
        start = time.perf_counter()
        for _ in range(number):
            call()
        print((time.perf_counter() - start) / number, file=answers, flush=True)


class Version:
    """A process that has imported one version."""

    def __init__(self, folder: Path, name: str) -> None:
        env = {**os.environ, "PYTHONPATH": str(folder), "JITSCOPE_CACHE_DIR": str(folder / "cache")}
        self.process = subprocess.Popen(
            [sys.executable, str(HERE), "--serve", name],
            env=env,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._line()

    def _line(self) -> float:
        return float(cast(IO[str], self.process.stdout).readline())

    def burst(self) -> float:
        """Seconds of one call."""
        asked = cast(IO[str], self.process.stdin)
        asked.write("\n")
        asked.flush()
        return self._line()

    def stop(self) -> None:
        """No more bursts."""
        self.process.communicate()


def compared(folders: dict[str, Path], name: str, processes: int, rounds: int) -> str:
    """A line: three ways to say how many times faster the new version is."""
    best: list[tuple[float, float]] = []
    pairs: list[float] = []
    for turn in range(processes):
        order = ("old", "new") if turn % 2 else ("new", "old")
        running = {side: Version(folders[side], name) for side in order}
        times: dict[str, list[float]] = {side: [] for side in order}
        for number in range(rounds):
            for side in order if number % 2 else order[::-1]:
                times[side].append(running[side].burst())
        for version in running.values():
            version.stop()
        best.append((min(times["old"]), min(times["new"])))
        pairs.append(statistics.median(a / b for a, b in zip(times["old"], times["new"], strict=True)))
    old, new = zip(*best, strict=True)
    ratios = (statistics.median(old) / statistics.median(new), min(old) / min(new), statistics.median(pairs))
    shown = " | ".join(f"{ratio:.3f}" for ratio in ratios)
    return f"| {name} | {min(old) * 1e6:.1f} us | {min(new) * 1e6:.1f} us | {shown} |"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", nargs="?", type=Path)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=120)
    parser.add_argument("--serve")
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return
    with tempfile.TemporaryDirectory() as root:
        folders = {"old": Path(root, "old"), "new": Path(root, "new")}
        for side, checkout in (("old", options.other), ("new", HERE.parent.parent)):
            folders[side].mkdir()
            (folders[side] / "jitscope").symlink_to(checkout.resolve())
        print("| case | other | this | fastest of processes | fastest of all | pairs of bursts |")
        print("|---|---|---|---|---|---|")
        for name in options.cases or cases():
            print(compared(folders, name, options.processes, options.rounds), flush=True)


if __name__ == "__main__":
    main()
