"""What `function` makes of callables that are no Python functions: partials, and what has no source."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import MethodType
from typing import TYPE_CHECKING, Any

from .errors import JitscopeError
from .specialisation import Specialisation

if TYPE_CHECKING:
    from .coverage import Coverage

_NAMES = ("__module__", "__name__", "__qualname__", "__doc__")


class DecoratedPartial(functools.partial):
    """A partial of a decorated function, with what users ask of decorated functions."""

    @property
    def python_function(self) -> Any:
        """The partial that was decorated."""
        inner = self.func.python_function  # type: ignore[attr-defined]
        if isinstance(self.func, MethodType):
            inner = MethodType(inner, self.func.__self__)
        return functools.partial(inner, *self.args, **self.keywords)

    @property
    def specializations(self) -> list[Specialisation]:
        """Those of the function inside."""
        found: list[Specialisation] = self.func.specializations  # type: ignore[attr-defined]
        return found

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """The report of the function inside, for these arguments behind the partial's own."""
        return str(self._asked("explain", args, kwargs))

    def coverage(self, *args: object, strict: float | None = None, **kwargs: object) -> Coverage:
        """The coverage of the function inside, for these arguments behind the partial's own."""
        found: Coverage = self._asked("coverage", args, {**kwargs, "strict": strict})
        return found

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Specialisation:
        """The specialisation of the function inside, for these arguments behind the partial's own."""
        found: Specialisation = self._asked("get_concrete_function", args, kwargs)
        return found

    def clear(self) -> None:
        """Forget every specialisation of the function inside."""
        self.func.clear()  # type: ignore[attr-defined]

    def _asked(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        bound = (self.func.__self__,) if isinstance(self.func, MethodType) else ()
        return getattr(self.func, name)(*bound, *self.args, *args, **{**self.keywords, **kwargs})


class PlainCallable(functools.partial):
    """A callable without Python source. It runs as it is, and answers for it.

    As an attribute of a class it binds as the callable would, and one that is a class stays a class to
    `isinstance` and to `class` statements.
    """

    specializations: tuple[Specialisation, ...] = ()

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        bind = getattr(type(self.func), "__get__", None)
        bound = self.func if bind is None else bind(self.func, instance, owner)
        return self if bound is self.func else bound

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__jit"):  # ours, which `functools.wraps` copies
            raise AttributeError(name)
        return getattr(self.func, name)

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, self.func)  # type: ignore[arg-type]

    def __subclasscheck__(self, kind: type) -> bool:
        return issubclass(kind, self.func)  # type: ignore[arg-type]

    def __mro_entries__(self, _bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return (self.func,)

    @property
    def python_function(self) -> Any:
        """The callable that was decorated."""
        return self.func

    def explain(self, *_args: Any, **_kwargs: Any) -> str:
        """Why it runs plain."""
        return f"{_name(self.func)}\n  runs as plain Python: {_reason(self.func)}\n"

    def get_concrete_function(self, *_args: Any, **_kwargs: Any) -> Specialisation:
        """What stands for a specialisation."""
        return Specialisation(
            "", plain_reason=_reason(self.func), entry=self.func, values_of=lambda *args: args
        )

    def clear(self) -> None:
        """There is nothing to forget."""


def wrapped(value: Any, decorate: Callable[[Any], Any], strict: bool) -> Any:
    """What `function` makes of a callable that is no Python function.

    Raises:
        TypeError: it can't be called.
        JitscopeError: `strict`, and there is nothing to compile.
    """
    if not callable(value):
        raise TypeError(f"js.function decorates Python functions, not {type(value).__name__} objects")
    if isinstance(value, PlainCallable):
        value = value.func
    elif isinstance(value, functools.partial):
        made = DecoratedPartial(decorate(value.func), *value.args, **value.keywords)
        made.__dict__.update(vars(value))
        return _named(made, value)
    if strict:
        raise JitscopeError(f"{_name(value)} can't be compiled: {_reason(value)}")
    return _named(PlainCallable(value), value)


def _named(made: Any, value: Any) -> Any:
    """Names and documentation of what was decorated, as far as it has them."""
    for name in _NAMES:
        try:
            setattr(made, name, getattr(value, name))
        except Exception:  # C functions lack some; objects of the user's may raise
            continue
    return made


def _name(value: Any) -> str:
    try:
        return str(value.__qualname__)
    except Exception:
        return type(value).__name__


def _reason(value: Any) -> str:
    if isinstance(value, type):
        return "a class makes an object; decorate its methods instead"
    return f"a {type(value).__name__} has no Python source"
