"""Functions that a transform has made of others: traced, specialised and kept on disk like any other.

There is no plain version of a gradient. Where a plain function would run instead of compiled code, a derived
one finds out whether the user's function itself raises for these arguments, and lets that exception through;
else it says why it can't go on.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from ..autograph.transforms import (
    ATTRIBUTE,
    DIFFERENTIATING,
    JVP,
    VJP,
    Transform,
    Transforms,
    counts_back,
    tangents_name,
    title,
    transforms_of,
)
from ..graph.trace.build import tracing
from ..graph.trace.recorded import graph_of
from .compile import Request, StaysPlain
from .config import config
from .errors import JitscopeError
from .function import MOST, OPTIONS, Function, dressed
from .specialisation import Specialisation
from .trees import parts_of

_KNOWN = "__jitscope_derived__"
NO_DERIVATIVE = "there is no derivative of it, and nothing to fall back to"


class Derived(Function):
    """A transformed function. `transforms` stand innermost first, the first applies to `python_function`."""

    takes_transforms = True
    verdict = "has no derivative that could be made"

    def __init__(self, function: FunctionType, transforms: Transforms, *options: Any, **more: Any) -> None:
        self.in_calls: dict[int, Derived] = {}
        super().__init__(function, *options, **more)
        self.transforms = transforms
        self.user = self.plain
        self.plain = self._instead
        if transforms[-1].kind == JVP:
            self.names = (*self.names, tangents_name(self.names))

    @property
    def off(self) -> bool:
        """Without jitscope there would be no derivative at all: `config.disable` only stops compiling."""
        return tracing()

    def request(self, values: tuple[Any, ...]) -> Request:
        request = super().request(values)
        return replace(request, jit_level="off") if config.disable else request

    # Calls.

    def in_call(self, count: int) -> Derived:
        """What a call with `count` arguments by position runs: itself, if no number counts from the last.

        Raises:
            TypeError: the call has not so many.
        """
        if not counts_back(self.transforms):
            return self
        if count not in self.in_calls:
            transforms = tuple(transform.in_call(count) for transform in self.transforms)
            options = {name: getattr(self, name) for name in (*OPTIONS, "input_signature")}
            made = Derived(self.python_function, transforms, **options)
            made.specialisations = self.specialisations
            self.in_calls[count] = made
        return self.in_calls[count]

    def clear(self) -> None:
        """Also what calls with other counts of arguments run."""
        super().clear()
        for made in self.in_calls.values():
            made.clear()

    def _missing(self, *values: Any) -> Any:
        if graph_of(*values) is not None:
            return functools.partial(_in_graph, self)
        if len(self.names) > len(self.binder.names) and not tracing():
            chain = self.chains.get(self.key_of(values))
            return self.runner(chain[0]) if chain else self.extend
        return super()._missing(*values)

    def _refuse(self, values: tuple[Any, ...]) -> None:
        if len(self.specialisations) >= MOST:
            self.clear()
        super()._refuse(values)

    def runner(self, found: Specialisation) -> Any:
        if self.strict:
            super().runner(found)
        return found.entry

    def run_plain(self, values: tuple[Any, ...], verdict: StaysPlain) -> Any:
        if verdict.stage == "busy":  # where nothing may be imported either
            raise self.refusal(verdict) from verdict
        from ..graph.gradients.errors import NoGradient, WrongType

        cause = verdict.cause
        if isinstance(cause, WrongType):
            raise WrongType(f"{self.called}: {cause}") from None
        if verdict.stage == "trace" or (isinstance(cause, NoGradient) and cause.node.op == "numpy"):
            self._user_may_raise(values)
        raise self.refusal(verdict) from verdict

    def again(self, new: Specialisation) -> Callable[..., Any]:
        """Compiled code has raised, and nothing has been written yet."""

        def told(fault: BaseException, *values: Any) -> Any:
            self._user_may_raise(values)
            reason = f"its compiled code raised {type(fault).__name__}: {fault}"
            raise self.refusal(StaysPlain("run", reason)) from fault

        return told

    def _user_may_raise(self, values: tuple[Any, ...]) -> None:
        """An exception of the user's function is the answer, as it is to a plain call."""
        self.user(*values[: len(self.binder.names)])

    def _instead(self, *values: Any) -> Any:
        """What an entry function calls where it can't call its driver."""
        if tracing():
            raise RuntimeError(f"{self.called} was called by code that jitscope runs while it traces")
        self._user_may_raise(values)
        raise self.refusal(StaysPlain("bind", _unfit(values)))

    # Reports.

    @property
    def called(self) -> str:
        """``grad of loss``."""
        chain = " of ".join(transform.kind for transform in reversed(self.transforms))
        return f"{chain} of {self.python_function.__qualname__}"

    def refusal(self, verdict: StaysPlain) -> JitscopeError:
        if (cause := verdict.cause) is not None:
            from ..graph.gradients.errors import NoGradient

            if isinstance(cause, NoGradient):
                what = f"{self.called}: {cause.label} can't be differentiated: {cause.reason}"
                return JitscopeError(what, cause.node.loc, NO_DERIVATIVE, cause.remedy)
        attempt = (
            verdict.attempt
            or "pass what Python makes as an argument, or give the function a js.custom_gradient"
        )
        if verdict.stage == "busy":
            attempt = "call it again later: what has been compiled once goes on"
        where = verdict.where if verdict.where.line else self.written
        return JitscopeError(f"{self.called}: {verdict.reason}", where, NO_DERIVATIVE, attempt)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Specialisation:
        """As for any function; raises `JitscopeError` where there is none."""
        found = super().get_concrete_function(*args, **kwargs)
        if found.plain_reason:
            raise self.refusal(StaysPlain("known", found.plain_reason, found.where, found.attempt))
        return found


def _in_graph(function: Derived, *values: Any) -> Any:
    from .graph_derivatives import call_in_graph

    return call_in_graph(function.transforms, function.user, values)


def _unfit(values: tuple[Any, ...]) -> str:
    """Why an entry function sends a call away for good."""
    arrays = [array for value in values for array in _arrays(value)]
    pairs = [(a, b) for k, a in enumerate(arrays) for b in arrays[k + 1 :]]
    if any(np.may_share_memory(a, b) for a, b in pairs):
        return "it writes to an array that shares memory with another argument (copy one of them)"
    return "it writes to an array that shares memory with one that it reads (copy it), or an int is too large"


def _arrays(value: Any) -> list[np.ndarray]:
    """The arrays in containers."""
    if isinstance(value, np.ndarray):
        return [value]
    return [array for _, item in parts_of(value) or () for array in _arrays(item)]


# Making them -----------------------------------------------------------------------------------------------


def derived(f: Any, transform: Transform) -> Any:
    """The function that `transform` makes of `f`: the same object for the same two.

    Raises:
        TypeError: `f` is no Python function, method or callable object.
    """
    if isinstance(f, MethodType):
        return MethodType(derived(f.__func__, _behind(transform, 1)), f.__self__)
    if isinstance(f, functools.partial):
        inner = derived(f.func, _behind(transform, len(f.args)))
        return functools.partial(inner, *f.args, **f.keywords)
    if not isinstance(f, FunctionType):
        method = getattr(f, "__call__", None)  # noqa: B004
        if isinstance(method, MethodType):
            return derived(method, transform)
        raise TypeError(
            f"{transform.kind} takes a Python function, not a {type(f).__name__}; write a lambda around it"
        )
    known = f.__dict__.setdefault(_KNOWN, (f, {}))
    if known[0] is not f:  # copied here by functools.wraps
        known = f.__dict__[_KNOWN] = (f, {})
    if transform not in known[1]:
        known[1][transform] = _made(f, transform)
    return known[1][transform]


def _behind(transform: Transform, count: int) -> Transform:
    """The transform for a function that gets `count` more arguments first."""
    moved = tuple(number + count if number >= 0 else number for number in transform.numbers)
    argnums = moved if isinstance(transform.argnums, tuple) else moved[0]
    return Transform(transform.kind, argnums, transform.has_aux, transform.bound + count)


def _made(f: FunctionType, transform: Transform) -> FunctionType:
    function, transforms = plain_of(f), (*transforms_of(f), transform)
    _check_argnums(function, transform)
    return dress(Derived(function, transforms, **options_of(f)))


def plain_of(f: Any) -> FunctionType:
    """The user's function below decorators of ours."""
    while hasattr(f, "__jitscope__") or hasattr(f, ATTRIBUTE):
        f = f.python_function
    assert isinstance(f, FunctionType)
    return f


def options_of(f: Any) -> dict[str, Any]:
    """The options that a function was decorated with."""
    while not hasattr(f, "__jitscope__") and hasattr(f, ATTRIBUTE):
        f = f.__wrapped__
    state = getattr(f, "__jitscope__", None)
    return {name: getattr(state, name) for name in OPTIONS} if state is not None else {}


def decorated(f: Any, options: tuple[Any, ...]) -> FunctionType:
    """What ``js.function`` makes of a function that carries transforms: the same with other options."""
    transforms, function = transforms_of(f), plain_of(f)
    if any(step.kind in DIFFERENTIATING for step in transforms):
        return dress(Derived(function, transforms, *options))
    state = Function(function, *options)
    state.transforms = transforms
    state.plain = state.binder.calling(f)
    made = dressed(state)
    setattr(made, ATTRIBUTE, transforms)
    return made


def dress(state: Derived) -> FunctionType:
    """The function that users see, under a name of its own."""
    made = _by_count(state) if counts_back(state.transforms) else dressed(state)
    function = state.python_function
    made.__name__ = title(state.transforms, function.__name__)
    made.__qualname__ = title(state.transforms, function.__qualname__)
    made.__doc__ = f"The {state.called}.\n\n{inspect.getdoc(function) or ''}".rstrip()
    made.__dict__.pop(_KNOWN, None)
    setattr(made, ATTRIBUTE, state.transforms)
    return made


def _by_count(state: Derived) -> FunctionType:
    """A function that finds out from each call which arguments negative numbers mean."""

    @functools.wraps(state.binder.made)
    def counted(*args: object, **kwargs: object) -> object:
        made = state.in_calls.get(len(args)) or state.in_call(len(args))
        return made.binder.made(*args, **kwargs)

    made: Any = counted
    made.__jitscope__ = state
    made.python_function = state.python_function
    made.specializations = state.specialisations
    made.clear = state.clear
    for name in ("get_concrete_function", "explain", "coverage"):
        setattr(made, name, functools.partial(_told_in_call, state, name))
    return made


def _told_in_call(state: Derived, name: str, *args: object, **kwargs: object) -> object:
    """A report on a call like this one; without arguments, on the input signature or on all calls so far."""
    counted = args or state.input_signature or ()
    told = state.in_call(len(counted)) if counted or kwargs else state
    return getattr(told, name)(*args, **kwargs)


def _check_argnums(function: FunctionType, transform: Transform) -> None:
    parameters = inspect.signature(function, follow_wrapped=False).parameters.values()
    if transform.kind == VJP:  # whose arguments are those of the call, which says itself if they are too many
        return
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return
    count = sum(parameter.kind is not parameter.KEYWORD_ONLY for parameter in parameters)
    for number in transform.numbers:
        if not transform.bound - count <= number < count:
            shown = number - transform.bound if number >= 0 else number
            raise TypeError(
                f"{transform.kind}: argnums={shown}, but {function.__name__} has {count - transform.bound}"
                " positional arguments"
            )
