"""Programs that a compiler of arrays got wrong once, by kind, and what each is called with."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from programs import memory

from . import branches, corners, gradients, indices, values

SQUARE, VECTOR, OTHER = memory.SQUARE * 0.3, memory.VECTOR, memory.numbers(4, 4, seed=2)
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "scaled_exponentials": (SQUARE, OTHER, 3),
    "halving_or_counting": (VECTOR, 12),
    "accept_or_reject": (VECTOR, 5),
    "reject_or_accept_by_size": (VECTOR, 5),
    "last_of_the_first_n": (memory.SIX, 4),
}


def programs(module: ModuleType) -> list[Callable[..., Any]]:
    """The programs of one file."""
    return [found for found in vars(module).values() if isinstance(found, FunctionType)]


def arguments(program: Callable[..., Any]) -> tuple[Any, ...]:
    """What a program is called with."""
    family = re.sub(r"_\d+$", "", program.__name__)
    default = (memory.SIX,) if family.startswith("last_of") else (SQUARE, VECTOR, 4)
    return ARGUMENTS.get(family, default)


VALUES = [*programs(values), *programs(indices), *corners.PROGRAMS]
GRADIENTS = [*programs(gradients), *programs(branches)]
