"""Derivatives of functions, staged: the function is traced in place, then `graph.gradients` walks back.

A transformed function is called like the function; what it does depends on its `Transform`. The outermost
function of a trace may be one (`outermost`), and so may any function that traced code calls (`apply`). There
the arguments get values of their own, so that what the function reads from outside of them has no part in it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...graph.gradients import WrongType
from ...graph.symbolic import numpy_functions
from ...graph.symbolic.arith import type_of
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.symbols import Symbol
from ..attributes import BoundMethod
from ..tracer import Reference, tracer
from ..transforms import (
    CHECKPOINT,
    CUSTOM_GRADIENT,
    GRAD,
    JACOBIAN,
    JVP,
    VALUE_AND_GRAD,
    VJP,
    Transform,
    Transforms,
    counts_back,
)
from .custom_gradients import checkpointed, custom_gradient
from .exits import STATELESS
from .iterables import SymbolicRange
from .linear import Linear, TransformedCall, chosen, linear, parted, results, scalar_result, zero, zeros
from .loops import for_stmt
from .trees import rebuilt
from .vector_products import jvp, vjp


@dataclass(eq=False)
class Derivative:
    """A function of traced code that `js.grad` and its like were given."""

    transforms: Transforms
    callee: Any

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return apply(self.transforms, self.callee, args, kwargs)


def apply(transforms: Transforms, callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call the transformed `callee` from traced code."""
    if counts_back(transforms):
        count = len(args) - (transforms[-1].kind == JVP)  # whose last one are the tangents
        try:
            transforms = tuple(transform.in_call(count) for transform in transforms)
        except TypeError as error:
            raise WrongType(str(error)) from None
    if not transforms:
        return tracer().operators.call(callee, *args, **kwargs)

    def run(*args: Any, **kwargs: Any) -> Any:
        return apply(transforms[:-1], callee, args, kwargs)

    extra = args[-1:] if transforms[-1].kind == JVP else ()
    args, kwargs, names = _bound(callee, args[: len(args) - len(extra)], kwargs)
    return _applied(transforms[-1], TransformedCall(run, (*args, *extra), kwargs, names))


def applied_plainly(transform: Transform, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call the transformed `f` where symbols are at hand, but nothing is converted: in an explicit graph."""
    args, kwargs, names = _bound(f, args, kwargs)
    return _applied(transform, TransformedCall(f, args, kwargs, names))


def outermost(
    transforms: Transforms, run: Any, args: tuple[Any, ...], kwargs: dict[str, Any], names: tuple[str, ...]
) -> Any:
    """The result of a trace whose function is transformed; `run` traces the function itself."""
    if not transforms:
        return run(*args, **kwargs)

    def inner(*args: Any, **kwargs: Any) -> Any:
        return outermost(transforms[:-1], run, args, kwargs, names)

    return _applied(transforms[-1], TransformedCall(inner, args, kwargs, names, fresh=False))


def _applied(transform: Transform, call: TransformedCall) -> Any:
    return _MEANINGS[transform.kind](transform, call)


def _bound(
    callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], tuple[str, ...]]:
    """The arguments by position as far as the callee's signature is known, and their names."""
    function = callee.function if isinstance(callee, BoundMethod) else callee
    plain = function.value if isinstance(function, Reference) else function
    try:
        signature = inspect.signature(plain)
        if isinstance(callee, BoundMethod):
            signature = signature.replace(parameters=list(signature.parameters.values())[1:])
        bound = signature.bind(*args, **kwargs)
    except (TypeError, ValueError):
        return args, kwargs, ()
    return bound.args, bound.kwargs, tuple(signature.parameters)


def _value_and_grad(transform: Transform, call: TransformedCall) -> Any:
    found = linear(call, chosen(transform, call), strict=True)
    value, aux = parted(found.result, transform.has_aux)
    y = scalar_result(value, transform.kind)
    grads = found.structure(found.gradients([y]), isinstance(transform.argnums, int))
    (aux,) = found.shown(aux)
    if transform.kind == GRAD:
        return (grads, aux) if transform.has_aux else grads
    return ((value, aux) if transform.has_aux else value), grads


def _jacobian(transform: Transform, call: TransformedCall) -> Any:
    """A reverse pass for each element of the result: the rows of the Jacobian, one in each iteration."""
    found = linear(call, chosen(transform, call), strict=True)
    value, aux = parted(found.result, transform.has_aux)
    tree, ys = results(value)
    if any(type_of(y).dtype.kind == "c" for y in ys):  # type: ignore[union-attr]
        raise WrongType(
            "jacobian is defined for real results, and this one is complex; differentiate its real and its"
            " imaginary part, or use js.jvp"
        )
    blocks = [found.structure(_rows(found, y), isinstance(transform.argnums, int)) for y in ys]
    jacobian = rebuilt(tree, blocks, lambda constant: constant.value)
    return (jacobian, *found.shown(aux)) if transform.has_aux else jacobian


def _rows(found: Linear, y: Any) -> list[Any]:
    """The Jacobian of `y` for each leaf, of the shape ``y.shape + leaf.shape``."""
    if not isinstance(y, Symbol):
        return [zero(x) for x in found.xs]
    if not isinstance(y, SymbolicArray):
        return found.gradients([y])
    if y.ndim == 0:
        return [_shaped(g, x) for g, x in zip(found.gradients([y]), found.xs, strict=True)]
    rows = [zeros((*y.shape, *_shape(x)), x.type.dtype) for x in found.xs]
    flat = [row.reshape((y.size, *_shape(x))) for row, x in zip(rows, found.xs, strict=True)]

    def row(k: Any) -> None:
        cotangent = zeros(y.shape, y.dtype)
        cotangent.reshape(y.size)[k] = 1.0
        for rows_of, gradient in zip(flat, found.gradients([y], [cotangent]), strict=True):
            rows_of[k] = gradient

    for_stmt(SymbolicRange(0, y.size), row, *STATELESS)
    return rows


def _shape(x: Any) -> tuple[Any, ...]:
    return x.shape if isinstance(x, SymbolicArray) else ()


def _shaped(gradient: Any, x: Any) -> Any:
    """A 0-d array for a number of a result that is one."""
    return gradient if isinstance(x, SymbolicArray) else numpy_functions.call(np.asarray, (gradient,), {})


_MEANINGS: dict[str, Callable[[Transform, TransformedCall], Any]] = {
    GRAD: _value_and_grad,
    VALUE_AND_GRAD: _value_and_grad,
    JACOBIAN: _jacobian,
    JVP: jvp,
    VJP: vjp,
    CHECKPOINT: checkpointed,
    CUSTOM_GRADIENT: custom_gradient,
}
