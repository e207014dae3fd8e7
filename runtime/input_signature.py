"""Input signatures: the kinds of arguments that a decorated function was told to take, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .signature import ArraySpec, key_part, type_of, type_text


def fixes_sizes(specs: Sequence[Any] | None) -> bool:
    """Whether sizes of arrays are part of the signature, which keys of calls don't tell."""
    arrays = (spec for spec in specs or () if isinstance(spec, ArraySpec))
    return any(size is not None for spec in arrays for size in spec.shape)


def check(specs: Sequence[Any] | None, names: Sequence[str], values: Sequence[Any]) -> None:
    """Raise `TypeError` if the values of a call don't match; nothing is cast."""
    for name, value, spec in zip(names, values, specs or (), strict=False):
        fits = spec.admits(value) if isinstance(spec, ArraySpec) else key_part(spec) == key_part(value)
        if not fits:
            raise TypeError(f"{name}: input_signature asks for {_shown(spec)}, the call has {_shown(value)}")


def _shown(value: Any) -> str:
    if isinstance(value, ArraySpec):
        return str(value)
    type_ = type_of(value)
    sizes = f" of shape {value.shape}" if hasattr(value, "shape") else ""
    return (type(value).__name__ if str(type_) == "object" else type_text(type_)) + sizes
