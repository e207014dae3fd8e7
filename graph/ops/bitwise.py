"""Elementwise operations on the bits of integers and booleans."""

from __future__ import annotations

import numpy as np

from . import samples
from .define import OpDef, ufunc
from .derivatives import INTEGERS


def _bits(function: np.ufunc, symbol: str, doc: str) -> OpDef:
    return ufunc(
        function,
        doc,
        scalar={"biu": f"{{0}} {symbol} {{1}}"},
        gradient=INTEGERS,
        samples=samples.INTS,
        written=f"{{0}} {symbol} {{1}}",
    )


RECORDS: tuple[OpDef, ...] = (
    _bits(np.bitwise_and, "&", "Bits set in both."),
    _bits(np.bitwise_or, "|", "Bits set in either."),
    _bits(np.bitwise_xor, "^", "Bits set in one of the two."),
    ufunc(
        np.invert,
        "Bits turned over; logical not of booleans.",
        scalar={"b": "not {0}", "iu": "~{0}"},
        written="~{0}",
        gradient=INTEGERS,
        samples=samples.INTS,
    ),
    ufunc(
        np.left_shift,
        "Bits moved up; 0 when moved by the width or more, or by a negative count.",
        scalar={"iu": "np_lshift({0}, {1})"},
        imports=(("npmath", "np_lshift"),),
        written="{0} << {1}",
        gradient=INTEGERS,
        samples=samples.PLAIN_INTS,
    ),
    ufunc(
        np.right_shift,
        "Bits moved down; 0 or -1 when moved by the width or more, or by a negative count.",
        scalar={"iu": "np_rshift({0}, {1})"},
        imports=(("npmath", "np_rshift"),),
        written="{0} >> {1}",
        gradient=INTEGERS,
        samples=samples.PLAIN_INTS,
    ),
    ufunc(np.bitwise_count, "Number of set bits of the magnitude.", gradient=INTEGERS),
)
