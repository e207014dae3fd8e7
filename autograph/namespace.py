"""The globals of staged code: names are looked up as the user's function would, and remembered as inputs."""

from __future__ import annotations

import builtins
import types
from typing import Any

from .traced import Path
from .tracer import Tracer

RESULT = "out"
"""How programs of ours call what they give."""


class Namespace(dict):
    """Globals of one staged function."""

    def __init__(self, tracer: Tracer, function: types.FunctionType, prefix: Path) -> None:
        super().__init__({"__builtins__": builtins, "__name__": function.__module__})
        self.tracer, self.function, self.prefix = tracer, function, prefix

    def __getitem__(self, name: str) -> Any:
        if name in self:
            return super().__getitem__(name)
        try:
            return self.tracer.read_name(self.function, self.prefix, name)
        except NameError:
            raise KeyError(name) from None


class Library(dict):
    """Globals of a staged program of ours: what runs there is no line of the user's."""

    def __init__(self, function: types.FunctionType) -> None:
        super().__init__(function.__globals__)
