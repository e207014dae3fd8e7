"""What may be asked for instead of a function's own result: its gradient, for example.

A function that was made by `js.grad` and its like carries the chain of its transforms, innermost first; what
they mean for symbols is in `operators/derivatives.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

GRAD, VALUE_AND_GRAD, JACOBIAN = "grad", "value_and_grad", "jacobian"
JVP, VJP = "jvp", "vjp"
CHECKPOINT, CUSTOM_GRADIENT = "checkpoint", "custom_gradient"
DIFFERENTIATING = (GRAD, VALUE_AND_GRAD, JACOBIAN, JVP, VJP)

ATTRIBUTE = "__jitscope_transforms__"


@dataclass(frozen=True, slots=True)
class Transform:
    """One step.

    Attributes:
        kind: which.
        argnums: the positional arguments that are differentiated for; an int for one, and no tuple around it.
        has_aux: the function returns ``value, aux``.
        bound: so many first arguments belong to a method or partial.
    """

    kind: str
    argnums: int | tuple[int, ...] = ()
    has_aux: bool = False
    bound: int = 0

    def __str__(self) -> str:
        parts = [f"argnums={self.argnums!r}"] if self.argnums != () else []
        parts += ["has_aux=True"] if self.has_aux else []
        return f"{self.kind}({', '.join(parts)})"

    @property
    def numbers(self) -> tuple[int, ...]:
        """`argnums`, also of one."""
        return self.argnums if isinstance(self.argnums, tuple) else (self.argnums,)

    def at(self, number: int, count: int) -> int:
        """The place that `number` means in a call with `count` arguments by position, those bound included.

        Raises:
            TypeError: it has no such place.
        """
        if number < self.bound - count:
            raise TypeError(
                f"{self.kind}: argnums={number}, but the call has {count - self.bound} positional arguments"
            )
        return number if number >= 0 else number + count

    def in_call(self, count: int) -> Transform:
        """The same in a call with `count` arguments by position, from the last of which negatives count."""
        places = tuple(self.at(number, count) for number in self.numbers)
        return replace(self, argnums=places if isinstance(self.argnums, tuple) else places[0])


Transforms = tuple[Transform, ...]


def counts_back(transforms: Transforms) -> bool:
    """Whether what is differentiated for hangs on how many arguments a call has by position."""
    return any(number < 0 for transform in transforms for number in transform.numbers)


def transforms_of(value: Any) -> Transforms:
    """The transforms that `value` carries; none if it is a function like any other."""
    if not isinstance(value, FunctionType):
        return ()
    return tuple(getattr(value, ATTRIBUTE, ()))


def title(transforms: Transforms, name: str) -> str:
    """``value_and_grad_loss``: the name of a transformed function."""
    if not transforms:
        return name
    return "_".join([*(step.kind for step in reversed(transforms)), name.replace("<lambda>", "lambda")])


def tangents_name(names: Sequence[str]) -> str:
    """The name of the argument that `jvp` adds to a function's own."""
    name = "tangents"
    while name in names:
        name += "_"
    return name
