"""Python's own numbers: exact ints (deoptimised beyond 64 bits), ZeroDivisionError, floor semantics."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import arithmetic, samples
from .define import NOTHING, PYTHON, Gradient, Interval, OpDef, Text, define
from .derivatives import INTEGERS, KNOWN_POWER, STEPS, TRUTH, each

_FUNCTIONS = "pymath"
MOST_DIGITS = 22
"""The power of ten of more digits is no float."""
_COMPLEX = dict.fromkeys(("py_div_complex", "py_pow_complex"), "pycomplex")


def _numpys(name: str) -> Gradient:
    """The rule of NumPy's op on the same numbers."""
    return next(op.gradient for op in arithmetic.RECORDS if op.name == name)


def _op(
    name: str,
    doc: str,
    evaluate: Callable[..., Any],
    scalar: Text,
    *,
    safe: Text = None,
    imports: tuple[str, ...] = (),
    raises: bool = False,
    gradient: Gradient = None,
    **fields: Any,
) -> OpDef:
    return define(
        f"py.{name}",
        PYTHON,
        doc,
        evaluate=evaluate,
        scalar=scalar,
        safe=safe,
        imports=tuple((_COMPLEX.get(function, _FUNCTIONS), function) for function in imports),
        effect=("raises",) if raises else ("pure",),
        gradient=gradient,
        samples=samples.ANY,
        **fields,
    )


def _leaves_64_bits(node: Any) -> bool:
    """Ints may; floats and complex numbers can't."""
    loop = node.attrs.get("loop", ())
    return not (loop and loop[0] in ("float", "complex"))


def _is_as_here(loop: Sequence[str]) -> bool:
    """Python 3.14 has other quotients and powers of complex numbers."""
    return loop[0] != "complex" or sys.version_info < (3, 14)


def _is_no_number(node: Any) -> bool:
    """A float may be NaN or infinite, which no int is."""
    loop = node.attrs.get("loop", ())
    return not loop or np.dtype(loop[0]).kind not in "ib"


def _products(one: Interval, other: Interval) -> Interval:
    ends = [a * b for a in one for b in other]
    return min(ends), max(ends)


def _integer(
    name: str, symbol: str, doc: str, evaluate: Callable[..., Any], gradient: Gradient, **fields: Any
) -> OpDef:
    """An operation of ints that may leave 64 bits, of floats, and of complex numbers."""
    checked, plain = f"py_{name}_int({{0}}, {{1}})", f"{{0}} {symbol} {{1}}"
    return _op(
        name,
        doc,
        evaluate,
        {"i": checked, "fc": plain},
        safe={"i": plain},
        imports=(f"py_{name}_int",),
        raises=True,
        gradient=gradient,
        raises_if=_leaves_64_bits,
        exact=True,
        written=plain,
        **fields,
    )


def _either(name: str, doc: str) -> OpDef:
    """An operation of ints that are NumPy's where the flag is set; its text is the driver's too."""
    operation = getattr(operator, name)
    return _op(
        f"either_{name}",
        f"{doc} of ints: Python's, deoptimised beyond 64 bits, or NumPy's where the flag is set.",
        lambda a, b, _: operation(a, b),
        {"i": f"py_either_{name}({{0}}, {{1}}, {{2}})"},
        imports=(f"py_either_{name}",),
        raises=True,
        gradient=INTEGERS,
    )


_LEFT = _op(
    "left",
    "The room that so many calls leave on Python's stack: deoptimised where it or the thread's stack ends.",
    lambda room, calls, _: room - calls,
    {"i": "py_left({0}, {1}, {2})"},
    imports=("py_left",),
    raises=True,
    gradient=INTEGERS,
    written="{0} - {1}",
)


_SAME_SIZE = _op(
    "same_size",
    "The first of two sizes: deoptimised where the other one is different.",
    lambda a, _: a,
    {"i": "py_same_size({0}, {1})"},
    imports=("py_same_size",),
    raises=True,
    gradient=INTEGERS,
    written="{0}",
)


_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


def _comparison(name: str, symbol: str, doc: str, negation: str, kinds: str = "bif") -> OpDef:
    """An int is compared with a float exactly: where it may have more than 53 bits, by a function."""
    plain, turned = f"{{0}} {symbol} {{1}}", _MIRRORED[name]
    exact = {
        "int,float": f"py_{name}_exactly({{0}}, {{1}})",
        "float,int": f"py_{turned}_exactly({{1}}, {{0}})",
    }
    return _op(
        name,
        doc,
        getattr(operator, name),
        {kinds: plain, **exact},
        safe={kinds: plain},
        imports=tuple({f"py_{one}_exactly": None for one in (name, turned)}),
        gradient=TRUTH,
        exact=True,
        negation=f"py.{negation}",
        written=f"{{0}} {symbol} {{1}}",
        compares=True,
    )


def _bits(name: str, symbol: str, doc: str) -> OpDef:
    return _op(
        name,
        doc,
        getattr(operator, f"{name}_"[: None if name != "xor" else 3]),
        {"bi": f"{{0}} {symbol} {{1}}"},
        gradient=INTEGERS,
        exact=True,
        written=f"{{0}} {symbol} {{1}}",
    )


def _power(x: Any, y: Any) -> Any:
    return x**y


def _select(condition: Any, x: Any, y: Any) -> Any:
    return x if condition else y


def _first(value: Any, _: Any) -> Any:
    return value


def _fit(name: str) -> OpDef:
    """A Python int on its way into a narrower integer dtype, which NumPy refuses if it doesn't fit."""
    return _op(
        f"fit_{name}",
        f"The int, if it fits {name}.",
        operator.pos,
        {"i": f"py_fit_{name}({{0}})"},
        imports=(f"py_fit_{name}",),
        raises=True,
        gradient=INTEGERS,
    )


RECORDS: tuple[OpDef, ...] = (
    _integer(
        "add",
        "+",
        "Sum.",
        operator.add,
        _numpys("add"),
        neutral=(0, True),
        interval=lambda x, y: (x[0] + y[0], x[1] + y[1]),
    ),
    _integer(
        "sub",
        "-",
        "Difference.",
        operator.sub,
        _numpys("subtract"),
        neutral=(0, False),
        interval=lambda x, y: (x[0] - y[1], x[1] - y[0]),
    ),
    _integer(
        "mul", "*", "Product.", operator.mul, _numpys("multiply"), neutral=(1, True), interval=_products
    ),
    _op(
        "truediv",
        "True quotient; ZeroDivisionError.",
        operator.truediv,
        {"i": "py_div_int({0}, {1})", "f": "py_div({0}, {1})", "c": "py_div_complex({0}, {1})"},
        safe={"if": "{0} / {1}"},  # ints within 53 bits
        imports=("py_div_int", "py_div", "py_div_complex"),
        known=_is_as_here,
        raises=True,
        written="{0} / {1}",
        gradient=_numpys("divide"),
        exact=True,
        divides=True,
    ),
    _op(
        "floordiv",
        "Floor of the quotient; ZeroDivisionError.",
        operator.floordiv,
        {"i": "py_floordiv_int({0}, {1})", "f": "py_floordiv_float({0}, {1})"},
        safe={"i": "{0} // {1}"},
        imports=("py_floordiv_int", "py_floordiv_float"),
        raises=True,
        written="{0} // {1}",
        gradient=STEPS,
        exact=True,
        divides=True,
        neutral=(1, False),
    ),
    _op(
        "mod",
        "Remainder with the sign of the divisor; ZeroDivisionError.",
        operator.mod,
        {"i": "py_mod_int({0}, {1})", "f": "py_mod_float({0}, {1})"},
        safe={"i": "{0} % {1}"},
        imports=("py_mod_int", "py_mod_float"),
        raises=True,
        written="{0} % {1}",
        gradient=_numpys("remainder"),
        exact=True,
        divides=True,
    ),
    _op(
        "pow",
        "Power; ints to negative powers are another op's work.",
        _power,
        {"i": "py_pow_int({0}, {1})", "f": "py_pow_float({0}, {1})", "c": "py_pow_complex({0}, {1})"},
        imports=("py_pow_int", "py_pow_float", "py_pow_complex"),
        known=_is_as_here,
        raises=True,
        written="{0} ** {1}",
        gradient=_numpys("power"),
        expensive=True,
    ),
    _op(
        "lshift",
        "Bits moved up; ValueError for a negative count.",
        operator.lshift,
        {"i": "py_lshift_int({0}, {1})"},
        safe={"i": "{0} << {1}"},
        imports=("py_lshift_int",),
        raises=True,
        written="{0} << {1}",
        gradient=INTEGERS,
    ),
    _op(
        "rshift",
        "Bits moved down; ValueError for a negative count.",
        operator.rshift,
        {"i": "py_rshift_int({0}, {1})"},
        safe={"i": "{0} >> {1}"},
        imports=("py_rshift_int",),
        raises=True,
        written="{0} >> {1}",
        gradient=INTEGERS,
    ),
    _bits("and", "&", "Bits set in both; and of bools."),
    _bits("or", "|", "Bits set in either; or of bools."),
    _bits("xor", "^", "Bits set in one of the two."),
    _op(
        "neg",
        "Other sign.",
        operator.neg,
        {"i": "py_neg_int({0})", "fc": "-{0}"},
        safe={"i": "-{0}"},
        imports=("py_neg_int",),
        raises=True,
        written="-{0}",
        gradient=_numpys("negative"),
        raises_if=_leaves_64_bits,
        exact=True,
        interval=lambda x: (-x[1], -x[0]),
    ),
    _op(
        "pos",
        "The number itself.",
        operator.pos,
        {"ifc": "{0}"},
        gradient=_numpys("positive"),
        written="+{0}",
        exact=True,
        keeps=True,
    ),
    _op(
        "invert",
        "Bits turned over.",
        operator.invert,
        {"i": "~{0}"},
        gradient=INTEGERS,
        exact=True,
        written="~{0}",
    ),
    _comparison("lt", "<", "Below.", "ge"),
    _comparison("le", "<=", "Not above.", "gt"),
    _comparison("eq", "==", "Equal.", "ne", kinds="bifc"),
    _comparison("ne", "!=", "Different.", "eq", kinds="bifc"),
    _comparison("gt", ">", "Above.", "le"),
    _comparison("ge", ">=", "Not below.", "lt"),
    _op(
        "abs",
        "Magnitude.",
        abs,
        {"i": "py_abs_int({0})", "f": "abs({0})", "c": "py_abs_complex({0}.real, {0}.imag)"},
        safe={"i": "abs({0})"},
        imports=("py_abs_int", "py_abs_complex"),
        raises=True,
        gradient=_numpys("absolute"),
        raises_if=_leaves_64_bits,
        exact=True,
        interval=lambda x: (0, max(-x[0], x[1])),
    ),
    # Python keeps the first operand unless a later one is better: that decides for NaN and equal numbers.
    _op(
        "min",
        "Smaller of two.",
        min,
        {"bif": "({1} if {1} < {0} else {0})"},
        gradient=each(lambda w, g, a, b: w.choose(b < a, 0.0, g), lambda w, g, a, b: w.choose(b < a, g, 0.0)),
        exact=True,
    ),
    _op(
        "max",
        "Larger of two.",
        max,
        {"bif": "({1} if {1} > {0} else {0})"},
        gradient=each(lambda w, g, a, b: w.choose(b > a, 0.0, g), lambda w, g, a, b: w.choose(b > a, g, 0.0)),
        exact=True,
    ),
    _op(
        "round",
        "Nearest int, halves to the even one; ValueError for NaN, OverflowError for infinities.",
        round,
        {"i": "{0}", "f": "py_round({0})"},
        imports=("py_round",),
        raises=True,
        gradient=STEPS,
        raises_if=_is_no_number,
    ),
    define(
        "py.round_to",
        PYTHON,
        "A float with so many decimals, halves to the even one.",
        evaluate=round,
        scalar={"f": "round_to({0}, {1})"},
        imports=(("decimals", "round_to"),),
        effect=("pure",),
        gradient=STEPS,
        samples=samples.REALS,
        written="round({0}, {1})",
    ),
    _op(
        "not",
        "Not true.",
        operator.not_,
        {"b": "not {0}", "iufc": "{0} == 0"},
        gradient=TRUTH,
        exact=True,
        written="not {0}",
    ),
    _op(
        "int",
        "Integer part as an int; ValueError for NaN, OverflowError for infinities.",
        int,
        {
            "b": "int({0})",
            "i": "{0}",
            "f": "py_int_from_float({0})",
            **dict.fromkeys(("uint8", "uint16", "uint32"), "np.int64({0})"),
        },
        imports=("py_int_from_float",),
        raises=True,
        gradient=STEPS,
        raises_if=_is_no_number,
        exact=True,
        keeps=True,
    ),
    _op(
        "float",
        "The number as a float.",
        float,
        {"b": "float(int({0}))", "iuf": "float({0})"},
        gradient=each(lambda g: g),
        exact=True,
        keeps=True,
    ),
    _op(
        "complex",
        "The number as a complex one.",
        complex,
        {"b": "complex(int({0}))", "iufc": "complex({0})"},
        gradient=each(lambda g: g),
        keeps=True,
    ),
    _op(
        "exact",
        "A float that stands for an int unless the flag is set: it must hold it exactly.",
        _first,
        {"f": "py_exact({0}, {1})"},
        imports=("py_exact",),
        raises=True,
        gradient=each(lambda g: g, None),
    ),
    _op(
        "divisor",
        "What a Python float is divided by, unless the flag is set: ZeroDivisionError if it is zero.",
        _first,
        {"f": "py_divisor({0}, {1})"},
        imports=("py_divisor",),
        raises=True,
        gradient=each(lambda g: g, None),
    ),
    _LEFT,
    _SAME_SIZE,
    _either("add", "Sum"),
    _either("sub", "Difference"),
    _either("mul", "Product"),
    _op(
        "either_pow",
        "A float to a power that isn't negative; OverflowError unless the flag is set.",
        lambda x, y, _: x**y,
        {"f": "py_either_pow({0}, {1}, {2})"},
        imports=("py_either_pow",),
        raises=True,
        gradient=KNOWN_POWER,
        expensive=True,
    ),
    _either("floordiv", "Floor of the quotient"),
    _either("mod", "Remainder"),
    *(_fit(name) for name in ("int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64")),
    _op(
        "complex_of_parts",
        "The complex number of two real ones.",
        complex,
        {"bif": "complex({0}, {1})"},
        gradient=each(lambda w, g: w.real(g), lambda w, g: w.imag(g)),
    ),
    _op("real", "Real part.", operator.attrgetter("real"), {"c": "{0}.real"}, gradient=each(lambda g: g)),
    _op(
        "imag",
        "Imaginary part.",
        operator.attrgetter("imag"),
        {"c": "{0}.imag"},
        gradient=each(lambda g: g * 1j),
    ),
    _op(
        "conjugate",
        "Complex conjugate.",
        operator.methodcaller("conjugate"),
        {"c": "{0}.conjugate()"},
        gradient=each(lambda w, g: w.conj(g)),
    ),
    _op(
        "bool",
        "Different from zero.",
        bool,
        {"b": "{0}", "iufc": "{0} != 0"},
        gradient=TRUTH,
        exact=True,
        keeps=True,
    ),
    _op(
        "select",
        "Second operand if the first is true, else the third.",
        _select,
        "({1} if {0} else {2})",
        written="{1} if {0} else {2}",
        gradient=_numpys("where"),
        operands=(3, 3),
        exact=True,
    ),
    define(
        "truth",
        PYTHON,
        "The number as a condition.",
        evaluate=bool,
        scalar={"b": "{0}", "iufc": "{0} != 0"},
        gradient=TRUTH,
        samples=samples.ANY,
        operands=(1, 1),
        asks_truth=True,
        exact=True,
        keeps=True,
        written="bool({0})",
    ),
    define(
        "size",
        PYTHON,
        "The value of a size expression.",
        evaluate=int,
        scalar="",
        gradient=INTEGERS,
        samples=samples.ANY,
        operands=(0, 0),
        work=NOTHING,
    ),
)
