"""`function`: the decorator."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from types import FunctionType, MethodType
from typing import Any, TypeVar, overload

from ..autograph.transforms import transforms_of
from ..graph.trace.devices import DeviceSpec
from .derived import decorated
from .devices import Placement
from .function import Function, dressed
from .wrapped import wrapped

F = TypeVar("F", bound=Callable[..., Any])


@overload
def function(fn: F) -> F: ...


@overload
def function(
    fn: None = None,
    *,
    static_argnames: str | Sequence[str] = (),
    jit_level: str | None = None,
    strict: bool = False,
    cache: bool = True,
    input_signature: Sequence[Any] | None = None,
    device: str | DeviceSpec | None = None,
    allow_soft_placement: bool = False,
) -> Callable[[F], F]: ...


def function(
    fn: Any = None,
    *,
    static_argnames: str | Sequence[str] = (),
    jit_level: str | None = None,
    strict: bool = False,
    cache: bool = True,
    input_signature: Sequence[Any] | None = None,
    device: str | DeviceSpec | None = None,
    allow_soft_placement: bool = False,
) -> Any:
    """Make a plain NumPy function fast, with the same answers.

    Args:
        fn: the function, method, partial or other callable (what has no Python source runs as it is); without
            it, `function` returns a decorator.
        static_argnames: parameters whose values are part of the specialisation.
        jit_level: ``"on"`` compiles all that can be compiled, ``"off"`` only what stands in a `jit_scope`;
            None follows ``config.jit_level``.
        strict: raise `JitscopeError` where a call could only run as plain Python.
        cache: keep specialisations on disk.
        input_signature: `ArraySpec` or example values of the arguments; other calls raise `TypeError`.
        device: where the function runs, as if its body stood in ``with js.device(device):``.
        allow_soft_placement: run on the CPU what wishes for a device that is not there; else such a call
            raises `JitscopeError`.

    Returns:
        A function with the same name and signature, and the attributes ``python_function`` (`fn` itself),
        ``specializations`` (a list: one for each signature so far), ``get_concrete_function(*args)``,
        ``explain(*args)``, ``coverage(*args)`` and ``clear()``.

    Raises:
        TypeError: `fn` can't be called.
        ValueError: an option has no such value, or names a parameter that `fn` hasn't.

    Example::

        @js.function
        def scaled(x, k):
            return x * k + 1.0

        assert scaled(np.ones(3), 2.0).tolist() == [3.0, 3.0, 3.0]
    """
    placement = Placement.of(device, allow_soft_placement)
    names = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)
    options = names, jit_level, strict, cache, input_signature, placement
    return partial(_decorate, options=options) if fn is None else _decorate(fn, options)


def _decorate(plain: Any, options: tuple[Any, ...]) -> Any:
    """`plain` decorated; `options` are the arguments of `Function` after the first."""
    if isinstance(plain, (staticmethod, classmethod)):
        return type(plain)(_decorate(plain.__func__, options))
    if (method := _method_of(plain)) is not None:  # first, as a method has all attributes of its function
        return MethodType(_decorate(method.__func__, options), method.__self__)
    if not isinstance(plain, FunctionType):
        return wrapped(plain, partial(_decorate, options=options), options[2])
    if transforms_of(plain):
        return decorated(plain, options)
    if hasattr(plain, "__jitscope__"):
        plain = plain.python_function  # type: ignore[attr-defined]
    return dressed(Function(plain, *options))


def _method_of(value: Any) -> MethodType | None:
    """The method written in Python that a call of `value` runs, if that is none of its own."""
    if isinstance(value, MethodType):
        return value
    if isinstance(value, (type, FunctionType)):
        return None
    call = inspect.getattr_static(type(value), "__call__", None)
    return MethodType(call, value) if isinstance(call, FunctionType) else None


function.decorates = True  # type: ignore[attr-defined]
