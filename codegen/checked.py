"""Scalar functions for `@njit` code that can raise, lowered straight to LLVM instructions.

As `vecmath.formula`, for functions with checks: a formula gets a `FormulaEmitter` and lanes, and may fail.
Called from Python the function is the Python function that it stands for.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing import signature
from numba.extending import lower_builtin, type_callable

from .faults import Deoptimise
from .raising import raise_saying
from .vecmath.formula import DOUBLE, INT64, Complex, Flag, Float, Int, Lane

KINDS = {
    "i": (types.int64, Int),
    "f": (types.float64, Float),
    "b": (types.boolean, Flag),
    "c": (types.complex128, Complex),
}
RESULTS = {"Int": types.int64, "Float": types.float64, "Flag": types.boolean, "Complex": types.complex128}
Formula = Callable[..., Lane]


class FormulaEmitter:
    """Where a formula is being written to."""

    def __init__(self, context: Any, builder: ir.IRBuilder) -> None:
        self.context, self.builder = context, builder

    def fail_if(self, condition: Flag, kind: type[Exception], *args: Any) -> None:
        """Raise `kind(*args)` in the compiled function where the condition holds."""
        with self.builder.if_then(condition.value, likely=False):
            self.context.call_conv.return_user_exc(self.builder, kind, args)

    def fail_saying(self, condition: Flag, kind: str, text: str, *numbers: Int) -> None:
        """Raise the exception named `kind` with the numbers in its message where the condition holds."""
        with self.builder.if_then(condition.value, likely=False):
            values = [number.value for number in numbers]
            raise_saying(self.context, self.builder, kind, text, values)

    def deoptimise_if(self, condition: Flag, why: str) -> None:
        self.fail_if(condition, Deoptimise, why)

    def compiled(self, function: Callable[..., Any], *args: Lane) -> Any:
        """A function in plain Python from ints to an int, or from floats to a float, compiled on its own."""
        kind, lane = KINDS["i" if isinstance(args[0], Int) else "f"]
        sig = signature(kind, *[kind] * len(args))
        return lane(
            self.builder, self.context.compile_internal(self.builder, function, sig, [a.value for a in args])
        )

    def with_overflow(self, name: str, a: Int, b: Int) -> tuple[Int, Flag]:
        """llvm.sadd, ssub or smul: (result, did it overflow)."""
        kind = ir.FunctionType(ir.LiteralStructType([INT64, ir.IntType(1)]), [INT64, INT64])
        function = self.builder.module.declare_intrinsic(f"llvm.{name}.with.overflow", [INT64], kind)
        both = self.builder.call(function, [a.value, b.value])
        value, flag = (self.builder.extract_value(both, k) for k in range(2))
        return Int(self.builder, value), Flag(self.builder, flag)

    def stack_address(self) -> Int:
        """Where the frame of the compiled function is."""
        place = cgutils.alloca_once(self.builder, INT64)
        return Int(self.builder, self.builder.ptrtoint(place, INT64))

    def to_float(self, x: Int) -> Float:
        return Float(self.builder, self.builder.sitofp(x.value, DOUBLE))

    def to_int(self, x: Float) -> Int:
        """A float that is known to fit."""
        return Int(self.builder, self.builder.fptosi(x.value, INT64))


def checked(name: str, python: Callable[..., Any], formulas: Mapping[str, Formula]) -> Callable[..., Any]:
    """A function for `@njit` code that does what `python` does.

    `formulas` has one formula for each list of argument kinds that is served, "i" int, "f" float; the first
    that takes the arguments (ints go where floats are wanted, not the other way round) is used. The formula's
    return annotation says what comes out.
    """

    @functools.wraps(python, assigned=("__doc__",), updated=())
    def function(*args: Any) -> Any:
        return python(*args)

    del function.__wrapped__
    function.__name__ = function.__qualname__ = name

    def typer(*args: Any) -> Any:
        for kinds, formula in formulas.items():
            if len(kinds) == len(args) and all(map(_takes, kinds, args)):
                return signature(RESULTS[formula.__annotations__["return"]], *[KINDS[k][0] for k in kinds])
        return None

    typers = {1: lambda a: typer(a), 2: lambda a, b: typer(a, b), 3: lambda a, b, c: typer(a, b, c)}
    register: Any = type_callable(function)
    register(lambda context: typers[len(next(iter(formulas)))])
    for kinds, formula in formulas.items():
        lower_builtin(function, *[KINDS[k][0] for k in kinds])(_lowering(kinds, formula))
    return function


def _takes(kind: str, given: Any) -> bool:
    whole = isinstance(given, (types.Integer, types.Boolean))
    if kind == "c":
        return isinstance(given, types.Complex)
    return whole or (kind == "f" and isinstance(given, types.Float))


def _lowering(kinds: str, formula: Formula) -> Callable[..., Any]:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        lanes = [KINDS[k][1](builder, a) for k, a in zip(kinds, args, strict=True)]
        return formula(FormulaEmitter(context, builder), *lanes).value

    return lower


def message(python: Callable[..., Any], *args: Any) -> tuple[Any, ...]:
    """The arguments of this interpreter's exception for `python(*args)`: wording changes with versions."""
    try:
        python(*args)
    except (ArithmeticError, ValueError) as error:
        return error.args
    raise AssertionError(f"{python} took {args}")
