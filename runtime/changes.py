"""A function that was changed in place after it was decorated: another `__code__`, other defaults.

IPython's autoreload does that, and whoever patches a function. Entry functions and plain runs notice; then
everything starts anew with the function as it is now. Where the decorated function has the user's code
itself, nothing of ours runs in a call: to read `__code__` takes as long as a level of a recursion. There
`clear` looks again.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .call_parameters import CallParameters

if TYPE_CHECKING:
    from .function import Function

_renewing = threading.RLock()


def changed(function: Function) -> bool:
    """Whether the user's function has other code or other defaults than calls are bound with."""
    plain = function.python_function
    return plain.__code__ is not function.code or not function.binder.has_defaults_of(plain)


def renewed(function: Function) -> Callable[..., Any]:
    """Start anew with the function as it is now; what makes a call again that was bound before.

    A value that is a default of before, itself, was left out by the caller, as far as anybody can tell.
    """
    with _renewing:
        binder, shape = function.binder, function.binder.shape
        old, plain = binder.defaults, binder.plain
        function.code = function.python_function.__code__
        binder.pinned = False
        binder.renew(function.python_function)
        function.look_at_code()
        function.clear()
        function.names = (*binder.names, *function.names[len(shape.names) :])
        if function.plain is plain:
            function.plain = binder.plain
        function.outlining = None
        function.as_plain = as_it_is(function)

    def again(*values: Any) -> Any:
        own = dict(zip(shape.names, values, strict=False))
        given = (*_rebound(own, old, binder.defaults), *values[len(own) :])
        if shape.names == binder.names and len(given) == len(values):
            return function.extend(*given)
        args, named = _as_called(shape, values, old)
        return binder.made(*args, **named)

    return again


def _rebound(values: dict[str, Any], old: dict[str, Any], new: dict[str, Any]) -> Iterator[Any]:
    """The values with new defaults for old ones; without those that have no default any more."""
    for name, value in values.items():
        if not _is_default(name, value, old):
            yield value
        elif name in new:
            yield new[name]


def _as_called(
    shape: CallParameters, values: Sequence[Any], old: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """A call's arguments by position and by name, without those that were left out, as far as can be told.

    What follows one that was left out must have been given by name, but for what has to stand in its place.
    """
    args: list[Any] = []
    named: dict[str, Any] = {}
    pairs = list(zip(shape.parameters, values, strict=False))
    in_place = max((k for k, pair in enumerate(pairs) if _stands_in_place(*pair, old)), default=-1)
    skipped = False
    for k, (parameter, value) in enumerate(pairs):
        if parameter.kind is parameter.VAR_POSITIONAL:
            args += value
        elif parameter.kind is parameter.VAR_KEYWORD:
            named.update(value)
        elif k > in_place and _is_default(parameter.name, value, old):
            skipped = True
        elif skipped or parameter.kind is parameter.KEYWORD_ONLY:
            named[parameter.name] = value
        else:
            args.append(value)
    return args, named


def _stands_in_place(parameter: inspect.Parameter, value: Any, old: dict[str, Any]) -> bool:
    """Whether whatever stands before it was given by position."""
    if parameter.kind is parameter.VAR_POSITIONAL:
        return bool(value)
    return parameter.kind is parameter.POSITIONAL_ONLY and not _is_default(parameter.name, value, old)


def _is_default(name: str, value: Any, old: dict[str, Any]) -> bool:
    return name in old and value is old[name]


def as_it_is(function: Function) -> Callable[..., Any]:
    """The plain function, for calls that are known to run plain.

    New code of it runs by itself; but calls are bound with the defaults of the decorated function.
    """
    user, plain, code = function.python_function, function.plain, function.code
    positional, named = user.__defaults__, user.__kwdefaults__
    outlining = function.outlining
    if outlining is None or outlining.made is None:
        if positional is None and named is None:
            return plain
        outlining = None

    def unless_changed(*values: Any) -> Any:
        if user.__defaults__ is positional and user.__kwdefaults__ is named:
            if outlining is None:
                return plain(*values)
            if user.__code__ is code:
                return outlining.run(*values)
        return function.extend(*values)

    return unless_changed
