"""Elementwise comparisons and logic: the results are booleans."""

from __future__ import annotations

import numpy as np

from . import samples
from .define import ELEMENTWISE, OpDef, define, ufunc
from .derivatives import TRUTH


def _comparison(function: np.ufunc, symbol: str, doc: str, kinds: str = "biuf") -> OpDef:
    return ufunc(
        function,
        doc,
        # int64 against uint64 is a loop of its own in NumPy, and exact in Numba too.
        scalar={kinds: f"{{0}} {symbol} {{1}}"},
        gradient=TRUTH,
        samples=samples.ANY,
        compares=True,
        written=f"{{0}} {symbol} {{1}}",
    )


def _logic(function: np.ufunc, booleans: str, numbers: str, doc: str) -> OpDef:
    return ufunc(function, doc, scalar={"b": booleans, "iufc": numbers}, gradient=TRUTH, samples=samples.ANY)


RECORDS: tuple[OpDef, ...] = (
    _comparison(np.less, "<", "First operand below the second."),
    _comparison(np.less_equal, "<=", "First operand not above the second."),
    _comparison(np.greater, ">", "First operand above the second."),
    _comparison(np.greater_equal, ">=", "First operand not below the second."),
    _comparison(np.equal, "==", "Operands equal.", kinds="biufc"),
    _comparison(np.not_equal, "!=", "Operands different.", kinds="biufc"),
    _logic(np.logical_and, "{0} & {1}", "({0} != 0) & ({1} != 0)", "Both true."),
    _logic(np.logical_or, "{0} | {1}", "({0} != 0) | ({1} != 0)", "Either true."),
    _logic(np.logical_xor, "{0} ^ {1}", "({0} != 0) ^ ({1} != 0)", "One of the two true."),
    _logic(np.logical_not, "not {0}", "{0} == 0", "Not true."),
    ufunc(
        np.isnan,
        "Element is NaN.",
        scalar={"biu": "False", "f": "{0} != {0}", "c": "({0}.real != {0}.real) | ({0}.imag != {0}.imag)"},
        gradient=TRUTH,
        samples=samples.ANY,
    ),
    ufunc(
        np.isinf,
        "Element is infinite.",
        scalar={
            "biu": "False",
            "f": "abs({0}) == np.inf",
            "c": "(abs({0}.real) == np.inf) | (abs({0}.imag) == np.inf)",
        },
        gradient=TRUTH,
        samples=samples.ANY,
    ),
    ufunc(
        np.isfinite,
        "Element is neither infinite nor NaN.",
        scalar={
            "biu": "True",
            "f": "abs({0}) < np.inf",
            "c": "(abs({0}.real) < np.inf) & (abs({0}.imag) < np.inf)",
        },
        gradient=TRUTH,
        samples=samples.ANY,
    ),
    ufunc(
        np.signbit,
        "Sign bit is set, also of −0.0 and NaN.",
        scalar={"f": "copysign(1.0, {0}) < 0"},
        imports=(("math", "copysign"),),
        gradient=TRUTH,
        samples=samples.REALS,
    ),
    define(
        "isnat", ELEMENTWISE, "Element is no time.", lowers=(np.isnat,), evaluate=np.isnat, gradient=TRUTH
    ),
)
