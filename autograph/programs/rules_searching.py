"""When places are looked for by programs."""

from __future__ import annotations

import numpy as np

from ...graph.symbolic.arrays import SymbolicArray
from ...graph.symbolic.symbols import SymbolicScalar
from ...graph.trace.build import rules
from . import kinds, searching
from .inline import PLAIN, Pays, inlined
from .known import counted


def flatnonzero(a: object) -> object:
    """``np.flatnonzero`` of a vector."""
    if not kinds.is_array(a, 1) or (mask := _truths(a)) is None:
        return PLAIN
    return inlined(searching.nonzero, (mask, lambda: counted(mask)), Pays.BESIDE_OTHERS)


def nonzero(a: object) -> object:
    """``np.nonzero`` of a vector or a matrix: an array for each axis."""
    if kinds.is_array(a, 2) and (mask := _truths(a)) is not None:
        places = inlined(searching.nonzero_of_matrix, (mask, lambda: counted(mask)), Pays.ALONE)
        return (places[:, 0], places[:, 1]) if isinstance(places, SymbolicArray) else PLAIN
    found = flatnonzero(a)
    return PLAIN if found is PLAIN else (found,)


def where(condition: object) -> object:
    """``np.where`` of a condition alone."""
    return nonzero(condition)


def argwhere(a: object) -> object:
    """``np.argwhere`` of a matrix."""
    if not kinds.is_array(a, 2) or (mask := _truths(a)) is None:
        return PLAIN
    return inlined(searching.argwhere_of_matrix, (mask, lambda: counted(mask)), Pays.ALONE)


def _truths(a: SymbolicArray) -> SymbolicArray | None:
    """Where elements aren't zero."""
    if a.dtype.kind == "b":
        return a
    found = rules().binary("ne", a, 0)
    return found if isinstance(found, SymbolicArray) else None


def searchsorted(a: object, v: object, side: object = "left") -> object:
    """``np.searchsorted`` of numbers of one dtype."""
    if not kinds.is_array(a, 1) or a.dtype.kind == "c" or side not in ("left", "right"):
        return PLAIN
    left = side == "left"
    if kinds.is_array(v, 1) and v.dtype == a.dtype:
        return inlined(searching.search, (a, v, left), Pays.IN_LOOPS)
    one = isinstance(v, SymbolicScalar) and v.type.dtype == a.dtype
    if one or (type(v) is float and a.dtype == np.float64):
        return inlined(searching.search_one, (a, v, left), Pays.IN_LOOPS)
    return PLAIN


def digitize(x: object, bins: object, right: object = False) -> object:
    """``np.digitize`` of numbers of one dtype."""
    if not (kinds.is_array(x, 1) and kinds.is_array(bins, 1)) or x.dtype != bins.dtype:
        return PLAIN
    if x.dtype.kind not in "iuf" or type(right) is not bool:
        return PLAIN
    return inlined(searching.digitize, (x, bins, right), Pays.IN_LOOPS)


def interp(x: object, xp: object, fp: object) -> object:
    """``np.interp`` of float64, along points of which there are some."""
    if not (kinds.is_real(xp) and kinds.is_real(fp)) or {xp.dtype, fp.dtype} != {np.dtype(float)}:
        return PLAIN
    if not kinds.same_length(xp, fp) or not kinds.is_not_empty(xp):
        return PLAIN
    if kinds.is_real(x) and x.dtype == np.float64:
        return inlined(searching.interp, (x, xp, fp), Pays.ALONE)
    one = isinstance(x, SymbolicScalar) and x.type.dtype == np.float64
    return inlined(searching.interp_one, (x, xp, fp), Pays.BESIDE_OTHERS) if one else PLAIN
