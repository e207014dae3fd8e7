"""Every operation of the registry has a gradient rule that is right, or a reason why it has none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rule_cases import CASES, ELSEWHERE, Case
from symbol_gradients import backwards, check, check_second, program, pullback

from jitscope.graph.ir.types import Array
from jitscope.graph.ops import OPS
from jitscope.graph.ops.define import ELEMENTWISE, NotDifferentiable, OpDef
from jitscope.graph.ops.resolve import resolve_ufunc

DTYPES = ("float32", "float64", "complex128")
UFUNCS = [op for op in OPS.values() if op.kind == ELEMENTWISE and isinstance(op.evaluate, np.ufunc)]

# Where the samples of the records are too wide to be differenced, or there are none.
DOMAINS = {
    "arccos": (-1.0, 1.0),
    "arccosh": (1.0, 4.0),
    "arcsin": (-1.0, 1.0),
    "arctanh": (-1.0, 1.0),
    "cbrt": (0.0, 3.0),
    "degrees": (-0.3, 0.3),
    "rad2deg": (-0.3, 0.3),
    "tan": (-1.4, 1.4),
}
SHAPES = {
    1: [((2, 3),), ((),)],
    2: [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (3,)), ((3,), ()), ((), ())],
}


def test_every_operation_has_a_rule_or_a_reason():
    """A rule is tested here with the ufuncs, in `rule_cases`, or in the file that `ELSEWHERE` names."""
    tested = {op.name for op in UFUNCS} | CASES.keys() | ELSEWHERE.keys()
    for op in OPS.values():
        if isinstance(op.gradient, NotDifferentiable):
            assert len(op.gradient.reason) > 10, op.name
        else:
            assert op.name in tested, f"{op.name} has neither a tested rule nor a reason"
        if op.gradient is None:
            assert op.name in ELSEWHERE, op.name


def points(op: OpDef, dtypes: tuple[str, ...], shapes: tuple[tuple[int, ...], ...]) -> list[Any]:
    """Numbers at which the operation is smooth, from the domain of its record."""
    low, high = DOMAINS.get(op.name) or next(
        ((max(s.low, -3.0), min(s.high, 3.0)) for s in op.samples if "f" in s.kinds), (-3.0, 3.0)
    )
    margin = 0.1 * (high - low)
    for seed in range(400):
        rng = np.random.default_rng(seed)
        found = [_draw(rng, low + margin, high - margin, *item) for item in zip(dtypes, shapes, strict=True)]
        if _is_smooth(op.evaluate, found):
            return found
    raise AssertionError(f"no smooth point of {op.name}")


def _draw(rng: np.random.Generator, low: float, high: float, dtype: str, shape: tuple[int, ...]) -> Any:
    if np.dtype(dtype).kind == "i":
        return rng.integers(1, 4, shape).astype(dtype)[()]
    drawn = rng.uniform(low, high, shape)
    if np.dtype(dtype).kind == "c":
        drawn = drawn + 1j * rng.uniform(0.2, 0.8, shape)
    return np.asarray(drawn).astype(dtype)[()]


def _is_smooth(function: Any, operands: list[Any], step: float = 0.02) -> bool:
    """No jump and no kink near the operands: second differences are small."""
    wide = [
        v if np.asarray(v).dtype.kind == "i" else np.asarray(v).astype(np.result_type(v, "f8"))
        for v in operands
    ]
    with np.errstate(all="ignore"):
        middle = function(*wide)
        if not np.all(np.isfinite(middle)) or np.max(np.abs(middle)) > 30:
            return False
        if np.asarray(middle).dtype.kind not in "fc":
            return True
        for k, value in enumerate(wide):
            if np.asarray(value).dtype.kind == "i":
                continue
            up, down = ([*wide[:k], value + h, *wide[k + 1 :]] for h in (step, -step))
            if not np.all(np.abs(function(*up) - 2 * middle + function(*down)) < 0.5 * step):
                return False
    return True


def loops(op: OpDef) -> Iterator[tuple[str, ...]]:
    """The dtypes of operands that the ufunc takes: alike, and mixed."""
    count = op.evaluate.nin  # type: ignore[union-attr]
    for dtype in DTYPES:
        mixed = [(dtype,) * count] + ([(dtype, "int64"), ("int32", dtype)] if count == 2 else [])
        for dtypes in [*mixed, ("float32", "float64")][
            : 4 if dtype == "float32" and count == 2 else len(mixed)
        ]:
            try:
                resolve_ufunc(op.evaluate, [Array(np.dtype(d), (3,)) for d in dtypes])  # type: ignore[arg-type]
            except TypeError:
                continue
            yield dtypes


UFUNC_CASES = [
    pytest.param(op, dtypes, id=f"{op.name}-{'-'.join(dtypes)}") for op in UFUNCS for dtypes in loops(op)
]


SECOND = [
    pytest.param(op, dtype, id=f"{op.name}-{dtype}")
    for op in UFUNCS
    for dtype in ("float64", "complex128")
    if not isinstance(op.gradient, NotDifferentiable) and (dtype,) * op.evaluate.nin in loops(op)  # type: ignore[union-attr]
]


@pytest.mark.parametrize(("op", "dtype"), SECOND)
def test_second_derivative_of_ufunc_is_what_differences_say(op: OpDef, dtype: str):
    count = op.evaluate.nin  # type: ignore[union-attr]
    shapes = SHAPES[count][0]
    for k in range(count):
        check_second(op.evaluate, points(op, (dtype,) * count, shapes), k)


# Once differentiable where these are taken, or of single precision.
DOUBLE = [
    pytest.param(case, id=f"{name}-{k}")
    for name, cases in CASES.items()
    for k, case in enumerate(cases)
    if not any(np.asarray(value).dtype.name in ("float32", "complex64") for value in case.arguments)
    and (name, k) != ("clip", 3)
][::3]


@pytest.mark.parametrize("case", DOUBLE)
def test_second_derivative_of_operation_is_what_differences_say(case: Case):
    for k, value in enumerate(case.arguments):
        if np.asarray(value).dtype.kind in "fc":
            check_second(case.function, case.arguments, k)


@pytest.mark.parametrize(("op", "dtypes"), UFUNC_CASES)
def test_rule_of_ufunc_is_what_differences_say(op: OpDef, dtypes: tuple[str, ...]):
    for shapes in SHAPES[len(dtypes)]:
        operands = points(op, dtypes, shapes)
        result = np.asarray(op.evaluate(*operands))  # type: ignore[misc]
        if result.dtype.kind not in "fc":
            assert isinstance(op.gradient, NotDifferentiable)
            return
        check(op.evaluate, operands)


@pytest.mark.parametrize(
    ("name", "case"),
    [
        pytest.param(name, case, id=f"{name}-{k}")
        for name, found in CASES.items()
        for k, case in enumerate(found)
    ],
)
def test_rule_is_what_differences_say(name: str, case: Any):
    case.check()


def test_cases_are_of_operations_and_other_tests_exist():
    assert not (CASES.keys() | ELSEWHERE.keys()) - OPS.keys()
    root = Path(__file__).parents[2]
    assert [name for name in sorted(set(ELSEWHERE.values())) if not (root / name).exists()] == []


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (np.maximum, (1.0, 1.0), (0.5, 0.5)),
        (np.minimum, (1.0, 1.0), (0.5, 0.5)),
        (np.absolute, (0.0,), (0.0,)),
        (np.absolute, (0j,), (0.0,)),
        (np.sign, (0j,), (0.0,)),
        (np.hypot, (0.0, 0.0), (0.0, 0.0)),
        (np.sqrt, (0.0,), (np.inf,)),
        (np.power, (0.0, 0.0), (0.0, 0.0)),
        (np.power, (0.0, 2.0), (0.0, 0.0)),
        (np.power, (0.0, 1.0), (1.0, 0.0)),
        (np.power, (-2.0, 3.0), (12.0, np.nan)),
        (np.logaddexp, (-np.inf, 0.0), (0.0, 1.0)),
        (np.logaddexp, (np.inf, 0.0), (1.0, 0.0)),
        (np.fmax, (np.nan, 1.0), (0.0, 1.0)),
        (np.fmax, (1.0, np.nan), (1.0, 0.0)),
        (np.clip, (2.0, 0.0, 1.0), (0.0, 0.0, 1.0)),
        (np.clip, (1.0, 0.0, 1.0), (0.5, 0.0, 0.5)),
        (np.heaviside, (0.0, 0.5), (0.0, 1.0)),
    ],
)
def test_rules_at_kinks(function: Any, arguments: tuple[Any, ...], expected: tuple[Any, ...]):
    """Ties are shared as in JAX; where no derivative exists, what descends or NumPy's infinity."""
    given = [np.array([value]) for value in arguments]
    found = pullback(function, given, [np.ones(1)], range(len(given)))
    np.testing.assert_array_equal(np.concatenate(found), expected)


SMOOTH = [
    op
    for op in UFUNCS
    if not isinstance(op.gradient, NotDifferentiable)
    and op.name not in ("sign", "nextafter", "ldexp", "heaviside", "copysign")
]


@pytest.mark.parametrize("op", SMOOTH, ids=lambda op: op.name)
def test_second_derivative_of_ufunc(op: OpDef):
    """The rules consist of operations with rules: the gradient of the gradient is right, too."""
    count = op.evaluate.nin  # type: ignore[union-attr]
    operands = points(op, ("float64",) * count, ((3,),) * count)
    seed, wrt, h = np.ones(3), range(count), 1e-5
    first = backwards(op.evaluate, count, wrt)  # type: ignore[arg-type]
    slopes = program(first, [*operands, seed])
    weights = [np.linspace(0.5, 1.5, 3) * (k + 1) for k in wrt]
    found = pullback(first, [*operands, seed], weights, wrt)
    for k, slope in enumerate(found):
        up, down = ([*operands[:k], operands[k] + d, *operands[k + 1 :], seed] for d in (h, -h))
        both = zip(weights, slopes(*up), slopes(*down), strict=True)
        expected = sum(w * (high - low) / (2 * h) for w, high, low in both)
        np.testing.assert_allclose(slope, expected, rtol=1e-6, atol=1e-6)
