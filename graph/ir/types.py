"""Types of values: Python and NumPy scalars, arrays, and objects that only the driver can hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import dims
from .dims import Size

PYTHON_KINDS = ("bool", "int", "float", "complex")
_PYTHON_DTYPES = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number. `kind` is ``bool int float complex`` for Python's own, else a NumPy scalar type's dtype name.

    The dtype name of NumPy's boolean scalar is written ``bool_`` to tell it from Python's ``bool``.
    """

    kind: str

    @property
    def is_python(self) -> bool:
        """Python's own number (weak in promotion), not a NumPy scalar."""
        return self.kind in PYTHON_KINDS

    @property
    def dtype(self) -> np.dtype:
        """How the number is held in compiled code."""
        return np.dtype(_PYTHON_DTYPES.get(self.kind, "bool" if self.kind == "bool_" else self.kind))

    def __str__(self) -> str:
        return self.kind if self.is_python else f"np.{self.kind}"


BOOL, INT, FLOAT, COMPLEX = (Scalar(kind) for kind in PYTHON_KINDS)


def numpy_scalar(dtype: np.dtype | str) -> Scalar:
    """The type of NumPy scalars of `dtype`."""
    name = np.dtype(dtype).name
    return Scalar("bool_" if name == "bool" else name)


@dataclass(frozen=True, slots=True)
class Array:
    """An ndarray: dtype, one size per axis, memory layout (``C``, ``F`` or ``A`` for any strides)."""

    dtype: np.dtype
    shape: tuple[Size, ...]
    layout: str = "C"
    writeable: bool = True

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __str__(self) -> str:
        sizes = ",".join(dims.text(size) for size in self.shape)
        suffix = "" if self.layout == "C" else f":{self.layout}"
        return f"{short_name(self.dtype)}[{sizes}]{suffix}{'' if self.writeable else ':ro'}"


@dataclass(frozen=True, slots=True)
class Object:
    """Any Python object: it lives in the driver, compiled code never sees it."""

    def __str__(self) -> str:
        return "object"


OBJECT = Object()
Type = Scalar | Array | Object


def short_name(dtype: np.dtype) -> str:
    """``f64``, ``i32``, ``c128``, ``bool`` ...: the dtype's name in printed graphs."""
    return "bool" if dtype.kind == "b" else f"{dtype.kind}{dtype.itemsize * 8}"
