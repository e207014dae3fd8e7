"""Exceptions whose message holds numbers, raised in compiled code.

CPython makes them while the kernel still runs, with the lock taken for it, and the kernel is left with the
code for "an exception is set". Numba's own way for such messages keeps half a kilobyte for each of them.
"""

from __future__ import annotations

import re
from typing import Any

from llvmlite import ir


def raise_saying(context: Any, builder: ir.IRBuilder, kind: str, text: str, numbers: list[Any]) -> None:
    """Leave the function that is being written with ``PyErr_Format(PyExc_<kind>, text, *numbers)``."""
    builder.call(_raiser(context, builder, kind, text, len(numbers)), numbers)
    context.call_conv.return_exc(builder)


def _raiser(context: Any, builder: ir.IRBuilder, kind: str, text: str, count: int) -> ir.Function:
    """The function of this module that sets the exception: out of the way of the loops."""
    name = re.sub(r"\W+", "_", f"jitscope_raise_{kind}_{text}")
    module = builder.module
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [ir.IntType(64)] * count), name)
    function.linkage = "linkonce_odr"
    function.attributes.update(("cold", "noinline", "nounwind"))
    inside = ir.IRBuilder(function.append_basic_block())
    python = context.get_python_api(inside)
    lock = python.gil_ensure()
    python.err_format(f"PyExc_{kind}", text, *function.args)
    python.gil_release(lock)
    inside.ret_void()
    return function
