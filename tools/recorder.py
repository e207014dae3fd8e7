"""Which functions of a script are called from where nothing is compiled: with what, and for how long."""

from __future__ import annotations

import functools
import inspect
import threading
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from ..runtime.decorator import function as decorated
from ..runtime.function import Function
from .effects import listen, stop_listening
from .given import CallArguments

AnyFunction = Callable[..., Any]

_LARGE = 256 * 2**20
"""Arguments of more bytes are not kept."""
_MOST_COPIES = 12
"""So often the arguments of a larger call take the place of those that were kept."""


@dataclass
class Called:
    """A decorated function and its calls; calls inside of compiled code are part of that code."""

    state: Function
    calls: int = 0
    seconds: float = 0.0
    within: float = 0.0
    """Seconds of those in which other recorded functions ran."""
    raised: int = 0
    does: str = ""
    """What its calls do besides what they give, as "writes files"."""
    given: CallArguments | None = None
    """The arguments of its largest call, copies that were made before it; None if they can't be kept."""
    why_not: str = ""
    """Why they can't."""
    alike: int = 0
    """The calls that are no more than twice as small as the one whose arguments were kept."""
    weight: float = 0.0
    copies: int = 0

    @property
    def is_leaf(self) -> bool:
        """Whether no other recorded function was called in it."""
        return not self.within

    @property
    def name(self) -> str:
        """The function's name."""
        return self.state.called


@dataclass(eq=False)
class CallRecorder:
    """Decorates functions, and keeps what they are called with."""

    functions: list[Called] = field(default_factory=list)
    _known: dict[AnyFunction, tuple[AnyFunction, AnyFunction]] = field(default_factory=dict)
    """For what stands for a function in the script, the function as it was, and the decorated one."""
    keep: bool = True
    """Whether arguments are kept."""
    strict: bool = False
    """Whether a call of which nothing is compiled is an error."""
    _open: threading.local = field(default_factory=threading.local)

    def __call__(self, function: FunctionType) -> Callable[..., Any]:
        """`function` decorated, and recorded where its calls do their work at once."""
        return self._recorded(decorated(strict=self.strict)(function))

    def again(self, made: object) -> object:
        """The same for what the script's own decorators made of it, if that is a decorated function."""
        if isinstance(made, (staticmethod, classmethod)):
            return type(made)(self.again(made.__func__))  # type: ignore[arg-type]
        state = getattr(made, "__jitscope__", None)
        own = isinstance(state, Function) and state.binder.made is made and made not in self._known
        return self._recorded(made) if own else made  # type: ignore[arg-type]

    def _recorded(self, made: Callable[..., Any]) -> Callable[..., Any]:
        state = getattr(made, "__jitscope__", None)
        lazy = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
        if not isinstance(state, Function) or state.python_function.__code__.co_flags & lazy:
            return made
        record = Called(state)
        self.functions.append(record)

        @functools.wraps(made)
        def recording(*args: object, **kwargs: object) -> object:
            self._begin(record, args, kwargs)
            start = time.perf_counter()
            try:
                return made(*args, **kwargs)
            except BaseException:
                record.raised += 1
                raise
            finally:
                self._end(record, time.perf_counter() - start)

        self._known[recording] = state.python_function, made
        return recording

    def withdraw(self, names: MutableMapping[str, Any]) -> None:
        """Have the functions in a module's `names`, and in its classes, be as they were.

        Who calls one of them again then sees plain calls where plain ones are meant, and nothing is recorded.
        """
        _exchange(names, {wrapped: plain for wrapped, (plain, _) in self._known.items()})
        _exchange(names, {made: plain for plain, made in self._known.values()})

    def settle(self, names: MutableMapping[str, Any]) -> None:
        """Have the functions be decorated ones that nobody records."""
        _exchange(names, {wrapped: made for wrapped, (_, made) in self._known.items()})
        _exchange(names, dict(self._known.values()))

    def called(self) -> list[Called]:
        """The functions that were called."""
        return [one for one in self.functions if one.calls]

    def _begin(self, record: Called, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        record.calls += 1
        weight = _weight((*args, *kwargs.values()))
        larger = weight > 2 * record.weight and record.copies < _MOST_COPIES
        if self.keep and (record.calls == 1 or larger):
            record.weight, record.alike, record.copies = weight, 0, record.copies + 1
            _keep(record, args, kwargs)
        record.alike += 2 * weight >= record.weight
        self._stack().append([record, 0.0])

    def _end(self, record: Called, seconds: float) -> None:
        stack = self._stack()
        _, inner = stack.pop()
        if stack:
            stack[-1][1] += seconds
        record.seconds += seconds
        record.within += inner

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hear what the program does besides."""
        listen(self._heard)
        try:
            yield
        finally:
            stop_listening(self._heard)

    def _heard(self, what: str) -> None:
        """The program does something besides: so do the functions that are called now."""
        for record, _ in self._stack():
            record.does = record.does or what

    def _stack(self) -> list[list[Any]]:
        """For each open call of this thread its record, and the seconds of the recorded calls in it."""
        if not hasattr(self._open, "stack"):
            self._open.stack = []
        stack: list[list[Any]] = self._open.stack
        return stack


def _exchange(names: MutableMapping[str, Any], table: Mapping[AnyFunction, AnyFunction]) -> None:
    """Put for each function in `names`, and in the classes there, the one that `table` has for it."""
    for name, value in list(names.items()):
        if isinstance(value, type):
            _exchange_methods(value, table)
        elif isinstance(value, FunctionType) and value in table:
            names[name] = table[value]


def _exchange_methods(kind: type, table: Mapping[AnyFunction, AnyFunction]) -> None:
    for name, value in list(vars(kind).items()):
        inner = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
        if isinstance(inner, FunctionType) and inner in table:
            setattr(kind, name, table[inner] if inner is value else type(value)(table[inner]))
        elif isinstance(value, property):
            parts = (value.fget, value.fset, value.fdel)
            get, put, delete = (None if part is None else table.get(part, part) for part in parts)
            setattr(kind, name, property(get, put, delete, value.__doc__))


def _weight(values: tuple[object, ...]) -> float:
    """How much there is in arguments: bytes of arrays and lists, and how large ints are."""
    total = 0.0
    for value in values:
        if isinstance(value, int) and not isinstance(value, bool):
            total += min(abs(value), 10**9)
        elif isinstance(value, (list, tuple, dict, set)):
            total += 8 * len(value)
        else:
            size = getattr(value, "nbytes", 0)
            total += size if isinstance(size, int) else 0
    return total


def _keep(record: Called, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
    try:
        values = record.state.values_of(*args, **kwargs)
        size = sum(getattr(value, "nbytes", 0) for value in values)
        if size > _LARGE:
            record.why_not = f"its arguments are {size / 1e6:.0f} MB, more than are copied"
        else:
            record.given = CallArguments(args, kwargs).copies()
    except Exception as error:  # what a user's object raises when it is copied may be anything
        record.why_not = f"its arguments can't be copied: {type(error).__name__}: {error}"
