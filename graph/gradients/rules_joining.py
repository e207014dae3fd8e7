"""Gradients of NumPy calls that put arrays together, repeat them, or make them from numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .arguments import Given, Refused, as_given, value_of
from .backward import Backward, Numbers, Rule
from .gathers import made, scattered, scattered_along
from .words import conj


def _concatenate(
    p: Backward, arrays: Any, axis: Any = 0, out: Any = None, dtype: Any = None
) -> Sequence[Any]:
    parts = _parts(p, arrays)
    if axis is None:
        return _shared(p, parts, _split(p.g, parts, [part.size for part in parts], 0))
    at = axis % parts[0].ndim
    return _shared(p, parts, _split(p.g, parts, [part.shape[at] for part in parts], at))


def _parts(p: Backward, arrays: Any) -> list[Given]:
    if not isinstance(arrays, (list, tuple)):
        raise Refused("of anything but a list of arrays")
    return [as_given(p.pullback, part) for part in arrays]


def _shared(p: Backward, parts: list[Given], pieces: list[Any]) -> Sequence[Any]:
    """Each part has its piece of the cotangent."""
    for part, piece in zip(parts, pieces, strict=True):
        part.collect(piece, p.found)
    return ()


def _split(g: Any, parts: list[Given], lengths: list[Any], at: int) -> list[Any]:
    """The piece of `g` for each part, in the part's own shape."""
    begin: Any = 0
    found = []
    for part, length in zip(parts, lengths, strict=True):
        piece = g[(*(slice(None),) * at, slice(begin, begin + length))]
        if not part.ndim:
            found.append(np.sum(piece))
        else:
            found.append(piece if part.ndim == g.ndim else np.reshape(piece, part.shape))
        begin = begin + length
    return found


def _stack(p: Backward, arrays: Any, axis: int = 0, out: Any = None) -> Sequence[Any]:
    at = axis % p.g.ndim
    return ([p.g[(*(slice(None),) * at, k)] for k in range(len(arrays))],)


def _vstack(p: Backward, tup: Any) -> Sequence[Any]:
    parts = _parts(p, tup)
    return _shared(p, parts, _split(p.g, parts, [part.shape[0] if part.ndim > 1 else 1 for part in parts], 0))


def _hstack(p: Backward, tup: Any) -> Sequence[Any]:
    parts = _parts(p, tup)
    at = 0 if p.g.ndim == 1 else 1
    return _shared(p, parts, _split(p.g, parts, [part.shape[at] if part.ndim else 1 for part in parts], at))


def _column_stack(p: Backward, tup: Any) -> Sequence[Any]:
    parts = _parts(p, tup)
    return _shared(p, parts, _split(p.g, parts, [part.shape[1] if part.ndim > 1 else 1 for part in parts], 1))


def _dstack(p: Backward, tup: Any) -> Sequence[Any]:
    parts = _parts(p, tup)
    return _shared(p, parts, _split(p.g, parts, [part.shape[2] if part.ndim > 2 else 1 for part in parts], 2))


def _append(p: Backward, arr: Any, values: Any, axis: Any = None) -> Sequence[Any]:
    return _concatenate(p, [arr, values], axis)


def _display(p: Backward, value: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Sequence[Any]:
    """``np.array`` of nested lists: the part of each leaf."""
    return (_leaves(p.g, value),)


def _leaves(g: Any, value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_leaves(g[k], item) for k, item in enumerate(value)]
    return g


def _repeat(p: Backward, a: Given, repeats: Any, axis: Any = None) -> Sequence[Any]:
    times = value_of(repeats)
    if axis is None and a.ndim > 1:
        places = np.repeat(made(np.arange, a.size), times)
        return (scattered((a.size,), places, p.g).reshape(a.shape),)
    at = 0 if axis is None else axis % a.ndim
    places = np.repeat(made(np.arange, a.shape[at]), times)
    return (scattered_along(p.g, places, at, a.shape[at]),)


def _tile(p: Backward, A: Given, reps: Any) -> Sequence[Any]:  # noqa: N803 (NumPy's name)
    times = value_of(reps)
    times = tuple(times) if isinstance(times, (list, tuple)) else (times,)
    ndim = max(A.ndim, len(times))
    times = (1,) * (ndim - len(times)) + times
    sizes = (1,) * (ndim - A.ndim) + A.shape
    split = [size for pair in zip(times, sizes, strict=True) for size in pair]
    summed = np.sum(np.reshape(p.g, tuple(split)), axis=tuple(range(0, 2 * ndim, 2)))
    return (summed if ndim == A.ndim else np.reshape(summed, A.shape),)


def _pad(p: Backward, array: Given, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Sequence[Any]:
    """Each axis by itself: what is put around is constant, or comes from elements inside."""
    if mode in ("linear_ramp", "maximum", "mean", "median", "minimum", "empty") or callable(mode):
        raise Refused(f"mode={mode!r}")
    if kwargs.get("reflect_type", "even") != "even":  # twice the edge minus what is mirrored
        raise Refused(f"reflect_type={kwargs['reflect_type']!r}")
    g = p.g
    for axis, (before, after) in enumerate(_widths(pad_width, array.ndim)):
        size = array.shape[axis]
        if mode == "constant":
            g = g[(*(slice(None),) * axis, slice(before, before + size))]
        else:
            places = made(np.pad, made(np.arange, size), (before, after), mode=mode, **kwargs)
            g = scattered_along(g, places, axis, size)
    return (g,)


def _widths(pad_width: Any, ndim: int) -> list[tuple[int, int]]:
    if any(isinstance(width, Given) for width in np.ravel(np.array(pad_width, object))):
        raise Refused("of widths known only at run time")
    return [(int(a), int(b)) for a, b in np.broadcast_to(np.array(pad_width), (ndim, 2))]


def _linspace(
    p: Backward, start: Any, stop: Any, num: Any = 50, endpoint: bool = True, *args: Any, **kwargs: Any
) -> Sequence[Any]:
    g = p.g
    if g.ndim > 1:
        raise Refused("between arrays")
    share = made(np.linspace, 0.0, 1.0, g.shape[0], endpoint=endpoint)
    return (np.sum(g * (1 - share)), np.sum(g * share))


def _arange(p: Backward, *args: Any, dtype: Any = None) -> Sequence[Any]:
    """Start and step move the numbers; how many there are is no matter of derivatives."""
    step = np.sum(p.g * made(np.arange, p.g.shape[0]))
    start = np.sum(p.g)
    return ({1: [None], 2: [start, None], 3: [start, None, step]}[len(args)],)


def _full_like(p: Backward, a: Any, fill_value: Numbers, *args: Any, **kwargs: Any) -> Sequence[Any]:
    scalar = not isinstance(fill_value, Given) or not fill_value.ndim
    return (None, np.sum(p.g) if scalar else p.g)


def _vander(p: Backward, x: Given, N: Any = None, increasing: bool = False) -> Sequence[Any]:  # noqa: N803
    """The derivative of a power is the next lower power times its exponent."""
    columns = p.g.shape[1]
    lower = made(np.vander, x.value, columns - 1, increasing=True) * made(np.arange, 1, columns)
    g = p.g[:, 1:] if increasing else p.g[:, ::-1][:, 1:]
    return (np.sum(g * conj(lower), axis=1),)


RULES: dict[Any, Rule] = {
    np.concatenate: _concatenate,
    np.stack: _stack,
    np.vstack: _vstack,
    np.hstack: _hstack,
    np.column_stack: _column_stack,
    np.dstack: _dstack,
    np.append: _append,
    np.array: _display,
    np.asarray: _display,
    np.asanyarray: _display,
    np.repeat: _repeat,
    np.tile: _tile,
    np.pad: _pad,
    np.linspace: _linspace,
    np.arange: _arange,
    np.full_like: _full_like,
    np.full: _full_like,
    np.vander: _vander,
}
