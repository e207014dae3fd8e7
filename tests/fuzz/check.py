"""One program, plain against decorated: values, written arguments, what shares memory, exceptions; then gradients."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from same import Outcome, Tolerance, difference, observe

import jitscope as js
from fuzz.data import arguments

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT") == "1"
ORDER = ("first call", "second call", "other sizes", "third sizes")
_INTERNAL = re.compile(
    r"\b(Assertion|Key|Attribute|Name|UnboundLocal|Index|Type|Lowering|Typing|Recursion|NotImplemented|Syntax)Error\b|[Ii]nternal|verif"
)

# Compiled code returns Python's truths, ints, floats and complex numbers; the same lines without a compiler may return NumPy's.
_SAME_NUMBER = re.compile(
    r": expected (bool (True|False), got bool np\.\2_|float (\S+), got float64 np\.float64\(\3\)"
    r"|complex \(?(\S+?)\)?, got complex128 np\.complex128\(\4\)|int (-?\d+), got int64 np\.int64\(\5\))$"
)

# What the program itself would raise on a path that this call doesn't take.
_OWN = re.compile(r"tracing it raised (UnboundLocal|Name)Error")


@dataclass
class Report:
    """What was seen of one program."""

    status: str = "right"  # right, wrong, internal; a runner adds crash and timeout
    kind: str = ""  # what differs: two failures of one kind are one failure to whoever makes programs smaller
    detail: str = ""
    compiled: bool = False
    bits: int = 0  # calls that differ in last bits
    unstable: int = 0  # calls whose result hangs on last bits of the arguments
    gradient: str = ""  # checked, refused, not smooth, hangs on last bits; empty where none was asked for
    second: str = ""
    reasons: list[str] = field(default_factory=list)
    seconds: float = 0.0  # of one core

    def fail(self, status: str, kind: str, detail: str) -> bool:
        """Note the first failure."""
        if self.status == "right":
            self.status, self.kind, self.detail = status, kind, detail
        return False


def load(path: Path) -> ModuleType:
    """The module of a program."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def calls_of(module: ModuleType) -> list[tuple[Any, ...]]:
    """The arguments of a program's calls, in the order of `ORDER`."""
    exact = not module.DIFFERENTIABLE
    chosen = ((0, exact), (0, False), (1, exact), (2, exact))
    calls = [
        arguments(module.SIGNATURE, module.SIZES, which, module.SEED + k, e)
        for k, (which, e) in enumerate(chosen)
    ]
    return [module.made(*args) for args in calls] if hasattr(module, "made") else calls


def check(
    path: Path, gradients: bool = True, second: bool = False, only: str = "", brief: bool = False
) -> Report:
    """Everything that is asked of the program in the file; or just the call that is named, and no gradients.

    A brief check makes fewer calls, and compares gradients with differences alone.
    """
    report, began = Report(), time.process_time()
    module = load(path)
    calls = calls_of(module)
    with told(report):
        if hasattr(module, "made"):
            from fuzz.differences import check_derivatives

            check_derivatives(path, module.program, calls, report, only, brief)
        elif only in ORDER:
            agrees(only, module.program, js.function(module.program), calls[ORDER.index(only)], report)
        elif _values(module.program, calls, report, brief) and gradients and module.DIFFERENTIABLE:
            if report.unstable:  # its branches hang on rounding: the slope is that of one of two functions
                report.gradient = "hangs on last bits"
            else:
                from fuzz.slopes import check_gradients

                check_gradients(module.program, calls, report, second, brief)
    report.seconds = time.process_time() - began
    return report


@contextlib.contextmanager
def told(report: Report) -> Iterator[None]:
    """Keep what the compiler says of parts that stay plain; a fault of its own is a failure."""
    said, topics = io.StringIO(), js.config.log
    js.config.log = frozenset({"fallback"})
    try:
        with contextlib.redirect_stderr(said), np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        js.config.log = topics
    for line in said.getvalue().splitlines():
        if "fallback" in line:
            report.reasons.append(line)
            if is_internal(line):
                report.fail("internal", "internal: " + _named(line), line)


def is_internal(line: str) -> bool:
    """Whether the compiler's own fault is the reason that it gives."""
    return bool(_INTERNAL.search(line)) and not _OWN.search(line)


def _named(line: str) -> str:
    found = _INTERNAL.search(line)
    return found.group(0) if found else line[:40]


def _values(f: Callable[..., Any], calls: list[tuple[Any, ...]], report: Report, brief: bool) -> bool:
    """The decorated function does what the plain one does, called in turn and from the disk cache."""
    decorated = js.function(f)
    for name, args in zip(ORDER, calls, strict=True):
        if not agrees(name, f, decorated, args, report):
            return False
    report.compiled = any(found.clusters for found in decorated.specializations)
    if brief:
        return True
    decorated.clear()
    return agrees("cached call", f, decorated, calls[0], report)


def agrees(
    name: str, f: Callable[..., Any], decorated: Callable[..., Any], args: tuple[Any, ...], report: Report
) -> bool:
    """Whether one call shows the same to its caller."""
    expected, actual = observe(f, (args, {})), observe(decorated, (args, {}))
    if difference(expected, actual) is None:
        return True
    raised = type(expected.error).__name__
    if expected.error is not None or actual.error is not None:
        if INTERPRETED and "numpy boolean" in str(actual.error):
            return True  # compiled code subtracts truth values
        got = type(actual.error).__name__
        if type(expected.error) is not type(actual.error):
            return report.fail(
                "wrong", f"exception: {raised} or {got}", f"{name}: {raised} expected, {got}: {actual.error}"
            )
    tolerance = margin(expected)
    found = difference(seen(expected), seen(actual), tolerance)
    if found is None or (INTERPRETED and _SAME_NUMBER.search(found)):
        report.bits += 1
        return True
    if wavers(f, args, expected, tolerance):
        report.unstable += 1
        return True
    kind = _kind(found)
    if expected.error is not None:
        kind = f"exception: {'text' if found.startswith('result') else kind} of {raised}"
    return report.fail("wrong", kind, f"{name}: {found}")


def seen(outcome: Outcome) -> Outcome:
    """An outcome whose value is the exception's text, without addresses, where one was raised."""
    if outcome.error is None:
        return outcome
    text = re.sub(r"\b0x[0-9a-f]+", "0x...", str(outcome.error))
    return Outcome(text, None, outcome.arguments, outcome.printed)


def _kind(found: str) -> str:
    for word, kind in (
        ("shares", "sharing"),
        (" is ", "sharing"),
        ("flag", "layout"),
        ("CONTIGUOUS", "layout"),
        ("dtype", "dtype"),
        ("args", "argument"),
    ):
        if word in found:
            return kind
    types = re.search(r": expected ([a-z]\w*) .*, got ([a-z]\w*) ", found)
    return "type" if types and types[1] != types[2] else "value"


def margin(expected: Outcome) -> Tolerance:
    """How far numbers may lie apart: by the largest of them, and by the least exact dtype."""
    largest, single = 1e-3, False
    for value in _numbers([expected.value, expected.arguments[0]]):
        single |= value.dtype == np.float32
        finite = np.abs(value[np.isfinite(value)])
        largest = max(largest, float(finite.max(initial=0.0)))
    return Tolerance(atol=(1e-4 if single else 1e-9) * largest)


def has_nan(expected: Outcome) -> bool:
    """Whether a NaN is among the numbers of what was seen."""
    found = _numbers([expected.value, expected.arguments[0]])
    return any(bool(np.isnan(value).any()) for value in found if value.dtype.kind in "fc")


def _numbers(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, dict):
        value = list(value.values())
    if hasattr(value, "__dict__") and not callable(value):
        value = list(vars(value).values())
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, (np.ndarray, np.generic, float, complex)):
        found = np.asarray(value)
        if found.dtype.kind in "fc":
            yield found


def wavers(f: Callable[..., Any], args: tuple[Any, ...], expected: Outcome, tolerance: Tolerance) -> bool:
    """Whether the plain function itself changes by more than the tolerance with last bits of its arguments."""
    for way in WAYS:
        again = observe(f, (jiggled(args, way), {}))
        if type(again.error) is not type(expected.error):
            return True
        wide = Tolerance(atol=tolerance.atol * 2)
        values = (Outcome(seen(one).value, None, ((), {}), "") for one in (expected, again))
        if difference(*values, wide) or difference(_written(expected), _written(again), wide):
            return True
    return False


def _written(outcome: Outcome) -> Outcome:
    return Outcome(outcome.arguments[0], None, ((), {}), "")


WAYS = (0, 1, 2, "up", "down")
"""Seeds of moves at random, which leave sums nearly as they are, and moves that all go one way, as the
rounding of a function may: `exp` of many numbers that are alike can be a bit more than NumPy's for each."""


def jiggled(args: tuple[Any, ...], way: int | str) -> tuple[Any, ...]:
    """The arguments with other last bits."""
    rng = np.random.default_rng(way if isinstance(way, int) else 0)
    least, most = {"up": (0.5, 1), "down": (-1, -0.5)}.get(str(way), (-1, 1))

    def moved(value: Any) -> Any:
        if isinstance(value, (list, dict)):  # tuples and objects stay what they are
            return (
                [*map(moved, value)] if isinstance(value, list) else {k: moved(v) for k, v in value.items()}
            )
        if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
            size = 3e-7 if value.dtype == np.float32 else 1e-13
            return (value * (1 + size * rng.uniform(least, most, value.shape))).astype(value.dtype)
        return value * (1 + most * 1e-13) if isinstance(value, float) else value

    return tuple(moved(value) for value in args)
