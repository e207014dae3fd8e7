"""Views, single elements, writes and creation: operations on memory, which code generation knows by name."""

from __future__ import annotations

import numpy as np

from .define import CREATION, MEMORY, OPAQUE, STRUCTURAL, VIEW, OpDef, define

RECORDS: tuple[OpDef, ...] = (
    define("view", VIEW, "Another look at the same memory.", scalar=STRUCTURAL, effect=("raises",)),
    define(
        "reshape", VIEW, "The elements in C order in another shape.", scalar=STRUCTURAL, effect=("reads",)
    ),
    define("load", MEMORY, "One element.", scalar=STRUCTURAL, effect=("reads", "raises")),
    define("store", MEMORY, "Write one element.", scalar=STRUCTURAL, effect=("writes", "raises")),
    define("assign", MEMORY, "Write a whole array or view.", scalar=STRUCTURAL, effect=("reads", "writes")),
    define(
        "copy",
        CREATION,
        "A new array with the same elements.",
        lowers=(np.copy,),
        evaluate=np.copy,
        scalar=STRUCTURAL,
        effect=("reads", "allocates"),
    ),
    define(
        "empty",
        CREATION,
        "A new array without values.",
        evaluate=np.empty,
        scalar=STRUCTURAL,
        effect=("allocates",),
    ),
    define(
        "zeros",
        CREATION,
        "A new array of zeros.",
        evaluate=np.zeros,
        scalar=STRUCTURAL,
        effect=("allocates",),
    ),
    define(
        "ones", CREATION, "A new array of ones.", evaluate=np.ones, scalar=STRUCTURAL, effect=("allocates",)
    ),
    define(
        "full",
        CREATION,
        "A new array of one value.",
        evaluate=np.full,
        scalar=STRUCTURAL,
        effect=("allocates",),
    ),
    define(
        "arange",
        CREATION,
        "Numbers in even steps.",
        evaluate=np.arange,
        scalar=STRUCTURAL,
        effect=("allocates",),
    ),
    define(
        "linspace",
        CREATION,
        "A number of values between two ends.",
        evaluate=np.linspace,
        scalar=STRUCTURAL,
        effect=("allocates",),
    ),
    define(
        "stand_in",
        OPAQUE,
        "The second operand, through which gradients go on to the first; no pass ever sees one.",
        gradient=lambda pullback: (pullback.cotangents[0], None),
    ),
    define("eye", CREATION, "Ones on a diagonal.", evaluate=np.eye, scalar=STRUCTURAL, effect=("allocates",)),
)
