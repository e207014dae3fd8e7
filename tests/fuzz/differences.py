"""Programs that differentiate: decorated against plain, and the plain one's numbers against differences.

Where plain `js.grad` refuses (JitscopeError), what a decorated program answers is compared with differences.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from same import Outcome, Tolerance, difference, observe

import jitscope as js
from fuzz import reference
from fuzz.check import ORDER, Report, agrees, has_nan, load, margin, seen
from fuzz.check import _kind as kind_of
from fuzz.data import arguments

IMPORT, INSTEAD = "import jitscope as js", "from fuzz import reference as js"
NEAR = 1e-6  # of numbers from plain derivatives and from differences, times the largest of them
LARGEST = 1e5


def by_reference(path: Path) -> Callable[..., Any]:
    """The program with derivatives by differences."""
    other = path.with_name(f"{path.stem}_by_reference.py")
    other.write_text(path.read_text().replace(IMPORT, INSTEAD))
    return load(other).program


def check_derivatives(
    path: Path,
    plain: Callable[..., Any],
    calls: list[tuple[Any, ...]],
    report: Report,
    only: str = "",
    brief: bool = False,
) -> None:
    """Everything that is asked of such a program, or just the call that is named."""
    differenced = by_reference(path)
    decorated = js.function(plain)
    for name, args in zip(ORDER, calls, strict=True):
        if only in ORDER and name != only:
            continue
        if not _one(name, differenced, plain, decorated, args, report):
            return
        if brief and name == "second call":
            break
    report.compiled = any(found.clusters for found in decorated.specializations)
    if not brief and only not in ORDER:
        decorated.clear()
        _one("cached call", differenced, plain, decorated, calls[0], report)


def _one(
    name: str,
    differenced: Callable[..., Any],
    plain: Callable[..., Any],
    decorated: Callable[..., Any],
    args: tuple[Any, ...],
    report: Report,
) -> bool:
    wanted, expected = observe(differenced, (args, {})), observe(plain, (args, {}))
    if isinstance(expected.error, js.JitscopeError) and not isinstance(wanted.error, type(expected.error)):
        report.gradient = "refused"
        report.reasons.append(f"plain refuses: {_first(expected.error)}")
        actual = observe(decorated, (args, {}))
        if actual.error is not None:
            if isinstance(actual.error, js.JitscopeError):
                return True
            return report.fail(
                "wrong",
                f"refused: {type(actual.error).__name__}",
                f"{name}: plain {_first(expected.error)}; decorated {actual.error!r}",
            )
        who = "decorated, shared memory" if "shares memory" in str(expected.error) else "decorated"
        return _as_reference(name, who, wanted, actual, report, lambda: steps(differenced, args))
    if not _as_reference(name, "plain", wanted, expected, report, lambda: steps(differenced, args)):
        return False
    report.gradient = report.gradient or "checked"
    return agrees(name, plain, decorated, args, report)


def _first(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def steps(f: Callable[..., Any], args: tuple[Any, ...]) -> Outcome:
    """What comes of steps of another size."""
    before = reference.STEP
    reference.STEP = before * 0.4
    try:
        return observe(f, (args, {}))
    finally:
        reference.STEP = before


def _as_reference(
    name: str, who: str, wanted: Outcome, got: Outcome, report: Report, again: Callable[[], Outcome]
) -> bool:
    """Whether what was seen is what differences say."""
    if (wanted.error is None) != (got.error is None) or not isinstance(got.error, type(wanted.error)):
        return report.fail(
            "wrong",
            f"{who}: {type(wanted.error).__name__} or {type(got.error).__name__}",
            f"{name}: {who} by differences {wanted.error!r}, got {got.error!r}",
        )
    if wanted.error is not None:
        return True
    if has_nan(wanted):  # differences of numbers that are too large say nothing
        report.unstable += 1
        return True
    largest = max(1.0, margin(wanted).atol * 1e9)
    found = difference(seen(wanted), seen(got), Tolerance(atol=NEAR * largest))
    if found is None or re.search(r": expected float (\S+), got float64 np\.float64\(\S+\)$", found):
        return True
    if difference(seen(wanted), seen(again()), Tolerance(atol=0.3 * NEAR * largest)):
        report.unstable += 1
        return True
    return report.fail("wrong", f"{who}: {kind_of(found)}", f"{name}: {who} by differences: {found}")


def runs_by_reference(text: str) -> bool:
    """Whether the program ends with numbers of a usual size, its derivatives taken by differences."""
    scope: dict[str, Any] = {}
    try:
        exec(compile(text.replace(IMPORT, INSTEAD), "program", "exec"), scope)
        for k, which in enumerate((0, 0, 1, 2)):
            args = arguments(scope["SIGNATURE"], scope["SIZES"], which, scope["SEED"] + k, False)
            seen_here = observe(scope["program"], (scope["made"](*args), {}))
            if seen_here.error is not None or has_nan(seen_here):
                return False
            if margin(seen_here).atol > LARGEST * 1e-9:
                return False
    except Exception:  # noqa: BLE001 (it is another one)
        return False
    return True
