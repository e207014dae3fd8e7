"""Programs that a compiler of arrays got wrong once, by kind, and what each is called with."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from programs import memory

from . import (
    branches,
    corners,
    forms_of_branches,
    forms_of_gradients,
    forms_of_indices,
    forms_of_values,
    gradients,
    indices,
    values,
)

SQUARE, VECTOR, OTHER = memory.SQUARE * 0.3, memory.VECTOR, memory.numbers(4, 4, seed=2)
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "scaled_exponentials": (SQUARE, OTHER, 3),
    "halving_or_counting": (VECTOR, 12),
    "accept_or_reject": (VECTOR, 5),
    "reject_or_accept_by_size": (VECTOR, 5),
    "last_of_the_first_n": (memory.SIX, 4),
}


def programs(module: ModuleType) -> list[Callable[..., Any]]:
    """The programs of one file, without their helpers."""
    return [
        found
        for name, found in vars(module).items()
        if isinstance(found, FunctionType) and not name.startswith("_")
    ]


def family(program: Callable[..., Any]) -> str:
    """The program that this one is a variant of, as `programs/memory.py` calls it."""
    return re.sub(r"_\d+$", "", program.__name__)


def arguments(program: Callable[..., Any]) -> tuple[Any, ...]:
    """What a program is called with."""
    name = family(program)
    default = (memory.SIX,) if name.startswith("last_of") else (SQUARE, VECTOR, 4)
    return ARGUMENTS.get(name, default)


FILES = (
    (values, forms_of_values),
    (indices, forms_of_indices),
    (gradients, forms_of_gradients),
    (branches, forms_of_branches),
)
PROGRAMS = [program for pair in FILES for file in pair for program in programs(file)]
VALUES = [*PROGRAMS, *corners.PROGRAMS]
