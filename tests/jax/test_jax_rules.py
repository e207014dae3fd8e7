"""The gradient rules against JAX's, also at ties and at zeros: what both can express agrees to 1e-9."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from symbol_gradients import pullback

from jitscope.graph.ops import OPS
from jitscope.graph.ops.define import ELEMENTWISE, NotDifferentiable

jax.config.update("jax_enable_x64", True)

# JAX has no derivative of them, or another one (as for `abs` at 0, with the slope 1 there, and for 0**0).
OTHERWISE = {"ldexp", "nextafter", "spacing", "frexp", "copysign", "hypot", "sign"}
UFUNCS = [
    op
    for op in OPS.values()
    if op.kind == ELEMENTWISE
    and isinstance(op.evaluate, np.ufunc)
    and hasattr(jnp, op.name)
    and not isinstance(op.gradient, NotDifferentiable)
    and op.name not in OTHERWISE
]
DOMAINS = {"arccosh": (1.1, 3.0), "power": (0.1, 2.0), "float_power": (0.1, 2.0)}


def compared(
    name: str, mine: Callable[..., Any], theirs: Callable[..., Any], arguments: list[np.ndarray]
) -> None:
    """Both pullbacks of one cotangent; JAX's of complex numbers is the conjugate."""
    result, back = jax.vjp(theirs, *map(jnp.asarray, arguments))
    seed = np.linspace(0.5, 1.5, max(1, np.size(result))).reshape(np.shape(result))
    seed = seed * (1 + 0.5j) if np.asarray(result).dtype.kind == "c" else seed
    expected = back(jnp.asarray(np.conj(seed)))
    found = pullback(mine, arguments, [seed[()]], range(len(arguments)))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, np.conj(np.asarray(other)), rtol=1e-9, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("op", UFUNCS, ids=lambda op: op.name)
def test_rule_of_ufunc_agrees_with_jax(op: Any) -> None:
    function: Any = op.evaluate
    low, high = DOMAINS.get(op.name, (0.1, 0.9))
    rng = np.random.default_rng(3)
    arguments = [rng.uniform(low, high, (3, 4)) for _ in range(function.nin)]
    compared(op.name, function, getattr(jnp, op.name), arguments)
    if function.nin == 2 and op.name not in ("remainder", "fmod", "arctan2"):
        arguments[1][0] = arguments[0][0]  # ties
        compared(op.name, function, getattr(jnp, op.name), arguments)
    if any(kinds == "D->D" for kinds in function.types) and op.name != "absolute":
        turned = [a + 0.3j for a in arguments]
        compared(op.name, function, getattr(jnp, op.name), turned)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("maximum", (1.0, 1.0)),
        ("minimum", (0.0, 0.0)),
        ("fmax", (1.0, 1.0)),
        ("fmin", (1.0, 1.0)),
        ("power", (0.0, 2.0)),
        ("power", (2.0, 0.0)),
        ("logaddexp", (1.0, 1.0)),
        ("heaviside", (0.0, 0.5)),
        ("sinc", (0.0,)),
        ("square", (0.0,)),
        ("sqrt", (0.0,)),
        ("cbrt", (0.5,)),
        ("arctan2", (0.0, 1.0)),
    ],
)
def test_rules_at_kinks_agree_with_jax(name: str, values: tuple[float, ...]) -> None:
    arguments = [np.array([value]) for value in values]
    compared(name, getattr(np, name), getattr(jnp, name), arguments)


MATRIX = np.random.default_rng(5).uniform(-1, 1, (4, 3))
TIES = np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 0.0], [3.0, 1.0, 2.0], [0.0, 0.0, 0.0]])
SQUARE = np.random.default_rng(6).uniform(-1, 1, (3, 3)) + 2 * np.eye(3)
VECTOR = np.random.default_rng(7).uniform(0.2, 1.0, 5)
BOTH: list[tuple[str, Callable[[Any], Callable[..., Any]], list[np.ndarray]]] = [
    ("max with ties", lambda m: lambda a: m.max(a, axis=1), [TIES]),
    ("min with ties", lambda m: lambda a: m.min(a), [TIES]),
    ("prod with zeros", lambda m: lambda a: m.prod(a, axis=1), [TIES]),
    ("prod of all", lambda m: lambda a: m.prod(a), [TIES[:3, :2]]),
    ("cumprod with zeros", lambda m: lambda a: m.cumprod(a, axis=1), [TIES]),
    ("cumsum", lambda m: lambda a: m.cumsum(a), [MATRIX]),
    ("var", lambda m: lambda a: m.var(a, axis=0, ddof=1), [MATRIX]),
    ("std", lambda m: lambda a: m.std(a), [MATRIX]),
    ("clip at its ends", lambda m: lambda a: m.clip(a, 1.0, 2.0), [TIES]),
    ("where", lambda m: lambda a: m.where(a > 0, a * a, -a), [MATRIX]),
    ("sort", lambda m: lambda a: m.sort(a, axis=0), [MATRIX]),
    ("median", lambda m: lambda a: m.median(a, axis=1), [MATRIX]),
    ("quantile", lambda m: lambda a: m.quantile(a, 0.3, axis=0), [MATRIX]),
    ("nanmean", lambda m: lambda a: m.nanmean(a, axis=0), [np.where(MATRIX > 0.5, np.nan, MATRIX)]),
    ("norm", lambda m: lambda a: m.linalg.norm(a), [MATRIX]),
    ("inv", lambda m: m.linalg.inv.__call__, [SQUARE]),
    ("det", lambda m: lambda a: m.linalg.det(a), [SQUARE]),
    ("solve", lambda m: lambda a, b: m.linalg.solve(a, b), [SQUARE, MATRIX[:3]]),
    ("cholesky", lambda m: lambda a: m.linalg.cholesky(a @ a.T), [SQUARE]),
    ("eigvalsh", lambda m: lambda a: m.linalg.eigvalsh(a + a.T), [SQUARE]),
    ("singular values", lambda m: lambda a: m.linalg.svd(a, compute_uv=False), [MATRIX]),
    ("einsum", lambda m: lambda a, b: m.einsum("ij,kj->ik", a, b), [MATRIX, SQUARE]),
    ("kron", lambda m: lambda a, b: m.kron(a, b), [MATRIX, SQUARE]),
    ("convolve", lambda m: lambda a, b: m.convolve(a, b, "same"), [VECTOR, VECTOR[:3]]),
    ("matmul", lambda m: lambda a, b: a @ b, [MATRIX, SQUARE]),
    ("fft", lambda m: lambda a: m.abs(m.fft.fft(a)), [VECTOR]),
    ("rfft and back", lambda m: lambda a: m.fft.irfft(m.fft.rfft(a) ** 2, n=4), [VECTOR[:4]]),
    ("roll", lambda m: lambda a: m.roll(a, 2, axis=1), [MATRIX]),
    ("repeat", lambda m: lambda a: m.repeat(a, 2, axis=0), [MATRIX]),
    ("tile", lambda m: lambda a: m.tile(a, (2, 1)), [MATRIX]),
    ("pad", lambda m: lambda a: m.pad(a, 1, mode="reflect"), [MATRIX]),
    ("interp", lambda m: lambda x, p, f: m.interp(x, p, f), [VECTOR[:3], np.linspace(0, 1, 5), VECTOR]),
    (
        "logsumexp",
        lambda m: lambda a: m.log(m.sum(m.exp(a - m.max(a, axis=1, keepdims=True)), axis=1)),
        [TIES],
    ),
]


@pytest.mark.parametrize(("name", "make", "arguments"), BOTH, ids=[name for name, _, _ in BOTH])
def test_rules_of_functions_agree_with_jax(name: str, make: Any, arguments: list[np.ndarray]) -> None:
    compared(name, make(np), make(jnp), arguments)
