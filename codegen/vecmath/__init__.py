"""The numeric functions that generated modules import: elementwise math that vectorises, and NumPy's
reductions.

`from jitscope.codegen.vecmath import exp, pairwise_sum` in a module of `@njit` functions. Each name is an
ordinary Python function that gives NumPy's answer when called from Python; Numba lowers calls of it straight
to LLVM instructions. float32 arguments give float32, all other numbers float64. The patterns for fused
reductions are in `sums` and `extremes`.
"""

from .exp_log import exp, exp2, expm1, log, log1p, log2, log10
from .extremes import fmax, fmin, larger, maximum, minimum, smaller
from .hyperbolic import cosh, sinh, tanh
from .powers import power
from .sums import CHUNK, pairwise_chunk, pairwise_merge, pairwise_sum
from .trig import NEAR, arctan, arctan2, cos, cos_near, hypot, sin, sin_near, sqrt, tan, tan_near

__all__ = [
    "CHUNK",
    "NEAR",
    "arctan",
    "arctan2",
    "cos",
    "cos_near",
    "cosh",
    "exp",
    "exp2",
    "expm1",
    "fmax",
    "fmin",
    "hypot",
    "larger",
    "log",
    "log10",
    "log1p",
    "log2",
    "maximum",
    "minimum",
    "pairwise_chunk",
    "pairwise_merge",
    "pairwise_sum",
    "power",
    "sin",
    "sin_near",
    "sinh",
    "smaller",
    "sqrt",
    "tan",
    "tan_near",
    "tanh",
]
