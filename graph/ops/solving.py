"""Systems of linear equations, by NumPy's own LAPACK: with the bits that NumPy gives.

`np.linalg.solve` and `inv` call `dgesv` (`zgesv`) on matrices in columns: Anderson et al., LAPACK Users'
Guide, 1999, ch. 2.3.1. NumPy computes in float64 or complex128 whatever it is given.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ..ir import numpy_libraries
from . import samples
from .define import ROUTINE, STRUCTURAL, NotDifferentiable, define

ROUTINES = {"float64": "dgesv", "complex128": "zgesv"}
"""The routine for each dtype."""


@cache
def address(routine: str) -> int | None:
    """The address of a routine of LAPACK with 64-bit integers; None where NumPy brings none."""
    return numpy_libraries.address((f"scipy_{routine}_64_", f"{routine}_64_", f"{routine}$NEWLAPACK$ILP64"))


RECORDS = (
    define(
        "solve",
        ROUTINE,
        "The solution of linear equations; LinAlgError for a singular matrix.",
        evaluate=np.linalg.solve,
        scalar=STRUCTURAL,
        module="solving",
        effect=("reads", "allocates", "raises"),
        written="np.linalg.solve({0}, {1})",
        gradient=NotDifferentiable("its rule is that of NumPy's call"),
        operands=(2, 2),
        samples=samples.ANY,
    ),
    define(
        "inv",
        ROUTINE,
        "The inverse of a matrix; LinAlgError for a singular one.",
        evaluate=np.linalg.inv,
        scalar=STRUCTURAL,
        module="solving",
        effect=("reads", "allocates", "raises"),
        written="np.linalg.inv({0})",
        gradient=NotDifferentiable("its rule is that of NumPy's call"),
        operands=(1, 1),
        samples=samples.ANY,
    ),
)
