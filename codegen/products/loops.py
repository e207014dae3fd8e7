"""Products of integers, booleans and few complex numbers: loops as one writes them, added to what is there.

Integers wrap as NumPy's do; a product of booleans is true where a pair is.
"""

from __future__ import annotations

from typing import Any


def clear(out: Any) -> None:
    """All zeros."""
    everything = out.reshape(-1)
    for index in range(everything.size):
        everything[index] = 0


def matrices(a: Any, b: Any, out: Any) -> None:
    """Both are matrices."""
    for i in range(out.shape[0]):
        for k in range(a.shape[1]):
            x = a[i, k]
            for j in range(out.shape[1]):
                out[i, j] += x * b[k, j]


def matrix_vector(a: Any, b: Any, out: Any) -> None:
    """A matrix by a vector."""
    for i in range(out.shape[0]):
        total = out[i]
        for k in range(a.shape[1]):
            total += a[i, k] * b[k]
        out[i] = total


def vector_matrix(a: Any, b: Any, out: Any) -> None:
    """A vector by a matrix."""
    for k in range(a.shape[0]):
        x = a[k]
        for j in range(out.shape[0]):
            out[j] += x * b[k, j]


def vectors(a: Any, b: Any) -> Any:
    """Two vectors."""
    total = a.dtype.type(0)
    for k in range(a.shape[0]):
        total += a[k] * b[k]
    return total


def boolean_matrices(a: Any, b: Any, out: Any) -> None:
    """Both are matrices of booleans."""
    for i in range(out.shape[0]):
        for k in range(a.shape[1]):
            if a[i, k]:
                for j in range(out.shape[1]):
                    out[i, j] |= b[k, j]


def boolean_matrix_vector(a: Any, b: Any, out: Any) -> None:
    """A matrix by a vector, of booleans."""
    for i in range(out.shape[0]):
        found = out[i]
        for k in range(a.shape[1]):
            found |= a[i, k] & b[k]
        out[i] = found


def boolean_vector_matrix(a: Any, b: Any, out: Any) -> None:
    """A vector by a matrix, of booleans."""
    for k in range(a.shape[0]):
        if a[k]:
            for j in range(out.shape[0]):
                out[j] |= b[k, j]


def boolean_vectors(a: Any, b: Any) -> Any:
    """Two vectors of booleans."""
    found = False
    for k in range(a.shape[0]):
        found |= a[k] & b[k]
    return found


MULTIPLY = {(2, 2): matrices, (2, 1): matrix_vector, (1, 2): vector_matrix}
MULTIPLY_BOOLEANS = {(2, 2): boolean_matrices, (2, 1): boolean_matrix_vector, (1, 2): boolean_vector_matrix}
