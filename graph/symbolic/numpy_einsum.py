"""``np.einsum`` runs as it is; the sizes of its result follow from the labels."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir.dims import Size
from ..trace.build import current
from ..trace.called import call_of
from .numpy_api import Unknown, as_array, fresh
from .symbols import template
from .unknown_arrays import unknown_array


def labels_of(subscripts: str, ndims: Sequence[int]) -> tuple[list[str], str] | None:
    """The labels of operands and output, with ellipses written out; None where they don't fit."""
    written, arrow, output = subscripts.replace(" ", "").partition("->")
    terms = written.split(",")
    if len(terms) != len(ndims):
        return None
    free = [c for c in string.ascii_uppercase if c not in subscripts]
    extra = [ndim - len(term.replace("...", "")) for term, ndim in zip(terms, ndims, strict=True)]
    if any(n < 0 or (n and "..." not in term) for n, term in zip(extra, terms, strict=True)):
        return None
    widest = max((n for n, term in zip(extra, terms, strict=True) if "..." in term), default=0)
    dots = "".join(free[:widest])
    if not arrow:
        counted = "".join(term.replace("...", "") for term in terms)
        once = "".join(c for c in sorted(set(counted)) if counted.count(c) == 1)
        output = "..." * bool(widest) + once
    spelled = [
        term.replace("...", dots[widest - n :] if n else "") for term, n in zip(terms, extra, strict=True)
    ]
    output = output.replace("...", dots)
    return (spelled, output) if "." not in "".join((*spelled, output)) else None


def einsum(subscripts: Any, *operands: Any, optimize: Any = False) -> Any:
    """``np.einsum`` of arrays by letters."""
    if not isinstance(subscripts, str) or not operands:
        raise Unknown
    arrays = [as_array(value) for value in operands]
    found = labels_of(subscripts, [array.ndim for array in arrays])
    if found is None or any(array.dtype.kind not in "iufc" for array in arrays):
        raise Unknown
    labels, output = found
    sizes: dict[str, Size] = {}
    for label, array in zip(labels, arrays, strict=True):
        for letter, size in zip(label, array.shape_sizes, strict=True):
            known = sizes.setdefault(letter, size)
            if known == 1:
                sizes[letter] = size
            elif size != 1 and not current().same_size(known, size):
                raise Unknown
    dtype = np.result_type(*(array.dtype for array in arrays))
    shape = tuple(sizes[letter] for letter in output)
    kwargs = {"optimize": optimize} if optimize is not False else {}
    args = (subscripts, *operands)
    if len(arrays) > 1 or not shape:
        return fresh(np.einsum, args, kwargs, dtype, shape, "C" if len(shape) == 1 else None)
    under = template()  # of one operand it may be a view
    text, called = under.call("np.einsum", args, kwargs), call_of(under, np.einsum, args, kwargs)
    given, writeable = tuple(under.operands), arrays[0].type.writeable
    return unknown_array(
        given, text, dtype, len(shape), shape, aliases=True, writeable=writeable, called=called
    )
