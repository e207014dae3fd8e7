"""What a name means inside a Python function."""

from __future__ import annotations

import builtins
import types
from typing import Any


def lookup(function: types.FunctionType, name: str) -> Any:
    """What `name` means inside `function`: free variable, global, builtin; NameError as in Python."""
    if name in function.__code__.co_freevars:
        cell = (function.__closure__ or ())[function.__code__.co_freevars.index(name)]
        try:
            return cell.cell_contents
        except ValueError:
            raise NameError(
                f"cannot access free variable '{name}' where it is not associated with a value"
                " in enclosing scope"
            ) from None
    if name in function.__globals__:
        return function.__globals__[name]
    if hasattr(builtins, name):
        return getattr(builtins, name)
    raise NameError(f"name '{name}' is not defined")
