"""Gradients and Hessian-vector products of one program, against differences and against the uncompiled graph."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
from same import observe

import jitscope as js
from fuzz.check import INTERPRETED, WAYS, Report, is_internal, jiggled


def check_gradients(
    f: Callable[..., Any], calls: list[tuple[Any, ...]], report: Report, second: bool, brief: bool
) -> None:
    """The gradients for all arrays of floats, in a first and a second call, for other sizes, and from the disk."""
    wrt = tuple(
        k for k, value in enumerate(calls[0]) if isinstance(value, np.ndarray) and value.dtype.kind == "f"
    )
    value = observe(f, (calls[0], {})).value
    if not isinstance(value, (int, float)):  # what is left of a program may return something else
        report.gradient = "not of a number"
        return
    compiled = js.value_and_grad(f, argnums=wrt)
    uncompiled = js.function(compiled, jit_level="off")
    for number, args in enumerate(calls[:1] if brief else (*calls[:3], calls[0])):
        if number == 3:
            compiled.clear()
        name = ("first call", "second call", "other sizes", "cached call")[number]
        if not _one(f"gradient, {name}", f, compiled, None if brief else uncompiled, args, wrt, report):
            return
    if second and report.gradient == "checked":
        _second(f, calls[0], wrt, report)


def _one(
    name: str,
    f: Callable[..., Any],
    compiled: Any,
    uncompiled: Any,
    args: tuple[Any, ...],
    wrt: tuple[int, ...],
    report: Report,
) -> bool:
    expected = observe(f, (args, {}))
    actual = observe(compiled, (args, {}))
    if actual.error is not None:
        return _refusal(name, expected.error, actual.error, report, "gradient")
    if expected.error is not None:
        return report.fail("wrong", "gradient: no exception", f"{name}: {expected.error!r} expected")
    value, slopes = actual.value
    if not np.allclose(value, expected.value, rtol=1e-9, atol=1e-9) and not _wavers(
        lambda a: f(*a), args, 1e-9
    ):
        return report.fail(
            "wrong", "gradient: value", f"{name}: value {expected.value} expected, got {value}"
        )
    for k, (wanted, got) in enumerate(zip(expected.arguments[0], actual.arguments[0], strict=True)):
        if (
            isinstance(wanted, np.ndarray)
            and not _near(wanted, got, 1e-9)
            and not _wavers(lambda a: _after(f, a), args, 1e-9)
        ):
            return report.fail(
                "wrong", "gradient: argument", f"{name}: argument {k} {wanted} expected, got {got}"
            )
    kinks = _along(f, args, wrt, slopes, report, name)
    if report.status != "right":
        return False
    if uncompiled and not _as_uncompiled(name, uncompiled, args, wrt, slopes, report):
        return False
    report.gradient = "not smooth" if kinks and report.gradient != "checked" else "checked"
    return True


def _as_uncompiled(
    name: str, uncompiled: Any, args: tuple[Any, ...], wrt: tuple[int, ...], slopes: Any, report: Report
) -> bool:
    """Whether the graph that was traced gives the same gradients without being compiled."""
    other = observe(uncompiled, (args, {}))
    if other.error is not None:
        return report.fail(
            "internal", f"uncompiled gradient: {type(other.error).__name__}", f"{name}: {other.error}"
        )
    for k, wanted, got in zip(wrt, other.value[1], slopes, strict=True):
        if not _near(wanted, got, 1e-8) and not _wavers(lambda a: uncompiled(*a)[1], args, 1e-8):
            return report.fail(
                "wrong", "gradient: uncompiled", f"{name}: for argument {k} {wanted} uncompiled, {got}"
            )
    return True


def _refusal(
    name: str, expected: BaseException | None, actual: BaseException, report: Report, of: str
) -> bool:
    if type(expected) is type(actual):
        setattr(report, "gradient" if of == "gradient" else "second", "raises")
        return True
    if INTERPRETED and "numpy boolean" in str(actual):
        report.gradient = "not for the interpreter"  # compiled code subtracts truth values
        return False
    if "compiled code raised" in str(actual):
        return report.fail(
            "internal",
            f"{of}: compiled code raised {str(actual).split('raised ')[1].split(':')[0]}",
            f"{name}: {actual}",
        )
    if isinstance(actual, js.JitscopeError) and not is_internal(str(actual)):
        setattr(report, "gradient" if of == "gradient" else "second", "refused")
        report.reasons.append(f"refused {of}: {str(actual).splitlines()[0]}")
        return False
    return report.fail(
        "internal", f"{of}: {type(actual).__name__}", f"{name}: {type(actual).__name__}: {actual}"
    )


def _after(f: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    f(*args)
    return args


def _near(expected: Any, actual: Any, rtol: float) -> bool:
    size = float(np.abs(expected).max(initial=0.0)) if np.size(expected) else 0.0
    return np.shape(expected) == np.shape(actual) and bool(
        np.allclose(expected, actual, rtol=0, atol=rtol * max(size, 1e-2), equal_nan=True)
    )


def _wavers(f: Callable[[tuple[Any, ...]], Any], args: tuple[Any, ...], rtol: float) -> bool:
    """Whether what `f` makes changes by more than the tolerance with last bits of its arguments."""
    exact = f(copy.deepcopy(args))
    for way in WAYS:
        moved = f(jiggled(args, way))
        pairs = zip(exact, moved, strict=True) if isinstance(exact, (tuple, list)) else [(exact, moved)]
        if not all(_near(np.asarray(a), np.asarray(b), rtol) for a, b in pairs):
            return True
    return False


def _along(
    f: Callable[..., Any], args: tuple[Any, ...], wrt: tuple[int, ...], slopes: Any, report: Report, name: str
) -> bool:
    """Compare with differences along a few directions; whether there was a kink in all of them."""
    rng = np.random.default_rng(1)
    smooth = 0
    if not all(np.all(np.isfinite(slope)) for slope in slopes):
        return True  # a root at 0, say
    for k, slope in zip(wrt, slopes, strict=True):
        for _ in range(2):
            direction = rng.uniform(-1, 1, args[k].shape)
            found = difference_along(lambda h, k=k, d=direction: f(*_moved(args, k, h * d)), 1e-4)
            if found is None:
                continue
            smooth += 1
            mine, size = float(np.sum(slope * direction)), float(np.sum(np.abs(slope * direction)))
            if not abs(mine - found) <= 1e-5 * max(size, abs(found), 1e-1):
                report.fail(
                    "wrong",
                    "gradient: differences",
                    f"{name}: for argument {k} along a direction {found}, got {mine}",
                )
                return False
    return smooth == 0


def _moved(args: tuple[Any, ...], k: int, by: np.ndarray) -> tuple[Any, ...]:
    given = copy.deepcopy(list(args))
    given[k] = given[k] + by
    return tuple(given)


def difference_along(f: Callable[[float], Any], h: float) -> Any:
    """The slope of `f` at 0 by differences of fourth order; None where two steps disagree: there is a kink."""

    def slope(step: float) -> Any:
        return (8 * (f(step) - f(-step)) - (f(2 * step) - f(-2 * step))) / (12 * step)

    wide, narrow = slope(h), slope(0.3 * h)
    size = float(np.max(np.abs(wide), initial=0.1))
    return wide if np.all(np.isfinite(wide)) and np.all(np.abs(wide - narrow) <= 2e-6 * size) else None


def _second(f: Callable[..., Any], args: tuple[Any, ...], wrt: tuple[int, ...], report: Report) -> None:
    """A Hessian-vector product for one argument, against differences of the uncompiled gradient."""
    k = wrt[-1]
    v = np.random.default_rng(2).uniform(-1, 1, args[k].shape)
    gradient = js.grad(f, argnums=k)

    def directional(*given: Any) -> Any:
        return np.sum(gradient(*given) * v)

    product = js.grad(directional, argnums=k)
    actual = observe(product, (args, {}))
    if actual.error is not None:
        _refusal("product with the Hessian", None, actual.error, report, "second")
        return
    uncompiled = js.function(gradient, jit_level="off")
    expected = difference_along(lambda h: np.asarray(uncompiled(*_moved(args, k, h * v))), 1e-4)
    report.second = "not smooth" if expected is None else "checked"
    if (
        expected is not None
        and not _near(expected, actual.value, 1e-4)
        and not _wavers(lambda a: uncompiled(*a), args, 1e-8)
    ):
        report.fail("wrong", "second", f"product with the Hessian: {expected} expected, got {actual.value}")
