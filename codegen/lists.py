"""Lists of numbers that leave compiled code: without NaN, as ``in`` of lists asks for the same object."""

from __future__ import annotations

import numpy as np

from .faults import Deoptimise


def without_nan(*arrays: np.ndarray) -> None:
    """Say that the plain function has to run where an array holds NaN: which object it was is not known here.

    Raises:
        Deoptimise: one does.
    """
    for array in arrays:
        if (array != array).any():
            raise Deoptimise("a list got NaN, and lists ask whether NaN is the same object")


def scalars(array: np.ndarray) -> list[object]:
    """The new list of the floating-point numbers of an array, which stay NumPy's.

    Raises:
        Deoptimise: one is NaN.
    """
    without_nan(array)
    return list(array)


def listed(array: np.ndarray) -> list[object]:
    """The new list of an array of floating-point numbers.

    Raises:
        Deoptimise: it holds NaN.
    """
    without_nan(array)
    found: list[object] = array.tolist()
    return found
