"""Functions of the C library that are formulas of several numbers at once in loops that LLVM vectorises.

A formula that is right for all arguments but the rarest is cheap; one that is right for all isn't. So a loop
calls the C library as it stands, and says of the call (by the attribute that C compilers give to calls of
vector libraries) which function takes several arguments at once: that one computes the formula where it is
right for all of them, and else calls the C library for each.
"""

from __future__ import annotations

import platform
from collections.abc import Callable

from llvmlite import ir

from .formula import DOUBLE, Flag, Float, Vector, libm_function

WIDTH = 2 if platform.machine().lower() in ("aarch64", "arm64") else 4
"""So many float64 are computed at once, also where registers hold more."""
VECTOR = Vector(DOUBLE, WIDTH)
_LANE = ir.IntType(32)
_TRUTHS = ir.IntType(WIDTH)

Formula = Callable[..., Float]
"""Of the arguments, and whether float32 is accurate enough."""


def in_lanes(name: str, formula: Formula, fits: Callable[..., Flag], short: bool, *args: Float) -> Float:
    """The C library's `name`, or, where a loop is vectorised and all arguments fit, `formula`."""
    builder = args[0].builder
    module = builder.module
    several = f"{name}.by{WIDTH}.short" if short else f"{name}.by{WIDTH}"
    if several not in module.globals:
        _define(module, several, name, formula, fits, short, len(args))
    call = builder.call(libm_function(module, name, len(args)), [a.value for a in args])
    variant = f"_ZGV_LLVM_N{WIDTH}{'v' * len(args)}_{name}({several})"
    for attribute in ("memory(none)", "willreturn", "nounwind", f'"vector-function-abi-variant"="{variant}"'):
        set.add(call.attributes, attribute)  # llvmlite doesn't list most of them
    return Float(builder, call)


def _define(
    module: ir.Module,
    several: str,
    name: str,
    formula: Formula,
    fits: Callable[..., Flag],
    short: bool,
    arity: int,
) -> None:
    """The function of several numbers at once."""
    function = ir.Function(module, ir.FunctionType(VECTOR, [VECTOR] * arity), several)
    function.linkage = "weak_odr"  # nothing calls it before the loop is vectorised
    for attribute in ("memory(none)", "willreturn", "nounwind", "noinline"):
        set.add(function.attributes, attribute)
    entry, near, far = (function.append_basic_block(part) for part in ("entry", "near", "far"))
    builder = ir.IRBuilder(entry)
    args = [Float(builder, a) for a in function.args]
    fit = builder.bitcast(fits(*args).value, _TRUTHS)
    builder.cbranch(builder.icmp_signed("==", fit, _TRUTHS(-1)), near, far)
    builder.position_at_end(near)
    builder.ret(formula(*args, short).value)
    builder.position_at_end(far)
    total = ir.Constant(VECTOR, ir.Undefined)
    for lane in map(_LANE, range(WIDTH)):
        given = [builder.extract_element(a, lane) for a in function.args]
        total = builder.insert_element(total, builder.call(libm_function(module, name, arity), given), lane)
    builder.ret(total)
