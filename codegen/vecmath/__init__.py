"""The numeric functions that generated modules import: elementwise math that vectorises, and NumPy's
reductions.

`from jitscope.codegen.vecmath import exp, pairwise_sum` in a module of `@njit` functions. Each name is an
ordinary Python function that gives NumPy's answer when called from Python; Numba lowers calls of it straight
to LLVM instructions. float32 arguments give float32, all other numbers float64. The patterns for fused
reductions are in `sums` and `extremes`.
"""

from . import exp_log, hyperbolic, inverse, powers, trig
from .extremes import fmax, fmin, larger, maximum, minimum, smaller
from .formula import vectorised_in
from .sums import CHUNK, pairwise_chunk, pairwise_merge, pairwise_sum

for _room in (exp_log, hyperbolic, inverse, powers, trig):
    globals().update(vectorised_in(_room))
