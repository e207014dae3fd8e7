"""What every example prints: times, ratio, equality, and where the generated module lies."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

OUT = Path(__file__).resolve().parent / "out"


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds that one call took, and what it gave."""
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def steady(call: Callable[[], Any], budget: float = 1.0) -> float:
    """The fastest of at least three calls, repeated for about `budget` seconds."""
    best, spent, calls = float("inf"), 0.0, 0
    while calls < 3 or (spent < budget and calls < 1000):
        seconds, _ = timed(call)
        best, spent, calls = min(best, seconds), spent + seconds, calls + 1
    return best


def readable(seconds: float) -> str:
    """Seconds in the unit that a person would choose."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"


def leaves(value: Any) -> list[Any]:
    """The arrays and numbers of nested tuples and lists."""
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def difference(expected: Any, actual: Any) -> float:
    """Largest absolute difference; infinite where type, dtype or shape differ; 0.0 only for equal bits."""
    left, right = leaves(expected), leaves(actual)
    if len(left) != len(right):
        return float("inf")
    worst = 0.0
    for a, b in zip(left, right, strict=True):
        first, second = np.asarray(a), np.asarray(b)
        if type(a) is not type(b) or first.dtype != second.dtype or first.shape != second.shape:
            return float("inf")
        if first.tobytes() != second.tobytes():
            gap = np.abs(first.astype(np.float64) - second.astype(np.float64)).max()
            worst = max(worst, float(gap), 5e-324)
    return worst


def compare(
    title: str, plain: Callable[..., Any], fast: Callable[..., Any], args: tuple[Any, ...], atol: float = 0.0
) -> Any:
    """Run both, print the report and hand back what the fast one gave.

    Args:
        title: one line that says what is computed, on what.
        plain: the function as it was written.
        fast: the same function after `js.function`.
        args: arguments of both; neither function may write to them.
        atol: largest difference that is allowed; 0.0 asks for equal bits.

    Raises:
        SystemExit: the results differ by more than that.
    """
    plain_time, expected = timed(lambda: plain(*args))
    first_time, actual = timed(lambda: fast(*args))
    fast_time = steady(lambda: fast(*args))
    plain_time = min(plain_time, steady(lambda: plain(*args)))
    gap = max(difference(expected, actual), difference(expected, fast(*args)))
    print(f"\n{title}")
    print(f"  plain function   {readable(plain_time)}")
    print(f"  first call       {readable(first_time)}   (compiles, or loads what an earlier run compiled)")
    print(f"  steady call      {readable(fast_time)}")
    print(f"  plain / steady   {plain_time / fast_time:.1f} x")
    verdict = "exactly equal, bit for bit" if gap == 0.0 else f"largest difference {gap:.1e}"
    print(f"  results          {verdict}" + (f" (allowed: {atol:.0e})" if atol else ""))
    for specialization in fast.specializations:  # type: ignore[attr-defined]
        print(f"  generated module {specialization.path}")
    if gap > atol:
        raise SystemExit(f"{title}: the decorated function gives another answer")
    return actual


def save(name: str, picture: np.ndarray) -> None:
    """Write an array of shape (rows, columns) or (rows, columns, 3), uint8, to examples/out/."""
    OUT.mkdir(exist_ok=True)
    Image.fromarray(picture).save(OUT / name)
    print(f"  picture          examples/out/{name}")
