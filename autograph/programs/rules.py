"""Which program stands for what is done with an array, if one covers it exactly.

What no rule takes is as it was: an operation of the graph, or a call of NumPy's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...graph.ir.nodes import Value
from ...graph.symbolic.arrays import SymbolicArray, symbol_for
from ...graph.symbolic.numpy_meaning import NUMPY
from ...graph.symbolic.symbols import SymbolicScalar, unwrap_union
from ...graph.trace.build import current
from ..certain import certain
from ..tracer import tracer
from . import (
    composing,
    rules_accumulating,
    rules_composing,
    rules_creating,
    rules_extending,
    rules_formulas,
    rules_ordering,
    rules_picking,
    rules_searching,
    rules_slopes,
    rules_solving,
    rules_statistics,
)
from .inline import PLAIN
from .known import Key, load_key, unchanged

Rule = Callable[..., object]

FUNCTIONS: dict[object, Rule] = {
    np.take: rules_picking.take,
    np.compress: rules_picking.compress,
    np.flatnonzero: rules_searching.flatnonzero,
    np.nonzero: rules_searching.nonzero,
    np.where: rules_searching.where,
    np.argwhere: rules_searching.argwhere,
    np.searchsorted: rules_searching.searchsorted,
    np.digitize: rules_searching.digitize,
    np.interp: rules_searching.interp,
    np.cumsum: rules_accumulating.running(np.add),
    np.cumprod: rules_accumulating.running(np.multiply),
    np.bincount: rules_accumulating.bincount,
    np.mean: rules_accumulating.mean,
    np.repeat: rules_composing.repeat,
    np.tile: rules_composing.tile,
    np.roll: rules_composing.roll,
    np.tril: rules_composing.triangle(composing.lower_triangle),
    np.triu: rules_composing.triangle(composing.upper_triangle),
    np.diag: rules_composing.diag,
    np.diagflat: rules_composing.diagflat,
    np.ravel: rules_composing.flat,
    np.diagonal: rules_composing.diagonal("np.diagonal({0})"),
    np.kron: rules_composing.kron,
    np.ediff1d: rules_composing.ediff1d,
    np.trapezoid: rules_composing.trapezoid,
    np.gradient: rules_slopes.gradient,
    np.pad: rules_extending.pad,
    np.append: rules_extending.append,
    np.insert: rules_extending.insert,
    np.delete: rules_extending.delete,
    np.cov: rules_statistics.cov,
    np.corrcoef: rules_statistics.corrcoef,
    np.isclose: rules_formulas.isclose,
    np.allclose: rules_formulas.allclose,
    np.array_equal: rules_formulas.array_equal,
    np.nan_to_num: rules_formulas.nan_to_num,
    np.nansum: rules_formulas.without_nan(np.sum, 0),
    np.nanprod: rules_formulas.without_nan(np.prod, 1),
    np.nancumsum: rules_formulas.without_nan(np.cumsum, 0),
    np.nancumprod: rules_formulas.without_nan(np.cumprod, 1),
    np.angle: rules_formulas.angle,
    np.isreal: rules_formulas.isreal,
    np.iscomplex: rules_formulas.iscomplex,
    np.isposinf: rules_formulas.isposinf,
    np.isneginf: rules_formulas.isneginf,
    np.fix: rules_formulas.fix,
    np.polyval: rules_formulas.polyval,
    **{function: rules_creating.sized(function) for function in (np.zeros, np.ones, np.empty, np.full)},
    np.arange: rules_creating.arange,
    np.mgrid: rules_creating.mgrid,
    np.indices: rules_creating.indices,
    np.linspace: rules_creating.linspace,
    np.eye: rules_creating.eye,
    np.identity: rules_creating.identity,
    np.tri: rules_creating.tri,
    np.trace: rules_creating.trace,
    np.linalg.trace: rules_creating.trace,
    np.fill_diagonal: rules_creating.fill_diagonal,
    np.cross: rules_creating.cross,
    np.sort: rules_ordering.sort,
    np.argsort: rules_ordering.argsort,
    np.median: rules_ordering.median,
    np.unique: rules_ordering.unique,
    np.linalg.cross: rules_creating.cross,
    np.linalg.solve: rules_solving.solve,
    np.linalg.inv: rules_solving.inv,
}
"""By the function that is called."""

METHODS: dict[str, Rule] = {
    name: FUNCTIONS[getattr(np, name)]
    for name in ("take", "nonzero", "searchsorted", "cumsum", "cumprod", "repeat", "trace", "argsort", "mean")
} | {
    "sort": rules_ordering.sort_in_place,
    "diagonal": rules_composing.diagonal("{0}.diagonal()"),
    "ravel": rules_composing.flat,
    "flatten": rules_composing.flatten,
    "reshape": rules_composing.reshaped,
}
"""By the method of an array."""

UFUNC_METHODS: dict[str, Rule] = {"at": rules_accumulating.at, "accumulate": rules_accumulating.accumulate}
"""By the method of a ufunc, which comes first among the arguments."""


def get_item(array: SymbolicArray, index: object) -> object:
    """``array[index]``."""
    index = unwrap_union(index)
    if (key := load_key(array, index)) is not None:
        return _loaded(array, index, key)
    found = rules_picking.picked(array, index)
    return NUMPY.get_item(array, index) if found is PLAIN else found


def _loaded(array: SymbolicArray, index: object, key: Key) -> object:
    """An int of an array, read once as long as it stays."""
    if (value := unchanged(key, array)) is not None:
        return symbol_for(value)
    found = NUMPY.get_item(array, index)
    if isinstance(found, SymbolicScalar) and isinstance(made := found.operand(), Value):
        current().remember(key, made)
    return found


def set_item(array: SymbolicArray, index: object, value: object) -> None:
    """``array[index] = value``."""
    if rules_picking.put(array, unwrap_union(index), unwrap_union(value)) is PLAIN:
        NUMPY.set_item(array, index, value)


def function(called: object, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
    """``called(*args, **kwargs)`` of a function of NumPy's."""
    found = _found(FUNCTIONS.get(called), args, kwargs)
    return NUMPY.function(called, args, kwargs) if found is PLAIN else found


def ufunc(called: np.ufunc, method: str, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
    """``called.method(*args, **kwargs)``."""
    found = _found(UFUNC_METHODS.get(method), (called, *args), kwargs)
    return NUMPY.ufunc(called, method, args, kwargs) if found is PLAIN else found


def array_attribute(array: SymbolicArray, name: str) -> object:
    """``array.name``."""
    rule = METHODS.get(name)
    if rule is None:
        return NUMPY.array_attribute(array, name)

    def method(*args: object, **kwargs: object) -> object:
        found = _found(rule, (array, *args), kwargs)
        return call_method(array, name, args, kwargs) if found is PLAIN else found

    method.__name__ = name
    method.__self__ = array  # type: ignore[attr-defined]
    return method


def call_method(
    array: SymbolicArray, name: str, args: tuple[object, ...], kwargs: dict[str, object]
) -> object:
    """``array.name(*args, **kwargs)`` without a program."""
    plain = NUMPY.array_attribute(array, name)
    return tracer().operators.call(plain, *args, **kwargs)


def _found(rule: Rule | None, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
    """What a rule makes of a call; `PLAIN` for arguments that it doesn't know."""
    if rule is None or not _binds(rule, args, kwargs):
        return PLAIN
    return rule(*map(unwrap_union, args), **{name: unwrap_union(value) for name, value in kwargs.items()})


def _binds(rule: Rule, args: tuple[object, ...], kwargs: dict[str, object]) -> bool:
    try:
        inspect.signature(rule).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def binary(name: str, left: object, right: object) -> object:
    """``left <name> right``."""
    if name not in ("eq", "ne"):
        left, right = certain(left), certain(right)
    return NUMPY.binary(name, left, right)


def unary(name: str, value: object) -> object:
    """``<name> value``."""
    return NUMPY.unary(name, certain(value))


MEANING = replace(
    NUMPY,
    binary=binary,
    unary=unary,
    get_item=get_item,
    set_item=set_item,
    function=function,
    ufunc=ufunc,
    array_attribute=array_attribute,
)
"""What symbols mean while a function is traced."""
