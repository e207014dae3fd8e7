"""The parameters of a function, and generated functions that have them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import FunctionType
from typing import Any

from ..graph.ir.shown import printable
from .levels import PLAIN_LEVELS

_STARS: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
SKIPPED = ", importlib._bootstrap"
"""In a file's name: `warnings` and `logging` don't count its frames as callers."""


class CallParameters:
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


def plain_text(shape: CallParameters, counted: bool = False) -> str:
    """A function of all parameters by position that calls the plain function as it wants to be called.

    `counted`: it keeps `levels.open`, see `Levels`.
    """
    p, call = shape.prefix, f"return {shape.prefix}_plain({shape.plain_call()})"
    header = f"def {p}_function({', '.join(shape.names)}):\n"
    if not counted:
        return f"{header}    {call}\n"
    return (
        f"{header}"
        f"    {p}_open = {p}_levels.open\n"
        f"    if {p}_open >= {PLAIN_LEVELS}:\n"
        f"        {p}_open = {p}_levels.looked({PLAIN_LEVELS})\n"
        f"    {p}_levels.open = {p}_open + 1\n"
        f"    try:\n"
        f"        {call}\n"
        f"    finally:\n"
        f"        {p}_levels.open = {p}_open\n"
    )


def make(shape: CallParameters, text: str, names: Mapping[str, Any], title: str) -> FunctionType:
    """The function that `text` defines; `names` are its globals, without prefix."""
    space = {f"{shape.prefix}_{name}": value for name, value in names.items()}
    space["__name__"] = "jitscope"
    exec(compile(text, f"<jitscope {printable(title)}{SKIPPED}>", "exec"), space)
    made = space[f"{shape.prefix}_function"]
    made.__code__ = made.__code__.replace(co_name=title)
    return made
