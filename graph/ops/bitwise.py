"""Elementwise operations on the bits of integers and booleans."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import samples
from .define import ELEMENTWISE, OpDef, define
from .derivatives import INTEGERS


def _bits(function: Callable, symbol: str, doc: str) -> OpDef:
    return define(
        function.__name__,
        ELEMENTWISE,
        doc,
        lowers=(function,),
        evaluate=function,
        scalar={"biu": f"{{0}} {symbol} {{1}}"},
        gradient=INTEGERS,
        samples=samples.INTS,
        written=f"{{0}} {symbol} {{1}}",
    )


RECORDS: tuple[OpDef, ...] = (
    _bits(np.bitwise_and, "&", "Bits set in both."),
    _bits(np.bitwise_or, "|", "Bits set in either."),
    _bits(np.bitwise_xor, "^", "Bits set in one of the two."),
    define(
        "invert",
        ELEMENTWISE,
        "Bits turned over; logical not of booleans.",
        lowers=(np.invert,),
        evaluate=np.invert,
        scalar={"b": "not {0}", "iu": "~{0}"},
        written="~{0}",
        gradient=INTEGERS,
        samples=samples.INTS,
    ),
    define(
        "left_shift",
        ELEMENTWISE,
        "Bits moved up; 0 when moved by the width or more, or by a negative count.",
        lowers=(np.left_shift,),
        evaluate=np.left_shift,
        scalar={"iu": "np_lshift({0}, {1})"},
        imports=(("npmath", "np_lshift"),),
        written="{0} << {1}",
        gradient=INTEGERS,
        samples=samples.PLAIN_INTS,
    ),
    define(
        "right_shift",
        ELEMENTWISE,
        "Bits moved down; 0 or -1 when moved by the width or more, or by a negative count.",
        lowers=(np.right_shift,),
        evaluate=np.right_shift,
        scalar={"iu": "np_rshift({0}, {1})"},
        imports=(("npmath", "np_rshift"),),
        written="{0} >> {1}",
        gradient=INTEGERS,
        samples=samples.PLAIN_INTS,
    ),
    define(
        "bitwise_count",
        ELEMENTWISE,
        "Number of set bits of the magnitude.",
        lowers=(np.bitwise_count,),
        evaluate=np.bitwise_count,
        gradient=INTEGERS,
    ),
)
