"""Private names of a class.

    self.__rate      →      self._Oven__rate

Inside a class Python does this itself; staged code stands outside.
"""

from __future__ import annotations

from typing import Any

import gast

from .context import Context

Node = Any


def convert(function: Node, context: Context) -> Node:
    """Spell out `__name` as `_Class__name`."""
    prefix = context.class_name.lstrip("_")
    if not prefix:
        return function
    for node in gast.walk(function):
        for field in ("id", "attr", "arg", "name"):
            name = getattr(node, field, None)
            if (
                isinstance(name, str)
                and name.startswith("__")
                and not name.endswith("__")
                and node is not function
            ):
                setattr(node, field, f"_{prefix}{name}")
                context.used.add(f"_{prefix}{name}")
    return function
