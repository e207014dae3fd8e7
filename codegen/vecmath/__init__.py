"""The numeric functions that generated modules import: elementwise math that vectorises, and NumPy's reductions.

`from jitscope.codegen.vecmath import exp, pairwise_sum` in a module of `@njit` functions. Each name is an ordinary Python
function that gives NumPy's answer when called from Python; Numba lowers calls of it straight to LLVM instructions.
float32 arguments give float32, all other numbers float64. The patterns for fused reductions are in `reductions`.
"""

from .exp_log import exp, exp2, expm1, log, log1p, log2, log10
from .hyperbolic import cosh, sinh, tanh
from .powers import power
from .reductions import (
    CHUNK,
    fmax,
    fmin,
    larger,
    maximum,
    minimum,
    pairwise_chunk,
    pairwise_merge,
    pairwise_sum,
    smaller,
)

__all__ = [
    "CHUNK",
    "cosh",
    "exp",
    "exp2",
    "expm1",
    "fmax",
    "fmin",
    "larger",
    "log",
    "log1p",
    "log2",
    "log10",
    "maximum",
    "minimum",
    "pairwise_chunk",
    "pairwise_merge",
    "pairwise_sum",
    "power",
    "sinh",
    "smaller",
    "tanh",
]
