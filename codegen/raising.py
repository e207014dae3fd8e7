"""Exceptions whose message holds numbers, raised in compiled code, and text of numbers that it prints.

CPython makes them while the kernel still runs, with the lock taken for it, and the kernel is left with the
code for "an exception is set". Numba's own way for such messages keeps half a kilobyte for each of them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.base import BaseContext
from numba.core.pythonapi import PythonAPI
from numba.core.typing import signature
from numba.extending import intrinsic

from .prints import print_from_text, raise_from_text


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


@intrinsic(prefer_literal=True)
def raise_made(typing: object, text: types.Type, numbers: types.Type) -> object:
    """Leave the kernel with the exception that a text, ``"lambda a: ValueError(...)"``, makes of a tuple."""
    return _typed(text, numbers, raise_from_text)


@intrinsic(prefer_literal=True)
def print_made(typing: object, text: types.Type, numbers: types.Type) -> object:
    """Print what a text, ``"lambda a: print(...)"``, makes of a tuple; leave the kernel where that raises."""
    return _typed(text, numbers, print_from_text)


def _typed(text: types.Type, numbers: types.Type, called: Callable[..., object]) -> object:
    if not isinstance(text, types.StringLiteral) or not isinstance(numbers, types.BaseTuple):
        return None

    kinds = list(numbers.types)  # type: ignore[attr-defined]

    def generate(
        context: BaseContext, builder: ir.IRBuilder, sig: object, args: Sequence[ir.Value]
    ) -> ir.Value:
        values = [builder.extract_value(args[1], k) for k in range(len(kinds))]
        failed = builder.call(_caller(context, builder, called, text.literal_value, kinds, values), values)
        with builder.if_then(failed, likely=False):
            context.call_conv.return_exc(builder)  # type: ignore[attr-defined]
        return context.get_dummy_value()

    return signature(types.none, text, numbers), generate


def _caller(
    context: BaseContext,
    builder: ir.IRBuilder,
    called: Callable[..., object],
    text: str,
    kinds: list[types.Type],
    values: list[ir.Value],
) -> ir.Function:
    """The function of this module that calls one of those above, with CPython's lock: whether that raises."""
    digest = hashlib.sha256(f"{text}{kinds}".encode()).hexdigest()[:16]
    name = f"jitscope_{called.__name__}_{digest}"
    module = builder.module
    if name in module.globals:
        return module.globals[name]
    kind = ir.FunctionType(ir.IntType(1), [value.type for value in values])
    function = ir.Function(module, kind, name)
    function.linkage = "linkonce_odr"
    function.attributes.update(("cold", "noinline", "nounwind"))
    inside = ir.IRBuilder(function.append_basic_block())
    python = context.get_python_api(inside)
    lock = python.gil_ensure()
    home = python.import_module(context.insert_const_string(module, called.__module__))
    failed = cgutils.alloca_once_value(inside, ir.IntType(1)(1))
    with cgutils.if_likely(inside, cgutils.is_not_null(inside, home)):
        function_ = python.object_getattr_string(home, called.__name__)
        given = [python.string_from_string(context.insert_const_string(module, text))]
        given += [_boxed(python, inside, k, v) for k, v in zip(kinds, function.args, strict=True)]
        result = python.call_function_objargs(function_, given)
        inside.store(cgutils.is_null(inside, result), failed)
        with inside.if_then(cgutils.is_not_null(inside, result)):
            python.decref(result)
        for held in (*given, function_, home):
            python.decref(held)
    python.gil_release(lock)
    inside.ret(inside.load(failed))
    return function


def _boxed(python: PythonAPI, builder: ir.IRBuilder, kind: types.Type, value: ir.Value) -> ir.Value:
    """A number as Python's int, float or bool."""
    if isinstance(kind, types.Boolean):
        return python.bool_from_bool(builder.trunc(value, ir.IntType(1)) if value.type.width > 1 else value)
    if isinstance(kind, types.Float):
        wide = value if value.type == ir.DoubleType() else builder.fpext(value, ir.DoubleType())
        return python.float_from_double(wide)
    assert isinstance(kind, types.Integer)
    word = ir.IntType(64)
    if not kind.signed:  # type: ignore[attr-defined]
        return python.long_from_ulonglong(builder.zext(value, word) if value.type.width < 64 else value)
    return python.long_from_longlong(builder.sext(value, word) if value.type.width < 64 else value)
