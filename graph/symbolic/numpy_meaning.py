"""What symbols mean in a trace of NumPy code: each rule stands in a file of its own."""

from __future__ import annotations

from ..ops.written import written
from ..trace.rules import Rules
from . import array_methods, indexing, numpy_functions, operators, scalar_methods, ufunc_calls

NUMPY = Rules(
    binary=operators.binary,
    unary=operators.unary,
    in_place=operators.in_place,
    get_item=indexing.getitem,
    set_item=indexing.setitem,
    ufunc=ufunc_calls.ufunc_method,
    function=numpy_functions.call,
    number_attribute=scalar_methods.attribute,
    written=written,
    array_attribute=array_methods.attribute,
)
