"""When slopes between neighbours are computed by programs."""

from __future__ import annotations

import numpy as np

from ...graph.ir import dims
from ...graph.ir.types import Scalar
from ...graph.symbolic.arith import type_of
from ...graph.symbolic.symbols import unwrap_union
from ...graph.trace.build import current
from ..wanted import is_wanted
from . import kinds, slopes
from .inline import PLAIN, Pays, inlined


def gradient(f: object, *varargs: object, axis: object = None) -> object:
    """``np.gradient`` of a vector or matrix whose neighbours are as far apart as a number says."""
    if not kinds.is_array(f) or f.ndim > 2 or f.dtype.kind not in "iuf" or f.order != "C" or not is_wanted():
        return PLAIN
    axes = tuple(range(f.ndim)) if axis is None else (axis,)
    if not all(type(one) is int and -f.ndim <= one < f.ndim for one in axes):
        return PLAIN
    given = tuple(map(unwrap_union, varargs)) or (1.0,)
    steps = given * len(axes) if len(given) == 1 else given
    if len(steps) != len(axes) or not all(isinstance(type_of(step), Scalar) for step in steps):
        return PLAIN
    places = [axis % f.ndim for axis in axes if isinstance(axis, int)]
    if not all(current().is_natural(dims.sub(f.shape_sizes[place], 2)) for place in places):
        return PLAIN
    array = f if f.dtype.kind == "f" else f.astype(np.float64)
    programs = (slopes.along,) if f.ndim == 1 else (slopes.down, slopes.across)
    found = [
        inlined(programs[place], (array, step, array.dtype), Pays.ALONE)
        for place, step in zip(places, steps, strict=True)
    ]
    if any(one is PLAIN for one in found):
        return PLAIN
    return found[0] if len(found) == 1 else tuple(found)
