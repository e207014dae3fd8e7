"""The function that a decorated function becomes: real Python with the user's signature.

Its body makes a key of its arguments and looks the entry function up::

    def relax(u, f, tol, max_iter=100):
        try:
            entry = table[type(u), u.dtype, u.ndim, u.flags.num, type(f), ..., type(tol), type(max_iter)]
        except Exception:
            entry = missing
        return entry(u, f, tol, max_iter)

An argument that was seen as an array is looked at as one; an argument that was seen both ways costs a test.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import numpy as np

from ..graph.locks import new_lock
from ..graph.scopes import CALLED
from ..graph.shown import printable

ANY, PLAIN, ARRAY = "any", "plain", "array"
_STARS: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
_METADATA = ("__module__", "__name__", "__qualname__", "__doc__")


class Binder:
    """The generated function of one decorated function, and its table from keys to entry functions."""

    def __init__(self, function: FunctionType, missing: Callable[..., Any]) -> None:
        self.shape = Shape(function)
        self.names = self.shape.names
        self.kinds: tuple[str, ...] = ()
        self._lock = new_lock()
        names = {"table": {}, "missing": missing}
        self.made = make(
            self.shape, binder_text(self.shape, (PLAIN,) * len(self.names)), names, function.__name__
        )
        self.plain: Callable[..., Any] = function
        if not self.shape.positional:
            self.plain = make(self.shape, plain_text(self.shape), {"plain": function}, function.__name__)
        dress(self.made, function)

    def learn(self, values: tuple[Any, ...], target: Callable[..., Any]) -> None:
        """From now on `target` takes the calls whose arguments look like `values`."""
        with self._lock:
            before = self.kinds or ("",) * len(values)
            kinds = tuple(kind_of(value, kind) for value, kind in zip(values, before, strict=True))
            if kinds != self.kinds:
                # A table of its own: keys of the former text mean nothing to the new one.
                self.forget()
                self._replace(binder_text(self.shape, kinds))
                self.kinds = kinds  # at the end: where an interrupt comes between, the next call does it all
            self._table()[key_of(values, kinds)] = target

    def forget(self) -> None:
        """Every call is looked up anew."""
        self.made.__globals__[f"{self.shape.prefix}_table"] = {}

    def _table(self) -> dict[Any, Callable[..., Any]]:
        return self.made.__globals__[f"{self.shape.prefix}_table"]

    def _replace(self, text: str) -> None:
        other = make(self.shape, text, {}, self.made.__code__.co_name)
        self.made.__code__ = other.__code__


class Shape:
    """The parameters of a function, as the texts around it need them."""

    def __init__(self, function: FunctionType) -> None:
        self.parameters = tuple(inspect.signature(function, follow_wrapped=False).parameters.values())
        self.names = tuple(parameter.name for parameter in self.parameters)
        prefix = "_js"
        while any(name.startswith(prefix + "_") for name in self.names):
            prefix += "_"
        self.prefix = prefix

    def header(self) -> str:
        """The parameter list without annotations; every default reads None and is set afterwards."""
        parts: list[str] = []
        starred = False
        for before, parameter in zip((None, *self.parameters), self.parameters, strict=False):
            kind = parameter.kind
            if before is not None and before.kind is before.POSITIONAL_ONLY and kind is not before.kind:
                parts.append("/")
            if kind is parameter.KEYWORD_ONLY and not starred:
                parts.append("*")
            starred = starred or kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
            text = _STARS.get(kind, "") + parameter.name
            parts.append(text if parameter.default is parameter.empty else f"{text}=None")
        if self.parameters and self.parameters[-1].kind is inspect.Parameter.POSITIONAL_ONLY:
            parts.append("/")
        return ", ".join(parts)

    def plain_call(self) -> str:
        """The arguments of a call of the plain function."""
        parts = []
        for parameter in self.parameters:
            name, kind = parameter.name, parameter.kind
            if kind is parameter.KEYWORD_ONLY:
                parts.append(f"{name}={name}")
            else:
                parts.append(_STARS.get(kind, "") + name)
        return ", ".join(parts)

    @property
    def positional(self) -> bool:
        """Whether the plain function can be called with all arguments by position."""
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        return all(parameter.kind in kinds for parameter in self.parameters)


def kind_of(value: Any, before: str = "") -> str:
    """How an argument is looked at from now on: it was looked at as `before`."""
    found = ARRAY if type(value) is np.ndarray else PLAIN
    return found if before in ("", found) else ANY


def part(value: Any, kind: str) -> tuple[Any, ...]:
    """What the key says of one argument; equal to what the generated text makes."""
    if kind == PLAIN:
        return (type(value),)
    if kind == ARRAY:
        return (type(value), value.dtype, value.ndim, value.flags.num)
    array = type(value) is np.ndarray
    return ((value.dtype, value.ndim, value.flags.num) if array else type(value),)


def key_of(values: tuple[Any, ...], kinds: tuple[str, ...]) -> Any:
    """The key of a call."""
    return tuple(item for value, kind in zip(values, kinds, strict=True) for item in part(value, kind))


def _part_text(name: str, kind: str, prefix: str) -> str:
    array = f"{name}.dtype, {name}.ndim, {name}.flags.num"
    if kind == PLAIN:
        return f"{prefix}_type({name})"
    if kind == ARRAY:
        return f"{prefix}_type({name}), {array}"
    return f"({array}) if {prefix}_type({name}) is {prefix}_ndarray else {prefix}_type({name})"


def binder_text(shape: Shape, kinds: tuple[str, ...]) -> str:
    """The text of the decorated function."""
    p = shape.prefix
    key = "".join(_part_text(name, kind, p) + ", " for name, kind in zip(shape.names, kinds, strict=True))
    return (
        f"def {p}_function({shape.header()}):\n"
        f"    try:\n"
        f"        {p}_entry = {p}_table[({key.rstrip()})]\n"
        f"    except {p}_Exception:\n"
        f"        {p}_entry = {p}_missing\n"
        f"    return {p}_entry({', '.join(shape.names)})\n"
    )


def plain_text(shape: Shape) -> str:
    """A function of all parameters by position that calls the plain function as it wants to be called."""
    p = shape.prefix
    return f"def {p}_function({', '.join(shape.names)}):\n    return {p}_plain({shape.plain_call()})\n"


def make(shape: Shape, text: str, names: Mapping[str, Any], title: str) -> FunctionType:
    """The function that `text` defines; `names` are its globals, without prefix."""
    space = {f"{shape.prefix}_{name}": value for name, value in names.items()}
    space |= {"__name__": "jitscope", f"{shape.prefix}_type": type, f"{shape.prefix}_ndarray": np.ndarray}
    space[f"{shape.prefix}_Exception"] = Exception
    space[CALLED] = True
    exec(compile(text, f"<jitscope {printable(title)}>", "exec"), space)
    made = space[f"{shape.prefix}_function"]
    made.__code__ = made.__code__.replace(co_name=title)
    return made


def dress(made: FunctionType, function: FunctionType) -> None:
    """Give `made` the name, documentation, defaults and attributes of `function`."""
    for name in _METADATA:
        setattr(made, name, getattr(function, name))
    made.__defaults__ = function.__defaults__
    made.__kwdefaults__ = function.__kwdefaults__
    if hasattr(function, "__annotate__"):  # Python 3.14: evaluated when somebody asks
        made.__annotate__ = function.__annotate__  # type: ignore[attr-defined]
    else:
        made.__annotations__ = function.__annotations__
    made.__dict__.update(function.__dict__)
    made.__wrapped__ = function  # type: ignore[attr-defined]
