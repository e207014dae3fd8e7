"""`js.coverage`: of decorated functions and plain ones, of methods and partials."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import MethodType
from typing import Any

from .coverage import Coverage, coverage_of
from .function import Function
from .to_code import python_function


def coverage(f: Callable[..., Any], *args: object, strict: float | None = None, **kwargs: object) -> Coverage:
    """What share of a plain call's time is spent in lines that are compiled now.

    The function is called a few times, plain and decorated, with copies of the arguments.

    Args:
        f: a plain or a decorated function, a method or a partial of one.
        *args: the arguments of a call; they stay as they are.
        strict: the least share, from 0 to 1; below it this is an error. None asks for none.
        **kwargs: arguments by name.

    Returns:
        A `Coverage` with the share, the seconds of a plain call, and a row for each line; `print` shows them.

    Raises:
        JitscopeError: the share is less than `strict`.
        TypeError: `f` is no Python function, a derivative, or its arguments can't be copied.
        ValueError: `strict` is no share.

    Example::

        def total(x):
            s = 0.0
            for value in x:
                s += np.sin(value)
            return s

        assert js.coverage(total, np.ones(10_000)).share > 0.9
    """
    if isinstance(f, MethodType):
        return coverage(f.__func__, f.__self__, *args, strict=strict, **kwargs)
    if isinstance(f, functools.partial):
        return coverage(f.func, *f.args, *args, strict=strict, **{**f.keywords, **kwargs})
    state: Function = getattr(f, "__jitscope__", None) or Function(python_function(f))
    return coverage_of(state, state.values_of(*args, **kwargs), strict)
