"""Containers of numbers outside of traces: their leaves, in the order in which a trace finds them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np


def parts_of(value: Any) -> list[tuple[str, Any]] | None:
    """What a container holds, each with the text that reads it; None for what is no container."""
    if type(value) in (tuple, list):
        return [(f"[{k}]", item) for k, item in enumerate(value)]
    if type(value) is dict:
        return [(f"[{key!r}]", item) for key, item in value.items()]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return [(f".{name}", item) for name, item in zip(value._fields, value, strict=True)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = (field.name for field in dataclasses.fields(value) if field.init)
        return [(f".{name}", getattr(value, name)) for name in names]
    return None


def is_leaf(value: Any) -> bool:
    """A floating-point or complex number or array."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype.kind in "fc"
    return type(value) in (float, complex)


def cotangents(like: Any, given: Any, name: str = "the cotangent") -> list[Any]:
    """The leaves of `given`, one for each leaf of `like`: of its shape and dtype, and nobody else's memory.

    Raises:
        TypeError: `given` has another structure, or something in it another shape or kind.
    """
    if type(like) is type(given) is dict and like.keys() == given.keys():
        given = {key: given[key] for key in like}
    if (parts := parts_of(like)) is not None:
        inside = parts_of(given) if given is not None else [(label, None) for label, _ in parts]
        if inside is None or [label for label, _ in inside] != [label for label, _ in parts]:
            raise TypeError(f"{name} has another structure than the result, a {type(like).__name__}")
        pairs = zip(parts, inside, strict=True)
        return [leaf for (label, item), (_, own) in pairs for leaf in cotangents(item, own, f"{name}{label}")]
    return [_fitted(like, given, name)] if is_leaf(like) else []


def _fitted(like: Any, given: Any, name: str) -> Any:
    wanted = np.asarray(like)
    found = np.zeros(wanted.shape) if given is None else np.asarray(given)
    if found.dtype.kind not in "biufc" or found.shape != wanted.shape:
        raise TypeError(
            f"{name} is to be of shape {wanted.shape}, like the result; this one is {_shown(given)}"
        )
    if found.dtype.kind == "c" and wanted.dtype.kind != "c":
        raise TypeError(f"{name} is complex, the result is real")
    if isinstance(like, np.ndarray):
        return np.array(found, like.dtype, order="C")
    return type(like)(found[()])


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype.name} of shape {value.shape}"
    return repr(value)
