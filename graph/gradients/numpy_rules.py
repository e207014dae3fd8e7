"""Gradients of NumPy calls that run as they are (nodes `numpy` and `numpy_write`), by function.

A rule has the function's own parameters after a `Backward` and gives a contribution for each of the leading
ones: ``def sort(p, a, axis=-1): return (..., )``. Arguments that the graph computes are `Given`; their values
are asked for only where a rule needs them. A parameter that is annotated as `Given`, or as `Numbers` and gets
a list, is made a `Given` where it is none. What a rule can't bind or refuses has no gradient, and says so.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..ops import lookup
from ..ops.define import NotDifferentiable, OpDef
from ..symbolic.indexing import assign
from ..symbolic.numpy_functions import call
from ..trace.build import TraceError
from ..trace.called import Call, Slot
from ..trace.template import called_name
from . import rules_joining, rules_linalg, rules_products, rules_reductions, rules_selecting, rules_writing
from .arguments import Given, Refused, as_given, collect, leaves
from .backward import Backward, Rule
from .errors import GradientError, NoGradient
from .pullback import Lazy, ReverseNode
from .words import choose, real


def numpy_rule(pullback: ReverseNode) -> Sequence[Any]:
    """The contributions of an uncompiled NumPy call, by the rule of its function."""
    called: Call | None = pullback.node.attrs.get("_call")
    if called is None:
        raise _unknown(pullback, "its gradient isn't known")
    found: list[Any] = [None] * len(pullback.node.operands)
    rule = RULES.get(called.function)
    op = lookup(called.function) if rule is None else None
    if op is not None and op.gradient is not None:
        rule = op.gradient if isinstance(op.gradient, NotDifferentiable) else by_operation(op)
    if rule is None:
        raise _unknown(pullback, f"the gradient of {called_name(called.function)} isn't known")
    if isinstance(rule, NotDifferentiable):
        rule = _nothing
    try:
        return _overwriting(rule, called, pullback, found)
    except (Refused, GradientError, TraceError):
        raise
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise _in_this_form(called, pullback, f"with arguments of these kinds: {error}") from error


def _nothing(p: Backward, *args: Any, **kwargs: Any) -> Sequence[Any]:
    """The rule of what no gradient flows through."""
    return ()


def _overwriting(
    rule: Callable[..., Any], called: Call, pullback: ReverseNode, found: list[Any]
) -> Sequence[Any]:
    """A call with ``out=`` gives what it is without, and what the array held before is lost."""
    args = called.args
    if isinstance(called.function, np.ufunc) and len(args) > called.function.nin:
        args = args[: called.function.nin]
    elif called.kwargs.get("out") != Slot(0) or pullback.node.op != "numpy_write":
        return _applied(rule, called, pullback, found)
    mask = called.kwargs.get("where", True)
    if not isinstance(called.function, np.ufunc) and mask is not True:
        raise _in_this_form(called, pullback, "with out and where")
    kwargs = {name: value for name, value in called.kwargs.items() if name != "out"}
    plain = Call(called.function, args, kwargs)
    memory = pullback.cotangents[0]
    cotangent = real(memory) if called.function in _REAL else np.copy(memory, order="C")

    def outcome(_: int) -> Any:
        given, named = plain.filled(lambda number: pullback.inputs[number])
        return call(plain.function, given, {name: named[name] for name in named if name != "where"})

    inner = replace(pullback, cotangents=[cotangent], outputs=Lazy(1, outcome))
    _applied(rule, plain, inner, found)
    if isinstance(mask, Slot):
        assign(memory, choose(pullback.inputs[mask.number], 0.0, memory))
    elif mask is True:
        assign(memory, 0.0)
    else:
        raise _in_this_form(called, pullback, "with a constant mask")
    return found


_REAL = (np.absolute, np.var, np.std, np.nanvar, np.nanstd)
"""What is real, also of complex numbers; it may be written into an array of complex ones."""


def by_operation(op: OpDef) -> Rule:
    """The rule of an operation that NumPy ran: of a ufunc with options, or with lists among the operands."""

    def rule(
        p: Backward,
        *args: Any,
        where: Any = True,
        dtype: Any = None,
        casting: Any = None,
        order: Any = None,
        **named: Any,
    ) -> Sequence[Any]:
        unknown = [name for name in named if name not in _BOUNDS]
        if unknown or (where is not True and not isinstance(where, Given)):
            raise Refused(f"with {', '.join(unknown) or 'a constant mask'}")
        given = [as_given(p.pullback, arg) for arg in _clipped_by(args, named)]
        pullback = replace(
            p.pullback,
            inputs=Lazy(len(given), lambda k: given[k].value),
            active=tuple(one.wanted for one in given),
            types=Lazy(len(given), lambda k: given[k].type),
        )
        found: Sequence[Any] = op.gradient(pullback)  # type: ignore[misc, operator]
        if isinstance(where, Given):
            found = [None if one is None else choose(where.value, one, 0.0) for one in found]
        for one, contribution in zip(given, found, strict=False):
            if contribution is not None:
                one.collect(contribution, p.found)
        return ()

    return rule


_BOUNDS = {"a_min": 0, "min": 0, "a_max": 1, "max": 1}
"""Parameters of ``np.clip``, and which bound each is; other functions that are operations have none."""


def _clipped_by(args: tuple[Any, ...], named: Mapping[str, Any]) -> Sequence[Any]:
    """The arguments by position; the bounds of ``np.clip`` that aren't given let everything through."""
    if not named and all(arg is not None for arg in args):
        return args
    bounds: list[Any] = [-np.inf, np.inf]
    given = [*zip((0, 1), args[1:], strict=False), *((_BOUNDS[name], bound) for name, bound in named.items())]
    for place, bound in given:
        if bound is not None:
            bounds[place] = bound
    return (args[0], *bounds)


def _applied(rule: Callable[..., Any], called: Call, pullback: ReverseNode, found: list[Any]) -> list[Any]:
    args, kwargs = called.filled(lambda number: Given(pullback, number))
    backward = Backward(pullback, found)
    try:
        bound = inspect.signature(rule).bind(backward, *args, **kwargs)
    except TypeError as error:
        raise _in_this_form(called, pullback, error) from error
    for name, parameter in list(bound.signature.parameters.items())[1:]:
        plain = bound.arguments.get(name)
        if parameter.annotation == "Given" or (
            parameter.annotation == "Numbers" and isinstance(plain, (list, tuple))
        ):
            bound.arguments[name] = as_given(pullback, plain)
        if parameter.annotation in _OPTIONS and isinstance(plain, Given):
            raise _in_this_form(called, pullback, f"with {name} known only at run time")
    names = list(bound.signature.parameters)[1:]
    try:
        contributions = rule(*bound.args, **bound.kwargs)
        if RULES.get(called.function) is rule:  # those of operations answer for all of their operands
            passed_over = names[len(contributions) :]
            _check_answers(backward, {name: bound.arguments.get(name) for name in passed_over})
    except Refused as error:
        raise _in_this_form(called, pullback, error) from error
    for name, contribution in zip(names, contributions, strict=False):
        collect(bound.arguments.get(name), contribution, found)
    return found


_OPTIONS = ("bool", "int", "str")
"""Annotations of parameters that rules look at when they are traced."""


def _check_answers(p: Backward, unanswered: Mapping[str, object]) -> None:
    """A rule has to say of each argument what its contribution is, and to look at each cotangent.

    Raises:
        Refused: something has a derivative that the rule passes over.
    """
    for name, argument in unanswered.items():
        for leaf in leaves(argument):
            if not isinstance(leaf, Given) or (p.in_place and leaf.number == 0):
                continue
            if leaf.wanted and p.found[leaf.number] is None:
                raise Refused(f"by its argument {name}")
    for k, cotangent in enumerate(p.pullback.cotangents):
        if k and cotangent is not None and k not in p.seen:
            raise Refused(f"of its result number {k + 1}")


def _in_this_form(called: Call, pullback: ReverseNode, error: Any) -> NoGradient:
    return _unknown(
        pullback, f"the gradient of {called_name(called.function)} isn't known in this form ({error})"
    )


def _unknown(pullback: ReverseNode, reason: str) -> NoGradient:
    return NoGradient(pullback.node, reason, "put stop_gradient or custom_gradient around it")


RULES: Mapping[Any, Rule] = {
    **rules_reductions.RULES,
    **rules_selecting.RULES,
    **rules_joining.RULES,
    **rules_products.RULES,
    **rules_linalg.RULES,
    **rules_writing.RULES,
}
"""By function."""
