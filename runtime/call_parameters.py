"""The parameters of a function, and generated functions that have them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

from ..graph.ir.shown import printable
from .left_out import LEFT_OUT, MarkedByName, MarkedDefaults
from .levels import PLAIN_LEVELS
from .skipped import SKIPPED

_STARS: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


Arguments = tuple[list[Any], dict[str, Any]]
"""Those of a call by position and by name."""


class CallParameters:
    """The parameters of a function, as the texts around it need them.

    `lenient`: the header takes every call, as the function has been changed and may be changed again.
    """

    def __init__(self, function: FunctionType, lenient: bool = False) -> None:
        self.lenient = lenient
        self._signature = inspect.signature(function, follow_wrapped=False)
        self.parameters = tuple(self._signature.parameters.values())
        self.names = tuple(parameter.name for parameter in self.parameters)
        prefix = "_js"
        while any(name.startswith(prefix + "_") for name in self.names):
            prefix += "_"
        self.prefix = prefix

    def header(self) -> str:
        """The parameter list without annotations; every default reads None and is set afterwards."""
        parts: list[str] = []
        more, named = self.extra
        starred = False
        end = inspect.Parameter("end", inspect.Parameter.VAR_KEYWORD)
        for before, parameter in zip((None, *self.parameters), (*self.parameters, end), strict=True):
            kind = parameter.kind
            if before is not None and before.kind is before.POSITIONAL_ONLY and kind is not before.kind:
                parts.append("/")
            if not starred and (kind is parameter.KEYWORD_ONLY or (more and kind is parameter.VAR_KEYWORD)):
                parts.append(f"*{more}")
                starred = True
            starred = starred or kind is parameter.VAR_POSITIONAL
            if parameter is not end:
                text = _STARS.get(kind, "") + parameter.name
                parts.append(f"{text}=None" if self._may_be_left(parameter) else text)
        return ", ".join([*parts, f"**{named}"] if named else parts)

    @property
    def extra(self) -> tuple[str, str]:
        """What takes the arguments of a call that are too many, by position and by name; empty if nothing."""
        if not self.lenient:
            return "", ""
        kinds = {parameter.kind for parameter in self.parameters}
        more = "" if inspect.Parameter.VAR_POSITIONAL in kinds else f"{self.prefix}_more"
        return more, "" if inspect.Parameter.VAR_KEYWORD in kinds else f"{self.prefix}_named"

    def _may_be_left(self, parameter: inspect.Parameter) -> bool:
        return parameter.default is not parameter.empty or (self.lenient and parameter.kind not in _STARS)

    def left(self, function: FunctionType) -> tuple[MarkedDefaults | None, MarkedByName | None]:
        """The defaults of the header, with those that `function` has to be read in them."""
        found = [parameter for parameter in self.parameters if self._may_be_left(parameter)]
        named = [parameter.name for parameter in found if parameter.kind is parameter.KEYWORD_ONLY]
        count, defaults = len(found) - len(named), function.__defaults__ or ()
        return (
            MarkedDefaults(count, defaults) if count else None,
            MarkedByName(named, function.__kwdefaults__ or {}) if named else None,
        )

    def as_called(
        self,
        values: Sequence[Any],
        more: Sequence[object] = (),
        named: Mapping[str, object] | None = None,
        by_position: int | None = None,
    ) -> Arguments:
        """The arguments of a call by position and by name: `values` of the parameters, and what is too much.

        What follows one that was left out must have been given by name; so may all after the first
        `by_position`.
        """
        args: list[Any] = []
        by_name: dict[str, Any] = {}
        skipped = False
        for k, (parameter, value) in enumerate(zip(self.parameters, values, strict=False)):
            skipped = skipped or (k == by_position and parameter.kind is parameter.POSITIONAL_OR_KEYWORD)
            if parameter.kind is parameter.VAR_POSITIONAL:
                args += value
            elif parameter.kind is parameter.VAR_KEYWORD:
                by_name.update(value)
            elif value is LEFT_OUT:
                skipped = True
            elif skipped or parameter.kind is parameter.KEYWORD_ONLY:
                by_name[parameter.name] = value
            else:
                args.append(value)
        return [*args, *more], {**by_name, **(named or {})}

    def takes(self, call: Arguments) -> bool:
        """Whether a call with these arguments can be bound."""
        try:
            self._signature.bind(*call[0], **call[1])
        except TypeError:
            return False
        return True

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


def left_text(shape: CallParameters, number: int) -> str:
    """The first lines of the text with `number`: what a caller leaves out gets its value.

    So it is certain that whatever goes further was given, or is the default of now. Where the function has
    changed, and where something has no value, `missing` hears of it.
    """
    p, (more, named) = shape.prefix, shape.extra
    lines = []
    if extra := [name for name in (more, named) if name]:
        given = ", ".join(f"{kind}={name}" for kind, name in (("more", more), ("named", named)) if name)
        lines += [
            f"if {' or '.join(extra)}:",
            f"    return {p}_missing({', '.join([str(number), *shape.names, given])})()",
        ]
    found = [parameter for parameter in shape.parameters if parameter.default is not parameter.empty]
    positional = [parameter.name for parameter in found if parameter.kind is not parameter.KEYWORD_ONLY]
    if found:
        lines.append(f"{p}_left = '_js left'")
    for name in (parameter.name for parameter in found):
        where, value = "__kwdefaults__", f"{p}_table.named.get({name!r}, {p}_left)"
        if name in positional:
            where, value = "__defaults__", f"{p}_table.positional[{positional.index(name)}]"
        known = "positional" if name in positional else "named"
        lines += [
            f"if {name} is {p}_left and {p}_table.text == {number}:",
            f"    {p}_user = {p}_table.user",
            f"    if {p}_user.{where} is {p}_table.{known} and {p}_user.__code__ is {p}_table.code:",
            f"        {name} = {value}",
        ]
    return "".join(f"    {line}\n" for line in lines)


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
