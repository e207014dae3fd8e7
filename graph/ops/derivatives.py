"""What gradient rules are made of: a derivative for each operand, in NumPy's words.

Rules run while a graph is built: they compute with symbols, so what they compute are nodes. `g` is the
cotangent of the result. For complex numbers it is dL/dRe + i dL/dIm, so that ``z - rate * g`` descends; a
holomorphic function hands on ``g`` times the conjugate of its derivative.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from .define import Gradient, NotDifferentiable

Derivative = Callable[..., Any] | None
"""What the cotangent `g` of the result `y` means for one of the operands (see `each`)."""

STEPS = NotDifferentiable("constant between its steps: the derivative is zero wherever there is one")
TRUTH = NotDifferentiable("its result is a truth value")
INTEGERS = NotDifferentiable("its result is an integer")


@dataclass(frozen=True, slots=True)
class Each:
    """The rule of an op with a derivative for each operand; `numpy`: `g` is made NumPy's number."""

    derivatives: tuple[Derivative, ...]
    numpy: bool = False

    def __call__(self, pullback: Any) -> Sequence[Any]:
        return [
            derivative(*(self._given(name, pullback) for name in parameters(derivative)))
            if derivative is not None and pullback.wants(k)
            else None
            for k, derivative in enumerate(self.derivatives)
        ]

    def _given(self, name: str, pullback: Any) -> Any:
        if name == "w":
            return pullback.words
        if name == "g":
            g = pullback.cotangents[0]
            return pullback.words.float64(g) if self.numpy else g
        return pullback.outputs[0] if name == "y" else pullback.words.in_loop(pullback, _OPERANDS[name])


_OPERANDS = {"x": 0, "a": 0, "b": 1, "c": 2}


def each(*derivatives: Derivative) -> Each:
    """The rule of an op from the derivative for each operand; None where nothing flows.

    A derivative names what it needs, so that nothing else has to be kept: the cotangent `g`, the result `y`,
    the operand `x` or the operands `a`, `b`, `c`; and the words `w` of rules, where NumPy's alone won't do.
    ``each(lambda g, b: g * b, lambda g, a: g * a)`` is the rule of a real product.
    """
    return Each(derivatives)


def parameters(derivative: Callable[..., Any]) -> tuple[str, ...]:
    """The names of what a derivative needs."""
    code = derivative.__code__
    return code.co_varnames[: code.co_argcount]


def as_numpy(rule: Gradient) -> Each:
    """The rule of NumPy's op for the same function of `math`: it must not raise Python's exceptions."""
    assert isinstance(rule, Each)
    return Each(rule.derivatives, numpy=True)


def _base(w: ModuleType, g: Any, a: Any, b: Any) -> Any:
    """The derivative of ``a ** b`` for `a`: 0 for a power of 0, also where `a` is 0."""
    return g * w.conj(b * w.one_power_less(a, b))


def _exponent(w: ModuleType, g: Any, y: Any, a: Any, b: Any) -> Any:
    """The derivative of ``a ** b`` for `b`: where `a` is 0 the power stays 0."""
    return g * w.conj(y * w.logarithm(w.where_zero(a, 1.0)))


def _sign(w: ModuleType, g: Any, y: Any, x: Any) -> Any:
    """Of a complex number the sign is ``x / abs(x)``, which only turns; a real one has steps."""
    if w.kind_of(x) != "c":
        return None
    turned = g - y * w.real(w.conj(y) * g)
    return w.choose(x == 0, 0.0, turned / w.where_zero(np.abs(x), 1.0))


def _clipped(w: ModuleType, g: Any, a: Any, b: Any, c: Any) -> Any:
    inner = np.maximum(a, b)
    return w.toward(w.toward(g, inner < c, inner == c), a > b, a == b)


def _low(w: ModuleType, g: Any, a: Any, b: Any, c: Any) -> Any:
    inner = np.maximum(a, b)
    return w.toward(w.toward(g, inner < c, inner == c), b > a, a == b)


def _high(w: ModuleType, g: Any, a: Any, b: Any, c: Any) -> Any:
    inner = np.maximum(a, b)
    return w.toward(g, c < inner, inner == c)


POWER = each(_base, _exponent)
KNOWN_POWER = each(_base, _exponent, None)
SIGN = each(_sign)
CLIP = each(_clipped, _low, _high)
