"""How far two results are apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


def difference(expected: object, actual: object) -> float:
    """How far results are apart: 0.0 for equal bits, infinite for other types, dtypes or shapes."""
    left, right = list(leaves(expected)), list(leaves(actual))
    if len(left) != len(right):
        return float("inf")
    return max((_apart(a, b) for a, b in zip(left, right, strict=True)), default=0.0)


def leaves(value: object) -> Iterator[object]:
    """The arrays, numbers and other things in tuples, lists and dicts."""
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from leaves(item)
    else:
        yield value


def _apart(a: object, b: object) -> float:
    if type(a) is not type(b):
        return float("inf")
    if not isinstance(a, (np.ndarray, np.generic, float, complex)):
        simple = isinstance(a, (int, str, bytes, bool, type(None)))
        return 0.0 if not simple or a == b else float("inf")
    one, other = np.asarray(a), np.asarray(b)
    if one.dtype != other.dtype or one.shape != other.shape:
        return float("inf")
    if one.tobytes() == other.tobytes():
        return 0.0
    if one.dtype.kind not in "fc":
        return float("inf")
    with np.errstate(all="ignore"):
        gap = np.abs(one - other)
        same = (one == other) | ((one != one) & (other != other))
        scale = np.abs(one[np.isfinite(one)]).max(initial=0.0)
        found = np.where(same, 0.0, gap).max(initial=0.0) / (scale or 1.0)
    return max(float(found), 5e-324) if found == found else float("inf")
