"""What a trace hands to the runtime: the graph, and where everything that it read came from."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..graph.ir.causes import Cause
from ..graph.ir.nodes import Graph, Loc
from ..graph.ir.shown import is_name, normalised
from ..graph.ir.types import Type

Step = tuple[str, Any]
"""("arg", parameter), ("name", global or cell), ("attr", name), ("item", key), ("default", parameter).

("list", form) takes the numbers of a list over into an array (`list_data`).
("cell", text) takes the number of an object's attribute over into an array (`cell_data`).
("generator", "np.random") is the one whose methods are functions of `np.random`.
("module", name) is a module that is imported inside of the function.
("lookup", name) is what the object's class has under that name; ("class", name) what the class has itself.
("line", number) is not read: it stands for a line of the function that the path has reached.
"""
Path = tuple[Step, ...]
"""A path starts at an argument, or at a name as the decorated function sees it (cell, global, builtin).

A later ("name", n) step reads a name as seen by the function that the path has reached so far: the helper
``scale`` of module ``tools`` reads its ``K`` at ``(("name", "tools"), ("attr", "scale"), ("name", "K"))``.
"""

_TAKEN = ("np", "math", "operator", "njit", "check_bound")
"""Names that generated modules need for themselves."""


@dataclass(frozen=True, slots=True)
class Input:
    """A parameter of the graph: read again at every call from `path`, must have `type` again."""

    path: Path
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Static:
    """A value that the trace relied on: `how` is ``is`` (same object), ``equal`` (type and value), ``type``
    (same type), ``len`` (length and type of a container), ``keys`` (keys of a dict, in order), ``lookup``
    (type of what the object's class has under a name), ``order`` (which way an array's axes run)."""

    path: Path
    value: Any
    how: str = "is"


@dataclass(frozen=True, slots=True)
class Helper:
    """A Python function that the trace went into; its code must be the same again."""

    path: Path
    function: Any
    staged: str = ""


@dataclass(frozen=True, slots=True)
class Traced:
    """The result of tracing one function for one signature."""

    graph: Graph
    inputs: tuple[Input, ...]
    statics: tuple[Static, ...] = ()
    helpers: tuple[Helper, ...] = ()
    notes: tuple[Cause, ...] = ()
    """What `explain` tells of calls and loops."""
    objects: Mapping[str, Cause] = field(default_factory=dict)
    """Why parameters of the graph are Python objects."""
    writes: tuple[str, ...] = ()
    staged: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


class Unstageable(Exception):
    """The trace can't go on: the function runs as plain Python for this signature; why, and what to try."""

    def __init__(self, reason: str, loc: Loc | None = None, attempt: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.loc = loc
        self.attempt = attempt


def label(path: Path) -> str:
    """A readable name for the parameter that stands for `path`."""
    parts = []
    for kind, key in path:
        text = str(key)
        if kind in ("arg", "name", "attr", "method", "default"):
            parts.append(text)
        elif kind == "item":
            parts.append(text if text.isidentifier() or text.isdigit() else "item")
    name = "_".join(part for part in parts[-3:] if part != "self") or "self"
    if name in _TAKEN or keyword.iskeyword(name):
        return f"{name}_"
    return name if is_name(name) else re.sub(r"\W", "_", f"x_{normalised(name)}", flags=re.ASCII)
