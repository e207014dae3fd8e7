"""What is measured: each function gives rows of the table."""

from __future__ import annotations

import re
import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
from programs import CASES, add_all, return_sum, softmax, write_sum
from timing import Start, first_call, take_turns

import jitscope as js

TURNS = 5


@dataclass(frozen=True)
class Row:
    """One claim and what came out."""

    what: str
    ours: str
    other: str
    ratio: str
    target: str
    met: bool


def shown(seconds: float) -> str:
    """Seconds with a unit, three digits."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"


def faster(what: str, ours: float, other: float, at_least: float) -> Row:
    """We must be `at_least` times as fast."""
    ratio = other / ours
    return Row(what, shown(ours), shown(other), f"{ratio:.2f} x", f">= {at_least:g} x", ratio >= at_least)


def no_slower(what: str, ours: float, other: float, at_most: float) -> Row:
    """We may take `at_most` times as long."""
    ratio = ours / other
    return Row(what, shown(ours), shown(other), f"{ratio:.2f}", f"<= {at_most:g}", ratio <= at_most)


def check(expected: Any, actual: Any) -> None:
    """Stop where a rival computes something else: its time would mean nothing."""
    pairs = zip(expected, actual, strict=True) if isinstance(expected, tuple) else [(expected, actual)]
    for left, right in pairs:
        np.testing.assert_allclose(left, right, rtol=1e-13)


def steady_calls() -> list[Row]:
    """Compiled calls against plain NumPy and against `numba.njit` on the same source."""
    targets = {
        "escape": ("Mandelbrot on np.linspace axes, 120 x 80, 300 steps", "plain Python", 50, None),
        "mandelbrot": ("Mandelbrot of floats alone, 200 x 150, 200 steps", "plain Python", None, None),
        "stencil": ("5-point stencil, 300 x 300, 100 steps", "NumPy", 5, 5),
        "softmax": ("softmax over rows of (2000, 500)", "NumPy", 2, None),
    }
    rows = []
    for name, (title, rival, against_plain, against_njit) in targets.items():
        case, args = CASES[name], CASES[name].arguments()
        fast, njit = js.function(case.plain), numba.njit(case.for_njit)
        expected = case.plain(*args)
        check(expected, fast(*args))
        check(expected, njit(*args))
        calls: dict[str, Callable[[], Any]] = {
            "ours": partial(fast, *args),
            "plain": partial(case.plain, *args),
            "njit": partial(njit, *args),
        }
        best = take_turns(calls, repeats=TURNS)
        rows.append(against(f"{title}, against {rival}", best["ours"], best["plain"], against_plain))
        source = "the same source" if case.for_njit is case.plain else "a loop over rows (it has no axis=)"
        title = f"{title}, against numba.njit on {source}"
        rows.append(against(title, best["ours"], best["njit"], against_njit))
    return rows


def against(what: str, ours: float, other: float, at_least: float | None) -> Row:
    """A ratio, with a target if there is one."""
    if at_least is None:
        return Row(what, shown(ours), shown(other), f"{other / ours:.2f} x", "", True)
    return faster(what, ours, other, at_least)


def call_overhead() -> list[Row]:
    """A call that does next to nothing, on four small arrays."""
    rows = []
    kinds = (
        (add_all, "returns a new array"),
        (write_sum, "writes one element (nothing to compile: runs as it was)"),
        (return_sum, "returns one number (nothing to compile: runs as it was)"),
    )
    for plain, title in kinds:
        arrays = [np.full(3, float(n)) for n in range(4)]
        fast, njit = js.function(plain), numba.njit(plain)
        for call in (fast, njit):
            call(*arrays)
        rivals = {"ours": partial(fast, *arrays), "njit": partial(njit, *arrays)}
        best = take_turns(rivals, repeats=25, number=5000)
        what = f"call of a trivial function of four arrays, {title}"
        ratio = best["ours"] / best["njit"]
        met = best["ours"] <= 2e-6 and ratio <= 2.5
        target = "<= 2 us and <= 2.5 (Numba's dispatcher)" if plain is add_all else ""
        rows.append(Row(what, shown(best["ours"]), shown(best["njit"]), f"{ratio:.2f}", target, met))
    return rows


def first_calls() -> list[Row]:
    """First calls in fresh processes with empty caches against `numba.njit`."""
    rows = []
    for name in CASES:
        for mode, title in (("imported", "Numba imported before"), ("cold", "imports included")):
            runs: dict[str, list[Start]] = {"jitscope": [], "numba": []}
            for _ in range(3):
                for compiler, starts in runs.items():
                    with tempfile.TemporaryDirectory() as empty:
                        starts.append(first_call(compiler, name, Path(empty), mode))
            ours, other = (min(start.total for start in starts) for starts in runs.values())
            rows.append(no_slower(f"first call of {name}, empty cache, {title}", ours, other, 1.0))
    return rows


def warm_starts(repeats: int = 7) -> list[Row]:
    """First calls in second processes against hand-written `njit(cache=True)`; and what our log counted."""
    rows = []
    for name in ("mandelbrot", "stencil"):
        with tempfile.TemporaryDirectory() as kept:
            cache = Path(kept)
            runs: dict[str, list[Start]] = {"jitscope": [], "numba": []}
            for compiler in runs:  # fills the caches
                first_call(compiler, name, cache, "cached")
            for _ in range(repeats):
                for compiler, starts in runs.items():
                    starts.append(first_call(compiler, name, cache, "cached"))
            for figure, title in (("total", "imports and first call"), ("process", "whole process")):
                ours, other = (
                    statistics.median(getattr(start, figure) for start in starts) for starts in runs.values()
                )
                rows.append(no_slower(f"second process, {name}, {title}", ours, other, 1.25))
            line = counters(first_call("jitscope", name, cache, "cached", log=True).log)
            rows.append(nothing_done(f"second process, {name}, counted by JITSCOPE_LOG", line))
    return rows


def counters(log: str) -> str:
    """The last line of a log that counts something."""
    lines = [line for line in log.splitlines() if "compilations=" in line]
    return lines[-1].strip() if lines else "no counters in the log"


def nothing_done(what: str, line: str) -> Row:
    """A second process must find everything done."""
    counts = {name: int(n) for name, n in re.findall(r"(conversions|traces|compilations)=(\d+)", line)}
    said = ", ".join(f"{n} {name}" for name, n in counts.items()) or line
    return Row(what, said, "", "", "0 of each", len(counts) == 3 and not any(counts.values()))


def twenty_shapes() -> list[Row]:
    """One function, twenty shapes of one rank."""
    fast: Any = js.function(softmax)
    rng = np.random.default_rng(3)
    for n in range(2, 22):
        x = rng.normal(size=(n, 3 * n + 1))
        check(softmax(x), fast(x))
    made = len(fast.specializations)
    return [Row("specialisations for 20 shapes", str(made), "", "", "1", made == 1)]
