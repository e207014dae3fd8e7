"""Sorting for `@njit` code, by NumPy's own C (`graph/ops/ordering.py`).

`sort(a, out)` writes the numbers of a vector in their order to a contiguous one of its dtype and size that is
not `a`; `argsort(a, out)` and `stable(a, out)` write where they stand. Called from Python they are NumPy's
own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.base import BaseContext
from numba.core.typing import signature
from numba.core.typing.context import BaseContext as TypingContext
from numba.core.typing.templates import Signature
from numba.extending import intrinsic, lower_builtin, type_callable

from ..graph.ops.ordering import DTYPES, PLACES
from .own_symbols import sorter, tell

_BYTES, _SIZE, _STATUS = ir.IntType(8).as_pointer(), ir.IntType(64), ir.IntType(32)

for _function in PLACES:
    for _dtype in DTYPES:
        tell(sorter(_function, _dtype))  # machine code from the cache is loaded next


def sort(a: np.ndarray, out: np.ndarray) -> None:
    """``out[...] = np.sort(a)``."""
    out[...] = np.sort(a)


def argsort(a: np.ndarray, out: np.ndarray) -> None:
    """``out[...] = np.argsort(a)``."""
    out[...] = np.argsort(a)


def stable(a: np.ndarray, out: np.ndarray) -> None:
    """``out[...] = np.argsort(a, kind="stable")``."""
    out[...] = np.argsort(a, kind="stable")


def _type(context: TypingContext) -> Callable[[types.Type, types.Type], Signature | None]:
    def typer(a: types.Type, out: types.Type) -> Signature | None:
        if not isinstance(a, types.Array) or not isinstance(out, types.Array):
            return None
        return signature(types.none, a, out) if a.ndim == out.ndim == 1 and out.layout == "C" else None

    return typer


type_callable(sort)(_type)
type_callable(argsort)(_type)
type_callable(stable)(_type)


def _generate(name: str) -> Callable[..., ir.Value]:
    """Writes the call of NumPy's function on the memory of contiguous vectors of one size."""

    def generate(
        context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]
    ) -> ir.Value:
        given = zip(sig.args, args, strict=True)
        arrays = [context.make_array(kind)(context, builder, array) for kind, array in given]
        pointers = [builder.bitcast(array.data, _BYTES) for array in arrays]
        takes = ir.FunctionType(_STATUS, [*(pointer.type for pointer in pointers), _SIZE, _BYTES])
        symbol = sorter(name, str(sig.args[0].dtype))
        function = cgutils.get_or_insert_function(builder.module, takes, symbol)
        builder.call(function, [*pointers, arrays[0].nitems, _BYTES(None)])
        return context.get_dummy_value()

    return generate


@intrinsic
def _sort_in_place(context: BaseContext, out: types.Type) -> tuple[Signature, Callable[..., ir.Value]]:
    return signature(types.none, out), _generate("sort")


@intrinsic
def _order(
    context: BaseContext, a: types.Type, places: types.Type
) -> tuple[Signature, Callable[..., ir.Value]]:
    return signature(types.none, a, places), _generate("argsort")


@intrinsic
def _stable_order(
    context: BaseContext, a: types.Type, places: types.Type
) -> tuple[Signature, Callable[..., ir.Value]]:
    return signature(types.none, a, places), _generate("stable")


def _sorted(a: np.ndarray, out: np.ndarray) -> None:
    for k in range(a.size):
        out[k] = a[k]
    _sort_in_place(out)  # type: ignore[call-arg, arg-type]  # Numba gives the context


def _ordered(a: np.ndarray, out: np.ndarray) -> None:
    for k in range(a.size):
        out[k] = k
    _order(a, out)  # type: ignore[call-arg, arg-type]


def _copied_and_ordered(a: np.ndarray, out: np.ndarray) -> None:
    argsort(a.copy(), out)


def _stably_ordered(a: np.ndarray, out: np.ndarray) -> None:
    for k in range(a.size):
        out[k] = k
    _stable_order(a, out)  # type: ignore[call-arg, arg-type]


def _copied_and_stably_ordered(a: np.ndarray, out: np.ndarray) -> None:
    stable(a.copy(), out)


@lower_builtin(sort, types.Array, types.Array)
def _lower_sort(
    context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]
) -> ir.Value:
    return context.compile_internal(builder, _sorted, sig, args)


@lower_builtin(argsort, types.Array, types.Array)
def _lower_argsort(
    context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]
) -> ir.Value:
    way = _ordered if sig.args[0].layout == "C" else _copied_and_ordered
    return context.compile_internal(builder, way, sig, args)


@lower_builtin(stable, types.Array, types.Array)
def _lower_stable(
    context: BaseContext, builder: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]
) -> ir.Value:
    way = _stably_ordered if sig.args[0].layout == "C" else _copied_and_stably_ordered
    return context.compile_internal(builder, way, sig, args)
