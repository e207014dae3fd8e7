"""What an uncompiled NumPy call is, apart from its text: the function, and arguments with operand slots.

Nodes `numpy` and `numpy_write` keep it as the attribute ``_call``, which is not printed; gradients go by it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir.nodes import PART_OF, Node
from .template import Template


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of operand `number` in the arguments."""

    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """``function(*args, **kwargs)``; lists, tuples, dicts and slices in the arguments may hold slots."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    def filled(self, given: Callable[[int], Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with ``given(number)`` in the slots."""
        args = tuple(_filled(arg, given) for arg in self.args)
        return args, {key: _filled(value, given) for key, value in self.kwargs.items()}


def call_of(
    under: Template, function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Call:
    """The call whose arguments `under` has written."""
    return Call(
        function,
        tuple(_slotted(under, arg) for arg in args),
        {key: _slotted(under, value) for key, value in kwargs.items()},
    )


def _slotted(under: Template, value: Any) -> Any:
    number = under.number_of(value)
    if number is not None:
        return Slot(number)
    return _mapped(value, lambda item: _slotted(under, item))


def _filled(value: Any, given: Callable[[int], Any]) -> Any:
    if isinstance(value, Slot):
        return given(value.number)
    return _mapped(value, lambda item: _filled(item, given))


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """`value` with what it holds changed, if it is a plain container."""
    if isinstance(value, list):
        return [change(item) for item in value]
    if type(value) is tuple:
        return tuple(change(item) for item in value)
    if isinstance(value, dict):
        return {key: change(item) for key, item in value.items()}
    if isinstance(value, slice):
        return slice(change(value.start), change(value.stop), change(value.step))
    return value


def op_name(node: Node) -> str:
    """What users call the operation of `node`: the NumPy function that it runs or stands for, else its op."""
    called = node.attrs.get("_call")
    if node.op != "numpy" or not isinstance(called, Call):
        return str(node.attrs.get(PART_OF, node.op))
    name = str(getattr(called.function, "__name__", node.op))
    owner = getattr(called.function, "__self__", None)  # as of np.add.reduceat
    return f"{owner.__name__}.{name}" if isinstance(owner, np.ufunc) else name
