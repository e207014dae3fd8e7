"""A function that was changed in place after it was decorated: another `__code__`, other defaults.

IPython's autoreload does that, and whoever patches a function. Entry functions and plain runs notice; then
everything starts anew with the function as it is now. Where the decorated function has the user's code
itself, nothing of ours runs in a call: to read `__code__` takes as long as a level of a recursion. There
`clear` looks again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .call_parameters import Arguments, CallParameters
from .skipped import skipped

if TYPE_CHECKING:
    from .function import Function

_renewing = threading.RLock()


def changed(function: Function) -> bool:
    """Whether the user's function has other code or other defaults than calls are bound with."""
    plain = function.python_function
    return plain.__code__ is not function.code or not function.binder.has_defaults_of(plain)


def renew(function: Function) -> None:
    """Start anew with the function as it is now."""
    with _renewing:
        binder, count = function.binder, len(function.binder.names)
        plain = binder.plain
        function.code = function.python_function.__code__
        binder.pinned = False
        binder.renew(function.python_function)
        function.look_at_code()
        function.clear()
        function.names = (*binder.names, *function.names[count:])
        if function.plain is plain:
            function.plain = binder.plain
        function.outlining = None
        function.as_plain = as_it_is(function)


@skipped
def renewed(function: Function) -> Callable[..., Any]:
    """Start anew; what makes a call again that was bound before: all of its arguments were given.

    A binder looks at the function itself before it gives anything its default.
    """
    binder, shape = function.binder, function.binder.shape
    renew(function)

    def again(*values: Any) -> Any:
        if shape.names == binder.names:
            return function.extend(*values)
        args, named = _as_taken(binder.shape, shape, values)
        return binder.made(*args, **named)

    return again


def _as_taken(now: CallParameters, before: CallParameters, values: tuple[Any, ...]) -> Arguments:
    """Arguments by position and by name as the parameters of `now` take them; by position, if none do.

    Nobody knows any more how those were given that can be given both ways.
    """
    count = len(before.names)
    ways = [before.as_called(values, by_position=k) for k in range(count, -1, -1)]
    return next((way for way in ways if now.takes(way)), ways[0])


@skipped
def unbound(function: Function, call: Arguments) -> Callable[..., Any]:
    """What makes a call that could not be bound, which the function as it is now may well take."""
    target: Callable[..., Any] = function.python_function
    if changed(function):
        renew(function)
        target = function.binder.made
    args, named = call
    return lambda *_: target(*args, **named)


@skipped
def as_it_is(function: Function) -> Callable[..., Any]:
    """The plain function, for calls that are known to run plain. New code of it runs by itself."""
    user, plain, code, outlining = function.python_function, function.plain, function.code, function.outlining
    if outlining is None or outlining.made is None:
        return plain

    def unless_changed(*values: Any) -> Any:
        return outlining.run(*values) if user.__code__ is code else function.extend(*values)

    return unless_changed
