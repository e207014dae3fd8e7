"""From Python values to graph types, and to the text that names a call's signature.

Never by size: a call with other shapes has the same signature.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..autograph.list_data import LONG_TEXT, RAGGED, SHORT, form_of
from ..autograph.told import hashes_by_itself, is_one_of, told
from ..graph.ir.overlap import WRITEABLE
from ..graph.ir.types import OBJECT, PYTHON_KINDS, Array, Scalar, Type, numpy_scalar, short_name

NATIVE = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()
)
"""dtypes that compiled code handles, in the machine's own byte order."""

C_CONTIGUOUS, F_CONTIGUOUS, ALIGNED = 0x1, 0x2, 0x100
_LAYOUT = {"C": C_CONTIGUOUS, "F": F_CONTIGUOUS, "A": 0}
_SCALARS: dict[type, Scalar] = {
    **{t: Scalar(k) for t, k in zip((bool, int, float, complex), PYTHON_KINDS, strict=True)},
    **{np.dtype(name).type: numpy_scalar(name) for name in NATIVE},
}
_DEEPEST, _LONGEST = 6, 64


@dataclasses.dataclass(frozen=True)
class ArraySpec:
    """An array argument without the array: sizes and dtype.

    Args:
        shape: one int per axis, None where any size may come; an int or None alone is one axis.
        dtype: of the array.

    Raises:
        TypeError: there is no such dtype.

    Example::

        spec = js.ArraySpec((None, 3), np.float32)
        assert str(spec) == "float32[None, 3]"
        print(js.to_code(lambda x: np.exp(x) + 1.0, spec, stage="graph"))
    """

    shape: tuple[int | None, ...]
    dtype: Any = np.float64

    def __post_init__(self) -> None:
        shape = (self.shape,) if self.shape is None or isinstance(self.shape, int) else tuple(self.shape)
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "dtype", np.dtype(self.dtype))

    def example(self) -> np.ndarray:
        """An array that fits; unknown sizes are all equal and long enough for slices of a few elements.

        Returns:
            Zeros of this dtype.

        Raises:
            ValueError: a size is negative.

        Example::

            assert js.ArraySpec((None, 3)).example().shape == (8, 3)
        """
        return np.zeros([8 if size is None else size for size in self.shape], self.dtype)

    def admits(self, value: Any) -> bool:
        """Whether `value` is an array of this dtype and shape; nothing is cast.

        Args:
            value: anything.

        Returns:
            True or False.

        Example::

            spec = js.ArraySpec((None,), np.float64)
            assert spec.admits(np.ones(5)) and not spec.admits(np.ones(5, np.float32))
        """
        return (
            isinstance(value, np.ndarray)
            and value.dtype == self.dtype
            and value.ndim == len(self.shape)
            and all(size in (None, given) for size, given in zip(self.shape, value.shape, strict=True))
        )

    def __str__(self) -> str:
        sizes = ", ".join("None" if size is None else str(size) for size in self.shape)
        return f"{self.dtype.name}[{sizes}]"


def type_of(value: Any) -> Type:
    """The graph type of `value`, with its sizes; `OBJECT` for what compiled code can't hold.

    Exact types only: a subclass of `ndarray` or `float` may mean anything by ``+``.
    """
    kind = type(value)
    if kind is np.ndarray:
        return _type_of_array(value)
    return _SCALARS[kind] if hashes_by_itself(kind) and kind in _SCALARS else OBJECT


def _type_of_array(array: np.ndarray) -> Type:
    flags = array.flags.num
    if array.dtype.name not in NATIVE or not array.dtype.isnative or not flags & ALIGNED:
        return OBJECT
    return Array(array.dtype, array.shape, layout_of(flags), bool(flags & WRITEABLE))


def layout_of(flags: int) -> str:
    """``C``, ``F`` or ``A`` from `ndarray.flags.num`; what is both is ``C``."""
    return "C" if flags & C_CONTIGUOUS else "F" if flags & F_CONTIGUOUS else "A"


def flags_of(layout: str, writeable: bool) -> tuple[int, int]:
    """Which bits of `ndarray.flags.num` tell arrays of this layout from others, and what they are."""
    mask = (C_CONTIGUOUS if layout == "C" else C_CONTIGUOUS | F_CONTIGUOUS) | ALIGNED | WRITEABLE
    return mask, _LAYOUT[layout] | ALIGNED | (WRITEABLE if writeable else 0)


def type_text(type_: Type) -> str:
    """A type as it is shown in signatures: ``f64[:,:]``, ``f64[:]:A``, ``int``; sizes left out."""
    if not isinstance(type_, Array):
        return str(type_)
    colons = ",".join(":" * len(type_.shape))
    layout = "" if type_.layout == "C" else f":{type_.layout}"
    return f"{short_name(type_.dtype)}[{colons}]{layout}{'' if type_.writeable else ':ro'}"


def value_text(value: Any, by_value: bool = False) -> str:
    """What a signature says of one argument: its type; what containers hold; which text or name.

    `by_value` shows numbers too: the argument was declared static.
    """
    try:
        return _value_text(value, by_value, 0)
    except Exception:  # objects of the user's may raise whatever they are asked
        return _name(type(value))


def _value_text(value: Any, by_value: bool, depth: int) -> str:
    kind = type(value)
    type_ = type_of(value)
    if by_value and is_one_of(kind, (bool, int, float, complex)):
        return repr(value)
    if type_ is not OBJECT:
        return type_text(type_)
    if kind is str and not depth and len(value) >= LONG_TEXT:
        return "str"
    if value is None or is_one_of(kind, (str, bytes)):
        return repr(value)
    if isinstance(value, np.ndarray):
        return f"{_name(kind)}({value.dtype.str},{value.ndim})"
    if isinstance(name := told(value, "__qualname__"), str) and callable(value):
        return f"{told(value, '__module__')}.{name}"
    if kind is list and len(value) > SHORT and (form := form_of(value)):
        axes = 1 if form[-1] == ")" else int(form[-1])
        return "list[" * axes + (form if form[-1] == ")" else form[:-1].rstrip(RAGGED)) + "]" * axes
    if depth < _DEEPEST and (parts := _parts(value)) is not None:
        inside = ",".join(f"{name}{_value_text(part, by_value, depth + 1)}" for name, part in parts)
        return f"{_name(kind)}({inside})"
    return _name(kind)


def _parts(value: Any) -> list[tuple[str, Any]] | None:
    """What `value` holds, with a label each; None for what isn't looked into."""
    if isinstance(value, (tuple, list)):
        items = [("", item) for item in value[:_LONGEST]]
        return items if len(value) <= _LONGEST else [(f"{len(value)}: ", value[0])]
    if isinstance(value, dict) and len(value) <= _LONGEST:
        return [
            (f"{key!r}: " if isinstance(key, str | int) else f"{_name(type(key))}: ", item)
            for key, item in value.items()
        ]
    if dataclasses.is_dataclass(value):
        return [(f"{f.name}=", getattr(value, f.name, None)) for f in dataclasses.fields(value)]
    return None


@dataclasses.dataclass(frozen=True, eq=False)
class Alone:
    """Stands in keys for a class that hashes and compares as it likes: it equals itself alone."""

    kind: type

    def __eq__(self, other: object) -> bool:
        return type(other) is Alone and other.kind is self.kind

    def __hash__(self) -> int:
        return id(self.kind)


def same_value(value: Any, wanted: Any) -> bool:
    """Equal types and values all the way down; ``0.0`` is not ``-0.0``, NaN is NaN."""
    if type(value) is not type(wanted):
        return False
    if isinstance(wanted, (tuple, list)):
        return len(value) == len(wanted) and all(map(same_value, value, wanted))
    if isinstance(wanted, dict):
        return list(value) == list(wanted) and all(map(same_value, value.values(), wanted.values()))
    if isinstance(wanted, (float, complex, np.generic)):
        return repr(value) == repr(wanted)
    return value is wanted or bool(value == wanted)


def key_part(value: Any) -> Any:
    """What tells two arguments apart without looking into them; equal parts give equal graph types."""
    kind = type(value)
    if kind is not np.ndarray:
        return kind if hashes_by_itself(kind) else Alone(kind)
    flags = value.flags.num
    return value.dtype, value.ndim, layout_of(flags), flags & (ALIGNED | WRITEABLE)


def is_simple(value: Any) -> bool:
    """Whether `key_part` says as much of an argument as its signature does."""
    if type_of(value) is not OBJECT:
        return True
    try:
        if isinstance(value, np.ndarray):
            return True
        told_by_type = value is not None and not isinstance(value, (str, bytes)) and not callable(value)
        return told_by_type and _parts(value) is None
    except Exception:
        return False


def why_plain(value: Any) -> str:
    """Why a call with this argument, or something in it, must run as plain Python; empty if it needn't."""
    try:
        return _why_plain(value, 0)
    except Exception as error:
        return f"an argument can't be looked at ({type(error).__name__})"


def _why_plain(value: Any, depth: int) -> str:
    if isinstance(value, np.ndarray):
        if type(value) is not np.ndarray:
            return f"{_name(type(value))} is an array of a type of its own"
        return "" if value.flags.num & ALIGNED else "an array is not aligned in memory"
    parts = _parts(value) if depth < _DEEPEST else None
    return next((reason for _, part in parts or () if (reason := _why_plain(part, depth + 1))), "")


def signature_text(arguments: Mapping[str, Any], static: Sequence[str] = ()) -> str:
    """The signature of a call: ``u: f64[:,:], tol: float``. Equal ones may need two specialisations."""
    return ", ".join(f"{name}: {value_text(value, name in static)}" for name, value in arguments.items())


def _name(kind: type) -> str:
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
