"""What may be asked for instead of a function's own result: its gradient, for example.

A function that was made by `js.grad` and its like carries the chain of its transforms, innermost first; what
they mean for symbols is in `operators/derivatives.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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


Transforms = tuple[Transform, ...]


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
