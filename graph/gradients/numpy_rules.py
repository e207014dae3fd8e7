"""Gradients of NumPy calls that run as they are (nodes `numpy` and `numpy_write`), by function.

A rule has the function's own parameters after a `Backward` and gives a contribution for each of the leading
ones: ``def sort(p, a, axis=-1): return (..., )``. Arguments that the graph computes are `Given`; their values
are asked for only where a rule needs them. What a rule can't bind or refuses has no gradient, and says so.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .. import dims
from ..called import Call
from ..dims import Size
from ..ir import Value
from ..ops import lookup
from ..ops.define import NotDifferentiable
from ..symbols import size_symbol
from ..types import Array
from .errors import NoGradient
from .pullback import Pullback

Rule = Callable[..., Sequence[Any]] | NotDifferentiable


class Refused(Exception):
    """A rule doesn't know this form of the call; the message says which."""


@dataclass(frozen=True, slots=True)
class Given:
    """An argument that the graph computes."""

    pullback: Pullback
    number: int

    @property
    def value(self) -> Any:
        """Its symbol; it is kept for the way back."""
        return self.pullback.inputs[self.number]

    @property
    def wanted(self) -> bool:
        """Whether its contribution is of use."""
        return self.pullback.wants(self.number)

    @property
    def shape(self) -> tuple[Any, ...]:
        """Its sizes; an array need not be kept for them."""
        type_ = self.pullback.types[self.number]
        return tuple(size_symbol(size) for size in type_.shape) if isinstance(type_, Array) else ()

    @property
    def size(self) -> Any:
        """How many elements it has."""
        total: Size = 1
        type_ = self.pullback.types[self.number]
        for size in type_.shape if isinstance(type_, Array) else ():
            total = dims.mul(total, size)
        return size_symbol(total)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def dtype(self) -> Any:
        return self.pullback.types[self.number].dtype


@dataclass(frozen=True, slots=True)
class Backward:
    """The results' side of a call: `g` and `y` of the only result, `gs` and `ys` of several."""

    pullback: Pullback

    @property
    def g(self) -> Any:
        """The cotangent of the result; of a write, that of the array afterwards."""
        return self.pullback.cotangents[0]

    @property
    def y(self) -> Any:
        """The result."""
        return self.pullback.outputs[0]

    @property
    def gs(self) -> Sequence[Any]:
        """The cotangents of the results, None where they are zero."""
        return self.pullback.cotangents

    @property
    def ys(self) -> Sequence[Any]:
        """The results."""
        return self.pullback.outputs


def value_of(argument: Any) -> Any:
    """An argument, or what it holds, as symbols and constants."""
    if isinstance(argument, Given):
        return argument.value
    if isinstance(argument, (list, tuple)):
        return type(argument)(value_of(item) for item in argument)
    if isinstance(argument, slice):
        return slice(value_of(argument.start), value_of(argument.stop), value_of(argument.step))
    return argument


def numpy_rule(pullback: Pullback) -> Sequence[Any]:
    """The contributions of an uncompiled NumPy call, by the rule of its function."""
    node = pullback.node
    called: Call | None = node.attrs.get("_call")
    if called is None:
        raise _unknown(pullback, "its gradient isn't known")
    rule = rules().get(called.function)
    if rule is None:
        op = lookup(called.function)
        rule = None if op is None else op.gradient
        if rule is not None and not isinstance(rule, NotDifferentiable):
            return rule(pullback)
    if rule is None:
        raise _unknown(pullback, f"the gradient of {_name(called.function)} isn't known")
    none = [None] * len(node.operands)
    if isinstance(rule, NotDifferentiable):
        return none
    return _applied(rule, called, pullback, none)


def _applied(rule: Callable[..., Any], called: Call, pullback: Pullback, found: list[Any]) -> list[Any]:
    args, kwargs = called.filled(lambda number: Given(pullback, number))
    try:
        bound = inspect.signature(rule).bind(Backward(pullback), *args, **kwargs)
    except TypeError as error:
        raise _in_this_form(called, pullback, error) from error
    try:
        contributions = rule(*bound.args, **bound.kwargs)
    except Refused as error:
        raise _in_this_form(called, pullback, error) from error
    names = list(bound.signature.parameters)[1:]
    for name, contribution in zip(names, contributions, strict=False):
        _collect(bound.arguments.get(name), contribution, found)
    return found


def _in_this_form(called: Call, pullback: Pullback, error: Exception) -> NoGradient:
    return _unknown(pullback, f"the gradient of {_name(called.function)} isn't known in this form ({error})")


def _collect(argument: Any, contribution: Any, found: list[Any]) -> None:
    """Put the contributions to what `argument` holds into their places; an operand may have several."""
    if contribution is None:
        return
    if isinstance(argument, Given):
        if isinstance(argument.pullback.node.operands[argument.number], Value) and argument.wanted:
            known = found[argument.number]
            found[argument.number] = contribution if known is None else known + contribution
        return
    if isinstance(argument, (list, tuple)):
        for item, part in zip(argument, contribution, strict=True):
            _collect(item, part, found)


def _unknown(pullback: Pullback, reason: str) -> NoGradient:
    return NoGradient(pullback.node, reason, "put stop_gradient or custom_gradient around it")


def _name(function: Any) -> str:
    from ..numpy_api import function_name

    return function_name(function)


@lru_cache(maxsize=1)
def rules() -> Mapping[Any, Rule]:
    """All rules, by function."""
    from . import (
        rules_joining,
        rules_linalg,
        rules_products,
        rules_reductions,
        rules_selecting,
        rules_writing,
    )

    return {
        **rules_reductions.RULES,
        **rules_selecting.RULES,
        **rules_joining.RULES,
        **rules_products.RULES,
        **rules_linalg.RULES,
        **rules_writing.RULES,
    }
