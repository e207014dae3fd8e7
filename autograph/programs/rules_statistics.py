"""When statistics are computed by programs."""

from __future__ import annotations

from typing import TypeGuard

import numpy as np

from ...graph.ir import dims
from ...graph.symbolic.arrays import SymbolicArray
from ...graph.trace.build import current
from ..wanted import is_wanted
from . import kinds, statistics
from .inline import PLAIN, Pays, inlined


def cov(m: object, y: object = None, rowvar: object = True) -> object:
    """``np.cov`` of a matrix of float64."""
    if y is not None or not _has_samples(m, rowvar):
        return PLAIN
    return inlined(statistics.covariance, (m, not rowvar), Pays.ALONE)


def corrcoef(x: object, y: object = None, rowvar: object = True) -> object:
    """``np.corrcoef`` of a matrix of float64."""
    if y is not None or not _has_samples(x, rowvar):
        return PLAIN
    return inlined(statistics.correlation, (x, not rowvar), Pays.ALONE)


def _has_samples(m: object, rowvar: object) -> TypeGuard[SymbolicArray]:
    """Whether there are several variables and samples, so that the result is a matrix of numbers."""
    if not kinds.is_array(m, 2) or m.dtype != np.float64 or m.order != "C" or type(rowvar) is not bool:
        return False
    return is_wanted() and all(current().is_natural(dims.sub(size, 2)) for size in m.shape_sizes)
