"""Products of matrices, vectors and stacks of matrices."""

from __future__ import annotations

import numpy as np

from . import samples
from .define import PRODUCT, OpDef, define

RECORDS: tuple[OpDef, ...] = (
    define(
        "matmul",
        PRODUCT,
        "Sums of products along the last axis of one and the last but one of the other.",
        lowers=(np.matmul,),
        evaluate=np.matmul,
        effect=("reads", "allocates"),
        samples=samples.ANY,
    ),
)
