"""NumPy's functions that are formulas of others: fused, with NumPy's answers for special values, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import explanation, has_compiled_part
from same import Tolerance, compare, decorate

RNG = np.random.default_rng(5)
SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -2.5, 1e30])
X = np.concatenate([SPECIAL, RNG.normal(size=40)])
Y = X + np.where(RNG.random(48) < 0.5, 1e-9, 0.3)
Z = RNG.normal(size=48) + 1j * np.where(RNG.random(48) < 0.5, 0.0, RNG.normal(size=48))
M = RNG.normal(size=(6, 8))
M[1, 2] = M[4] = np.nan

CALLS: dict[str, tuple[Callable[..., Any], list[tuple[Any, ...]]]] = {
    "isclose": (lambda a, b: np.isclose(a, b) + 1, [(X, Y), (X.astype("f4"), Y.astype("f4")), (X[:0], X[:0])]),
    "isclose of nan": (lambda a, b: np.isclose(a, b, equal_nan=True) + 1, [(X, X), (X, X[:1])]),
    "isclose of one": (lambda a: np.isclose(a, 1.0, atol=1e-3) + 1, [(X,), (X.astype("f4"),), (np.arange(5),)]),
    "allclose": (lambda a, b: (np.allclose(a, b), a + b), [(X[5:], X[5:] + 1e-9), (X, Y), (X[:0], Y[:0])]),
    "array_equal": (lambda a, b: (np.array_equal(a, b), a + b), [(X[5:], X[5:]), (X, X), (X, Y)]),
    "nan_to_num": (lambda a: np.nan_to_num(a) * 2, [(X,), (X.astype("f4"),), (M,), (M.T,), (np.arange(4),)]),
    "nan_to_num to": (lambda a: np.nan_to_num(a, nan=-1.0, posinf=5, neginf=-5.5) * 2, [(X,), (X.astype("f4"),)]),
    "nansum": (lambda a: np.nansum(a) * 2, [(X[3:],), (X,), (M,), (M.T,), (X.astype("f4"),), (X[:0],)]),
    "nansum of rows": (lambda a: np.nansum(a, axis=1) * 2, [(M,), (M.astype("f4"),), (np.tile(M, (40, 40)),)]),
    "nansum of columns": (lambda a: np.nansum(a, axis=0) + np.nanprod(a, axis=0), [(M,), (M[::2, ::-1],)]),
    "nanprod": (lambda a: np.nanprod(a) * 2, [(X[3:],), (M,)]),
    "nancumsum": (lambda a: np.nancumsum(a) * 2, [(X,), (X.astype("f4"),)]),
    "nancumprod": (lambda a: np.nancumprod(a, axis=1) * 2, [(M,)]),
    "angle": (lambda z: np.angle(z) + np.angle(z, deg=True), [(Z,), (Z.astype("c8"),)]),
    "isreal": (lambda z: (np.isreal(z) + 1, np.iscomplex(z) * 2), [(Z,), (Z.astype("c8"),)]),
    "isposinf": (lambda a: (np.isposinf(a) + 1, np.isneginf(a) * 2), [(X,), (X.astype("f4"),)]),
    "fix": (lambda a: np.fix(a) * 2, [(X,), (X.astype("f4"),)]),
    "polyval": (lambda p, a: np.polyval(p, a) * 2, [(X[5:8], Y), (X[:0], Y), (X[5:6], Y[:0])]),
    "divmod": (lambda a, b: np.divmod(a, b), [(X, Y), (np.arange(-4, 5), np.arange(9) - 3), (X, Y[:1])]),
    "arcs": (lambda a: np.arcsin(a) + np.arccos(a) + np.arctanh(a), [(X,), (np.linspace(-1, 1, 99),)]),
    "areas": (lambda a: np.arcsinh(a) + np.arccosh(a), [(X,), (np.logspace(-9, 9, 99),)]),
    "logaddexp": (lambda a, b: (np.logaddexp(a + 3, b + 3), np.logaddexp2(a + 3, b + 3)), [(X, Y), (X, X), (X.astype("f4"), X.astype("f4"))]),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_numpys_answer_in_compiled_code(name: str) -> None:
    function, calls = CALLS[name]
    decorated = decorate(function)
    for args in calls:
        compare(function, decorated, args, tol=Tolerance(4))
    if hasattr(decorated, "specializations"):
        assert has_compiled_part(decorated)
        assert "has no compiled form here" not in explanation(decorated, *calls[0])
