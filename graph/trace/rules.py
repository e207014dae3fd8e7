"""`Rules`: what operators, NumPy's functions, methods and attributes mean on the symbols of a trace.

Symbols ask the builder that makes their nodes (`Builder.rules`), and rules ask it for each other, so that
none of them imports what may need it in turn. Whoever starts a trace hands a table over:
`numpy_meaning.NUMPY`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Rules:
    """One function for each kind of thing that is done with a symbol."""

    binary: Callable[[str, Any, Any], Any]
    """``left <name> right``."""
    unary: Callable[[str, Any], Any]
    """``<name> value``."""
    in_place: Callable[[str, Any, Any], Any]
    """``array <name>= other``: what the name is bound to afterwards."""
    get_item: Callable[[Any, Any], Any]
    """``array[index]``, of numbers too."""
    set_item: Callable[[Any, Any, Any], None]
    """``array[index] = value``."""
    ufunc: Callable[[Any, str, tuple[Any, ...], dict[str, Any]], Any]
    """``ufunc.method(*inputs, **kwargs)``."""
    function: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
    """``function(*args, **kwargs)`` of one of NumPy's."""
    number_attribute: Callable[[Any, str], Any]
    """``number.name``."""
    written: Callable[[Any], str | None]
    """The form in which people write a node, if its operation has one."""
    array_attribute: Callable[[Any, str], Any]
    """``array.name``: bound methods too."""
