"""`apply_gufunc`: functions of some axes of Dask arrays, looped over all others."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.ir import dims
from ..graph.ir.types import Array, Scalar
from ..runtime.decorator import function as decorated
from ..runtime.errors import JitscopeError
from .installed import dask_array
from .traced import FunctionTrace, traced_for

_CORE = re.compile(r"\(([^()]*)\)")
_SIGNATURE = re.compile(r"(\([\w,]*\),?)*->(\([\w,]*\),?)*")


def apply_gufunc(
    f: Callable[..., Any], signature: str, *args: Any, vectorize: bool = True, **options: Any
) -> Any:
    """Call `f` for the core axes of Dask arrays, and loop over all others, as `dask.array.apply_gufunc` does.

    The dtypes of the results are inferred from the function's trace, and so are the sizes of core axes that
    only results have.

    Args:
        f: a plain or a decorated function of NumPy arrays that have the core axes alone. It is decorated if
            it isn't.
        signature: the core axes of arguments and results, as ``"(i),(i)->()"`` or ``"(i,j)->(i),(j)"``.
        *args: Dask or NumPy arrays, whose last axes are the core axes; these must have one block each, unless
            ``allow_rechunk=True`` says to make it one.
        vectorize: False says that `f` takes arrays with all axes and loops over the others itself.
        **options: what `dask.array.apply_gufunc` takes besides: `axes`, `axis`, `keepdims`, `allow_rechunk`,
            `output_dtypes`, `output_sizes`.

    Returns:
        A Dask array for each result of the signature; one alone as it is.

    Raises:
        JitscopeError: the function can't be traced, and `output_dtypes` doesn't say the dtypes.
        ValueError: the signature doesn't fit the arguments.
        ImportError: Dask isn't installed.

    Example::

        import dask.array as da

        def slope(x, y):
            dx = x - x.mean()
            return (dx * (y - y.mean())).sum() / (dx * dx).sum()

        rng = np.random.default_rng(0)
        y = da.from_array(rng.random((100, 20)), chunks=(30, 20))
        found = js.dask.apply_gufunc(slope, "(i),(i)->()", np.arange(20.0), y)
        assert found.shape == (100,)
    """
    da = dask_array()
    own = f if hasattr(f, "__jitscope__") else decorated(f)
    if "output_dtypes" not in options:
        dtypes, sizes = _inferred(own, signature, args, vectorize)
        options["output_dtypes"] = dtypes if len(dtypes) > 1 else dtypes[0]
        options.setdefault("output_sizes", sizes)
    if not vectorize:
        return da.apply_gufunc(own, signature, *args, **options)
    return da.apply_gufunc(own, signature, *args, vectorize=True, **options)


def _inferred(
    f: Callable[..., Any], signature: str, args: Sequence[Any], vectorize: bool
) -> tuple[list[np.dtype], dict[str, int]]:
    """The dtypes of the results, and the sizes of core axes that only results have."""
    if not _SIGNATURE.fullmatch(signature.replace(" ", "")):
        raise ValueError(f"{signature!r} is no signature; one is '(i),(i,j)->(j)'")
    inputs, _, outputs = signature.replace(" ", "").partition("->")
    cores, given = [_names(core) for core in _CORE.findall(inputs)], _CORE.findall(outputs)
    if len(cores) != len(args):
        raise ValueError(f"{signature!r} has {len(cores)} arguments, {len(args)} are given")
    examples = [
        _example(arg, len(core) if vectorize else None) for arg, core in zip(args, cores, strict=True)
    ]
    trace = traced_for(f, examples, {})
    node = trace.graph.body.ending
    places = map(int, re.findall(r"\{(\d+)\}", str(node.attrs.get("text", ""))))  # one may be there twice
    results = [node.operands[place].type for place in places]
    if len(results) != max(len(given), 1) or not all(isinstance(type_, Array | Scalar) for type_ in results):
        raise JitscopeError(
            f"{f.__name__} doesn't return {len(given)} arrays or numbers, as {signature!r} says", node.loc
        )
    if len(results) == 1 and str(node.attrs.get("text", "")).startswith("("):
        raise JitscopeError(f"{f.__name__} returns a tuple, and {signature!r} says one array", node.loc)
    known, measured = {name for core in cores for name in core}, _measured(f, trace, examples)
    sizes: dict[str, int] = {}
    for type_, core in zip(results, map(_names, given), strict=True):
        shape = type_.shape[-len(core) :] if isinstance(type_, Array) and core else ()
        lengths = [(name, dims.evaluate(size, measured)) for name, size in zip(core, shape, strict=False)]
        sizes |= {name: length for name, length in lengths if name not in known and length is not None}
    missing = sorted({name for core in map(_names, given) for name in core} - known - sizes.keys())
    if missing:
        raise JitscopeError(
            f"nobody knows how long {missing[0]!r} of {signature!r} is before a result is there",
            node.loc,
            attempt=f"say it: output_sizes={{{missing[0]!r}: ...}}",
        )
    return [type_.dtype for type_ in results], sizes  # type: ignore[union-attr]


def _measured(f: Callable[..., Any], trace: FunctionTrace, examples: Sequence[Any]) -> dict[str, int]:
    """The sizes that the trace has measured."""
    given = dict(zip(inspect.signature(f).parameters, examples, strict=False))
    names = {param: name for name, param in trace.params.items()}
    found = {
        symbol: (given[names[value]], axis)
        for symbol, (value, axis) in trace.graph.sizes.items()
        if value in names
    }
    return {symbol: array.shape[axis] for symbol, (array, axis) in found.items()}


def _names(core: str) -> list[str]:
    return [name for name in core.split(",") if name]


def _example(arg: Any, ndim: int | None) -> Any:
    """An array like the last `ndim` axes of an argument; a number, where it has none."""
    if not hasattr(arg, "dtype"):
        return arg
    shape = arg.shape if ndim is None else arg.shape[len(arg.shape) - ndim :]
    return np.zeros(shape, arg.dtype) if shape else arg.dtype.type(1)
