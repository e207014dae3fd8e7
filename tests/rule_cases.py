"""Programs that test the gradient rules of operations that are no ufuncs, by the operation's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from symbol_gradients import check

from jitscope.graph.gradients import words
from jitscope.graph.ir.types import COMPLEX, FLOAT
from jitscope.graph.ops import OPS, drawing
from jitscope.graph.ops.define import MATH, NotDifferentiable
from jitscope.graph.symbolic.arith import operand, type_of
from jitscope.graph.symbolic.symbols import SymbolicScalar
from jitscope.graph.trace.build import current, tracing


@dataclass(frozen=True)
class Case:
    """A function and arguments at which its gradient is compared with differences."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    def check(self) -> None:
        check(self.function, self.arguments)


RNG = np.random.default_rng(5)
REAL = RNG.uniform(0.4, 1.6, (2, 3, 2))
SIGNED = RNG.permutation(np.linspace(-2.1, 2.3, 12)).reshape(2, 3, 2)
COMPLEX_ = REAL + 1j * SIGNED
ZEROS = np.array([[0.0, 1.5, -2.0], [0.0, 0.0, 3.0], [0.5, 2.0, 4.0], [0.0, 0.0, 0.0]])
AXES = (None, 0, -1, (0, 2), (0, 1, 2))

_TEXTS = {
    "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "truediv": "{0} / {1}", "mod": "{0} % {1}",
    "pow": "{0} ** {1}", "neg": "-{0}", "pos": "+{0}", "select": "{1} if {0} else {2}", "exact": "{0}",
    "divisor": "{0}", "real": "{0}.real", "imag": "{0}.imag", "conjugate": "{0}.conjugate()",
    "complex_of_parts": "complex({0}, {1})",
}  # fmt: skip
_KINDS = {"real": FLOAT, "imag": FLOAT, "complex": COMPLEX, "complex_of_parts": COMPLEX, "abs": FLOAT}


def _number(name: str) -> Callable[..., Any]:
    """The operation `name` of Python's numbers: on symbols its node, on numbers Python's own."""
    op, short = OPS[name], name.split(".")[1]

    def function(*values: Any) -> Any:
        if not tracing():
            return op.evaluate(*(v.item() if isinstance(v, np.generic) else v for v in values))  # type: ignore[misc]
        loop = tuple(type_of(v).kind for v in values)  # type: ignore[union-attr]
        called = f"{name if op.kind == MATH else short}({', '.join(f'{{{k}}}' for k in range(len(values)))})"
        kind = _KINDS.get(short) or (COMPLEX if "complex" in loop else FLOAT)
        operands = [operand(v) for v in values]
        node = current().one(name, operands, kind, loop=loop, text=_TEXTS.get(short, called))
        return SymbolicScalar(node, kind)

    return function


def _part(name: str) -> Callable[..., Any]:
    """A part of complex numbers as the rules take it."""
    return lambda x: getattr(words if tracing() else np, name)(x)


def _python_cases() -> dict[str, list[Case]]:
    """The arguments of Python's operations."""
    two, one = ((1.3, 0.7), (-1.2, 0.4)), ((1.3,), (-0.4,))
    turned = (1.2 + 0.5j, 0.3 - 0.8j)
    found: dict[str, list[tuple[Any, ...]]] = {
        "py.add": [*two, turned], "py.sub": [*two, turned], "py.mul": [*two, turned],
        "py.truediv": [*two, turned], "py.mod": [(5.3, 1.2), (-5.3, 1.2)],
        "py.pow": [(1.3, 0.7), (2.5, -1.5), turned],
        "py.neg": [*one, turned[:1]], "py.pos": [*one, turned[:1]], "py.abs": [*one, turned[:1]],
        "py.min": [*two], "py.max": [*two], "py.select": [(True, 1.5, 2.5), (False, 1.5, 2.5)],
        "py.float": [(1.5,)], "py.complex": [(1.5,), turned[:1]], "py.exact": [(1.5, True)],
        "py.divisor": [(1.5, True)], "py.either_pow": [(1.5, 3.0, True)],
        "py.complex_of_parts": [(1.5, -0.5)],
        "py.real": [turned[:1]], "py.imag": [turned[:1]], "py.conjugate": [turned[:1]],
    }  # fmt: skip
    return {name: [Case(_number(name), given) for given in calls] for name, calls in found.items()}


def _math_cases() -> dict[str, list[Case]]:
    """Functions of one or two floats, away from the ends of their domains."""
    special = {"math.acosh": (1.8,), "math.gamma": (2.6, 0.3, -1.7), "math.lgamma": (2.6, 0.3, 14.5, -1.7)}
    pairs = {"atan2", "hypot", "pow", "fmod", "copysign", "remainder"}
    found = {}
    for op in OPS.values():
        short = op.name.split(".")[-1]
        if op.kind != MATH or isinstance(op.gradient, NotDifferentiable) or short == "ldexp":
            continue
        if short in pairs:
            found[op.name] = [Case(_number(op.name), given) for given in ((0.9, 0.35), (2.3, 1.7))]
        else:
            found[op.name] = [Case(_number(op.name), (x,)) for x in special.get(op.name, (0.3, 0.8))]
    found["math.ldexp"] = [Case(_number("math.ldexp"), (0.7, 3))]
    return found


def _reductions() -> dict[str, list[Case]]:
    cases: dict[str, list[Case]] = {}
    for name in ("sum", "prod", "min", "max"):
        arrays = [SIGNED, SIGNED.astype("float32")]
        arrays += [COMPLEX_, COMPLEX_.astype("complex64")] if name in ("sum", "prod") else []
        cases[name] = [
            Case(_reduced(getattr(np, name), axis, keepdims), (array,))
            for array in arrays
            for axis in AXES
            for keepdims in (False, True)
        ]
    for name in ("sum", "prod", "max"):
        cases[name].append(Case(_reduced(getattr(np, name), (), False), (SIGNED[0],)))
    for name in ("sum", "prod"):
        cases[name] += [
            Case(_reduced(getattr(np, name), axis, False), (np.ones((0, 3)),)) for axis in (None, 0, 1)
        ]
        cases[name].append(Case(_reduced(getattr(np, name), None, False), (np.array([1.5]),)))
    cases["prod"] += [Case(_reduced(np.prod, axis, False), (ZEROS,)) for axis in (None, 0, 1, (0, 1))]
    return cases


def _reduced(function: Any, axis: Any, keepdims: bool) -> Callable[..., Any]:
    return lambda x: function(x, axis=axis, keepdims=keepdims)


def _products() -> list[Case]:
    shapes = [
        ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)),
        ((2, 2, 3), (3, 4)), ((2, 3), (2, 3, 4)), ((2, 1, 2, 3), (3, 3, 2)),
        ((3,), (2, 3, 4)), ((2, 2, 3), (3,)),
    ]  # fmt: skip
    rng = np.random.default_rng(3)
    made = []
    for left, right in shapes:
        a, b = rng.uniform(-1, 1, left), rng.uniform(-1, 1, right)
        made += [Case(np.matmul, (a, b)), Case(np.matmul, (a.astype("f4"), b.astype("f4")))]
        made += [Case(np.matmul, (a + 1j * a[::-1], b)), Case(np.matmul, (a, np.ones(right, int)))]
        made += [Case(np.matmul, (a + 1j * a[::-1], b - 0.5j))]
    return made


MASK = SIGNED > 0.3
CASES: dict[str, list[Case]] = {
    **_python_cases(),
    **_math_cases(),
    **_reductions(),
    "matmul": _products(),
    "where": [
        Case(lambda x, y: np.where(x > 0.4, x, y), (SIGNED, REAL)),
        Case(lambda x, y: np.where(x > 0.4, x, y), (SIGNED, np.float64(0.3))),
        Case(lambda x, y: np.where(x > 0.4, y, x), (SIGNED, 0.25)),
        Case(lambda x, y: np.where(x > 0.4, x, y), (SIGNED.astype("f4"), REAL[0])),
        Case(lambda m, x, y: np.where(m, x, y), (MASK, COMPLEX_, REAL)),
        Case(lambda m, x: np.where(m, x, 0.0), (MASK[0], REAL)),
    ],
    "clip": [
        Case(lambda x: np.clip(x, -1.0, 1.0), (SIGNED,)),
        Case(np.clip, (SIGNED, REAL[0] - 1.5, REAL[1])),
        Case(lambda x: x.clip(0.5, 1.0), (SIGNED.astype("f4"),)),
        Case(np.clip, (SIGNED, np.float64(-0.5), 1.5)),
    ],
    "cast": [
        Case(lambda x: x.astype(np.float64) * 1.5, (SIGNED.astype("f4"),)),
        Case(lambda x: x.astype("complex128") * 1.5j, (SIGNED,)),
        Case(lambda x, y: x.astype("complex128") * y, (np.float64(0.5), 1.5)),
    ],
    "real": [Case(_part("real"), (COMPLEX_,))],
    "imag": [Case(_part("imag"), (COMPLEX_,))],
}

_MEMORY = "tests/gradients/test_core_memory.py"
_CONTROL = "tests/gradients/test_core_branches.py"
ELSEWHERE: dict[str, str] = {
    **dict.fromkeys(
        "view reshape load store assign copy empty zeros ones full arange linspace eye".split(), _MEMORY
    ),
    **dict.fromkeys("if for for_each while call cluster yield break continue return raise".split(), _CONTROL),
    **dict.fromkeys("check_bound pick python".split(), _CONTROL),
    "custom_gradient": "tests/gradients/test_api.py",
    "stand_in": "tests/session/test_derivatives.py",
    **dict.fromkeys(
        ("drawn", "drawn_into", *(op.name for op in drawing.RECORDS)), "tests/gradients/test_drawn.py"
    ),
    "grow": "tests/gradients/test_growing_tapes.py",
    "root": "tests/gradients/test_norms.py",
    "number.multiply": "tests/test_complex_bits.py",
    "number.absolute": "tests/test_complex_bits.py",
    **dict.fromkeys(("numpy", "numpy_write"), "tests/gradients/test_numpy_rules.py"),
}
"""Where the gradients of operations on memory and of control flow are tested."""
