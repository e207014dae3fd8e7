"""Views, single elements, writes and creation: operations on memory, which code generation knows by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .define import (
    BUT_FIRST,
    CREATION,
    FIRST,
    MEMORY,
    MEMORY_ONLY,
    NOTHING,
    NUMBERS,
    OPAQUE,
    STRUCTURAL,
    VIEW,
    OpDef,
    define,
)


def _is_checked(node: Any) -> bool:
    return any(node.attrs.get("check", ()))


def _creation(function: Callable[..., Any], doc: str, work: str = NUMBERS, on_gpu: bool = False) -> OpDef:
    """A new array."""
    return define(
        function.__name__,
        CREATION,
        doc,
        evaluate=function,
        scalar=STRUCTURAL,
        effect=("allocates",),
        work=work,
        on_gpu=on_gpu,
    )


RECORDS: tuple[OpDef, ...] = (
    define(
        "view",
        VIEW,
        "Another look at the same memory.",
        scalar=STRUCTURAL,
        effect=("raises",),
        raises_if=_is_checked,
        operands=(1, 10**9),
        work=NOTHING,
        on_gpu=True,
    ),
    define(
        "reshape",
        VIEW,
        "The elements in C order in another shape.",
        scalar=STRUCTURAL,
        effect=("reads",),
        reads=FIRST,
        operands=(1, 10**9),
        work=NOTHING,
    ),
    define(
        "grow",
        VIEW,
        "The array itself, or one of twice its length with what it holds where it has no such place.",
        scalar=STRUCTURAL,
        effect=("reads",),
        reads=FIRST,
        operands=(2, 2),
        work=NOTHING,
        written="with_room({0}, {1})",
    ),
    define(
        "load",
        MEMORY,
        "One element.",
        scalar=STRUCTURAL,
        effect=("reads", "raises"),
        reads=FIRST,
        raises_if=_is_checked,
        operands=(1, 10**9),
    ),
    define(
        "store",
        MEMORY,
        "Write one element.",
        scalar=STRUCTURAL,
        effect=("writes", "raises"),
        writes=FIRST,
        raises_if=_is_checked,
        operands=(2, 10**9),
    ),
    define(
        "assign",
        MEMORY,
        "Write a whole array or view.",
        scalar=STRUCTURAL,
        effect=("reads", "writes"),
        reads=BUT_FIRST,
        writes=FIRST,
        operands=(2, 2),
        on_gpu=True,
        written="{0}[...] = {1}",
    ),
    define(
        "copy",
        CREATION,
        "A new array with the same elements.",
        lowers=(np.copy,),
        evaluate=np.copy,
        scalar=STRUCTURAL,
        effect=("reads", "allocates"),
        work=MEMORY_ONLY,
        on_gpu=True,
        written="{0}.copy()",
    ),
    _creation(np.empty, "A new array without values.", MEMORY_ONLY, on_gpu=True),
    _creation(np.zeros, "A new array of zeros.", MEMORY_ONLY, on_gpu=True),
    _creation(np.ones, "A new array of ones.", MEMORY_ONLY, on_gpu=True),
    _creation(np.full, "A new array of one value.", MEMORY_ONLY, on_gpu=True),
    _creation(np.arange, "Numbers in even steps."),
    _creation(np.linspace, "A number of values between two ends."),
    define(
        "stand_in",
        OPAQUE,
        "The second operand, through which gradients go on to the first; no pass ever sees one.",
        gradient=lambda pullback: (pullback.cotangents[0], None),
    ),
    _creation(np.eye, "Ones on a diagonal."),
)
